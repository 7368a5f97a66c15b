"""Static vectors: one vector a token, averaged. Thousands of texts a second, and no model to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from src.models.base import Kind
from src.records import FloatArray

BATCH = 256
LONGEST = 512


class StaticVectors:
    """Token table (float16, vocabulary x dimension) with its tokenizer."""

    def __init__(self, table: Path, tokenizer: Path) -> None:
        (self._table,) = load_file(table).values()
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        """Unit rows of shape (len(texts), 256); a text without tokens gets a zero row."""
        out = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        for first in range(0, len(texts), BATCH):
            encoded = self._tokenizer.encode_batch_fast(
                list(texts[first : first + BATCH]), add_special_tokens=False
            )
            for row, encoding in enumerate(encoded, start=first):
                # Text by text: one sum over all rows of a batch (reduceat) took four times as long.
                out[row] = self._table[encoding.ids].sum(axis=0, dtype=np.float32)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, norms, out=out, where=norms > 0)
        return out
