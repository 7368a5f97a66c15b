"""Where words begin: gaps between characters, and letters set wide apart."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]

_RESIZED = 0.85  # a character that much smaller than its neighbour is a piece of its own
_WIDE_LETTERS = 4  # so many single letters in a row may be one word set wide
_WIDE_GAP = 1.05  # of the size: wider gaps part columns, not letters


def word_breaks(
    boxes: FloatArray, spaced: BoolArray, tied: BoolArray, size: FloatArray, x_tolerance: float
) -> BoolArray:
    """Where a word begins, for characters in the reading frame. ``size`` (n,) is each one's font size; ``tied``
    glyphs belong to the one before them whatever their boxes say."""
    broken = spaced.copy()
    if len(boxes) < 2:
        broken[:1] = True
        return broken
    x0, y0, x1, y1 = boxes.T
    pair = np.minimum(size[1:], size[:-1])
    gap = x0[1:] - x1[:-1]
    back = x0[:-1] - x1[1:]  # the gap when text runs to the left
    shared = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    height = y1 - y0
    middle = (y0 + y1) / 2
    # boxes of some fonts hold the ink alone: a quotation mark and a comma then share no height
    off_line = (shared < 0.3 * np.minimum(height, size)[1:]) & (np.abs(np.diff(middle)) > 0.45 * pair)
    tolerance = x_tolerance * pair / 10
    stepped_back = (gap < -0.6 * pair - tolerance) & ((back > tolerance) | (back < -0.6 * pair - tolerance))
    apart = (gap > tolerance) | stepped_back | off_line
    ratio = size[1:] / np.maximum(size[:-1], 0.01)
    broken[1:] |= apart | (ratio < _RESIZED) | (ratio > 1 / _RESIZED)
    broken &= ~tied
    broken[0] = True
    return _wide_letters_joined(boxes, spaced, size, broken)


def _wide_letters_joined(
    boxes: FloatArray, spaced: BoolArray, size: FloatArray, broken: BoolArray
) -> BoolArray:
    """``broken`` without the breaks between letters that are set wide apart (S T O R E   H A L L)."""
    single = broken & np.append(broken[1:], True)
    if single.sum() < _WIDE_LETTERS:
        return broken
    gap = np.full(len(boxes), np.inf, np.float32)
    gap[1:] = (boxes[1:, 0] - boxes[:-1, 2]) / np.maximum(size[1:], 0.1)
    level = np.zeros(len(boxes), np.bool_)
    level[1:] = np.abs(boxes[1:, 3] - boxes[:-1, 3]) < 0.15 * size[1:]
    linked = level & (gap > -0.2) & (gap < 3 * _WIDE_GAP) & broken
    joined = broken.copy()
    for first, last in _stretches(single, linked):
        gaps, blanks = gap[first + 1 : last], spaced[first + 1 : last]
        usual = float(np.median(gaps))
        wide = gaps > 1.45 * usual + 0.05
        even = float(np.ptp(gaps[~wide])) < 0.6 * usual + 0.08 if (~wide).any() else False
        typed = blanks.mean() > 0.6  # the spaces are typed: only a wider gap then tells a word's end
        if (
            not even
            or usual > _WIDE_GAP
            or (typed and not wide.any())
            or (typed and (~wide).sum() < _WIDE_LETTERS)
        ):
            continue
        joined[first + 1 : last] = wide if typed else wide | blanks
    return joined


def _stretches(single: BoolArray, linked: BoolArray) -> list[tuple[int, int]]:
    """[first, last) of glyphs that are words of one character each, one beside the other."""
    inside = single & np.append(linked[1:] & single[1:], False)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
    return [
        (int(a), int(b) + 1)
        for a, b in zip(edges[::2], edges[1::2], strict=True)
        if b + 1 - a >= _WIDE_LETTERS
    ]
