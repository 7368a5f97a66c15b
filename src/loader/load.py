"""``load``: the snapshots of one file, first its text, then what later stages add."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from src.loader.layout import PageLayout, to_frame
from src.loader.process import Worker
from src.loader.reading import CancelledError, Reader
from src.loader.transfer import page_from
from src.loader.wire import Frame, Part, WireError, encode
from src.records import (
    Document,
    LoadError,
    Outcome,
    OutlineEntry,
    Page,
    PageState,
    Progress,
)
from src.settings import Settings

log = logging.getLogger(__name__)

_TWO_WORKERS_FROM = 24  # pages; below it starting a second process costs more than it gives


def load(
    data: bytes,
    name: str,
    settings: Settings,
    *,
    password: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    pause: Callable[[], bool] | None = None,
) -> Iterator[Document]:
    """Snapshots of the PDF ``data``: first the text of all pages, then better ones, the last with no ``pending``.

    ``on_progress`` is called from worker threads. ``cancel`` ends the iteration at the next page. Raises LoadError
    with one sentence for the reader when the file cannot be read.
    """
    _check_size(data, settings)
    reader = Reader(
        data, password, settings, cancel or threading.Event(), time.monotonic() + settings.load_seconds
    )
    reading = _Reading(reader, name, on_progress or (lambda _: None))
    try:
        yield from reading.snapshots()
    except CancelledError:
        return
    finally:
        reading.close()


def _check_size(data: bytes, settings: Settings) -> None:
    if not data:
        raise LoadError(Outcome.EMPTY, "This file is empty. Upload a PDF with content.")
    if len(data) > settings.max_file_mb * 2**20:
        size = len(data) / 2**20
        raise LoadError(
            Outcome.TOO_LARGE,
            f"This file has {size:.0f} MB, more than the {settings.max_file_mb} MB allowed "
            "(DOCENGINE_MAX_FILE_MB). Split it or raise the limit.",
        )


@dataclass(slots=True)
class _Reading:
    """One reading of one file: what came from the workers so far, by page."""

    reader: Reader
    name: str
    on_progress: Callable[[Progress], None]
    layouts: dict[int, bytes] = field(default_factory=dict)
    facts: dict[int, bytes] = field(default_factory=dict)
    pages: dict[int, Page] = field(default_factory=dict)
    workers: list[Worker | None] = field(default_factory=list)
    opened: Frame = field(default_factory=lambda: Frame("opened"))

    def snapshots(self) -> Iterator[Document]:
        worker, self.opened = self.reader.start()
        self.workers = [worker]
        settings = self.reader.settings
        count = int(self.opened.fields["pages"])
        if count > settings.max_pages:
            raise LoadError(
                Outcome.TOO_LARGE,
                f"This PDF has {count} pages, more than the {settings.max_pages} allowed (DOCENGINE_MAX_PAGES). "
                "Split it or raise the limit.",
            )
        ranges = _ranges(count)
        self.workers += [None] * (len(ranges) - 1)
        self._in_parallel(self._read, ranges)
        self._in_parallel(self._assemble, ranges)
        document = self._document(0)
        if not any(page.text.strip() for page in document.pages):
            raise LoadError(
                Outcome.NO_TEXT,
                "No text could be read in this PDF; its pages are pictures or empty. Upload a version with text.",
            )
        yield document

    def close(self) -> None:
        for worker in self.workers:
            if worker is not None:
                worker.close()

    def _in_parallel(
        self, task: Callable[[int, Sequence[int]], None], ranges: Sequence[Sequence[int]]
    ) -> None:
        if len(ranges) == 1:
            task(0, ranges[0])
            return
        with ThreadPoolExecutor(len(ranges), "loader") as pool:
            for future in [pool.submit(task, place, pages) for place, pages in enumerate(ranges)]:
                future.result()

    def _read(self, place: int, pages: Sequence[int]) -> None:
        def keep(page: int, frame: Frame) -> None:
            self.layouts[page] = frame.blob("layout")
            self.facts[page] = frame.blob("facts")
            self.on_progress(Progress("text", len(self.layouts), int(self.opened.fields["pages"])))

        def lose(page: int, reason: str) -> None:
            self.layouts[page] = encode(to_frame(PageLayout(page, 612, 792, failed=reason)))

        self.workers[place] = self.reader.drive(
            pages,
            lambda left: Frame("read", {"pages": list(left)}),
            keep,
            lose,
            worker=self.workers[place],
        )

    def _assemble(self, place: int, pages: Sequence[int]) -> None:
        facts = b"\n".join(self.facts[number] for number in sorted(self.facts))

        def request(left: Sequence[int]) -> Frame:
            parts: dict[str, Part] = {f"layout {page}": self.layouts[page] for page in left}
            labels = self.opened.fields["labels"]
            return Frame("assemble", {"pages": list(left), "labels": labels}, {"facts": facts, **parts})

        def keep(page: int, frame: Frame) -> None:
            made = page_from(frame)
            if made.number != page:
                raise WireError(f"page {made.number} came instead of page {page}")
            self.pages[page] = made

        def lose(page: int, reason: str) -> None:
            self.pages[page] = lost_page(page, reason)

        self.workers[place] = self.reader.drive(pages, request, keep, lose, worker=self.workers[place])

    def _document(self, revision: int) -> Document:
        pages = tuple(self.pages[number] for number in sorted(self.pages))
        fields = self.opened.fields
        entries = tuple(OutlineEntry(str(t), int(level), int(page)) for t, level, page in fields["outline"])
        return Document(
            id=hashlib.sha256(self.reader.data).hexdigest(),
            name=self.name,
            title=str(fields["title"]),
            pages=pages,
            outline=entries,
            notes=tuple(str(note) for note in fields["notes"]),
            revision=revision,
        )


def lost_page(number: int, reason: str) -> Page:
    """A page that could not be read, with the reason."""
    import numpy as np

    nothing = np.empty((0, 4), np.float32)
    return Page(number, "", 612, 792, "", nothing, (), state=PageState.UNREADABLE, reason=reason)


def _ranges(count: int) -> list[list[int]]:
    pages = list(range(1, count + 1))
    if count < _TWO_WORKERS_FROM:
        return [pages]
    half = (count + 1) // 2
    return [pages[:half], pages[half:]]
