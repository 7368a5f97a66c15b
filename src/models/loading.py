"""Which models a process runs on: the settings' backend, and one sentence for each model that is missing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from src.models.base import Models
from src.models.onnx import OnnxEmbedder, OnnxReranker
from src.models.static import StaticVectors
from src.models.weights import EMBEDDER, RERANKER, STATIC, WeightsError, find_weights
from src.settings import Settings

log = logging.getLogger(__name__)
Loaded = TypeVar("Loaded")

WITHOUT = {
    "static": "Similar wordings are not found in the first seconds",
    "embedder": "Passages are found by keywords and static word vectors only",
    "reranker": "Passages are ordered without the reranking model",
}


def load_models(settings: Settings) -> Models:
    """The models of ``settings.model_backend``; what is missing is None and said in ``notes``. No network call,
    unless the backend is sentence-transformers and a model named by the user is not on the machine."""
    notes: list[str] = []

    def attempt(part: str, make: Callable[[], Loaded]) -> Loaded | None:
        try:
            return make()
        except WeightsError as error:
            notes.append(f"{WITHOUT[part]}: {error}.")
            log.warning("%s", notes[-1])
            return None

    static = attempt("static", lambda: StaticVectors(*find_weights(STATIC, settings.model_dir)))
    if settings.model_backend == "off":
        return Models(static, notes=tuple(notes))
    if settings.model_backend == "sentence-transformers":
        from src.models.hub import OFF, HubEmbedder, HubReranker, hub_names

        names = hub_names(settings)
        embedder = attempt("embedder", lambda: HubEmbedder(names.embedding, settings.threads))
        reranker = None
        if names.reranker != OFF:
            reranker = attempt("reranker", lambda: HubReranker(names.reranker, settings.threads))
        return Models(static, embedder, reranker, tuple(notes), name=f"hub:{names.embedding}")
    threads = settings.threads
    onnx_embedder = attempt(
        "embedder", lambda: OnnxEmbedder(find_weights(EMBEDDER, settings.model_dir), threads)
    )
    onnx_reranker = attempt(
        "reranker", lambda: OnnxReranker(find_weights(RERANKER, settings.model_dir), threads)
    )
    return Models(
        static,
        onnx_embedder,
        onnx_reranker,
        tuple(notes),
        languages=frozenset({"en"}),
        name="bge-small-en-v1.5",
    )
