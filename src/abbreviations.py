"""Abbreviations that a document spells out itself: "Lower of Cost or Market (LCM)"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from src.languages import fold

_SHORT = re.compile(r"\(\s*[\"“'‘]?([A-Z][A-Za-z&]{1,7})[\"”'’]?\s*\)")
_WORDS = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL = frozenset(
    (
        "of",
        "and",
        "or",
        "the",
        "for",
        "in",
        "on",
        "to",
        "a",
        "an",
        "de",
        "la",
        "le",
        "des",
        "du",
        "et",
        "der",
        "die",
        "das",
        "und",
        "für",
    )
)
LONGEST = 80  # characters before the bracket in which the words may stand


def find_abbreviations(texts: Iterable[str]) -> dict[str, str]:
    """Folded abbreviation -> folded words, the first spelling of each; the initials must agree."""
    found: dict[str, str] = {}
    for text in texts:
        for match in _SHORT.finditer(text):
            short = match.group(1)
            if sum(char.isupper() for char in short) < 2 or fold(short) in found:
                continue
            words = _WORDS.findall(text[max(0, match.start() - LONGEST) : match.start()])
            if long := _spelled(short, words):
                found[fold(short)] = fold(" ".join(long))
    return found


def _spelled(short: str, words: list[str]) -> list[str]:
    """The last words whose initials give ``short``, small words between them allowed."""
    letters = [char.lower() for char in short if char.isupper()]
    taken: list[str] = []
    left = list(letters)
    for word in reversed(words):
        if left and word[0].lower() == left[-1]:
            left.pop()
        elif word.lower() not in _SMALL:
            return []
        taken.append(word)
        if not left:
            return taken[::-1]
    return []
