from __future__ import annotations

import psutil
import pytest

from src.loader.process import Worker, WorkerLostError
from src.loader.wire import Frame

BAD = "tests.loader.bad_worker"


def test_a_worker_that_hangs_is_ended() -> None:
    with Worker(512, module=BAD) as worker:
        worker.send(Frame("hang"))
        with pytest.raises(WorkerLostError) as caught:
            worker.receive(0.5)
        assert caught.value.cause == "time"
        assert not psutil.pid_exists(worker.pid)


def test_a_worker_that_dies_is_noticed() -> None:
    with Worker(512, module=BAD) as worker:
        worker.send(Frame("die"))
        with pytest.raises(WorkerLostError) as caught:
            worker.receive(10)
        assert caught.value.cause == "died"


def test_a_worker_that_grows_is_ended() -> None:
    with Worker(256, module=BAD) as worker:
        worker.send(Frame("grow"))
        with pytest.raises(WorkerLostError) as caught:
            worker.receive(20)
        assert caught.value.cause == "memory"


def test_a_worker_that_sends_rubbish_is_ended() -> None:
    with Worker(512, module=BAD) as worker:
        worker.send(Frame("rubbish"))
        with pytest.raises(WorkerLostError):
            worker.receive(10)
        assert not psutil.pid_exists(worker.pid)


def test_a_worker_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with Worker(512, module=BAD) as worker:
        worker.send(Frame("environment"))
        frame = worker.receive(10)
    assert frame is not None
    assert "OPENAI_API_KEY" not in frame.fields
    assert "PATH" in frame.fields
