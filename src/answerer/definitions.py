"""Sentences that say what a thing is: "A trace is ...", "is called a trace", "X heißt ...".

No ranking finds them by itself: a term's definition shares one word with "what is a trace?", like every other
sentence about traces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from src.answerer.sentences import sentence_bounds
from src.answerer.terms import Term, all_terms, stem
from src.answerer.wordlists import words_of
from src.records import Chunk

MOST = 3  # definitions looked at a document
SAYS = 3  # words within which a definition says "is", "means"
PLAIN, ARTICLE, SAID = 0.5, 0.75, 1.0  # "traces are fast", "a trace is a path", "a trace means"
_IS = words_of("is are was were ist sind war est sont était")
_MEANS = words_of(
    "means mean meant refers denotes denote describes comprises stands defined called known bezeichnet heißt heisst bedeutet"
    " désigne signifie"
)
_BEFORE = words_of(
    "called termed named define defines defined call known heißt heisst heißen genannt nennt nennen appelle appelé appelée"
    " appelons dénommé"
)
_ARTICLES = words_of("a an the any one ein eine einer der die das un une le la les l")
_BETWEEN = re.compile(r"\s*(?:\([^()]{1,40}\)|,? ?also (?:called|known as) [^,]{2,40},|[,“”\"'’:–—-])*\s*")

Variants = tuple[tuple[str, ...], ...]


def variants(defined: Sequence[str], abbreviations: Mapping[str, str], language: str) -> Variants:
    """The stems of what is to be defined and of its short or long form, where the document spells one out."""
    found = [tuple(defined)]
    for short, spelled in abbreviations.items():
        long = tuple(t.stem for t in all_terms(spelled, language) if not t.is_function)
        if (stem(short, language),) == found[0]:
            found.append(long)
        elif long == found[0]:
            found.append((stem(short, language),))
    return tuple(form for form in dict.fromkeys(found) if form)


def definition(text: str, forms: Variants, language: str) -> float:
    """How plainly a sentence says what one of ``forms`` is: 0 (not at all) to 1."""
    terms = all_terms(text, language)
    return max((_said(text, terms, form) for form in forms), default=0.0)


def defining_chunks(chunks: Sequence[Chunk], forms: Variants, language: str) -> list[Chunk]:
    """The at most MOST chunks that define one of ``forms`` most plainly, the plainest first."""
    heads = tuple(form[-1][:6] for form in forms)
    found: list[tuple[float, int, Chunk]] = []
    for chunk in chunks:
        folded = chunk.text.casefold()
        if chunk.kind == "table" or not any(head in folded for head in heads):
            continue
        strength = max(
            (
                definition(chunk.text[start:end], forms, language)
                for start, end in sentence_bounds(chunk.text, chunk.language)
            ),
            default=0.0,
        )
        if strength >= ARTICLE:
            found.append((-strength, chunk.number, chunk))
    return [chunk for _, _, chunk in sorted(found, key=lambda entry: entry[:2])[:MOST]]


def _said(text: str, terms: Sequence[Term], form: Sequence[str]) -> float:
    best = 0.0
    for last, term in enumerate(terms):
        if term.stem != form[-1]:
            continue
        first = _begin(terms, last, form)
        if first is None:
            continue
        opens = first == 0 or (first == 1 and terms[0].is_function)
        best = max(best, _said_behind(text, terms, last) - 0.25 * (not opens), _said_before(terms, first))
    return best


def _begin(terms: Sequence[Term], last: int, form: Sequence[str]) -> int | None:
    """Where the phrase that ends at ``last`` begins, None when it is not there as a whole."""
    place, left = last, list(form)
    while left and place >= 0:
        if terms[place].stem == left[-1]:
            left.pop()
        elif not terms[place].is_function:
            return None
        if left:
            place -= 1
    return None if left else place


def _said_behind(text: str, terms: Sequence[Term], last: int) -> float:
    gap = _BETWEEN.match(text, terms[last].end)
    resume = gap.end() if gap else terms[last].end
    following = [term for term in terms[last + 1 :] if term.start >= resume][: SAYS + 1]
    for place, term in enumerate(following[:SAYS]):
        if term.word in _MEANS:
            return SAID
        if term.word in _IS:
            behind = following[place + 1 : place + 2]
            if not behind:
                return 0.0
            if behind[0].word in _MEANS:
                return SAID
            return ARTICLE + 0.25 if behind[0].word in _ARTICLES else PLAIN
        if not term.is_function:
            return 0.0
    return 0.0


def _said_before(terms: Sequence[Term], first: int) -> float:
    before = [term.word for term in terms[max(0, first - 2) : first] if term.word not in _ARTICLES]
    return SAID if before and before[-1] in _BEFORE else 0.0
