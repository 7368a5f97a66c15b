"""Lines drawn on a page, as PDFium holds them: strokes, thin filled boxes and the edges of outlined boxes.

Programs draw a table's lines in all of these ways. They are read only for pages that may hold a table, because a map
or a plot has tens of thousands of them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2.raw as raw

from src.loader.pdfium import PageSource, shown_boxes
from src.records import FloatArray

THIN = 3.0  # points; a thicker bar is a filled box
MIN_LENGTH = 3.0
MAX_OBJECTS = 20_000
MAX_SEGMENTS = 4_000
MAX_DEPTH = 4
_SLANT = 0.8  # points by which a level line may rise

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read_rules(source: PageSource) -> FloatArray:
    """Level and upright lines of a page, float32 (r, 4), as thin boxes on the page as shown."""
    boxes: list[Box] = []
    for place, (handle, matrix) in enumerate(_objects(source.page, IDENTITY, 0)):
        if place >= MAX_OBJECTS:
            break
        boxes.extend(_lines(handle, matrix))
    if not boxes:
        return np.empty((0, 4), np.float32)
    shown = shown_boxes(source, np.array(boxes, np.float64))
    inside = (
        (shown[:, 2] > 0) & (shown[:, 3] > 0) & (shown[:, 0] < source.width) & (shown[:, 1] < source.height)
    )
    return shown[inside & np.isfinite(shown).all(axis=1)]


def _objects(container: Any, matrix: Matrix, depth: int) -> Iterator[tuple[Any, Matrix]]:
    """Path objects with the matrix from their space to the page, those inside form objects too."""
    count, get = (
        (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
        if depth
        else (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    )
    for place in range(min(count(container), MAX_OBJECTS)):
        handle = get(container, place)
        kind = raw.FPDFPageObj_GetType(handle)
        if kind == raw.FPDF_PAGEOBJ_PATH:
            yield handle, matrix
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
            yield from _objects(handle, product(matrix_of(handle), matrix), depth + 1)


def _lines(handle: Any, matrix: Matrix) -> Iterator[Box]:
    edges = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(handle, *edges):
        return
    left, bottom, right, top = (edge.value for edge in edges)
    wide, high = right - left, top - bottom
    if min(wide, high) <= THIN:
        if max(wide, high) >= MIN_LENGTH:
            yield transformed(matrix, (left, bottom, right, top))
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(handle, fill, stroke)
    if not stroke.value:
        return
    count = raw.FPDFPath_CountSegments(handle)
    if count <= MAX_SEGMENTS:
        own = product(matrix_of(handle), matrix)
        for x0, y0, x1, y1 in _segments(handle, count):
            line = transformed(own, (x0, y0, x1, y1))
            level = abs(line[3] - line[1]) <= _SLANT or abs(line[2] - line[0]) <= _SLANT
            if level and max(abs(line[2] - line[0]), abs(line[3] - line[1])) >= MIN_LENGTH:
                yield line


def _segments(handle: Any, count: int) -> Iterator[Box]:
    """Straight pieces of a path, the closing ones too, in the path's own space."""
    x, y = ctypes.c_float(), ctypes.c_float()
    start = last = (0.0, 0.0)
    for place in range(count):
        segment = raw.FPDFPath_GetPathSegment(handle, place)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = (x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            start = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield (*last, *point)
        last = point
        if raw.FPDFPathSegment_GetClose(segment) and last != start:
            yield (*last, *start)
            last = start


def matrix_of(handle: Any) -> Matrix:
    """Matrix of a page object, from its own space to that of what holds it."""
    values = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(handle, values):
        return IDENTITY
    return (values.a, values.b, values.c, values.d, values.e, values.f)


def product(first: Matrix, then: Matrix) -> Matrix:
    """The matrix that applies ``first`` and then ``then``."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def transformed(matrix: Matrix, box: Box) -> Box:
    """Two opposite corners of a box, each moved by ``matrix``."""
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    return (a * x0 + c * y0 + e, b * x0 + d * y0 + f, a * x1 + c * y1 + e, b * x1 + d * y1 + f)
