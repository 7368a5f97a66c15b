"""PDFium's C API, called in bulk: characters, boxes, styles and drawn lines of a page as numpy arrays.

The pypdfium2 helpers cost a Python object a character; here each call is mapped over addresses inside one numpy
buffer, about 0.3 microseconds a character. PDFium is not thread-safe: this module belongs to the worker alone.
"""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw
from pypdfium2_raw import bindings

from src.records import FloatArray, LoadError, Outcome

_library = bindings._libs["pdfium"]
_I, _P, _F, _U = ctypes.c_int, ctypes.c_void_p, ctypes.c_float, ctypes.c_uint


def _function(name: str, result: Any, *arguments: Any) -> Any:
    """A private prototype of a PDFium function that takes plain addresses."""
    function = _library[name]
    function.restype = result
    function.argtypes = arguments
    return function


_get_text = _function("FPDFText_GetText", _I, _P, _I, _I, _P)
_unicode = _function("FPDFText_GetUnicode", _U, _P, _I)
_generated = _function("FPDFText_IsGenerated", _I, _P, _I)
_map_error = _function("FPDFText_HasUnicodeMapError", _I, _P, _I)
_loose_box = _function("FPDFText_GetLooseCharBox", _I, _P, _I, _P)
_tight_box = _function("FPDFText_GetCharBox", _I, _P, _I, _P, _P, _P, _P)
_origin = _function("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
_matrix = _function("FPDFText_GetMatrix", _I, _P, _I, _P)
_font_size = _function("FPDFText_GetFontSize", ctypes.c_double, _P, _I)
_text_object = _function("FPDFText_GetTextObject", _P, _P, _I)
_object_font = _function("FPDFTextObj_GetFont", _P, _P)
_render_mode = _function("FPDFTextObj_GetTextRenderMode", _I, _P)
_fill_colour = _function("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
_font_flags = _function("FPDFFont_GetFlags", _I, _P)
_font_name = _function("FPDFFont_GetBaseFontName", ctypes.c_size_t, _P, _P, ctypes.c_size_t)
_font_embedded = _function("FPDFFont_GetIsEmbedded", _I, _P)

MAX_CHARACTERS = 400_000
_FIXED, _ITALIC, _FORCE_BOLD = 1, 1 << 6, 1 << 18


@dataclass(frozen=True, slots=True, eq=False)
class TextObject:
    """What all characters of one text object share. ``colour`` is (r, g, b, alpha), 0 to 255; ``a, b, c, d`` the
    text matrix in page space; ``mode`` PDF's text rendering mode (3 = invisible)."""

    handle: int
    font: int
    font_name: str
    font_flags: int
    embedded: bool
    mode: int
    colour: tuple[int, int, int, int]
    size: float
    a: float
    b: float
    c: float
    d: float


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
    fonts: dict[int, tuple[str, int, bool]] = field(default_factory=dict)

    @property
    def text_handle(self) -> int:
        """Address of the text page."""
        return ctypes.cast(self.text_page, _P).value or 0

    def close(self) -> None:
        """Give the page back to PDFium."""
        if self.text_page:
            raw.FPDFText_ClosePage(self.text_page)
        raw.FPDF_ClosePage(self.page)


class PdfSource:
    """An open PDF. ``data`` must outlive it (it holds it)."""

    def __init__(self, data: bytes, password: str | None = None) -> None:
        """Open ``data``. Raises LoadError with the outcome that fits."""
        raw.FPDF_InitLibrary()
        self.data = data
        secret = password.encode("utf-8") if password else None
        self.document = raw.FPDF_LoadMemDocument64(data, len(data), secret)
        if not self.document and secret is not None and not secret.isascii():
            # PDF 1.7 and older encrypt with Latin-1 passwords, newer with UTF-8
            self.document = raw.FPDF_LoadMemDocument64(data, len(data), password.encode("latin-1", "ignore"))  # type: ignore[union-attr]
        if not self.document:
            raise _open_error(data, raw.FPDF_GetLastError(), password)
        self.pages: int = raw.FPDF_GetPageCount(self.document)

    def open_page(self, number: int) -> PageSource:
        """Page ``number`` (1-based) with its text. Raises LoadError (DAMAGED) when PDFium cannot load it."""
        page = raw.FPDF_LoadPage(self.document, number - 1)
        if not page:
            raise LoadError(Outcome.DAMAGED, f"Page {number} is damaged and could not be read.")
        text_page = raw.FPDFText_LoadPage(page)
        width, height = float(raw.FPDF_GetPageWidthF(page)), float(raw.FPDF_GetPageHeightF(page))
        rotation = int(raw.FPDFPage_GetRotation(page)) % 4
        box = raw.FS_RECTF()
        raw.FPDF_GetPageBoundingBox(page, box)
        matrix = _shown_matrix(rotation, (box.left, box.bottom, box.right, box.top))
        count = raw.FPDFText_CountChars(text_page) if text_page else 0
        return PageSource(
            number, page, text_page, width, height, rotation, matrix, min(max(count, 0), MAX_CHARACTERS)
        )

    def close(self) -> None:
        """Close the document."""
        if self.document:
            raw.FPDF_CloseDocument(self.document)
            self.document = None


def _shown_matrix(
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


def shown_boxes(source: PageSource, boxes: npt.NDArray[Any]) -> FloatArray:
    """User-space boxes (n, 4: left, bottom, right, top in any order) as x0, y0, x1, y1 of the page as shown."""
    a, b, c, d, e, f = source.matrix
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
    return np.fromiter(map(_unicode, repeat(source.text_handle), range(n)), np.uint32, n)


def loose_boxes(source: PageSource) -> FloatArray:
    """Box of every character (advance width, font height), float32 (n, 4), on the page as shown."""
    n = source.count
    buffer = np.zeros((n, 4), np.float32)
    start = buffer.ctypes.data
    deque(
        map(_loose_box, repeat(source.text_handle), range(n), range(start, start + 16 * n, 16)),
        maxlen=0,
    )
    return shown_boxes(source, buffer)


def tight_boxes(source: PageSource, indices: npt.NDArray[Any]) -> FloatArray:
    """Ink boxes of the characters ``indices``, float32 (m, 4), on the page as shown."""
    buffer = np.zeros((len(indices), 4), np.float64)
    start, handle = buffer.ctypes.data, source.text_handle
    for row, index in enumerate(indices.tolist()):
        at = start + 32 * row
        _tight_box(handle, index, at, at + 16, at + 8, at + 24)
    return shown_boxes(source, buffer)


def origins(source: PageSource, indices: npt.NDArray[Any]) -> FloatArray:
    """Where the characters ``indices`` stand on their baseline, float32 (m, 2), on the page as shown."""
    buffer = np.zeros((len(indices), 2), np.float64)
    start, handle = buffer.ctypes.data, source.text_handle
    for row, index in enumerate(indices.tolist()):
        _origin(handle, index, start + 16 * row, start + 16 * row + 8)
    a, b, c, d, e, f = source.matrix
    x, y = buffer[:, 0], buffer[:, 1]
    return np.stack([a * x + c * y + e, b * x + d * y + f], axis=1).astype(np.float32)


def generated(source: PageSource, indices: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which of the characters ``indices`` PDFium made up (spaces and line breaks of its own)."""
    m = len(indices)
    return np.fromiter(map(_generated, repeat(source.text_handle), indices.tolist()), np.bool_, m)


def map_errors(source: PageSource, indices: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which of the characters ``indices`` have no Unicode value that the font could give."""
    m = len(indices)
    return np.fromiter(
        (v == 1 for v in map(_map_error, repeat(source.text_handle), indices.tolist())), np.bool_, m
    )


def text_objects(
    source: PageSource, indices: npt.NDArray[Any]
) -> tuple[npt.NDArray[np.int32], list[TextObject]]:
    """The text object of each of the characters ``indices``: places (m,) in a list of distinct objects."""
    handle = source.text_handle
    found: dict[int, int] = {}
    objects: list[TextObject] = []
    places = np.empty(len(indices), np.int32)
    for row, index in enumerate(indices.tolist()):
        address = _text_object(handle, index) or 0
        place = found.get(address)
        if place is None:
            place = found[address] = len(objects)
            objects.append(_text_object_style(source, address, index))
        places[row] = place
    return places, objects


def _text_object_style(source: PageSource, address: int, index: int) -> TextObject:
    matrix = (ctypes.c_float * 6)(1, 0, 0, 1, 0, 0)
    _matrix(source.text_handle, index, ctypes.addressof(matrix))
    size = float(_font_size(source.text_handle, index))
    if not address:
        return TextObject(0, 0, "", 0, False, 0, (0, 0, 0, 255), size, *matrix[:4])
    colour = (_U * 4)(0, 0, 0, 255)
    at = ctypes.addressof(colour)
    _fill_colour(address, at, at + 4, at + 8, at + 12)
    font = _object_font(address) or 0
    name, flags, embedded = _font_facts(source, font)
    mode = _render_mode(address)
    return TextObject(
        address,
        font,
        name,
        flags,
        embedded,
        mode,
        (colour[0], colour[1], colour[2], colour[3]),
        size,
        *matrix[:4],
    )


def _font_facts(source: PageSource, font: int) -> tuple[str, int, bool]:
    facts = source.fonts.get(font)
    if facts is None:
        if not font:
            facts = ("", 0, False)
        else:
            length = min(int(_font_name(font, None, 0)), 1024)
            buffer = ctypes.create_string_buffer(length + 1)
            _font_name(font, ctypes.addressof(buffer), length)
            facts = (
                buffer.value.decode("utf-8", "replace"),
                int(_font_flags(font)),
                _font_embedded(font) == 1,
            )
        source.fonts[font] = facts
    return facts


def is_bold(item: TextObject) -> bool:
    """Whether the object's face is bold by its name or flags, or thickened by a stroke of the same fill."""
    name = item.font_name.lower()
    by_name = any(part in name for part in ("bold", "black", "heavy", "demi"))
    return by_name or bool(item.font_flags & _FORCE_BOLD) or item.mode == 2


def is_italic(item: TextObject) -> bool:
    """Whether the object's face is slanted by its name or flags."""
    name = item.font_name.lower()
    return "italic" in name or "oblique" in name or bool(item.font_flags & _ITALIC)


def is_mono(item: TextObject) -> bool:
    """Whether all characters of the face are equally wide."""
    return bool(item.font_flags & _FIXED)


def _open_error(data: bytes, code: int, password: str | None) -> LoadError:
    if code == raw.FPDF_ERR_PASSWORD:
        if password:
            return LoadError(Outcome.NEEDS_PASSWORD, "The password does not open this PDF. Try another one.")
        return LoadError(
            Outcome.NEEDS_PASSWORD, "This PDF is locked with a password. Enter it to read the file."
        )
    if code == raw.FPDF_ERR_SECURITY:
        return LoadError(
            Outcome.NEEDS_PASSWORD,
            "This PDF is protected in a way that cannot be opened here. Save an unprotected copy and upload that.",
        )
    if b"%PDF-" in data[:4096] or (b"endobj" in data and b"stream" in data):
        return LoadError(
            Outcome.DAMAGED, "This PDF is damaged and could not be repaired. Download or export it again."
        )
    return LoadError(Outcome.NOT_A_PDF, "This file is not a PDF. Upload a file that was saved as PDF.")
