"""PDFs embedded in a PDF (a portfolio), and forms that only one program can show."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import partial

import pypdfium2.raw as raw

from src.loader.pdf.outline import utf16
from src.loader.pdf.pdfium import PdfSource
from src.records import Attachment

MAX_ATTACHMENTS = 100
XFA_NOTE = (
    "This is an XFA form: its pages are drawn by Adobe programs only. Its texts and values were read where they could "
    "be, without their places; print it to a PDF there to read all of it."
)


def attachments(source: PdfSource, most_bytes: int) -> Iterator[Attachment]:
    """Embedded PDFs, together no larger than ``most_bytes``."""
    left = most_bytes
    for index in range(min(raw.FPDFDoc_GetAttachmentCount(source.document), MAX_ATTACHMENTS)):
        handle = raw.FPDFDoc_GetAttachment(source.document, index)
        size = ctypes.c_ulong()
        if not handle or not raw.FPDFAttachment_GetFile(handle, None, 0, size) or not 5 < size.value <= left:
            continue
        buffer = ctypes.create_string_buffer(size.value)
        if not raw.FPDFAttachment_GetFile(handle, buffer, size.value, size):
            continue
        data = buffer.raw[: size.value]
        if b"%PDF-" in data[:1024]:
            left -= len(data)
            name = utf16(partial(raw.FPDFAttachment_GetName, handle))
            yield Attachment(" ".join(name.split())[:200] or f"attachment {index + 1}.pdf", data)


def is_xfa(source: PdfSource) -> bool:
    """Whether the file is a form whose pages only Adobe programs draw."""
    return bool(source.form_type == raw.FORMTYPE_XFA_FULL)


def portfolio_note(names: list[str]) -> str:
    """One sentence that names the embedded PDFs."""
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    one = "another PDF, which is" if len(names) == 1 else f"{len(names)} other PDFs, which are"
    return f"This file holds {one} not read with it: {shown}."
