"""Learns the weights of ``src/retriever/fusion.py`` from development questions, and says what they are worth elsewhere.

``python -m evaluation.train_fusion --questions Q.jsonl [...] --pdfs DIR [...] [--cache DIR]``

The model is linear. It is trained to give its probability (a softmax over the candidates of a question) to the
chunks whose passage shows the evidence, or stands on a right page where a file has no evidence. Printed are the
weights over all questions, and hits in a cross-validation in which no document is on both sides. Questions of the
test split are refused.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from evaluation.collection import Collection, training_data
from evaluation.questions import Question
from src.index import DocumentIndex, model_view
from src.models import Models
from src.records import FloatArray
from src.retriever.fusion import FEATURES, OF_ALL, first_features, known_models, rank, second_scores
from src.retriever.passages import grow
from src.retriever.query import Query, read_query
from src.retriever.search import look_closer
from src.retriever.signals import Signals, read_signals
from src.settings import settings

log = logging.getLogger(__name__)

CANDIDATES = 60  # of each ranking, the chunks among which a question chooses in training
FOLDS = 5
L2 = 0.005
STEPS = 400
RERANKS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.5)  # weights of the cross-encoder's logit that are tried
MASKS = {
    "late": (),
    "semantic": ("late",),
    "static": ("late", "semantic"),
    "keywords": ("late", "semantic", "static", "card_static"),
}  # signals that are not there yet

Labels: TypeAlias = npt.NDArray[np.bool_]
Read: TypeAlias = tuple[Question, DocumentIndex, Signals, Labels]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question: its candidates' features and which of them are right. ``missed``: right ones there are beyond."""

    question: Question
    features: FloatArray
    right: Labels
    missed: bool


def right_chunks(question: Question, index: DocumentIndex, length: int) -> Labels:
    """Chunks whose passage of ``length`` characters shows the evidence, or (without evidence) on a right page."""
    right = np.zeros(len(index.chunks), dtype=np.bool_)
    around = {page + step for page in question.pages for step in (-1, 0, 1)}
    for number, chunk in enumerate(index.chunks):
        if question.evidence and not around.isdisjoint(chunk.pages):
            right[number] = question.is_evidence(grow(index, number, length).text)
        elif not question.evidence:
            right[number] = not question.pages.isdisjoint(chunk.pages)
    return right


def query_of(question: Question, index: DocumentIndex) -> Query:
    """``question`` as the retriever reads it for one document."""
    return read_query(question.question, index.languages, index.abbreviations)


def signals_of(question: Question, index: DocumentIndex, models: Models) -> Signals:
    """The signals of one question over one document that are known of every chunk."""
    return read_signals(query_of(question, index), [index], models)


def without(signals: Signals, names: Sequence[str]) -> Signals:
    """``signals`` as they are while the named ones are not there yet."""
    unknown = np.full(len(signals.keyword), np.nan, dtype=np.float32)
    return replace(signals, **dict.fromkeys(names, unknown))


def candidates(features: FloatArray) -> npt.NDArray[np.int64]:
    """Chunks among the first of any feature, in order."""
    tops = [np.argsort(-column, kind="stable")[:CANDIDATES] for column in features.T if column.any()]
    return np.unique(np.concatenate(tops)) if tops else np.zeros(0, np.int64)


def choice_example(question: Question, signals: Signals, right: Labels) -> Example:
    """The choice among all chunks, by what is known of every one."""
    features = first_features(signals, rank(signals))[:, : len(OF_ALL)]
    chosen = candidates(features)
    return Example(question, features[chosen], right[chosen], not right[chosen].any())


def order_example(question: Question, signals: Signals, right: Labels) -> Example:
    """The order of the likely chunks, which ``signals`` have looked at more closely."""
    chosen = ~np.isnan(signals.covered)
    features = first_features(signals, rank(signals))[chosen]
    return Example(question, features, right[chosen], not right[chosen].any())


def closer(question: Question, index: DocumentIndex, signals: Signals, masked: Sequence[str]) -> Signals:
    """``signals`` after the closer look at the likely chunks, as it is while ``masked`` are not there yet."""
    known = without(signals, masked)
    looked = look_closer(known, rank(known), query_of(question, index), [index])
    return without(looked, masked)


def pool_logits(
    question: Question, index: DocumentIndex, models: Models, chosen: Sequence[int]
) -> FloatArray:
    """The cross-encoder's logits of the running texts among ``chosen``, NaN for tables."""
    assert models.reranker is not None
    chunks = [index.chunks[i] for i in chosen]
    read = [i for i, chunk in enumerate(chunks) if chunk.kind != "table"]
    logits = np.full(len(chunks), np.nan, dtype=np.float32)
    logits[read] = models.reranker.score(
        query_of(question, index).core, [model_view(chunks[i]) for i in read]
    )
    return logits


def fit(examples: Sequence[Example]) -> FloatArray:
    """Weights, one a feature: Adam on the softmax loss with a penalty on large weights, from zero."""
    usable = [e for e in examples if e.right.any() and not e.right.all()]
    weights = np.zeros(usable[0].features.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        gradient = L2 * weights
        for example in usable:
            chance = _softmax(example.features @ weights)
            wanted = chance * example.right
            wanted /= max(wanted.sum(), 1e-12)
            gradient = gradient + (chance - wanted) @ example.features / len(usable)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = 0.3 if step <= STEPS / 2 else 0.1
        weights -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights.astype(np.float32)


def _softmax(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    powers = np.exp(scores - scores.max())
    return np.asarray(powers / powers.sum())


def cross_validate(examples: Sequence[Example]) -> Iterator[tuple[Question, int]]:
    """Each question with the place of its first right candidate under weights of other documents, 0 for none."""
    for fold in range(FOLDS):
        weights = fit([e for e in examples if _fold(e.question.doc) != fold])
        for example in examples:
            if _fold(example.question.doc) == fold:
                yield example.question, place(example.features @ weights, example.right)


def rerank_weights(read: Sequence[Read], models: Models, weights: FloatArray, pool: int) -> None:
    """Print what each weight of the cross-encoder's logit makes of the pool's order."""
    pools = []
    for question, index, signals, right in read:
        first = first_features(signals, rank(signals)) @ weights
        first = np.where(np.isnan(signals.covered), -np.inf, first).astype(np.float32)
        chosen = np.argsort(-first, kind="stable")[:pool]
        pools.append((first[chosen], pool_logits(question, index, models, chosen.tolist()), right[chosen]))
    for weight in RERANKS:
        found = [place(second_scores(first, logits, weight), right) for first, logits, right in pools]
        print(f"cross-encoder with weight {weight}: {_hits(found)}")


def _fold(doc: str) -> int:
    return sha256(doc.encode()).digest()[0] % FOLDS


def place(scores: FloatArray, right: Labels) -> int:
    """1-based place of the best right candidate, 0 if there is none."""
    return int((scores > scores[right].max()).sum()) + 1 if right.any() else 0


def _report(name: str, examples: Sequence[Example], names: Sequence[str]) -> FloatArray:
    groups: dict[str, list[int]] = {}
    for question, found in cross_validate(examples):
        for group in ("all", question.kind):
            groups.setdefault(group, []).append(found)
    print(f"{name}: {len(examples)} questions, cross-validated by document")
    for group, found in sorted(groups.items()):
        print(f"  {group:20s} {len(found):4d}  {_hits(found)}")
    weights = fit(examples)
    print(json.dumps({n: round(float(w), 3) for n, w in zip(names, weights, strict=True)}, indent=4))
    return weights


def _hits(found: Sequence[int]) -> str:
    return "  ".join(f"@{k} {100 * np.mean([0 < f <= k for f in found]):5.1f}" for k in (1, 3, 8))


def train(questions: Sequence[Question], collection: Collection, length: int, pool: int) -> None:
    """Print the weights of all rows and what they are worth."""
    models = collection.models
    read: list[Read] = []
    for index, some in collection.each(questions):
        for question in some:
            right = right_chunks(question, index, length)
            if right.any():
                read.append((question, index, signals_of(question, index, models), right))
    for name, masked in MASKS.items():
        if name != "late":
            choices = [choice_example(q, without(s, masked), right) for q, _, s, right in read]
            _report(f"choice of the likely chunks, {name}", choices, OF_ALL)
    for name, masked in MASKS.items():
        looked = [(q, index, closer(q, index, s, masked), right) for q, index, s, right in read]
        looked = [entry for entry in looked if known_models(entry[2]) == name]
        orders = [order_example(q, s, right) for q, _, s, right in looked]
        weights = _report(f"order of the likely chunks, {name}", orders, FEATURES)
        if name == "late" and models.reranker is not None:
            rerank_weights(looked, models, weights, pool)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    questions, collection = training_data((__doc__ or "").split("\n")[0], arguments)
    usable = [q for q in questions if q.answerable and not q.history and q.pages]
    train(usable, collection, settings().passage_chars, settings().pool)
    return 0


if __name__ == "__main__":
    sys.exit(main())
