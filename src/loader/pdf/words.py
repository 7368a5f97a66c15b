"""Characters of a page to words, by the gaps between them.

PDFium marks words by rules of its own; these follow ``x_tolerance``: a space, a gap wider than the tolerance (meant
for 10 point text, scaled with the size), a step back or to another line ends a word.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from src.loader.layout import LINE_HEIGHT, PageLayout, Style, reading_frame, turned_point
from src.loader.pdf import pdfium
from src.loader.pdf.directions import read_downwards, settled_turns
from src.loader.pdf.drawings import Drawings, read_drawings
from src.loader.pdf.garbled import GARBLED, garbled
from src.loader.pdf.glyphs import Glyphs, read_glyphs
from src.loader.pdf.hidden import Setting, unseen_styles
from src.loader.pdf.initials import find_initials
from src.loader.pdf.layers import switched_off
from src.loader.pdf.pdfium import PageSource, Runs
from src.loader.pdf.raised import Words, find_raised, has_raised
from src.loader.pdf.spacing import word_breaks
from src.loader.pdf.tickboxes import with_tick_boxes
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

_FIRST_DOWNWARDS = 0x1100  # scripts behind it are set downwards as a matter of course
_RTL = ((0x0590, 0x08FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF))


def read_layout(source: PageSource, x_tolerance: float, *, layered: bool = False) -> PageLayout:
    """The page's words and drawings as a layout. ``layered`` says that layers of the file may be switched off."""
    drawings = read_drawings(source)
    off = switched_off(source, drawings) if layered else frozenset[int]()
    glyphs = read_glyphs(source, drawings.order, off)
    empty = PageLayout(
        source.number,
        source.width,
        source.height,
        rules=drawings.rules,
        fills=drawings.fills,
        images=drawings.pictures(source, curves=not len(glyphs.codes)),
        garbled=garbled(glyphs) or _unmapped(source, glyphs, drawings),
    )
    if not len(glyphs.codes):
        return empty
    starts, runs = _words(source, glyphs, x_tolerance)
    layout = _layout(source, glyphs, starts, runs, drawings, empty, layered, off)
    return with_tick_boxes(source, layout, drawings)


def _unmapped(source: PageSource, glyphs: Glyphs, drawings: Drawings) -> str:
    """One sentence when the page has text of which not one character is known; "" for text of mere spaces."""
    none = not len(glyphs.codes) and bool(drawings.order) and (bool(glyphs.unmapped) or not source.count)
    return GARBLED if none else ""


def _words(source: PageSource, glyphs: Glyphs, x_tolerance: float) -> tuple[IntArray, Runs]:
    """First glyph of each word, and how it is set."""
    height, tied = glyphs.boxes[:, 3] - glyphs.boxes[:, 1], glyphs.tied
    rough = word_breaks(glyphs.boxes, glyphs.spaced, tied, height, x_tolerance)
    starts = np.flatnonzero(rough).astype(np.int32)
    segment = np.cumsum(rough) - 1
    runs = pdfium.runs(source, glyphs.index[starts])
    sizes = _true_sizes(runs, height, starts)
    tight = sizes != runs.sizes
    runs = replace(runs, sizes=sizes, turns=settled_turns(runs.turns, np.bincount(segment).astype(np.int32)))
    # the height of a box is the font's own idea of its height: measure gaps against the size it is set in
    ratio = np.clip(runs.sizes / np.maximum(height[starts], 0.1), 0.2, 2)
    turned = runs.turns[segment]
    turned[read_downwards(source, glyphs, runs.sizes[segment], turned)] = 90
    scale = np.where((turned == 0) & ~tight[segment], height * ratio[segment], runs.sizes[segment])
    if not turned.any():
        final = word_breaks(glyphs.boxes, glyphs.spaced, tied, scale, x_tolerance)
    else:
        final = np.zeros(len(glyphs.codes), np.bool_)
        for turn in np.unique(turned).tolist():
            chosen = turned == turn
            boxes = reading_frame(glyphs.boxes[chosen], turn, LINE_HEIGHT * runs.sizes[segment][chosen])
            final[chosen] = word_breaks(
                boxes, glyphs.spaced[chosen], tied[chosen], scale[chosen], x_tolerance
            )
        final[1:] |= turned[1:] != turned[:-1]
        final[0] = True
    first = np.flatnonzero(final).astype(np.int32)
    if np.array_equal(first, starts):
        return starts, replace(runs, turns=turned[starts])
    fresh = np.setdiff1d(first, starts, assume_unique=True)
    known = runs.joined(pdfium.runs(source, glyphs.index[fresh]))
    order = np.argsort(np.concatenate([starts, fresh]), kind="stable")
    places = order[np.searchsorted(np.sort(np.concatenate([starts, fresh])), first)]
    return first, replace(known.at(places), sizes=runs.sizes[segment][first], turns=turned[first])


def _true_sizes(runs: Runs, height: FloatArray, starts: IntArray) -> FloatArray:
    """Font sizes, where the font says nothing of use taken from the height of its tall characters.

    A Type 3 font scales in its own matrix: its size may be 0.1, and the boxes of its characters hold the ink alone.
    """
    useless = (runs.sizes < 0.45 * height[starts]) & (runs.turns % 180 == 0)
    if not useless.any():
        return runs.sizes
    sizes = runs.sizes.copy()
    for said in np.unique(np.round(runs.sizes[useless], 3)):
        group = useless & (np.round(runs.sizes, 3) == said)
        sizes[group] = 1.2 * np.percentile(height[starts[group]], 90)
    return sizes


def _layout(
    source: PageSource,
    glyphs: Glyphs,
    starts: IntArray,
    runs: Runs,
    drawings: Drawings,
    empty: PageLayout,
    layered: bool,
    off: frozenset[int],
) -> PageLayout:
    baselines = _baselines(source, glyphs, starts, runs)
    kept = np.flatnonzero(_not_small_capitals(glyphs, starts, baselines, runs))
    starts, baselines, runs = starts[kept], baselines[kept], runs.at(kept)
    sizes, turns = runs.sizes, runs.turns
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
    styles = runs.styles | np.where(glyphs.spaced[starts], Style.SPACED, 0).astype(np.int32)
    styles |= np.where(_set_wide(glyphs, starts, ends, sizes), Style.WIDE, 0).astype(np.int32)
    styles |= np.where(_right_to_left(glyphs, starts), Style.RTL, 0).astype(np.int32)
    styles |= unseen_styles(source, Setting(boxes, baselines, runs), drawings, layered, off)
    text = glyphs.text
    spans = np.stack([starts, ends], axis=1).astype(np.int32)
    text = _with_raised(text, spans, boxes, sizes, baselines, styles, turns)
    return PageLayout(
        source.number,
        source.width,
        source.height,
        glyphs=text,
        boxes=glyphs.boxes,
        spans=spans,
        places=np.column_stack([boxes, sizes, baselines]).astype(np.float32),
        styles=styles,
        turns=turns.astype(np.int32),
        rules=empty.rules,
        fills=empty.fills,
        images=empty.images,
        garbled=empty.garbled,
    )


def _baselines(source: PageSource, glyphs: Glyphs, starts: IntArray, runs: Runs) -> FloatArray:
    """Baseline of each word. Level text stands where its object's matrix says, so that its characters need not be
    asked one by one; those of an object that is set downwards stand below that height, and are asked."""
    baselines = pdfium.level_baselines(source, runs)
    _, top, _, bottom = glyphs.boxes[starts].T
    share = (baselines - top) / np.maximum(bottom - top, 0.1)
    level = (
        (runs.turns % 180 == 0) & (share > 0.3) & (share < 1.3) & (glyphs.codes[starts] < _FIRST_DOWNWARDS)
    )
    asked = np.flatnonzero(~level)  # no height is no share
    if not len(asked):
        return baselines
    turns, origins = runs.turns[asked], pdfium.origins(source, glyphs.index[starts[asked]])
    found = np.where(turns % 180 == 90, origins[:, 0], origins[:, 1]).astype(np.float32)
    for turn in np.unique(turns[turns % 90 > 0]).tolist():
        tilted = turns == turn
        found[tilted] = turned_point(origins[tilted, 0], origins[tilted, 1], turn)[1]
    baselines[asked] = found
    return baselines


def _set_wide(glyphs: Glyphs, starts: IntArray, ends: IntArray, sizes: FloatArray) -> BoolArray:
    """Words whose letters stand apart; a single letter between such words counts as one."""
    inner = np.zeros(len(glyphs.codes), np.float32)
    inner[1:] = glyphs.boxes[1:, 0] - glyphs.boxes[:-1, 2]
    inner[starts] = 0
    mean = np.add.reduceat(inner, starts) / np.maximum(ends - starts - 1, 1)
    wide = mean > 0.2 * sizes
    single = (ends - starts) == 1
    beside = np.zeros(len(starts), np.bool_)
    beside[1:] |= wide[:-1]
    beside[:-1] |= wide[1:]
    chosen: BoolArray = wide | (single & beside)
    return chosen


def _not_small_capitals(glyphs: Glyphs, starts: IntArray, baselines: FloatArray, runs: Runs) -> BoolArray:
    """Words that are more than the smaller capitals of the word before: those go on with it on one baseline."""
    sizes, turns = runs.sizes, runs.turns
    kept = np.ones(len(starts), np.bool_)
    if len(starts) < 2:
        return kept
    gap = glyphs.boxes[starts[1:], 0] - glyphs.boxes[starts[1:] - 1, 2]
    pair = np.maximum(sizes[1:], sizes[:-1])
    ratio = np.minimum(sizes[1:], sizes[:-1]) / np.maximum(pair, 0.1)
    kept[1:] = (
        glyphs.spaced[starts[1:]]
        | (turns[1:] != 0)
        | (turns[:-1] != 0)
        | (np.abs(baselines[1:] - baselines[:-1]) > 0.04 * pair)
        | (np.abs(gap) > 0.1 * pair)
        | (ratio < 0.5)
    )
    return kept


def _with_raised(
    text: str,
    spans: IntArray,
    boxes: FloatArray,
    sizes: FloatArray,
    baselines: FloatArray,
    styles: IntArray,
    turns: IntArray,
) -> str:
    """``text`` with superscripts rewritten; ``baselines`` and ``styles`` of raised words and what a drop capital has of
    its own (``sizes`` too) are changed in place."""
    upright = np.flatnonzero(turns == 0)
    if len(upright) < 2 or not has_raised(sizes[upright]):
        return text
    texts = [text[start:end] for start, end in spans[upright].tolist()]
    spaced = (styles[upright] & Style.SPACED) > 0
    words = Words(texts, boxes[upright], sizes[upright], baselines[upright], spaced)
    for initial in find_initials(words):
        place, first = upright[initial.place], upright[initial.first]
        sizes[place], baselines[place] = sizes[first], baselines[first]
        styles[first] |= Style.GLUED if initial.joined else 0
        words.sizes[initial.place], words.baselines[initial.place] = sizes[first], baselines[first]
    found = find_raised(words)
    if not found:
        return text
    characters = list(text)
    for raised in found:
        place = int(upright[raised.place])
        start, end = spans[place].tolist()
        if len(raised.text) == end - start:
            characters[start:end] = raised.text
        styles[place] |= raised.style
        baselines[place] = raised.baseline
    return "".join(characters)


def _right_to_left(glyphs: Glyphs, starts: IntArray) -> BoolArray:
    """Words with letters of a right-to-left script."""
    if glyphs.codes.max() < _RTL[0][0]:
        return np.zeros(len(starts), np.bool_)
    letters = np.zeros(len(glyphs.codes), np.int32)
    for first, last in _RTL:
        letters |= (glyphs.codes >= first) & (glyphs.codes <= last)
    digits = ((glyphs.codes >= 0x0660) & (glyphs.codes <= 0x0669)) | (
        (glyphs.codes >= 0x06F0) & (glyphs.codes <= 0x06F9)
    )
    letters[digits] = 0
    rtl: BoolArray = np.maximum.reduceat(letters, starts) > 0
    return rtl
