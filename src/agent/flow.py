"""From question to answer: memory, cache, route, then the way of the route, then the web, then a refusal."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from src.agent.engine import Engine, OnEvent, Request
from src.agent.overview import compare, summarise
from src.agent.question import answer_question
from src.agent.run import OutOfTimeError, Run, StoppedError
from src.agent.websearch import answer_from_web
from src.answerer.client import CapReachedError, ModelError
from src.index import DocumentIndex
from src.memory import is_complete, standalone
from src.records import Answer
from src.routes import Route, Way, chat_answer, chat_topic, choose_way
from src.tracing import trace

STOPPED = "Stopped before an answer was written."
OUT_OF_TIME = "No answer was found within the time allowed (DOCENGINE_ANSWER_SECONDS)."
NO_DOCUMENT = "Add a PDF first, then ask about it."
LONGEST_QUESTION = 4000


def answer(
    request: Request,
    engine: Engine,
    *,
    on_event: OnEvent | None = None,
    cancel: threading.Event | None = None,
) -> Answer:
    """The checked answer to ``request``.

    ``on_event`` is called in this thread with every Step, Activity and PartialText. Once ``cancel`` is set the call
    returns within half a second with what was written until then, checked and marked ``stopped``. Failures of the
    model, of the network and of time end in an answer whose ``notices`` say so, not in an exception.
    """
    run = Run(request, engine, on_event, cancel)
    question = " ".join(request.question.split())[:LONGEST_QUESTION]
    whole = question
    with engine.busy():
        try:
            whole = _standalone(run, question)
            found = _answer(run, whole)
            stopped = run.cancel.is_set() and not found.cached
            if stopped and found.status != "answered":
                raise StoppedError  # what was written did not stand up to the check, which is no refusal
            result = run.close(found, whole, stopped=stopped)
        except StoppedError:
            result = run.close(run.plain(STOPPED), whole, stopped=True)
        except OutOfTimeError:
            result = run.close(run.plain(OUT_OF_TIME), whole)
    if _worth_keeping(run, result):
        engine.cache.keep(whole, request.indexes, request.session, request.web, result)
    trace(result, run.timeline, engine.settings)
    return result


def _standalone(run: Run, question: str) -> str:
    """``question`` made whole: by rule, and by the model where one is set and the question leans on earlier ones."""
    turns = run.request.history[-run.settings.memory_turns :] if run.settings.memory_turns else ()
    if not turns or chat_topic(question) or is_complete(question):
        return question
    with run.step("memory", "Reading the conversation") as say:
        by_rule = standalone(question, turns, run.settings.memory_turns)
        whole = _standalone_by_model(run, question, by_rule)
        say(f"by {'rule' if whole == by_rule else 'model'}" if whole != question else "kept as it is")
    return whole


def _standalone_by_model(run: Run, question: str, by_rule: str) -> str:
    if run.model is None:
        return by_rule
    turns = run.request.history[-run.settings.memory_turns :]
    try:
        whole, usage = run.model.standalone(
            question,
            [(turn.standalone or turn.question, turn.answer) for turn in turns],
            cancel=run.cancel,
            deadline=run.model_deadline,
            session=run.request.session,
        )
    except (ModelError, CapReachedError):
        return by_rule  # the draft will meet the same failure and tell the reader
    run.usage += usage
    return whole or by_rule


def _answer(run: Run, question: str) -> Answer:
    request = run.request
    documents = [index.document for index in request.indexes]
    if topic := chat_topic(question):
        with run.step("route") as say:
            say("chat")
        return run.plain(chat_answer(topic, documents, run.settings), route="chat", status="answered")
    if not question or not request.indexes:
        return run.plain(NO_DOCUMENT if question else "Ask a question.", route="chat", status="answered")
    if (kept := _cached(run, question)) is not None:
        return kept
    with run.step("route") as say:
        way = choose_way(question, documents)
        say(way.route.value)
    indexes = [i for i in request.indexes if not way.documents or i.document.id in way.documents]
    found = _by_way(run, question, indexes, way)
    if found.status != "answered" and request.web and not run.cancel.is_set():
        found = answer_from_web(run, question) or found
    return found


def _by_way(run: Run, question: str, indexes: Sequence[DocumentIndex], way: Way) -> Answer:
    match way.route:
        case Route.SUMMARY:
            return summarise(run, question, indexes, way)
        case Route.COMPARE:
            return compare(run, question, indexes)
    return answer_question(run, question, indexes, listing=way.listing)


def _cached(run: Run, question: str) -> Answer | None:
    request = run.request
    if request.fresh:
        return None
    with run.step("cache") as say:
        kept = run.engine.cache.find(question, request.indexes, request.session, request.web)
        say("found" if kept is not None else "nothing")
    return kept


def _worth_keeping(run: Run, result: Answer) -> bool:
    """Not what a fallback, a stop or the clock made: the same question may do better in a minute."""
    fell_back = run.model is None and run.engine.model is not None
    timed_out = result.sentences[0].text == OUT_OF_TIME if result.sentences else True
    return result.route != "chat" and not fell_back and not timed_out
