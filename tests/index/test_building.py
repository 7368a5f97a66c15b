from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from src.chunker import chunk_document
from src.index import DocumentIndex, build_index, embed_index, model_view
from src.models import Models, Tokens
from src.models.base import Kind
from src.records import Document
from src.settings import Settings
from src.vectors import Embedded, GrowingVectors, VectorCache, pack
from tests.factories import document_from_text
from tests.fakes import WordEmbedder, WordTokenEmbedder, word_models

TEXT = "\n\n".join(
    f"# Part {i}\n\nThe text of part {i} speaks of subject{i} and of nothing else." for i in range(100)
)


def made(document: Document, models: Models, **options: object) -> DocumentIndex:
    settings = Settings.model_validate(options)
    return build_index(document, chunk_document(document, settings), models, settings)


def test_sentence_vectors_grow_in_snapshots_that_do_not_change() -> None:
    models = word_models()
    first = made(document_from_text(TEXT), models)
    grown = list(embed_index(first, models))
    assert first.embedded == 0
    assert not first.complete
    assert [index.embedded for index in grown] == [32, 64, 96, 100]
    assert grown[-1].complete
    query = models.embedder.embed([model_view(first.chunks[99])])[0]  # type: ignore[union-attr]
    early, _ = grown[0].vectors.search(query, grown[0].embedded, 5)
    late, products = grown[-1].vectors.search(query, grown[-1].embedded, 5)
    assert 99 not in early
    assert late[0] == 99
    assert products[0] > 0.99


def test_no_text_is_embedded_twice() -> None:
    embedder = WordEmbedder()
    models = replace(word_models(), embedder=embedder)
    document = document_from_text(TEXT)
    list(embed_index(made(document, models), models))
    again = replace(document, revision=1)
    snapshots = list(embed_index(made(again, models), models))
    assert [index.embedded for index in snapshots] == [100]
    assert len(embedder.seen) == len(set(embedder.seen)) == 100


def test_growth_goes_on_where_it_was_cancelled() -> None:
    models = word_models()
    seen: list[DocumentIndex] = []
    for index in embed_index(made(document_from_text(TEXT), models), models, cancel=lambda: len(seen) == 2):
        seen.append(index)
    assert seen[-1].embedded == 64
    fresh = replace(models, cache=word_models().cache)
    assert [index.embedded for index in embed_index(seen[-1], fresh)] == [96, 100]


def test_likely_chunks_come_first() -> None:
    models = word_models()
    index = next(embed_index(made(document_from_text(TEXT), models), models, likely=lambda: [70, 99]))
    assert {70, 99} < index.vectors.chunks(index.embedded)


def test_growth_waits_while_a_question_runs() -> None:
    models = word_models()
    answers = iter([True, True, False])
    grown = embed_index(made(document_from_text(TEXT), models), models, pause=lambda: next(answers, False))
    assert next(grown).embedded == 32
    assert next(answers, None) is None


def test_hnsw_above_a_size_finds_the_same() -> None:
    models = word_models()
    document = document_from_text(TEXT)
    flat = list(embed_index(made(document, models), models))[-1]
    graph = list(embed_index(made(document, models, hnsw_above=50), models))[-1]
    assert graph.vectors.approximate
    assert not flat.vectors.approximate
    for number in (0, 40, 99):
        query = models.embedder.embed([model_view(flat.chunks[number])])[0]  # type: ignore[union-attr]
        best = [index.vectors.search(query, index.embedded, 3)[0][0] for index in (flat, graph)]
        assert best == [number, number]


def test_without_models_there_are_keywords_only() -> None:
    index = made(document_from_text(TEXT), Models())
    assert index.static is None
    assert index.complete
    assert list(embed_index(index, Models())) == []


def test_pages_in_a_language_the_embedder_does_not_know_are_left_out() -> None:
    models = word_models()
    document = document_from_text("An English page is here.", "Une page en français est ici.")
    document = replace(document, pages=(document.pages[0], replace(document.pages[1], language="fr")))
    index = made(document, models)
    assert index.embeddable == (0,)
    assert index.languages == ("en", "fr")
    assert np.isfinite(index.static).all()  # type: ignore[arg-type]


def test_what_vectors_and_their_tokens_take_is_told() -> None:
    vectors = GrowingVectors(2, hnsw_above=0)
    assert vectors.nbytes == 0
    row = np.ones(8, dtype=np.float32)
    vectors.add([0], [Embedded(row)])
    assert vectors.nbytes == 32
    vectors.add([1], [Embedded(row, pack(np.ones((3, 8), dtype=np.float32)))])
    assert vectors.nbytes == 64 + 3 * 2


class RowEmbedder(WordTokenEmbedder):
    """A text's vector is a row of its tokens' matrix, as onnxruntime gives it."""

    def embed_tokens(self, texts: Sequence[str], kind: Kind = "passage") -> list[Tokens]:
        found = super().embed_tokens(texts, kind)
        return [Tokens(np.vstack([t.vector[np.newaxis], t.rows])[0], t.rows, t.words) for t in found]


def test_what_is_kept_of_a_text_does_not_hold_all_its_tokens() -> None:
    models = replace(word_models(), embedder=RowEmbedder())
    index = made(document_from_text(TEXT), models)
    list(embed_index(index, models))
    keys = [VectorCache.key(models.name, model_view(chunk)) for chunk in index.chunks]
    kept = models.cache.get(keys)
    assert all(text is not None and text.vector.base is None for text in kept)
