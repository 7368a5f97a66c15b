"""Which of PDFium's own guesses of a space are right.

The boxes of letters that lean over their neighbours (an italic f) hide the space beside them; how far a letter really
reaches is its advance. PDFium gives the advance away: a space that it makes up stands at the end of the letter before.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from src.loader.pdf import pdfium
from src.loader.pdf.pdfium import PageSource
from src.records import FloatArray

BoolArray = npt.NDArray[np.bool_]

_LEAST_SPACE = (
    0.16  # of the size; the narrowest spaces of 115,000 measured have 0.2, letters at their place 0.01
)
_LEAST_HIDDEN = 0.08  # of the size: how much of it lies under the letters beside it
_BEFORE_NUMBERS = "$\N{EURO SIGN}\N{POUND SIGN}"
_NARROWEST, _WIDEST = (
    -0.5,
    0.2,
)  # of the height: gaps between boxes that leave the matter open; wider ones part words
_IS_LEANING = np.zeros(128, np.bool_)
_IS_LEANING[[ord(c) for c in "frvwyFTVWYP.,;:"]] = True


def parted(
    source: PageSource,
    kept: npt.NDArray[np.int64],
    codes: npt.NDArray[np.uint32],
    boxes: FloatArray,
    guessed: BoolArray,
) -> BoolArray:
    """For the ``guessed`` (n - 1,) spaces behind the characters ``kept`` (n,) of the text page, with their ``codes`` and
    ``boxes``: whether a space is there that is narrower than the tolerance for gaps."""
    height = np.maximum(boxes[:-1, 3] - boxes[:-1, 1], 0.1)
    gap = (boxes[1:, 0] - boxes[:-1, 2]) / height
    hang: BoolArray = _IS_LEANING[np.minimum(codes[:-1], 127)] & (gap > 0.075) & (gap < 0.2)
    level = np.abs(boxes[1:, 3] - boxes[:-1, 3]) < 0.3 * height
    alone = kept[1:] - kept[:-1] == 2
    alone[1:] &= kept[1:-1] != kept[:-2]  # a letter that was put back has no advance of its own
    asked = np.flatnonzero(guessed & ~hang & alone & level & (gap > _NARROWEST) & (gap < _WIDEST))
    asked = asked[_between_words(codes, asked)]
    if len(asked) and not source.rotation:
        hang[asked] = _true_spaces(source, kept[asked], gap[asked] * height[asked])
    return hang


def _between_words(codes: npt.NDArray[np.uint32], places: npt.NDArray[np.int64]) -> BoolArray:
    """Whether a letter or digit stands on both sides: behind a slanted letter of a formula, V(x), there is air too."""
    sides = zip(codes[places].tolist(), codes[places + 1].tolist(), strict=True)
    words = [chr(a).isalnum() and (chr(b).isalnum() or chr(b) in _BEFORE_NUMBERS) for a, b in sides]
    return np.array(words, np.bool_)


def _true_spaces(source: PageSource, index: npt.NDArray[np.int64], seen: FloatArray) -> BoolArray:
    """Whether the gap behind each of the characters ``index`` (m,), which a made-up space follows, is a space of which
    only ``seen`` points (m,) lie free. It is not known in text that is not level or inside one text object."""
    m = len(index)
    origins = pdfium.origins(source, np.concatenate([index, index + 1, index + 2]))
    own, space, following = origins[:m], origins[m : 2 * m], origins[2 * m :]
    matrices, sizes = pdfium.text_matrices(source, index.tolist())
    scale = np.abs(matrices[:, 0])
    points = np.maximum(np.abs(sizes) * scale, 0.1)
    gaps = following[:, 0] - own[:, 0] - (space[:, 0] - own[:, 0]) * scale
    level = (np.abs(matrices[:, 1]) < 1e-3) & (np.abs(following[:, 1] - own[:, 1]) < 0.02 * points)
    spaces: BoolArray = level & (gaps > _LEAST_SPACE * points) & (gaps - seen > _LEAST_HIDDEN * points)
    return spaces
