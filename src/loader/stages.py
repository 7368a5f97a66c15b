"""The stages that follow the first text: what they are given, what they return, and where they are looked for.

``src.loader.tables`` supplies ``find_tables`` and ``continue_tables``, ``src.loader.ocr`` supplies ``missing``,
``wants`` and ``read_page``. A module that is not there means that its stage does not exist: nothing is pending then.
All of them run in the worker except ``continue_tables``, which only sees finished pages.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from src.loader.layout import PageLayout, TableRegion
from src.records import Page, PageState
from src.settings import Settings

if TYPE_CHECKING:
    from src.loader.pdfium import PdfSource


@dataclass(frozen=True, slots=True, eq=False)
class OcrPage:
    """What OCR made of a page.

    ``layout`` holds the words that count now: recognised ones added (``layout.with_words``), untrusted ones taken
    out (``layout.without_words``), ``garbled`` emptied when it no longer holds. ``state`` is OCR, MIXED, TEXT (there
    was nothing more to read), EMPTY or UNREADABLE, with ``reason`` in words.
    """

    layout: PageLayout
    state: PageState
    reason: str = ""


class FindTables(Protocol):
    """``src.loader.tables.find_tables``: the tables of a page, from top to bottom; may raise nothing but LoadError."""

    def __call__(
        self, layout: PageLayout, source: PdfSource, settings: Settings
    ) -> tuple[TableRegion, ...]: ...


class ContinueTables(Protocol):
    """``src.loader.tables.continue_tables``: all pages, with title, unit and columns carried over page breaks."""

    def __call__(self, pages: Sequence[Page]) -> tuple[Page, ...]: ...


class OcrMissing(Protocol):
    """``src.loader.ocr.missing``: "" when OCR can run, else one sentence with the command that makes it run."""

    def __call__(self, settings: Settings) -> str: ...


class WantsOcr(Protocol):
    """``src.loader.ocr.wants``: whether OCR should look at a page (no text, garbled, or pictures with text)."""

    def __call__(self, layout: PageLayout, settings: Settings) -> bool: ...


class ReadPage(Protocol):
    """``src.loader.ocr.read_page``: OCR of one page; may raise nothing but LoadError."""

    def __call__(self, layout: PageLayout, source: PdfSource, settings: Settings) -> OcrPage: ...


@dataclass(frozen=True, slots=True)
class TablesStage:
    """The tables module's functions."""

    find: FindTables
    carry_over: ContinueTables


@dataclass(frozen=True, slots=True)
class OcrStage:
    """The OCR module's functions."""

    missing: OcrMissing
    wants: WantsOcr
    read: ReadPage


def tables_stage(settings: Settings) -> TablesStage | None:
    """The tables stage, None when it is switched off or not there."""
    if not settings.tables or importlib.util.find_spec("src.loader.tables") is None:
        return None
    module = importlib.import_module("src.loader.tables")
    if not hasattr(module, "find_tables") or not hasattr(module, "continue_tables"):
        return None
    return TablesStage(cast(FindTables, module.find_tables), cast(ContinueTables, module.continue_tables))


def ocr_stage(settings: Settings) -> OcrStage | None:
    """The OCR stage, None when it is switched off or not there."""
    if settings.ocr == "off" or importlib.util.find_spec("src.loader.ocr") is None:
        return None
    module = importlib.import_module("src.loader.ocr")
    if not hasattr(module, "read_page"):
        return None
    return OcrStage(
        cast(OcrMissing, module.missing), cast(WantsOcr, module.wants), cast(ReadPage, module.read_page)
    )
