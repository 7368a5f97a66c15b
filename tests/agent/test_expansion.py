"""Other phrasings of a question, by a real server that speaks the protocol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from src.agent import Engine, Request, answer
from src.agent.expansion import read_phrasings
from src.answerer.prompts import EXPANSION
from src.index import DocumentIndex
from src.records import NOT_FOUND
from tests.openai_server import Body, Mode, last_user_text, openai_server

EngineFor = Callable[..., Engine]
ASKED = "What do visitors leave for small paddle craft?"  # the handbook says deposit and kayaks
PHRASINGS = "1. deposit for kayaks\n2. kayak deposit in euros\n3. The deposit for kayaks is paid in advance."


def asks_for_phrasings(body: Body) -> bool:
    return bool(body["messages"][0]["content"] == EXPANSION)


def reply(body: Body) -> str:
    if asks_for_phrasings(body):
        return PHRASINGS
    passages = last_user_text(body)
    if "deposit for kayaks" not in passages:
        return NOT_FOUND
    return 'The deposit is 50 euros [1: "The deposit for kayaks is 50 euros"].'


def test_phrasings_find_what_the_question_does_not_say(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(reply) as server:
        plain = answer(Request(ASKED, (harbour,)), engine_for(server.url, agent="direct", top_k=1))
        assert not any(asks_for_phrasings(body) for body in server.requests)
        engine = engine_for(server.url, agent="direct", top_k=1, query_expansion=True)
        found = answer(Request(ASKED, (harbour,), session="a"), engine)
    assert plain.status == "not_found"
    assert found.text == "The deposit is 50 euros. [p. 3]"
    assert "expand" in [step.name for step in found.steps]
    assert found.usage.calls == 2
    assert engine.meter.session("a").usage == found.usage


@pytest.mark.parametrize(
    "failure",
    [Mode(status=500, error="oops"), Mode(status=401, error="no"), Mode(""), Mode("x", pause_first=2)],
)
def test_when_the_call_fails_the_question_is_searched_as_it_stands(
    harbour: DocumentIndex, engine_for: EngineFor, failure: Mode
) -> None:
    asked = "What does mooring at berth 2 cost?"
    cited = 'Mooring at berth 2 costs 120 euros a day [1: "Mooring at berth 2 costs 120 euros a day"].'
    with openai_server(failure, cited) as server:
        options = {"model_retries": 0, "query_expansion": True, "model_seconds": 0.5, "top_k": 1}
        found = answer(Request(asked, (harbour,)), engine_for(server.url, agent="direct", **options))
        assert len(server.requests) == 2
    assert found.text == "Mooring at berth 2 costs 120 euros a day. [p. 3]"
    assert found.notices == ()


def test_a_cap_on_cost_holds_for_phrasings(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(reply) as server:
        engine = engine_for(server.url, agent="direct", query_expansion=True, daily_tokens=10)
        found = answer(Request("What does mooring at berth 2 cost?", (harbour,)), engine)
        assert server.requests == []
    assert "120 euros" in found.text


def test_without_a_model_nothing_is_expanded(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    engine = engine_for(query_expansion=True)
    found = answer(Request("What does mooring at berth 2 cost?", (harbour,)), engine)
    assert "expand" not in [step.name for step in found.steps]


def test_lines_of_a_reply() -> None:
    text = '<think>Hm.</think>1. "mooring fee"\n- Query 2: fee for berths\n\nmooring FEE\nWhat is it?\nThe fee is paid daily.\nmore'
    assert read_phrasings(text, "What is it") == ("mooring fee", "fee for berths", "The fee is paid daily.")
    assert read_phrasings("x" * 500, "What?") == ()
