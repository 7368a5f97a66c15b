"""Rankings to one order: reciprocal rank fusion, and the cross-encoder where it knows what it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

RRF_K = 60
RANKINGS: dict[str, Callable[[Candidate], float | None]] = {
    "keyword": lambda c: c.keyword if c.shared > 0 else None,
    "static": lambda c: c.static,
    "semantic": lambda c: c.semantic,
}


@dataclass(slots=True)
class Candidate:
    """A chunk in the running, with its place in each ranking and the scores behind them.

    ``document`` is the position among the indexes asked, ``shared`` the summed weight of the question's terms it
    has, ``static`` and ``semantic`` cosines, None where the ranking does not know the chunk.
    """

    document: int
    chunk: int
    kind: str
    keyword: float = 0.0
    shared: float = 0.0
    static: float | None = None
    semantic: float | None = None
    ranks: dict[str, int] = field(default_factory=dict)
    fused: float = 0.0
    rerank: float | None = None
    score: float = 0.0


def rank(candidates: Sequence[Candidate]) -> None:
    """Set ``ranks``: 1-based places in each ranking, ties in reading order."""
    for name, value in RANKINGS.items():
        scored = [(-score, c.document, c.chunk, c) for c in candidates if (score := value(c)) is not None]
        for place, (*_, candidate) in enumerate(sorted(scored, key=lambda entry: entry[:3]), start=1):
            candidate.ranks[name] = place


def fuse(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates by reciprocal rank fusion over the rankings they stand in, best first."""
    for candidate in candidates:
        candidate.fused = sum(1 / (RRF_K + place) for place in candidate.ranks.values())
    return sorted(candidates, key=lambda c: (-c.fused, c.document, c.chunk))


def order(pool: Sequence[Candidate], rest: Sequence[Candidate]) -> list[Candidate]:
    """The pool by fused score and cross-encoder together, then the rest as fused.

    The cross-encoder's order is one more ranking among those that it read; table rows keep their fused place.
    """
    read = sorted((c for c in pool if c.rerank is not None), key=lambda c: -(c.rerank or 0.0))
    for place, candidate in enumerate(read, start=1):
        candidate.ranks["rerank"] = place
    for candidate in pool:
        reranked = candidate.ranks.get("rerank", len(pool) / 2)
        candidate.score = candidate.fused + 2 / (RRF_K + reranked)
    for candidate in rest:
        candidate.score = candidate.fused
    return [*sorted(pool, key=lambda c: (-c.score, c.document, c.chunk)), *rest]
