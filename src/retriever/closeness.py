"""How close a chunk's own words come to the question: which it has, how near each other, and how many words it has.

BM25 counts the words of headings along and does not ask where in a chunk they stand. Numbers from the axes of a chart
under the heading "Earth mover's distance" came first for "what is earth mover's distance". Reading the words of every
chunk would take as long as indexing, so this is done for the likely ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from src.index import DocumentIndex
from src.index.keywords import terms_of
from src.records import Chunk
from src.retriever.query import Query
from src.retriever.signals import Signals

NEAR = 2  # terms between which at most one other stands
FEW_WORDS = 8.0  # words at which a chunk counts as thin by 1/e

_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Closeness:
    """Shares of the question's terms, weighed by rarity: in the chunk, in two neighbouring sentences of it, and of
    its pairs of neighbouring terms those that stand near each other. ``thin`` falls from 1 with the words there are.
    """

    covered: float
    together: float
    pairs: float
    thin: float


def add_closeness(
    signals: Signals, pool: Sequence[int], query: Query, indexes: Sequence[DocumentIndex]
) -> Signals:
    """``signals`` with the closeness of the chunks at the positions ``pool``, NaN for the others."""
    out = np.full((4, len(signals.keyword)), np.nan, dtype=np.float32)
    asked = terms_of(query.core, query.language)
    rarities: dict[int, dict[str, float]] = {}
    for position in pool:
        document, number = signals.place(position)
        index = indexes[document]
        if document not in rarities:
            rarities[document] = {term: index.keywords.rarity(term) for term in asked}
        usual = index.languages[0] if index.languages else ""
        found = closeness(asked, rarities[document], index.chunks[number], usual)
        out[:, position] = (found.covered, found.together, found.pairs, found.thin)
    covered, together, pairs, thin = out
    return replace(signals, covered=covered, together=together, pairs=pairs, thin=thin)


def closeness(asked: Sequence[str], rarities: Mapping[str, float], chunk: Chunk, usual: str) -> Closeness:
    """The closeness of ``chunk`` to the terms ``asked``; ``usual`` is the language of a chunk that names none."""
    language = chunk.language or usual
    sentences = [terms_of(sentence, language) for sentence in _sentences(chunk)]
    total = sum(rarities.values()) or 1.0
    shared = [rarities.keys() & set(sentence) for sentence in sentences]
    both = [one | other for one, other in pairwise([*shared, set()])]
    return Closeness(
        covered=_weight(set().union(*shared), rarities) / total,
        together=max((_weight(terms, rarities) for terms in both), default=0.0) / total,
        pairs=_pairs(asked, rarities, [term for sentence in sentences for term in sentence]),
        thin=math.exp(-len(_WORD.findall(chunk.text)) / FEW_WORDS),
    )


def _sentences(chunk: Chunk) -> list[str]:
    return [chunk.text[start:end] for start, end in pairwise([*chunk.starts, len(chunk.text)])]


def _weight(terms: set[str], rarities: Mapping[str, float]) -> float:
    return sum(rarities[term] for term in terms)


def _pairs(asked: Sequence[str], rarities: Mapping[str, float], terms: Sequence[str]) -> float:
    """The share of neighbouring terms of the question, by the rarity of the commoner one, that stand near in ``terms``."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms):
        if term in rarities:
            places.setdefault(term, []).append(place)
    near = total = 0.0
    for one, other in {pair for pair in pairwise(asked) if pair[0] != pair[1]}:
        weight = min(rarities[one], rarities[other])
        total += weight
        gaps = (abs(a - b) for a in places.get(one, ()) for b in places.get(other, ()))
        near += weight if min(gaps, default=NEAR + 1) <= NEAR else 0.0
    return near / (total or 1.0)
