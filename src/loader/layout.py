"""What the stages inside the loader hand to each other: words with a place on the page.

The text pass makes a ``PageLayout`` from the PDF's own text, OCR makes the same ``Word`` records from an image
(``with_words`` adds them), the tables stage reads both, and ``assemble.assemble_page`` turns a layout into the
``Page`` that leaves the loader. All coordinates are points of the page as shown, origin top left.

A layout is arrays, so that it crosses the pipe as it is: ``glyphs`` is the string of all words' characters laid end
to end (no spaces), ``boxes`` float32 (len(glyphs), 4) holds their boxes, and each row of the word arrays is a word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from src.loader.repair import clean
from src.loader.style import Style
from src.loader.wire import Frame
from src.records import FloatArray

__all__ = [
    "PageLayout",
    "ReadWord",
    "RegionCell",
    "RegionRow",
    "Style",
    "TableRegion",
    "Word",
    "reading_frame",
    "with_words",
    "without_words",
]

IntArray = npt.NDArray[np.int32]
LINE_HEIGHT = 1.15  # font sizes: of a character's box
NO_BOXES: FloatArray = np.empty((0, 4), np.float32)


class Word(NamedTuple):
    """A word: its characters, box, font size and baseline (y) in points, style, and turn.

    ``turn`` is the direction of reading in degrees clockwise: 0, 90 (downwards), 180, 270 (upwards), or what lies
    between for tilted text. ``baseline`` is x for 90 and 270, and for tilted text y in its own frame.
    ``start`` is the place of its first character in ``PageLayout.glyphs``.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    baseline: float
    style: int
    turn: int
    start: int

    @property
    def bold(self) -> bool:
        """Whether the word is set in a bold face."""
        return bool(self.style & Style.BOLD)

    @property
    def from_ocr(self) -> bool:
        """Whether the word was recognised in an image."""
        return bool(self.style & Style.OCR)


_word: Callable[[Iterable[Any]], Word] = partial(tuple.__new__, Word)


class FormLine(NamedTuple):
    """A form field: what it is called, and how many of the layout's FIELD words, in their order, are its value."""

    label: str
    words: int


class Remark(NamedTuple):
    """An annotation's text (a note, free text, where a link leads) and its box."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, eq=False)
class PageLayout:
    """One page before assembly.

    ``spans`` int32 (w, 2) is each word's [start, end) in ``glyphs``; ``places`` float32 (w, 6) its x0, y0, x1, y1,
    size, baseline; ``styles`` int32 (w,) its ``Style``; ``turns`` int32 (w,) its turn.
    ``rules`` float32 (r, 4) are drawn lines and thin boxes, ``fills`` the filled boxes, ``images`` the pictures.
    ``form`` are the page's form fields, ``remarks`` its annotations. ``garbled`` says why the page's text cannot be trusted, "" when it can. ``notes`` are
    sentences for the reader.
    """

    number: int
    width: float
    height: float
    glyphs: str = ""
    boxes: FloatArray = field(default_factory=lambda: NO_BOXES)
    spans: IntArray = field(default_factory=lambda: np.empty((0, 2), np.int32))
    places: FloatArray = field(default_factory=lambda: np.empty((0, 6), np.float32))
    styles: IntArray = field(default_factory=lambda: np.empty(0, np.int32))
    turns: IntArray = field(default_factory=lambda: np.empty(0, np.int32))
    rules: FloatArray = field(default_factory=lambda: NO_BOXES)
    fills: FloatArray = field(default_factory=lambda: NO_BOXES)
    images: FloatArray = field(default_factory=lambda: NO_BOXES)
    form: tuple[FormLine, ...] = ()
    remarks: tuple[Remark, ...] = ()
    garbled: str = ""
    failed: str = ""
    notes: tuple[str, ...] = ()

    def texts(self) -> list[str]:
        """The words' characters, those a reader cannot see left out."""
        seen = (self.styles & (Style.HIDDEN | Style.STRUCK)) == 0
        glyphs = self.glyphs
        return [glyphs[start:end] for start, end in self.spans[seen].tolist()]

    def words(self, *, hidden: bool = False) -> list[Word]:
        """The words in stream order; those a reader cannot see only when ``hidden``."""
        if hidden:
            return self._made(slice(None))
        return self._made(np.flatnonzero((self.styles & (Style.HIDDEN | Style.STRUCK)) == 0))

    def words_between(self, top: float, bottom: float) -> list[Word]:
        """Upright visible words that end over ``top`` or begin under ``bottom`` (heights in points)."""
        seen = ((self.styles & (Style.HIDDEN | Style.STRUCK)) == 0) & (self.turns == 0)
        return self._made(np.flatnonzero(seen & ((self.places[:, 3] <= top) | (self.places[:, 1] >= bottom))))

    def _made(self, chosen: npt.NDArray[np.int64] | slice) -> list[Word]:
        glyphs, spans = self.glyphs, self.spans[chosen].tolist()
        texts = [glyphs[start:end] for start, end in spans]
        columns = [*self.places[chosen].T.tolist(), self.styles[chosen].tolist(), self.turns[chosen].tolist()]
        starts = [start for start, _ in spans]
        return list(map(_word, zip(texts, *columns, starts, strict=True)))


@dataclass(frozen=True, slots=True)
class RegionCell:
    """A cell of a table on the page: the places of its words in the layout's word arrays, in reading order, and the
    columns [column, column + width) that it covers. An empty cell need not be given."""

    words: tuple[int, ...]
    column: int
    width: int = 1


@dataclass(frozen=True, slots=True)
class RegionRow:
    """A row of a table: cells from left to right, whether it is a header, the section rows it stands under."""

    cells: tuple[RegionCell, ...]
    header: bool = False
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableRegion:
    """A table found on a page. Its box is in points of the page as shown; words of its rows leave the prose and
    come out row by row where the box stands in the reading order. ``title``, ``unit`` and ``columns`` as in
    ``records.Table``; a title's words stay in the prose unless a row holds them. ``dropped`` are the places of words
    that leave the text altogether (leader dots, names said again)."""

    x0: float
    y0: float
    x1: float
    y1: float
    rows: tuple[RegionRow, ...]
    title: str = ""
    unit: str = ""
    columns: tuple[str, ...] = ()
    ruled: bool = False
    dropped: tuple[int, ...] = ()


class ReadWord(NamedTuple):
    """A word to be added to a layout: text, box, size (its height in points when unknown) and style."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    style: int = Style.OCR
    turn: int = 0


def with_words(layout: PageLayout, added: Sequence[ReadWord]) -> PageLayout:
    """The layout with ``added`` after its own words; the characters of each share its box evenly.

    The baseline is taken at a fifth of the height over the lower edge.
    """
    kept = [word for word in (w._replace(text=clean(w.text)) for w in added) if word.text]
    if not kept:
        return layout
    spans, places, boxes = [], [], []
    place = len(layout.glyphs)
    for word in kept:
        spans.append((place, place + len(word.text)))
        place += len(word.text)
        places.append((*word[1:5], word.size, word.y1 - 0.2 * (word.y1 - word.y0)))
        boxes.append(_shares(word))
    return replace(
        layout,
        glyphs=layout.glyphs + "".join(word.text for word in kept),
        boxes=np.concatenate([layout.boxes, *boxes]).astype(np.float32),
        spans=np.concatenate([layout.spans, np.array(spans, np.int32)]),
        places=np.concatenate([layout.places, np.array(places, np.float32)]),
        styles=np.concatenate([layout.styles, np.array([word.style for word in kept], np.int32)]),
        turns=np.concatenate([layout.turns, np.array([word.turn for word in kept], np.int32)]),
    )


def without_words(layout: PageLayout, drop: npt.NDArray[np.bool_]) -> PageLayout:
    """The layout without the words whose place in ``drop`` (bool, one a word) is set; ``glyphs`` stays."""
    keep = ~drop
    return replace(
        layout,
        spans=layout.spans[keep],
        places=layout.places[keep],
        styles=layout.styles[keep],
        turns=layout.turns[keep],
    )


def _shares(word: ReadWord) -> FloatArray:
    n = len(word.text)
    boxes = np.empty((n, 4), np.float32)
    along_y = word.turn in (90, 270)
    low, high = (word.y0, word.y1) if along_y else (word.x0, word.x1)
    edges = np.linspace(low, high, n + 1, dtype=np.float32)
    if word.turn in (180, 270):
        edges = edges[::-1]
    first, second = np.minimum(edges[:-1], edges[1:]), np.maximum(edges[:-1], edges[1:])
    boxes[:] = (word.x0, word.y0, word.x1, word.y1)
    boxes[:, 1 if along_y else 0] = first
    boxes[:, 3 if along_y else 2] = second
    return boxes


def to_frame(layout: PageLayout) -> Frame:
    """The layout as a frame of kind "layout"."""
    fields = {
        "number": layout.number,
        "width": layout.width,
        "height": layout.height,
        "form": [list(pair) for pair in layout.form],
        "remarks": [list(remark) for remark in layout.remarks],
        "garbled": layout.garbled,
        "failed": layout.failed,
        "notes": list(layout.notes),
    }
    glyphs = np.frombuffer(layout.glyphs.encode("utf-32-le", "surrogatepass"), np.uint32)
    names = ("boxes", "spans", "places", "styles", "turns", "rules", "fills", "images")
    return Frame("layout", fields, {"glyphs": glyphs} | {name: getattr(layout, name) for name in names})


def from_frame(frame: Frame) -> PageLayout:
    """The layout of a frame made by ``to_frame``. Raises WireError, KeyError or ValueError on a wrong one."""
    fields = frame.fields
    glyphs = frame.array("glyphs", "u4").tobytes().decode("utf-32-le", "surrogatepass")
    return PageLayout(
        number=int(fields["number"]),
        width=float(fields["width"]),
        height=float(fields["height"]),
        glyphs=glyphs,
        boxes=frame.array("boxes", "f4", 4),
        spans=frame.array("spans", "i4", 2),
        places=frame.array("places", "f4", 6),
        styles=frame.array("styles", "i4"),
        turns=frame.array("turns", "i4"),
        rules=frame.array("rules", "f4", 4),
        fills=frame.array("fills", "f4", 4),
        images=frame.array("images", "f4", 4),
        form=tuple(FormLine(str(label), int(count)) for label, count in fields["form"]),
        remarks=tuple(Remark(str(text), *map(float, box)) for text, *box in fields["remarks"]),
        garbled=str(fields["garbled"]),
        failed=str(fields["failed"]),
        notes=tuple(str(note) for note in fields["notes"]),
    )


def reading_frame(boxes: FloatArray, turn: int, heights: FloatArray | None = None) -> FloatArray:
    """``boxes`` turned so that text of direction ``turn`` (degrees clockwise) runs to the right, lines downwards.

    Text between the quarter turns has boxes wider than itself: ``heights`` (n,) of its lines tell how much; without
    them each box keeps its own height.
    """
    x0, y0, x1, y1 = boxes.T
    if turn == 90:
        return np.stack([y0, -x1, y1, -x0], axis=1)
    if turn == 180:
        return np.stack([-x1, -y1, -x0, -y0], axis=1)
    if turn == 270:
        return np.stack([-y1, x0, -y0, x1], axis=1)
    if turn % 90:
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        high = y1 - y0 if heights is None else heights
        across, down = abs(cos), abs(sin)
        wide = (x1 - x0 - high * down) / across if across >= down else (y1 - y0 - high * across) / down
        wide = np.maximum(wide, 0.1 * high)
        x, y = turned_point((x0 + x1) / 2, (y0 + y1) / 2, turn)
        return np.stack([x - wide / 2, y - high / 2, x + wide / 2, y + high / 2], axis=1)
    return boxes


def turned_point(x: FloatArray, y: FloatArray, turn: int) -> tuple[FloatArray, FloatArray]:
    """Points of the page in the frame in which text of direction ``turn`` runs to the right."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return x * cos + y * sin, y * cos - x * sin


def words_in_frame(words: list[Word], turn: int) -> list[Word]:
    """Words of direction ``turn`` turned so that they run to the right; their glyphs keep their places."""
    if not turn or not words:
        return words
    places = np.array([word[1:6] for word in words], np.float32)
    boxes = reading_frame(places[:, :4], turn, LINE_HEIGHT * places[:, 4])
    sign = -1 if turn in (90, 180) else 1
    return [
        word._replace(x0=x0, y0=y0, x1=x1, y1=y1, baseline=sign * word.baseline)
        for word, (x0, y0, x1, y1) in zip(words, boxes.tolist(), strict=True)
    ]
