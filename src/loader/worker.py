"""The process that parses PDFs: ``python -m src.loader.worker``, frames in on stdin, frames out on stdout.

Requests: "open" (a PDF), "read" (pages to layouts and facts), "facts" (what is known of the whole document), then
"assemble", "tables" and "ocr" (layouts to pages). The open PDF is kept between requests; a request is answered page
by page, so that the app knows which page the process died on.
"""

from __future__ import annotations

import ctypes
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, TypeVar

from src.loader.layout import PageLayout, TableRegion, from_frame, to_frame
from src.loader.ocr.stage import is_doubtful, missing, read_page, wants
from src.loader.options import ReadingOptions
from src.loader.pdf import outline
from src.loader.pdf.annotations import with_annotations
from src.loader.pdf.attachments import XFA_NOTE, attachments, is_xfa, portfolio_note
from src.loader.pdf.layers import has_layers
from src.loader.pdf.pdfium import PdfSource
from src.loader.pdf.words import read_layout
from src.loader.structure.assemble import assemble_page
from src.loader.structure.facts import DocumentFacts, decode_facts, document_facts, encode_facts, page_facts
from src.loader.tables.stage import find_tables
from src.loader.transfer import page_frame
from src.loader.wire import Frame, WireError, decode, encode, read_frame, write_frame
from src.records import Attachment, LoadError, Outcome, OutlineEntry, Page

log = logging.getLogger(__name__)

# What code meets in a file nobody foresaw; it costs the page, not the worker.
PAGE_ERRORS = (
    ValueError, LookupError, ArithmeticError, TypeError, AttributeError, RecursionError, LoadError,
    ctypes.ArgumentError,
)  # fmt: skip

Result = TypeVar("Result")


def _or_else(default: Result, what: str, read: Callable[[], Result]) -> Result:
    """What ``read`` returns; ``default`` when a part of the file beside its pages cannot be read."""
    try:
        return read()
    except PAGE_ERRORS:
        log.exception("%s", what)
        return default


class Session:
    """The PDF that is open, the options it is read with, and what is known of the whole document."""

    def __init__(self) -> None:
        self.source: PdfSource | None = None
        self.options = ReadingOptions()
        self.facts = DocumentFacts()
        self.layered = False

    def answer(self, request: Frame) -> Iterator[Frame]:
        """The frames that answer ``request``; the last one has the kind "done" or "failed"."""
        try:
            if request.kind == "open":
                yield self._open(request)
            elif request.kind == "read":
                yield from self._read(request)
            elif request.kind == "facts":
                yield self._take_facts(request)
            elif request.kind in ("assemble", "tables", "ocr"):
                yield from self._pages(request)
            else:
                raise WireError(f"unknown request {request.kind!r}")
        except LoadError as error:
            yield Frame("failed", {"outcome": error.outcome.value, "message": error.message})
            return
        yield Frame("done")

    def _open(self, request: Frame) -> Frame:
        self.options = ReadingOptions(**request.fields["settings"])
        source = self.source = PdfSource(request.blob("data"), request.fields.get("password"))
        self.layered = has_layers(source.data)
        if source.pages < 1 and source.notes:
            raise LoadError(
                Outcome.DAMAGED, "This PDF is damaged: no page was found in it. Download or export it again."
            )
        if source.pages < 1:
            raise LoadError(Outcome.EMPTY, "This PDF has no pages. Upload a file with at least one page.")
        limit = self.options.max_file_mb * 2**20
        held = _or_else(list[Attachment](), "attachments", lambda: list(attachments(source, limit)))
        entries = _or_else(tuple[OutlineEntry, ...](), "outline", lambda: outline.outline(source))
        few = source.pages <= self.options.max_pages
        notes = [*([XFA_NOTE] if is_xfa(source) else []), *source.notes]
        if held:
            notes.append(portfolio_note([a.name for a in held]))
        fields = {
            "pages": source.pages,
            "title": _or_else("", "title", lambda: outline.title(source)),
            "labels": _or_else(list[str](), "labels", lambda: outline.labels(source)) if few else [],
            "outline": [[e.title, e.level, e.page] for e in entries],
            "attachments": [a.name for a in held],
            "notes": notes,
        }
        return Frame("opened", fields, {f"attachment {n}": a.data for n, a in enumerate(held)})

    def _read(self, request: Frame) -> Iterator[Frame]:
        for number in request.fields["pages"]:
            layout = self._layout(int(number))
            yield Frame(
                "layout",
                {"page": int(number)},
                {"layout": encode(to_frame(layout)), "facts": encode_facts(page_facts(layout))},
            )

    def _layout(self, number: int) -> PageLayout:
        assert self.source is not None
        try:
            page = self.source.open_page(number)
        except LoadError as error:
            return PageLayout(number, 612, 792, failed=error.message)
        try:
            layout = read_layout(page, self.options.x_tolerance, layered=self.layered)
            return with_annotations(layout, self.source, page)
        except PAGE_ERRORS:
            log.exception("page %d", number)
            return PageLayout(number, page.width, page.height, failed="The page could not be read.")
        finally:
            page.close()

    def _take_facts(self, request: Frame) -> Frame:
        pages = (decode_facts(line) for line in request.blob("facts").splitlines())
        entries = [
            OutlineEntry(str(t), int(level), int(page)) for t, level, page in request.fields["outline"]
        ]
        self.facts = document_facts(pages, [str(label) for label in request.fields["labels"]], entries)
        lacking = missing(self.options) if self.options.ocr != "off" else None
        return Frame("facts", {"ocr_missing": lacking})

    def _pages(self, request: Frame) -> Iterator[Frame]:
        steps: dict[str, Callable[[PageLayout, DocumentFacts], Page | None]] = {
            "assemble": assemble_page,
            "tables": self._with_tables,
            "ocr": self._with_ocr,
        }
        step = steps[request.kind]
        for number in request.fields["pages"]:
            layout = from_frame(decode(request.blob(f"layout {number}")))
            try:
                page = step(layout, self.facts)
                if page is None:
                    yield Frame("unchanged")
                    continue
                frame = page_frame(page)
                flags = {"wants_ocr": wants(layout, self.options), "doubtful": is_doubtful(layout)}
                yield Frame(frame.kind, {**frame.fields, **flags}, frame.parts)
            except PAGE_ERRORS as error:
                log.exception("page %d, %s", number, request.kind)
                yield Frame("lost", {"error": repr(error)[:500]})

    def _with_tables(self, layout: PageLayout, facts: DocumentFacts) -> Page | None:
        """The page with its tables, None when it has none and stays as it is."""
        regions = self._regions(layout)
        return assemble_page(layout, facts, tables=regions) if regions else None

    def _with_ocr(self, layout: PageLayout, facts: DocumentFacts) -> Page:
        assert self.source is not None
        read = read_page(layout, self.source, self.options)
        regions = self._regions(read.layout)
        return assemble_page(read.layout, facts, tables=regions, state=read.state, reason=read.reason)

    def _regions(self, layout: PageLayout) -> tuple[TableRegion, ...]:
        return find_tables(layout) if self.options.tables else ()


def _limit_memory() -> None:
    """Where the system can: memory over the limit fails instead of taking the machine with it."""
    limit = int(os.environ.get("DOCENGINE_WORKER_LIMIT_MB", "0")) * 2**20
    if not limit or not sys.platform.startswith("linux"):
        return
    import resource

    with suppress(ValueError, OSError):  # a lower limit may be set from outside
        resource.setrlimit(resource.RLIMIT_DATA, (limit + 512 * 2**20, limit + 512 * 2**20))
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _listen(stream: IO[bytes], requests: queue.Queue[Frame]) -> None:
    """Read requests; the app's end of the pipe closes when the app ends, and this process must not outlive it."""
    try:
        while (frame := read_frame(stream)) is not None:
            requests.put(frame)
    finally:
        os._exit(0)


def main() -> None:
    """Answer requests until the app closes the pipe."""
    _limit_memory()
    # a library that prints must not write into the frames
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests: queue.Queue[Frame] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    session = Session()
    while True:
        for frame in session.answer(requests.get()):
            write_frame(output, frame)


if __name__ == "__main__":
    main()
