"""Chunks to what can be searched: keywords, static vectors, page cards, and sentence vectors that grow behind them."""

from src.index.building import DocumentIndex, build_index, context_view, embed_index, model_view

__all__ = ["DocumentIndex", "build_index", "context_view", "embed_index", "model_view"]
