"""Which way words are read: level, in quarter turns, tilted, or down the page as Chinese and Japanese may be set."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from src.loader.pdf import pdfium
from src.loader.pdf.glyphs import Glyphs
from src.loader.pdf.pdfium import PageSource
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int32]

_SLIGHT = 5  # degrees: less may be the scanner's, line by line, and counts only when most of the page has it
_STRAIGHT = 2
_NEAR = 2  # degrees between words of one tilt
_LEAST = 4  # characters of one tilt; fewer are letters along a curve
_UNSPACED = ((0x2E80, 0x3100), (0x31F0, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0xFF00, 0xFFF0))
_LEAST_DOWN = 4  # characters under each other that are a line


def settled_turns(turns: IntArray, weights: IntArray) -> IntArray:
    """``turns`` (whole degrees) brought to a few directions: quarter turns, and tilts that several words share.
    ``weights`` (n,) is the number of characters of each word."""
    quarters = (np.round(turns / 90).astype(np.int32) * 90) % 360
    off = np.abs((turns - quarters + 180) % 360 - 180)
    settled = quarters.copy()
    open_ = off >= _SLIGHT
    slight = (off >= _STRAIGHT) & ~open_
    if 2 * weights[slight].sum() > weights.sum():
        open_ |= off > 0
    while open_.any():
        counts = np.bincount(turns[open_], weights=weights[open_])
        turn = int(counts.argmax())
        near = open_ & (np.abs((turns - turn + 180) % 360 - 180) <= _NEAR)
        if weights[near].sum() >= _LEAST:
            settled[near] = turn
        open_ &= ~near
    return settled


def read_downwards(source: PageSource, glyphs: Glyphs, sizes: FloatArray, turns: IntArray) -> BoolArray:
    """Which glyphs stand in lines that run down the page; ``sizes`` and ``turns`` are those of each glyph."""
    down = np.zeros(len(glyphs.codes), np.bool_)
    unspaced = _are_unspaced(glyphs.codes) & (turns == 0)
    if np.count_nonzero(unspaced) < _LEAST_DOWN:
        return down
    top = glyphs.boxes[:, 1]
    step = np.diff(top)
    size = np.maximum(sizes[1:], 1)
    below = (step > 0.6 * size) & (step < 2.2 * size) & (turns[1:] == 0)
    if np.count_nonzero(below & unspaced[1:]) < _LEAST_DOWN - 1:
        return down
    x = pdfium.origins(source, glyphs.index)[:, 0]
    linked = below & (np.abs(np.diff(x)) < 0.3 * size)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], linked.astype(np.int8), [0]])))
    for first, last in zip(edges[::2], edges[1::2] + 1, strict=True):
        if last - first >= _LEAST_DOWN and unspaced[first:last].mean() > 0.6:
            down[first:last] = True
    return down


def _are_unspaced(codes: npt.NDArray[Any]) -> BoolArray:
    """Characters of Chinese and Japanese."""
    found = np.zeros(len(codes), np.bool_)
    for first, last in _UNSPACED:
        found |= (codes >= first) & (codes < last)
    return found
