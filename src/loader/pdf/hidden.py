"""Which words of a page a reader cannot see, and which are struck out.

Cheap signs name suspects: invisible mode, no opacity, a light colour, a box painted over the word, a clip path that
leaves little of it, layers that may be switched off, text painted in the colour of the box beneath. Where these signs do
not settle it the page is rendered and the word's place is looked at: a place of one colour shows nothing.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw

from src.loader.layout import Style
from src.loader.pdf.clips import clip_boxes
from src.loader.pdf.drawings import Drawings
from src.loader.pdf.pdfium import PageSource, Runs
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

NO_INK = 3, 7  # PDF's rendering modes: invisible, and for clipping alone
_LIGHT = 200  # of 255: lighter text needs something dark behind it
_DARK = (
    110  # of 255: a box that blacks words out; lighter ones wipe them away, often for others in their place
)
_TINY_POINTS = 1.5
_CONTRAST = 24  # of 255, the least difference inside a word's place that an eye sees
SCALE = 1.6  # pixels a point
_LEAST_UNDER = 0.5  # of a word's place: a box that covers less of it hides no word
_EDGE = 1 / SCALE  # points of a box at its edges that share a pixel with what is beside it
_MAX_PIXELS = 6_000_000
_MAX_RULES = 600
_THICKEST = 0.24  # font sizes: PDFium's bounds of a stroke are twice its width


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Words to be judged: ``boxes`` (w, 4), ``baselines`` (w,), and how each is set."""

    boxes: FloatArray
    baselines: FloatArray
    runs: Runs


def unseen_styles(
    source: PageSource, words: Setting, drawings: Drawings, layered: bool, off: frozenset[int]
) -> IntArray:
    """For each word HIDDEN, OCR_LAYER (invisible over a picture), STRUCK, UNDERLINED, or nothing. ``layered`` says that the file
    has layers that can be switched off, ``off`` names the text objects that are known to be."""
    colours = words.runs.colours
    modes = words.runs.modes
    invisible = np.isin(modes, NO_INK) | (colours[:, 3] < 8)
    hidden = _outside(source, words.boxes) | _tiny(words)
    if off:
        hidden |= np.isin(words.runs.objects, list(off))
    cut, partly = _clipped(source, words, drawings)
    hidden |= cut
    light = colours[:, :3].min(axis=1) >= _LIGHT
    framed = _framed(words, drawings, light)
    covers = _covers(words, drawings, colours)
    suspects = ~hidden & (invisible | (light & ~framed) | covers.covered | covers.toned | partly | layered)
    blackened = np.zeros(len(hidden), np.bool_)
    if suspects.any():
        blank = suspects & blank_places(source, covers.places, suspects)
        blackened = blank & covers.blackened
        hidden |= blank & ~blackened
    over: BoolArray = _inside_any(words.boxes, drawings.images) | drawings.shaded
    styles = np.where(hidden | (invisible & ~over), Style.HIDDEN, 0)
    styles |= np.where(invisible & over & ~hidden, Style.OCR_LAYER, 0)
    styles |= np.where(blackened, Style.STRUCK, 0)  # its line goes on behind the box, as behind struck words
    return styles.astype(np.int32) | _ruled(words, drawings.rules)


def _outside(source: PageSource, boxes: FloatArray) -> BoolArray:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    outside: BoolArray = (x < 0) | (y < 0) | (x > source.width) | (y > source.height)
    return outside


def _clipped(source: PageSource, words: Setting, drawings: Drawings) -> tuple[BoolArray, BoolArray]:
    """Words that lie outside what their clip path leaves of the page, and words of which most does."""
    objects, places = np.unique(words.runs.objects, return_inverse=True)
    left, top, right, bottom = clip_boxes(source, objects.tolist(), drawings.forms)[places].T
    x0, y0, x1, y1 = words.boxes.T
    slack = 0.1 * (y1 - y0)
    across = np.minimum(x1, right) - np.maximum(x0, left)
    down = np.minimum(y1, bottom) - np.maximum(y0, top)
    cut: BoolArray = (across < -slack) | (down < -slack)
    partly: BoolArray = (across < 0.5 * (x1 - x0)) | (down < 0.5 * (y1 - y0))
    return cut, partly & ~cut


def _tiny(words: Setting) -> BoolArray:
    """Too small to be read; Type 3 fonts may say size 1 and still be large, so the box must agree."""
    upright = words.runs.turns % 180 == 90
    height = np.where(upright, words.boxes[:, 2] - words.boxes[:, 0], words.boxes[:, 3] - words.boxes[:, 1])
    tiny: BoolArray = (words.runs.sizes < _TINY_POINTS) & (height < 1.6 * _TINY_POINTS)
    return tiny


def _inside_any(boxes: FloatArray, areas: FloatArray) -> BoolArray:
    """Whether the middle of each box lies in one of ``areas``."""
    if not len(areas):
        return np.zeros(len(boxes), np.bool_)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside: BoolArray = np.any(
        (x[:, None] > areas[:, 0])
        & (x[:, None] < areas[:, 2])
        & (y[:, None] > areas[:, 1])
        & (y[:, None] < areas[:, 3]),
        axis=1,
    )
    return inside


def _framed(words: Setting, drawings: Drawings, light: BoolArray) -> BoolArray:
    """Light words with a dark box right behind them: a banner, a table head."""
    if not light.any() or not len(drawings.fills):
        return np.zeros(len(light), np.bool_)
    dark = (drawings.fill_colours[:, :3].mean(axis=1) < 140) & (drawings.fill_colours[:, 3] > 200)
    pale = ~dark
    framed = _inside_any(words.boxes, drawings.fills[dark])
    # a pale box inside the dark one leaves the matter open
    return framed & ~_inside_any(words.boxes, _smaller(drawings.fills[pale], words))


def _smaller(areas: FloatArray, words: Setting) -> FloatArray:
    """Pale areas that are not the page's own background."""
    if not len(areas):
        return areas
    extent = words.boxes[:, 2].max() - words.boxes[:, 0].min()
    small: FloatArray = areas[(areas[:, 2] - areas[:, 0]) < 1.1 * extent]
    return small


class _Covers(NamedTuple):
    """Words (w,) under a box or picture painted later, those under a dark box, words in the colour of a box painted
    before, and where to look for each word (w, 4): a box over it may end where its letters do, and then only what lies
    under it counts."""

    covered: BoolArray
    blackened: BoolArray
    toned: BoolArray
    places: FloatArray


def _covers(words: Setting, drawings: Drawings, colours: IntArray) -> _Covers:
    """What lies over the words, and behind them."""
    none = np.zeros(len(words.boxes), np.bool_)
    found = _Covers(none, none.copy(), none.copy(), words.boxes.copy())
    if not drawings.order or (not len(drawings.fills) and not len(drawings.images)):
        return found
    own = np.array([drawings.order.get(address, 0) for address in words.runs.objects.tolist()])
    x, y = (words.boxes[:, 0] + words.boxes[:, 2]) / 2, (words.boxes[:, 1] + words.boxes[:, 3]) / 2
    solid = drawings.fill_colours[:, 3] > 200 if len(drawings.fills) else np.zeros(0, np.bool_)
    for areas, order, is_fill in (
        (drawings.fills[solid], drawings.fill_order[solid], True),
        (drawings.images, drawings.image_order, False),
    ):
        if not len(areas):
            continue
        word, area = np.nonzero(
            (x[:, None] > areas[:, 0])
            & (x[:, None] < areas[:, 2])
            & (y[:, None] > areas[:, 1])
            & (y[:, None] < areas[:, 3])
        )
        later = order[area] > own[word]
        over = later & (own[word] > 0)
        found.covered[word[over]] = True
        found.places[word[over]] = _under(words.boxes[word[over]], areas[area[over]])
        if is_fill:
            fill = drawings.fill_colours[solid][area, :3]
            near = np.abs(colours[word, :3] - fill).max(axis=1, initial=0) < 40
            found.toned[word[near & ~later]] = True
            found.blackened[word[over & (fill.max(axis=1, initial=0) < _DARK)]] = True
    return found


def _under(boxes: FloatArray, areas: FloatArray) -> FloatArray:
    """What of each of ``boxes`` (n, 4) lies in the area beside it, the whole box where that is little."""
    inner = np.concatenate(
        [np.maximum(boxes[:, :2], areas[:, :2] + _EDGE), np.minimum(boxes[:, 2:], areas[:, 2:] - _EDGE)],
        axis=1,
    )
    share = np.prod(inner[:, 2:] - inner[:, :2], axis=1) / np.maximum(
        np.prod(boxes[:, 2:] - boxes[:, :2], axis=1), 1e-6
    )
    under: FloatArray = np.where((share > _LEAST_UNDER)[:, None], inner, boxes)
    return under


def _ruled(words: Setting, rules: FloatArray) -> IntArray:
    """STRUCK for words with a line through their middle, UNDERLINED for words over a line, where the line begins and
    ends with words (a grid of a chart or a table does neither)."""
    styles = np.zeros(len(words.boxes), np.int32)
    level = (rules[:, 2] - rules[:, 0]) > 4 * np.maximum(rules[:, 3] - rules[:, 1], 0.1)
    rules = rules[level][:_MAX_RULES]
    upright = words.runs.turns == 0
    if not len(rules) or not upright.any():
        return styles
    word, rule = _near_rules(words, rules)
    lines, boxes, size = rules[rule], words.boxes[word], words.runs.sizes[word]
    above = words.baselines[word] - (lines[:, 1] + lines[:, 3]) / 2
    shared = np.minimum(boxes[:, 2], lines[:, 2]) - np.maximum(boxes[:, 0], lines[:, 0])
    beside = (
        (lines[:, 3] - lines[:, 1] < _THICKEST * size)
        & (shared > 0.6 * (boxes[:, 2] - boxes[:, 0]))
        & upright[word]
    )
    for style, lower, upper in ((Style.STRUCK, 0.13, 0.5), (Style.UNDERLINED, -0.4, 0.02)):
        crossed = beside & (above > lower * size) & (above < upper * size)
        for place in np.unique(rule[crossed]).tolist():
            on = word[crossed & (rule == place)]
            x0, x1 = words.boxes[on, 0].min(), words.boxes[on, 2].max()
            slack = 0.6 * float(words.runs.sizes[on].max())
            if rules[place, 0] > x0 - slack and rules[place, 2] < x1 + slack:
                styles[on] |= style
    return styles


def _near_rules(words: Setting, rules: FloatArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Pairs of a word and a level line that is at most half its largest font size away from its baseline."""
    order = np.argsort(words.baselines)
    baselines = words.baselines[order]
    middle = (rules[:, 1] + rules[:, 3]) / 2
    reach = 0.5 * float(words.runs.sizes.max()) + 0.1
    first = np.searchsorted(baselines, middle - reach)
    counts = np.searchsorted(baselines, middle + reach) - first
    rule = np.repeat(np.arange(len(rules)), counts)
    steps = np.arange(len(rule)) - np.repeat(np.cumsum(counts) - counts, counts)
    return order[np.repeat(first, counts) + steps], rule


def blank_places(
    source: PageSource, boxes: FloatArray, suspects: BoolArray, *, annotated: bool = False
) -> BoolArray:
    """Suspects in whose place the rendered page, with its annotations when ``annotated``, has one colour only."""
    blank = np.zeros(len(boxes), np.bool_)
    picture = render(source, SCALE, annotated=annotated)
    if picture is None:
        return blank
    height, width, _ = picture.shape
    across, down = width / source.width, height / source.height
    for place in np.flatnonzero(suspects).tolist():
        x0, y0, x1, y1 = boxes[place].tolist()
        left, top = max(0, int(x0 * across)), max(0, int(y0 * down))
        right, bottom = min(width, int(x1 * across) + 1), min(height, int(y1 * down) + 1)
        patch = picture[top:bottom, left:right].reshape(-1, 3).astype(np.int32)
        if len(patch) >= 4:
            low, high = np.percentile(patch, 2, axis=0), np.percentile(patch, 98, axis=0)
            blank[place] = float((high - low).max()) < _CONTRAST
        else:
            blank[place] = True
    return blank


def render(source: PageSource, scale: float, *, annotated: bool = False) -> npt.NDArray[np.uint8] | None:
    """The page on white at ``scale`` pixels a point, uint8 (height, width, 3: blue, green, red)."""
    area = max(source.width * source.height, 1.0)
    scale = min(scale, (_MAX_PIXELS / area) ** 0.5)
    width, height = round(source.width * scale), round(source.height * scale)
    if width < 1 or height < 1:
        return None
    buffer = np.full((height, width, 4), 255, np.uint8)
    bitmap = raw.FPDFBitmap_CreateEx(
        width, height, raw.FPDFBitmap_BGRx, ctypes.c_void_p(buffer.ctypes.data), width * 4
    )
    if not bitmap:
        return None
    raw.FPDF_RenderPageBitmap(bitmap, source.page, 0, 0, width, height, 0, raw.FPDF_ANNOT if annotated else 0)
    raw.FPDFBitmap_Destroy(bitmap)
    return buffer[:, :, :3]
