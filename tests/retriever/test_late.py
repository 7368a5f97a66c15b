from dataclasses import replace

import numpy as np

from src.chunker import chunk_document
from src.index import DocumentIndex, build_index, embed_index
from src.models import Models
from src.retriever import retrieve
from src.retriever.fusion import LIKELY, likely, rank
from src.retriever.late import add_late, late_scores, word_weights
from src.retriever.query import read_query
from src.retriever.search import look_closer
from src.retriever.signals import Signals, read_signals
from src.settings import Settings
from src.vectors import pack, unpack
from tests.factories import document_from_text
from tests.fakes import WordTokenEmbedder, word_models

FILLER = " ".join(
    f"Line {i} of the log speaks of weather, wind, ropes and the daily round of the crew." for i in range(6)
)
TEXT = "\n\n".join(
    f"# Day {i}\n\n{FILLER}" + (" The harbour dues were eleven guilders." if i == 40 else "")
    for i in range(60)
)


def token_models() -> Models:
    return replace(word_models(), embedder=WordTokenEmbedder())


def indexed(models: Models) -> DocumentIndex:
    settings = Settings()
    document = document_from_text(TEXT)
    index = build_index(document, chunk_document(document, settings), models, settings)
    return [index, *embed_index(index, models)][-1]


def scored(question: str, indexes: list[DocumentIndex], models: Models) -> Signals:
    query = read_query(question, ("en",))
    signals = read_signals(query, indexes, models)
    return add_late(signals, likely(signals, rank(signals)), query, indexes)


def unit_rows(count: int, dimension: int = 384) -> np.ndarray:
    rows = np.random.default_rng(1).standard_normal((count, dimension)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_two_bits_a_number_keep_the_direction() -> None:
    rows = unit_rows(50)
    codes = pack(rows)
    assert codes.shape == (50, 96)
    assert codes.dtype == np.uint8
    near = unpack(codes)
    np.testing.assert_allclose(np.linalg.norm(near, axis=1), 1, atol=1e-5)
    assert (near * rows).sum(axis=1).min() > 0.9
    assert (near @ rows.T).argmax(axis=1).tolist() == list(range(50))
    assert pack(rows[:0]).shape == (0, 96)


def test_each_word_takes_its_best_token_and_rare_words_weigh_most() -> None:
    rows = unit_rows(4)
    question, chunks = rows[:2], [pack(rows[[0, 2]]), pack(rows[[1, 3]]), pack(rows[[2, 3]])]
    scores = late_scores(question, np.array([0.9, 0.1], dtype=np.float32), chunks)
    assert scores.shape == (3,)
    assert np.argsort(-scores).tolist() == [0, 1, 2]


def test_function_words_weigh_nothing_unless_there_is_nothing_else() -> None:
    weights = word_weights(["what", "is", "the", "tariff", "?"], "en", lambda term: 3.0)
    assert weights.tolist() == [0, 0, 0, 1, 0]
    assert word_weights(["what", "is"], "en", lambda term: 3.0).tolist() == [0.5, 0.5]


def test_one_sentence_of_a_long_chunk_is_found() -> None:
    models = token_models()
    index = indexed(models)
    signals = scored("harbour dues in guilders", [index], models)
    known = np.flatnonzero(~np.isnan(signals.late))
    assert 0 < len(known) <= LIKELY
    best = index.chunks[int(np.nanargmax(signals.late))]
    assert "guilders" in best.text
    assert "guilders" in retrieve("harbour dues in guilders?", [index], models, Settings()).passages[0].text


def test_several_documents_are_scored_each_by_its_own_words() -> None:
    models = token_models()
    other = document_from_text("# Fees\n\nMooring costs nothing on Sundays.", name="other.pdf")
    second = build_index(other, chunk_document(other, Settings()), models, Settings())
    second = [second, *embed_index(second, models)][-1]
    indexes = [indexed(models), second]
    signals = scored("mooring on Sundays", indexes, models)
    assert signals.place(int(np.nanargmax(signals.late)))[0] == 1


def test_an_embedder_without_tokens_and_an_index_without_vectors_have_no_late_scores() -> None:
    models = word_models()
    index = indexed(models)
    assert np.isnan(scored("harbour dues", [index], models).late).all()
    models = token_models()
    bare = build_index(index.document, index.chunks, models, Settings())
    assert np.isnan(scored("harbour dues", [bare], models).late).all()


def test_tokens_are_kept_over_a_second_reading() -> None:
    models = token_models()
    first = indexed(models)
    again = build_index(replace(first.document, revision=1), first.chunks, models, Settings())
    again = [again, *embed_index(again, models)][-1]
    one, two = first.vectors.codes(3), again.vectors.codes(3)
    assert one is not None
    assert two is not None
    np.testing.assert_array_equal(one, two)


def test_a_question_for_a_statement_is_not_held_against_words() -> None:
    models = token_models()
    index = indexed(models)
    for question, known in (("harbour dues?", True), ("What is the quick ratio?", False)):
        query = read_query(question, ("en",))
        signals = read_signals(query, [index], models)
        looked = look_closer(signals, rank(signals), query, [index])
        assert (~np.isnan(looked.late)).any() == known
        assert (~np.isnan(looked.covered)).sum() == min(LIKELY, len(index.chunks))
