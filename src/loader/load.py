"""``load``: the snapshots of one file, first its text, then with tables, then with what OCR reads."""

from __future__ import annotations

import hashlib
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from src.loader.layout import PageLayout, to_frame
from src.loader.notes import EMPTY, page_notes
from src.loader.process import Worker, WorkerLostError
from src.loader.reading import OPENING, REASONS, CancelledError, Reader
from src.loader.tables.continued import continue_tables
from src.loader.transfer import page_from
from src.loader.wire import Frame, Part, WireError, encode
from src.records import Attachment, Document, LoadError, Outcome, OutlineEntry, Page, PageState, Progress

if TYPE_CHECKING:  # a worker, which imports this package, does without
    from src.settings import Settings

log = logging.getLogger(__name__)

_TWO_WORKERS_FROM = 24  # pages; below it starting a second process costs more than it gives
_TWO_WORKERS_BYTES = 150_000  # a file of so many bytes may be that long
_MAX_OCR_WORKERS = 4
_SNAPSHOT_SECONDS = 12.0  # between snapshots of OCR: each costs an index
_OCR_OFF = "The page has no text layer, and OCR is switched off (DOCENGINE_OCR)."


def load(
    data: bytes,
    name: str,
    settings: Settings,
    *,
    password: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
    finish: threading.Event | None = None,
    pause: Callable[[], bool] | None = None,
) -> Iterator[Document]:
    """Snapshots of the PDF ``data``: first the text of all pages, then better ones, the last with no ``pending``.

    ``on_progress`` is called from worker threads. ``cancel`` ends the iteration at the next page;
    ``finish`` ends the reading there, and the last snapshot holds what there is. While ``pause()``
    is true no further page goes to OCR. Raises LoadError with one sentence for the reader when the file cannot be
    read; NO_TEXT may come after snapshots whose pages were all waiting for OCR.
    """
    _check_size(data, settings)
    reader = Reader(
        data, password, settings, cancel or threading.Event(), time.monotonic() + settings.load_seconds
    )
    reader.finish = finish or reader.finish
    reading = _Reading(reader, name, on_progress or (lambda _: None), pause or (lambda: False))
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
    pause: Callable[[], bool]
    layouts: dict[int, bytes] = field(default_factory=dict)
    facts: dict[int, bytes] = field(default_factory=dict)
    pages: dict[int, Page] = field(default_factory=dict)
    wants_ocr: set[int] = field(default_factory=set)
    doubtful: set[int] = field(default_factory=set)
    given_up: set[int] = field(default_factory=set)
    workers: list[Worker | None] = field(default_factory=list)
    opened: Frame = field(default_factory=lambda: Frame("opened"))
    revision: int = -1

    @property
    def count(self) -> int:
        return int(self.opened.fields["pages"])

    def snapshots(self) -> Iterator[Document]:
        settings = self.reader.settings
        worker, self.opened = self.reader.start(beside=len(self.reader.data) >= _TWO_WORKERS_BYTES)
        self.workers = [worker]
        if self.count > settings.max_pages:
            raise LoadError(
                Outcome.TOO_LARGE,
                f"This PDF has {self.count} pages, more than the {settings.max_pages} allowed "
                "(DOCENGINE_MAX_PAGES). Split it or raise the limit.",
            )
        ranges = _ranges(self.count)
        self.workers += [None] * (len(ranges) - 1)
        self._in_parallel(self._read, ranges)
        brief = self._brief()
        self._in_parallel(self._assemble, ranges)
        pending = self._pending(brief)
        yield self._document(pending)
        if "tables" in pending:
            self._in_parallel(self._find_tables, ranges)
            pending = tuple(stage for stage in pending if stage != "tables")
            yield self._document(pending)
        if "ocr" in pending:
            yield from self._ocr_snapshots()

    def close(self) -> None:
        self.reader.stop.set()
        self.reader.close()
        for worker in self.workers:
            if worker is not None:
                worker.close()

    # --- text ---

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
            self.on_progress(Progress("text", len(self.layouts), self.count))

        def lose(page: int, reason: str) -> None:
            self.layouts[page] = encode(to_frame(PageLayout(page, 612, 792, failed=reason)))
            if reason not in (REASONS["died"], REASONS["error"]):
                self.given_up.add(page)  # what took too long once is not tried again by the slower reader

        self.workers[place] = self.reader.drive(
            pages, lambda left: Frame("read", {"pages": list(left)}), keep, lose, worker=self.workers[place]
        )

    def _brief(self) -> Frame:
        """Make the briefing of all workers and have the first one answer it. One that ends a worker is replaced by
        one that says nothing of the document: its pages are then read each for itself."""
        facts = b"\n".join(self.facts[number] for number in sorted(self.facts))
        known = {name: self.opened.fields[name] for name in ("labels", "outline")}
        briefings = (
            Frame("facts", known, {"facts": facts}),
            Frame("facts", {"labels": [], "outline": []}, {"facts": b""}),
        )
        for self.reader.briefing in briefings:
            first = self.workers[0] or self.reader.start()[0]
            self.workers[0] = first
            try:
                return self.reader.brief(first)
            except WorkerLostError as error:
                log.warning("briefing: %s", error)
                first.close()
                self.workers[0] = None
        raise LoadError(*OPENING["died"])

    def _request(self, kind: str) -> Callable[[Sequence[int]], Frame]:
        def request(left: Sequence[int]) -> Frame:
            parts: dict[str, Part] = {f"layout {page}": self.layouts[page] for page in left}
            return Frame(kind, {"pages": list(left)}, parts)

        return request

    def _take_page(self, page: int, frame: Frame) -> None:
        made = page_from(frame)
        if made.number != page:
            raise WireError(f"page {made.number} came instead of page {page}")
        self.pages[page] = made

    def _assemble(self, place: int, pages: Sequence[int]) -> None:
        def keep(page: int, frame: Frame) -> None:
            self._take_page(page, frame)
            if frame.fields.get("wants_ocr") and page not in self.given_up:
                self.wants_ocr.add(page)
            if frame.fields.get("doubtful"):
                self.doubtful.add(page)

        def lose(page: int, reason: str) -> None:
            self.pages[page] = lost_page(page, reason)

        self.workers[place] = self.reader.drive(
            pages, self._request("assemble"), keep, lose, worker=self.workers[place], to_the_end=True
        )

    def _pending(self, brief: Frame) -> tuple[str, ...]:
        """The stages still to come; pages that wait for an OCR that will not come are unreadable."""
        missing = brief.fields["ocr_missing"]
        if missing is None or missing:
            self.wants_ocr &= self.doubtful  # the second reader needs no OCR
            for number, page in self.pages.items():
                if page.state is PageState.PENDING and number not in self.wants_ocr:
                    reason = f"{page.reason} {missing}" if missing else _OCR_OFF
                    self.pages[number] = replace(page, state=PageState.UNREADABLE, reason=reason)
        stages = {"tables": self.reader.settings.tables, "ocr": bool(self.wants_ocr)}
        return tuple(stage for stage, comes in stages.items() if comes)

    # --- later stages ---

    def _find_tables(self, place: int, pages: Sequence[int]) -> None:
        done = 0

        def keep(page: int, frame: Frame) -> None:
            nonlocal done
            done += 1
            if frame.kind != "unchanged":
                # a page that OCR will read again keeps the state it has now
                state, reason = self.pages[page].state, self.pages[page].reason
                self._take_page(page, frame)
                self.pages[page] = replace(self.pages[page], state=state, reason=reason)
            self.on_progress(Progress("tables", done, len(pages)))

        self.workers[place] = self.reader.drive(
            pages, self._request("tables"), keep, _keep_as_it_was, worker=self.workers[place]
        )

    def _ocr_snapshots(self) -> Iterator[Document]:
        """Snapshots while pages come back from OCR: after the first page, then not too often, and at the end."""
        waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in sorted(self.wants_ocr):
            waiting.put(number)
        total, last, shown = len(self.wants_ocr), 0.0, 0
        count = max(1, min(os.cpu_count() or 1, _MAX_OCR_WORKERS, total))
        self.workers += [None] * (count - len(self.workers))
        read: queue.SimpleQueue[int] = queue.SimpleQueue()
        pool = ThreadPoolExecutor(count, "loader-ocr")
        try:
            tasks = [pool.submit(self._ocr, place, waiting, read) for place in range(count)]
            while shown < total:
                if (failed := _failure(tasks)) is not None:
                    raise failed
                try:
                    read.get(timeout=0.25)
                except queue.Empty:
                    continue
                shown += 1
                self.on_progress(Progress("ocr", shown, total))
                if shown < total and time.monotonic() - last > _SNAPSHOT_SECONDS:
                    last = time.monotonic()
                    yield self._document(("ocr",))
            yield self._document(())
        finally:
            self.reader.stop.set()
            pool.shutdown(wait=True)

    def _ocr(self, place: int, waiting: queue.SimpleQueue[int], read: queue.SimpleQueue[int]) -> None:
        def lose(page: int, reason: str) -> None:
            if self.pages[page].state is PageState.PENDING:
                self.pages[page] = replace(self.pages[page], state=PageState.UNREADABLE, reason=reason)

        while True:
            while self.pause() and not self.reader.stopped() and not self.reader.finish.is_set():
                time.sleep(0.1)
            try:
                page = waiting.get_nowait()
            except queue.Empty:
                return
            settings = self.reader.settings
            failed = self.pages[page].state is PageState.UNREADABLE
            self.workers[place] = self.reader.drive(
                [page],
                self._request("ocr"),
                self._take_page,
                lose,
                worker=self.workers[place],
                seconds=settings.page_seconds if failed else settings.ocr_seconds,
            )
            read.put(page)

    # --- the document ---

    def _document(self, pending: tuple[str, ...]) -> Document:
        """The next snapshot. Raises LoadError when reading has ended and no page has text."""
        pages = tuple(self.pages[number] for number in sorted(self.pages))
        if not pending and not any(page.text.strip() for page in pages):
            raise _no_text(pages)
        if any(page.tables for page in pages):
            pages = continue_tables(pages)
        fields = self.opened.fields
        self.revision += 1
        return Document(
            id=hashlib.sha256(self.reader.data).hexdigest(),
            name=self.name,
            title=str(fields["title"]),
            pages=pages,
            outline=tuple(
                OutlineEntry(str(t), int(level), int(page)) for t, level, page in fields["outline"]
            ),
            notes=(*(str(note) for note in fields["notes"]), *page_notes(pages)),
            attachments=tuple(
                Attachment(str(name), self.opened.blob(f"attachment {n}"))
                for n, name in enumerate(fields["attachments"])
            ),
            revision=self.revision,
            pending=pending,
        )


def lost_page(number: int, reason: str) -> Page:
    """A page that could not be read, with the reason."""
    nothing = np.empty((0, 4), np.float32)
    return Page(number, "", 612, 792, "", nothing, (), state=PageState.UNREADABLE, reason=reason)


def _keep_as_it_was(page: int, reason: str) -> None:
    log.warning("tables of page %d: %s", page, reason)


def _failure(tasks: Sequence[Future[None]]) -> BaseException | None:
    return next((t.exception() for t in tasks if t.done() and t.exception() is not None), None)


def _no_text(pages: Sequence[Page]) -> LoadError:
    unreadable = [page.reason for page in pages if page.state is PageState.UNREADABLE]
    told = [page.reason for page in pages if page.reason not in ("", EMPTY)]
    for reason in (*unreadable, *told):
        return LoadError(Outcome.NO_TEXT, f"No text could be read in this PDF. {reason}")
    return LoadError(
        Outcome.NO_TEXT, "This PDF has no text: its pages are empty. Upload a version with text."
    )


def _ranges(count: int) -> list[list[int]]:
    pages = list(range(1, count + 1))
    if count < _TWO_WORKERS_FROM:
        return [pages]
    half = (count + 1) // 2
    return [pages[:half], pages[half:]]
