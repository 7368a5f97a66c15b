"""What becomes of a hyphen at the end of a line, decided by the words the document itself uses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_HEAD = re.compile(r"\w+$")
_TAIL = re.compile(r"\w+")
HYPHENS = ("-", "\u2010", "\xad")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of the document, lower case, as they stand inside its lines: plain ones and hyphenated ones."""

    words: frozenset[str] = frozenset()

    def __contains__(self, word: str) -> bool:
        return word.lower() in self.words


def page_vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """Distinct words of three letters or more in ``texts``, lower case, hyphenated compounds whole."""
    found = set(_WORD.findall(" ".join(texts).lower()))
    return frozenset(word for word in found if len(word) > 2)


def joined_at_break(first: str, second: str, vocabulary: Vocabulary) -> Literal["drop", "keep", "apart"]:
    """What becomes of the hyphen that ends ``first`` before ``second`` on the next line.

    "drop" joins the halves (temper-ature), "keep" joins them with the hyphen (two-stage), "apart" leaves a space.
    """
    if len(first) < 2 or first[-1] not in HYPHENS:
        return "apart"
    head, tail = _HEAD.search(first[:-1]), _TAIL.match(second)
    if not tail:
        return "apart"
    if first[-1] == "\xad":
        return "drop"
    if not head:
        return "keep" if first[-2] in ")]\u201d\"'" else "apart"
    a, b = head.group(), tail.group()
    if any(ch.isdigit() for ch in a + b) or not b[0].islower() or (len(a) > 1 and a.isupper()):
        return "keep"
    if b in ("und", "oder", "bzw"):  # "Ein- und Ausgang" keeps its gap
        return "apart"
    if a + b in vocabulary:
        return "drop"
    if f"{a}-{b}" in vocabulary or first[:-1].count("-"):
        return "keep"
    if a in vocabulary and b in vocabulary and len(a) > 2 and len(b) > 3:
        return "keep"
    return "drop"
