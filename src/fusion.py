"""Rankings to one order, by a linear rule that says how far to trust which ranking for which kind of chunk.

The weights are learned from the development questions by ``evaluation/train_fusion.py``; they are all there is to
the rule. There is one row of them for what is known at the time: with sentence vectors, before these have come,
and without any model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.records import FloatArray
from src.signals import Signals

RANK_K = 10  # a first place is worth 10/11, a tenth 1/2
CARD_K = 3  # among pages the first few places are what counts
SPREAD = 3.0  # usual deviations above the mean that make a similarity of 1

FEATURES = (
    "keyword",
    "keyword_rank",
    "shared",
    "static",
    "static_rank",
    "semantic",
    "semantic_rank",
    "card",
    "card_rank",
    "card_static",
    "facet",
    "facet_first",
    "table",
    "table_card",
)
RERANK_FEATURES = ("first", "logit", "likely", "read_rank", "table")

# evaluation/train_fusion.py prints these.
FIRST: dict[str, dict[str, float]] = {
    "keywords": {
        "keyword": 2.76,
        "keyword_rank": 2.25,
        "shared": 2.84,
        "card": -0.05,
        "card_rank": 0.52,
        "facet": 0.78,
        "facet_first": 1.21,
        "table": 0.8,
        "table_card": 1.9,
    },
    "static": {
        "keyword": 1.7,
        "keyword_rank": 1.75,
        "shared": 2.29,
        "static": 1.41,
        "static_rank": 1.04,
        "card": -0.26,
        "card_rank": 0.47,
        "card_static": 0.33,
        "facet": 0.9,
        "facet_first": 1.33,
        "table": 0.83,
        "table_card": 1.98,
    },
    "semantic": {
        "keyword": 1.7,
        "keyword_rank": 1.75,
        "shared": 2.29,
        "static": 0.5,
        "static_rank": 0.5,
        "semantic": 2.0,
        "semantic_rank": 2.0,
        "card": -0.26,
        "card_rank": 0.47,
        "card_static": 0.33,
        "facet": 0.9,
        "facet_first": 1.33,
        "table": 0.83,
        "table_card": 1.98,
    },
}
SECOND: dict[str, float] = {"first": 1.0, "logit": 1.0, "likely": 1.0, "read_rank": 1.0, "table": 0.8}
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
        "card": card,
        "card_rank": _reciprocal(_levels(signals.card), CARD_K),
        "card_static": _spread(signals.card_static),
        "facet": signals.facet,
        "facet_first": signals.facet**4,
        "table": table,
        "table_card": table * card,
    }
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def known_models(signals: Signals) -> str:
    """Which row of weights applies: "semantic", "static" or "keywords"."""
    if not np.isnan(signals.semantic).all():
        return "semantic"
    return "keywords" if np.isnan(signals.static).all() else "static"


def first_scores(signals: Signals, ranked: Places) -> FloatArray:
    """One score a chunk, higher is better, before reranking."""
    weights = FIRST[known_models(signals)]
    return first_features(signals, ranked) @ _row(weights, FEATURES) + np.float32(HINT) * signals.hint


def second_features(first: FloatArray, logits: FloatArray, table: npt.NDArray[np.bool_]) -> FloatArray:
    """Features of the pool after reranking; ``logits`` is NaN where the cross-encoder did not read."""
    read = ~np.isnan(logits)
    known = np.nan_to_num(logits, nan=0.0)
    columns = {
        "first": first - first.max(initial=0.0),
        "logit": np.where(read, known / 10, 0.0),
        "likely": np.where(read, 1 / (1 + np.exp(-known)), 0.0),
        "read_rank": _reciprocal(places(known.astype(np.float32), read), RANK_K),
        "table": (~read).astype(np.float32),
    }
    return np.stack([columns[name] for name in RERANK_FEATURES], axis=1).astype(np.float32)


def second_scores(first: FloatArray, logits: FloatArray, table: npt.NDArray[np.bool_]) -> FloatArray:
    """One score a chunk of the pool, with what the cross-encoder said of those that it read."""
    return second_features(first, logits, table) @ _row(SECOND, RERANK_FEATURES)


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
