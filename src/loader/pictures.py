"""Where a page shows pictures: raster images, and drawings on a page that has no text of its own."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2.raw as raw

from src.loader.pdfium import PageSource, shown_boxes
from src.loader.tables_rules import IDENTITY, Box, Matrix, matrix_of, product, transformed
from src.records import FloatArray

MAX_OBJECTS = 20_000
MAX_DEPTH = 4
MANY_PATHS = 12  # letters turned into curves; a rule or a frame is no drawing
LEAST_SIDE = 4.0  # points


def page_pictures(source: PageSource) -> FloatArray:
    """Boxes of the pictures of a page, float32 (n, 4), cut to the page as shown.

    Text that a program has turned into curves is a picture too: where a page has no characters at all, the box of
    everything drawn on it stands for one picture.
    """
    boxes: list[Box] = []
    drawn: list[Box] = []
    curves = source.count == 0
    for place, (kind, box) in enumerate(_objects(source.page, IDENTITY, 0, curves)):
        if place >= MAX_OBJECTS:
            break
        (boxes if kind == raw.FPDF_PAGEOBJ_IMAGE else drawn).append(box)
    if len(drawn) >= MANY_PATHS:
        x0, y0, x1, y1 = np.array(drawn).T
        boxes.append((float(x0.min()), float(y0.min()), float(x1.max()), float(y1.max())))
    if not boxes:
        return np.empty((0, 4), np.float32)
    shown = shown_boxes(source, np.array(boxes, np.float64))
    shown = np.clip(shown, 0, [source.width, source.height] * 2).astype(np.float32)
    sides = np.minimum(shown[:, 2] - shown[:, 0], shown[:, 3] - shown[:, 1])
    kept: FloatArray = shown[np.isfinite(shown).all(axis=1) & (sides >= LEAST_SIDE)]
    return kept


def _objects(container: Any, matrix: Matrix, depth: int, curves: bool) -> Iterator[tuple[int, Box]]:
    """Kind and box (on the page, user space) of images and, with ``curves``, of paths and shadings."""
    count, get = (
        (raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject)
        if depth
        else (raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    )
    wanted = {raw.FPDF_PAGEOBJ_IMAGE} | ({raw.FPDF_PAGEOBJ_PATH} if curves else set())
    for place in range(min(count(container), MAX_OBJECTS)):
        handle = get(container, place)
        kind = raw.FPDFPageObj_GetType(handle)
        if kind in wanted:
            edges = [ctypes.c_float() for _ in range(4)]
            if raw.FPDFPageObj_GetBounds(handle, *edges):
                left, bottom, right, top = (edge.value for edge in edges)
                yield kind, transformed(matrix, (left, bottom, right, top))
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
            yield from _objects(handle, product(matrix_of(handle), matrix), depth + 1, curves)
