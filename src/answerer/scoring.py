"""How well each candidate fits a question: shared words, pins, kind of answer, vectors, cross-encoder."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from src.answerer.candidates import Candidate
from src.answerer.questions import Pin, Question, find_pins
from src.answerer.tables import Reading, read_row
from src.answerer.terms import stems
from src.answerer.values import Value, find_value
from src.models import Models
from src.records import Document, Passage
from src.refusal import Evidence

PAIRS = 12
PAIR_CHARS = 320


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its measures; ``score`` orders candidates, ``value`` is the one value it gives, if any."""

    candidate: Candidate
    evidence: Evidence
    score: float
    value: Value | None
    reading: Reading | None
    covered: frozenset[str]


def score_candidates(
    question: Question,
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    models: Models,
) -> list[Scored]:
    """``found`` with scores, best first. The cross-encoder reads the first PAIRS by the other measures."""
    if not found:
        return []
    weights = term_weights(question, documents)
    similarities = _similarities(question, found, models)
    first = [
        _score(question, candidate, passages[candidate.passage], weights, similarity, None)
        for candidate, similarity in zip(found, similarities, strict=True)
    ]
    first.sort(key=lambda s: -s.score)
    language = passages[0].language
    if models.reranker is None or not models.knows(language):
        return first
    pool = first[:PAIRS]
    logits = models.reranker.score(question.text, [reading_text(s) for s in pool])
    again = [
        _score(
            question,
            s.candidate,
            passages[s.candidate.passage],
            weights,
            s.evidence.similarity,
            float(logit),
        )
        for s, logit in zip(pool, logits, strict=True)
    ]
    return sorted(again, key=lambda s: -s.score)


def reading_text(scored: Scored) -> str:
    """What the cross-encoder reads of a candidate: a row is told as a sentence, with its headers."""
    candidate = scored.candidate
    if scored.reading is not None:
        return f"{candidate.context}. {scored.reading.say()}"[:PAIR_CHARS]
    return candidate.reading[:PAIR_CHARS]


def term_weights(question: Question, documents: Mapping[str, Document]) -> dict[str, float]:
    """Weight of each stem of the question: rare words of the documents weigh more, absent ones like the rarest."""
    pages = [page.text.casefold() for document in documents.values() for page in document.pages]
    total = len(pages)
    weights: dict[str, float] = {}
    for word in question.stems:
        # A stem is nearly always a prefix of its words as printed ("inspect" of "inspected").
        count = sum(word[: max(3, len(word) - 1)] in page for page in pages)
        weights[word] = math.log(1 + (total + 1) / (count + 0.5)) if count else 0.0
    rarest = max(weights.values(), default=0.0) or 1.0
    return {word: weight or rarest for word, weight in weights.items()}


def _similarities(question: Question, found: Sequence[Candidate], models: Models) -> list[float | None]:
    if models.static is None:
        return [None] * len(found)
    query = models.static.embed([question.text], "query")[0]
    rows = models.static.embed([c.reading[:600] for c in found], "passage")
    return [float(value) for value in np.asarray(rows @ query)]


def _score(
    question: Question,
    candidate: Candidate,
    passage: Passage,
    weights: Mapping[str, float],
    similarity: float | None,
    logit: float | None,
) -> Scored:
    reading = read_row(question, candidate) if candidate.row is not None else None
    own_text = f"{reading.say()} {candidate.text}" if reading else candidate.text
    language = question.language
    own = set(stems(own_text, language))
    context = set(
        stems(f"{candidate.context} {candidate.lead_in} {passage.context} {' '.join(passage.headings)}")
    )
    around = set(stems(passage.text, language))
    total = sum(weights.values()) or 1.0
    shares = {w: 1.0 if w in own else 0.7 if w in context else 0.25 if w in around else 0.0 for w in weights}
    coverage = sum(weights[w] * s for w, s in shares.items()) / total
    own_share = sum(weights[w] for w in weights if w in own) / total
    pinned, conflict = _pins(question.pins, own_text, f"{candidate.context} {passage.context}", passage)
    value = find_value(question, candidate, reading)
    typed = value is not None or not question.kind.wants_value
    evidence = Evidence(
        coverage,
        own_share,
        logit,
        similarity,
        pinned,
        conflict or bool(reading and reading.conflict),
        typed,
    )
    score = 2.0 * coverage + 0.8 * own_share + 1.0 * (pinned - 1) + 0.5 * typed - 2.0 * evidence.conflict
    score += (similarity or 0.0) + 0.02 / (1 + candidate.passage)
    if reading is not None:
        score += 0.3 * min(1.0, reading.column_score)
    if logit is not None:
        score += 0.22 * max(-8.0, min(8.0, logit))
    return Scored(candidate, evidence, score, value, reading, frozenset(w for w in weights if w in own))


def _pins(pins: Sequence[Pin], own: str, context: str, passage: Passage) -> tuple[float, bool]:
    """Share of ``pins`` that the candidate or its context meets, and whether a sibling stands in place of one."""
    if not pins:
        return 1.0, False
    mine, near = set(find_pins(" " + own)), set(find_pins(" " + context))
    around = set(find_pins(" " + passage.text))
    met, conflict = 0.0, False
    for pin in pins:
        if _meets(pin, mine, own):
            met += 1
        elif _sibling(pin, mine):
            conflict = True
        elif _meets(pin, near, context):
            met += 0.9
        elif _meets(pin, around, passage.text):
            met += 0.6
    return met / len(pins), conflict


def _meets(pin: Pin, pins: set[Pin], text: str) -> bool:
    if pin.kind in ("name", "code"):
        return pin.value in set(stems(text)) or pin.value in text.casefold()
    if pin.kind == "number":
        return any(p.value == pin.value for p in pins if p.kind in ("number", "label"))
    return any((p.kind, p.value, p.head) == (pin.kind, pin.value, pin.head) for p in pins)


def _sibling(pin: Pin, pins: set[Pin]) -> bool:
    """Whether another of the same class stands there: another berth, another year."""
    if pin.kind == "label":
        return any(p.kind == "label" and p.head == pin.head for p in pins)
    if pin.kind in ("year", "month"):
        return any(p.kind == pin.kind for p in pins)
    return False
