"""How many a claim speaks of and how often: "all", "most", "some", "either", "never" against the same word of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.answerer.irregular import base
from src.answerer.terms import all_terms
from src.answerer.wordlists import words_of
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

_COUNT = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+)"
# Tried in order: the longer phrase first.
_KINDS = (
    (
        "some",
        r"\bnot (?:all|every|each|both)\b|\bonly (?:some|part|a few|a part|a portion)\b|\b(?:roughly|about|only) half\b",
    ),
    (
        "nearly",
        r"\b(?:nearly|almost|virtually|practically|substantially|essentially) (?:all|every|the (?:whole|entire))\b",
    ),
    ("all", r"\bevery (?:single )?one of\b|\bwithout exception\b"),
    (
        "most",
        r"\b(?:most|(?:the |a )?majority)\b(?! (?:recent|likely|important|significant))|\b(?:over|more than) half\b",
    ),
    ("part", rf"\b(?:only |just )?{_COUNT} of (?:the |our |its |their |his |her |[A-Z][\w-]+['’]s? )"),
    ("either", r"\beither\b|\b(?:any )?one of (?:the|its|their|our|these|those)\b"),
    ("one", r"\b(?:only|just) (?:one|a single)\b|(?<!not )(?<!without )\ba single\b"),
    ("all", r"\b(?:all|every|each|both|entire|whole)\b"),
    ("some", r"\b(?:some|several|few|multiple|various)\b"),
    ("never", r"\bnever\b|\bat no time\b"),
    ("always", r"\balways\b|\bat all times\b|\binvariably\b"),
    ("rarely", r"\b(?:rarely|seldom|sometimes|occasionally|often|usually|frequently|hardly ever)\b"),
)
_PATTERN = re.compile(
    "|".join(f"(?P<k{i}>{pattern})" for i, (_, pattern) in enumerate(_KINDS)), re.IGNORECASE
)
_AGAINST = frozenset(
    frozenset(pair)
    for pair in (
        ("all", "most"), ("all", "some"), ("all", "nearly"), ("all", "either"), ("all", "part"),
        ("nearly", "some"), ("most", "some"), ("one", "some"), ("never", "rarely"), ("always", "rarely"),
    )
)  # fmt: skip
_IDLE = re.compile(
    r"\b(?:at all|in all|after all|all the same|all over|above all|each other|as a whole|on the whole|all of which)\b",
    re.IGNORECASE,
)
_TIMES = words_of("year month day week quarter time case period hour")
_BREAK = re.compile(r"[;:.()]|,\s")
REACH = 3
ALIGNED = 0.35  # share of the claim's content words that a sentence must have to be compared


@dataclass(frozen=True, slots=True)
class Quantifier:
    """A word of how many or how often at [start, end), its kind and the stems of the content words behind it."""

    kind: str
    start: int
    end: int
    heads: tuple[str, ...]


def quantifiers(text: str, language: str = "en") -> tuple[Quantifier, ...]:
    """The quantifiers of ``text`` in order."""
    masked = _IDLE.sub(lambda m: " " * len(m.group()), text)
    terms = all_terms(text, language)
    found = []
    for match in _PATTERN.finditer(masked):
        kind = next(_KINDS[int(name[1:])][0] for name, value in match.groupdict().items() if value)
        heads: list[str] = []
        for term in terms:
            if term.start < match.end() or term.is_function:
                continue
            if _BREAK.search(text[match.end() : term.start]) or len(heads) == REACH:
                break
            heads.append(base(term))
        if heads and heads[0] not in _TIMES:
            found.append(Quantifier(kind, match.start(), match.end(), tuple(heads)))
    return tuple(found)


def check_quantifiers(claim: str, grounds: Grounds) -> Verdict | None:
    """The first quantifier of ``claim`` that the page has otherwise about the same thing; None when there is none."""
    if grounds.language != "en":
        return None
    theirs = [q for sentence in _near(claim, grounds) for q in quantifiers(sentence)]
    for mine in quantifiers(claim):
        same = [q for q in theirs if _about_one(mine, q)]
        if any(q.kind == mine.kind for q in same):
            continue
        if other := next((q for q in same if frozenset((q.kind, mine.kind)) in _AGAINST), None):
            return Verdict(
                Support.PARTIAL,
                f"{claim[mine.start : mine.end]!r} is told where {grounds.label} has a word for {_NAMES[other.kind]}",
            )
    return None


_NAMES = {
    "all": "all", "nearly": "nearly all", "most": "most", "some": "some", "part": "a number of them",
    "either": "one of them", "one": "a single one", "never": "never", "always": "always", "rarely": "sometimes",
}  # fmt: skip


def _about_one(one: Quantifier, other: Quantifier) -> bool:
    """Whether two quantifiers stand before the same thing."""
    return bool(set(one.heads[:2]) & set(other.heads)) or bool(set(one.heads) & set(other.heads[:2]))


def _near(claim: str, grounds: Grounds) -> Sequence[str]:
    wanted = {base(t) for t in all_terms(claim) if not t.is_function}
    return [
        sentence
        for sentence in grounds.sentences
        if len(wanted & {base(t) for t in all_terms(sentence)}) >= ALIGNED * len(wanted)
    ]
