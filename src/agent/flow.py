"""From question to answer: route, retrieve, draft, check; the tiers below take over where one fails."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from src.agent.engine import Engine, OnEvent, Request
from src.agent.run import OutOfTimeError, Run, StoppedError
from src.answerer.client import CapReachedError, ModelError
from src.answerer.extractive import ExtractiveAnswerer
from src.records import NOT_FOUND, Answer, Document, Draft, Passage

STOPPED = "Stopped before an answer was written."
OUT_OF_TIME = "No answer was found within the time allowed."


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
    question = " ".join(request.question.split())
    with engine.busy():
        try:
            return run.close(_from_documents(run, question), standalone=question, stopped=run.cancel.is_set())
        except StoppedError:
            return run.close(run.empty(STOPPED), standalone=question, stopped=True)
        except OutOfTimeError:
            return run.close(run.empty(OUT_OF_TIME), standalone=question)


def _from_documents(run: Run, question: str) -> Answer:
    if not run.request.indexes:
        return run.empty("Add a PDF first, then ask about it.", route="chat", status="answered")
    with run.step("retrieve", "Searching") as say:
        retrieval: Any = run.wait(
            lambda: import_module("src.retriever").retrieve(
                question, run.request.indexes, run.engine.models, run.settings
            )
        )
        passages: tuple[Passage, ...] = retrieval.passages
        say(f"{len(passages)} passages")
    draft = _draft(run, question, passages) if passages else Draft((), refused=True)
    return _check(run, draft, question, passages)


def _draft(run: Run, question: str, passages: Sequence[Passage]) -> Draft:
    """A draft by the model, else by the extractive answerer with the reason as a notice."""
    draft: Draft
    model = run.engine.model
    if model is not None:
        try:
            with run.step("draft", "Writing the answer") as say:
                written: list[str] = []

                def on_text(piece: str) -> None:
                    written.append(piece)
                    run.show("".join(written))

                draft = model.draft(
                    question,
                    passages,
                    on_text=on_text,
                    cancel=run.cancel,
                    deadline=run.model_deadline,
                    session=run.request.session,
                )
                say("refused" if draft.refused else f"{len(draft.claims)} sentences")
            run.usage += draft.usage
            return draft
        except (ModelError, CapReachedError) as error:
            run.notice(f"{error} The answer is quoted from the document instead.")
    with run.step("quote", "Reading the passages") as say:
        extractive = ExtractiveAnswerer(run.engine.models, _documents(run))
        draft = run.wait(lambda: extractive.draft(question, passages, cancel=run.cancel))
        say("refused" if draft.refused else f"{len(draft.claims)} sentences")
    return draft


def _documents(run: Run) -> dict[str, Document]:
    return {index.document.id: index.document for index in run.request.indexes}


def _check(run: Run, draft: Draft, question: str, passages: Sequence[Passage]) -> Answer:
    with run.step("check", "Checking the citations") as say:
        checked: Answer = import_module("src.citations").check(
            draft, question, passages, _documents(run), run.engine.models, run.settings
        )
        say(f"{len(checked.citations)} citations, {checked.struck} sentences struck")
    return replace(checked, tier=draft.tier)


__all__ = ["NOT_FOUND", "answer"]
