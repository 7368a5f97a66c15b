"""A PDF opened by PDFium, after the repairs that its bytes need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pypdfium2.raw as raw

from src.loader.pdf.repairs import (
    BROKEN_OFF,
    REPAIRED,
    breaks_off,
    pages_written,
    was_repaired,
    with_new_end,
)  # fmt: skip
from src.records import LoadError, Outcome

if TYPE_CHECKING:
    from src.loader.pdf.pagetree import PageTree

_SEARCHED_FOR_HEADER = 1024  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """PDFium's ``document`` and the ``data`` that it reads from, which must outlive it and may have been repaired;
    ``pages`` in it, ``notes``: a sentence for the reader about each thing that was wrong, and the pages that are
    ``lost`` (1-based), which are empty in it."""

    document: Any
    data: bytes
    pages: int
    notes: tuple[str, ...]
    lost: frozenset[int] = frozenset()


def open_document(data: bytes, password: str | None = None) -> Opened:
    """Open ``data``. Raises LoadError with the outcome that fits."""
    raw.FPDF_InitLibrary()
    damage = [REPAIRED] if was_repaired(data) else [BROKEN_OFF] if breaks_off(data) else []
    data, document = _opened(data, password)
    pages = raw.FPDF_GetPageCount(document)
    written = pages_written(data)
    if pages == written and all(_has_page(document, number) for number in range(1, pages + 1)):
        return Opened(document, data, pages, tuple(damage))
    from src.loader.pdf.pagetree import read_tree  # dear to import, and few files need it

    tree = read_tree(data, password, damaged=REPAIRED in damage)
    if tree is None:
        return Opened(document, data, pages, (*damage, *_unchecked(written, pages)))
    if tree.data is not None and not (pages > tree.pages and _has_page(document, pages)):
        mended = raw.FPDF_LoadMemDocument64(tree.data, len(tree.data), _secret(password))
        if mended and raw.FPDF_GetPageCount(mended) == tree.pages:
            raw.FPDF_CloseDocument(document)
            return Opened(mended, tree.data, tree.pages, (*damage, *_told(tree)), tree.lost)
        raw.FPDF_CloseDocument(mended)
        return Opened(document, data, pages, (*damage, *_unchecked(tree.pages, pages)))
    return Opened(document, data, pages, (*damage, *_told(tree)))


def _opened(data: bytes, password: str | None) -> tuple[bytes, Any]:
    secret = _secret(password)
    document = raw.FPDF_LoadMemDocument64(data, len(data), secret)
    if not document and password and not password.isascii():
        # PDF 1.7 and older encrypt with Latin-1 passwords, newer with UTF-8
        document = raw.FPDF_LoadMemDocument64(data, len(data), password.encode("latin-1", "ignore"))
    header = data.find(b"%PDF-")
    if not document and raw.FPDF_GetLastError() == raw.FPDF_ERR_FORMAT and header > _SEARCHED_FOR_HEADER:
        # a mail or a form was saved with its head; PDFium looks no further than this, other readers do
        data = data[header:]
        document = raw.FPDF_LoadMemDocument64(data, len(data), secret)
    if not document and raw.FPDF_GetLastError() == raw.FPDF_ERR_FORMAT:
        mended = with_new_end(data)
        if mended is not None:
            data, document = mended, raw.FPDF_LoadMemDocument64(mended, len(mended), secret)
    if not document:
        raise _open_error(data, raw.FPDF_GetLastError(), password)
    return data, document


def _secret(password: str | None) -> bytes | None:
    return password.encode("utf-8") if password else None


def _has_page(document: Any, number: int) -> bool:
    """Whether the tree leads to page ``number`` (1-based)."""
    return bool(raw.FPDF_GetPageSizeByIndexF(document, number - 1, raw.FS_SIZEF()))


def _told(tree: PageTree) -> list[str]:
    """What the reader is told of a page tree."""
    notes = []
    if 0 < tree.said < tree.pages:
        notes.append(f"This file says that it has {_pages(tree.said)}, but {tree.pages} were found in it.")
    if tree.said > tree.pages:
        notes.append(
            f"This file says that it has {_pages(tree.said)}, but only {tree.pages} could be found in it: "
            "the others are missing."
        )
    if tree.found:
        notes.append(
            f"This file is damaged: part of its list of pages is lost. It no longer names {_pages(tree.found)}, read in "
            "the order of their numbers in the file, which may not be the right one."
        )
    if tree.left:
        notes.append(
            f"The list of pages of this damaged file does not name {_pages(tree.left)} more, not read here: deleted "
            "before, or lost with the damage."
        )
    return notes


def _unchecked(written: int, pages: int) -> list[str]:
    if written <= pages:
        return []
    return [
        f"The list of pages of this file is damaged and leads to only {pages} of up to {_pages(written)}: "
        "the others were not read."
    ]


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"


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
