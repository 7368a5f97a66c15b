"""Sentences of a passage: paragraphs first, then the chunker's own sentence borders."""

from __future__ import annotations

import re
from functools import lru_cache

from src.chunker.sentences import sentence_spans
from src.records import Passage

# Where an item of a list begins within a paragraph whose lines were joined.
_ITEM = re.compile(r"(?<=\S)\s+(?=[•▪◦‣●■]\s)")
TITLE = 60  # characters of a line that may be a heading
# "10. Early termination", "How to claim": no sentence, no field, no figures but its number
_TITLE = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?\s+)?[A-ZÀ-Þ][^.:;!\d]*[^\W\d_]$")
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


def is_heading(passage: Passage, sentence: str) -> bool:
    """Whether a line of a passage is the heading it stands under, which is no part of what is said."""
    plain = " ".join(sentence.split()).casefold()
    return any(" ".join(heading.split()).casefold() == plain for heading in passage.headings)


def heads(passage: Passage, bounds: tuple[int, int]) -> bool:
    """Whether a line of a passage is a heading: one it stands under, or one of a passage over several sections."""
    return is_heading(passage, passage.text[slice(*bounds)]) or opens_section(passage, bounds)


def opens_section(passage: Passage, bounds: tuple[int, int]) -> bool:
    """Whether a line stands alone and reads as a heading, which says nothing by itself."""
    start, end = bounds
    line = passage.text[start:end]
    alone = passage.text[end : end + 2] == "\n\n" and (not start or passage.text[start - 1] == "\n")
    return alone and len(line) <= TITLE and bool(_TITLE.match(line)) and not is_item(line)
