"""Words to index terms, and the BM25 index of ``rank_bm25`` laid out by term.

``Okapi`` is the library's BM25Okapi: its counts, its formula, its parameters, with two differences that tests pin.
Terms of a chunk's context weigh less than those of its text. And the inverse document frequency is always positive:
the library's gives a matching term a negative weight in a one-chunk document and none in a two-chunk one.

A question is not put to the library itself, which visits every chunk for every question term, 20,000 of them in a
long document. It is asked once a snapshot for the score of each term in the chunks that have it; these are kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from src.languages import BIGRAM_SCRIPTS, fold, stem
from src.records import FloatArray

Fields: TypeAlias = Sequence[tuple[Sequence[str], float]]

_TOKEN = re.compile(rf"[{BIGRAM_SCRIPTS}]+|(?:(?![{BIGRAM_SCRIPTS}])[^\W_])+(?:[.,'’]\d+)*")
_BIGRAM = re.compile(f"[{BIGRAM_SCRIPTS}]+")
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
    terms: list[str] = []
    for token in _TOKEN.findall(fold(text)):
        if token[0].isdigit() and _NUMBER.fullmatch(token):
            terms.append(normal_number(token))
        elif _BIGRAM.match(token):
            terms += [token[i : i + 2] for i in range(len(token) - 1)] or [token]
        elif fiscal := _FISCAL.fullmatch(token):
            year = fiscal.group(2)
            terms.append(year if len(year) == 4 else "20" + year)
        elif term := stem(token, language):
            terms.append(term)
    return terms


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


def build_keywords(corpus: Sequence[Fields]) -> KeywordIndex:
    """An index over chunks given as fields: pairs (terms, weight), one such list a chunk."""
    if not corpus:  # the library divides by the number of texts
        return KeywordIndex(0, {}, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32))
    okapi = Okapi(corpus)
    rows: dict[str, list[int]] = {term: [] for term in okapi.idf}
    for row, counts in enumerate(okapi.doc_freqs):
        for term in counts:
            rows[term].append(row)
    weights = [okapi.get_batch_scores([term], numbers) for term, numbers in rows.items()]
    begins = np.cumsum([0, *(len(numbers) for numbers in rows.values())], dtype=np.int64)
    return KeywordIndex(
        size=len(corpus),
        vocabulary={term: i for i, term in enumerate(rows)},
        begins=begins,
        rows=np.fromiter(chain.from_iterable(rows.values()), np.int32, int(begins[-1])),
        weights=np.fromiter(chain.from_iterable(weights), np.float32, int(begins[-1])),
    )
