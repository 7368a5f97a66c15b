"""What the page's side of the process hands to the pipeline: the documents, their files, what the reader allows."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from src.agent import Engine, Request
from src.index import DocumentIndex
from src.introduction import Introduction, introduce
from src.records import NOT_FOUND, Answer, Document, PageState, Sentence
from src.settings import Settings, read_settings
from src.ui.desk import Desk
from src.ui.visitors import Exchange, Visitor
from tests.factories import document_from_text
from tests.loader.pdfs import written
from tests.openai_server import openai_server
from tests.test_web import tavily

LEASE = written(["The monthly rent is 840 euros."], ["The notice period is six weeks."])
LIGHTHOUSE = {
    "title": "Brackley lighthouse",
    "url": "https://www.lights.example/brackley",
    "content": "The lighthouse of Brackley was designed by Mary Stevens in 1871.",
}


@pytest.fixture
def open_desk() -> Iterator[Callable[..., Desk]]:
    opened: list[Desk] = []

    def open_one(environment: dict[str, str] | None = None, **changes: Any) -> Desk:
        chosen = read_settings(environment or {}, env_file=None)
        opened.append(Desk(chosen.model_copy(update={"model_backend": "off", "ocr": "off", **changes})))
        return opened[-1]

    yield open_one
    for one in opened:
        one.library.close()


def asked(desk: Desk, visitor: Visitor, question: str, **options: bool) -> Exchange:
    holding = desk.library.add(LEASE, "lease.pdf", owner=visitor.id)
    end = time.monotonic() + 60
    while not holding.complete:
        assert holding.error is None
        assert time.monotonic() < end
        time.sleep(0.02)
    exchange = desk.ask(visitor, question, (holding.key,), **options)
    assert exchange.done.wait(60)
    assert exchange.answer, exchange.failure
    return exchange


def test_a_model_that_takes_images_gets_pictures_of_the_pages(open_desk: Callable[..., Desk]) -> None:
    with openai_server(NOT_FOUND) as server:
        desk = open_desk({"OPENAI_BASE_URL": server.url}, images="on", agent="direct")
        asked(desk, desk.visitors.new(), "How long is the notice period?")
        assert json.dumps(server.requests[0]).count('"image_url": {') >= 1


@pytest.mark.parametrize("allowed", [True, False])
def test_the_web_is_searched_only_when_the_reader_allows_it(
    open_desk: Callable[..., Desk], allowed: bool
) -> None:
    with tavily(body={"results": [LIGHTHOUSE]}) as (url, requests):
        desk = open_desk({"TAVILY_API_KEY": "k", "TAVILY_URL": url}, web_search=True)
        exchange = asked(desk, desk.visitors.new(), "Who designed the lighthouse of Brackley?", web=allowed)
    assert len(requests) == int(allowed)
    assert exchange.answer
    assert exchange.answer.route == ("web" if allowed else "document")


def test_nobody_ends_or_removes_the_document_of_another(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    ann, bob = desk.visitors.new(), desk.visitors.new()
    asked(desk, ann, "How long is the notice period?")
    (holding,) = desk.library.of(ann.id)
    desk.remove(bob, holding.key)
    assert desk.library.of(ann.id) == (holding,)
    assert ann.chat
    assert desk.library.of(bob.id) == ()


def test_a_scan_is_introduced_again_once_it_is_read(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "The pilot on duty boards each ship at the outer buoy, whatever the weather is that day."
    gate = threading.Event()

    def load(data: bytes, name: str, settings: Settings, **_: object) -> Iterator[Document]:
        empty, read = document_from_text("", name=name), document_from_text(words, name=name)
        scan = replace(empty.pages[0], state=PageState.PENDING)
        yield replace(empty, pages=(scan,), pending=("tables", "ocr"))
        yield replace(empty, pages=(scan,), pending=("ocr",), revision=1)
        gate.wait(60)
        yield replace(read, id=empty.id, revision=2)

    def until(condition: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.02)

    monkeypatch.setattr("src.library.load", load)
    desk = open_desk()
    holding = desk.library.add(b"%PDF", "scan.pdf", owner="ann")
    until(lambda: (made := desk.introduction(holding)) and not made.complete)
    made = desk.introduction(holding)
    assert made
    assert made.summary == ()
    gate.set()
    until(lambda: (made := desk.introduction(holding)) and made.complete)
    made = desk.introduction(holding)
    assert made
    assert [excerpt.text for excerpt in made.summary] == [words]


def test_clearing_a_chat_lets_its_kept_answers_go(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    one, other = desk.visitors.new(), desk.visitors.new()
    for visitor in (one, other):
        assert not asked(desk, visitor, "What is the monthly rent?").answer.cached  # type: ignore[union-attr]
    assert asked(desk, one, "What is the monthly rent?").answer.cached  # type: ignore[union-attr]
    desk.clear(one)
    assert one.chat == ()
    assert not asked(desk, one, "What is the monthly rent?").answer.cached  # type: ignore[union-attr]
    assert asked(desk, other, "What is the monthly rent?").answer.cached  # type: ignore[union-attr]


def test_the_same_file_of_another_visitor_is_introduced_without_the_work(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[str] = []

    def counted(index: DocumentIndex, *others: Any) -> Introduction:
        worked.append(index.document.id)
        return introduce(index, *others)

    monkeypatch.setattr("src.ui.desk.introduce", counted)
    desk = open_desk()

    def introduced(owner: str) -> Introduction:
        holding = desk.library.add(LEASE, "lease.pdf", owner=owner)
        end = time.monotonic() + 60
        while not ((made := desk.introduction(holding)) and made.complete and holding.complete):
            assert time.monotonic() < end
            time.sleep(0.02)
        return made

    first = introduced("ann")
    before = len(worked)
    assert introduced("bob") is first
    assert len(worked) == before


def test_an_answer_that_never_ends_is_given_up_and_holds_nothing_back(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()

    def stuck(request: Request, engine: Engine, **_: object) -> Answer:
        with engine.busy():
            gate.wait(60)
        return Answer(request.question, (Sentence("Too late."),), "answered")

    monkeypatch.setattr("src.ui.desk.answer", stuck)
    monkeypatch.setattr("src.agent.limit.GRACE_SECONDS", 0.3)
    desk = open_desk(answer_seconds=0.2)
    visitor = desk.visitors.new()
    exchange = desk.ask(visitor, "How long is the notice period?", ())
    try:
        assert exchange.done.wait(20)
        assert visitor.running is None
        assert exchange.answer
        assert "was given up" in exchange.answer.text
        assert exchange.cancel.is_set()
        assert desk.library._asking == 0, "indexing would pause for ever"
        end = time.monotonic() + 20
        while desk.engine.answering:
            assert time.monotonic() < end, "introductions would wait for ever"
            time.sleep(0.02)
    finally:
        gate.set()
    assert "was given up" in exchange.answer.text


def test_a_question_that_gets_no_thread_says_so(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk()
    visitor = desk.visitors.new()
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if thread.name.startswith("answer-"):
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)
    exchange = desk.ask(visitor, "How long is the notice period?", ())
    assert visitor.running is None
    assert "Please ask again" in exchange.failure
