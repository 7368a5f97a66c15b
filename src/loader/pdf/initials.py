"""Drop capitals: a large first letter beside the first lines of its paragraph, brought back to its word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from src.loader.pdf.raised import LARGER, Words

_MOST = 2  # characters, a quotation mark among them
_REACH = 1.2  # font sizes of the text, between the initial and the lines beside it
_TOUCHING = 0.3  # font sizes: the word goes on
_WORDS = ("A", "I")  # letters that are words: what follows must stand very close to belong to them
_TOUCHING_WORD = 0.12


@dataclass(frozen=True, slots=True)
class Initial:
    """The large letter ``place``, the word ``first`` behind it on the first line, and whether both are one word."""

    place: int
    first: int
    joined: bool


def find_initials(words: Words) -> list[Initial]:
    """Drop capitals among upright words: two lines or more begin beside the letter, the first near its top."""
    sizes = words.sizes
    usual = float(np.median(sizes)) if len(sizes) else 0.0
    large = np.flatnonzero(sizes >= LARGER * usual)
    found = []
    for place in large.tolist():
        text = words.texts[place]
        if len(text) <= _MOST and text[-1].isalpha() and (first := _first_beside(words, place)) is not None:
            gap = float(words.boxes[first, 0] - words.boxes[place, 2]) / float(sizes[first])
            limit = _TOUCHING_WORD if text in _WORDS and not words.texts[first][:1].isupper() else _TOUCHING
            joined = gap < limit and not words.spaced[first] and words.texts[first][0].isalpha()
            found.append(Initial(place, first, joined))
    return found


def _first_beside(words: Words, place: int) -> int | None:
    """The first word of the uppermost line beside the letter, None where fewer than two lines begin there."""
    box, baseline = words.boxes[place], words.baselines[place]
    smaller = words.sizes * LARGER <= words.sizes[place]
    gap = (words.boxes[:, 0] - box[2]) / np.maximum(words.sizes, 1)
    # the letter stands on one of the lines beside it and reaches up to the first
    over = baseline - words.baselines
    beside = smaller & (gap > -0.5) & (gap < _REACH) & (over > -0.3 * words.sizes)
    beside &= over < words.sizes[place]
    starts = np.flatnonzero(beside & _begins_line(words))
    if len(starts) < 2 or np.abs(over[starts]).min() > 0.3 * float(words.sizes[starts[0]]):
        return None
    if np.ptp(words.baselines[starts]) < 0.8 * float(words.sizes[starts[0]]):
        return None
    return int(starts[np.argmin(words.baselines[starts])])


def _begins_line(words: Words) -> npt.NDArray[np.bool_]:
    """Words with none on their line right before them in the stream."""
    begins = np.ones(len(words.texts), np.bool_)
    level = np.abs(np.diff(words.baselines)) < 0.2 * words.sizes[1:]
    begins[1:] = ~(level & (np.diff(words.boxes[:, 0]) > 0))
    return begins
