"""The app's side of reading: hands pages to workers, keeps what they send, replaces a worker that dies.

A page on which a worker dies, hangs or grows too large is given up, with its reason; the others are read by the next
worker.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from src.loader.options import option_fields
from src.loader.process import Worker, WorkerLostError
from src.loader.wire import Frame, WireError
from src.records import LoadError, Outcome

if TYPE_CHECKING:  # a worker, which imports this package, does without
    from src.settings import Settings

log = logging.getLogger(__name__)

REASONS = {
    "error": "The page could not be read.",
    "died": "The page stopped the reader.",
    "time": "The page took too long to read.",
    "memory": "The page needs more memory than is allowed (DOCENGINE_WORKER_MEMORY_MB).",
}
OPENING = {
    "died": (Outcome.DAMAGED, "This PDF is damaged: it stops the reader. Download or export it again."),
    "time": (
        Outcome.TIMEOUT,
        "Opening this PDF took too long and was stopped. Save it again as PDF and try that.",
    ),
    "memory": (
        Outcome.TOO_LARGE,
        "Opening this PDF needs more memory than is allowed. Raise DOCENGINE_WORKER_MEMORY_MB or split the file.",
    ),
}
OVERTIME = (
    "Reading was stopped before this page: the time for the whole file (DOCENGINE_LOAD_SECONDS) was used up."
)
FINISHED = "Reading was stopped before this page."
_OPEN_SECONDS = 30.0

OnFrame = Callable[[int, Frame], None]
OnLost = Callable[[int, str], None]


class CancelledError(Exception):
    """The reading was cancelled by the caller."""


@dataclass(slots=True)
class Reader:
    """Reads one file with workers of its own. ``deadline`` is a time of ``time.monotonic``; ``finish`` ends the
    reading with what there is; ``briefing`` is what every worker has to be told before it assembles pages."""

    data: bytes
    password: str | None
    settings: Settings
    cancel: threading.Event
    deadline: float
    finish: threading.Event = field(default_factory=threading.Event)
    briefing: Frame | None = None
    briefed: set[int] = field(default_factory=set)
    peak_mb: float = 0.0
    spare: Worker | None = None
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def stopped(self) -> bool:
        """Whether the caller cancelled, or no longer listens."""
        return self.cancel.is_set() or self.stop.is_set()

    def start(self, *, beside: bool = False) -> tuple[Worker, Frame]:
        """A worker that has the file open, and its "opened" frame. ``beside`` starts the worker that the next
        ``start`` will take: its imports, half a second, then run while this one opens the file. Raises LoadError or
        CancelledError."""
        with self.lock:
            worker, self.spare = self.spare, None
        worker = worker or Worker(self.settings.worker_memory_mb)
        if beside:
            self.spare = Worker(self.settings.worker_memory_mb)
        try:
            opened = self.ask(worker, self._open_request())
        except WorkerLostError as error:
            worker.close()
            raise LoadError(*OPENING[error.cause]) from error
        except BaseException:
            worker.close()
            raise
        return worker, opened

    def close(self) -> None:
        """End a worker that was started and not taken."""
        with self.lock:
            worker, self.spare = self.spare, None
        if worker is not None:
            worker.close()

    def ask(self, worker: Worker, request: Frame) -> Frame:
        """The one frame that answers ``request``. Raises LoadError when the answer is "failed"."""
        seconds = max(self.settings.page_seconds, _OPEN_SECONDS)
        worker.send(request)
        answer = self._receive(worker, seconds)
        if answer.kind == "failed":
            raise LoadError(Outcome(answer.fields["outcome"]), str(answer.fields["message"]))
        self._receive(worker, seconds)
        return answer

    def brief(self, worker: Worker) -> Frame:
        """Tell ``worker`` the briefing; its answer."""
        assert self.briefing is not None
        answer = self.ask(worker, self.briefing)
        self.briefed.add(worker.pid)
        return answer

    def drive(
        self,
        pages: Sequence[int],
        request: Callable[[Sequence[int]], Frame],
        on_frame: OnFrame,
        on_lost: OnLost,
        *,
        worker: Worker | None = None,
        seconds: float | None = None,
        to_the_end: bool = False,
    ) -> Worker | None:
        """Ask for ``pages`` and hand each answer to ``on_frame(page, frame)``; a page that costs a worker goes to
        ``on_lost(page, reason)``, and so do those that are left when ``finish`` is set, unless the work is to go on
        ``to_the_end``. Returns the worker that is still alive. Raises CancelledError."""
        left = list(pages)
        limit = seconds or self.settings.page_seconds
        while left:
            if time.monotonic() > self.deadline:
                for page in left:
                    on_lost(page, OVERTIME)
                break
            if self.finish.is_set() and not to_the_end:
                for page in left:
                    on_lost(page, FINISHED)
                break
            try:
                if worker is None:
                    worker, _ = self.start()
                if self.briefing is not None and worker.pid not in self.briefed:
                    self.brief(worker)
                worker.send(request(left))
                self._take(worker, left, limit, on_frame, on_lost, to_the_end)
            except WorkerLostError as error:
                self._closed(worker)
                worker = None
                if left and error.cause != "finish" and time.monotonic() <= self.deadline:
                    on_lost(left.pop(0), REASONS[error.cause])
            except BaseException:
                self._closed(worker)
                raise
        return worker

    def _take(
        self,
        worker: Worker,
        left: list[int],
        limit: float,
        on_frame: OnFrame,
        on_lost: OnLost,
        to_the_end: bool,
    ) -> None:
        """Receive the answers for ``left``, removing each page as it comes."""
        while left:
            frame = self._receive(worker, min(limit, max(0.1, self.deadline - time.monotonic())))
            if frame.kind in ("done", "failed"):
                raise WorkerLostError("died", f"answered {frame.kind} before page {left[0]}")
            if frame.kind == "lost":
                log.error("page %d: %s", left[0], frame.fields.get("error"))
                on_lost(left[0], REASONS["error"])
            else:
                try:
                    on_frame(left[0], frame)
                except WireError:
                    log.exception("page %d", left[0])
                    on_lost(left[0], REASONS["error"])
            left.pop(0)
            if left and self.finish.is_set() and not to_the_end:
                raise WorkerLostError("finish", "the reading was to end here")
        self._receive(worker, limit)

    def _receive(self, worker: Worker, seconds: float) -> Frame:
        frame = worker.receive(seconds, self.stopped)
        if frame is None or self.stopped():
            raise CancelledError
        return frame

    def _closed(self, worker: Worker | None) -> None:
        if worker is not None:
            with self.lock:
                self.peak_mb = max(self.peak_mb, worker.peak_mb)
            worker.close()

    def _open_request(self) -> Frame:
        fields = {"settings": option_fields(self.settings), "password": self.password}
        return Frame("open", fields, {"data": self.data})
