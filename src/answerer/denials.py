"""Words that deny, and what they govern: "not", "unless", "prohibited"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.answerer.irregular import base
from src.answerer.opposites import DENYING, EXCEPTIONS, NEGATORS, REFUSING
from src.answerer.terms import Term, all_terms
from src.answerer.wordlists import words_of

# Bounds and set phrases that hold a "no" or "not" and deny nothing; the bounds are compared with the numbers.
_IDLE = re.compile(
    r"\b(?:no|not) (?:more|less|fewer|later|earlier|longer|greater|higher|lower) than(?=\s+(?:the\s+)?(?:[\d$€£]|an?\b|one|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|half))|\bnot exceed(?:ing|s)?\b|\bnot only\b"
    r"|\bnot (?:just|merely|necessarily) \b|(?-i:\bNo\.?|\bno\.)\s?(?=\d)|\bNos\.|\bno doubt\b|\bno matter\b|\b(?:whether )?or not\b"
    r"|\bnot (?:before|after|until|beyond|above|below|over|under|past) (?=[$€£]?\d)|\bnot to mention\b|\bwithout (?:prejudice|limitation|doubt)\b|\bif not\b|\bnonetheless\b",
    re.IGNORECASE,
)
CLAUSE_END = re.compile(r"[;:,.()—–?!]|\n")
_TURNS = words_of("but which who because if when although while whereas and or so unless except until since")
_OUT_OF = re.compile(
    r"closed to\b|out of (?:service|order|use|stock|action|print|date|scope|bounds)\b", re.IGNORECASE
)
REACH = 4
WIDE = 12  # "neither the tax on companies nor the one on buybacks is expected": what is denied is the verb
# "without receiving any kind of error" denies the error
_LIGHT = words_of("kind sort type form way receive receiving having getting making giving being any ever")
_TOO = re.compile(
    r"\btoo\s+\w+(?:\s+[^\s,;.:]+){0,8}?\s+to(?=\s+(?:be|have|\w{3,})\b(?!['’]))", re.IGNORECASE
)
SUBJECTS = words_of("neither nobody none no nothing")


@dataclass(frozen=True, slots=True)
class Denial:
    """A word that denies and the content words it governs, the nearest first.

    ``kind`` is "negation" ("not"), "exception" ("unless") or "refusal" ("prohibited", "fails to").
    """

    word: str
    start: int
    heads: tuple[str, ...]
    kind: str


def denials(text: str, language: str = "en") -> tuple[Denial, ...]:
    """The negations, exceptions and refusals of ``text``, in order."""
    masked = _IDLE.sub(lambda m: " " * len(m.group()), text)
    terms = all_terms(masked, language)
    found = []
    for place, term in enumerate(terms):
        if term.word in EXCEPTIONS or _is_except(terms, place):
            found.append(Denial(term.word, term.start, _governed(masked, terms, place), "exception"))
        elif term.word in NEGATORS:
            found.append(Denial(term.word, term.start, _governed(masked, terms, place), "negation"))
        elif term.stem in REFUSING or _OUT_OF.match(masked, term.start):
            heads = _governed(masked, terms, place)[:2] + _before(masked, terms, place)[:2]
            found.append(Denial(term.word, term.start, heads, "refusal"))
    found += _excesses(masked, terms)
    return tuple(sorted(found, key=lambda denial: denial.start))


def _excesses(text: str, terms: Sequence[Term]) -> list[Denial]:
    """ "Too central to be incidental" denies that it is incidental."""
    found = []
    for match in _TOO.finditer(text):
        place = next(i for i, t in enumerate(terms) if t.end >= match.end())
        if terms[place + 1].word in ("the", "a", "an", "this", "that", "its", "their", "his", "our"):
            place = next((i for i in range(place + 1, len(terms)) if terms[i].word == "to"), -1)
            if place < 0 or CLAUSE_END.search(text[match.end() : terms[place].start]):
                continue
        found.append(Denial("too", match.start(), _governed(text, terms, place), "negation"))
    return found


def _is_except(terms: Sequence[Term], place: int) -> bool:
    pair = tuple(t.word for t in terms[place : place + 2])
    return pair in (("other", "than"), ("apart", "from"), ("save", "for"), ("aside", "from"))


def _governed(text: str, terms: Sequence[Term], place: int) -> tuple[str, ...]:
    """Stems of the content words behind the denial at ``place``, up to the end of its clause."""
    heads: list[str] = []
    for previous, term in zip(terms[place:], terms[place + 1 :], strict=False):
        if CLAUSE_END.search(text[previous.end : term.start]) or (term.word in _TURNS and heads):
            break
        if (not term.is_function or term.word in DENYING) and term.word not in _LIGHT:
            heads.append(base(term))
        if len(heads) == (WIDE if terms[place].word in SUBJECTS else REACH):
            break
    return (
        tuple(heads) or _before(text, terms, place)[:2]
    )  # "it does not.", "none of them": what stands before


def _before(text: str, terms: Sequence[Term], place: int) -> tuple[str, ...]:
    """Stems of the content words before the denial at ``place`` in its clause, the nearest first."""
    heads: list[str] = []
    for i in range(place - 1, max(-1, place - 8), -1):
        if CLAUSE_END.search(text[terms[i].end : terms[i + 1].start]):
            break
        if not terms[i].is_function:
            heads.append(base(terms[i]))
    return tuple(heads)
