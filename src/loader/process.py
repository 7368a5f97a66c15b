"""The app's side of a worker: start it, speak with it, watch its time and memory, end it.

A worker is ``python -m src.loader.worker``, a process of its own with pipes (multiprocessing would run ``app.py``
again in the child under Streamlit). It gets no secrets: its environment is a short list of harmless names.
"""

from __future__ import annotations

import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import psutil

from src.loader.wire import Frame, WireError, encode, read_frame

log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent.parent
_ENVIRONMENT = (
    "PATH", "HOME", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "WINDIR", "USERPROFILE",
    "LOCALAPPDATA", "APPDATA", "PROGRAMFILES", "PATHEXT", "COMSPEC", "VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH",
    "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "TESSDATA_PREFIX", "PYTHONDONTWRITEBYTECODE", "COVERAGE_PROCESS_START",
)  # fmt: skip
_LOOK_SECONDS = 0.25
_WAIT_SECONDS = 0.05
_QUEUE_FRAMES = 64


class WorkerLostError(Exception):
    """The worker ended, or was ended, before it had answered; ``cause`` is "died", "time" or "memory"."""

    def __init__(self, cause: str, detail: str = "") -> None:
        super().__init__(f"{cause} {detail}".strip())
        self.cause = cause


class Worker:
    """A running worker process. Not thread-safe: one owner sends and receives."""

    def __init__(self, memory_mb: int, *, module: str = "src.loader.worker") -> None:
        self.memory_mb = memory_mb
        environment = {k: v for k, v in os.environ.items() if k.upper() in _ENVIRONMENT}
        environment |= {"PYTHONIOENCODING": "utf-8", "OMP_THREAD_LIMIT": "1", "PYTHONUNBUFFERED": "1"}
        environment["DOCENGINE_WORKER_LIMIT_MB"] = str(memory_mb)
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd=ROOT,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._frames: queue.Queue[Frame | WireError | None] = queue.Queue(_QUEUE_FRAMES)
        self._closed = threading.Event()
        self._watched = psutil.Process(self._process.pid)
        self._looked = 0.0
        self.peak_mb = 0.0
        threading.Thread(target=self._listen, name="loader-worker-output", daemon=True).start()

    @property
    def pid(self) -> int:
        """Process id of the worker."""
        return self._process.pid

    def send(self, frame: Frame) -> None:
        """Send a request. Raises WorkerLostError when the worker is no more."""
        stream = self._process.stdin
        assert stream is not None
        try:
            stream.write(encode(frame))
            stream.flush()
        except (OSError, ValueError) as error:
            raise self._gone("died") from error

    def receive(self, seconds: float, stopped: Callable[[], bool] = lambda: False) -> Frame | None:
        """The next frame; None when ``stopped()``. Raises WorkerLostError after ``seconds`` without one, when the
        worker ends, sends what is not a frame, or grows over its memory limit. It is ended then."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                frame = self._frames.get(timeout=_WAIT_SECONDS)
            except queue.Empty:
                if stopped():
                    return None
                self._check_memory()
                if time.monotonic() > deadline:
                    raise self._gone("time") from None
                continue
            self._check_memory()
            if frame is None:
                raise self._gone("died")
            if isinstance(frame, WireError):
                raise self._gone("died", str(frame)) from frame
            return frame

    def close(self) -> None:
        """End the process; safe to call twice."""
        self._closed.set()
        if self._process.poll() is None:
            self._kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    log.debug("pipe of worker %d was already broken", self.pid)
        self._errors.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        last: Frame | WireError | None = None
        try:
            while (frame := read_frame(stream)) is not None:
                if not self._put(frame):
                    return
        except WireError as error:
            last = error
        except (OSError, ValueError):
            last = None  # the pipe was closed under the reader: the worker was ended
        self._put(last)

    def _put(self, item: Frame | WireError | None) -> bool:
        while not self._closed.is_set():
            try:
                self._frames.put(item, timeout=0.5)
            except queue.Full:
                continue
            return True
        return False

    def _check_memory(self) -> None:
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        used = memory_mb(self._watched)
        self.peak_mb = max(self.peak_mb, used)
        if used > self.memory_mb:
            raise self._gone("memory", f"{used:.0f} MB")

    def _gone(self, cause: str, detail: str = "") -> WorkerLostError:
        self._kill()
        code = self._process.poll()
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        tail = self._errors.read().decode("utf-8", "replace").strip()
        log.warning("reading worker ended (%s %s, status %s) %s", cause, detail, code, tail[-300:])
        return WorkerLostError(cause, detail)

    def _kill(self) -> None:
        """End the worker and what it started (an OCR program)."""
        try:
            family = [*self._watched.children(recursive=True), self._watched]
        except psutil.Error:
            family = []
        for member in family:
            try:
                member.kill()
            except psutil.Error:
                continue
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            log.error("reading worker %d does not end", self.pid)


def memory_mb(process: psutil.Process) -> float:
    """Resident memory of a process and its children in MB; 0 when it is gone."""
    try:
        return float(sum(p.memory_info().rss for p in [process, *process.children(recursive=True)])) / 2**20
    except psutil.Error:
        return 0.0
