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
from typing import Any

from src.loader.process import Worker, WorkerLostError
from src.loader.wire import Frame
from src.records import LoadError, Outcome
from src.settings import Settings

log = logging.getLogger(__name__)

READING_SETTINGS = (
    "x_tolerance", "max_file_mb", "max_pages", "page_seconds", "load_seconds", "worker_memory_mb",
    "max_image_megapixels", "ocr", "ocr_languages", "ocr_seconds", "tables",
)  # fmt: skip
_REASONS = {
    "died": "The page stopped the reader.",
    "time": "The page took too long to read.",
    "memory": "The page needs more memory than is allowed.",
}
_OPENING = {
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


class CancelledError(Exception):
    """The reading was cancelled by the caller."""


@dataclass(slots=True)
class Reader:
    """Reads one file with workers of its own. ``deadline`` is a time of ``time.monotonic``."""

    data: bytes
    password: str | None
    settings: Settings
    cancel: threading.Event
    deadline: float
    peak_mb: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> tuple[Worker, Frame]:
        """A worker that has the file open, and its "opened" frame. Raises LoadError or CancelledError."""
        worker = Worker(self.settings.worker_memory_mb)
        try:
            worker.send(self._open_request())
            seconds = max(self.settings.page_seconds, 30.0)
            opened = self._receive(worker, seconds)
            if opened.kind == "failed":
                raise LoadError(Outcome(opened.fields["outcome"]), str(opened.fields["message"]))
            self._receive(worker, seconds)
        except WorkerLostError as error:
            worker.close()
            raise LoadError(*_OPENING[error.cause]) from error
        except BaseException:
            worker.close()
            raise
        return worker, opened

    def drive(
        self,
        pages: Sequence[int],
        request: Callable[[Sequence[int]], Frame],
        on_frame: Callable[[int, Frame], None],
        on_lost: Callable[[int, str], None],
        *,
        worker: Worker | None = None,
        seconds: float | None = None,
    ) -> Worker | None:
        """Ask for ``pages`` and hand each answer to ``on_frame(page, frame)``; a page that costs a worker goes to
        ``on_lost(page, reason)``. Returns the worker that is still alive. Raises CancelledError."""
        left = list(pages)
        limit = seconds or self.settings.page_seconds
        while left:
            if time.monotonic() > self.deadline:
                for page in left:
                    on_lost(page, OVERTIME)
                break
            try:
                if worker is None:
                    worker, _ = self.start()
                worker.send(request(left))
                while left:
                    frame = self._receive(worker, min(limit, max(0.1, self.deadline - time.monotonic())))
                    if frame.kind in ("done", "failed"):
                        raise WorkerLostError("died", f"answered {frame.kind} before page {left[0]}")
                    on_frame(left[0], frame)
                    left.pop(0)
                self._receive(worker, limit)
            except WorkerLostError as error:
                self._note_peak(worker)
                if worker is not None:
                    worker.close()
                worker = None
                if left and time.monotonic() <= self.deadline:
                    on_lost(left.pop(0), _REASONS[error.cause])
            except BaseException:
                if worker is not None:
                    worker.close()
                raise
        self._note_peak(worker)
        return worker

    def _receive(self, worker: Worker, seconds: float) -> Frame:
        frame = worker.receive(seconds, self.cancel)
        if frame is None or self.cancel.is_set():
            raise CancelledError
        return frame

    def _note_peak(self, worker: Worker | None) -> None:
        if worker is not None:
            with self.lock:
                self.peak_mb = max(self.peak_mb, worker.peak_mb)

    def _open_request(self) -> Frame:
        values = self.settings.model_dump(mode="json")
        fields: dict[str, Any] = {
            "settings": {name: values[name] for name in READING_SETTINGS},
            "password": self.password,
        }
        return Frame("open", fields, {"data": self.data})
