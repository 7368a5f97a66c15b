"""The service over HTTP, on a real server: who may ask, what is refused, one JSON, JSON lines, a client that leaves."""

from __future__ import annotations

import json
import socket
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from src.agent import make_engine
from src.api import MOST_ASKED_AT_ONCE, Service, routes
from src.library import Library
from src.models import Models
from src.settings import Settings
from tests.loader.pdfs import written
from tests.openai_server import Mode, openai_server

TOKEN = "a-long-token"
PDF = written(["Mooring at berth 2 costs 120 euros a day.", "The crane lifts 40 tonnes."])
QUESTION = "What does mooring at berth 2 cost?"


@contextmanager
def served(**options: Any) -> Iterator[str]:
    settings = Settings(**{"api_token": TOKEN, "ocr": "off", **options})
    engine = make_engine(settings, Models())
    library = Library(settings, Models)
    app = Starlette(routes=routes(Service(settings, lambda: engine, library)))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(5)
            library.close()
            engine.close()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served() as address:
        yield address


def post(
    url: str,
    fields: dict[str, str],
    files: tuple[tuple[str, bytes], ...] = (),
    *,
    token: str | None = TOKEN,
    kind: str = "",
) -> tuple[int, str]:
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    for name, data in files:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    request = urllib.request.Request(
        url + "/api/ask", data=b"".join([*parts, f"--{boundary}--\r\n".encode()])
    )
    request.add_header("content-type", kind or f"multipart/form-data; boundary={boundary}")
    if token is not None:
        request.add_header("authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_pdf_and_a_question(url: str) -> None:
    status, body = post(url, {"question": QUESTION}, (("harbour.pdf", PDF),))
    found = json.loads(body)
    assert status == 200
    assert found["status"] == "answered"
    assert "120 euros" in found["answer"]
    assert found["citations"][0]["page"] == 1
    assert found["citations"][0]["doc"] == "harbour"
    assert found["citations"][0]["verified"] is True


def test_the_same_as_lines(url: str) -> None:
    asked = {"question": "How much does the crane lift?", "stream": "true"}
    status, body = post(url, asked, (("harbour.pdf", PDF),))
    events = [json.loads(line) for line in body.splitlines()]
    assert status == 200
    assert events[-1]["event"] == "answer"
    assert events[-1]["status"] == "answered"
    assert {"step", "doing"} <= {event["event"] for event in events}


def test_earlier_turns_come_along(url: str) -> None:
    history = json.dumps([{"question": "What does mooring at berth 1 cost?", "answer": "100 euros"}])
    fields = {"question": "and at berth 2?", "history": history}
    found = json.loads(post(url, fields, (("harbour.pdf", PDF),))[1])
    assert found["standalone"] == QUESTION


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", "ä"])
def test_without_the_token_nothing_is_answered(url: str, token: str | None) -> None:
    if token == "ä":
        token = "\xe4"
    status, body = post(url, {"question": QUESTION}, (("harbour.pdf", PDF),), token=token)
    assert status == 401
    assert "Authorization" in body


def test_it_is_off_unless_a_token_is_set() -> None:
    with served(api_token=None) as address:
        status, body = post(address, {"question": QUESTION}, (("a.pdf", PDF),))
    assert status == 404
    assert "DOCENGINE_API_TOKEN" in body


@pytest.mark.parametrize(
    ("fields", "files", "status", "says"),
    [
        ({}, (("a.pdf", PDF),), 422, "question"),
        ({"question": "x?"}, (), 422, "file"),
        ({"question": "x?"}, (("a.pdf", b""),), 422, "empty"),
        ({"question": "x?"}, (("a.pdf", b"hello"),), 422, "not_a_pdf"),
        ({"question": "x?", "history": "no json"}, (("a.pdf", PDF),), 422, "history"),
        ({"question": "x?", "history": "[1]"}, (("a.pdf", PDF),), 422, "history"),
        ({"question": "x" * 70_000}, (("a.pdf", PDF),), 400, "message"),
    ],
)
def test_what_cannot_be_served_gets_a_sentence(
    url: str, fields: dict[str, str], files: tuple[tuple[str, bytes], ...], status: int, says: str
) -> None:
    found, body = post(url, fields, files)
    assert found == status
    assert says in body
    assert json.loads(body)["message"]


def test_another_content_type(url: str) -> None:
    assert post(url, {"question": "x"}, kind="application/json")[0] == 415


def test_too_large_is_said_before_the_body_is_read() -> None:
    with served(max_file_mb=1) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as client:
            client.sendall(
                b"POST /api/ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n"
                b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 9000000\r\n\r\n"
            )
            said = b""
            while b"}" not in said and (piece := client.recv(2000)):
                said += piece
    assert b" 413 " in said
    assert b"DOCENGINE_MAX_FILE_MB" in said


def test_a_body_without_a_length_is_limited_too() -> None:
    with served(max_file_mb=1) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=10) as client:
            client.sendall(
                b"POST /api/ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n"
                b"Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            piece = (
                b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
                + b"x" * 60_000
            )
            try:
                for _ in range(60):
                    client.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
                    piece = b"x" * 60_000
                client.sendall(b"0\r\n\r\n")
            except OSError:
                pass  # the server has closed its side already
            said = b""
            while b"413" not in said and (more := client.recv(200)):
                said += more
            assert b"413" in said


def test_get_is_not_served(url: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(url + "/api/ask", timeout=5)
    assert caught.value.code == 405


def test_a_client_that_leaves_stops_the_work() -> None:
    with (
        openai_server(Mode("word " * 3000, pause=0.02)) as model,
        served(openai_base_url=model.url) as address,
    ):
        leaving = threading.Thread(target=_ask_and_leave, args=(address, model.requests.__len__))
        leaving.start()
        assert model.broken_off.wait(15), "the model went on writing for nobody"
        leaving.join()


def _ask_and_leave(address: str, asked: Callable[[], int]) -> None:
    host, port = address.removeprefix("http://").split(":")
    body = (
        b'--b\r\nContent-Disposition: form-data; name="question"\r\n\r\n' + QUESTION.encode() + b"\r\n"
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
        + PDF
        + b"\r\n--b--\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=10) as client:
        client.sendall(
            b"POST /api/ask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + TOKEN.encode() + b"\r\n"
            b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        )
        end = time.monotonic() + 10
        while not asked() and time.monotonic() < end:
            time.sleep(0.02)


def test_a_question_that_gets_no_thread_gives_its_place_back(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if thread.name == "api-answer":
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        for _ in range(MOST_ASKED_AT_ONCE + 1):
            status, body = post(url, {"question": QUESTION}, (("harbour.pdf", PDF),))
            assert status == 503
            assert "too busy" in body
    assert post(url, {"question": QUESTION}, (("harbour.pdf", PDF),))[0] == 200
