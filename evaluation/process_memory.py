"""What a tree of processes takes: memory with shared pages counted once (PSS), in MB of 2**20 bytes; CPU time."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

MB = 2**20
INTERVAL = 0.1


def process_mb(pid: int) -> float:
    """Proportional set size of one process; where the system has none, its unique or resident set size."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        try:
            memory = psutil.Process(pid).memory_full_info()
        except psutil.Error:
            return 0.0
        return float(getattr(memory, "pss", 0) or getattr(memory, "uss", 0) or memory.rss) / MB
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def tree(pid: int) -> list[psutil.Process]:
    """``pid`` and all that it started, directly or not."""
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def tree_mb(pid: int) -> float:
    """PSS of ``pid`` and all that it started."""
    return sum(process_mb(process.pid) for process in tree(pid))


def tree_cpu_seconds(pid: int) -> float:
    """CPU time of ``pid`` and all that it started; what has ended counts once its parent has noticed."""
    seconds = 0.0
    for process in tree(pid):
        with suppress(psutil.Error):
            seconds += sum(
                process.cpu_times()[:4]
            )  # user, system, and both again for children that have ended
    return seconds


class Peak:
    """The highest value seen so far, and the last one, in MB."""

    def __init__(self) -> None:
        self.mb = 0.0
        self.last = 0.0

    def take(self, mb: float) -> None:
        """Note a value."""
        self.last = mb
        self.mb = max(self.mb, mb)


@contextmanager
def watch(pid: int, interval: float = INTERVAL) -> Iterator[Peak]:
    """Sample the tree of ``pid`` every ``interval`` seconds while the block runs."""
    peak, ended = Peak(), threading.Event()

    def sample() -> None:
        while not ended.is_set():
            peak.take(tree_mb(pid))
            ended.wait(interval)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()
        peak.take(tree_mb(pid))
