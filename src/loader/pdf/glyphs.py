"""The characters of a page that count, in stream order: repaired, each once, with the space before it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from src.loader.pdf import pdfium
from src.loader.pdf.dropped import dropped_letters
from src.loader.pdf.guesses import parted
from src.loader.pdf.pdfium import PageSource
from src.loader.pdf.symbols import may_be_signs, shown_signs
from src.loader.repair import repaired
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

_SPACES = np.array(
    [0x20, 0xA0, 0x1680, *range(0x2000, 0x200C), 0x202F, 0x205F, 0x3000, 0xFEFF, 0x2028, 0x2029]
)
_IS_SPACE = np.zeros(0x10000, np.bool_)
_IS_SPACE[_SPACES] = True
_HYPHEN_MARKS = (0x0002, 0xFFFE)  # PDFium's own marks for a hyphen at the end of a line
_LAM, _ALEFS = 0x644, np.array([0x622, 0x623, 0x625, 0x627])
_TWIN_SHIFT = 0.13  # of the height: how far a second stroke of fake bold is moved


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """``codes`` (n,), ``boxes`` (n, 4) on the page as shown, ``index`` (n,) in PDFium's text page, ``spaced`` (n,)
    whether the PDF has white space before each; ``unmapped`` counts characters without a usable code."""

    codes: npt.NDArray[np.uint32]
    boxes: FloatArray
    index: IntArray
    spaced: BoolArray
    unmapped: int = 0

    @property
    def tied(self) -> BoolArray:
        """Whether each glyph is a letter of the same ligature as the one before it, (n,): PDFium gives all letters of
        a ligature the box of the whole."""
        tied = np.zeros(len(self.index), np.bool_)
        tied[1:] = (np.diff(self.index) <= 1) & (self.boxes[1:] == self.boxes[:-1]).all(axis=1)
        return tied

    @property
    def text(self) -> str:
        """The characters as a string."""
        return self.codes.astype("<u4").tobytes().decode("utf-32-le", "replace")

    def at(self, places: npt.NDArray[Any]) -> Glyphs:
        """The glyphs at ``places``; a space before a left-out glyph counts for the next one."""
        spaced = (
            np.add.reduceat(self.spaced, _gaps(places, len(self.spaced))) > 0
            if len(places)
            else self.spaced[:0]
        )
        return Glyphs(self.codes[places], self.boxes[places], self.index[places], spaced, self.unmapped)


def _gaps(places: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    """Starts of the stretches (previous kept + 1 .. kept), as ``reduceat`` wants them."""
    starts = np.empty(len(places), np.int64)
    starts[0] = 0
    starts[1:] = places[:-1] + 1
    return np.minimum(starts, n - 1)


def read_glyphs(source: PageSource, order: dict[int, int], off: frozenset[int] = frozenset()) -> Glyphs:
    """The page's characters. ``order`` is the painting place of each text object by its address; the objects ``off`` are
    in a layer that is switched off, and their characters are neither joined nor taken for a second stroke of others."""
    codes = pdfium.codes(source)
    space = _IS_SPACE[np.minimum(codes, 0xFFFF)]
    codes = _with_signs(source, codes, space)
    for mark in _HYPHEN_MARKS:
        codes[codes == mark] = 0x2D
    broken = (codes >= 9) & (codes <= 13)
    control = ((codes < 32) & ~broken) | ((codes >= 0x7F) & (codes < 0xA0))
    blank = space | control | broken
    kept, boxes = _with_dropped(source, np.flatnonzero(~blank), codes, order)
    spaced = np.zeros(len(kept), np.bool_)
    if len(kept):
        blanks = np.flatnonzero(space | broken)
        made_up = pdfium.generated(source, blanks)
        spaced[0] = True
        spaced[1:] = _holds(kept, blanks[~made_up], len(codes))
        guessed = _holds(kept, blanks[made_up], len(codes)) & ~spaced[1:]
        spaced[1:] |= guessed & parted(source, kept, codes[kept], boxes, guessed)
    private = ((codes >= 0xE000) & (codes < 0xF900)) | (codes == 0xFFFD)
    glyphs = Glyphs(codes[kept], boxes, kept.astype(np.int32), spaced, int((control | private).sum()))
    unseen = np.zeros(len(kept), np.bool_)
    if off:
        unseen = np.isin(pdfium.objects_of(source, glyphs.index), list(off))
        spaced[1:] |= unseen[1:] != unseen[:-1]
    return _repaired(_lam_before_alef(_once(source, glyphs, unseen)))


def _with_signs(
    source: PageSource, codes: npt.NDArray[np.uint32], space: BoolArray
) -> npt.NDArray[np.uint32]:
    """``codes`` with those of Symbol fonts and Wingdings as the characters that they show."""
    edge = space | (codes < 32)
    alone = np.append(True, edge[:-1]) & np.append(edge[1:], True) if len(codes) else edge
    maybe = np.flatnonzero(may_be_signs(codes, alone))
    if not len(maybe):
        return codes
    codes = codes.copy()
    codes[maybe] = shown_signs(codes[maybe], pdfium.font_names(source, maybe))
    return codes


def _holds(kept: npt.NDArray[Any], blanks: npt.NDArray[Any], n: int) -> BoolArray:
    """Whether one of ``blanks`` stands between each glyph and the next."""
    before = np.zeros(n + 1, np.int32)
    before[blanks + 1] = 1
    counts = np.cumsum(before)
    held: BoolArray = counts[kept[1:]] > counts[kept[:-1]]
    return held


def _with_dropped(
    source: PageSource, kept: npt.NDArray[np.int64], codes: npt.NDArray[np.uint32], order: dict[int, int]
) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """``kept`` and the boxes of its characters, with the letters that PDFium dropped: each has the index of the same
    letter before it."""
    boxes = pdfium.loose_boxes(source, kept)
    dropped = dropped_letters(source, kept, codes[kept], boxes, order) if len(kept) > 2 else {}
    if not dropped:
        return kept, boxes
    places = np.array(list(dropped))
    again = boxes[places]
    again[:, [0, 2]] += np.array(list(dropped.values()), np.float32)[:, None]
    return np.insert(kept, places + 1, kept[places]), np.insert(boxes, places + 1, again, axis=0)


def _repaired(glyphs: Glyphs) -> Glyphs:
    made = repaired(glyphs.text, glyphs.boxes)
    if made is None:
        return glyphs
    text, sources = made
    spaced = glyphs.spaced[sources]
    spaced[1:] &= sources[1:] != sources[:-1]
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    return Glyphs(codes, glyphs.boxes[sources], glyphs.index[sources], spaced, glyphs.unmapped)


def _lam_before_alef(glyphs: Glyphs) -> Glyphs:
    """The two letters of the lam-alef ligature in logical order: turning a line around turns them around as well."""
    turned = glyphs.tied[1:] & (glyphs.codes[1:] == _LAM) & np.isin(glyphs.codes[:-1], _ALEFS)
    if not turned.any():
        return glyphs
    places = np.flatnonzero(turned)
    codes = glyphs.codes.copy()
    codes[places], codes[places + 1] = glyphs.codes[places + 1], glyphs.codes[places]
    return replace(glyphs, codes=codes)


def _may_repeat(codes: npt.NDArray[np.uint32], x: FloatArray, y: FloatArray) -> bool:
    """Whether a character stands twice in one square of a coarse raster, which is cheap to know."""
    high = codes.astype(np.int64) << 40
    for shift in (0.0, 0.5):
        across = np.floor(x / 1.6 + shift).astype(np.int64) & 0xFFFFF
        down = np.floor(y / 1.6 + shift).astype(np.int64) & 0xFFFFF
        keys = np.sort(high | (down << 20) | across)
        if (keys[1:] == keys[:-1]).any():
            return True
    return False


def _once(source: PageSource, glyphs: Glyphs, unseen: BoolArray) -> Glyphs:
    """Without the second and third stroke of fake bold: the same character at nearly the same place. What is seen and what
    is ``unseen`` (n,) are no strokes of each other."""
    n = len(glyphs.codes)
    if n < 2:
        return glyphs
    x, y = glyphs.boxes[:, 0], glyphs.boxes[:, 3]
    height = glyphs.boxes[:, 3] - glyphs.boxes[:, 1]
    if not _may_repeat(glyphs.codes, x, y):
        return glyphs
    twin, tied = np.zeros(n, np.bool_), glyphs.tied
    for shift in (
        0.0,
        0.5,
    ):  # a second raster, so that neighbours on both sides of a raster line meet as well
        raster = (np.floor(y / 2 + shift).astype(np.int64) & 0xFFFFF) << 21
        order = np.argsort((glyphs.codes.astype(np.int64) << 41) | raster, kind="stable")
        order = order[np.lexsort((x[order], raster[order], glyphs.codes[order]))]
        a, b = order[:-1], order[1:]
        limit = np.minimum(_TWIN_SHIFT * height[b], 1.2)
        same = (
            (glyphs.codes[a] == glyphs.codes[b])
            & (unseen[a] == unseen[b])
            & (np.abs(x[a] - x[b]) <= limit)
            & (np.abs(y[a] - y[b]) <= limit)
            & (np.abs(height[a] - height[b]) <= 0.1 * height[b])
        )
        first, second = np.minimum(a[same], b[same]), np.maximum(a[same], b[same])
        ligature = tied[second] & (second == first + 1)
        if ligature.any():
            # ff as one glyph, not a letter struck twice: that would be two text objects
            place = np.flatnonzero(ligature)
            objects = [pdfium.objects_of(source, glyphs.index[part[place]]) for part in (first, second)]
            ligature[place] = objects[0] == objects[1]
        twin[second[~ligature]] = True
    if not twin.any():
        return glyphs
    return glyphs.at(np.flatnonzero(~twin))
