"""What a question asks for, read without a model: the asking sentence, its terms, phrases, pages and facets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from src.chunker.sentences import sentence_spans
from src.index.keywords import terms_of
from src.languages import fold, guess_language
from src.retriever.concepts import Facet, facets_of, printed_for

ASIDE = 0.3  # weight of a term of sentences that ask nothing ("Round your answer to two decimals.")
SPELLED_OUT = 0.6  # weight of the words behind an abbreviation, and of the abbreviation of words
SAID = 0.4  # weight of what documents print for an everyday word
FACET = 0.5  # weight of the printed words for what the question names otherwise

_QUOTED = re.compile(r"[\"“„«]\s*([^\"“”„«»]{3,120}?)\s*[\"”“»]")
_PAGES = re.compile(
    r"\b(?:pages?|pp?\.|seiten?|s\.|páginas?|pagin[ae]|쪽|页|頁)\s*(\d{1,4})"
    r"(?:\s*(?:-|–|to|through|bis|and|und|et|à)\s*(\d{1,4}))?",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"\b(?:printed|labell?ed|numbered|marked)\b[^.?!]{0,24}?\b(\d{1,4}|[ivxlc]{1,7}|[a-z]-\d{1,3})\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(table|figure|fig\.?|section|chapter|appendix|annex|exhibit|item|note|equation|tabelle|abbildung|kapitel|"
    r"anhang|tableau|annexe)\s+(\d{1,3}(?:\.\d{1,3})*[a-z]?|[a-z](?:\.\d{1,3})*|[ivx]{1,5})\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"\b(?:is|are|be) (?:defined|calculated|computed) (?:as|by)\b|^\s*define\b", re.IGNORECASE
)
# "Using only the information within the balance sheet, how much ...": the clause says where, not what.
_LEAD = re.compile(
    r"^(?:based|basing|using|when|in agreement|taking|by|according|with reference|primarily|given|considering)\b"
    r"[^?]{10,200}?,\s+(?=(?:what|how|which|who|when|where|is|are|does|did|has|have|was|were)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Query:
    """A question taken apart.

    ``core`` is what the models read: the sentences that ask, without clauses and sentences on the form of the
    answer. ``terms`` are weighted index terms. ``phrases`` must stand in the text as they are, folded. ``pages`` are
    physical pages that the question names, ``labels`` printed ones. ``facets`` are places it needs side by side.
    """

    text: str
    core: str
    language: str
    terms: dict[str, float]
    phrases: tuple[str, ...] = ()
    pages: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    facet_terms: tuple[dict[str, float], ...] = field(default=())


def read_query(
    question: str, languages: Sequence[str] = (), abbreviations: Mapping[str, str] | None = None
) -> Query:
    """``question`` as a Query for documents in ``languages`` (the most frequent first).

    ``abbreviations`` maps folded abbreviations of the documents to the words they stand for.
    """
    language = guess_language(question, languages)
    core = _core(question, language)
    codes = tuple(dict.fromkeys([language, *languages[:3]]))
    facets = facets_of(question) if language == "en" else ()
    terms: dict[str, float] = {}
    _weigh(terms, core, codes, 1.0)
    _weigh(terms, question, codes, ASIDE)
    for words in _spelled_out(core, abbreviations or {}):
        _weigh(terms, words, codes, SPELLED_OUT)
    facet_terms = []
    for facet in facets:
        _weigh(terms, facet.words, codes, FACET)
        own: dict[str, float] = {}
        _weigh(own, facet.text, codes, 1.0)
        facet_terms.append(own)
    for words in printed_for(question) if language == "en" else ():
        _weigh(terms, words, codes, SAID)
    labels = (
        tuple(label.lower() for label in _PRINTED.findall(question)) if "page" in question.lower() else ()
    )
    return Query(
        text=question,
        core=core,
        language=language,
        terms=terms,
        phrases=_phrases(question),
        pages=() if labels else tuple(_pages(question)),
        labels=labels,
        facets=facets,
        facet_terms=tuple(facet_terms),
    )


def _weigh(terms: dict[str, float], text: str, languages: Sequence[str], weight: float) -> None:
    """Add the terms of ``text`` by each language's stemmer; a term's first weight stays."""
    for position, language in enumerate(languages):
        for term in terms_of(text, language):
            terms.setdefault(term, weight if not position else 0.5 * weight)


def _core(question: str, language: str) -> str:
    sentences = [question[start:end] for start, end in sentence_spans(question, language)]
    asking = [s for s in sentences if s.rstrip("\"'”’)").endswith(("?", "？", "؟"))]
    kept = [s for s in sentences if s in asking or _DEFINITION.search(s)] if asking else sentences
    trimmed = [_LEAD.sub("", sentence, count=1) for sentence in kept]
    return " ".join(trimmed).strip() or question


def _phrases(question: str) -> tuple[str, ...]:
    quoted = [fold(phrase) for phrase in _QUOTED.findall(question)]
    named = [fold(f"{kind.rstrip('.')} {number}") for kind, number in _NAMED.findall(question)]
    return tuple(dict.fromkeys([*quoted, *named]))


def _pages(question: str) -> list[int]:
    pages: list[int] = []
    for first, last in _PAGES.findall(question):
        start, end = int(first), int(last or first)
        pages += range(start, min(end, start + 50) + 1)
    return pages


def _spelled_out(question: str, abbreviations: Mapping[str, str]) -> list[str]:
    folded = fold(question)
    words = set(re.findall(r"\w+", folded))
    found = []
    for short, long in abbreviations.items():
        if short in words:
            found.append(long)
        elif long in folded:
            found.append(short)
    return found
