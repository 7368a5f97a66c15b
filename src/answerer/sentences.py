"""Sentences of a passage: paragraphs first, then the chunker's own sentence borders."""

from __future__ import annotations

import re
from functools import lru_cache

from src.chunker.sentences import sentence_spans

# Where an item of a list begins within a paragraph whose lines were joined.
_ITEM = re.compile(r"(?<=\S)\s+(?=[•▪◦‣●■]\s)")
_BULLET = re.compile(r"[•▪◦‣●■]\s")


@lru_cache(maxsize=1024)
def sentence_bounds(text: str, language: str = "") -> tuple[tuple[int, int], ...]:
    """[start, end) of each sentence of ``text``, white space trimmed; a blank line, line break or bullet ends one.

    Pages come with the lines of a paragraph joined, so a line break that is left separates list items, fields of
    a form or rows.
    """
    bounds: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"[^\n]+", text):
        for start, end in sentence_spans(paragraph.group(), language):
            begin = start
            for item in _ITEM.finditer(paragraph.group(), start, end):
                bounds.append((paragraph.start() + begin, paragraph.start() + item.start()))
                begin = item.end()
            bounds.append((paragraph.start() + begin, paragraph.start() + end))
    return tuple(bounds)


def is_item(sentence: str) -> bool:
    """Whether a sentence is an item of a list, bullet included."""
    return bool(_BULLET.match(sentence))
