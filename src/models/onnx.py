"""The default models on onnxruntime: bge-small-en-v1.5 and the ms-marco MiniLM cross-encoder, both int8.

Texts run one at a time. The weights are quantised dynamically, so the scale of a batch is set by its widest text:
in batches a chunk's vector depended on its neighbours in the batch, and one at a time costs no more on a CPU.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Encoding, Tokenizer

from src.models.base import Kind, Tokens
from src.records import FloatArray

LONGEST = 512  # tokens, the longest input both models were trained on
QUERY_PREFIX = "Represent this sentence for searching relevant passages: "


def usable_cores() -> int:
    """Cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _session(path: Path, threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or min(usable_cores(), 4)
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # The arena keeps the largest batch it ever saw; spinning threads burn the core that Streamlit needs.
    options.enable_cpu_mem_arena = False
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


class _Encoder:
    """A session with its tokenizer; ``run`` gives the first output of one encoded text."""

    def __init__(self, files: Sequence[Path], threads: int) -> None:
        model, tokenizer = files
        self._session = _session(model, threads)
        self._inputs = [i.name for i in self._session.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._names = {number: piece for piece, number in self._tokenizer.get_vocab().items()}
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The word pieces of ``ids``; the fast encoding leaves them out."""
        return [self._names[number] for number in ids]

    def encode(self, texts: Sequence[Any]) -> list[Encoding]:
        return self._tokenizer.encode_batch_fast(list(texts))

    def run(self, encoding: Encoding) -> FloatArray:
        values = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        feed = {name: np.array([values[name]], dtype=np.int64) for name in self._inputs}
        output: FloatArray = self._session.run(None, feed)[0]
        return output


class OnnxEmbedder:
    """bge-small: the vector of the [CLS] token, with the prefix it was trained with before questions."""

    def __init__(self, files: Sequence[Path], threads: int = 0) -> None:
        self._encoder = _Encoder(files, threads)

    def embed(self, texts: Sequence[str], kind: Kind = "passage") -> FloatArray:
        """Unit rows of shape (len(texts), 384)."""
        if not texts:
            return np.zeros((0, 384), dtype=np.float32)
        return np.stack([tokens.vector for tokens in self.embed_tokens(texts, kind)])

    def embed_tokens(self, texts: Sequence[str], kind: Kind = "passage") -> list[Tokens]:
        """The texts' vectors with those of their tokens; the words of the question's prefix are left out."""
        prefix = QUERY_PREFIX if kind == "query" else ""
        skipped = len(self._encoder.encode([prefix])[0].ids) - 1 if prefix else 1
        encodings = self._encoder.encode([prefix + text for text in texts])
        return [_tokens(self._encoder.run(e)[0], self._encoder.pieces(e.ids), skipped) for e in encodings]


def _tokens(rows: FloatArray, names: Sequence[str], skipped: int) -> Tokens:
    """What ``rows`` say of a text, less the first ``skipped`` and the closing [SEP]."""
    normed: FloatArray = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return Tokens(normed[0], normed[skipped:-1], _words(names[skipped:-1]))


def _words(pieces: Sequence[str]) -> tuple[str, ...]:
    """The word that each word piece belongs to: "fy", "##20", "##22" are all of "fy2022"."""
    words: list[str] = []
    sizes: list[int] = []
    for piece in pieces:
        if piece.startswith("##") and words:
            words[-1] += piece[2:]
            sizes[-1] += 1
        else:
            words.append(piece)
            sizes.append(1)
    return tuple(word for word, size in zip(words, sizes, strict=True) for _ in range(size))


class OnnxReranker:
    """A cross-encoder with one output."""

    def __init__(self, files: Sequence[Path], threads: int = 0) -> None:
        self._encoder = _Encoder(files, threads)

    def score(self, question: str, texts: Sequence[str]) -> FloatArray:
        """Logits of shape (len(texts),)."""
        encodings = self._encoder.encode([(question, text) for text in texts])
        return np.array([self._encoder.run(e).reshape(-1)[0] for e in encodings], dtype=np.float32)
