"""A second reading of a page by pdfplumber, where PDFium's is of no use.

pdfminer, on which pdfplumber stands, looks a glyph up in the embedded font's own character map when the PDF names no
characters; PDFium takes the glyph's number for one ("7KH SXPS" for "The pump"). It costs twenty times PDFium's time,
so it is asked for such pages alone.
"""

from __future__ import annotations

import io
import logging
import re
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pdfplumber
from pdfminer.pdfpage import PDFPage
from pdfplumber.page import Page
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import MalformedPDFException, PdfminerException

from src.loader.layout import PageLayout, ReadWord, with_words, without_words
from src.loader.pdf.garbled import garbled
from src.loader.pdf.glyphs import Glyphs
from src.loader.pdf.pagetree import PDFMINER_ERRORS
from src.loader.pdf.pdfium import BOLD_NAME, PdfSource, shown_boxes, shown_matrix
from src.loader.style import Style

log = logging.getLogger(__name__)
logging.getLogger("pdfminer").setLevel(logging.ERROR)  # a warning for each odd operator

_ERRORS = (MalformedPDFException, PdfminerException, *PDFMINER_ERRORS)
_UNMAPPED = re.compile(r"\(cid:\d{1,6}\)")
_TURNS = {"ttb": 90, "btt": 270}

Matrix = tuple[float, float, float, float, float, float]

_opened: WeakKeyDictionary[PdfSource, tuple[PDF, list[PDFPage]]] = WeakKeyDictionary()


def second_reading(layout: PageLayout, source: PdfSource, x_tolerance: float) -> PageLayout | None:
    """The page with pdfplumber's words in place of PDFium's, None when it reads none or they are garbled too.

    ``x_tolerance`` is the gap in points that ends a word, as pdfplumber has it.
    """
    try:
        words, width, height = _words(source, layout.number, x_tolerance)
    except _ERRORS as error:
        log.warning("page %d, second reading: %r", layout.number, error)
        return None
    if not words or garbled(_glyphs([word.text for word in words])):
        return None
    bare = without_words(layout, np.ones(len(layout.spans), np.bool_))
    if layout.failed:
        bare = replace(bare, width=width, height=height)
    inside = [w for w in words if w.x1 > 0 and w.y1 > 0 and w.x0 < bare.width and w.y0 < bare.height]
    read = with_words(replace(bare, garbled="", failed=""), inside)
    return read if len(read.spans) else None


def _words(source: PdfSource, number: int, x_tolerance: float) -> tuple[list[ReadWord], float, float]:
    """Words of a page, and its size as shown. The page is read as it lies in the file, for pdfplumber turns text and
    crop box of a turned page differently; the way from there to the page as shown is PDFium's."""
    opened = _opened.get(source)
    if opened is None:
        pdf = pdfplumber.open(io.BytesIO(source.data), password=source.password)
        opened = _opened[source] = pdf, list(PDFPage.create_pages(pdf.doc))
    pdf, pages = opened
    if number > len(pages):
        return [], 0.0, 0.0
    lying = pages[number - 1]
    turn = int(lying.rotate) % 360 // 90 * 90
    lying.rotate = lying.attrs["Rotate"] = 0
    page = Page(pdf, lying, page_number=number)
    box = _shown_box(page)
    matrix = shown_matrix(turn // 90, box)
    found = page.extract_words(x_tolerance=x_tolerance, extra_attrs=["fontname"])
    words = [_word(word, float(page.height), matrix, turn) for word in found]
    lying.rotate = turn
    page.close()
    width, height = box[2] - box[0], box[3] - box[1]
    return words, *((height, width) if turn % 180 else (width, height))


def _shown_box(page: Page) -> tuple[float, float, float, float]:
    """The crop box inside the media box, in user space: left, bottom, right, top."""
    media, crop = (
        (b[0], page.height - b[3], b[2], page.height - b[1]) for b in (page.mediabox, page.cropbox)
    )
    inner = (
        max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]),
    )  # fmt: skip
    return inner if inner[0] < inner[2] and inner[1] < inner[3] else media


def _word(word: dict[str, Any], height: float, matrix: Matrix, turn: int) -> ReadWord:
    """pdfplumber's word, whose places count from the upper edge of the media box, on the page as shown."""
    edges = np.array([[word["x0"], height - word["bottom"], word["x1"], height - word["top"]]], np.float64)
    x0, y0, x1, y1 = shown_boxes(matrix, edges)[0].tolist()
    way = (turn + _TURNS.get(word["direction"], 0)) % 360
    style = Style.BOLD if BOLD_NAME.search(str(word["fontname"]).lower()) else 0
    return ReadWord(word["text"], x0, y0, x1, y1, x1 - x0 if way % 180 else y1 - y0, style, way)


def _glyphs(texts: list[str]) -> Glyphs:
    """The characters of words as ``garbled`` judges them; glyphs that pdfminer could not map count as such."""
    unmapped = sum(len(_UNMAPPED.findall(text)) for text in texts)
    mapped = [part for text in texts if (part := _UNMAPPED.sub("", text))]
    codes = np.frombuffer("".join(mapped).encode("utf-32-le", "replace"), np.uint32)
    private = ((codes >= 0xE000) & (codes < 0xF900)) | (codes == 0xFFFD) | (codes < 0x20)
    spaced = np.zeros(len(codes), np.bool_)
    spaced[np.cumsum([0, *(len(part) for part in mapped)])[:-1]] = True
    n = len(codes)
    boxes = np.zeros((n, 4), np.float32)
    return Glyphs(codes, boxes, np.arange(n, dtype=np.int32), spaced, unmapped + int(private.sum()))
