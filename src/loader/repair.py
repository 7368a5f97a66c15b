"""Repairs of extracted text that keep every character's box: artefacts out, ligatures apart, accents composed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from src.records import Block, FloatArray

_ARTEFACTS = re.compile(
    "\\(cid:\\d+\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u2060\ufeff\ufffe\uffff\ud800-\udfff]"
)
_LIGATURES = dict(
    zip(
        "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06",
        ("ff", "fi", "fl", "ffi", "ffl", "st", "st"),
        strict=True,
    )
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of the document, lower case, as they stand inside its lines: plain ones and hyphenated ones."""

    words: frozenset[str] = frozenset()

    def __contains__(self, word: str) -> bool:
        return word.lower() in self.words


def page_vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """Distinct words of three letters or more in ``texts``, lower case, hyphenated compounds whole."""
    found = {match for text in texts for match in _WORD.findall(text.lower())}
    return frozenset(word for word in found if len(word) > 2)


def joined_at_break(first: str, second: str, vocabulary: Vocabulary) -> Literal["drop", "keep", "apart"]:
    """What becomes of the hyphen that ends ``first`` before ``second`` on the next line.

    "drop" joins the halves (temper-ature), "keep" joins them with the hyphen (two-stage), "apart" leaves a space.
    """
    left, right = first[:-1], second
    head = re.search(r"[\w]+$", left)
    tail = re.match(r"[\w]+", right)
    if not tail:
        return "apart"
    if not head:
        return "keep"
    a, b = head.group(), tail.group()
    if any(ch.isdigit() for ch in a + b) or b[0].isupper() or (len(a) > 1 and a.isupper()):
        return "keep"
    if a + b in vocabulary:
        return "drop"
    if f"{a}-{b}" in vocabulary:
        return "keep"
    if a in vocabulary and b in vocabulary and len(a) > 2 and len(b) > 3:
        return "keep"
    return "drop"


def repaired(
    text: str, boxes: FloatArray, blocks: Sequence[Block]
) -> tuple[str, FloatArray, tuple[Block, ...]]:
    """``text`` with artefacts removed, ligatures apart and accents composed, its boxes and blocks kept in step."""
    if (
        not _ARTEFACTS.search(text)
        and unicodedata.is_normalized("NFC", text)
        and not any(c in text for c in _LIGATURES)
    ):
        return text, boxes, tuple(blocks)
    drop = np.zeros(len(text), np.bool_)
    for match in _ARTEFACTS.finditer(text):
        drop[match.start() : match.end()] = True
    pieces: list[str] = []
    sources: list[int] = []
    shift = np.zeros(len(text) + 1, np.int64)
    length = 0
    for place, character in enumerate(text):
        shift[place] = length
        if drop[place]:
            continue
        made = _LIGATURES.get(character, character)
        if pieces and unicodedata.combining(character):
            composed = unicodedata.normalize("NFC", pieces[-1] + character)
            if len(composed) == len(pieces[-1]):
                pieces[-1] = composed
                continue
        if not unicodedata.is_normalized("NFC", made):
            made = unicodedata.normalize("NFC", made)
        pieces.append(made)
        sources.extend([place] * len(made))
        length += len(made)
    shift[len(text)] = length
    moved = tuple(replace(b, start=int(shift[b.start]), end=int(shift[b.end])) for b in blocks)
    return "".join(pieces), boxes[np.array(sources, np.int64)].reshape(-1, 4), moved
