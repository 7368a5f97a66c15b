"""A question to ranked passages: keywords, static and sentence vectors, fused, reranked, grown, distinct."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.fusion import Candidate, fuse, order, rank
from src.index import DocumentIndex, model_view
from src.models.base import Models
from src.passages import Grown, grow
from src.query import Query, read_query
from src.records import FloatArray, Passage, Span, Step
from src.settings import Settings

DEPTH = 50  # places of each ranking that go into the fusion
STATIC_FLOOR = 0.25  # cosine of static vectors under which a passage that shares no term is noise
UNKNOWN = np.float32(np.nan)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Ranked passages, the query as it was understood, and the steps with their times."""

    passages: tuple[Passage, ...]
    query: Query
    steps: tuple[Step, ...] = ()


def retrieve(
    question: str,
    indexes: Sequence[DocumentIndex],
    models: Models,
    settings: Settings,
    *,
    k: int | None = None,
    pages: Sequence[int] | None = None,
) -> Retrieval:
    """The at most ``k`` best passages of ``indexes`` for ``question``, best first.

    With ``pages`` every passage stands on one of them, if only with a part.
    """
    clock = _Clock()
    query = read_query(question, tuple(dict.fromkeys(code for index in indexes for code in index.languages)))
    candidates = _candidates(query, indexes, models, settings, frozenset(pages or ()))
    rank(candidates)
    fused = fuse(candidates)
    clock.step("search", f"{len(fused)} candidates")
    pool, rest = fused[: settings.pool], fused[settings.pool :]
    read = _rerank(query, pool, indexes, models)
    clock.step("rerank", f"{read} passages read by the cross-encoder")
    passages = _passages(order(pool, rest), indexes, settings, k or settings.top_k)
    clock.step("passages", f"{len(passages)} passages")
    return Retrieval(tuple(passages), query, tuple(clock.steps))


class _Clock:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._last = time.perf_counter()

    def step(self, name: str, detail: str) -> None:
        now = time.perf_counter()
        self.steps.append(Step(name, detail, (now - self._last) * 1000))
        self._last = now


def _candidates(
    query: Query, indexes: Sequence[DocumentIndex], models: Models, settings: Settings, pages: frozenset[int]
) -> list[Candidate]:
    """Every chunk above the floors that one of the rankings has among its first places."""
    static_query = models.static.embed([query.text], "query")[0] if models.static else None
    semantic_query = None
    if models.embedder and models.knows(query.language) and any(index.embedded for index in indexes):
        semantic_query = models.embedder.embed([query.text], "query")[0]
    candidates: list[Candidate] = []
    for position, index in enumerate(indexes):
        if not index.chunks:
            continue
        keyword, shared = index.keywords.scores(query.terms)
        static = _products(index.static, static_query, len(index.chunks))
        semantic = _semantic(index, semantic_query)
        near = (shared > 0) | (static >= STATIC_FLOOR) | (semantic >= settings.similarity_floor)
        if pages:
            near &= np.array([not pages.isdisjoint(chunk.pages) for chunk in index.chunks])
        for number in _leaders((np.where(shared > 0, keyword, UNKNOWN), static, semantic), near):
            candidates.append(
                Candidate(
                    document=position,
                    chunk=number,
                    kind=index.chunks[number].kind,
                    keyword=float(keyword[number]),
                    shared=float(shared[number]),
                    static=_known(static[number]),
                    semantic=_known(semantic[number]),
                )
            )
    return candidates


def _products(rows: FloatArray | None, query: FloatArray | None, size: int) -> FloatArray:
    if rows is None or query is None:
        return np.full(size, UNKNOWN, dtype=np.float32)
    products: FloatArray = rows @ query
    return products


def _semantic(index: DocumentIndex, query: FloatArray | None) -> FloatArray:
    """Cosine of the sentence vectors by chunk, NaN where there is none or it is beyond the search's depth."""
    products = np.full(len(index.chunks), UNKNOWN, dtype=np.float32)
    if query is not None and index.embedded:
        chunks, found = index.vectors.search(query, index.embedded, 4 * DEPTH)
        products[chunks] = found
    return products


def _known(value: np.float32) -> float | None:
    return None if np.isnan(value) else float(value)


def _leaders(rankings: Sequence[FloatArray], allowed: npt.NDArray[np.bool_]) -> list[int]:
    """Chunk numbers among the first places of any ranking (NaN: not in it), in reading order."""
    leaders: set[int] = set()
    for scores in rankings:
        numbers = np.flatnonzero(allowed & ~np.isnan(scores))
        best = numbers[np.argsort(-scores[numbers], kind="stable")[:DEPTH]]
        leaders.update(best.tolist())
    return sorted(leaders)


def _rerank(query: Query, pool: Sequence[Candidate], indexes: Sequence[DocumentIndex], models: Models) -> int:
    """Let the cross-encoder read the running text of the pool, in a language it knows; how many it read."""
    if models.reranker is None or not models.knows(query.language):
        return 0
    chunks = [(c, indexes[c.document].chunks[c.chunk]) for c in pool]
    readable = [(c, chunk) for c, chunk in chunks if chunk.kind != "table" and models.knows(chunk.language)]
    scores = models.reranker.score(query.text, [model_view(chunk) for _, chunk in readable])
    for (candidate, _), score in zip(readable, scores, strict=True):
        candidate.rerank = float(score)
    return len(readable)


def _passages(
    ordered: Sequence[Candidate], indexes: Sequence[DocumentIndex], settings: Settings, k: int
) -> list[Passage]:
    """The first ``k`` candidates grown to passages, less those that lie within an earlier one."""
    passages: list[Passage] = []
    shown: list[tuple[int, tuple[Span, ...]]] = []
    for candidate in ordered:
        if len(passages) == k:
            break
        index = indexes[candidate.document]
        own = index.chunks[candidate.chunk].spans
        if any(candidate.document == document and _within(own, spans) for document, spans in shown):
            continue
        grown = grow(index, candidate.chunk, settings.passage_chars)
        shown.append((candidate.document, grown.spans))
        passages.append(_passage(candidate, grown, index))
    return passages


def _within(inner: Sequence[Span], outer: Sequence[Span]) -> bool:
    return all(any(o.page == i.page and o.start <= i.start and i.end <= o.end for o in outer) for i in inner)


def _passage(candidate: Candidate, grown: Grown, index: DocumentIndex) -> Passage:
    chunk = index.chunks[candidate.chunk]
    pages = dict.fromkeys(span.page for span in grown.spans)
    return Passage(
        document_id=index.document.id,
        document_name=index.document.name,
        revision=index.document.revision,
        text=grown.text,
        spans=grown.spans,
        labels=tuple(index.document.pages[page - 1].label for page in pages),
        headings=chunk.headings,
        context=chunk.context,
        kind=chunk.kind,
        language=chunk.language,
        score=candidate.score,
        chunks=grown.chunks,
        core=grown.core,
        keyword_rank=candidate.ranks.get("keyword"),
        static_rank=candidate.ranks.get("static"),
        semantic_rank=candidate.ranks.get("semantic"),
        rerank_score=candidate.rerank,
        similarity=candidate.semantic if candidate.semantic is not None else candidate.static,
        table=chunk.table,
        rows=grown.rows,
    )
