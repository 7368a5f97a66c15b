"""Sentence vectors of one document: a FAISS inner-product index that grows while questions read it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeAlias

import faiss
import numpy as np
import numpy.typing as npt

from src.records import FloatArray

NEIGHBOURS = 32
EF_CONSTRUCTION = 200
EF_SEARCH = 50


Codes: TypeAlias = npt.NDArray[np.uint8]  # shape (tokens, dimension / 4): two bits a number

STEP = 0.98  # between the two-bit levels, in usual deviations of a unit vector's numbers
_LEVELS = np.array(
    [[((byte >> shift) & 3) - 1.5 for shift in (0, 2, 4, 6)] for byte in range(256)], np.float32
)


def pack(rows: FloatArray) -> Codes:
    """Unit rows, their dimension a multiple of 4, at two bits a number."""
    scaled = rows * np.float32(np.sqrt(rows.shape[1]) / STEP)
    levels = (np.clip(np.floor(scaled), -2, 1) + 2).astype(np.uint8).reshape(len(rows), rows.shape[1] // 4, 4)
    packed: Codes = np.bitwise_or.reduce(levels << np.array([0, 2, 4, 6], dtype=np.uint8), axis=2)
    return packed


def unpack(codes: Codes) -> FloatArray:
    """Unit rows near those that were packed."""
    # Taking is five times as fast as indexing with an array.
    rows: FloatArray = _LEVELS.take(codes, axis=0).reshape(len(codes), 4 * codes.shape[1])
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, np.newaxis]
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """What is kept of an embedded text: its vector, and its tokens' where the embedder shows them."""

    vector: FloatArray
    codes: Codes | None = None

    @property
    def size(self) -> int:
        """Bytes."""
        return self.vector.nbytes + (self.codes.nbytes if self.codes is not None else 0)


class VectorCache:
    """Embedded texts by model and content hash: none is embedded twice while it is among the last ``limit`` bytes."""

    def __init__(self, limit: int = 96 * 2**20) -> None:
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[bytes, Embedded] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def key(model: str, text: str) -> bytes:
        """The key of ``text`` for ``model``."""
        return blake2b(f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def get(self, keys: Sequence[bytes]) -> list[Embedded | None]:
        """What there is for ``keys``, None where there is nothing."""
        with self._lock:
            return [self._kept.get(key) for key in keys]

    def put(self, keys: Sequence[bytes], texts: Sequence[Embedded]) -> None:
        """Keep ``texts`` under ``keys``."""
        with self._lock:
            for key, text in zip(keys, texts, strict=True):
                if (before := self._kept.pop(key, None)) is not None:
                    self._size -= before.size
                self._kept[key] = text
                self._size += text.size
            while self._size > self._limit and self._kept:
                self._size -= self._kept.popitem(last=False)[1].size


class GrowingVectors:
    """Append-only: a snapshot is told by how many rows it has seen, so one index serves all snapshots.

    Flat below ``hnsw_above`` rows expected, else HNSW (32 neighbours, efConstruction 200, efSearch 50).
    """

    def __init__(self, expected: int, hnsw_above: int) -> None:
        self._lock = threading.Lock()
        self._index: Any = None
        self._hnsw_above = hnsw_above
        self._hnsw = expected > hnsw_above > 0
        self._chunks = np.full(expected, -1, dtype=np.int64)
        self._codes: dict[int, Codes] = {}
        self._count = 0

    @property
    def approximate(self) -> bool:
        """Whether the index is HNSW."""
        return self._hnsw

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors and of their tokens' codes."""
        with self._lock:
            dimension = self._index.d if self._index is not None else 0
            return 4 * dimension * self._count + sum(codes.nbytes for codes in self._codes.values())

    def fork(self, rows: int) -> GrowingVectors:
        """A new index with the first ``rows`` rows: two growths from one snapshot do not meet in one index."""
        with self._lock:
            copy = GrowingVectors(len(self._chunks), self._hnsw_above)
            if self._index is not None and rows:
                vectors = self._index.reconstruct_n(0, rows)
                chunks = self._chunks[:rows].tolist()
                copy.add(
                    chunks, [Embedded(v, self._codes.get(n)) for n, v in zip(chunks, vectors, strict=True)]
                )
            return copy

    def codes(self, chunk: int) -> Codes | None:
        """The token vectors of chunk number ``chunk``, None where there are none."""
        return self._codes.get(chunk)

    def chunks(self, rows: int) -> set[int]:
        """Numbers of the chunks whose vectors are among the first ``rows`` rows."""
        return set(self._chunks[:rows].tolist())

    def add(self, chunks: Sequence[int], texts: Sequence[Embedded]) -> int:
        """Append what was embedded of ``chunks`` and give the new number of rows."""
        vectors = np.stack([text.vector for text in texts])
        with self._lock:
            if self._index is None:
                dimension = vectors.shape[1]
                if self._hnsw:
                    self._index = faiss.IndexHNSWFlat(dimension, NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
                    self._index.hnsw.efConstruction = EF_CONSTRUCTION
                else:
                    self._index = faiss.IndexFlatIP(dimension)
            self._index.add(np.ascontiguousarray(vectors, dtype=np.float32))
            self._chunks[self._count : self._count + len(chunks)] = chunks
            self._codes.update(
                (n, text.codes) for n, text in zip(chunks, texts, strict=True) if text.codes is not None
            )
            self._count += len(chunks)
            return self._count

    def products(self, query: FloatArray, rows: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
        """Chunk numbers and inner products: of all of the first ``rows`` rows, or of the best few by HNSW."""
        if self._hnsw:
            return self.search(query, rows, EF_SEARCH)
        with self._lock:
            if self._index is None or not rows:
                return np.zeros(0, np.int64), np.zeros(0, np.float32)
            swig: Any = faiss
            stored = swig.rev_swig_ptr(self._index.get_xb(), rows * self._index.d).reshape(rows, -1)
            return self._chunks[:rows], stored @ query

    def search(self, query: FloatArray, rows: int, k: int) -> tuple[npt.NDArray[np.int64], FloatArray]:
        """Chunk numbers and inner products of the ``k`` best among the first ``rows`` rows, best first."""
        with self._lock:
            if self._index is None or not rows:
                return np.zeros(0, np.int64), np.zeros(0, np.float32)
            parameters = _parameters(rows, max(EF_SEARCH, k) if self._hnsw else 0)
            products, ids = self._index.search(query.reshape(1, -1), min(k, rows), params=parameters)
        found = ids[0] >= 0
        return self._chunks[ids[0][found]], products[0][found]


def _parameters(rows: int, ef_search: int) -> Any:
    """Search parameters that see the first ``rows`` rows only; the installed stubs do not know their names."""
    swig: Any = faiss
    selector = swig.IDSelectorRange(0, rows)
    if ef_search:
        return swig.SearchParametersHNSW(efSearch=ef_search, sel=selector)
    return swig.SearchParameters(sel=selector)
