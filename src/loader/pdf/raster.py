"""Pages and marks as pixels. Runs only inside worker processes, because pdfium can die on a hostile page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as raw

Pixels = npt.NDArray[np.uint8]
Rect = tuple[float, float, float, float]

MARK = np.array([255, 226, 64], dtype=np.uint16)
MARK_MARGIN = 1.0  # points of air around a marked line
DARK = 90  # mean brightness under which multiplying yellow would leave nothing to see
MAX_SIDE = 16_000  # pixels; a JPEG ends at 65,535 and browsers well before


class RasterError(ValueError):
    """A page that has no size to draw."""


def fit_scale(width: float, height: float, dpi: float, max_pixels: int) -> float:
    """Pixels per point for a page of ``width`` x ``height`` points: ``dpi``, or less to stay in ``max_pixels``.

    Raises RasterError when the page has no area.
    """
    if not (math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0):
        raise RasterError(f"The page measures {width:g} x {height:g} points, so there is nothing to draw.")
    scale = dpi / 72
    scale = min(scale, math.sqrt(max_pixels / (width * height)))
    return min(scale, MAX_SIDE / max(width, height))


def draw_page(page: pdfium.PdfPage, scale: float, *, annotations: bool = True) -> Pixels:
    """The page as shown (crop box, rotation), RGB of shape (height, width, 3), at ``scale`` pixels per point.

    ``annotations`` draws notes and, where the document's forms are initialised, form fields.
    """
    bitmap = page.render(
        scale=scale, rev_byteorder=True, may_draw_forms=annotations, draw_annots=annotations, prefer_bgrx=True
    )
    try:
        pixels: Pixels = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
        return pixels
    finally:
        bitmap.close()


def mark(pixels: Pixels, rects: Sequence[Rect], scale: float) -> None:
    """Lay yellow over ``rects`` (points, origin top left) of ``pixels``, in place, as a marker pen would.

    Ink stays dark because the colour is multiplied; on a dark ground it is added instead. Overlapping
    rectangles are coloured once.
    """
    height, width = pixels.shape[:2]
    done = np.zeros((height, width), dtype=bool)
    for x0, y0, x1, y1 in rects:
        left, top = _clip(x0 - MARK_MARGIN, scale, width), _clip(y0 - MARK_MARGIN, scale, height)
        right, bottom = (
            _clip(x1 + MARK_MARGIN, scale, width, up=1),
            _clip(y1 + MARK_MARGIN, scale, height, up=1),
        )
        region = pixels[top:bottom, left:right].astype(np.uint16)
        if not region.size:
            continue
        if np.median(region) < DARK:
            coloured = 255 - (255 - region) * (255 - MARK // 3) // 255
        else:
            coloured = region * MARK // 255
        fresh = ~done[top:bottom, left:right]
        pixels[top:bottom, left:right][fresh] = coloured[fresh].astype(np.uint8)
        done[top:bottom, left:right] = True


def _clip(value: float, scale: float, limit: int, up: int = 0) -> int:
    if not math.isfinite(value):
        return 0
    return int(min(max(math.floor(value * scale) + up, 0), limit))


def draw_gray(
    page: Any, width: float, height: float, scale: float, region: Rect | None = None
) -> npt.NDArray[np.uint8]:
    """``region`` (points as shown; default the whole page) of the raw page handle ``page``, gray, (height, width).

    ``width`` and ``height`` are those of the page in points. Raises RasterError when the region has no pixels.
    """
    x0, y0, x1, y1 = region or (0.0, 0.0, width, height)
    columns, rows = math.ceil((x1 - x0) * scale), math.ceil((y1 - y0) * scale)
    if columns < 1 or rows < 1:
        raise RasterError(f"A region of {x1 - x0:g} x {y1 - y0:g} points has no pixels.")
    pixels = np.full((rows, columns), 255, np.uint8)
    bitmap = raw.FPDFBitmap_CreateEx(columns, rows, raw.FPDFBitmap_Gray, pixels.ctypes.data, columns)
    if not bitmap:
        raise RasterError(f"An image of {columns} x {rows} pixels could not be made.")
    try:
        raw.FPDF_RenderPageBitmap(
            bitmap,
            page,
            round(-x0 * scale),
            round(-y0 * scale),
            round(width * scale),
            round(height * scale),
            0,
            raw.FPDF_ANNOT | raw.FPDF_GRAYSCALE,
        )
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return pixels
