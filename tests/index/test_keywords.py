import importlib
import random

import numpy as np
import pytest
import snowballstemmer
from rank_bm25 import BM25Okapi

from src.index.keywords import Okapi, build_keywords, normal_number, terms_of


def index_of(*texts: str):
    return build_keywords([[(terms_of(text, "en"), 1.0)] for text in texts])


@pytest.mark.parametrize(
    ("text", "language", "terms"),
    [
        (
            "The companies' liabilities were $1,234.50 in FY2022 (10%).",
            "en",
            ["compani", "liabil", "1234.5", "2022", "10"],
        ),
        ("FY22 and fiscal 2022", "en", ["2022", "fiscal", "2022"]),
        ("Die Häuser der Städte", "de", ["haus", "stadt"]),
        ("東京都の人口", "ja", ["東京", "京都", "都の", "の人", "人口"]),
        ("서울특별시", "ko", ["서울", "울특", "특별", "별시"]),
        ("ﬁnancial ﬂows", "en", ["financi", "flow"]),
        ("737 and 777X", "en", ["737", "777x"]),
    ],
)
def test_terms(text: str, language: str, terms: list[str]) -> None:
    assert terms_of(text, language) == terms


def test_numbers_have_one_form() -> None:
    assert normal_number("1,234,567.80") == "1234567.8"
    assert normal_number("3.50") == "3.5"
    assert normal_number("1.2.3") == "1.2.3"
    assert normal_number("1,5") == "1,5"


@pytest.mark.parametrize("count", [1, 2])
def test_a_shared_term_counts_in_documents_of_one_and_two_chunks(count: int) -> None:
    """``rank_bm25`` gives such a match a negative score, or none."""
    texts = ["The hotel limit is 120 euros.", "Salaries are paid monthly."][:count]
    scores, shared = index_of(*texts).scores(dict.fromkeys(terms_of("hotel limit", "en"), 1.0))
    assert scores[0] > 0
    assert shared[0] == 2
    assert (shared[1:] == 0).all()


def test_no_chunks_at_all() -> None:
    scores, shared = index_of().scores({"hotel": 1.0})
    assert scores.shape == shared.shape == (0,)


def random_texts(count: int) -> list[list[str]]:
    random.seed(5)
    words = [f"w{i}" for i in range(50)]
    return [[random.choice(words) for _ in range(random.randint(5, 40))] for _ in range(count)]


def test_scores_are_those_of_rank_bm25_up_to_the_document_frequency() -> None:
    texts = random_texts(30)
    reference = BM25Okapi(texts)
    index = build_keywords([[(text, 1.0)] for text in texts])
    asked = [f"w{i}" for i in range(10)]
    for word in asked:
        reference.idf[word] = index.rarity(word)
    np.testing.assert_allclose(
        index.scores(dict.fromkeys(asked, 1.0))[0], reference.get_scores(asked), rtol=1e-5, atol=1e-6
    )


def test_the_layout_by_term_gives_what_the_library_gives_chunk_by_chunk() -> None:
    texts = random_texts(60)
    fields = [[(text, 1.0), (context, 0.5)] for text, context in zip(texts[:30], texts[30:], strict=True)]
    okapi, index = Okapi(fields), build_keywords(fields)
    asked = ["w1", "w2", "w2", "w40", "unseen"]
    weights = {"w1": 1.0, "w2": 2.0, "w40": 1.0, "unseen": 1.0}
    np.testing.assert_allclose(index.scores(weights)[0], okapi.get_scores(asked), rtol=1e-5, atol=1e-6)


def test_fields_count_by_their_weight_in_frequencies_and_lengths() -> None:
    okapi = Okapi([[(["a", "a", "b"], 1.0), (["a", "c"], 0.5)], [(["c"], 1.0)]])
    assert okapi.doc_freqs == [{"a": 2.5, "b": 1, "c": 0.5}, {"c": 1}]
    assert okapi.doc_len.tolist() == [4.0, 1.0]
    assert okapi.avgdl == 2.5


def test_a_term_in_the_context_weighs_less_than_one_in_the_text() -> None:
    index = build_keywords([[(["a"], 1.0), (["b"], 0.5)], [(["b"], 1.0), (["a"], 0.5)]])
    scores, _ = index.scores({"a": 1.0})
    assert scores[0] > scores[1] > 0


def test_weights_are_the_librarys_to_the_last_bit() -> None:
    texts = random_texts(60)
    fields = [[(text, 1.0), (context, 0.5)] for text, context in zip(texts[:30], texts[30:], strict=True)]
    okapi, index = Okapi(fields), build_keywords(fields)
    for term, place in index.vocabulary.items():
        begin, end = index.begins[place : place + 2]
        rows = index.rows[begin:end].tolist()
        assert rows == [row for row, counts in enumerate(okapi.doc_freqs) if term in counts]
        expected = np.array(okapi.get_batch_scores([term], rows), np.float32)
        np.testing.assert_array_equal(index.weights[begin:end], expected)


@pytest.mark.parametrize(("language", "word"), [("english", "depreciations"), ("german", "Abschreibungen")])
def test_stemmers_are_compiled_and_agree_with_the_written_ones(language: str, word: str) -> None:
    module = importlib.import_module(f"snowballstemmer.{language}_stemmer")
    written = getattr(module, f"{language.capitalize()}Stemmer")()
    compiled = snowballstemmer.stemmer(language)
    assert type(compiled) is not type(written)
    assert compiled.stemWord(word.lower()) == written.stemWord(word.lower())
