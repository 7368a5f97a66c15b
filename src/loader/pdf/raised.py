"""Superscripts and subscripts: told from the text they hang on, and written so that no number changes.

A footnote mark stands apart in superior figures (12.5 ³, not 12.53), an exponent behind a caret (10^-8), a unit's
power in superior figures (m³), a subscript and raised letters stand close (CO2, 1st).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.loader.layout import Style
from src.records import FloatArray

IntArray = npt.NDArray[np.int32]

SUPERIOR = str.maketrans(
    "0123456789+-\u2212\u2013=()abcdefghijklmnoprstuvwxyz",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
)
_UNITS = re.compile(r"(?:.*[\d/·.(\[]|)(?:[kcmdnµμ]?m|ft|in|yd|mi|s|h|min|sq|l|g|kg|K|mol|rad|cm|W)$")
_POWER_BASE = re.compile(r"(?:.*[×x·*]|)(?:10|2|e)$|.*[\)\]]$|(?:.*\W|)[A-Za-zα-ωΑ-Ω]$")
_FIGURES = re.compile(r"[+\-\u2212\u2013]?\d{1,3}$")
_MARK = re.compile(r"[*∗†‡§¶#]{1,3},?$|\(?\d{1,3}(?:[,\-–]\d{1,3})*\)?,?$|\(?[a-z]\)?$|\([a-z](?:,[a-z])*\)$")
_SCALE = re.compile(r"[CF]\b")
_SMALLER = 0.86
LARGER = 1.8  # times the text beside it: a drop capital


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Words in the reading frame: ``texts``, ``boxes`` (w, 4), ``sizes``, ``baselines``, ``spaced`` (w,)."""

    texts: list[str]
    boxes: FloatArray
    sizes: FloatArray
    baselines: FloatArray
    spaced: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Raised:
    """What becomes of word ``place``: its text, style bits, and the baseline of the text it hangs on."""

    place: int
    text: str
    style: int
    baseline: float


def find_raised(words: Words) -> list[Raised]:
    """Raised and lowered words, and the words that go on right behind one."""
    found: list[Raised] = []
    small = _candidates(words)
    for place in small:
        base = _base(words, place, small)
        if base is not None:
            found.append(_hung(words, place, base))
            found.extend(_going_on(words, place, base, found[-1].style))
        elif (following := _following(words, place)) is not None:
            text = words.texts[place].translate(SUPERIOR)
            found.append(Raised(place, text, Style.RAISED, float(words.baselines[following])))
    return found


def has_raised(sizes: FloatArray) -> bool:
    """Whether words of these sizes, in the order of the stream, can hold raised ones or drop capitals at all."""
    return bool(len(_smaller(sizes))) or bool(sizes.max() >= LARGER * np.median(sizes))


def _smaller(sizes: FloatArray) -> npt.NDArray[np.int64]:
    """Places of words with a larger neighbour in the stream, before or behind."""
    before = np.concatenate([[0.0], sizes[:-1]])
    behind = np.concatenate([sizes[1:], [0.0]])
    return np.flatnonzero(sizes < _SMALLER * np.maximum(before, behind))


def _candidates(words: Words) -> list[int]:
    """Short words with a larger neighbour in the stream, before or behind."""
    return [place for place in _smaller(words.sizes).tolist() if len(words.texts[place]) <= 12]


def _offset(words: Words, place: int, other: int) -> float:
    """How far ``place`` stands above the baseline of ``other``, in its font sizes."""
    return float(words.baselines[other] - words.baselines[place]) / float(max(words.sizes[other], 0.1))


def _is_shifted(words: Words, place: int, other: int) -> bool:
    if words.sizes[place] >= _SMALLER * words.sizes[other]:
        return False
    offset = _offset(words, place, other)
    return 0.14 < offset < 0.8 or -0.5 < offset < -0.06


def _base(words: Words, place: int, small: list[int]) -> int | None:
    """The larger word that ends right before ``place``; looks past raised words between (x₁²)."""
    other = place - 1
    while other >= 0 and place - other <= 3:
        if _is_shifted(words, place, other):
            gap = float(words.boxes[place, 0] - words.boxes[other, 2]) / float(words.sizes[other])
            limit = 0.35 if place - other == 1 else 1.0
            return other if -0.4 < gap < limit else None
        if other not in small:
            return None
        other -= 1
    return None


def _following(words: Words, place: int) -> int | None:
    """The larger word that begins right behind ``place``: the text of a footnote behind its mark."""
    other = place + 1
    if other >= len(words.texts) or not _is_shifted(words, place, other) or _offset(words, place, other) < 0:
        return None
    gap = float(words.boxes[other, 0] - words.boxes[place, 2]) / float(words.sizes[other])
    is_mark = _MARK.fullmatch(words.texts[place]) is not None
    return other if is_mark and -0.2 < gap < 1.2 else None


def _hung(words: Words, place: int, base: int) -> Raised:
    text, before = words.texts[place], words.texts[base]
    baseline = float(words.baselines[base])
    raised, glued = Style.RAISED, Style.RAISED | Style.GLUED
    following = words.texts[place + 1] if place + 1 < len(words.texts) else ""
    if text in ("o", "O") and before[-1].isdigit() and _SCALE.match(following):
        return Raised(place, "°", glued, baseline)  # a degree sign made of a raised letter: 30°C
    if _offset(words, place, base) < 0:
        return Raised(place, text, glued, baseline)
    if _FIGURES.fullmatch(text):
        signed = not text[0].isdigit()
        if _UNITS.fullmatch(before) and (signed or text in ("2", "3")):
            return Raised(place, text.translate(SUPERIOR), glued, baseline)
        if (signed and before[-1].isalnum()) or _POWER_BASE.fullmatch(before):
            return Raised(place, text.replace("\u2212", "-"), glued | Style.POWER, baseline)
    if (
        _MARK.fullmatch(text)
        and text[0].isalnum() | (text[0] == "(")
        and not (len(before) == 1 and before.isalpha())
    ):
        return Raised(place, text.translate(SUPERIOR), raised, baseline)
    if len(before) == 1 and before.isalpha() and text[0].isalnum():
        return Raised(place, text, glued | Style.POWER, baseline)
    return Raised(place, text, glued, baseline)


def _going_on(words: Words, place: int, base: int, style: int) -> list[Raised]:
    """The word that follows a raised one without a gap belongs to it (m³/s), unless a footnote mark parts them."""
    other = place + 1
    if other >= len(words.texts) or words.spaced[other]:
        return []
    gap = float(words.boxes[other, 0] - words.boxes[place, 2]) / float(words.sizes[base])
    level = abs(words.baselines[other] - words.baselines[base]) < 0.1 * words.sizes[base]
    if not level or not -0.3 < gap < 0.15:
        return []
    text = words.texts[other]
    if style & Style.GLUED or not text[0].isalnum():
        return [Raised(other, text, Style.GLUED, float(words.baselines[other]))]
    return []
