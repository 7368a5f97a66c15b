"""Late interaction: how well each word of a question is met by some word of a chunk.

The embedder makes a vector a token on its way to the one vector of a text. They are kept of the words that carry
meaning, two bits a number, and cost no further run of the model: 96 bytes a token, about 7 kB a chunk. A chunk's
score is the mean over the question's words, the rare ones weighing most, of the best likeness to one of its tokens.
One vector for 600 characters blurs the one sentence that answers; this does not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from src.index import DocumentIndex
from src.index.keywords import terms_of
from src.records import FloatArray
from src.retriever.query import Query
from src.retriever.signals import Signals
from src.vectors import Codes, unpack


def add_late(
    signals: Signals, pool: npt.NDArray[np.int64], query: Query, indexes: Sequence[DocumentIndex]
) -> Signals:
    """``signals`` with ``late`` of the chunks at the positions ``pool``, NaN for the others."""
    if signals.question is None:
        return signals
    pool = pool[~np.isnan(signals.semantic[pool])]
    late = np.full(len(signals.keyword), np.nan, dtype=np.float32)
    for document, index in enumerate(indexes):
        begin = signals.offsets[document]
        own = pool[(pool >= begin) & (pool < begin + len(index.chunks))]
        codes = [index.vectors.codes(int(position) - begin) for position in own]
        known = [i for i, code in enumerate(codes) if code is not None and len(code)]
        if known:
            weights = word_weights(signals.question.words, query.language, index.keywords.rarity)
            late[own[known]] = late_scores(
                signals.question.rows, weights, [code for code in codes if code is not None and len(code)]
            )
    return replace(signals, late=late)


def word_weights(words: Sequence[str], language: str, rarity: Callable[[str], float]) -> FloatArray:
    """Weights of a question's tokens, their sum 1: the rarity of the word each belongs to, 0 for function words."""
    terms = [terms_of(word, language) for word in words]
    weights = np.array([rarity(term[0]) if term else 0.0 for term in terms], dtype=np.float32)
    if not weights.any():
        weights[:] = 1.0
    share: FloatArray = weights / weights.sum()
    return share


def late_scores(question: FloatArray, weights: npt.NDArray[np.float32], codes: Sequence[Codes]) -> FloatArray:
    """One score a chunk, shape (len(codes),): ``question`` has unit rows, each of ``codes`` at least one row."""
    likeness = question @ unpack(np.concatenate(codes)).T
    starts = np.cumsum([0, *(len(code) for code in codes[:-1])])
    best = np.maximum.reduceat(likeness, starts, axis=1)
    scores: FloatArray = weights @ best
    return scores
