"""``scripts/run.py`` with a real Streamlit: address, clean end, no server left behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import run

posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


def _start(project: Path, *options: str) -> subprocess.Popen[str]:
    environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.Popen(
        [sys.executable, str(project / "scripts" / "run.py"), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ,
        # A shell that starts the tests in the background ignores SIGINT for all of them, and the script would inherit it.
        preexec_fn=_heed_interrupts if os.name == "posix" else None,
    )


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _gone(process: psutil.Process, seconds: float = 15) -> bool:
    end = time.time() + seconds
    while time.time() < end:
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.setup
@posix
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -9)]
)
def test_the_server_ends_with_the_script_however_that_ends(
    ready_project: Path, number: int, status: int
) -> None:
    script = _start(ready_project, "--headless")
    assert script.stdout is not None
    line = script.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
    if not found:
        script.kill()
        pytest.fail(line + "".join(script.communicate()))
    (server,) = psutil.Process(script.pid).children()
    listening = {c.laddr for c in server.net_connections() if c.status == psutil.CONN_LISTEN}
    assert listening == {("127.0.0.1", int(found[1]))}, "the app must not be reachable from outside"
    script.send_signal(number)
    _, errors = script.communicate(timeout=20)
    assert script.returncode == status
    assert "Traceback" not in errors
    assert "Fatal" not in errors
    assert _gone(server)


def test_a_taken_port_is_one_sentence(ready_project: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        script = _start(ready_project, "--port", str(port), "--headless")
        output, errors = script.communicate(timeout=20)
        assert script.returncode == 1
        assert errors.strip().splitlines() == [
            f"Port {port} is taken or not allowed. Choose another with --port, or leave --port out."
        ]
        assert output == ""
        assert not run.is_free(port)


def test_choose_port_passes_over_a_taken_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "is_free", lambda port: port != 8501)
    assert run.choose_port(None) == 8502


@pytest.mark.setup
def test_an_app_that_cannot_start_is_told_in_a_sentence(ready_project: Path) -> None:
    (ready_project / "serve.py").unlink()
    script = _start(ready_project, "--headless")
    _, errors = script.communicate(timeout=60)
    assert script.returncode == 1
    assert "Traceback" not in errors
    assert "The app ended while it started" in errors
