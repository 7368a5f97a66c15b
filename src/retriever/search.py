"""A question to ranked passages: signals of every chunk, fused, reranked, grown, distinct."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from src.index import DocumentIndex, model_view
from src.models.base import Models
from src.records import Chunk, FloatArray, Passage, Span, Step
from src.retriever.closeness import add_closeness
from src.retriever.fusion import Places, first_scores, likely, rank, rrf_scores, second_scores
from src.retriever.late import add_late
from src.retriever.passages import Grown, grow
from src.retriever.query import Query, read_query
from src.retriever.signals import Signals, read_signals
from src.settings import Settings

STATIC_FLOOR = 0.25  # cosine of static vectors under which a passage that shares no term is noise
SHORT = (
    40  # chunks of documents in which no floor keeps anything back: a question may share no word with them
)
MOSTLY = 0.5  # share of a chunk that earlier passages show, above which it takes the place of something new
DEPTH = 60  # chunks that are looked at for passages


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
    phrasings: Sequence[str] = (),
) -> Retrieval:
    """The at most ``k`` best passages of ``indexes`` for ``question``, best first.

    With ``pages`` every passage stands on one of them, if only with a part. ``phrasings`` are other ways to say the
    question, or what an answer might say: each is searched too, all of them together counting as the question does.
    """
    clock = _Clock()
    asked = tuple(index for index in indexes if index.chunks)
    query = _query(question, asked)
    if not asked:
        return Retrieval((), query)
    search, scores = _first(query, asked, models, settings, phrasings)
    if pages:
        scores[~_on_pages(asked, frozenset(pages))] = -np.inf
    order = [int(i) for i in np.argsort(-scores, kind="stable")[:DEPTH] if np.isfinite(scores[i])]
    clock.step("search", f"{len(order)} candidates")
    ordered = _second(search, scores, order, models)
    read = sum(candidate.logit is not None for candidate in ordered)
    clock.step("rerank", f"{read} passages read by the cross-encoder")
    passages = _passages(search, ordered, k or settings.top_k)
    clock.step("passages", f"{len(passages)} passages")
    return Retrieval(tuple(passages), query, tuple(clock.steps))


def _first(
    query: Query,
    indexes: tuple[DocumentIndex, ...],
    models: Models,
    settings: Settings,
    phrasings: Sequence[str],
) -> tuple[_Search, FloatArray]:
    """The search and the score of every chunk before reranking, minus infinity below the floors."""
    signals, ranked = _signals(query, indexes, models)
    search = _Search(query, indexes, signals, ranked, settings)
    fused = rrf_scores if settings.fusion == "rrf" else first_scores
    near, scores = _near(signals, settings), fused(signals, search.ranked)
    near |= len(scores) <= SHORT
    for phrasing in phrasings:
        said = _query(phrasing, indexes)
        other, places = _signals(said, indexes, models)
        near |= _near(other, settings)
        scores += fused(other, places) / np.float32(len(phrasings))
    return search, np.where(near, scores, -np.inf).astype(np.float32)


def _signals(query: Query, indexes: tuple[DocumentIndex, ...], models: Models) -> tuple[Signals, Places]:
    signals = read_signals(query, indexes, models)
    ranked = rank(signals)
    return look_closer(signals, ranked, query, indexes), ranked


def look_closer(signals: Signals, ranked: Places, query: Query, indexes: Sequence[DocumentIndex]) -> Signals:
    """``signals`` with what only the likely chunks are asked.

    Late interaction looks for the question's own words. A question for a ratio is answered by line items that have
    other words, which its facets know; there it put discussions of the ratio before the statement.
    """
    pool = likely(signals, ranked)
    if not any(facet.statement for facet in query.facets):
        signals = add_late(signals, pool, query, indexes)
    return add_closeness(signals, pool.tolist(), query, indexes)


def _second(search: _Search, scores: FloatArray, order: Sequence[int], models: Models) -> list[_Ranked]:
    """The candidates in their last order: the pool with what the cross-encoder said, then the others."""
    pool, rest = order[: search.settings.pool], order[search.settings.pool :]
    logits = _rerank(search, pool, models)
    second = second_scores(scores[pool], logits)
    best = np.argsort(-second, kind="stable")
    ordered = [_Ranked(pool[i], float(second[i]), _known(logits[i])) for i in best]
    lowest = float(second.min(initial=np.inf))
    return [*ordered, *(_Ranked(i, min(lowest, float(scores[i])), None) for i in rest)]


def _query(question: str, indexes: Sequence[DocumentIndex]) -> Query:
    languages = tuple(dict.fromkeys(code for index in indexes for code in index.languages))
    abbreviations: dict[str, str] = {}
    for index in indexes:
        abbreviations |= index.abbreviations
    return read_query(question, languages, abbreviations)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    query: Query
    indexes: tuple[DocumentIndex, ...]
    signals: Signals
    ranked: Places
    settings: Settings

    def chunk(self, position: int) -> tuple[DocumentIndex, Chunk]:
        document, number = self.signals.place(position)
        return self.indexes[document], self.indexes[document].chunks[number]


@dataclass(frozen=True, slots=True)
class _Ranked:
    position: int
    score: float
    logit: float | None


class _Clock:
    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._last = time.perf_counter()

    def step(self, name: str, detail: str) -> None:
        now = time.perf_counter()
        self.steps.append(Step(name, detail, (now - self._last) * 1000))
        self._last = now


def _near(signals: Signals, settings: Settings) -> npt.NDArray[np.bool_]:
    """Chunks above the floors: a shared term, a page that was named, or enough similarity."""
    return (
        (signals.shared > 0)
        | (signals.hint > 0)
        | (signals.facet > 0)
        | (np.nan_to_num(signals.static) >= STATIC_FLOOR)
        | (np.nan_to_num(signals.semantic) >= settings.similarity_floor)
    )


def _on_pages(indexes: Sequence[DocumentIndex], pages: frozenset[int]) -> npt.NDArray[np.bool_]:
    chunks = (chunk for index in indexes for chunk in index.chunks)
    return np.array([not pages.isdisjoint(chunk.pages) for chunk in chunks], dtype=np.bool_)


def _known(value: np.floating[Any]) -> float | None:
    return None if np.isnan(value) else float(value)


def _rerank(search: _Search, pool: Sequence[int], models: Models) -> FloatArray:
    """The cross-encoder's logit of each running text of the pool in a language it knows, NaN for the others."""
    logits = np.full(len(pool), np.nan, dtype=np.float32)
    if models.reranker is None or not models.knows(search.query.language):
        return logits
    chunks = [search.chunk(position)[1] for position in pool]
    readable = [i for i, chunk in enumerate(chunks) if chunk.kind != "table" and models.knows(chunk.language)]
    logits[readable] = models.reranker.score(search.query.core, [model_view(chunks[i]) for i in readable])
    return logits


def _passages(search: _Search, ordered: Sequence[_Ranked], k: int) -> list[Passage]:
    """The first ``k`` candidates grown to passages, less those that earlier ones show most of."""
    passages: list[Passage] = []
    shown: dict[str, list[Span]] = {}
    for candidate in ordered:
        if len(passages) == k:
            break
        index, chunk = search.chunk(candidate.position)
        before = shown.setdefault(index.document.id, [])
        if _shown(chunk.spans, before) > MOSTLY:
            continue
        grown = grow(index, chunk.number, search.settings.passage_chars)
        before.extend(grown.spans)
        passages.append(_passage(search, candidate, index, chunk, grown))
    return passages


def _shown(spans: Sequence[Span], shown: Sequence[Span]) -> float:
    """The share of the characters of ``spans`` that ``shown`` has."""
    common = sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in spans
        for other in shown
        if one.page == other.page
    )
    return common / max(1, sum(span.end - span.start for span in spans))


def _passage(
    search: _Search, candidate: _Ranked, index: DocumentIndex, chunk: Chunk, grown: Grown
) -> Passage:
    pages = dict.fromkeys(span.page for span in grown.spans)
    position, ranked = candidate.position, search.ranked
    semantic = _known(search.signals.semantic[position])
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
        keyword_rank=int(ranked.keyword[position]) or None,
        static_rank=int(ranked.static[position]) or None,
        semantic_rank=int(ranked.semantic[position]) or None,
        rerank_score=candidate.logit,
        similarity=semantic if semantic is not None else _known(search.signals.static[position]),
        table=chunk.table,
        rows=grown.rows,
    )
