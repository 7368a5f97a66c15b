"""Rankings to one order, by a linear rule that says how far to trust which ranking for which kind of chunk.

The weights (``weights.py``) are learned from the development questions by ``evaluation/train_fusion.py``; they are
all there is to the rule. There is one row of them for what is known at the time: with the vectors of tokens, with
those of whole chunks only, before these have come, and without any model. A first rule chooses the likely chunks among
all, a second orders these by what ``late.py`` and ``closeness.py`` then say of them. ``DOCENGINE_FUSION=rrf`` puts
plain reciprocal rank fusion in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.records import FloatArray
from src.retriever.signals import Signals
from src.retriever.weights import CHOICE, ORDER

RRF_K = 60  # as in the paper and most search engines
RANK_K = 10  # a first place is worth 10/11, a tenth 1/2
CARD_K = 3  # among pages the first few places are what counts
SPREAD = 3.0  # usual deviations above the mean that make a similarity of 1

DOUBTED = ("keyword", "keyword_rank", "shared", "static", "static_rank", "semantic", "semantic_rank", "table")
DOUBT_FROM, DOUBT_TO = 0.5, 0.2  # shares of the question's terms, by rarity, that the best chunk has

LIKELY = 96  # chunks that are looked at more closely

OF_ALL = (
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
    *(f"{name}_doubt" for name in DOUBTED),
)
OF_LIKELY = ("late", "late_rank", "covered", "together", "pairs", "thin")
FEATURES = (*OF_ALL, *OF_LIKELY)

RERANK = 0.2  # of a logit beside the first score; alone it is worse than the first score: hard paraphrases have low logits
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
        "covered": np.nan_to_num(signals.covered),
        "together": np.nan_to_num(signals.together),
        "pairs": np.nan_to_num(signals.pairs),
        "thin": np.nan_to_num(signals.thin),
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
    return "late" if not np.isnan(signals.late).all() else _of_all(signals)


def _of_all(signals: Signals) -> str:
    if not np.isnan(signals.semantic).all():
        return "semantic"
    return "keywords" if np.isnan(signals.static).all() else "static"


def choice_scores(signals: Signals, ranked: Places) -> FloatArray:
    """One score a chunk by what is known of every chunk; the likely ones are chosen by it."""
    features = first_features(signals, ranked)[:, : len(OF_ALL)]
    return features @ _row(CHOICE[_of_all(signals)], OF_ALL) + np.float32(HINT) * signals.hint


def likely(signals: Signals, ranked: Places) -> npt.NDArray[np.int64]:
    """Positions of the at most ``LIKELY`` chunks that deserve a closer look, the best first."""
    return np.argsort(-choice_scores(signals, ranked), kind="stable")[:LIKELY]


def first_scores(signals: Signals, ranked: Places) -> FloatArray:
    """One score a chunk, higher is better, before reranking; chunks that had no closer look come last."""
    choice = choice_scores(signals, ranked)
    looked = ~np.isnan(signals.covered)
    if not looked.any():
        return choice
    weights = _row(ORDER[known_models(signals)], FEATURES)
    scores = first_features(signals, ranked) @ weights + np.float32(HINT) * signals.hint
    return np.where(looked, scores, choice + min(0.0, float(scores[looked].min() - choice.max())))


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
