"""Lists of words written as running text, so that they stay readable."""

from __future__ import annotations


def word_list(text: str) -> tuple[str, ...]:
    """The words of ``text``, in order."""
    return tuple(text.split())


def words_of(text: str) -> frozenset[str]:
    """The words of ``text`` as a set."""
    return frozenset(text.split())
