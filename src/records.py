"""Frozen records that travel between stages, in the order in which a question meets them.

Conventions kept everywhere:

* Page numbers are physical and 1-based; the printed label ("iv", "A-1") travels beside them.
* Coordinates are PDF points of the page *as shown* (crop box applied, rotation applied), origin top left.
* A span ``[start, end)`` counts characters of ``Page.text`` of one page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

NOT_FOUND = "Not found in the document."

FloatArray = npt.NDArray[np.float32]


# --- reading ---------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """How reading a file ended; the names are a contract of ``evaluation.robustness`` and ``scripts/ask.py``."""

    READ = "read"
    NEEDS_PASSWORD = "needs_password"
    NO_TEXT = "no_text"
    DAMAGED = "damaged"
    NOT_A_PDF = "not_a_pdf"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    CRASH = "crash"


class PageState(StrEnum):
    """Where the text of a page comes from."""

    TEXT = "text"
    OCR = "ocr"
    MIXED = "mixed"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    PENDING = "pending"  # no usable text layer, OCR has not reached the page yet


class BlockKind(StrEnum):
    """What a stretch of a page is; MARGIN is a running header, footer or page number."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    SIDENOTE = "sidenote"
    FORM = "form"
    ANNOTATION = "annotation"
    FIGURE = "figure"
    MARGIN = "margin"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page, in points of the page as shown, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Block:
    """One stretch of ``Page.text`` in reading order. ``level`` is 1.. for headings (1 = highest), else 0.

    ``table`` is the position in ``Page.tables`` for blocks of kind TABLE.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    table: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: its span in ``Page.text`` and the columns [column, column + width) that it covers."""

    start: int
    end: int
    column: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its span in ``Page.text``, its cells from left to right, and the section rows it stands under."""

    start: int
    end: int
    cells: tuple[Cell, ...]
    header: bool = False
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table on one page.

    ``columns`` holds one full header per column, upper levels joined by " / " ("2022 / Net sales"); the first is
    often empty (the label column). ``unit`` is what the title or header says of all values ("in thousands of
    crowns"). ``continued`` says that the table began on an earlier page, from which title, unit and columns are
    then carried over. In ``Page.text`` each row is one line with its cells separated by a tab.
    """

    title: str
    unit: str
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    ruled: bool = False
    continued: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page. ``text`` is in reading order, repaired: lines of a paragraph joined, blocks apart by a blank line.

    ``boxes`` is float32 of shape (len(text), 4): x0, y0, x1, y1 of each character; NaN where a character has no
    place on the page (a joining space, a line break). ``hidden`` is text a reader cannot see; it is in no block
    and never in ``text``. ``reason`` says why a page is not plain TEXT. ``language`` is an ISO 639-1 code or "".
    """

    number: int
    label: str
    width: float
    height: float
    text: str
    boxes: FloatArray
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...] = ()
    state: PageState = PageState.TEXT
    reason: str = ""
    hidden: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the document: title, level (1 = top), physical page."""

    title: str
    level: int
    page: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A PDF embedded in the document (a portfolio)."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What was read of a PDF so far.

    ``id`` is the SHA-256 of the file. ``revision`` counts the snapshots of one reading, 0 being the first text;
    ``pending`` names the work still to come ("tables", "ocr"), empty when reading has ended. ``notes`` are
    sentences for the reader about what was lost, hidden or repaired.
    """

    id: str
    name: str
    title: str
    pages: tuple[Page, ...]
    outline: tuple[OutlineEntry, ...] = ()
    notes: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    revision: int = 0
    pending: tuple[str, ...] = ()

    def pages_in(self, *states: PageState) -> tuple[int, ...]:
        """Physical numbers of the pages in one of ``states``."""
        return tuple(page.number for page in self.pages if page.state in states)

    @property
    def unread(self) -> tuple[int, ...]:
        """Pages whose content no answer can know: unreadable, or waiting for OCR."""
        return self.pages_in(PageState.UNREADABLE, PageState.PENDING)


@dataclass(frozen=True, slots=True)
class Progress:
    """A step of reading, for the progress line: ``stage`` is "text", "tables", "ocr" or "vectors"."""

    stage: str
    done: int
    total: int


class LoadError(Exception):
    """A file that cannot be read; the message is one sentence for the reader that says what to do."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome = outcome
        self.message = message


# --- chunks and passages ---------------------------------------------------------------------------------


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


# --- answers ---------------------------------------------------------------------------------------------


class Support(StrEnum):
    """What the check found for one sentence of an answer."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a draft with the passages it cites: pairs of (1-based passage number, quoted words)."""

    text: str
    cites: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of model calls; ``cost`` in US dollars, None where no price is known."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    cost: float | None = None
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        costs = [c for c in (self.cost, other.cost) if c is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            sum(costs) if costs else None,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """What an answerer wrote, before any check. ``refused`` means that it found no answer in the passages."""

    claims: tuple[Claim, ...]
    refused: bool = False
    usage: Usage = Usage()
    tier: str = "extractive"  # "extractive", "direct" or "loop"
    notice: str = ""  # one sentence when a fallback answered ("The model could not be reached: ...")


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked citation. ``boxes`` are the marks on the page images, one or more a line, possibly on two pages.

    ``number`` counts from 1 within the answer; ``label`` is what the reader sees ("p. 4", "p. 12 (printed iv)").
    ``verified`` is False when the quote was not found on its page (then ``boxes`` is empty). ``url`` is set for
    web sources only.
    """

    number: int
    document_id: str
    document_name: str
    revision: int
    pages: tuple[int, ...]
    label: str
    quote: str
    verified: bool
    boxes: tuple[Box, ...] = ()
    passage: int | None = None
    url: str = ""

    @property
    def page(self) -> int | None:
        """The first page, None for a web source."""
        return self.pages[0] if self.pages else None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer with the numbers of its citations and what the check said of it.

    ``problem`` says in words what did not agree ("the number 85% is not on page 4").
    """

    text: str
    citations: tuple[int, ...] = ()
    support: Support = Support.FULL
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way to an answer, for the trace: name, what came of it, milliseconds."""

    name: str
    detail: str = ""
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer. ``sentences`` is what is shown; struck ones are counted in ``struck`` and not in it.

    ``status`` is "answered" or "not_found"; ``support`` "full" or "partial"; ``route`` "document", "summary",
    "compare", "web" or "chat". Under a refusal ``citations`` is empty and ``looked_here`` holds the nearest
    passages. ``snapshots`` maps document id to the revision it was answered from.
    """

    question: str
    sentences: tuple[Sentence, ...]
    status: str
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    looked_here: tuple[Passage, ...] = ()
    support: Support = Support.FULL
    route: str = "document"
    tier: str = "extractive"
    struck: int = 0
    notices: tuple[str, ...] = ()
    usage: Usage = Usage()
    steps: tuple[Step, ...] = ()
    ms: float = 0.0
    cached: bool = False
    stopped: bool = False
    standalone: str = ""
    snapshots: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """Plain text of the answer with its page labels, as ``scripts/ask.py`` prints it."""
        labels = {c.number: c.label for c in self.citations}
        parts = [
            " ".join([s.text, *dict.fromkeys(f"[{labels[n]}]" for n in s.citations if n in labels)])
            for s in self.sentences
        ]
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange, as memory keeps it."""

    question: str
    standalone: str
    answer: str
    document_ids: tuple[str, ...] = ()


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


Json = dict[str, Any]
