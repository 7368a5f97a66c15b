"""Rankings to one order, by a linear rule that says how far to trust which ranking for which kind of chunk.

The weights are learned from the development questions by ``evaluation/train_fusion.py``; they are all there is to
the rule. There is one row of them for what is known at the time: with the vectors of tokens, with those of whole
chunks only, before these have come, and without any model. ``DOCENGINE_FUSION=rrf`` puts plain reciprocal rank
fusion in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.records import FloatArray
from src.retriever.signals import Signals

RRF_K = 60  # as in the paper and most search engines
RANK_K = 10  # a first place is worth 10/11, a tenth 1/2
CARD_K = 3  # among pages the first few places are what counts
SPREAD = 3.0  # usual deviations above the mean that make a similarity of 1

DOUBTED = ("keyword", "keyword_rank", "shared", "static", "static_rank", "semantic", "semantic_rank", "table")
DOUBT_FROM, DOUBT_TO = 0.5, 0.2  # shares of the question's terms, by rarity, that the best chunk has

FEATURES = (
    "keyword",
    "keyword_rank",
    "shared",
    "static",
    "static_rank",
    "semantic",
    "semantic_rank",
    "late",
    "late_rank",
    "card",
    "card_rank",
    "card_static",
    "facet",
    "facet_first",
    "table",
    "table_card",
    *(f"{name}_doubt" for name in DOUBTED),
)

# evaluation/train_fusion.py prints these.
FIRST: dict[str, dict[str, float]] = {
    "keywords": {
        "keyword": 2.81,
        "keyword_rank": 1.86,
        "shared": 4.92,
        "card": -0.69,
        "card_rank": 0.92,
        "facet": 0.89,
        "facet_first": 2.11,
        "table": 1.12,
        "table_card": 1.97,
        "keyword_doubt": -0.30,
        "keyword_rank_doubt": 0.01,
        "shared_doubt": 0.58,
        "table_doubt": -2.19,
    },
    "static": {
        "keyword": 1.86,
        "keyword_rank": 1.61,
        "shared": 4.70,
        "static": 0.60,
        "static_rank": 1.51,
        "card": -0.85,
        "card_rank": 0.83,
        "card_static": 0.51,
        "facet": 0.96,
        "facet_first": 2.08,
        "table": 1.30,
        "table_card": 1.87,
        "keyword_doubt": -0.80,
        "keyword_rank_doubt": -0.21,
        "shared_doubt": 0.39,
        "static_doubt": 0.57,
        "static_rank_doubt": 0.63,
        "table_doubt": -2.18,
    },
    "semantic": {
        "keyword": 1.64,
        "keyword_rank": 1.24,
        "shared": 4.32,
        "static": 0.03,
        "static_rank": 0.97,
        "semantic": 1.12,
        "semantic_rank": 1.87,
        "card": -0.84,
        "card_rank": 0.37,
        "card_static": 0.50,
        "facet": 0.80,
        "facet_first": 1.96,
        "table": 1.28,
        "table_card": 1.87,
        "keyword_doubt": -0.80,
        "keyword_rank_doubt": -0.47,
        "shared_doubt": 0.25,
        "static_doubt": 0.02,
        "static_rank_doubt": 0.41,
        "semantic_doubt": 1.12,
        "semantic_rank_doubt": 1.19,
        "table_doubt": -2.10,
    },
    "late": {
        "keyword": 0.69,
        "keyword_rank": 0.93,
        "shared": 2.92,
        "static": 0.09,
        "static_rank": 0.76,
        "semantic": -0.20,
        "semantic_rank": 0.18,
        "late": 2.61,
        "late_rank": 1.84,
        "card": -1.10,
        "card_rank": 0.24,
        "card_static": 0.77,
        "facet": 0.83,
        "facet_first": 2.12,
        "table": 1.67,
        "table_card": 1.47,
        "keyword_doubt": -0.45,
        "keyword_rank_doubt": -0.19,
        "shared_doubt": 0.16,
        "static_doubt": -0.04,
        "static_rank_doubt": 0.27,
        "semantic_doubt": 0.89,
        "semantic_rank_doubt": 0.81,
        "table_doubt": -2.12,
    },
}
RERANK = 0.05  # of a logit beside the first score; more made hard paraphrases worse, where logits say nothing
HINT = 4.0  # no question of the training set names a page; one that does means it


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """1-based place of every chunk in each ranking that knows it, 0 elsewhere; ties in reading order."""

    keyword: npt.NDArray[np.int64]
    static: npt.NDArray[np.int64]
    semantic: npt.NDArray[np.int64]


def places(scores: FloatArray, known: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Places of ``scores`` from the highest on among the ``known`` ones, 0 for the others."""
    out = np.zeros(len(scores), dtype=np.int64)
    numbers = np.flatnonzero(known)
    order = np.argsort(-scores[numbers], kind="stable")
    out[numbers[order]] = np.arange(1, len(numbers) + 1)
    return out


def rank(signals: Signals) -> Places:
    """The places of every chunk by keywords, static and sentence vectors."""
    return Places(
        places(signals.keyword, signals.shared > 0),
        places(signals.static, ~np.isnan(signals.static)),
        places(signals.semantic, ~np.isnan(signals.semantic)),
    )


def first_features(signals: Signals, ranked: Places) -> FloatArray:
    """Features of every chunk before reranking, shape (chunks, len(FEATURES)); 0 where a signal is missing."""
    card = _share(signals.card)
    table = signals.table.astype(np.float32)
    columns = {
        "keyword": _share(signals.keyword),
        "keyword_rank": _reciprocal(ranked.keyword, RANK_K),
        "shared": signals.shared,
        "static": _spread(signals.static),
        "static_rank": _reciprocal(ranked.static, RANK_K),
        "semantic": _spread(signals.semantic),
        "semantic_rank": _reciprocal(ranked.semantic, RANK_K),
        "late": _spread(signals.late),
        "late_rank": _reciprocal(places(signals.late, ~np.isnan(signals.late)), RANK_K),
        "card": card,
        "card_rank": _reciprocal(_levels(signals.card), CARD_K),
        "card_static": _spread(signals.card_static),
        "facet": signals.facet,
        "facet_first": signals.facet**4,
        "table": table,
        "table_card": table * card,
    }
    doubt = _doubt(signals)
    columns |= {f"{name}_doubt": doubt * columns[name] for name in DOUBTED}
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def _doubt(signals: Signals) -> np.float32:
    """How little the question's words say, 0 to 1: a paraphrase shares almost none with any chunk.

    A keyword ranking is then noise, and was seen to push the right passage of a hard paraphrase out of the pool.
    Questions with facets ask for printed words under other names, which the facets know.
    """
    if signals.facet.max(initial=0.0) > 0:
        return np.float32(0.0)
    best = float(signals.shared.max(initial=0.0))
    return np.float32(np.clip((DOUBT_FROM - best) / (DOUBT_FROM - DOUBT_TO), 0.0, 1.0))


def known_models(signals: Signals) -> str:
    """Which row of weights applies: "late", "semantic", "static" or "keywords"."""
    if not np.isnan(signals.late).all():
        return "late"
    if not np.isnan(signals.semantic).all():
        return "semantic"
    return "keywords" if np.isnan(signals.static).all() else "static"


def first_scores(signals: Signals, ranked: Places) -> FloatArray:
    """One score a chunk, higher is better, before reranking."""
    weights = FIRST[known_models(signals)]
    return first_features(signals, ranked) @ _row(weights, FEATURES) + np.float32(HINT) * signals.hint


def rrf_scores(signals: Signals, ranked: Places) -> FloatArray:
    """Reciprocal rank fusion of keywords, static and sentence vectors; no number in it is learned."""
    places_of = (ranked.keyword, ranked.static, ranked.semantic)
    fused = sum(np.where(place > 0, 1.0 / (RRF_K + place), 0.0) for place in places_of)
    return (fused + HINT * signals.hint).astype(np.float32)


def second_scores(first: FloatArray, logits: FloatArray, weight: float = RERANK) -> FloatArray:
    """Scores of the pool with what the cross-encoder said; ``logits`` is NaN where it did not read.

    What it did not read (rows of tables, other languages) counts as read with the median of the others.
    """
    read = ~np.isnan(logits)
    if not read.any():
        return first
    known = np.where(read, logits, np.median(logits[read]))
    return (first + weight * known).astype(np.float32)


def _row(weights: Mapping[str, float], names: Sequence[str]) -> FloatArray:
    return np.array([weights.get(name, 0.0) for name in names], dtype=np.float32)


def _share(scores: FloatArray) -> FloatArray:
    top = scores.max(initial=0.0)
    return scores / top if top > 0 else np.zeros_like(scores)


def _spread(cosines: FloatArray) -> FloatArray:
    """Usual deviations above the mean, by ``SPREAD``; 0 where there is no vector."""
    known = cosines[~np.isnan(cosines)]
    deviation = known.std() if known.size else 0.0
    if deviation < 1e-6:
        return np.zeros_like(cosines)
    spread: FloatArray = np.nan_to_num((cosines - known.mean()) / (SPREAD * deviation), nan=0.0)
    return spread


def _reciprocal(ranked: npt.NDArray[np.int64], k: int) -> FloatArray:
    return np.where(ranked > 0, k / (k + ranked), 0.0).astype(np.float32)


def _levels(scores: FloatArray) -> npt.NDArray[np.int64]:
    """Places where equal scores share one: the chunks of a page have the page's place among pages."""
    _, inverse = np.unique(-scores, return_inverse=True)
    return np.where(scores > 0, inverse + 1, 0).astype(np.int64)
