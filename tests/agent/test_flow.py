"""The way from question to answer: tiers, retries, stop, time, memory, cache, cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from src.agent import Activity, Engine, Event, PartialText, Request, answer
from src.index import DocumentIndex
from src.records import NOT_FOUND, Step, Turn
from tests.openai_server import Body, Mode, last_user_text, openai_server

EngineFor = Callable[..., Engine]
MOORING = 'Mooring at berth 2 costs 120 euros a day [{n}: "Mooring at berth 2 costs 120 euros a day"].'
ASKED = "What does mooring at berth 2 cost?"


def number_of(body: Body, words: str) -> int:
    """The number of the passage that holds ``words``, as the prompt shows it."""
    passages = last_user_text(body).split("\n[")
    return next(int(part.lstrip("[").split("]")[0].split("[")[-1]) for part in passages if words in part)


def cites_mooring(body: Body) -> str:
    return MOORING.format(n=number_of(body, "Mooring at berth 2"))


def test_without_a_model_the_answer_is_quoted(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    events: list[Event] = []
    found = answer(Request(ASKED, (harbour,)), engine_for(), on_event=events.append)
    assert "120 euros" in found.text
    assert (found.status, found.tier, found.route) == ("answered", "extractive", "document")
    assert found.citations[0].page == 3
    assert found.citations[0].boxes
    names = [step.name for step in found.steps]
    assert [n for n in names if "/" not in n] == ["cache", "route", "retrieve", "quote", "check"]
    assert [e for e in events if isinstance(e, Step)] == list(found.steps)
    assert any(isinstance(e, Activity) for e in events)
    assert found.notices == ()
    assert found.snapshots == ((harbour.document.id, 0),)


def test_the_model_writes_and_is_checked(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    events: list[Event] = []
    with openai_server(Mode(cites_mooring)) as server:
        engine = engine_for(server.url, price_prompt=1.0, price_completion=2.0)
        found = answer(Request(ASKED, (harbour,), session="a"), engine, on_event=events.append)
        assert len(server.requests) == 1
    assert found.text == "Mooring at berth 2 costs 120 euros a day. [p. 3]"
    assert (found.status, found.tier, found.citations[0].verified) == ("answered", "loop", True)
    assert found.usage.calls == 1
    assert found.usage.cost
    assert engine.meter.session("a").usage == found.usage
    assert engine.meter.session("b").usage.calls == 0


def test_direct_is_told_apart_from_loop(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(NOT_FOUND) as server:
        found = answer(
            Request("Who built the harbour crane?", (harbour,)), engine_for(server.url, agent="direct")
        )
        assert len(server.requests) == 1
    assert (found.status, found.tier, found.text) == ("not_found", "direct", NOT_FOUND)
    assert found.citations == ()


def test_sentences_are_shown_while_the_model_writes(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    def two(body: Body) -> str:
        n = number_of(body, "Mooring at berth 2")
        return (
            f'Mooring at berth 2 costs 120 euros a day [{n}: "Mooring at berth 2 costs 120 euros a day"]. '
            f'Vessels under 10 metres pay half the fee [{n}: "Vessels under 10 metres pay half the fee"]. '
            "A sentence that cites nothing is not shown. "
            f'Mooring at berth 3 costs 95 euros a day [{n}: "Mooring at berth 3 costs 95 euros a day"].'
        )

    events: list[Event] = []
    with openai_server(Mode(two, pause=0.005)) as server:
        answer(Request(ASKED, (harbour,)), engine_for(server.url), on_event=events.append)
    shown = [e.text for e in events if isinstance(e, PartialText)]
    assert shown[0].strip() == "Mooring at berth 2 costs 120 euros a day."
    assert shown[-1].startswith(shown[0])
    assert "cites nothing" not in shown[-1]


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        (Mode(status=401, error="bad"), "OPENAI_API_KEY"),
        (Mode(status=404, error="The model `made-1` does not exist"), "made-1"),
        (Mode(status=429, error="slow", headers=(("retry-after", "0.01"),)), "limiting requests"),
        (Mode(status=500, error="oops"), "500"),
        (Mode(html="<html>hello</html>"), "OPENAI_BASE_URL"),
        (Mode(""), "empty answer"),
        (Mode("", finish="content_filter"), "content filter"),
        (Mode("x", pause_first=2), "silent"),
    ],
)
def test_when_the_model_fails_the_answer_is_quoted_and_says_why(
    harbour: DocumentIndex, engine_for: EngineFor, mode: Mode, says: str
) -> None:
    with openai_server(mode) as server:
        engine = engine_for(server.url, model_seconds=0.3 if mode.pause_first else 20.0)
        found = answer(Request(ASKED, (harbour,)), engine)
        assert "120 euros" in found.text
        assert found.tier == "extractive"
        assert len(found.notices) == 1
        assert says in found.notices[0]
        assert found.notices[0].endswith("The answer is quoted from the document instead.")
        assert len(engine.cache) == 0, "what a fallback answered must not be kept"


def test_a_refusal_is_looked_at_again_in_other_words(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    def reply(body: Body) -> str:
        system = body["messages"][0]["content"]
        if "search" in system and "query" in system and "passages of it" not in system.lower():
            return "deposit for kayaks"
        return (
            f'The deposit is 50 euros [{number_of(body, "deposit")}: "The deposit for kayaks is 50 euros"].'
            if "deposit for kayaks" in last_user_text(body)
            else NOT_FOUND
        )

    with openai_server(reply) as server:
        engine = engine_for(server.url, top_k=1)
        found = answer(Request("What is paid in advance for small harbour boats?", (harbour,)), engine)
    assert found.status == "answered"
    assert found.text == "The deposit is 50 euros. [p. 3]"
    assert [s.name for s in found.steps].count("draft") == 2
    assert "rewrite" in [s.name for s in found.steps]


def test_retries_end(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    words = iter(f"harbour thing {i} berth crane office" for i in range(100))

    def reply(body: Body) -> str:
        return next(words) if "query" in body["messages"][0]["content"][:300] else NOT_FOUND

    with openai_server(reply) as server:
        found = answer(Request("Who built the harbour crane?", (harbour,)), engine_for(server.url))
        assert found.status == "not_found"
        assert [s.name for s in found.steps].count("rewrite") <= 2
        assert len(server.requests) <= 7
    assert found.text == NOT_FOUND
    assert found.looked_here or not found.passages


def test_stop_keeps_what_was_written_checked(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    cancel = threading.Event()
    stopped_at: list[float] = []

    def long_answer(body: Body) -> str:
        return cites_mooring(body) + " And so on" + " and on" * 500

    def on_event(event: Event) -> None:
        if isinstance(event, PartialText) and not cancel.is_set():
            stopped_at.append(time.monotonic())
            cancel.set()

    with openai_server(Mode(long_answer, pause=0.01)) as server:
        found = answer(Request(ASKED, (harbour,)), engine_for(server.url), on_event=on_event, cancel=cancel)
        took = time.monotonic() - stopped_at[0]
        assert server.broken_off.wait(2)
    assert took < 0.5
    assert found.stopped
    assert found.status == "answered"
    assert found.sentences[0].text == "Mooring at berth 2 costs 120 euros a day."
    assert found.citations[0].verified
    assert found.usage.estimated


def test_stop_before_anything_was_written(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    cancel = threading.Event()
    with openai_server(Mode("late", pause_first=5)) as server:
        threading.Timer(0.3, cancel.set).start()
        started = time.monotonic()
        found = answer(Request(ASKED, (harbour,)), engine_for(server.url), cancel=cancel)
        assert time.monotonic() - started < 0.8
    assert found.stopped
    assert found.text == "Stopped before an answer was written."
    assert found.citations == ()


def test_the_whole_answer_has_an_end(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(Mode("word " * 5000, pause=0.02)) as server:
        engine = engine_for(server.url, answer_seconds=1.5, model_seconds=30)
        started = time.monotonic()
        found = answer(Request(ASKED, (harbour,)), engine)
        assert time.monotonic() - started < 2.5
    assert "120 euros" in found.text
    assert "did not finish in time" in found.notices[0]


def test_daily_cap_stops_the_model_with_a_sentence(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(Mode(cites_mooring)) as server:
        found = answer(Request(ASKED, (harbour,)), engine_for(server.url, daily_tokens=100))
        assert server.requests == []
    assert "120 euros" in found.text
    assert "DOCENGINE_DAILY_TOKENS" in found.notices[0]


def test_session_cap_stops_one_session_only(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(Mode(cites_mooring)) as server:
        engine = engine_for(server.url, session_usd=0.0001, price_prompt=1.0, price_completion=1.0)
        first = answer(Request(ASKED, (harbour,), session="a", fresh=True), engine)
        second = answer(Request(ASKED, (harbour,), session="a", fresh=True), engine)
        other = answer(Request(ASKED, (harbour,), session="b", fresh=True), engine)
    assert (first.tier, second.tier, other.tier) == ("loop", "extractive", "loop")
    assert "DOCENGINE_SESSION_USD" in second.notices[0]


def test_a_follow_up_is_made_whole_by_rule(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    turns = (Turn(ASKED, ASKED, "120 euros a day."),)
    found = answer(Request("and at berth 3?", (harbour,), history=turns), engine_for())
    assert found.standalone == "What does mooring at berth 3 cost?"
    assert found.question == "and at berth 3?"
    assert "95 euros" in found.text
    assert found.steps[0].name == "memory"


def test_a_follow_up_is_made_whole_by_the_model(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    def reply(body: Body) -> str:
        if "Rewrite the last question" in body["messages"][0]["content"]:
            return "<think>hm</think>\nQuestion: What does mooring at berth 2 cost?"
        return cites_mooring(body)

    turns = (Turn("What does berth 3 cost?", "What does berth 3 cost?", "95 euros."),)
    with openai_server(reply) as server:
        found = answer(
            Request("what about it at berth 2?", (harbour,), history=turns), engine_for(server.url)
        )
        assert len(server.requests) == 2
    assert found.standalone == ASKED
    assert found.usage.calls == 2


def test_a_complete_question_costs_no_rewriting_call(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    turns = (Turn("Who is the harbour master?", "Who is the harbour master?", "Ines Okoro."),)
    with openai_server(Mode(cites_mooring)) as server:
        found = answer(Request(ASKED, (harbour,), history=turns), engine_for(server.url))
        assert len(server.requests) == 1
    assert found.standalone == ASKED


def test_the_same_question_is_answered_from_the_cache(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(Mode(cites_mooring)) as server:
        engine = engine_for(server.url)
        first = answer(Request(ASKED, (harbour,), session="a"), engine)
        second = answer(
            Request("Please tell me: what does mooring at berth 2 cost", (harbour,), session="a"), engine
        )
        other = answer(Request("What does mooring at berth 3 cost?", (harbour,), session="a"), engine)
        stranger = answer(Request(ASKED, (harbour,), session="b"), engine)
        fresh = answer(Request(ASKED, (harbour,), session="a", fresh=True), engine)
        engine.forget(harbour.document.id)
        gone = answer(Request(ASKED, (harbour,), session="a"), engine)
    assert [a.cached for a in (first, second, other, stranger, fresh, gone)] == [False, True] + [False] * 4
    assert second.text == first.text
    assert second.question.startswith("Please")
    assert second.usage.calls == 0


def test_small_talk_and_questions_about_the_app_retrieve_nothing(
    harbour: DocumentIndex, engine_for: EngineFor
) -> None:
    for question in ("Hello!", "What can you do?", "Is my data private?", "thanks"):
        found = answer(Request(question, (harbour,)), engine_for())
        assert (found.route, found.status, found.citations) == ("chat", "answered", ())
        assert "retrieve" not in [s.name for s in found.steps]


def test_without_documents(engine_for: EngineFor) -> None:
    assert answer(Request(ASKED), engine_for()).text == "Add a PDF first, then ask about it."


def test_two_documents_are_compared_side_by_side(
    harbour: DocumentIndex, marina: DocumentIndex, engine_for: EngineFor
) -> None:
    request = Request("Compare what the crane lifts in both documents", (harbour, marina))
    found = answer(request, engine_for())
    assert found.route == "compare"
    assert "harbour.pdf:" in found.text
    assert "marina.pdf:" in found.text
    assert {c.document_name for c in found.citations} == {"harbour.pdf", "marina.pdf"}
    numbers = [c.number for c in found.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    for citation in found.citations:
        assert citation.passage is not None
        assert found.passages[citation.passage - 1].document_id == citation.document_id


def test_a_document_named_in_the_question_is_the_one_asked(
    harbour: DocumentIndex, marina: DocumentIndex, engine_for: EngineFor
) -> None:
    found = answer(Request("In marina.pdf, what does the crane lift?", (harbour, marina)), engine_for())
    assert {c.document_name for c in found.citations} == {"marina.pdf"}


def test_summary_without_a_model(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    found = answer(Request("Summarise this document", (harbour,)), engine_for())
    assert (found.route, found.status, found.tier) == ("summary", "answered", "extractive")
    assert found.citations[0].page == 1
    assert len(found.sentences) >= 3
    assert all(c.verified and c.boxes for c in found.citations)


def test_summary_by_the_model_over_sections(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    def reply(body: Body) -> str:
        n = number_of(body, "lifts up to 40")
        return f'The crane at berth 2 lifts up to 40 tonnes [{n}: "crane at berth 2 lifts up to 40 tonnes"].'

    with openai_server(reply) as server:
        found = answer(Request("Summarise this document", (harbour,)), engine_for(server.url))
        assert len(server.requests) == 1, "a short document is read in one piece"
    assert (found.route, found.tier) == ("summary", "loop")
    assert found.citations[0].page == 2


def test_an_error_of_our_own_is_not_hidden(
    harbour: DocumentIndex, engine_for: EngineFor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("src.agent.question.retrieve", broken)
    with pytest.raises(ZeroDivisionError):
        answer(Request(ASKED, (harbour,)), engine_for())


def test_answering_is_told_while_it_runs(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    engine = engine_for()
    seen: list[bool] = []
    answer(Request(ASKED, (harbour,)), engine, on_event=lambda _: seen.append(engine.answering))
    assert all(seen)
    assert not engine.answering
    assert replace(Request(ASKED), web=True).web
