"""What stands beside the pages: title, bookmarks, page labels, embedded PDFs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pypdfium2.raw as raw

from src.loader.pdf.pdfium import PdfSource
from src.records import OutlineEntry

MAX_ENTRIES = 5000
MAX_LEVEL = 12
_MAX_BYTES = 4096


def title(source: PdfSource) -> str:
    """The document's title as its author wrote it, "" when there is none."""
    return utf16(partial(raw.FPDF_GetMetaText, source.document, b"Title"))


def labels(source: PdfSource) -> list[str]:
    """The printed label of each page by the file's own numbering, "" where it has none."""
    document = source.document
    return [utf16(partial(raw.FPDF_GetPageLabel, document, page)) for page in range(source.pages)]


def outline(source: PdfSource) -> tuple[OutlineEntry, ...]:
    """Bookmarks in the order of the document, those that lead to a page."""
    entries = []
    for node, level in _bookmarks(source):
        name = utf16(partial(raw.FPDFBookmark_GetTitle, node))
        dest = raw.FPDFBookmark_GetDest(source.document, node)
        page = raw.FPDFDest_GetDestPageIndex(source.document, dest) if dest else -1
        if 0 <= page < source.pages and name.strip():
            entries.append(OutlineEntry(" ".join(name.split()), level, page + 1))
        if len(entries) >= MAX_ENTRIES:
            break
    return tuple(entries)


def _bookmarks(source: PdfSource) -> Iterator[tuple[Any, int]]:
    """Bookmarks with their level; a loop in a hostile file's chain ends the walk."""
    seen: set[int] = set()
    stack = [(raw.FPDFBookmark_GetFirstChild(source.document, None), 1)]
    while stack:
        node, level = stack.pop()
        if not node:
            continue
        address = ctypes.cast(node, ctypes.c_void_p).value or 0
        if address in seen:
            continue
        seen.add(address)
        yield node, level
        stack.append((raw.FPDFBookmark_GetNextSibling(source.document, node), level))
        if level < MAX_LEVEL:
            stack.append((raw.FPDFBookmark_GetFirstChild(source.document, node), level + 1))


def utf16(read: Callable[[Any, int], int]) -> str:
    """A string that PDFium writes as UTF-16 with a zero at its end."""
    size = min(int(read(None, 0)), _MAX_BYTES)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()  # some functions take no other type
    read(buffer, size)
    return bytes(buffer)[:size].decode("utf-16-le", "ignore").split("\0")[0]
