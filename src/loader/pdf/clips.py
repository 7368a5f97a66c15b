"""Clip paths: the part of the page that text may be painted in."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from src.loader.pdf.drawings import Form
from src.loader.pdf.pdfium import PageSource, function, shown_boxes
from src.records import FloatArray

_I, _P = ctypes.c_int, ctypes.c_void_p
_clip = function("FPDFPageObj_GetClipPath", _P, _P)
_paths = function("FPDFClipPath_CountPaths", _I, _P)
_segments = function("FPDFClipPath_CountPathSegments", _I, _P, _I)
_segment = function("FPDFClipPath_GetPathSegment", ctypes.c_size_t, _P, _I, _I)
_point = function("FPDFPathSegment_GetPoint", _I, _P, _P, _P)

_MOST_SEGMENTS = 2_000  # of one path: a finer one is taken for no clip
Edges = tuple[float, float, float, float]
_EVERYWHERE: Edges = (-np.inf, -np.inf, np.inf, np.inf)
_NOWHERE: Edges = (np.inf, np.inf, -np.inf, -np.inf)


def clip_boxes(source: PageSource, objects: Sequence[int], forms: dict[int, Form]) -> FloatArray:
    """For each of the page's ``objects``, by address, the box around the part of the page that its clip paths leave,
    float32 (n, 4), infinite where it has none, turned inside out where they leave nothing. ``forms`` are those that
    objects and other forms belong to."""
    clips = _Clips(source, forms)
    paths = list(map(_clip, objects))
    counts = list(map(_paths, paths))
    # objects share the points of a clip: the address of its last path's first point names it
    lasts = map(_segment, paths, [count - 1 for count in counts], repeat(0))
    holders = map(forms.get, objects) if forms else repeat(None)
    boxes = list(map(clips.box, paths, counts, lasts, holders))
    return np.array(boxes, np.float32).reshape(-1, 4)


@dataclass(slots=True)
class _Clips:
    source: PageSource
    forms: dict[int, Form]
    known: dict[tuple[int, int, int], Edges] = field(default_factory=dict)

    def box(self, path: int, count: int, last: int, form: Form | None) -> Edges:
        """The box of a clip of ``count`` paths of an object in ``form``."""
        if count < 1 and form is None:
            return _EVERYWHERE
        key = (count, last, form.address if form else 0)
        if key not in self.known:
            own = _box(self.source, path, count, form)
            around = self.around(form) if form else _EVERYWHERE
            self.known[key] = (
                max(own[0], around[0]), max(own[1], around[1]), min(own[2], around[2]), min(own[3], around[3]),
            )  # fmt: skip
        return self.known[key]

    def around(self, form: Form) -> Edges:
        """The box of the clip that a form is drawn in."""
        path = _clip(form.address)
        count = _paths(path)
        return self.box(path, count, _segment(path, count - 1, 0), self.forms.get(form.address))


def _box(source: PageSource, path: int, count: int, form: Form | None) -> Edges:
    """What all paths of a clip have in common, box by box."""
    x0, y0, x1, y1 = _EVERYWHERE
    for number in range(count):
        points = _points(path, number)
        if points is None:
            continue
        if not len(points):
            return _NOWHERE
        low, high = points.min(axis=0), points.max(axis=0)
        x0, y0, x1, y1 = max(x0, low[0]), max(y0, low[1]), min(x1, high[0]), min(y1, high[1])
    if not np.isfinite([x0, y0, x1, y1]).all():
        return _EVERYWHERE
    if x0 >= x1 or y0 >= y1:
        return _NOWHERE
    corners = np.array([(x0, y0), (x1, y0), (x0, y1), (x1, y1)], np.float64)
    if form is not None:
        a, b, c, d, e, f = form.matrix
        corners = np.stack([corners @ (a, c) + e, corners @ (b, d) + f], axis=1)
    around = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
    left, top, right, bottom = shown_boxes(source.matrix, around[None, :])[0].tolist()
    return left, top, right, bottom


def _points(path: int, number: int) -> FloatArray | None:
    """Points (n, 2) of one path of a clip, None when there are too many."""
    count = _segments(path, number)
    if count > _MOST_SEGMENTS:
        return None
    points = np.zeros((max(count, 0), 2), np.float32)
    start = points.ctypes.data
    for place in range(len(points)):
        _point(_segment(path, number, place), start + 8 * place, start + 8 * place + 4)
    return points
