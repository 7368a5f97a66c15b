"""A draft by the model, and by the extractive answerer where the model fails or none is set; then the check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from src.agent.run import Run, StoppedError
from src.answerer.client import CapReachedError, ModelError
from src.answerer.extractive import ExtractiveAnswerer
from src.answerer.injection import without_orders
from src.citations import check
from src.records import Answer, Draft, Passage

INSTEAD = "The answer is quoted from the document instead."
ORDERS = "A passage gives orders to the model that answers; nothing was taken from it."


def draft_by_model(
    run: Run, question: str, passages: Sequence[Passage], *, show: bool = True
) -> Draft | None:
    """The model's draft, None when there is no model or it failed; then the run's notices say why."""
    model = run.model
    if model is None or not passages:
        return None
    written: list[str] = []

    def on_text(piece: str) -> None:
        written.append(piece)
        run.show("".join(written))

    with run.step("draft", "Writing the answer") as say:
        try:
            draft = model.draft(
                question,
                passages,
                on_text=on_text if show else None,
                cancel=run.cancel,
                deadline=run.model_deadline,
                session=run.request.session,
                pictures=run.pictures(passages),
            )
        except (ModelError, CapReachedError) as error:
            say(getattr(error, "kind", "cap"))
            run.give_up_model(f"{error} {INSTEAD}")
            return None
        say("refused" if draft.refused else f"{len(draft.claims)} sentences")
    run.usage += draft.usage
    if run.cancel.is_set() and not draft.claims:
        raise StoppedError
    return replace(draft, tier=run.model_tier)


def draft_by_quoting(run: Run, question: str, passages: Sequence[Passage]) -> Draft:
    """The extractive draft."""
    with run.step("quote", "Reading the passages") as say:
        extractive = ExtractiveAnswerer(run.engine.models, run.documents)
        draft = run.wait(lambda: extractive.draft(question, passages, cancel=run.cancel))
        say("refused" if draft.refused else f"{len(draft.claims)} sentences")
    return draft


def checked(run: Run, draft: Draft, question: str, passages: Sequence[Passage]) -> Answer:
    """``draft`` held against the pages: what rests on orders in a document is dropped, the rest is looked up."""
    claims, dropped = without_orders(draft.claims, passages, question)
    if dropped:
        run.notice(ORDERS)
        draft = replace(draft, claims=claims, refused=draft.refused or not claims)
    with run.step("check", "Checking the citations") as say:
        answer = run.finish(
            lambda: check(draft, question, passages, run.documents, run.engine.models, run.settings)
        )
        answer = replace(answer, struck=answer.struck + dropped, tier=draft.tier)
        orders = f", {dropped} dropped that rest on orders" if dropped else ""
        say(f"{answer.status}, {len(answer.citations)} citations, {answer.struck - dropped} struck{orders}")
    return answer
