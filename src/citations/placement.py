"""Which words of a sentence go with which of its figures or names, and whether a claim keeps them together.

"Rates were 91% in the U.S. and 89% worldwide" holds everything that "worldwide the rate was 91%" says. A sentence is cut
between its figures, at the last comma or "and" before each, so that every part has one of them; a claim that has the
words of one part and the figure of another has bound them wrongly. The same holds between the sentences of a passage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from src.answerer.terms import Term, all_terms
from src.citations.binding import marker

# Where one part of a sentence ends and the next begins, the last one before its figure being taken.
CUTS = re.compile(
    r"[,;:.()](?=\s)|\s[–—]\s|\b(?:and|or|but|while|whereas|with|versus|vs|compared|of which)\b",
    re.IGNORECASE,
)
# What may stand between the cut and a figure whose words before it are those of the first: "and about 89% worldwide".
_LEAD = re.compile(
    r"[\s,;:$€£¥(]*(?:(?:and|or|but|while|to|about|around|approximately|roughly|nearly|some|another|only|just|the|other|remaining"
    r"|with|vs\.?|versus|compared|against)\b[\s,$€£¥(]*)*",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
FAR = 2  # words by which another sentence must be nearer to the claim
TIMES = 2  # by how much more of it must stand there than in the sentence that has the item
SHARE = 0.3  # of the claim's words that must stand in the words of the rival

Item = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a text with the words that go with it: ``own`` beside it, ``head`` shared with the items behind."""

    text: str
    item: Item
    own: frozenset[str]
    head: frozenset[str]
    alone: bool

    @property
    def words(self) -> frozenset[str]:
        """All words that go with the item."""
        return self.own | self.head


def parts(text: str, items: Sequence[Item], language: str = "en") -> tuple[Part, ...]:
    """``text`` cut into parts, one for each of ``items`` in order; a part with two of them is not ``alone``."""
    ordered = sorted(items)
    terms = [t for t in all_terms(text, language) if not t.is_function and not _within(t, ordered)]
    borders = [0, *(_cut(text, a, b) for a, b in pairwise(ordered)), len(text)]
    # A part that begins with its figure leaves the words before the first figure to all.
    parallel = len(ordered) > 1 and all(
        border >= 0 and _LEAD.fullmatch(text[border:start])
        for border, (start, _) in zip(borders[1:-1], ordered[1:], strict=True)
    )
    found = []
    for i, item in enumerate(ordered):
        start = max((b for b in borders[: i + 1] if b >= 0), default=0)
        end = next(b for b in borders[i + 1 :] if b >= 0)
        alone = borders[i] >= 0 and borders[i + 1] >= 0
        inside = [t for t in terms if start <= t.start < end]
        first = [t for t in terms if t.end <= ordered[0][0]] if parallel else []
        shared = {marker(t) for t in first}
        own = {marker(t) for t in inside if t not in first}
        found.append(Part(text, item, frozenset(own), frozenset(shared), alone))
    return tuple(found)


def _within(term: Term, items: Sequence[Item]) -> bool:
    return any(start <= term.start < end for start, end in items)


def _cut(text: str, one: Item, other: Item) -> int:
    """Where the part of ``one`` ends; -1 when nothing parts the two."""
    found = [m.start() for m in CUTS.finditer(text, one[1], other[0])]
    return found[-1] if found else -1


def displaced(
    claimed: Part, homes: Sequence[Part], rivals: Sequence[Part], language: str = "en"
) -> Part | None:
    """The first of ``rivals`` in whose place ``claimed`` has an item that the page has at ``homes``."""
    if not claimed.alone or not homes:
        return None
    for rival in rivals:
        if all(_fits_better(claimed, rival, home, language) for home in homes):
            return rival
    return None


def _fits_better(claimed: Part, rival: Part, home: Part, language: str) -> bool:
    if _RESPECTIVELY.search(home.text) or _RESPECTIVELY.search(rival.text):
        return False
    if rival.text != home.text:
        return elsewhere(claimed, rival, home, language)
    told = claimed.words
    mine, theirs = told & (home.own - rival.own), told & (rival.own - home.own)
    return home.alone and rival.alone and bool(home.own - rival.own) and not mine and bool(theirs)


def elsewhere(claimed: Part, rival: Part, home: Part, language: str) -> bool:
    """Whether the sentence of ``rival``, and not that of ``home``, tells what the claim tells."""
    told = claimed.words
    here, there = _all_words(home, language), _all_words(rival, language)
    mine, theirs = told & (here - there), told & (there - here)
    enough = len(theirs) >= FAR and len(theirs) >= SHARE * len(told)
    return enough and len(theirs) >= TIMES * len(mine) and bool(told & rival.words)


@lru_cache(maxsize=4096)
def _all_words(part: Part, language: str) -> frozenset[str]:
    terms = all_terms(part.text, language)
    return frozenset(marker(t) for t in terms if not t.is_function and not _within(t, [part.item]))
