"""What reading gives: a document with its pages, blocks and tables, and how the reading ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]
Json = dict[str, Any]


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
