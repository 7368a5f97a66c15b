"""A ranked chunk to the passage that is handed over: grown by its neighbours, in one piece of the document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from src.chunker import join_spans
from src.index import DocumentIndex
from src.records import Chunk, Span, span_text


@dataclass(frozen=True, slots=True)
class Grown:
    """Spans and text of a chunk with its neighbours; ``core`` is the [start, end) of the chunk in ``text``."""

    spans: tuple[Span, ...]
    text: str
    core: tuple[int, int]
    chunks: tuple[int, ...]
    rows: tuple[int, int]


def grow(index: DocumentIndex, number: int, limit: int) -> Grown:
    """Chunk ``number`` with sentences (rows) of the chunks before and behind it, up to ``limit`` characters.

    Growth stops at another section, another table and another kind of chunk; a chunk longer than ``limit`` stays
    as it is.
    """
    chunk = index.chunks[number]
    spans, used = chunk.spans, {number}
    ahead, behind = _Neighbours(index, number, 1), _Neighbours(index, number, -1)
    turn = (ahead, behind)
    while any(not side.spent for side in turn):
        for side in turn:
            piece = side.next(spans)
            if piece is None:
                continue
            grown = join_spans(index.document.pages, [*spans, *piece] if side is ahead else [*piece, *spans])
            if _size(grown) > limit:
                side.spent = True
                continue
            spans = grown
            used.add(side.number)
    joint = "\n" if chunk.kind == "table" else " "
    text = span_text(index.document.pages, spans, joint)
    begin = _position(spans, chunk.spans[0])
    rows = _rows(index, sorted(used)) if chunk.table else (0, 0)
    return Grown(spans, text, (begin, begin + len(chunk.text)), tuple(sorted(used)), rows)


def _rows(index: DocumentIndex, numbers: Sequence[int]) -> tuple[int, int]:
    return min(index.chunks[n].rows[0] for n in numbers), max(index.chunks[n].rows[1] for n in numbers)


def _size(spans: Sequence[Span]) -> int:
    return sum(span.end - span.start + 1 for span in spans) - 1


def _position(spans: Sequence[Span], first: Span) -> int:
    offset = 0
    for span in spans:
        if span.page == first.page and span.start <= first.start < span.end:
            return offset + first.start - span.start
        offset += span.end - span.start + 1
    raise ValueError(f"{first} is not within {list(spans)}")


class _Neighbours:
    """The sentences of the chunks on one side of a chunk, nearest first."""

    def __init__(self, index: DocumentIndex, number: int, step: int) -> None:
        self._index = index
        self._origin = index.chunks[number]
        self._step = step
        self.number = number
        self.spent = False
        self._pieces: list[tuple[Span, ...]] = []

    def next(self, spans: Sequence[Span]) -> tuple[Span, ...] | None:
        """Spans of the next sentence that is not within ``spans``; None (and ``spent``) when there is none."""
        while not self.spent:
            while self._pieces:
                piece = self._pieces.pop(0)
                if not _covered(piece, spans):
                    return piece
            self._advance()
        return None

    def _advance(self) -> None:
        chunk = self._neighbour()
        if chunk is None:
            self.spent = True
            return
        self.number = chunk.number
        pieces = sentence_pieces(chunk)
        self._pieces = pieces if self._step > 0 else pieces[::-1]

    def _neighbour(self) -> Chunk | None:
        position = self.number + self._step
        while 0 <= position < len(self._index.chunks):
            chunk = self._index.chunks[position]
            if chunk.kind == self._origin.kind:
                same = chunk.headings == self._origin.headings and chunk.table == self._origin.table
                return chunk if same and self._near(chunk) else None
            position += self._step
        return None

    def _near(self, chunk: Chunk) -> bool:
        """Footnotes and figures of another page, and tables nobody read as such, are no neighbours."""
        return self._origin.kind == "prose" or chunk.pages == self._origin.pages


def sentence_pieces(chunk: Chunk) -> list[tuple[Span, ...]]:
    """Spans of each sentence (row) of ``chunk``, in order."""
    ends = [*chunk.starts[1:], len(chunk.text) + 1]
    pieces = []
    for start, end in zip(chunk.starts, ends, strict=True):
        spans, offset = [], 0
        for span in chunk.spans:
            size = span.end - span.start
            first, last = max(start - offset, 0), min(end - 1 - offset, size)
            if first < last:
                spans.append(Span(span.page, span.start + first, span.start + last))
            offset += size + 1
        pieces.append(tuple(spans))
    return pieces


def _covered(piece: Sequence[Span], spans: Sequence[Span]) -> bool:
    return all(any(s.page == p.page and s.start <= p.start and p.end <= s.end for s in spans) for p in piece)
