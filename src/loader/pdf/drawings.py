"""What is drawn on a page beside text: lines, filled boxes and pictures, in painting order."""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw

from src.loader.pdf.pdfium import PageSource, function, shown_boxes
from src.records import FloatArray

_I, _P = ctypes.c_int, ctypes.c_void_p
_count = function("FPDFPage_CountObjects", _I, _P)
_object = function("FPDFPage_GetObject", _P, _P, _I)
_type = function("FPDFPageObj_GetType", _I, _P)
_bounds = function("FPDFPageObj_GetBounds", _I, _P, _P, _P, _P, _P)
_matrix = function("FPDFPageObj_GetMatrix", _I, _P, _P)
_fill = function("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
_draw_mode = function("FPDFPath_GetDrawMode", _I, _P, _P, _P)
_segments = function("FPDFPath_CountSegments", _I, _P)
_segment = function("FPDFPath_GetPathSegment", _P, _P, _I)
_point = function("FPDFPathSegment_GetPoint", _I, _P, _P, _P)
_segment_type = function("FPDFPathSegment_GetType", _I, _P)
_segment_close = function("FPDFPathSegment_GetClose", _I, _P)
_form_count = function("FPDFFormObj_CountObjects", _I, _P)
_form_object = function("FPDFFormObj_GetObject", _P, _P, ctypes.c_ulong)

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5  # FPDF_PAGEOBJ_...
_MAX_OBJECTS = 60_000
_MAX_PATHS = 4_000
_MAX_SEGMENTS = 400
_MAX_BOX_SEGMENTS = 24
_BOX_SEGMENTS = (4, 5)
_MAX_DEPTH = 4
_MANY_PATHS = 12  # letters turned into curves; a rule or a frame is no drawing
_LEAST_SIDE = 4.0  # points
THIN = 2.5  # points: a box no thicker is a line
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
Matrix = tuple[float, float, float, float, float, float]
BoxEdges = tuple[float, float, float, float]


class Form(NamedTuple):
    """The form XObject that holds an object: its address, and the matrix from the form's space to user space."""

    address: int
    matrix: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Drawings:
    """``rules`` (r, 4) thin lines and boxes; ``fills`` (f, 4) filled boxes, with ``fill_colours`` (f, 4: r, g, b,
    alpha) and ``fill_order`` (f,); ``images`` (i, 4) with ``image_order``; ``shaded`` whether there are shadings;
    ``order`` the painting place of each text object by its address, ``forms`` the form that it belongs to, if any;
    ``drawn`` the boxes of all paths, in user space."""

    rules: FloatArray
    fills: FloatArray
    fill_colours: npt.NDArray[np.int32]
    fill_order: npt.NDArray[np.int32]
    images: FloatArray
    image_order: npt.NDArray[np.int32]
    shaded: bool
    order: dict[int, int]
    forms: dict[int, Form]
    drawn: list[BoxEdges]

    def pictures(self, source: PageSource, *, curves: bool) -> FloatArray:
        """Boxes of pictures cut to the page, float32 (n, 4). With ``curves`` (a page without characters) the box of
        everything drawn counts as one: a program may have turned the text into curves."""
        boxes = self.images
        if curves and len(self.drawn) >= _MANY_PATHS:
            drawn = _shown(source, self.drawn)
            around = np.concatenate([drawn[:, :2].min(axis=0), drawn[:, 2:].max(axis=0)])
            boxes = np.concatenate([boxes, around[None, :]])
        shown = np.clip(boxes, 0, [source.width, source.height] * 2).astype(np.float32)
        sides = np.minimum(shown[:, 2] - shown[:, 0], shown[:, 3] - shown[:, 1])
        kept: FloatArray = shown[np.isfinite(shown).all(axis=1) & (sides >= _LEAST_SIDE)]
        return kept


@dataclass(slots=True)
class _Collector:
    drawn: list[BoxEdges] = field(default_factory=list)
    lines: list[BoxEdges] = field(default_factory=list)
    fills: list[BoxEdges] = field(default_factory=list)
    colours: list[tuple[int, int, int, int]] = field(default_factory=list)
    fill_order: list[int] = field(default_factory=list)
    images: list[BoxEdges] = field(default_factory=list)
    image_order: list[int] = field(default_factory=list)
    shaded: bool = False
    order: dict[int, int] = field(default_factory=dict)
    forms: dict[int, Form] = field(default_factory=dict)
    paths: int = 0
    place: int = 0


def read_drawings(source: PageSource) -> Drawings:
    """The drawings of a page. A page of more paths than ``_MAX_PATHS`` is a picture: only its first ones count."""
    found = _Collector()
    handle = ctypes.cast(source.page, _P).value
    addresses = list(map(_object, repeat(handle), range(min(_count(handle), _MAX_OBJECTS))))
    _collect(addresses, found, _IDENTITY, 0)
    rules = _shown(source, found.lines)
    return Drawings(
        rules,
        _shown(source, found.fills),
        np.array(found.colours, np.int32).reshape(-1, 4),
        np.array(found.fill_order, np.int32),
        _shown(source, found.images),
        np.array(found.image_order, np.int32),
        found.shaded,
        found.order,
        found.forms,
        found.drawn,
    )


def _shown(source: PageSource, boxes: list[BoxEdges]) -> FloatArray:
    if not boxes:
        return np.empty((0, 4), np.float32)
    return shown_boxes(source.matrix, np.array(boxes, np.float64))


def _collect(
    addresses: list[int], found: _Collector, matrix: Matrix, depth: int, within: Form | None = None
) -> None:
    """Objects of a page or form; those of a form take places between the form's neighbours."""
    kinds = list(map(_type, addresses))
    paths = [address for address, kind in zip(addresses, kinds, strict=True) if kind == _PATH]
    paths = paths[: max(0, _MAX_PATHS - found.paths)]
    boxes = zip(paths, object_boxes(paths, matrix), _draw_modes(paths), strict=True)
    for address, kind in zip(addresses, kinds, strict=True):
        found.place += 1
        if kind == _TEXT:
            found.order[address] = found.place
            if within is not None:
                found.forms[address] = within
        elif kind == _PATH:
            found.paths += 1
            if (path := next(boxes, None)) is not None:
                _collect_path(*path, found, matrix)
        elif kind == _IMAGE:
            if (box := object_boxes([address], matrix)[0]) is not None:
                found.images.append(box)
                found.image_order.append(found.place)
        elif kind == _SHADING:
            found.shaded = True
        elif kind == _FORM and depth < _MAX_DEPTH and found.place < _MAX_OBJECTS:
            inner = list(map(_form_object, repeat(address), range(min(_form_count(address), _MAX_OBJECTS))))
            if within is not None:
                found.forms[address] = within
            through = _times(_object_matrix(address), matrix)
            _collect(inner, found, through, depth + 1, Form(address, through))


def _collect_path(
    address: int, box: BoxEdges | None, mode: tuple[int, int], found: _Collector, matrix: Matrix
) -> None:
    filled, stroked = mode
    if box is None or not (filled or stroked):
        return
    found.drawn.append(box)
    width, height = box[2] - box[0], box[3] - box[1]
    if filled:
        colour = (ctypes.c_uint * 4)(0, 0, 0, 255)
        at = ctypes.addressof(colour)
        _fill(address, at, at + 4, at + 8, at + 12)
        if min(width, height) > THIN and colour[3] > 0:
            if _segments(address) <= _MAX_BOX_SEGMENTS:
                found.fills.append(box)
                found.colours.append((colour[0], colour[1], colour[2], colour[3]))
                found.fill_order.append(found.place)
        elif max(width, height) > THIN and colour[3] > 0:
            found.lines.append(box)
            return
    if min(width, height) <= THIN < max(width, height):
        found.lines.append(box)
    elif stroked:
        count = _segments(address)
        if count in _BOX_SEGMENTS:  # an outlined box: its edges are lines, and asking for its points is dear
            x0, y0, x1, y1 = box
            found.lines += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
        elif 2 <= count <= _MAX_SEGMENTS:
            found.lines += _straight_lines(address, count, _times(_object_matrix(address), matrix))


def _straight_lines(address: int, count: int, matrix: Matrix) -> list[BoxEdges]:
    """Horizontal and vertical strokes of a path in page space."""
    lines = []
    last: tuple[float, float] | None = None
    for kind, x, y in _points(address, count):
        point = (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
        if kind == raw.FPDF_SEGMENT_LINETO and last is not None:
            (x0, y0), (x1, y1) = last, point
            if (abs(x0 - x1) < 0.6) != (abs(y0 - y1) < 0.6):
                lines.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
        last = point
    return lines


def _points(address: int, count: int) -> list[tuple[int, float, float]]:
    """Kind and place of each segment, in the path's own space; a closed subpath ends where it began."""
    place = (ctypes.c_float * 2)()
    at = ctypes.addressof(place)
    points: list[tuple[int, float, float]] = []
    first: tuple[float, float] | None = None
    for index in range(count):
        segment = _segment(address, index)
        kind = _segment_type(segment)
        _point(segment, at, at + 4)
        points.append((kind, place[0], place[1]))
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = (place[0], place[1])
        if first is not None and _segment_close(segment):
            points.append((raw.FPDF_SEGMENT_LINETO, *first))
    return points


def _draw_modes(addresses: list[int]) -> list[tuple[int, int]]:
    """For each path how it is filled and whether it is stroked."""
    buffer = np.zeros((len(addresses), 2), np.int32)
    start = buffer.ctypes.data
    end = start + 8 * len(addresses)
    deque(map(_draw_mode, addresses, range(start, end, 8), range(start + 4, end + 4, 8)), maxlen=0)
    return [(filled, stroked) for filled, stroked in buffer.tolist()]


def object_boxes(addresses: list[int], matrix: Matrix = _IDENTITY) -> list[BoxEdges | None]:
    """Bounds of objects in user space, None where there are none; PDFium gives them in the space of the form that holds the
    object."""
    buffer = np.zeros((len(addresses), 4), np.float32)
    start = buffer.ctypes.data
    end = start + 16 * len(addresses)
    edges = (range(start + 4 * edge, end + 4 * edge, 16) for edge in range(4))
    known = list(map(_bounds, addresses, *edges))
    boxes = buffer.astype(np.float64)
    if matrix is not _IDENTITY:
        a, b, c, d, e, f = matrix
        x, y = boxes[:, [0, 0, 2, 2]], boxes[:, [1, 3, 1, 3]]
        xs, ys = a * x + c * y + e, b * x + d * y + f
        boxes = np.stack([xs.min(axis=1), ys.min(axis=1), xs.max(axis=1), ys.max(axis=1)], axis=1)
    return [
        (x0, y0, x1, y1) if there else None
        for there, (x0, y0, x1, y1) in zip(known, boxes.tolist(), strict=True)
    ]


def _object_matrix(address: int) -> Matrix:
    values = (ctypes.c_float * 6)(*_IDENTITY)
    _matrix(address, ctypes.addressof(values))
    return values[0], values[1], values[2], values[3], values[4], values[5]


def _times(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies ``first``, then ``second``."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip
