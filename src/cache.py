"""Answers kept for questions that mean the same: same documents and snapshots, same session, equivalent question.

Equivalent is strict, because a wrong hit is a wrong answer with a right look: the numbers, names, labels, negations
and the kind of answer asked for are equal, the content words agree apart from words that carry no meaning of their
own, and the vectors are near. A session sees its own answers only: that somebody else has asked is their affair.
"""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from src.answerer.pins import Pin
from src.answerer.questions import read_question
from src.index import DocumentIndex
from src.models import Models
from src.records import Answer, FloatArray, Usage

ENTRIES = 500
NEAR = 0.88  # cosine of sentence vectors; of static vectors where there are no others
NEUTRAL = frozenset(
    [
        "please",
        "tell",
        "give",
        "show",
        "document",
        "paper",
        "report",
        "file",
        "pdf",
        "text",
        "exact",
        "exactly",
        "current",
        "total",
        "overall",
        "amount",
        "value",
        "figure",
        "size",
        "number",
        "state",
        "mention",
        "describe",
        "say",
        "know",
        "find",
        "want",
    ]
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|except|unless|neither|nor|cannot|\w+n't|exclud\w*|non)\b", re.IGNORECASE
)
_ASKED = re.compile(r"\b(?:why|when|where|who|whom|whose|how)\b", re.IGNORECASE)
_EQUAL = ("kind", "asked", "pins", "negations", "several")
_ORDERED = re.compile(
    r"\b(?:than|before|after|from|to|over|under|versus|vs|against|exceeds?|by|between|into|more|less)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What must be equal, and the vector that must be near."""

    kind: str
    asked: tuple[str, ...]
    pins: tuple[Pin, ...]
    words: frozenset[str]
    sequence: tuple[str, ...]
    negations: tuple[str, ...]
    several: bool
    ordered: bool
    vector: FloatArray | None


@dataclass(frozen=True, slots=True)
class _Entry:
    meaning: _Meaning
    answer: Answer
    until: float


class AnswerCache:
    """Safe for use from several threads; the oldest entries go beyond ``ENTRIES``, each after ``minutes``."""

    def __init__(self, models: Models, minutes: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._models = models
        self._seconds = minutes * 60
        self._clock = clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[int, tuple[tuple[object, ...], _Entry]] = OrderedDict()
        self._count = 0

    def find(self, question: str, indexes: Sequence[DocumentIndex], session: str, web: bool) -> Answer | None:
        """The kept answer to a question that means the same, marked ``cached`` and free of cost."""
        key = _key(indexes, session, web)
        now = self._clock()
        with self._lock:
            for number in [n for n, (_, e) in self._entries.items() if e.until <= now]:
                del self._entries[number]
            same = [entry for kept_key, entry in self._entries.values() if kept_key == key]
        if not same:
            return None
        meaning = self._meaning(question)
        for entry in reversed(same):
            if _equivalent(meaning, entry.meaning):
                return replace(entry.answer, cached=True, usage=Usage())
        return None

    def keep(
        self, question: str, indexes: Sequence[DocumentIndex], session: str, web: bool, answer: Answer
    ) -> None:
        """Keep ``answer`` unless it is stopped or partial work: what a retry could better is not kept."""
        if not self._seconds or answer.stopped or answer.cached:
            return
        entry = _Entry(self._meaning(question), answer, self._clock() + self._seconds)
        with self._lock:
            self._count += 1
            self._entries[self._count] = (_key(indexes, session, web), entry)
            while len(self._entries) > ENTRIES:
                self._entries.popitem(last=False)

    def forget(self, document_id: str) -> None:
        """Drop every answer that was given from ``document_id``."""
        with self._lock:
            for number in [
                n for n, (_, e) in self._entries.items() if document_id in dict(e.answer.snapshots)
            ]:
                del self._entries[number]

    def forget_session(self, session: str) -> None:
        """Drop every answer of ``session``."""
        with self._lock:
            for number in [n for n, (key, _) in self._entries.items() if key[0] == session]:
                del self._entries[number]

    def __len__(self) -> int:
        return len(self._entries)

    def _meaning(self, question: str) -> _Meaning:
        asked = read_question(question)
        embedder = self._models.embedder or self._models.static
        vector = embedder.embed([question], "query")[0] if embedder else None
        words = [term.stem for term in asked.terms if term.word not in NEUTRAL]
        return _Meaning(
            asked.kind.value,
            tuple(sorted({m.group().lower() for m in _ASKED.finditer(question)})),
            tuple(sorted({replace(pin, surface="") for pin in asked.pins}, key=repr)),
            frozenset(words),
            tuple(words),
            tuple(m.group().lower() for m in _NEGATION.finditer(question)),
            asked.several,
            bool(_ORDERED.search(question)),
            vector,
        )


def _equivalent(one: _Meaning, other: _Meaning) -> bool:
    if any(getattr(one, name) != getattr(other, name) for name in _EQUAL):
        return False
    if one.words != other.words or not one.words:
        return False
    # "Does lead sink faster than gold?" has the words of its opposite.
    if one.sequence != other.sequence and (len(one.pins) > 1 or one.ordered or other.ordered):
        return False
    if one.vector is None or other.vector is None:
        return one.sequence == other.sequence
    return float(np.dot(one.vector, other.vector)) >= NEAR


def _key(indexes: Sequence[DocumentIndex], session: str, web: bool) -> tuple[object, ...]:
    # Sentence vectors that are still growing would find more: an answer without them counts for that state only.
    snapshots = sorted((i.document.id, i.document.revision, i.complete) for i in indexes)
    return (session, web, tuple(snapshots))
