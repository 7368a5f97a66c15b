"""Sentences of a passage: paragraphs first, then the chunker's own sentence borders."""

from __future__ import annotations

import re
from functools import lru_cache

from src.chunker.sentences import sentence_spans


@lru_cache(maxsize=1024)
def sentence_bounds(text: str, language: str = "") -> tuple[tuple[int, int], ...]:
    """[start, end) of each sentence of ``text``, white space trimmed; a blank line or line break ends one.

    Pages come with the lines of a paragraph joined, so a line break that is left separates list items, fields of
    a form or rows.
    """
    bounds: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"[^\n]+", text):
        for start, end in sentence_spans(paragraph.group(), language):
            bounds.append((paragraph.start() + start, paragraph.start() + end))
    return tuple(bounds)
