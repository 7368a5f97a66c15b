"""Checked answers to the questions of an evaluation, within a budget."""

from __future__ import annotations

import re
from typing import Any

from evaluation.metrics import Values, answer_values, similarity_values
from evaluation.questions import Question, turns
from src.agent import Request, answer, make_engine
from src.headless import answer_json
from src.index import DocumentIndex
from src.models import Models
from src.settings import Settings


class BudgetError(Exception):
    """The budget is spent, or cannot be kept to; the message says which."""


class Answering:
    """An engine for one run, and what its calls have cost so far in US dollars."""

    def __init__(self, models: Models, settings: Settings, budget: float | None = None) -> None:
        priced = settings.price_prompt is not None and settings.price_completion is not None
        if budget is not None and settings.uses_model and not priced:
            raise BudgetError(
                "A budget needs prices: set DOCENGINE_PRICE_PROMPT and DOCENGINE_PRICE_COMPLETION."
            )
        self._models = models
        self._budget = budget
        self._engine = make_engine(settings, models)
        self.spent = 0.0

    def ask(self, question: Question, index: DocumentIndex) -> tuple[dict[str, Any], Values]:
        """The entry of the result file and the metrics. Raises BudgetError before a question too many."""
        if self._budget is not None and self.spent >= self._budget:
            raise BudgetError(f"The budget of {self._budget:g} US dollars is spent.")
        given = answer(Request(question.question, (index,), turns(question), fresh=True), self._engine)
        self.spent += given.usage.cost or 0.0
        entry = answer_json(question.id, given)
        return entry, answer_values(question, entry) | self._likeness(question, entry)

    def _likeness(self, question: Question, entry: dict[str, Any]) -> Values:
        """Cosine of the embeddings of the known and the given answer; a refusal is like nothing."""
        if not question.answer or not question.answerable or self._models.embedder is None:
            return {}
        if entry["status"] == "not_found":
            return similarity_values(0.0)
        text = re.sub(r"\[[^\]]*\]", " ", entry["answer"])
        gold, given = self._models.embedder.embed([question.answer, text])
        return similarity_values(float(gold @ given))

    def close(self) -> None:
        """End what the engine holds."""
        self._engine.close()
