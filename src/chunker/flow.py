"""Blocks of pages to sentences with their exact spans: the running text, and what stands beside it.

A paragraph that a page or column end cuts is put together again; the margins, footnotes, tables and captions
that stand between its two halves are left where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from src.chunker.sentences import sentence_spans
from src.records import Block, BlockKind, Document, Page, Span

BODY = frozenset({BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST})
KINDS = {
    BlockKind.FOOTNOTE: "footnote",
    BlockKind.CAPTION: "figure",
    BlockKind.FIGURE: "figure",
    BlockKind.FORM: "form",
    BlockKind.SIDENOTE: "prose",
    BlockKind.ANNOTATION: "prose",
}
CLOSERS = "\"'”’»)]"
TERMINATORS = ".!?…。！？｡؟۔।:;"
TABS_OF_PROSE = 0.25  # gaps a word; tables have more
SHORTEST_PROSE = 60  # characters; below, an unfinished line is a title or a label, not half a paragraph


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence (a heading, a list item, a piece of one that is too long): spans in reading order.

    ``paragraph`` numbers the paragraphs of a flow, ``path`` the headings it stands under, itself included.
    """

    spans: tuple[Span, ...]
    length: int
    paragraph: int
    path: tuple[str, ...]
    heading: bool = False


@dataclass(slots=True)
class Flow:
    """Sentences that read on from one to the next, of one kind."""

    kind: str
    sentences: list[Sentence] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A table on its page with the headings it stands under."""

    page: Page
    block: Block
    path: tuple[str, ...]


@dataclass(frozen=True)
class _Paragraph:
    kind: BlockKind
    parts: tuple[tuple[Page, Block], ...]

    @cached_property
    def text(self) -> str:
        return " ".join(page.text[block.start : block.end] for page, block in self.parts)


def read_flows(document: Document, longest: int) -> tuple[Flow, list[Flow], list[TableBlock]]:
    """The running text, the flows beside it (one a stretch of the same kind on a page), and the tables.

    A sentence longer than ``longest`` characters comes in pieces that are not.
    """
    body = Flow("prose")
    beside: list[Flow] = []
    tables: list[TableBlock] = []
    path: list[tuple[int, str]] = []
    paragraph = 0
    for item in _paragraphs(document):
        page, block = item.parts[0]
        if item.kind is BlockKind.HEADING:
            title = " ".join(item.text.split())
            level = block.level or 1
            path = [entry for entry in path if entry[0] < level]
            path.append((level, title))
        names = tuple(title for _, title in path)
        if item.kind is BlockKind.TABLE and not _is_loose_prose(page, block):
            tables.append(TableBlock(page, block, names))
            continue
        paragraph += 1
        sentences = list(_sentences(item, paragraph, names, longest))
        if item.kind in BODY or item.kind is BlockKind.TABLE:
            body.sentences.extend(sentences)
        else:
            kind = KINDS[item.kind]
            last = beside[-1] if beside else None
            if not (last and last.kind == kind and last.sentences[-1].spans[-1].page == page.number):
                last = Flow(kind)
                beside.append(last)
            last.sentences.extend(sentences)
    return body, [flow for flow in beside if flow.sentences], tables


def _is_loose_prose(page: Page, block: Block) -> bool:
    """Whether lines set apart like a table, but recognised as none, are running text with wide gaps in it."""
    if block.table is not None:
        return False
    words = page.text[block.start : block.end].split()
    return len(words) >= 6 and page.text.count("\t", block.start, block.end) < TABS_OF_PROSE * len(words)


def _paragraphs(document: Document) -> Iterator[_Paragraph]:
    """The blocks in reading order, halves of a cut paragraph put together; what stood between comes after it."""
    cut: _Paragraph | None = None
    between: list[_Paragraph] = []
    for page in document.pages:
        for block in page.blocks:
            if block.kind is BlockKind.MARGIN or not page.text[block.start : block.end].strip():
                continue
            item = _Paragraph(block.kind, ((page, block),))
            if cut is None:
                if _is_cut(item):
                    cut = item
                else:
                    yield item
            elif block.kind not in BODY:
                between.append(item)
            else:
                if _goes_on(cut, item):
                    cut = _Paragraph(cut.kind, (*cut.parts, *item.parts))
                    if _is_cut(item) and len(cut.parts) < 4:
                        continue
                    yield cut
                    yield from between
                    cut, between = None, []
                    continue
                yield cut
                yield from between
                cut, between = None, []
                if _is_cut(item):
                    cut = item
                else:
                    yield item
    if cut is not None:
        yield cut
    yield from between


def _is_cut(item: _Paragraph) -> bool:
    """Whether the text ends in the middle of a sentence."""
    text = item.text.rstrip()
    return (
        item.kind in (BlockKind.PARAGRAPH, BlockKind.LIST)
        and len(text) >= SHORTEST_PROSE
        and text.rstrip(CLOSERS)[-1:] not in TERMINATORS
    )


def _goes_on(first: _Paragraph, second: _Paragraph) -> bool:
    """Whether ``second`` continues the sentence that ``first`` left open."""
    if second.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST):
        return False
    before, after = first.parts[-1], second.parts[0]
    opening = second.text.lstrip("\"'“‘„«([ ")[:1]
    if before[0].number == after[0].number:
        between = before[0].text[before[1].end : after[1].start]
        return opening.islower() and bool(between.strip())
    if after[0].number > before[0].number + 2:
        return False
    return second.kind is BlockKind.PARAGRAPH and opening.isalnum()


def _sentences(item: _Paragraph, paragraph: int, path: tuple[str, ...], longest: int) -> Iterator[Sentence]:
    text = item.text
    heading = item.kind is BlockKind.HEADING
    if heading:
        stripped = text.strip()
        start = text.index(stripped)
        bounds = [(start, start + len(stripped))]
    else:
        bounds = _bounds(text, item)
    for start, end in bounds:
        for first, last in _pieces(text, start, end, longest):
            yield Sentence(_locate(item, first, last), last - first, paragraph, path, heading)


def _bounds(text: str, item: _Paragraph) -> list[tuple[int, int]]:
    """Sentences of each line for lists and forms (an item is a line), of the whole for running text."""
    language = item.parts[0][0].language
    if item.kind not in (BlockKind.LIST, BlockKind.FORM, BlockKind.FIGURE):
        return sentence_spans(text, language)
    bounds, position = [], 0
    for line in text.split("\n"):
        bounds += [(position + a, position + b) for a, b in sentence_spans(line, language)]
        position += len(line) + 1
    return bounds


def _pieces(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """[start, end) in pieces of at most ``longest`` characters, cut behind a clause, else a word, else anywhere."""
    while end - start > longest:
        window = text[start : start + longest]
        cut = max(window.rfind(mark) for mark in ("; ", ", ", ": ", "\n")) + 1
        if cut < longest // 2:
            cut = window.rfind(" ")
        if cut < longest // 2:
            cut = longest
        yield start, start + len(text[start : start + cut].rstrip())
        start += cut
        while start < end and text[start].isspace():
            start += 1
    if end > start:
        yield start, end


def _locate(item: _Paragraph, start: int, end: int) -> tuple[Span, ...]:
    """Spans on pages of [start, end) of ``item.text``."""
    spans, offset = [], 0
    for page, block in item.parts:
        size = block.end - block.start
        first, last = max(start - offset, 0), min(end - offset, size)
        if first < last:
            spans.append(Span(page.number, block.start + first, block.start + last))
        offset += size + 1
    return tuple(spans)
