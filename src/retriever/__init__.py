"""A question to ranked passages. ``retrieve`` is the room's door."""

from src.retriever.search import Retrieval, retrieve

__all__ = ["Retrieval", "retrieve"]
