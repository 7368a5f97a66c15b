"""What one page tells of the whole document, and what the whole document then tells of each page.

Each worker reads some of the pages; the facts of all pages are handed to every worker before it assembles its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from src.loader.hyphens import Vocabulary, page_vocabulary
from src.loader.layout import PageLayout


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts of one page: its distinct words, lower case."""

    number: int
    words: frozenset[str]


def page_facts(layout: PageLayout) -> PageFacts:
    """The facts of a page."""
    return PageFacts(layout.number, page_vocabulary(layout.texts()))


def encode_facts(facts: PageFacts) -> bytes:
    """Facts as one line of JSON."""
    return json.dumps({"number": facts.number, "words": sorted(facts.words)}).encode()


def decode_facts(line: bytes) -> PageFacts:
    """Facts of one line. Raises ValueError, KeyError or TypeError on a wrong one."""
    values = json.loads(line)
    return PageFacts(int(values["number"]), frozenset(str(word) for word in values["words"]))


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """Facts of all pages together."""

    vocabulary: Vocabulary


def document_facts(pages: Iterable[PageFacts]) -> DocumentFacts:
    """The facts of all pages, merged."""
    words: set[str] = set()
    for page in pages:
        words |= page.words
    return DocumentFacts(Vocabulary(frozenset(words)))
