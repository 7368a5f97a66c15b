"""Tick boxes that are drawn: a small frame beside a word, ticked when something is drawn or typed in it.

Frames are told from letters in boxes, from legends and from cells by what stands in and around them; whether one is
ticked is seen on the rendered page, for crosses and ticks are drawn in many ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from src.loader.layout import PageLayout, ReadWord, Style, Word, with_words, without_words
from src.loader.pdf.drawings import Drawings
from src.loader.pdf.hidden import render
from src.loader.pdf.pdfium import PageSource, shown_boxes
from src.records import FloatArray

TICKED, EMPTY = "\N{BALLOT BOX WITH X}", "\N{BALLOT BOX}"
_LEAST_SIDE, _MOST_SIDE = 5.0, 18.0  # points
_SQUARE = 1.2  # longer side to shorter
_MOST = 200  # on a page; more are a pattern
_NEAR = 1.5  # sides between a box and its word
_ALIKE = 0.15  # of a side: by how much boxes of one form differ
_COMB = 3.0  # points between boxes that hold a letter each
_MARKS = frozenset("xX×✓✔✗✘√\N{BALLOT SCRIPT X}")
_SCALE = 3.0  # pixels a point
_INK = 60  # of 255: difference from the paper around
_FRAMED = 0.15  # of each side, where a frame is seen; a circle touches it in the middle alone
_INNER = 0.28  # of a side: what lies further in is not the frame, not even that of a circle
_FILLED = 0.8  # a box filled with colour is a sign of a legend
_TICK_INK = 0.04  # of the inside of a box
_EMPTY_INK = 0.01


def with_tick_boxes(source: PageSource, layout: PageLayout, drawings: Drawings) -> PageLayout:
    """The layout with a sign for each tick box drawn on the page; a cross typed in one leaves for the sign."""
    boxes = _squares(source, drawings)
    if not len(boxes) or len(boxes) > _MOST:
        return layout
    words = [word for word in layout.words() if word.turn == 0]
    found = [near for box in boxes.tolist() if (near := _beside(box, words)) is not None]
    picture = render(source, _SCALE) if found else None
    if picture is None:
        return layout
    scale = np.array([picture.shape[1] / source.width, picture.shape[0] / source.height] * 2)
    seen = [
        replace(box, sign=sign, round=rounded)
        for box in found
        for sign, rounded in [_sign(picture, np.array(box.edges) * scale)]
        if sign
    ]
    kept = [box for box in seen if _is_tick_box(box, seen)]
    signs = [ReadWord(box.sign, *box.edges, box.label.size, Style.SPACED) for box in kept]
    drop = np.isin(layout.spans[:, 0], [word.start for box in kept for word in box.typed])
    return with_words(without_words(layout, drop) if drop.any() else layout, signs)


@dataclass(frozen=True, slots=True)
class _Box:
    """A frame beside a word: its edges, the word, whether that stands right of it, whether nothing stands left of it,
    the marks typed in it; and what the page shows: its sign, and whether it is a circle."""

    edges: tuple[float, float, float, float]
    label: Word
    before: bool
    first: bool
    typed: tuple[Word, ...]
    sign: str = ""
    round: bool = False


def _is_tick_box(box: _Box, others: Sequence[_Box]) -> bool:
    """Whether a frame is one of several alike, or opens its line; circles, which graphs and maps are full of, stand
    side by side or under each other, and not all are filled."""
    side = box.edges[2] - box.edges[0]
    alike = [
        other
        for other in others
        if other is not box
        and other.round == box.round
        and abs(other.edges[2] - other.edges[0] - side) < _ALIKE * side
    ]
    if not box.round:
        return bool(alike) or (box.before and box.first)
    lined = any(abs(other.edges[edge] - box.edges[edge]) < 2 for other in alike for edge in (0, 1))
    return box.before and lined and any(other.sign == EMPTY for other in (box, *alike))


def _squares(source: PageSource, drawings: Drawings) -> FloatArray:
    """Small squares and circles among what is drawn, each once, that do not stand side by side as combs and cells do."""
    if not drawings.drawn:
        return np.empty((0, 4), np.float32)
    boxes = shown_boxes(source.matrix, np.array(drawings.drawn, np.float64))
    sides = boxes[:, 2:] - boxes[:, :2]
    short, long = sides.min(axis=1), sides.max(axis=1)
    boxes = boxes[(short >= _LEAST_SIDE) & (long <= _MOST_SIDE) & (long <= _SQUARE * short)]
    kept: list[list[float]] = []
    for box in boxes.tolist()[: 4 * _MOST]:
        middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        holder = next((k for k in kept if k[0] <= middle[0] <= k[2] and k[1] <= middle[1] <= k[3]), None)
        if holder is None:
            kept.append(box)
        elif box[2] - box[0] > holder[2] - holder[0]:
            kept[kept.index(holder)] = box
    alone = [box for box in kept if not any(_touch(box, other) for other in kept if other is not box)]
    return np.array(alone, np.float32).reshape(-1, 4)


def _touch(box: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two boxes stand side by side; one under the other they are rows of a form."""
    across = max(box[0], other[0]) - min(box[2], other[2])
    down = min(box[3], other[3]) - max(box[1], other[1])
    return across < _COMB and down > 0.5 * (box[3] - box[1])


def _beside(box: Sequence[float], words: Sequence[Word]) -> _Box | None:
    """A frame with the word beside it; None when it has none, or holds other text than a mark."""
    x0, y0, x1, y1 = box
    side, middle = x1 - x0, (y0 + y1) / 2
    level = [word for word in words if word.y0 < middle < word.y1 and word.size > 0.4 * side]
    inside = [
        word for word in words if x0 < (word.x0 + word.x1) / 2 < x1 and y0 < (word.y0 + word.y1) / 2 < y1
    ]
    if any(word.text not in _MARKS for word in inside) or len(inside) > 1:
        return None
    level = [word for word in level if word not in inside and any(map(str.isalpha, word.text))]
    after = [word for word in level if -1 < word.x0 - x1 < _NEAR * side]
    left = [word for word in level if -1 < x0 - word.x1 < _NEAR * side]
    if not after and not left:
        return None
    first = not any(-3 * side < word.x1 - x0 < 1 for word in level)
    return _Box((x0, y0, x1, y1), [*after, *left][0], bool(after), first, tuple(inside))


def _sign(picture: npt.NDArray[np.uint8], box: npt.NDArray[np.float64]) -> tuple[str, bool]:
    """What a box of the picture shows, in pixels, "" when it is no frame on plain paper; and whether it is a circle."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    rim = max(2.0, 0.12 * width)
    around = picture[_span(y0 - rim, y1 + rim), _span(x0 - rim, x1 + rim)].astype(np.int32)
    if min(around.shape[:2]) < 8:
        return "", False
    paper = np.percentile(around.reshape(-1, 3), 90, axis=0)
    dark = np.abs(around - paper).max(axis=2) > _INK
    edge = round(rim + 0.25 * min(width, height))  # the bounds of a stroke reach beyond it
    sides = (
        dark[:edge].any(axis=0),
        dark[-edge:].any(axis=0),
        dark[:, :edge].any(axis=1),
        dark[:, -edge:].any(axis=1),
    )
    if min(side.mean() for side in sides) < _FRAMED:
        return "", False
    inner, held = (_inside(dark, rim + part * min(width, height)) for part in (_INNER, 0.1))
    if not inner.size or held.mean() > _FILLED:
        return "", False
    share = float(inner.mean())
    corner = round(rim + 0.15 * min(width, height))
    rounded = sum(dark[a, b].any() for a in _ends(corner) for b in _ends(corner)) < 3
    return TICKED if share > _TICK_INK else EMPTY if share < _EMPTY_INK else "", rounded


def _ends(length: int) -> tuple[slice, slice]:
    return slice(None, length), slice(-length, None)


def _inside(dark: npt.NDArray[np.bool_], margin: float) -> npt.NDArray[np.bool_]:
    part = slice(round(margin), -round(margin))
    return dark[part, part]


def _span(start: float, end: float) -> slice:
    return slice(max(0, round(start)), max(0, round(end)))
