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
    """Words of the document, lower case, as they stand inside its lines: plain ones and hyphenated ones; ``common``
    are words of its language that any document may use."""

    words: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()

    def __contains__(self, word: str) -> bool:
        return word.lower() in self.words


def page_vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """Distinct words of three letters or more in ``texts`` (words in the order of the stream), lower case, hyphenated
    compounds whole. Halves of a word that a hyphen has cut are left out: they would prove themselves."""
    whole: list[str] = []
    cut = False
    for text in texts:
        ends = text[-1] in HYPHENS
        if not cut and not ends:
            whole.append(text)
        cut = ends and len(text) > 1
    found = set(_WORD.findall(" ".join(whole).lower()))
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
    if any(ch.isdigit() for ch in a + b):
        return "keep"
    if b in ("und", "oder", "bzw"):  # "Ein- und Ausgang" keeps its gap
        return "apart"
    if len(a) == 1 and len(first) == 2:  # no one divides a word after its first letter: e-mail, x-ray
        return "keep"
    joined, parted = (a + b).lower(), f"{a}-{b}".lower()
    if joined in vocabulary and parted not in vocabulary:
        return "drop"
    if not b[0].islower() and not (a.isupper() and b.isupper()):
        return "keep"
    if len(a) > 1 and a.isupper() and not b.isupper():
        return "keep"
    if parted in vocabulary or first[:-1].count("-"):
        return "keep"
    if joined in vocabulary.common:
        return "drop"
    return "keep" if _is_word(a, vocabulary, 2) and _is_word(b, vocabulary, 2) else "drop"


def _is_word(text: str, vocabulary: Vocabulary, shortest: int) -> bool:
    """Whether half of a broken word is a word by itself; without a lexicon the document must use it twice as long."""
    word = text.lower()
    if vocabulary.common:
        return len(word) > shortest and word in vocabulary.common
    return len(word) > shortest + 1 and word in vocabulary.words
