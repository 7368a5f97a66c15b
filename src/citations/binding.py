"""What belongs to what: the words beside a number or a name, before and behind it.

"Alice reports to Bob" and "Bob reports to Alice" hold the same words. What tells them apart is which words stand
before and which behind each name, so a number or name of a claim is compared with every place of its kind on the
page: when another one fits its surroundings clearly better, the two changed places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.answerer.irregular import base
from src.answerer.numerals import WORDS
from src.answerer.opposites import siblings_of
from src.answerer.terms import Term, all_terms
from src.answerer.units import canonical_unit
from src.answerer.wordlists import words_of

REACH = 6
ACROSS = 0.3  # credit for a word that stands on the other side
REPEATED = 0.9  # share of its content words that makes a claim a repetition
MARGIN = 0.45  # by how much a rival must fit better, against the 1.0 of one adjacent word
PREPOSITIONS = words_of(
    """by in at from to with for of on against under over into between after before through than"""
)

Place = tuple[str, int, int]  # text, start, end

PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|ht|ade|ut|ld|nd|ung)\b[^,;.]*?\bby\s+(?=[A-Z]|the\b|an?\b)",
)
_CLAUSE = re.compile(r"[;:,.()—–]|\b(?:and|but|while|whereas|or)\b", re.IGNORECASE)


def rival(
    claimed: Place,
    same: Sequence[Place],
    others: Sequence[Place],
    language: str = "en",
    ignored: frozenset[str] = frozenset(),
    *,
    sided: bool = True,
) -> bool:
    """Whether one of ``others`` stands in the surroundings of ``claimed`` clearly better than all of ``same``.

    ``ignored`` are words (as in ``marker``) that are no surroundings, such as the names themselves. Without
    ``sided`` it does not matter whether a word stands before or behind.
    """
    for other in others:
        common = ignored.union(*(_before_both(place, other, language) for place in same))
        own = max((sum(_shared(claimed, p, language, common, sided).values()) for p in same), default=0.0)
        if sum(_shared(claimed, other, language, common, sided).values()) > own + MARGIN:
            return True
    return False


def _before_both(one: Place, other: Place, language: str) -> frozenset[str]:
    """Words that stand before both places: in "costs were 12 in May and 15 in June" the costs belong to both."""
    if one[0] != other[0]:
        return frozenset()
    end = min(one[1], other[1])
    return frozenset(marker(t) for t in all_terms(one[0], language) if t.end <= end)


def exchanged(
    first: Place,
    second: Place,
    firsts: Sequence[Place],
    seconds: Sequence[Place],
    language: str = "en",
    ignored: frozenset[str] = frozenset(),
    *,
    sided: bool = True,
) -> bool:
    """Whether the claim's ``first`` and ``second`` fit the places of each other clearly better than their own."""

    def best(place: Place, places: Sequence[Place]) -> float:
        return max((sum(_shared(place, p, language, ignored, sided).values()) for p in places), default=0.0)

    straight = best(first, firsts) + best(second, seconds)
    crossed = best(first, seconds) + best(second, firsts)
    return crossed > straight + MARGIN


def marker(term: Term) -> str:
    """A word in the form in which surroundings are compared: number words as digits, units and synonyms as one."""
    if term.word in WORDS:
        return str(WORDS[term.word])
    if len(term.word) > 1 and (unit := canonical_unit(term.word)):
        return unit
    group = siblings_of(term.word)
    return min(group) if group else base(term)


def surroundings(
    place: Place, language: str = "en", ignored: frozenset[str] = frozenset()
) -> dict[tuple[str, int], float]:
    """Weights of (word, side) around ``place``: side -1 before, 1 behind; nearer words and words of its own
    clause weigh more."""
    text, start, end = place
    weights: dict[tuple[str, int], float] = {}
    terms = all_terms(text, language)
    before = [t for t in terms if t.end <= start]
    behind = [t for t in terms if t.start >= end]
    for term in before[-2:]:
        if term.word in PREPOSITIONS and not re.search(r"[,;.]", text[term.end : start]):
            weights[(term.word, 0)] = 0.45
    if behind and behind[0].word in PREPOSITIONS:
        weights[(behind[0].word, 2)] = 0.3
    for side, row in ((-1, before[::-1]), (1, behind)):
        near = [t for t in row if not t.is_function and marker(t) not in ignored][:REACH]
        for distance, term in enumerate(near):
            between = text[term.end : start] if side < 0 else text[end : term.start]
            weight = 1.0 / (1 + 0.4 * distance) * (0.5 if _CLAUSE.search(between) else 1.0)
            key = (marker(term), side)
            weights[key] = max(weights.get(key, 0.0), weight)
    return weights


def _shared(
    claimed: Place, place: Place, language: str, ignored: frozenset[str], sided: bool
) -> dict[str, float]:
    """The words that stand beside both places with their weights; an adjacent word of the same side counts 1.

    Between an active and a passive sentence the sides say nothing.
    """
    mine = surroundings(claimed, language, ignored)
    theirs = surroundings(place, language, ignored)
    across = ACROSS if sided and bool(PASSIVE.search(claimed[0])) == bool(PASSIVE.search(place[0])) else 1.0
    shared: dict[str, float] = {}
    for (word, side), weight in mine.items():
        same = min(weight, theirs.get((word, side), 0.0))
        other = across * min(weight, theirs.get((word, -side), 0.0)) if side in (-1, 1) else 0.0
        shared[word] = max(shared.get(word, 0.0), same, other)
    return {word: weight for word, weight in shared.items() if weight}


def repeats(claim: str, sentence: str, language: str = "en") -> bool:
    """Whether ``claim`` keeps nearly to the words of ``sentence``: a difference is then none of wording."""
    mine = {marker(t) for t in all_terms(claim, language) if not t.is_function}
    theirs = {marker(t) for t in all_terms(sentence, language) if not t.is_function}
    return len(mine & theirs) >= REPEATED * len(mine)


def roles(
    text: str, first: tuple[int, int], second: tuple[int, int], language: str = "en"
) -> tuple[str, bool] | None:
    """The verb between two names and whether the first acts: "A acquired B" and "B was acquired by A" agree.

    None when more than a few words stand between them.
    """
    between = text[first[1] : second[0]]
    words = [t for t in all_terms(between, language) if not t.is_function]
    if re.match(r"['’]s\b", between) or re.search(r"['’]s?$", text[slice(*first)]):
        return None  # "Google's internal JFT" names an owner and joins the two by no verb
    if not words or len(words) > 8 or re.search(r"[.;]", between):
        return None
    passive = bool(re.search(r"\bby\s*(?:the\s*)?$", between)) and bool(PASSIVE.search(text[: second[1]]))
    return marker(words[0] if passive else words[-1]), not passive
