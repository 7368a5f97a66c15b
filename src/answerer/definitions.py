"""Sentences that say what a thing is: "A trace is ...", "is called a trace", "X heißt ...".

No ranking finds them by itself: a term's definition shares one word with "what is a trace?", like every other
sentence about traces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from src.answerer.sentences import sentence_bounds
from src.answerer.terms import Term, all_terms, fold_word, stem
from src.answerer.wordlists import word_list
from src.records import Chunk

MOST = 3  # definitions looked at a document
SAYS = 3  # words within which a definition says "is", "means"
HEAD = 6  # letters of a stem by which chunks are looked over
FAR = 9  # ... within which it says "is defined as": "the distance between two histograms is defined as"
# How plainly "traces are fast", "a trace records", "a trace is a path" and "a trace means" define.
PLAIN, DOES, IS_A, SAID = 0.5, 0.75, 1.0, 1.0


def _folded(words: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in word_list(words))


_IS = _folded("is are was were ist sind war est sont était")
_MEANS = _folded(
    "means mean meant refers denotes denote describes comprises stands defined called known bezeichnet heißt heisst bedeutet"
    " désigne signifie"
)
_BEFORE = _folded(
    "called termed named define defines defined call known heißt heisst heißen genannt nennt nennen appelle appelé appelée"
    " appelons dénommé"
)
_ARTICLES = _folded("a an the any one ein eine einer der die das un une le la les l")
_DOES = re.compile(r"[a-z]{3,}(?:es|s)$")
_BETWEEN = re.compile(r"\s*(?:\([^()]{1,40}\)|,? ?also (?:called|known as) [^,]{2,40},|[,“”\"'’:–—-])*\s*")

# Stems have no accents, and folding each letter of a long document by itself takes seconds.
_UNACCENTED = {
    code: base
    for code in range(0xC0, 0x250)
    if (base := unicodedata.normalize("NFKD", chr(code))[0]) != chr(code) and base.isalpha()
}

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
    heads = tuple(form[-1][:HEAD] for form in forms)
    found: list[tuple[float, int, Chunk]] = []
    for chunk in chunks:
        folded = chunk.text.casefold().translate(_UNACCENTED)
        if chunk.kind == "table" or not any(head in folded for head in heads):
            continue
        strength = max(
            (
                definition(chunk.text[start:end], forms, language)
                for start, end in sentence_bounds(chunk.text, chunk.language)
            ),
            default=0.0,
        )
        if strength >= DOES:
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
        opens = first == 0 or (first == 1 and terms[0].word in _ARTICLES)
        best = max(
            best, _said_behind(text, terms, last, opens) - 0.25 * (not opens), _said_before(terms, first)
        )
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


def _said_behind(text: str, terms: Sequence[Term], last: int, opens: bool) -> float:
    gap = _BETWEEN.match(text, terms[last].end)
    resume = gap.end() if gap else terms[last].end
    following = [term for term in terms[last + 1 :] if term.start >= resume][: FAR + 1]
    for place, term in enumerate(following[:SAYS]):
        behind = following[place + 1 : place + 2]
        if term.word in _MEANS:
            return SAID
        if term.word in _IS and behind:
            plain = behind[0].word not in _ARTICLES and behind[0].word not in _MEANS
            return PLAIN if plain else IS_A
        if not term.is_function:
            if opens and place == 0 and term.surface.islower() and _DOES.match(term.word):
                return DOES  # "A free culture supports creators"
            break
    said = " ".join(term.word for term in following)
    return SAID if re.search(r"\b(?:is|are) (?:\w+ )?defined as\b", said) else 0.0


def _said_before(terms: Sequence[Term], first: int) -> float:
    before = [term.word for term in terms[max(0, first - 2) : first] if term.word not in _ARTICLES]
    return SAID if before and before[-1] in _BEFORE else 0.0
