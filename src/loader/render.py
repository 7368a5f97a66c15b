"""Page images for the reader, drawn by worker processes that can be killed.

``render_page`` may be called from any number of threads. At most two workers live at a time: each holds the last
few documents open, is killed when a page takes too long or too much memory, and ends by itself when nobody has
asked for a page for a while.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from src.loader.pipe import Head, read_message, write_message
from src.records import Box
from src.settings import ROOT, Settings

WORKERS = 2
IDLE_SECONDS = 60.0
VIEW_PIXELS = 16_000_000  # no screen shows more of a page
WATCH_SECONDS = 0.05
KEPT_ENVIRONMENT = (
    "PATH",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
)


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page: JPEG bytes and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


class RenderError(Exception):
    """A page that cannot be drawn; the message is one sentence for the reader."""


def render_page(
    data: bytes,
    page: int,
    *,
    boxes: Sequence[Box] = (),
    dpi: int = 150,
    password: str | None = None,
    settings: Settings,
    document_id: str = "",
) -> PageImage:
    """Draw the 1-based ``page`` of the PDF ``data`` with those of ``boxes`` that stand on it marked in yellow.

    The image shows the page with its crop box, rotation, annotations and form fields, at ``dpi`` or at what
    VIEW_PIXELS and ``settings.max_image_megapixels`` leave of it. ``document_id`` (the SHA-256 of ``data``, as in
    ``Document.id``) saves hashing a large file at each click. Raises RenderError.
    """
    identity = document_id or hashlib.sha256(data).hexdigest()
    # The password is part of the key: whoever has the same file but not its password must not see its pages.
    key = hashlib.sha256(f"{identity}\0{password or ''}".encode()).hexdigest()
    request: Head = {
        "op": "draw",
        "key": key,
        "page": page,
        "dpi": dpi,
        "max_pixels": min(VIEW_PIXELS, settings.max_image_megapixels * 1_000_000),
        "rects": [(box.x0, box.y0, box.x1, box.y1) for box in boxes if box.page == page],
    }
    worker = _pool.take(key, settings)
    try:
        head, jpeg = worker.ask(request, b"", settings)
        if head["status"] == "missing":
            head, jpeg = worker.ask({"op": "open", "key": key, "password": password}, data, settings)
            if head["status"] == "open":
                worker.keys.add(key)
                head, jpeg = worker.ask(request, b"", settings)
    finally:
        _pool.give_back(worker)
    if head["status"] == "password":
        raise RenderError(
            f"Page {page} cannot be shown: the document needs a password, and the right one was not given."
        )
    if head["status"] != "drawn":
        raise RenderError(f"Page {page} cannot be shown: {head.get('message', 'it could not be drawn')}")
    return PageImage(jpeg, int(head["width"]), int(head["height"]))


def close_workers() -> None:
    """End all idle workers now and give their memory back."""
    _pool.close()


class _Worker:
    """One drawing process and the pipe to it. Used by one thread at a time."""

    def __init__(self, settings: Settings) -> None:
        environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "src.loader.render_worker", str(settings.worker_memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment,
        )
        self.keys: set[str] = set()
        self.used = time.monotonic()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def ask(self, request: Head, body: bytes, settings: Settings) -> tuple[Head, bytes]:
        """One exchange under the time and memory limits. Raises RenderError when the worker had to be killed."""
        assert self.process.stdin
        assert self.process.stdout
        finished, verdict = threading.Event(), list[str]()
        watch = threading.Thread(target=self._watch, args=(finished, verdict, settings), daemon=True)
        watch.start()
        try:
            write_message(self.process.stdin, request, body)
            reply = read_message(self.process.stdout)
        except OSError:
            reply = None
        finally:
            finished.set()
            watch.join()
        if reply is None:
            self.kill()
            raise RenderError(verdict[0] if verdict else "The page cannot be shown: drawing it failed.")
        return reply

    def _watch(self, finished: threading.Event, verdict: list[str], settings: Settings) -> None:
        """Kill the process when it runs over its time or memory, which ends the read in ``ask``."""
        deadline = time.monotonic() + settings.page_seconds
        while not finished.wait(WATCH_SECONDS):
            if time.monotonic() > deadline:
                verdict.append(
                    f"The page cannot be shown: drawing it took over {settings.page_seconds:g} seconds."
                )
            else:
                try:
                    used = psutil.Process(self.process.pid).memory_info().rss // 2**20
                except psutil.Error:
                    return
                if used <= settings.worker_memory_mb:
                    continue
                verdict.append(
                    f"The page cannot be shown: drawing it took over {settings.worker_memory_mb} MB."
                )
            self.process.kill()
            return

    def kill(self) -> None:
        """End the process and close its pipes."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(OSError):  # bytes of a request that the dead process never read
                    pipe.close()
        self.process.wait()


class _Pool:
    """At most WORKERS workers, shared by all threads; one that holds the document is preferred."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._idle: list[_Worker] = []
        self._busy = 0
        self._reaper: threading.Thread | None = None

    def take(self, key: str, settings: Settings) -> _Worker:
        """A living worker for this thread alone; waits when all are busy. Raises RenderError after the time limit."""
        deadline = time.monotonic() + 2 * settings.page_seconds
        with self._condition:
            while not self._idle and self._busy >= WORKERS:
                if not self._condition.wait(max(0.0, deadline - time.monotonic())):
                    raise RenderError("The page cannot be shown now: others are being drawn. Try again.")
            self._busy += 1
            # A second worker is started only when the first is busy: one click after another shares a process.
            candidates = [w for w in self._idle if key in w.keys] or self._idle
            worker = candidates[-1] if candidates else None
            if worker is not None:
                self._idle.remove(worker)
                if worker.alive:
                    return worker
        if worker is not None:
            worker.kill()
        try:
            return _Worker(settings)
        except OSError as error:
            with self._condition:
                self._busy -= 1
                self._condition.notify()
            raise RenderError(f"The page cannot be shown: no process can be started ({error}).") from error

    def give_back(self, worker: _Worker) -> None:
        """Return a worker taken before, dead or alive."""
        with self._condition:
            self._busy -= 1
            if worker.alive:
                worker.used = time.monotonic()
                self._idle.append(worker)
                if self._reaper is None:
                    self._reaper = threading.Thread(target=self._reap, daemon=True, name="render-reaper")
                    self._reaper.start()
            self._condition.notify()

    def _reap(self) -> None:
        """End workers that nobody has used for IDLE_SECONDS; the thread ends with the last of them."""
        while True:
            time.sleep(min(1.0, IDLE_SECONDS / 4))
            with self._condition:
                old = [w for w in self._idle if time.monotonic() - w.used > IDLE_SECONDS]
                self._idle = [w for w in self._idle if w not in old]
                ended = not self._idle and not self._busy
                if ended:
                    self._reaper = None
            for worker in old:
                worker.kill()
            if ended:
                return

    def close(self) -> None:
        """End the idle workers."""
        with self._condition:
            workers, self._idle = self._idle, []
        for worker in workers:
            worker.kill()


_pool = _Pool()
atexit.register(close_workers)
