"""Memory is that of the whole tree."""

from __future__ import annotations

import os
import subprocess
import sys

from evaluation.process_memory import process_mb, tree_cpu_seconds, tree_mb, watch

HOLD = "import sys; block = bytearray(b'x') * 80 * 2**20; print('held', flush=True); sys.stdin.read()"


def test_a_childs_memory_counts() -> None:
    before = tree_mb(os.getpid())
    with watch(os.getpid(), 0.05) as peak:
        child = subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        assert process_mb(child.pid) > 80
        assert tree_mb(os.getpid()) > before + 75
        peak.take(tree_mb(os.getpid()))
        child.communicate()
    assert peak.mb > before + 75
    assert peak.last < peak.mb - 75, "what ended is not counted any more"
    assert process_mb(child.pid) == 0


def test_cpu_time_of_children_counts_while_they_run_and_afterwards() -> None:
    before = tree_cpu_seconds(os.getpid())
    code = "import time\nwhile time.process_time() < 0.4: pass\nprint(flush=True)\ninput()"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    running = tree_cpu_seconds(os.getpid()) - before
    child.communicate(b"\n")
    ended = tree_cpu_seconds(os.getpid()) - before
    assert 0.35 < running <= ended + 0.02
    assert ended < 3
