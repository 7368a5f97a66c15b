"""Words to index terms, and the BM25 index of ``rank_bm25`` laid out by term.

``Okapi`` is the library's BM25Okapi: its counts, its formula, its parameters, with two differences that tests pin.
Terms of a chunk's context weigh less than those of its text. And the inverse document frequency is always positive:
the library's gives a matching term a negative weight in a one-chunk document and none in a two-chunk one.

A question is not put to the library itself, which visits every chunk for every question term, 20,000 of them in a
long document. Its formula is worked out once a snapshot for each term in the chunks that have it, all of them in one
sum over arrays: asked term by term, the library took a fifth of the time that a document takes to be indexed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from src.languages import BIGRAM_SCRIPTS, fold, stem
from src.records import FloatArray

Fields: TypeAlias = Sequence[tuple[Sequence[str], float]]

_TOKEN = re.compile(rf"[{BIGRAM_SCRIPTS}]+|(?:(?![{BIGRAM_SCRIPTS}])[^\W_])+(?:[.,'’]\d+)*")
_SPACED_TOKEN = re.compile(r"[^\W_]+(?:[.,'’]\d+)*")  # the same where there is no letter of those scripts
_BIGRAM = re.compile(f"[{BIGRAM_SCRIPTS}]")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_FISCAL = re.compile(r"(fy|cy)(\d{2}|\d{4})")


def normal_number(text: str) -> str:
    """A printed number in one form: "1,234.50" and "1234.5" are the same term."""
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    if "." in text and text.count(".") == 1:
        text = text.rstrip("0").rstrip(".")
    return text


def terms_of(text: str, language: str) -> list[str]:
    """Index terms of ``text`` in order: stems without stopwords, numbers normalised, pairs of CJK characters."""
    folded = fold(text)
    token = _TOKEN if not folded.isascii() and _BIGRAM.search(folded) else _SPACED_TOKEN
    return [term for found in token.findall(folded) for term in _terms_of_token(found, language)]


@lru_cache(maxsize=200_000)
def _terms_of_token(token: str, language: str) -> tuple[str, ...]:
    """Index terms of one token: a document says the same words over and over."""
    if token[0].isdigit() and _NUMBER.fullmatch(token):
        return (normal_number(token),)
    if _BIGRAM.match(token):
        return tuple(token[i : i + 2] for i in range(len(token) - 1)) or (token,)
    if fiscal := _FISCAL.fullmatch(token):
        year = fiscal.group(2)
        return (year if len(year) == 4 else "20" + year,)
    term = stem(token, language)
    return (term,) if term else ()


@dataclass(frozen=True, slots=True, eq=False)
class KeywordIndex:
    """Postings by term: chunks ``rows[begin:end]`` with ``weights[begin:end]``, for ``begins[i:i+2]`` of term i."""

    size: int
    vocabulary: dict[str, int]
    begins: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    weights: FloatArray

    def scores(self, weighted_terms: dict[str, float]) -> tuple[FloatArray, FloatArray]:
        """BM25 of every chunk, shape (size,), and the summed weight of the terms each shares with the question.

        A chunk matches when the second is positive, whatever its score.
        """
        scores = np.zeros(self.size, dtype=np.float32)
        shared = np.zeros(self.size, dtype=np.float32)
        for term, weight in weighted_terms.items():
            index = self.vocabulary.get(term)
            if index is None:
                continue
            begin, end = self.begins[index], self.begins[index + 1]
            rows = self.rows[begin:end]
            scores[rows] += weight * self.weights[begin:end]
            shared[rows] += weight
        return scores, shared

    def frequency(self, term: str) -> int:
        """Number of chunks that have ``term``."""
        index = self.vocabulary.get(term)
        return 0 if index is None else int(self.begins[index + 1] - self.begins[index])

    def rarity(self, term: str) -> float:
        """The inverse document frequency of ``term``, that of an unseen term included."""
        return rarity(self.size, self.frequency(term))


def rarity(size: int, frequency: int) -> float:
    """Okapi's inverse document frequency with one added within the logarithm, which keeps it above zero."""
    return math.log1p((size - frequency + 0.5) / (frequency + 0.5))


class Okapi(BM25Okapi):  # type: ignore[misc]  # the library is not typed
    """``rank_bm25``'s Okapi over chunks given as fields, pairs (terms, weight).

    A term's frequency in a chunk is the weighted sum over the fields, and so is the chunk's length.
    """

    doc_freqs: list[dict[str, float]]
    doc_len: list[int] | npt.NDArray[np.float64]

    def __init__(self, corpus: Sequence[Fields]) -> None:
        super().__init__(corpus)

    def _initialize(self, corpus: Sequence[Fields]) -> dict[str, int]:
        frequencies = super()._initialize(
            [[term for terms, _ in fields for term in terms] for fields in corpus]
        )
        lengths = np.array(self.doc_len, dtype=np.float64)
        for row, fields in enumerate(corpus):
            counts = self.doc_freqs[row]
            for terms, weight in fields:
                lengths[row] -= (1 - weight) * len(terms)
                if weight != 1:
                    for term in terms:
                        counts[term] -= 1 - weight
        # An array: the library makes one of it at each call, and from a list that takes longer than scoring.
        self.doc_len = lengths
        self.avgdl = lengths.mean()
        return dict(frequencies)

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: rarity(self.corpus_size, frequency) for term, frequency in nd.items()}

    def weights(
        self, terms: npt.NDArray[np.int64], counts: npt.NDArray[np.float64], rows: npt.NDArray[np.int32]
    ) -> FloatArray:
        """The library's score of term ``terms[i]`` (its place in ``idf``) that chunk ``rows[i]`` has ``counts[i]``
        times."""
        idf = np.fromiter(self.idf.values(), np.float64, len(self.idf))[terms]
        lengths = np.asarray(self.doc_len)[rows]
        held = counts * (self.k1 + 1)
        scores = idf * (held / (counts + self.k1 * (1 - self.b + self.b * lengths / self.avgdl)))
        weights: FloatArray = scores.astype(np.float32)
        return weights


def build_keywords(corpus: Sequence[Fields]) -> KeywordIndex:
    """An index over chunks given as fields: pairs (terms, weight), one such list a chunk."""
    if not corpus:  # the library divides by the number of texts
        return KeywordIndex(0, {}, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
    okapi = Okapi(corpus)
    vocabulary = {term: i for i, term in enumerate(okapi.idf)}
    held = [len(counts) for counts in okapi.doc_freqs]
    total = sum(held)
    terms = np.fromiter(map(vocabulary.__getitem__, chain.from_iterable(okapi.doc_freqs)), np.int64, total)
    counts = np.fromiter(chain.from_iterable(d.values() for d in okapi.doc_freqs), np.float64, total)
    order = np.argsort(terms, kind="stable")
    rows = np.repeat(np.arange(len(corpus), dtype=np.int32), held)[order]
    return KeywordIndex(
        size=len(corpus),
        vocabulary=vocabulary,
        begins=np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=len(vocabulary)))]),
        rows=rows,
        weights=okapi.weights(terms[order], counts[order], rows),
    )
