"""The cache answers only what means the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from src.cache import ENTRIES, AnswerCache
from src.chunker import chunk_document
from src.index import DocumentIndex, build_index
from src.models import Models
from src.records import Answer, FloatArray, Sentence, Usage
from src.settings import Settings
from tests.factories import document_from_text


class _Alike:
    """Vectors by which all questions are near: what keeps them apart is the cache's own comparison."""

    def embed(self, texts: list[str], kind: str = "passage") -> FloatArray:
        return np.ones((len(texts), 1), dtype=np.float32)


def index_of(text: str, revision: int = 0) -> DocumentIndex:
    document = replace(document_from_text(text), revision=revision)
    return build_index(document, chunk_document(document, Settings()), Models(), Settings())


INDEX = index_of("Mooring costs 120 euros.")


def given(question: str, index: DocumentIndex = INDEX) -> Answer:
    snapshots = ((index.document.id, index.document.revision),)
    return Answer(question, (Sentence("120 euros."),), "answered", usage=Usage(5, 5, 1), snapshots=snapshots)


@pytest.fixture
def cache() -> AnswerCache:
    return AnswerCache(Models(static=_Alike()), 60)  # type: ignore[arg-type]


def hits(cache: AnswerCache, kept: str, asked: str) -> bool:
    cache.keep(kept, (INDEX,), "a", False, given(kept))
    return cache.find(asked, (INDEX,), "a", False) is not None


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        ("What does mooring cost?", "What does mooring cost?"),
        ("What does mooring cost?", "please tell me what mooring costs"),
        ("What is the deposit for kayaks?", "What is the kayak deposit?"),
        ("How much is the total fee?", "How much is the fee?"),
    ],
)
def test_the_same_in_other_words(cache: AnswerCache, kept: str, asked: str) -> None:
    assert hits(cache, kept, asked)


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        ("What was the revenue in 2021?", "What was the revenue in 2022?"),
        ("What does berth 2 cost?", "What does berth 3 cost?"),
        ("What does mooring cost?", "What does mooring not cost?"),
        ("What is the deposit for kayaks?", "What is the deposit for canoes?"),
        ("Who owns Northwind?", "Who owns Southwind?"),
        ("What is the fee?", "Why is the fee?"),
        ("When does the office open?", "Where does the office open?"),
        ("Does lead sink faster than gold?", "Does gold sink faster than lead?"),
        ("Does Anna pay Boris?", "Does Boris pay Anna?"),
        ("What is covered with the policy?", "What is covered without the policy?"),
        ("Which vessels pay?", "List all vessels that pay?"),
        ("What?", "What?"),
    ],
)
def test_another_question(cache: AnswerCache, kept: str, asked: str) -> None:
    assert not hits(cache, kept, asked)


def test_far_vectors_are_another_question() -> None:
    class Apart:
        def embed(self, texts: list[str], kind: str = "passage") -> FloatArray:
            return np.array([[1.0, 0.0] if "deposit?" in t else [0.0, 1.0] for t in texts], dtype=np.float32)

    apart = AnswerCache(Models(static=Apart()), 60)  # type: ignore[arg-type]
    assert not hits(apart, "What is the kayak deposit?", "What is the deposit for kayaks?")


def test_what_a_hit_is(cache: AnswerCache) -> None:
    cache.keep("What does mooring cost?", (INDEX,), "a", False, given("What does mooring cost?"))
    found = cache.find("What does mooring cost?", (INDEX,), "a", False)
    assert found is not None
    assert found.cached
    assert found.usage == Usage()


def test_other_documents_snapshots_sessions_and_the_web_are_apart(cache: AnswerCache) -> None:
    asked = "What does mooring cost?"
    cache.keep(asked, (INDEX,), "a", False, given(asked))
    assert cache.find(asked, (index_of("Another."),), "a", False) is None
    assert cache.find(asked, (index_of("Mooring costs 120 euros.", revision=1),), "a", False) is None
    assert cache.find(asked, (INDEX, index_of("Another.")), "a", False) is None
    assert cache.find(asked, (INDEX,), "b", False) is None
    assert cache.find(asked, (INDEX,), "a", True) is None
    assert cache.find(asked, (INDEX,), "a", False) is not None


def test_time_removal_and_size() -> None:
    now = [0.0]
    cache = AnswerCache(Models(), 10, clock=lambda: now[0])
    asked = "What does mooring cost?"
    cache.keep(asked, (INDEX,), "a", False, given(asked))
    now[0] = 599
    assert cache.find(asked, (INDEX,), "a", False)
    now[0] = 600
    assert cache.find(asked, (INDEX,), "a", False) is None
    assert len(cache) == 0
    cache.keep(asked, (INDEX,), "a", False, given(asked))
    cache.forget("another")
    assert len(cache) == 1
    cache.forget(INDEX.document.id)
    assert len(cache) == 0
    for i in range(ENTRIES + 5):
        cache.keep(f"What is fee {i}?", (INDEX,), "a", False, given(asked))
    assert len(cache) == ENTRIES
    cache.forget_session("a")
    assert len(cache) == 0


def test_stopped_answers_and_a_cache_of_no_minutes_keep_nothing(cache: AnswerCache) -> None:
    asked = "What does mooring cost?"
    cache.keep(asked, (INDEX,), "a", False, replace(given(asked), stopped=True))
    assert len(cache) == 0
    off = AnswerCache(Models(), 0)
    off.keep(asked, (INDEX,), "a", False, given(asked))
    assert len(off) == 0
