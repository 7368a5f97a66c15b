"""Words to index terms, and a BM25 index whose questions cost what their terms' postings cost.

The formula is Okapi's as in ``rank_bm25``, with two differences that a test pins. The inverse document frequency
is always positive: Okapi's gives a matching term a negative weight in a one-chunk document and none in a two-chunk
one. And the weights are laid out by term once per snapshot: ``rank_bm25`` visits every chunk for every question
term, 20,000 of them at each question in a long document.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.languages import BIGRAM_SCRIPTS, fold, stem
from src.records import FloatArray

K1 = 1.2
B = 0.75

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
        return float(_rarity(self.size, np.float64(self.frequency(term))))


def _rarity(size: int, frequency: npt.NDArray[np.float64] | np.float64) -> npt.NDArray[np.float64]:
    return np.asarray(np.log1p((size - frequency + 0.5) / (frequency + 0.5)))


def build_keywords(fields: Sequence[Sequence[tuple[Sequence[str], float]]]) -> KeywordIndex:
    """An index over texts given as fields: pairs (terms, weight), one such list a chunk.

    A term's frequency in a chunk is the weighted sum over the fields, and so is the chunk's length.
    """
    vocabulary: dict[str, int] = {}
    ids, rows, counts = array("i"), array("i"), array("f")
    lengths = np.zeros(len(fields), dtype=np.float64)
    for row, chunk in enumerate(fields):
        frequencies: dict[int, float] = {}
        for terms, weight in chunk:
            lengths[row] += weight * len(terms)
            for term in terms:
                index = vocabulary.setdefault(term, len(vocabulary))
                frequencies[index] = frequencies.get(index, 0.0) + weight
        ids.extend(frequencies.keys())
        rows.extend([row] * len(frequencies))
        counts.extend(frequencies.values())
    term_ids = np.frombuffer(ids, dtype=np.int32) if ids else np.zeros(0, np.int32)
    row_ids = np.frombuffer(rows, dtype=np.int32) if rows else np.zeros(0, np.int32)
    tf = np.frombuffer(counts, dtype=np.float32) if counts else np.zeros(0, np.float32)
    order = np.argsort(term_ids, kind="stable")
    term_ids, row_ids, tf = term_ids[order], row_ids[order], tf[order]
    frequency = np.bincount(term_ids, minlength=len(vocabulary)).astype(np.float64)
    mean = lengths.mean() if lengths.any() else 1.0
    norm = K1 * (1 - B + B * lengths[row_ids] / mean)
    weights = _rarity(len(fields), frequency)[term_ids] * tf * (K1 + 1) / (tf + norm)
    begins = np.concatenate(([0], np.cumsum(frequency))).astype(np.int64)
    return KeywordIndex(len(fields), vocabulary, begins, row_ids.copy(), weights.astype(np.float32))
