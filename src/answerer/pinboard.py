"""Does a candidate speak of what the question singles out, or of a sibling of it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from src.answerer.candidates import Candidate
from src.answerer.numbers import quantities
from src.answerer.opposites import opposites_of, siblings_of
from src.answerer.pins import Pin, find_pins
from src.answerer.questions import Question
from src.answerer.ranges import within
from src.answerer.terms import all_terms, fold_word, stem
from src.records import Document, Passage

SHORTEST_NAME = 3  # letters of a name that may be typed without its capital
NAMED = 2  # times a name stands in the documents
NEAR = 0.9
AROUND = 0.6
ON_PAGE = 0.4
_STATES = ("united states", "u.s.", "usa")
_KINGDOM = ("united kingdom", "u.k.", "britain", "british")
# Names that documents and people write differently, by stem.
SAME = {
    "america": _STATES,
    "usa": (*_STATES, "america"),
    "us": (*_STATES, "america"),
    "britain": _KINGDOM,
    "uk": _KINGDOM,
    "eu": ("european union",),
    "un": ("united nations",),
}
DATED = frozenset({"year", "month", "day"})
_REMAINS = re.compile(
    r"\bleft (?:to|over)\b|\b(?:is|are|be) left\b", re.IGNORECASE
)  # the opposite of no arrival
# What makes another thing, or another person, of the one whose name follows.
_ANOTHER = re.compile(
    r"\b(?P<which>next|previous|former|future|deputy|vice|assistant|late|ex)[ -](?P<noun>[^\W\d_]{3,})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """``met`` is the share (0 to 1) of the question's pins that a candidate or its context meets; ``siblings``
    counts those in whose place it has another of the same class; ``unseen`` those that no passage has."""

    met: float
    siblings: int
    unseen: int


class PinBoard:
    """The pins of one question, less those that are the documents' own topic."""

    def __init__(self, question: Question, documents: Mapping[str, Document], topics: frozenset[str]) -> None:
        names = " ".join(f"{d.name} {d.title}" for d in documents.values()).casefold()
        self.pins = tuple(
            p
            for p in (*question.pins, *_names_in_small_letters(question, documents))
            if not (p.kind == "name" and (p.value in topics or p.value in names))
        )
        self._documents = documents
        self._language = question.language
        self._contrary = () if question.yes_no else _contrary(question)
        self._places = _ordinals(question.text)
        self._stems = frozenset(question.stems)
        self._words = frozenset(term.word for term in all_terms(question.text, question.language))

    def agreement(self, candidate: Candidate, own: str, passage: Passage) -> Agreement:
        """How ``candidate``, told as ``own``, agrees with the pins."""
        context = f"{candidate.context} {candidate.lead_in} {passage.context} {' '.join(passage.headings)}"
        mine, near = find_pins(" " + own), find_pins(" " + context)
        around = find_pins(" " + passage.text)
        met, siblings, unseen = 0.0, 0, 0
        for pin in self.pins:
            if self._meets(pin, mine, own) or (
                pin.kind in ("number", "label") and within(pin.value, _label(candidate))
            ):
                met += 1
            elif _sibling(pin, mine):
                siblings += 1
            elif self._meets(pin, near, context):
                met += NEAR
            elif self._meets(pin, around, passage.text):
                met += AROUND
            elif pin.kind == "name" and self._on_page(pin, passage):
                met += ON_PAGE
            else:
                unseen += 1
        siblings += self._contradictions(own, context) + self._another_place(own, context)
        return Agreement(met / len(self.pins) if self.pins else 1.0, siblings, unseen)

    def _on_page(self, pin: Pin, passage: Passage) -> bool:
        """Whether a name stands elsewhere on a page of the passage: a table tells q3, the text beside it what q3 is."""
        document = self._documents.get(passage.document_id)
        return document is not None and any(
            pin.value in document.pages[number - 1].text.casefold() for number in passage.pages
        )

    def _meets(self, pin: Pin, pins: tuple[Pin, ...], text: str) -> bool:
        if pin.kind in ("name", "code"):
            plain = text.casefold()
            return any(name in plain for name in (pin.value, *SAME.get(pin.value, ()))) or any(
                t.stem == pin.value for t in all_terms(text, self._language)
            )
        if pin.kind == "number":
            return any(p.value == pin.value for p in pins if p.kind in ("number", "label"))
        return any((p.kind, p.value, p.head) == (pin.kind, pin.value, pin.head) for p in pins)

    def _another_place(self, own: str, context: str) -> bool:
        """Whether the candidate speaks of the fifth where the sixth is asked for."""
        there = _ordinals(own)
        return bool(self._places and there and not self._places & (there | _ordinals(context)))

    def is_another(self, own: str) -> bool:
        """Whether the candidate speaks of the next meeting, or the deputy mayor, where the meeting or the mayor is asked for."""
        told = [
            (m["which"].casefold(), stem(fold_word(m["noun"]), self._language))
            for m in _ANOTHER.finditer(own)
        ]
        return any(noun in self._stems and which not in self._words for which, noun in told) and not any(
            noun in self._stems for noun in _unmarked(own, self._language)
        )

    def _contradictions(self, own: str, context: str) -> int:
        """Words of the question whose opposite stands in the candidate, and they themselves nowhere near."""
        if not self._contrary:
            return 0
        words = {t.word for t in all_terms(_PERIOD_ENDED.sub(" ", own), self._language)}
        near = words | {t.word for t in all_terms(context, self._language)}
        return sum(bool(against & words) and not same & near for same, against in self._contrary)


def _label(candidate: Candidate) -> str:
    """What names a row, with its section; empty for all else."""
    if candidate.row is None or candidate.page is None:
        return ""
    first = candidate.row.cells[0]
    return " ".join([*candidate.row.section, candidate.page.text[first.start : first.end]])


def _names_in_small_letters(question: Question, documents: Mapping[str, Document]) -> Iterator[Pin]:
    """Words of the question that the documents print with a capital only: who types "powell" means Powell."""
    text = "\n".join(page.text for document in documents.values() for page in document.pages)
    known = {pin.value for pin in question.pins}
    for term in question.terms:
        if not (term.word.isalpha() and term.surface.islower() and len(term.word) >= SHORTEST_NAME):
            continue
        if term.stem in known or text.count(term.word) or text.count(term.word.capitalize()) < NAMED:
            continue
        yield Pin("name", term.stem, surface=term.surface)


def exchanged(question: Question, told: Sequence[str], context: str) -> tuple[str, str] | None:
    """What was asked for and what is spoken of instead, when every text of ``told`` is about a sibling of it.

    None when one of them, or the ``context`` they stand in, has what was asked for.
    """
    found = [find_pins(" " + text) for text in told]
    near = find_pins(" " + context)
    for pin in question.pins:
        if pin.kind not in ("label", "year") or _has(pin, near) or any(_has(pin, pins) for pins in found):
            continue
        others = [
            next((p for p in pins if _same_class(pin, p) and not _has(p, question.pins)), None)
            for pins in found
        ]
        if others and all(others):
            return pin.surface, next(p.surface for p in others if p)
    return None


def _has(pin: Pin, pins: tuple[Pin, ...]) -> bool:
    return any((p.kind, p.value, p.head) == (pin.kind, pin.value, pin.head) for p in pins)


def _same_class(pin: Pin, other: Pin) -> bool:
    return other.kind == pin.kind and other.head == pin.head


def _unmarked(text: str, language: str) -> set[str]:
    """The stems of the words of ``text`` before which nothing makes them another thing."""
    return {term.stem for term in all_terms(_ANOTHER.sub(" ", text), language)}


def _ordinals(text: str) -> frozenset[int]:
    """The ordinals of ``text`` from the second on; "first" is as often an adverb."""
    return frozenset(
        int(q.value) for q in quantities(text) if q.kind == "ordinal" and q.value and q.value > 1
    )


# "The three months ended March 31" are a first quarter and no last one.
_PERIOD_ENDED = re.compile(
    r"\b(?:years?|months?|quarters?|weeks?|periods?) (?:then )?end(?:ed|ing)\b", re.IGNORECASE
)


def _contrary(question: Question) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Pairs of (a word of the question and what means the same, its opposites)."""
    words = {t.word for t in question.terms}
    if _REMAINS.search(question.text):
        words.discard("left")
    pairs = [(siblings_of(w) | {w}, opposites_of(w) - words) for w in sorted(words)]
    return tuple((same, against) for same, against in pairs if against)


def _sibling(pin: Pin, pins: tuple[Pin, ...]) -> bool:
    """Whether another of the same class stands there: another berth, another year."""
    if pin.kind == "label":
        return any(p.kind == "label" and p.head == pin.head for p in pins)
    return pin.kind in DATED and any(p.kind == pin.kind for p in pins)
