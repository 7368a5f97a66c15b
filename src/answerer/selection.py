"""Which of the candidates answers: one linear model over what is known of each.

The weights are learned by ``evaluation.train_answering`` on development questions; they order candidates of one
question and say nothing across questions.
"""

from __future__ import annotations

import re

from src.refusal import Evidence

LOGIT = 8.0  # logits are cut at +-LOGIT
LOW = -8.0  # a logit from which the cross-encoder sees nothing in common
LONG = 60  # words from which a sentence counts as long
FARTHEST = 10.0  # how far behind the best passage still tells
_ENDED = re.compile(r"[.!?:;)”\"]$")

WEIGHTS: dict[str, float] = {
    "own": 1.77,
    "coverage": 0.75,
    "similarity": 1.1,
    "typed": 1.9,
    "pinned": 1.0,
    "siblings": 0.02,
    "unseen": -0.05,
    "row": 0.57,
    "rank": 0.55,
    "logit": 0.95,
    "logit_high": 1.26,
    "logit_row": 1.33,
    "row_unread": -0.5,
    "passage_logit": 0.93,
    "focus": 1.66,
    "rarest": 0.55,
    "labelled": 0.81,
    "column": 0.2,
    "cell": 2.81,
    "behind": 0.69,
    "core": 1.24,
    "long": -0.09,
    "ended": -0.42,
    "begun_inside": -0.68,
}


def preference(evidence: Evidence, text: str) -> float:
    """How strongly the candidate with ``text`` is preferred to its rivals."""
    return sum(WEIGHTS[name] * value for name, value in measures(evidence, text).items())


def measures(evidence: Evidence, text: str) -> dict[str, float]:
    """The features of one candidate, about -1 to 1 each."""
    logit = 0.0 if evidence.rerank is None else _cut(evidence.rerank)
    plain = text.strip()
    prose = not evidence.row
    return {
        "own": evidence.own,
        "coverage": evidence.coverage,
        "similarity": evidence.similarity or 0.0,
        "typed": float(evidence.typed),
        "pinned": evidence.pinned - 1.0,
        "siblings": float(min(2, evidence.siblings)),
        "unseen": float(min(2, evidence.unseen)),
        "row": float(evidence.row),
        "rank": 1 / (1 + evidence.rank),
        "logit": logit,
        "logit_high": max(0.0, logit),
        "logit_row": logit * evidence.row,
        "row_unread": float(evidence.row and evidence.rerank is not None and evidence.rerank < LOW),
        "passage_logit": 0.0 if evidence.passage_rerank is None else _cut(evidence.passage_rerank),
        "focus": evidence.focus,
        "rarest": evidence.rarest,
        "labelled": float(evidence.labelled),
        "column": evidence.column,
        "cell": evidence.cell,
        "behind": max(-FARTHEST, evidence.behind) / 5,
        "core": float(evidence.core),
        "long": min(len(plain.split()), LONG) / LONG * prose,
        "ended": float(prose and bool(_ENDED.search(plain))),
        "begun_inside": float(prose and plain[:1].islower()),
    }


def _cut(logit: float) -> float:
    return max(-1.0, min(1.0, logit / LOGIT))
