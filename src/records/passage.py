"""Stretches of a document: spans, the chunks that are searched, the passages that an answer may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from src.records.document import Box, Page


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch [start, end) of ``Page.text`` of page ``page``."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """A small piece of a document that is ranked.

    A span is as long as the text is contiguous on its page; ``text`` is ``span_text`` of the spans, joined by a
    space (by a line break for kind "table"), and nothing else. ``starts`` holds the position in ``text`` of the
    first character of each sentence (of each row for tables); a sentence may run over two spans.
    ``headings`` is the section path; ``context`` is what else is indexed with the chunk and never quoted
    (headings, table title, unit and column headers, document title). ``kind`` is "prose", "table", "figure",
    "footnote" or "form". For tables ``table`` is (page, position in ``Page.tables``) and ``rows`` the [first,
    last) rows of it.
    """

    number: int
    text: str
    spans: tuple[Span, ...]
    starts: tuple[int, ...]
    headings: tuple[str, ...] = ()
    context: str = ""
    kind: str = "prose"
    language: str = ""
    table: tuple[int, int] | None = None
    rows: tuple[int, int] = (0, 0)

    @property
    def pages(self) -> tuple[int, ...]:
        """Physical pages the chunk stands on, in order."""
        return tuple(dict.fromkeys(span.page for span in self.spans))


@dataclass(frozen=True, slots=True)
class Passage:
    """A ranked piece handed to the answerer: a chunk grown by its neighbours, in one piece of the document.

    ``text`` equals its spans' text joined as in ``Chunk``. Ranks are 1-based places in each ranking, None where
    that ranking did not have it; ``rerank_score`` is the cross-encoder's logit; ``score`` orders the passages.
    ``core`` is the [start, end) part of ``text`` that was ranked, before growing.
    """

    document_id: str
    document_name: str
    revision: int
    text: str
    spans: tuple[Span, ...]
    labels: tuple[str, ...]
    headings: tuple[str, ...]
    context: str
    kind: str
    language: str
    score: float
    chunks: tuple[int, ...]
    core: tuple[int, int]
    keyword_rank: int | None = None
    static_rank: int | None = None
    semantic_rank: int | None = None
    rerank_score: float | None = None
    similarity: float | None = None
    table: tuple[int, int] | None = None
    rows: tuple[int, int] = (0, 0)

    @property
    def pages(self) -> tuple[int, ...]:
        """Physical pages the passage stands on, in order."""
        return tuple(dict.fromkeys(span.page for span in self.spans))


def line_boxes(page: Page, start: int, end: int) -> tuple[Box, ...]:
    """Boxes that mark ``page.text[start:end]``: the characters' boxes merged along each printed line."""
    boxes = page.boxes[start:end]
    merged: list[list[float]] = []
    for x0, y0, x1, y1 in boxes[~np.isnan(boxes[:, 0])].tolist():
        last = merged[-1] if merged else None
        height = y1 - y0
        if (
            last
            and y0 < last[3] - 0.3 * height
            and y1 > last[1] + 0.3 * height
            and x0 < last[2] + 2.5 * height
            and x1 > last[0] - 2.5 * height
        ):
            last[0], last[1], last[2], last[3] = (
                min(last[0], x0),
                min(last[1], y0),
                max(last[2], x1),
                max(last[3], y1),
            )
        else:
            merged.append([x0, y0, x1, y1])
    return tuple(Box(page.number, *box) for box in merged)


def span_text(pages: Sequence[Page], spans: Sequence[Span], joint: str = " ") -> str:
    """Text of ``spans`` joined by ``joint``; ``pages`` is ``Document.pages``."""
    return joint.join(pages[s.page - 1].text[s.start : s.end] for s in spans)
