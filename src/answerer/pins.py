"""Pins: what tells one fact from its siblings, a year, a month, a number, "berth 3", "Dock B", a code, a name.

A sentence about another berth or another year is near in every model's eyes and wrong all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from src.answerer.numbers import Quantity, quantities
from src.answerer.numerals import MONTHS
from src.answerer.terms import all_terms, fold_word, is_function_word, stem
from src.answerer.wordlists import words_of

# "berth 3", "Dock B", "row F", "Table IV": a noun and the number or letter that singles one out.
_LABELLED = re.compile(
    r"\b([A-Za-z]{2,})\s+(?:no\.?\s*|number\s+|#)?(\d{1,4}[a-z]?|[A-Z]|[IVX]{1,4})\b(?![-.,/]\d|\s?%)"
)
_NAME = re.compile(
    r"\b[A-Z][\w&'’-]*(?:\s+(?:of|and|the|de|van|von|for)\s+(?=[A-Z])|\s+(?=[A-Z]))?(?:[A-Z][\w&'’-]*)?"
)
_ENTITY_FREE = words_of(
    """january february march april may june july august september october november december"""
)


@dataclass(frozen=True, slots=True)
class Pin:
    """Something an answer must agree with. ``kind``: year, month, number, label, code or name.

    ``head`` is the stem of the noun of a label ("berth" of "berth 3"), ``value`` what singles it out.
    """

    kind: str
    value: str
    head: str = ""
    surface: str = ""


@lru_cache(maxsize=4096)
def find_pins(text: str) -> tuple[Pin, ...]:
    """The pins of ``text``, each once."""
    pins: list[Pin] = []
    taken: list[tuple[int, int]] = []
    for quantity in quantities(text):
        pins.extend(_quantity_pins(quantity))
        if quantity.kind != "number" or quantity.unit or quantity.in_words:
            taken.append((quantity.start, quantity.end))
    labelled: list[tuple[int, int]] = []
    for match in _LABELLED.finditer(text):
        head = fold_word(match[1])
        if (
            any(s < match.end(2) and match.start(2) < e for s, e in taken)
            or is_function_word(head)
            or head in MONTHS
        ):
            continue
        if head.endswith("ed"):
            continue  # "enrolled 212" counts, it names nothing
        if match[2] in ("I", "A") and not match[1][0].isupper():
            continue
        labelled.append(match.span(2))
        pins.append(Pin("label", match[2].casefold(), stem(head), match.group()))
    pins = [
        p for p in pins if p.kind != "number" or not any(p.value == text[s:e].casefold() for s, e in labelled)
    ]
    pins.extend(_month_pins(text, taken))
    pins.extend(_name_pins(text, taken + labelled))
    return tuple(dict.fromkeys(pins))


def _quantity_pins(quantity: Quantity) -> list[Pin]:
    if quantity.kind == "date":
        year, month, day = quantity.date
        named = [("year", year), ("month", month), ("day", day)]
        return [Pin(kind, str(value), surface=quantity.surface) for kind, value in named if value]
    if quantity.kind == "year":
        return [Pin("year", str(quantity.value), surface=quantity.surface)]
    if quantity.kind == "code":
        return [Pin("code", quantity.surface.casefold(), surface=quantity.surface)]
    if quantity.kind == "ordinal" or quantity.in_words:
        return []
    return [Pin("number", quantity.surface.casefold().replace(",", ""), quantity.unit, quantity.surface)]


def _month_pins(text: str, taken: list[tuple[int, int]]) -> list[Pin]:
    pins = []
    for term in all_terms(text):
        number = MONTHS.get(term.word)
        capital = term.surface[:1].isupper() and (term.start > 0 or term.word != "may")
        if number and capital and not any(s <= term.start < e for s, e in taken):
            pins.append(Pin("month", str(number), surface=term.surface))
    return pins


def _name_pins(text: str, taken: list[tuple[int, int]]) -> list[Pin]:
    """Capitalised words that are not the first of their sentence; an acronym counts anywhere."""
    pins = []
    terms = all_terms(text)
    for term in terms:
        first = not text[: term.start].strip() or re.search(r"[.!?:]\s*[\"“(]*$", text[: term.start])
        acronym = term.surface.isupper() and len(term.surface) > 1
        if not term.surface[:1].isupper() or (first and not acronym) or term.is_function:
            continue
        if term.word in _ENTITY_FREE or any(s <= term.start < e for s, e in taken):
            continue
        pins.append(Pin("name", term.stem, surface=term.surface))
    return pins
