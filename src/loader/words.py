"""Characters of a page to words, by the gaps between them.

PDFium marks words by rules of its own; these follow ``x_tolerance``: a space, a gap wider than the tolerance (meant
for 10 point text, scaled with the size), a step back or to another line ends a word.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from src.loader import pdfium
from src.loader.layout import PageLayout, Style
from src.loader.pdfium import PageSource, TextObject
from src.loader.repair import repaired
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

_SPACES = np.array(
    [0x20, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000, 0xFEFF, 0x2028, 0x2029]
)
_HYPHEN_MARKS = (0x0002, 0xFFFE)  # PDFium's own marks for a hyphen at the end of a line
_TINY_POINTS = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """Characters that count, in stream order: ``codes`` (n,), ``boxes`` (n, 4), ``index`` (n,) in the text page,
    ``spaced`` whether white space stands before each."""

    codes: npt.NDArray[np.uint32]
    boxes: FloatArray
    index: IntArray
    spaced: BoolArray


def read_layout(source: PageSource, x_tolerance: float) -> PageLayout:
    """The page's words as a layout without drawings, forms and remarks."""
    glyphs = _glyphs(source)
    if not len(glyphs.codes):
        return PageLayout(source.number, source.width, source.height)
    starts, places, objects = _words(source, glyphs, x_tolerance)
    return _layout(source, glyphs, starts, places, objects)


def _glyphs(source: PageSource) -> Glyphs:
    codes = pdfium.codes(source)
    boxes = pdfium.loose_boxes(source)
    space = np.isin(codes, _SPACES)
    for mark in _HYPHEN_MARKS:
        codes[codes == mark] = 0x2D
    broken = (codes >= 9) & (codes <= 13)
    blank = space | (codes < 32) | ((codes >= 0x7F) & (codes < 0xA0)) | broken
    kept = np.flatnonzero(~blank)
    before = np.zeros(len(codes) + 1, np.int32)
    before[1:] = np.cumsum(_real_spaces(source, np.flatnonzero(space | broken), len(codes)))
    spaced = np.empty(len(kept), np.bool_)
    if len(kept):
        spaced[0] = True
        spaced[1:] = before[kept[1:]] > before[kept[:-1]]
    return _repaired(Glyphs(codes[kept], boxes[kept], kept.astype(np.int32), spaced))


def _repaired(glyphs: Glyphs) -> Glyphs:
    text = glyphs.codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    made = repaired(text, glyphs.boxes)
    if made is None:
        return glyphs
    text, sources = made
    spaced = glyphs.spaced[sources]
    spaced[1:] &= sources[1:] != sources[:-1]
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    return Glyphs(codes, glyphs.boxes[sources], glyphs.index[sources], spaced)


def _real_spaces(source: PageSource, blanks: npt.NDArray[Any], n: int) -> IntArray:
    """1 where the PDF itself has a space; spaces that PDFium made up do not count."""
    real = np.zeros(n, np.int32)
    real[blanks[~pdfium.generated(source, blanks)]] = 1
    return real


def _words(
    source: PageSource, glyphs: Glyphs, x_tolerance: float
) -> tuple[IntArray, IntArray, list[TextObject]]:
    """First glyph of each word, and the text object (place in the list) of each."""
    height = glyphs.boxes[:, 3] - glyphs.boxes[:, 1]
    rough = _breaks(glyphs.boxes, glyphs.spaced, height, x_tolerance)
    starts = np.flatnonzero(rough).astype(np.int32)
    places, objects = pdfium.text_objects(source, glyphs.index[starts])
    segment = np.cumsum(rough) - 1
    turns, sizes = _turns(source, objects), _sizes(objects)
    # the height of a box is the font's own idea of its height: measure gaps against the size it is set in
    ratio = sizes[places] / np.maximum(height[starts], 0.1)
    scale = np.where(
        turns[places][segment] == 0, height * np.clip(ratio, 0.2, 2)[segment], sizes[places][segment]
    )
    turned = turns[places][segment]
    final = np.zeros(len(glyphs.codes), np.bool_)
    for turn in np.unique(turned).tolist():
        chosen = turned == turn
        boxes = reading_frame(glyphs.boxes[chosen], turn)
        final[chosen] = _breaks(boxes, glyphs.spaced[chosen], scale[chosen], x_tolerance)
    final[1:] |= turned[1:] != turned[:-1]
    final[0] = True
    first = np.flatnonzero(final).astype(np.int32)
    return first, places[segment[first]], objects


def _breaks(boxes: FloatArray, spaced: BoolArray, size: FloatArray, x_tolerance: float) -> BoolArray:
    """Where a word begins, for characters whose text runs to the right."""
    broken = spaced.copy()
    if len(boxes) < 2:
        broken[:1] = True
        return broken
    x0, y0, x1, y1 = boxes.T
    pair = np.minimum(size[1:], size[:-1])
    gap = x0[1:] - x1[:-1]
    back = x0[:-1] - x1[1:]  # the gap when text runs to the left
    shared = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    tolerance = x_tolerance * pair / 10
    stepped_back = (gap < -0.6 * pair - tolerance) & ((back > tolerance) | (back < -0.6 * pair - tolerance))
    broken[1:] |= (gap > tolerance) | stepped_back | (shared < 0.3 * np.minimum(y1 - y0, size)[1:])
    broken[0] = True
    return broken


def reading_frame(boxes: FloatArray, turn: int) -> FloatArray:
    """``boxes`` turned so that text of direction ``turn`` (degrees clockwise) runs to the right, lines downwards."""
    x0, y0, x1, y1 = boxes.T
    if turn == 90:
        return np.stack([y0, -x1, y1, -x0], axis=1)
    if turn == 180:
        return np.stack([-x1, -y1, -x0, -y0], axis=1)
    if turn == 270:
        return np.stack([-y1, x0, -y0, x1], axis=1)
    return boxes


def _turns(source: PageSource, objects: list[TextObject]) -> IntArray:
    """Direction of reading of each object on the page as shown, to the nearest quarter turn."""
    a, b, c, d, _, _ = source.matrix
    turns = []
    for item in objects:
        x, y = a * item.a + c * item.b, b * item.a + d * item.b
        turns.append(round(math.degrees(math.atan2(y, x)) / 90) * 90 % 360)
    return np.array(turns, np.int32)


def _sizes(objects: list[TextObject]) -> FloatArray:
    """Font size of each object in points on the page."""
    return np.array([abs(o.size) * math.hypot(o.c, o.d) or abs(o.size) for o in objects], np.float32)


def _layout(
    source: PageSource, glyphs: Glyphs, starts: IntArray, places: IntArray, objects: list[TextObject]
) -> PageLayout:
    ends = np.append(starts[1:], len(glyphs.codes)).astype(np.int32)
    boxes = np.stack(
        [
            np.minimum.reduceat(glyphs.boxes[:, 0], starts),
            np.minimum.reduceat(glyphs.boxes[:, 1], starts),
            np.maximum.reduceat(glyphs.boxes[:, 2], starts),
            np.maximum.reduceat(glyphs.boxes[:, 3], starts),
        ],
        axis=1,
    )
    origins = pdfium.origins(source, glyphs.index[starts])
    turns, sizes = _turns(source, objects)[places], _sizes(objects)[places]
    baselines = np.where(np.isin(turns, (90, 270)), origins[:, 0], origins[:, 1])
    styles = np.array([_style(o) for o in objects], np.int32)[places]
    styles |= np.where(_unseen(source, boxes, sizes), int(Style.HIDDEN), 0).astype(np.int32)
    return PageLayout(
        source.number,
        source.width,
        source.height,
        glyphs=glyphs.codes.astype("<u4").tobytes().decode("utf-32-le", "replace"),
        boxes=glyphs.boxes,
        spans=np.stack([starts, ends], axis=1).astype(np.int32),
        places=np.column_stack([boxes, sizes, baselines]).astype(np.float32),
        styles=styles,
        turns=turns.astype(np.int32),
    )


def _style(item: TextObject) -> int:
    style = Style(0)
    if pdfium.is_bold(item):
        style |= Style.BOLD
    if pdfium.is_italic(item):
        style |= Style.ITALIC
    if pdfium.is_mono(item):
        style |= Style.MONO
    if item.mode == 3 or item.colour[3] == 0:
        style |= Style.HIDDEN
    return int(style)


def _unseen(source: PageSource, boxes: FloatArray, sizes: FloatArray) -> BoolArray:
    """Words that lie outside the page as shown, or are set too small to be read."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    outside = (x < 0) | (y < 0) | (x > source.width) | (y > source.height)
    seen: BoolArray = outside | (sizes < _TINY_POINTS)
    return seen
