"""The one value that answers a question, taken from the evidence as it stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from src.answerer.candidates import Candidate
from src.answerer.numbers import Quantity, quantities
from src.answerer.questions import Kind, Question
from src.answerer.tables import Reading
from src.answerer.terms import Term, all_terms
from src.answerer.units import DIMENSIONS, MONEY, canonical_unit

CODE = re.compile(r"(?<![\w-])(?=[\w/.-]*\d)[A-Z0-9][\w]*(?:[-/.]\w+)*(?![\w])")
EVERY = re.compile(
    r"\b(?:every|each|per|once (?:a|every|per)|twice (?:a|every|per)|\w+ times (?:a|per))\s+$", re.IGNORECASE
)
ADVERBS = re.compile(
    r"\b(?:daily|weekly|monthly|quarterly|annually|yearly|hourly|(?:once|twice|\w+ times) (?:a|an|per|every) (?:hour|day"
    r"|week|month|quarter|year)|every (?:other )?(?:hour|day|week|month|quarter|year|shift)|semi-?annually|biannually)\b",
    re.IGNORECASE,
)
DIMENSION_OF = {
    Kind.DURATION: {"time", "month", "workday", "clock"},
    Kind.FREQUENCY: {"time", "month", "workday"},
    Kind.SHARE: {"share", "points"},
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its unit as it stands in the evidence at [start, end) of the candidate's text."""

    text: str
    start: int
    end: int


def find_value(question: Question, candidate: Candidate, reading: Reading | None) -> Value | None:
    """The value of the kind asked for that stands nearest to the question's words, None when there is none."""
    if reading is not None:
        if not reading.cells:
            return None
        return (
            Value(reading.value, 0, 0)
            if not question.kind.wants_value or _holds(question.kind, reading)
            else None
        )
    text = candidate.text
    if question.kind is Kind.FREQUENCY and (match := ADVERBS.search(text)):
        return Value(match.group(), match.start(), match.end())
    if question.kind is Kind.CODE:
        return _nearest(question, text, _codes(text))
    options = [q for q in quantities(text) if _fits(question, q) and not _asked(question, q, text)]
    exact = [q for q in options if _unit_fits(question, q)]
    spans = [_widened(q, text, question.kind) for q in exact or options]
    return _nearest(question, text, spans)


def _holds(kind: Kind, reading: Reading) -> bool:
    if kind in (Kind.PERSON, Kind.PLACE, Kind.CODE):
        return True
    return any(any(c.isdigit() for c in value) for _, value in reading.cells)


def _codes(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in CODE.finditer(text)]


def _fits(question: Question, quantity: Quantity) -> bool:
    kind = question.kind
    if kind is Kind.DATE:
        return quantity.kind in ("date", "year", "time")
    if kind is Kind.YEAR:
        return quantity.kind == "year" or (quantity.kind == "date" and quantity.date[0] > 0)
    if kind in (Kind.COUNT, Kind.AMOUNT, Kind.MEASURE):
        return quantity.kind == "number"
    if kind in DIMENSION_OF:
        if quantity.kind == "time":
            return kind is Kind.DURATION
        return quantity.kind == "number"
    return False


def _unit_fits(question: Question, quantity: Quantity) -> bool:
    kind = question.kind
    dimension = DIMENSIONS.get(quantity.unit, "")
    if kind in DIMENSION_OF:
        if kind is Kind.DURATION and re.search(r"\bhow long\b", question.text, re.IGNORECASE):
            return dimension in DIMENSION_OF[kind] | {"length"}
        return dimension in DIMENSION_OF[kind]
    if kind is Kind.COUNT:
        return not dimension or quantity.unit in _asked_units(question)
    if kind is Kind.AMOUNT:
        return bool(dimension) or quantity.unit in MONEY
    if kind is Kind.MEASURE:
        return bool(dimension) and dimension not in ("share",)
    return True


def _asked_units(question: Question) -> set[str]:
    return {canonical_unit(term.word) for term in all_terms(question.text)}


def _asked(question: Question, quantity: Quantity, text: str) -> bool:
    """Whether the quantity is one that the question itself names (the 3 of "berth 3")."""
    surface = quantity.surface.casefold().replace(",", "")
    return any(p.value == surface for p in question.pins if p.kind in ("number", "label", "year"))


def _widened(quantity: Quantity, text: str, kind: Kind) -> tuple[int, int]:
    """The stretch that reads well: with its unit, and with "every" for a frequency."""
    start, end = quantity.start, quantity.whole_end
    if kind is Kind.FREQUENCY and (match := EVERY.search(text[:start])):
        start = match.start()
    return start, end


def _nearest(question: Question, text: str, spans: list[tuple[int, int]]) -> Value | None:
    """Of ``spans`` the one nearest to the words of the question that stand in ``text``."""
    if not spans:
        return None
    wanted = set(question.stems)
    places = [term for term in all_terms(text, question.language) if term.stem in wanted]
    best = min(spans, key=lambda span: _distance(span, places))
    return Value(text[best[0] : best[1]].strip(), *best)


def _distance(span: tuple[int, int], places: list[Term]) -> float:
    """Mean distance in characters to the question's words; a word before the value counts as nearer."""
    if not places:
        return float(span[0])
    gaps = [
        (span[0] - term.end) if term.end <= span[0] else 1.5 * (term.start - span[1])
        for term in places
        if term.end <= span[0] or term.start >= span[1]
    ]
    return min(gaps) + 0.3 * sum(gaps) / len(gaps) if gaps else 0.0
