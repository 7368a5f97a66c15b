"""Static vectors: one vector a token, averaged. Thousands of texts a second, and no model to run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from src.models.base import Kind
from src.records import FloatArray

BATCH = 256
LONGEST = 512
_SPACE = "\u2581"  # what the tokenizer makes of a space, and puts before every text


class StaticVectors:
    """Token table (float16, vocabulary x dimension) with its tokenizer."""

    def __init__(self, table: Path, tokenizer: Path) -> None:
        (self._table,) = load_file(table).values()
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()
        # words can be looked up one by one where no token reaches over a space into the next word
        self._by_word = not any(_SPACE in token.lstrip(_SPACE) for token in self._tokenizer.get_vocab())
        self._apart = [token.content for token in self._tokenizer.get_added_tokens_decoder().values()]

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        """Unit rows of shape (len(texts), 256); a text without tokens gets a zero row."""
        out = np.zeros((len(texts), self._table.shape[1]), dtype=np.float32)
        known: dict[str, list[int]] = {}
        for first in range(0, len(texts), BATCH):
            tokens = self._tokens(texts[first : first + BATCH], known)
            used, places = np.unique(np.fromiter(chain.from_iterable(tokens), np.int64), return_inverse=True)
            rows = self._table[used].astype(np.float32)
            end = 0
            for row, ids in enumerate(tokens, start=first):
                # Text by text: one sum over all rows of a batch (reduceat) took four times as long.
                start, end = end, end + len(ids)
                out[row] = rows[places[start:end]].sum(axis=0)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, norms, out=out, where=norms > 0)
        return out

    def _tokens(self, texts: Sequence[str], known: dict[str, list[int]]) -> list[list[int]]:
        """Token ids of each text. A document says the same words over and over: each is looked up once and kept in
        ``known``, which takes a tenth of the time that whole texts take."""
        words = [text.split(" ") if self._is_divisible(text) else [text] for text in texts]
        fresh = [word for word in dict.fromkeys(chain.from_iterable(words)) if word not in known]
        encoded = self._tokenizer.encode_batch_fast(fresh, add_special_tokens=False)
        known.update((word, encoding.ids) for word, encoding in zip(fresh, encoded, strict=True))
        return [list(chain.from_iterable(map(known.__getitem__, parts)))[:LONGEST] for parts in words]

    def _is_divisible(self, text: str) -> bool:
        """Whether the tokens of ``text`` are those of its words."""
        one_space = "  " not in text and text[:1] != " " and text[-1:] != " "
        return self._by_word and one_space and not any(token in text for token in self._apart)
