"""Models behind one-method protocols, and where their weights come from."""

from src.models.base import Embedder, Models, Reranker
from src.models.loading import load_models

__all__ = ["Embedder", "Models", "Reranker", "load_models"]
