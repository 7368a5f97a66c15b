"""Whether the text layer of a page can be trusted, judged by its characters."""

from __future__ import annotations

from src.loader.glyphs import Glyphs

_UNMAPPED_SHARE = 0.2
_LEAST = 12

GARBLED = "The fonts of the page do not say which characters they show, so its text layer is garbled."


def garbled(glyphs: Glyphs) -> str:
    """One sentence why the text layer is not to be trusted, "" when it is."""
    total = len(glyphs.codes) + glyphs.unmapped
    if glyphs.unmapped >= _LEAST and glyphs.unmapped > _UNMAPPED_SHARE * total:
        return GARBLED
    return ""
