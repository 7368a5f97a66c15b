"""The process that parses PDFs: ``python -m src.loader.worker``, frames in on stdin, frames out on stdout.

Requests: "open" (a PDF), "read" (pages to layouts and facts), "assemble" (layouts to pages). It keeps the open PDF
between requests and answers a request page by page, so that the app knows which page it died on.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from src.loader import outline
from src.loader.assemble import Context, assemble_page
from src.loader.facts import decode_facts, document_facts, encode_facts, page_facts
from src.loader.layout import PageLayout, from_frame, to_frame
from src.loader.pdfium import PdfSource
from src.loader.transfer import page_frame
from src.loader.wire import Frame, WireError, decode, encode, read_frame, write_frame
from src.loader.words import read_layout
from src.records import LoadError, Outcome
from src.settings import Settings

log = logging.getLogger(__name__)


class Session:
    """The PDF that is open and the settings it is read with."""

    def __init__(self) -> None:
        self.source: PdfSource | None = None
        self.settings = Settings()

    def answer(self, request: Frame) -> Iterator[Frame]:
        """The frames that answer ``request``; the last one has the kind "done" or "failed"."""
        try:
            if request.kind == "open":
                yield self._open(request)
            elif request.kind == "read":
                yield from self._read(request)
            elif request.kind == "assemble":
                yield from self._assemble(request)
            else:
                raise WireError(f"unknown request {request.kind!r}")
        except LoadError as error:
            yield Frame("failed", {"outcome": error.outcome.value, "message": error.message})
            return
        yield Frame("done")

    def _open(self, request: Frame) -> Frame:
        self.settings = Settings(**request.fields["settings"])
        source = self.source = PdfSource(request.blob("data"), request.fields.get("password"))
        if source.pages < 1:
            raise LoadError(Outcome.EMPTY, "This PDF has no pages. Upload a file with at least one page.")
        entries = [[e.title, e.level, e.page] for e in outline.outline(source)]
        fields = {
            "pages": source.pages,
            "title": outline.title(source),
            "labels": outline.labels(source) if source.pages <= self.settings.max_pages else [],
            "outline": entries,
            "notes": [],
        }
        return Frame("opened", fields)

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
            return read_layout(page, self.settings.x_tolerance)
        except (ValueError, IndexError, KeyError, OverflowError, ArithmeticError):
            log.exception("page %d", number)
            return PageLayout(number, page.width, page.height, failed="The page could not be read.")
        finally:
            page.close()

    def _assemble(self, request: Frame) -> Iterator[Frame]:
        facts = document_facts(decode_facts(line) for line in request.blob("facts").splitlines())
        labels = request.fields["labels"]
        for number in request.fields["pages"]:
            layout = from_frame(decode(request.blob(f"layout {number}")))
            label = labels[number - 1] if number <= len(labels) else ""
            yield page_frame(assemble_page(layout, Context(label, facts.vocabulary)))


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
