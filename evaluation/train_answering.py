"""Learns the weights of ``src/answerer/selection.py`` from development questions, and says what they are worth elsewhere.

``python -m evaluation.train_answering --questions Q.jsonl [...] --pdfs DIR [...] [--cache DIR]``

Of the candidates that the cross-encoder read the model is to prefer those that show the evidence. Printed are how
often it does in a cross-validation in which no document is on both sides, the weights over all questions, and what
each threshold of the refusal costs: the share of refusals among unanswerable and among answerable questions.
Questions of the test split are refused.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.collection import training_data
from evaluation.questions import Question, turns
from evaluation.train_fusion import Example, cross_validate, fit
from src.answerer.candidates import candidates
from src.answerer.questions import read_question
from src.answerer.scoring import Scored, score_candidates
from src.answerer.selection import WEIGHTS, measures
from src.memory import standalone
from src.models import Models
from src.records import Document, Passage
from src.refusal import confidence
from src.retriever import retrieve
from src.settings import settings

log = logging.getLogger(__name__)

THRESHOLDS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8)


@dataclass(frozen=True, slots=True)
class Read:
    """One question with its candidates as they are scored now, best first."""

    question: Question
    scored: tuple[Scored, ...]


def read(question: Question, passages: Sequence[Passage], document: Document, models: Models) -> Read:
    """The scored candidates of ``passages`` for ``question`` taken as one, in its conversation."""
    asked = standalone(question.question, turns(question))
    languages = tuple(dict.fromkeys(p.language for p in passages if p.language))
    documents = {document.id: document}
    scored = score_candidates(
        read_question(asked, languages), candidates(passages, documents), passages, documents, models
    )
    return Read(question, tuple(scored))


def example(known: Read) -> Example:
    """The choice of one question; ``missed`` when no candidate shows the evidence."""
    rows = [list(measures(s.evidence, s.candidate.text).values()) for s in known.scored]
    right = np.array([known.question.shown_in(s.candidate.text) for s in known.scored], dtype=np.bool_)
    return Example(known.question, np.array(rows, dtype=np.float32), right, not right.any())


def report(known: Sequence[Read]) -> dict[str, float]:
    """Print what the weights are worth, and the refusal's curve; returns the weights over all questions."""
    chosen = [k for k in known if k.question.answerable and k.question.evidence and _read_by_model(k)]
    examples = [example(k) for k in chosen]
    _hits("cross-validated", cross_validate(examples))
    weights = fit(examples)
    names = list(measures(chosen[0].scored[0].evidence, ""))
    in_use = np.array([WEIGHTS[name] for name in names])
    for name, used in (("in sample", weights), ("in use", in_use)):
        _hits(name, ((e.question, _place(e.features @ used, e.right)) for e in examples))
    _curve(known)
    return {n: round(float(w), 2) for n, w in zip(names, weights, strict=True)}


def _read_by_model(known: Read) -> bool:
    return bool(known.scored) and known.scored[0].evidence.rerank is not None


def _place(scores: np.ndarray, right: np.ndarray) -> int:  # type: ignore[type-arg]
    return int((scores > scores[right].max()).sum()) + 1 if right.any() else 0


def _hits(name: str, found: Iterable[tuple[Question, int]]) -> None:
    groups: dict[str, list[int]] = {}
    for question, place in found:
        for group in ("all", question.kind):
            groups.setdefault(group, []).append(place)
    told = [
        f"{group} ({len(places)}) {np.mean([p == 1 for p in places]):.3f} / {np.mean([0 < p <= 3 for p in places]):.3f}"
        for group, places in sorted(groups.items())
    ]
    print(f"{name}, evidence in the first / first three: {', '.join(told)}")


def _curve(known: Sequence[Read]) -> None:
    sure = {
        wanted: [
            confidence(k.scored[0].evidence) if k.scored else 0.0
            for k in known
            if k.question.answerable is wanted
        ]
        for wanted in (True, False)
    }
    print(f"refusals among {len(sure[False])} unanswerable / {len(sure[True])} answerable questions")
    for threshold in THRESHOLDS:
        right, wrong = (np.mean([p < threshold for p in sure[wanted]] or [0]) for wanted in (False, True))
        print(f"  threshold {threshold}: {right:.3f} / {wrong:.3f}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    questions, collection = training_data((__doc__ or "").split("\n")[0], arguments)
    known: list[Read] = []
    for index, some in collection.each(questions):
        for question in some:
            asked = standalone(question.question, turns(question))
            passages = retrieve(asked, [index], collection.models, settings()).passages
            known.append(read(question, passages, index.document, collection.models))
    print(json.dumps(report(known), indent=4))
    return 0


if __name__ == "__main__":
    sys.exit(main())
