"""Whether the text layer of a page can be trusted, judged by its characters alone.

A page found garbled shows nothing until OCR has read it, so each sign must be plain.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from src.loader.pdf.glyphs import Glyphs

GARBLED = "The fonts of the page do not say which characters they show, so its text layer is garbled."

_UNMAPPED_SHARE = 0.2
_LEAST_UNMAPPED = 12
_LEAST = 80
_MIXED_SHARE = 0.2
_LETTERS = 14  # a text has at least so many different ones
_FEW_VOWELS = 0.17
_MANY_VOWELS = 0.68

# Script classes by first code point: 0 none, 1 Latin, 2 Greek and Cyrillic, 3 Hebrew and Arabic, 4 South Asian,
# 5 Chinese, Japanese and Korean
_STARTS = np.array([0, 0x41, 0x5B, 0x61, 0x7B, 0xC0, 0x250, 0x370, 0x530, 0x590, 0x900, 0x1100, 0x1200, 0x1E00, 0x2000,
                    0x2E80, 0xD7B0, 0xF900, 0xFB00, 0xFB1D, 0xFE00, 0xFE70, 0xFF00])  # fmt: skip
_CLASSES = np.array([0, 1, 0, 1, 0, 1, 0, 2, 0, 3, 4, 5, 0, 1, 0, 5, 0, 5, 0, 3, 0, 3, 0])
_CLASS_OF = _CLASSES[np.searchsorted(_STARTS, np.arange(0x10000), side="right") - 1]
_IS_VOWEL = np.zeros(0x250, np.bool_)
_IS_VOWEL[[ord(c) for c in "aeiouyAEIOUYäöüÄÖÜéèêëáàâãåæøóòôõíìîïúùûıąęěůőűăā"]] = True
_HANGUL = np.array(
    [
        ord(c)
        for c in "이다는의을에가를은고하지로한도기사리나시자서어아있정대인수제장부전주보일과해성스구조원라및적"
    ]
)
_HAN = np.array(
    [
        ord(c)
        for c in "的一是不了在人有我他这這为為之大来來以个個中上们們到说說国國和地也子时時出而要于於就下得可年生自会會后後能对對"
        "事其里所去行过過家十用发發方成者多日三小二无無同经經法当當与與学學进進种種将將分此前面定主公从從月本社员員業业株式部第"
        "資资産产金额額元万百千及期度报告報股份有限司市场場四五六七八九"
    ]
)


def garbled(glyphs: Glyphs) -> str:
    """One sentence why the text layer is not to be trusted, "" when it is."""
    total = len(glyphs.codes) + glyphs.unmapped
    if glyphs.unmapped >= _LEAST_UNMAPPED and glyphs.unmapped > _UNMAPPED_SHARE * total:
        return GARBLED
    if len(glyphs.codes) < _LEAST:
        return ""
    codes = glyphs.codes.astype(np.int64)
    classes = _CLASS_OF[np.minimum(codes, 0xFFFF)]
    return GARBLED if _mixed(glyphs, classes) or _rare(codes, classes) or _no_language(codes, classes) else ""


def _mixed(glyphs: Glyphs, classes: npt.NDArray[np.int64]) -> bool:
    """Letters of unrelated scripts inside words."""
    inside = ~glyphs.spaced[1:] & (classes[1:] > 0) & (classes[:-1] > 0)
    pairs = int(inside.sum())
    changes = int((inside & (classes[1:] != classes[:-1])).sum())
    return pairs >= _LEAST and changes > _MIXED_SHARE * pairs


def _rare(codes: npt.NDArray[np.int64], classes: npt.NDArray[np.int64]) -> bool:
    """Korean or Chinese without any of the characters that every text is full of."""
    hangul = codes[(codes >= 0xAC00) & (codes < 0xD7B0)]
    if len(hangul) >= _LEAST and float(np.isin(hangul, _HANGUL).mean()) < 0.06:
        return True
    kana = ((codes >= 0x3040) & (codes < 0x3100)).sum()
    han = codes[(codes >= 0x3400) & (codes < 0xA000)]
    return len(han) >= 2 * _LEAST and kana < 0.02 * len(han) and float(np.isin(han, _HAN).mean()) < 0.04


def _no_language(codes: npt.NDArray[np.int64], classes: npt.NDArray[np.int64]) -> bool:
    """Latin letters with hardly any vowels, or hardly anything else."""
    latin = codes[classes == 1]
    if len(latin) < 3 * _LEAST or len(latin) < 0.6 * len(codes):
        return False
    if np.count_nonzero(np.bincount(latin)) < _LETTERS:
        return False
    share = float(_IS_VOWEL[np.minimum(latin, len(_IS_VOWEL) - 1)].mean())
    return share < _FEW_VOWELS or share > _MANY_VOWELS
