"""What a question asks for, read without a model: terms, phrases in quotes, numbers, pages it names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.keywords import terms_of
from src.languages import fold, guess_language

_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]{3,120}?)\s*[\"”“»]")
_PAGE = re.compile(
    r"\b(?:page|pages|p\.|pp\.|seite|seiten|s\.|página|pagina)\s*(\d{1,4})(?:\s*(?:-|–|to|bis|and|und|et|à)\s*(\d{1,4}))?",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"\b(?:printed|labell?ed|numbered|marked)\b[^.?!]{0,20}?\b(\d{1,4}|[ivxlc]{1,7})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Query:
    """A question taken apart. ``terms`` are weighted index terms; ``pages`` the physical pages it names, and
    ``labels`` the printed ones."""

    text: str
    language: str
    terms: dict[str, float]
    phrases: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


def read_query(question: str, languages: Sequence[str] = ()) -> Query:
    """``question`` as a Query for documents in ``languages`` (the most frequent first)."""
    language = guess_language(question, languages)
    terms: dict[str, float] = {}
    for code in dict.fromkeys([language, *languages[:3]]):
        for term in terms_of(question, code):
            terms.setdefault(term, 1.0)
    if language:
        # A word of the question may be a stopword of its own language and a term of another of the document's.
        own = set(terms_of(question, language))
        others = {term: 0.5 for term in terms if term not in own}
        terms.update(others)
    labels = tuple(label.lower() for label in _PRINTED.findall(question))
    pages = () if labels else tuple(_pages(question))
    phrases = tuple(fold(phrase) for phrase in _QUOTED.findall(question))
    return Query(question, language, terms, phrases, pages, labels)


def _pages(question: str) -> list[int]:
    pages: list[int] = []
    for first, last in _PAGE.findall(question):
        start, end = int(first), int(last or first)
        pages += range(start, min(end, start + 50) + 1)
    return pages
