"""What the index and the retriever ask of a model: one method each, so that tests swap them freely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from src.records import FloatArray
from src.vectors import VectorCache

Kind = Literal["passage", "query"]


class Embedder(Protocol):
    """Turns texts into vectors whose inner product is their similarity."""

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        """Unit rows of shape (len(texts), dimension); ``kind`` picks the prefix the model was trained with."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """A text as an embedder saw it: its ``vector``, and ``rows`` of unit vectors with the word each belongs to."""

    vector: FloatArray
    rows: FloatArray
    words: tuple[str, ...]


@runtime_checkable
class TokenEmbedder(Embedder, Protocol):
    """An embedder that also shows the vectors of the tokens, which its one pass over a text makes anyway."""

    def embed_tokens(self, texts: Sequence[str], kind: Kind = "passage") -> list[Tokens]:
        """One entry a text; the vectors are those of ``embed``."""
        ...


class Reranker(Protocol):
    """Reads a question and a text together and says how well they fit."""

    def score(self, question: str, texts: Sequence[str]) -> FloatArray:
        """One logit a text, shape (len(texts),); higher fits better."""
        ...


@dataclass(frozen=True, slots=True)
class Models:
    """The models there are; any may be None, with one sentence in ``notes`` that says why.

    ``languages`` are the ISO 639-1 codes that ``embedder`` and ``reranker`` know, empty for any: on pages in
    another language they stand aside. ``name`` tells vectors of different embedders apart in ``cache``.
    """

    static: Embedder | None = None
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    notes: tuple[str, ...] = ()
    languages: frozenset[str] = frozenset()
    name: str = ""
    cache: VectorCache = field(default_factory=VectorCache)

    def knows(self, language: str) -> bool:
        """Whether sentence vectors and reranking mean something in ``language`` ("" counts as known)."""
        return not self.languages or not language or language in self.languages
