"""The second backend: any sentence-transformers model by its Hub name or folder, for embedding and reranking.

``sentence_transformers`` takes seconds to import and 2 GB of disk, so it is imported when a model is loaded and
never before; it is installed with ``pip install -r requirements-hub.txt``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from src.models.base import Kind
from src.models.weights import WeightsError
from src.records import FloatArray
from src.settings import Settings

EMBEDDING_MODEL = "BAAI/bge-small-en-v1.5"
RERANKER_MODEL = "cross-encoder/ms-marco-MiniLM-L-12-v2"
OFF = "off"  # as the reranker's name: no reranking
BATCH = 32
HUB_SECONDS = 10.0

# Models whose questions want a prefix that their Hub configuration does not carry.
QUERY_PREFIXES = {
    "bge-": "Represent this sentence for searching relevant passages: ",
    "e5-": "query: ",
}
PASSAGE_PREFIXES = {"e5-": "passage: "}


@dataclass(frozen=True, slots=True)
class HubNames:
    """Names of the two models: Hub ids or folders; ``reranker`` may be "off"."""

    embedding: str
    reranker: str


def hub_names(settings: Settings) -> HubNames:
    """What the settings name, else the Hub originals of the default models."""
    return HubNames(settings.embedding_model or EMBEDDING_MODEL, settings.reranker_model or RERANKER_MODEL)


def _load(kind: str, name: str, threads: int) -> Any:
    try:
        sentence_transformers = import_module("sentence_transformers")
        torch = import_module("torch")
    except ImportError as error:
        raise WeightsError(
            f"DOCENGINE_MODEL_BACKEND is sentence-transformers but {error.name or 'it'} is not installed: "
            "run pip install -r requirements-hub.txt, or unset the setting"
        ) from error
    if threads:
        torch.set_num_threads(threads)
    make = getattr(sentence_transformers, kind)
    try:
        try:
            return make(name, local_files_only=True)
        except (OSError, ValueError):
            if Path(name).is_dir():
                raise
        # The Hub client retries each of a model's files for half a minute: ask once, so that a machine without a
        # network hears it at once.
        import_module("huggingface_hub").model_info(name, timeout=HUB_SECONDS)
        return make(name)
    except _load_errors() as error:
        raise WeightsError(
            f"the model {name} could not be loaded ({_first_line(error)}): give the name of a Hub model that can be "
            "reached, or the folder of a downloaded one, or unset DOCENGINE_MODEL_BACKEND"
        ) from error


def _load_errors() -> tuple[type[Exception], ...]:
    """What loading raises for unknown names, bad folders and without a network; the client's HTTP library changed."""
    clients: list[type[Exception]] = [
        sys.modules[n].HTTPError for n in ("httpx2", "httpx") if n in sys.modules
    ]
    return (OSError, ValueError, *clients)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".")[:160] if lines else type(error).__name__


def _prefix(name: str, prefixes: dict[str, str]) -> str:
    base = name.rsplit("/", 1)[-1].lower()
    return next((prefix for part, prefix in prefixes.items() if part in base), "")


class HubEmbedder:
    """A SentenceTransformer; its own prompts are used where it has them, else the known prefixes."""

    def __init__(self, name: str, threads: int = 0) -> None:
        self._model = _load("SentenceTransformer", name, threads)
        prompts = {k: v for k, v in (getattr(self._model, "prompts", None) or {}).items() if v}
        self._prompts: dict[Kind, str] = {
            "query": prompts.get("query") or _prefix(name, QUERY_PREFIXES),
            "passage": prompts.get("document") or prompts.get("passage") or _prefix(name, PASSAGE_PREFIXES),
        }

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        """Unit rows of shape (len(texts), the model's dimension)."""
        vectors = self._model.encode(
            list(texts),
            prompt=self._prompts[kind] or None,
            batch_size=BATCH,
            normalize_embeddings=True,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)


class HubReranker:
    """A CrossEncoder with one output."""

    def __init__(self, name: str, threads: int = 0) -> None:
        self._model = _load("CrossEncoder", name, threads)

    def score(self, question: str, texts: Sequence[str]) -> FloatArray:
        """Scores of shape (len(texts),), as the model gives them."""
        if not texts:
            return np.zeros(0, dtype=np.float32)
        scores = self._model.predict(
            [(question, text) for text in texts],
            batch_size=BATCH,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(scores, dtype=np.float32).reshape(len(texts))
