"""Sentence vectors of one document: a FAISS inner-product index that grows while questions read it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import faiss
import numpy as np
import numpy.typing as npt

from src.records import FloatArray

NEIGHBOURS = 32
EF_CONSTRUCTION = 200
EF_SEARCH = 50


class VectorCache:
    """Vectors by model and content hash, the oldest dropped beyond ``limit``: no text is embedded twice."""

    def __init__(self, limit: int = 40_000) -> None:
        self._limit = limit
        self._vectors: OrderedDict[bytes, FloatArray] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def key(model: str, text: str) -> bytes:
        """The key of ``text`` for ``model``."""
        return blake2b(f"{model}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()

    def get(self, keys: Sequence[bytes]) -> list[FloatArray | None]:
        """The vectors there are for ``keys``, None where there is none."""
        with self._lock:
            return [self._vectors.get(key) for key in keys]

    def put(self, keys: Sequence[bytes], vectors: FloatArray) -> None:
        """Keep the rows of ``vectors`` under ``keys``."""
        with self._lock:
            for key, vector in zip(keys, vectors, strict=True):
                self._vectors[key] = vector
                self._vectors.move_to_end(key)
            while len(self._vectors) > self._limit:
                self._vectors.popitem(last=False)


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
        self._count = 0

    @property
    def approximate(self) -> bool:
        """Whether the index is HNSW."""
        return self._hnsw

    def fork(self, rows: int) -> GrowingVectors:
        """A new index with the first ``rows`` rows: two growths from one snapshot do not meet in one index."""
        with self._lock:
            copy = GrowingVectors(len(self._chunks), self._hnsw_above)
            if self._index is not None and rows:
                copy.add(self._chunks[:rows].tolist(), self._index.reconstruct_n(0, rows))
            return copy

    def chunks(self, rows: int) -> set[int]:
        """Numbers of the chunks whose vectors are among the first ``rows`` rows."""
        return set(self._chunks[:rows].tolist())

    def add(self, chunks: Sequence[int], vectors: FloatArray) -> int:
        """Append unit rows for ``chunks`` and give the new number of rows."""
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
