"""Models behind one-method protocols, and where their weights come from."""

from src.models.base import Embedder, Models, Reranker, TokenEmbedder, Tokens
from src.models.loading import load_models

__all__ = ["Embedder", "Models", "Reranker", "TokenEmbedder", "Tokens", "load_models"]
