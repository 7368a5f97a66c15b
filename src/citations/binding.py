"""What belongs to what: the words beside a number or a name, before and behind it.

"Alice reports to Bob" and "Bob reports to Alice" hold the same words. What tells them apart is which words stand
before and which behind each name, so a number or name of a claim is compared with every place of its kind on the
page: when another one fits its surroundings clearly better, the two changed places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.answerer.terms import all_terms

REACH = 6
MARGIN = 0.9

Place = tuple[str, int, int]  # text, start, end

PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|ht|ade|ut|ld|nd|ung)\b[^,;.]*\bby\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:,.()—–]|\b(?:and|but|while|whereas|or)\b", re.IGNORECASE)


def rival(claimed: Place, same: Sequence[Place], others: Sequence[Place], language: str = "en") -> bool:
    """Whether one of ``others`` stands in the surroundings of ``claimed`` clearly better than any of ``same``."""
    if not others:
        return False
    mine = surroundings(claimed, language)
    if not mine:
        return False
    turned = bool(PASSIVE.search(claimed[0]))
    own = max((_likeness(mine, place, turned, language) for place in same), default=0.0)
    best = max(_likeness(mine, place, turned, language) for place in others)
    return best > own + MARGIN


def surroundings(place: Place, language: str = "en") -> dict[tuple[str, int], float]:
    """Weights of (stem, side) around ``place``: side -1 before, 1 behind; nearer words and words of its own
    clause weigh more."""
    text, start, end = place
    weights: dict[tuple[str, int], float] = {}
    terms = all_terms(text, language)
    before = [t for t in terms if t.end <= start and not t.is_function][-REACH:]
    behind = [t for t in terms if t.start >= end and not t.is_function][:REACH]
    for side, row in ((-1, before[::-1]), (1, behind)):
        for distance, term in enumerate(row):
            between = text[term.end : start] if side < 0 else text[end : term.start]
            weight = 1.0 / (1 + 0.35 * distance) * (0.4 if _CLAUSE.search(between) else 1.0)
            key = (term.stem, side)
            weights[key] = max(weights.get(key, 0.0), weight)
    return weights


def _likeness(mine: dict[tuple[str, int], float], place: Place, turned: bool, language: str) -> float:
    theirs = surroundings(place, language)
    flipped = turned != bool(PASSIVE.search(place[0]))
    total = 0.0
    for (stem, side), weight in mine.items():
        straight = theirs.get((stem, -side if flipped else side), 0.0)
        across = theirs.get((stem, side if flipped else -side), 0.0)
        total += max(min(weight, straight), 0.5 * min(weight, across))
    return total
