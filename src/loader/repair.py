"""Repairs of extracted characters, each with its box: artefacts out, ligatures apart, accents composed."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import numpy as np
import numpy.typing as npt

_ARTEFACT = re.compile(
    "\\(cid:\\d{1,6}\\)|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200d\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufffe\uffff]"
)
_LIGATURES = dict(
    zip(
        "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06",
        ("ff", "fi", "fl", "ffi", "ffl", "st", "st"),
        strict=True,
    )
)
# Spacing accents that old TeX fonts draw over a letter, as the combining marks they stand for
_ACCENTS = dict(
    zip(
        "\u00b4\u0060\u00a8\u005e\u02c6\u007e\u02dc\u00af\u00b8\u02c7\u02d8\u02d9\u02da\u02dd\u02db",
        "\u0301\u0300\u0308\u0302\u0302\u0303\u0303\u0304\u0327\u030c\u0306\u0307\u030a\u030b\u0328",
        strict=True,
    )
)
_DOTLESS = {"\u0131": "i", "\u0237": "j"}
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00a8\u00af\u00b4\u00b8`^~\u02c6\u02c7\u02d8-\u02dd\u0300-\u036f\u0591-\u05c7"
    "\u064b-\u065f\u1100-\u11ff\u200b-\u200d\u2060-\u206f\u2126\u212a\u212b\u3099\u309a\ufb00-\ufb4f\ufe00-\ufe0f"
    "\ufeff-\uffff\ud800-\udfff\U0002f800-\U0002fa1f\uf900-\ufaff]|\\(cid:"
)


def clean(text: str) -> str:
    """``text`` without artefacts, ligatures apart, accents composed."""
    if not _SUSPECT.search(text):
        return text
    text = "".join(_LIGATURES.get(ch, ch) for ch in _ARTEFACT.sub("", text))
    return unicodedata.normalize("NFC", text.encode("utf-8", "ignore").decode())


def repaired(glyphs: str, boxes: npt.NDArray[Any]) -> tuple[str, npt.NDArray[np.int32]] | None:
    """Repaired ``glyphs`` and, for each of its characters, the place of the one it comes from; None when there is
    nothing to repair. ``boxes`` (n, 4) tell an accent drawn over its letter from one that stands alone."""
    if not _SUSPECT.search(glyphs):
        return None
    dropped = {place for match in _ARTEFACT.finditer(glyphs) for place in range(match.start(), match.end())}
    made: list[str] = []
    sources: list[int] = []
    waiting = ""
    for place, character in enumerate(glyphs):
        if place in dropped or "\ud800" <= character <= "\udfff":
            continue
        if character in _ACCENTS and _over_next(glyphs, boxes, place):
            waiting = _ACCENTS[character]
            continue
        if character in _ACCENTS and made and _covers(boxes, place, sources[-1]):
            character = _ACCENTS[character]
        if waiting:
            character = unicodedata.normalize("NFC", _DOTLESS.get(character, character) + waiting)
            waiting = ""
        if made and unicodedata.combining(character[0]):
            composed = unicodedata.normalize("NFC", _DOTLESS.get(made[-1], made[-1]) + character)
            if len(composed) == len(made[-1]):
                made[-1] = composed
                continue
        for part in _LIGATURES.get(character) or unicodedata.normalize("NFC", character):
            made.append(part)
            sources.append(place)
    return "".join(made), np.array(sources, np.int32)


def _over_next(glyphs: str, boxes: npt.NDArray[Any], place: int) -> bool:
    following = glyphs[place + 1 : place + 2]
    return following.isalpha() and _covers(boxes, place, place + 1)


def _covers(boxes: npt.NDArray[Any], accent: int, letter: int) -> bool:
    """Whether most of the accent's width lies within the letter's box, on the same line."""
    shared = min(boxes[accent][2], boxes[letter][2]) - max(boxes[accent][0], boxes[letter][0])
    level = min(boxes[accent][3], boxes[letter][3]) - max(boxes[accent][1], boxes[letter][1])
    width = min(boxes[accent][2] - boxes[accent][0], boxes[letter][2] - boxes[letter][0])
    return bool(width > 0 and shared > 0.5 * width and level > 0)
