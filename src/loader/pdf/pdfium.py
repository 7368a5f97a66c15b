"""PDFium's C API, called in bulk: characters, boxes, styles and drawn lines of a page as numpy arrays.

The pypdfium2 helpers cost a Python object a character; here each call is mapped over addresses inside one numpy
buffer, about 0.3 microseconds a character. PDFium is not thread-safe: this module belongs to the worker alone.
"""

from __future__ import annotations

import ctypes
import re
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw
from pypdfium2_raw import bindings

from src.loader.pdf.opening import open_document
from src.loader.style import Style
from src.records import FloatArray, LoadError, Outcome

_library = bindings._libs["pdfium"]
_I, _P, _F, _U = ctypes.c_int, ctypes.c_void_p, ctypes.c_float, ctypes.c_uint


def function(name: str, result: Any, *arguments: Any) -> Any:
    """A private prototype of a PDFium function that takes plain addresses."""
    function = _library[name]
    function.restype = result
    function.argtypes = arguments
    return function


_get_text = function("FPDFText_GetText", _I, _P, _I, _I, _P)
_unicode = function("FPDFText_GetUnicode", _U, _P, _I)
_generated = function("FPDFText_IsGenerated", _I, _P, _I)
_loose_box = function("FPDFText_GetLooseCharBox", _I, _P, _I, _P)
_origin = function("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
_matrix = function("FPDFText_GetMatrix", _I, _P, _I, _P)
_font_size = function("FPDFText_GetFontSize", ctypes.c_double, _P, _I)
_text_object = function("FPDFText_GetTextObject", ctypes.c_size_t, _P, _I)
_object_font = function("FPDFTextObj_GetFont", _P, _P)
text_mode = function("FPDFTextObj_GetTextRenderMode", _I, _P)
_fill_colour = function("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
_font_flags = function("FPDFFont_GetFlags", _I, _P)
_font_weight = function("FPDFFont_GetWeight", _I, _P)
_font_name = function("FPDFFont_GetBaseFontName", ctypes.c_size_t, _P, _P, ctypes.c_size_t)

BOLD_NAME = re.compile(r"bold|black|heavy|demi|-medi|-bd|cmbx|cmssbx|sfbx|ecbx")
_BOLD_WEIGHT = 600
_DROPPED = 0xFE0F
MAX_CHARACTERS = 400_000
_FIXED, _ITALIC, _FORCE_BOLD = 1, 1 << 6, 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """How characters are set, one row each: ``objects`` the address of the text object, ``modes`` PDF's rendering
    mode (3 = invisible), ``colours`` (m, 4: r, g, b, alpha; 0 to 255), ``sizes`` in points on the page, ``turns``
    the direction of reading in degrees clockwise, ``styles`` bits of ``layout.Style``, ``levels`` the height in user space
    at which level text stands, NaN for other text."""

    objects: npt.NDArray[np.int64]
    modes: npt.NDArray[np.int32]
    colours: npt.NDArray[np.int32]
    sizes: FloatArray
    turns: npt.NDArray[np.int32]
    styles: npt.NDArray[np.int32]
    levels: FloatArray

    def at(self, places: npt.NDArray[Any]) -> Runs:
        """The rows ``places``."""
        return Runs(
            self.objects[places], self.modes[places], self.colours[places], self.sizes[places],
            self.turns[places], self.styles[places], self.levels[places],
        )  # fmt: skip

    def joined(self, other: Runs) -> Runs:
        """These rows and those of ``other`` behind them."""
        names = ("objects", "modes", "colours", "sizes", "turns", "styles", "levels")
        return Runs(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names))


@dataclass(slots=True, eq=False)
class PageSource:
    """An open page: handles, size as shown, and the matrix from PDF user space to the page as shown."""

    number: int
    page: Any
    text_page: Any
    width: float
    height: float
    rotation: int
    matrix: tuple[float, float, float, float, float, float]
    count: int = 0
    form: Any = None
    fonts: dict[int, int] = field(default_factory=dict)

    @property
    def text_handle(self) -> int:
        """Address of the text page."""
        return ctypes.cast(self.text_page, _P).value or 0

    def close(self) -> None:
        """Give the page back to PDFium."""
        if self.text_page:
            raw.FPDFText_ClosePage(self.text_page)
        if self.form:
            raw.FORM_OnBeforeClosePage(self.page, self.form)
        raw.FPDF_ClosePage(self.page)


class PdfSource:
    """An open PDF: its ``data`` as PDFium reads it, its number of ``pages``, ``notes`` on what was wrong, and
    the pages that are ``lost``."""

    def __init__(self, data: bytes, password: str | None = None) -> None:
        """Open ``data``, repaired where it has to be. Raises LoadError with the outcome that fits."""
        opened = open_document(data, password)
        self.document, self.data, self.pages = opened.document, opened.data, opened.pages
        self.notes, self.lost = opened.notes, opened.lost
        self.password = password
        self.form_type: int = raw.FPDF_GetFormType(self.document)
        self.form: Any = None
        if self.form_type != raw.FORMTYPE_NONE:
            self._form_info = raw.FPDF_FORMFILLINFO(version=2)  # PDFium keeps its address
            self.form = raw.FPDFDOC_InitFormFillEnvironment(self.document, self._form_info)

    def open_page(self, number: int) -> PageSource:
        """Page ``number`` (1-based) with its text. Raises LoadError (DAMAGED) when PDFium cannot load it."""
        page = None if number in self.lost else raw.FPDF_LoadPage(self.document, number - 1)
        if not page:
            raise LoadError(Outcome.DAMAGED, f"Page {number} is damaged and could not be read.")
        if self.form:
            raw.FORM_OnAfterLoadPage(page, self.form)  # without it every box counts as not ticked
        text_page = raw.FPDFText_LoadPage(page)
        width, height = float(raw.FPDF_GetPageWidthF(page)), float(raw.FPDF_GetPageHeightF(page))
        rotation = int(raw.FPDFPage_GetRotation(page)) % 4
        box = raw.FS_RECTF()
        raw.FPDF_GetPageBoundingBox(page, box)
        matrix = shown_matrix(rotation, (box.left, box.bottom, box.right, box.top))
        count = raw.FPDFText_CountChars(text_page) if text_page else 0
        return PageSource(
            number,
            page,
            text_page,
            width,
            height,
            rotation,
            matrix,
            min(max(count, 0), MAX_CHARACTERS),
            self.form,
        )

    def close(self) -> None:
        """Close the document."""
        if self.form:
            raw.FPDFDOC_ExitFormFillEnvironment(self.form)
            self.form = None
        if self.document:
            raw.FPDF_CloseDocument(self.document)
            self.document = None


def shown_matrix(
    rotation: int, box: tuple[float, float, float, float]
) -> tuple[float, float, float, float, float, float]:
    """Matrix (a, b, c, d, e, f), x' = a x + c y + e, from user space to the page as shown, origin top left."""
    x0, y0, x1, y1 = box
    if rotation == 1:
        return (0.0, 1.0, 1.0, 0.0, -y0, -x0)
    if rotation == 2:
        return (-1.0, 0.0, 0.0, 1.0, x1, -y0)
    if rotation == 3:
        return (0.0, -1.0, -1.0, 0.0, y1, x1)
    return (1.0, 0.0, 0.0, -1.0, -x0, y1)


def shown_boxes(
    matrix: tuple[float, float, float, float, float, float], boxes: npt.NDArray[Any]
) -> FloatArray:
    """User-space boxes (n, 4: left, bottom, right, top in any order) as x0, y0, x1, y1 of the page as shown."""
    a, b, c, d, e, f = matrix
    x, y = boxes[:, [0, 2]], boxes[:, [1, 3]]
    shown_x, shown_y = a * x + c * y + e, b * x + d * y + f
    return np.stack(
        [shown_x.min(axis=1), shown_y.min(axis=1), shown_x.max(axis=1), shown_y.max(axis=1)], axis=1
    ).astype(np.float32)


def codes(source: PageSource) -> npt.NDArray[np.uint32]:
    """Unicode value of every character of the page."""
    n = source.count
    if not n:
        return np.empty(0, np.uint32)
    buffer = np.zeros(n + 1, np.uint16)
    written = _get_text(source.text_handle, 0, n, buffer.ctypes.data)
    if written == n + 1 and not ((buffer[:n] >= 0xD800) & (buffer[:n] < 0xE000)).any():
        return buffer[:n].astype(np.uint32)
    # some characters are not in the text (no Unicode value) or take two units: ask one by one
    return _whole_characters(np.fromiter(map(_unicode, repeat(source.text_handle), range(n)), np.uint32, n))


def _whole_characters(values: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """``values`` with surrogate pairs as one character; the second place becomes a mark that is dropped later."""
    high = np.flatnonzero((values[:-1] & 0xFC00) == 0xD800)
    high = high[(values[high + 1] & 0xFC00) == 0xDC00]
    values[high] = 0x10000 + ((values[high] & 0x3FF) << 10) + (values[high + 1] & 0x3FF)
    values[high + 1] = _DROPPED
    values[values > 0x10FFFF] = _DROPPED
    return values


def loose_boxes(source: PageSource, indices: npt.NDArray[Any]) -> FloatArray:
    """Boxes of the characters ``indices`` (advance width, font height), float32 (m, 4), on the page as shown."""
    m = len(indices)
    buffer = np.zeros((m, 4), np.float32)
    start = buffer.ctypes.data
    deque(
        map(_loose_box, repeat(source.text_handle), indices.tolist(), range(start, start + 16 * m, 16)),
        maxlen=0,
    )
    return shown_boxes(source.matrix, buffer)


def origins(source: PageSource, indices: npt.NDArray[Any]) -> FloatArray:
    """Where the characters ``indices`` stand on their baseline, float32 (m, 2), on the page as shown."""
    buffer = np.zeros((len(indices), 2), np.float64)
    start, handle = buffer.ctypes.data, source.text_handle
    end = start + 16 * len(indices)
    deque(
        map(_origin, repeat(handle), indices.tolist(), range(start, end, 16), range(start + 8, end + 8, 16)),
        maxlen=0,
    )
    a, b, c, d, e, f = source.matrix
    x, y = buffer[:, 0], buffer[:, 1]
    return np.stack([a * x + c * y + e, b * x + d * y + f], axis=1).astype(np.float32)


def level_baselines(source: PageSource, runs: Runs) -> FloatArray:
    """Baselines (m,) of level text on the page as shown, NaN for other text."""
    if source.rotation % 2:
        return np.full(len(runs.levels), np.nan, np.float32)
    d, f = source.matrix[3], source.matrix[5]
    return (d * runs.levels.astype(np.float64) + f).astype(np.float32)


def generated(source: PageSource, indices: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which of the characters ``indices`` PDFium made up (spaces and line breaks of its own)."""
    m = len(indices)
    return np.fromiter(map(_generated, repeat(source.text_handle), indices.tolist()), np.bool_, m)


def objects_of(source: PageSource, indices: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Address of the text object of each of the characters ``indices``, 0 where there is none."""
    return np.fromiter(
        map(_text_object, repeat(source.text_handle), indices.tolist()), np.int64, len(indices)
    )


def text_matrices(
    source: PageSource, indices: list[int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]:
    """Text matrices (m, 6) of the characters ``indices``, in user space, and the font sizes (m,) that they scale."""
    handle = source.text_handle
    matrices = np.zeros((len(indices), 6), np.float32)
    start = matrices.ctypes.data
    ends = start + 24 * len(indices)
    deque(map(_matrix, repeat(handle), indices, range(start, ends, 24)), maxlen=0)
    return matrices, np.fromiter(map(_font_size, repeat(handle), indices), np.float64, len(indices))


def runs(source: PageSource, indices: npt.NDArray[Any]) -> Runs:
    """How the characters ``indices`` are set; a text object is asked once."""
    addresses = objects_of(source, indices)
    distinct, first, places = np.unique(addresses, return_index=True, return_inverse=True)
    n, samples, objects = len(distinct), indices[first].tolist(), distinct.tolist()
    matrices, sizes = text_matrices(source, samples)
    colours = np.zeros((n, 4), np.uint32)
    colours[:, 3] = 255
    modes, styles = np.zeros(n, np.int32), np.zeros(n, np.int32)
    known = 1 if objects and not objects[0] else 0  # characters that belong to no object come first
    painted, start = objects[known:], colours.ctypes.data + 16 * known
    ends = start + 16 * len(painted)
    deque(map(_fill_colour, painted, *(range(start + 4 * c, ends + 4 * c, 16) for c in range(4))), maxlen=0)
    modes[known:] = list(map(text_mode, painted))
    styles[known:] = [_font_style(source, font or 0) for font in map(_object_font, painted)]
    levels = np.where((matrices[:, 1] == 0) & (matrices[:, 3] != 0), matrices[:, 5], np.float32(np.nan))
    scale = np.hypot(matrices[:, 2], matrices[:, 3])
    shown = np.abs(sizes) * np.where(scale > 0, scale, 1)
    return Runs(
        addresses,
        modes[places],
        colours.astype(np.int32)[places],
        shown.astype(np.float32)[places],
        _turns(source, matrices)[places],
        np.where(modes == 2, styles | Style.BOLD, styles)[places].astype(np.int32),
        levels[places],
    )


def _turns(source: PageSource, matrices: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """Direction of reading on the page as shown, whole degrees clockwise."""
    a, b, c, d, _, _ = source.matrix
    x = a * matrices[:, 0] + c * matrices[:, 1]
    y = b * matrices[:, 0] + d * matrices[:, 1]
    degrees: npt.NDArray[np.int32] = np.round(np.degrees(np.arctan2(y, x))).astype(np.int32) % 360
    return degrees


def font_names(source: PageSource, indices: npt.NDArray[Any]) -> list[str]:
    """Name of the font of each of the characters ``indices``, "" where none is known."""
    fonts = [_object_font(address) if address else 0 for address in objects_of(source, indices).tolist()]
    names = {font: _font_name_of(font) if font else "" for font in set(fonts)}
    return [names[font] for font in fonts]


def _font_style(source: PageSource, font: int) -> int:
    """Style bits of a font: bold, italic, mono."""
    style = source.fonts.get(font)
    if style is None:
        style = 0
        if font:
            name, flags = _font_name_of(font).lower(), int(_font_flags(font))
            bold = BOLD_NAME.search(name) or flags & _FORCE_BOLD or _font_weight(font) >= _BOLD_WEIGHT
            italic = "italic" in name or "oblique" in name or flags & _ITALIC
            style = (Style.BOLD if bold else 0) | (Style.ITALIC if italic else 0)
            style |= Style.MONO if flags & _FIXED else 0
        source.fonts[font] = style
    return style


def _font_name_of(font: int) -> str:
    length = min(int(_font_name(font, None, 0)), 1024)
    buffer = ctypes.create_string_buffer(length + 1)
    _font_name(font, ctypes.addressof(buffer), length)
    return buffer.value.decode("utf-8", "replace")
