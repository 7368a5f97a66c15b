"""Small models without weights: real vectors and scores, made from the words of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from src.index.keywords import terms_of
from src.models import Models
from src.models.base import Kind, Tokens
from src.records import FloatArray


@lru_cache(maxsize=10_000)
def _random_vector(term: str, dimension: int) -> FloatArray:
    seed = int.from_bytes(blake2b(term.encode(), digest_size=4).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dimension, dtype=np.float32)


class WordEmbedder:
    """A text's vector is the sum of fixed random vectors of its terms, so texts with common terms are near."""

    def __init__(self, dimension: int = 512) -> None:
        self.dimension = dimension
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        self.seen += texts
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms_of(text, "en"):
                out[row] += _random_vector(term, self.dimension)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        return np.divide(out, norms, out=out, where=norms > 0)


class WordTokenEmbedder(WordEmbedder):
    """The same with the vectors of the words, which do not depend on their neighbours."""

    def embed_tokens(self, texts: Sequence[str], kind: Kind = "passage") -> list[Tokens]:
        found = []
        for text, vector in zip(texts, self.embed(texts, kind), strict=True):
            words = re.findall(r"\w+|[^\w\s]", text.lower())
            rows = [self.embed([word])[0] for word in words]
            self.seen = self.seen[: len(self.seen) - len(words)]
            found.append(Tokens(vector, np.array(rows, np.float32).reshape(-1, self.dimension), tuple(words)))
        return found


class WordReranker:
    """The share of the question's terms that a text has, as a logit."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def score(self, question: str, texts: Sequence[str]) -> FloatArray:
        self.seen += texts
        asked = set(terms_of(question, "en"))
        shares = [len(asked & set(terms_of(text, "en"))) / max(len(asked), 1) for text in texts]
        return np.array([8 * share - 4 for share in shares], dtype=np.float32)


def word_models() -> Models:
    """All three models, without weights."""
    return Models(WordEmbedder(), WordEmbedder(), WordReranker(), languages=frozenset({"en"}), name="words")
