"""Letters that PDFium drops: the second of two that overlap, which it takes for a second stroke of fake bold.

In an italic face the boxes of "ff" overlap by more than half. Where each letter is a text object of its own, PDFium
leaves the second one out ("Of icer", "suf er").
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import numpy as np
import numpy.typing as npt

from src.loader.pdf import pdfium
from src.loader.pdf.drawings import object_boxes
from src.loader.pdf.pdfium import PageSource
from src.records import FloatArray

_OVERLAP = 0.08  # of the height: how far such a letter reaches into the one before it
_LEAST_SHIFT, _MOST_SHIFT = 0.15, 0.7  # of the height, from the first letter to the second
_LOOKED_AT = 4  # objects behind the first letter: each may be painted twice
_ALIKE = 0.05  # of the box: by how much the two boxes may differ


def dropped_letters(
    source: PageSource,
    index: npt.NDArray[np.integer],
    codes: npt.NDArray[np.uint32],
    boxes: FloatArray,
    order: dict[int, int],
) -> dict[int, float]:
    """Places in ``index`` (n,), characters of PDFium's text page, behind which the same letter was dropped, and how far
    to the right it stands, in points. ``codes`` and ``boxes`` are theirs, ``order`` the painting places of all text
    objects."""
    height = np.maximum(boxes[:, 3] - boxes[:, 1], 0.1)
    gap = boxes[1:, 0] - boxes[:-1, 2]
    level = np.abs(boxes[1:, 3] - boxes[:-1, 3]) < 0.3 * height[1:]
    before = (gap < -_OVERLAP * height[1:]) & level
    behind = np.append((gap > -_OVERLAP * height[1:]) | ~level, True)[1:]
    letters = [chr(code).isalpha() for code in codes[1:][before & behind].tolist()]
    places = np.flatnonzero(before & behind)[np.array(letters, np.bool_)] + 1
    if not len(places):
        return {}
    beside = (places - 1, places, np.minimum(places + 1, len(index) - 1))
    objects = [pdfium.objects_of(source, index[places]).tolist() for places in beside]
    painted, addresses = list(order.values()), list(order)  # in painting order
    found = {}
    for place, previous, own, following in zip(places.tolist(), *objects, strict=True):
        start = order.get(own, 0)
        end = order.get(following, 0) if following != own else start + _LOOKED_AT
        last = min(end, start + _LOOKED_AT)
        between = addresses[bisect_right(painted, start) : bisect_left(painted, last)]
        if previous == own or own not in order or not between:
            continue
        first, *others = object_boxes([own, *between])
        size = (boxes[place, 2] - boxes[place, 0], height[place])
        shifts = (_shift(np.array(first), np.array(other), size) for other in others if first and other)
        if shift := next((shift for shift in shifts if shift), 0.0):
            found[place] = shift
    return found


def _shift(first: FloatArray, second: FloatArray, size: tuple[float, float]) -> float:
    """How far the box ``second`` stands to the right of ``first`` when it is the same letter again, else 0. ``size`` is
    width and height of the letter on the page, which the boxes may be scaled against."""
    sides, others = first[2:] - first[:2], second[2:] - second[:2]
    if sides.min() <= 0 or np.abs(sides - others).max() > _ALIKE * sides.max():
        return 0.0
    if abs(second[1] - first[1]) > _ALIKE * sides[1] or not 0.8 < sides[0] / size[0] < 1.25:
        return 0.0
    shift = float(second[0] - first[0])
    return shift if _LEAST_SHIFT * size[1] < shift < _MOST_SHIFT * size[1] else 0.0
