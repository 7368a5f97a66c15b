"""Characters of Symbol fonts and Wingdings: PDFium gives their codes in the private area, or the letter that other fonts
have in that place, though each has a known meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

# Adobe's Symbol encoding; "\0" where it has none or only a part of a bracket
_FIRST = 0x20
_SYMBOL = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\0αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
    + "\0" * 33
    + "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…\0\0\0ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
)
_PRIVATE = 0xF000
_CODES = np.zeros(256, np.uint32)
_CODES[_FIRST : _FIRST + len(_SYMBOL)] = [ord(character) for character in _SYMBOL]

# What Word's own fonts of signs show, tick boxes above all: without it a ticked box reads as "þ"
_WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x45: "☜", 0x46: "☞", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6E: "■", 0x6F: "☐",
    0x70: "☐", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖", 0x77: "◆", 0x78: "☒", 0x9F: "•", 0xA1: "○", 0xA7: "▪",
    0xA8: "☐", 0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐"}
_IS_LETTER = np.zeros(257, np.bool_)  # the last place stands for all codes behind
_IS_LETTER[sorted({*_WINGDINGS, *_WINGDINGS_2})] = True
_ALWAYS = 0xA1  # from here on a sign may stand right before its text


def may_be_signs(codes: npt.NDArray[np.uint32], alone: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of ``codes`` may be signs of such a font: private ones, and letters that stand ``alone`` (n,) or that few
    texts are full of. Asking every letter for its font would cost more than reading it."""
    private = (codes >= _PRIVATE + _FIRST) & (codes < _PRIVATE + 0x100)
    maybe: npt.NDArray[np.bool_] = private | (
        _IS_LETTER[np.minimum(codes, 256)] & (alone | (codes >= _ALWAYS))
    )
    return maybe


def shown_signs(codes: npt.NDArray[np.uint32], names: Sequence[str]) -> npt.NDArray[np.uint32]:
    """``codes`` as the characters they show in the fonts ``names``, one a code."""
    symbol = np.array([is_symbol_font(name) for name in names], np.bool_)
    shown = np.where(symbol, symbol_codes(codes), codes)
    for place, name in enumerate(names):
        signs = _signs_of(name)
        if signs:
            code = int(codes[place])
            code -= _PRIVATE if code >= _PRIVATE else 0
            shown[place] = ord(signs[code]) if code in signs else codes[place]
    return shown.astype(np.uint32)


def _signs_of(name: str) -> dict[int, str]:
    plain = (name.lower().partition("+")[2] or name.lower()).replace(" ", "").replace("-", "")
    if plain.startswith("wingdings2"):
        return _WINGDINGS_2
    return _WINGDINGS if plain.startswith("wingdings") and not plain.startswith("wingdings3") else {}


def is_symbol_font(name: str) -> bool:
    """Whether a font of this name is set in the Symbol encoding."""
    plain = name.lower().partition("+")[2] or name.lower()
    return plain.startswith(("symbol", "standardsymbol"))


def symbol_codes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """``codes`` of a Symbol font with the private ones (U+F020 to U+F0FF) as the characters that they show."""
    private = (codes >= _PRIVATE + _FIRST) & (codes < _PRIVATE + 0x100)
    shown = _CODES[np.where(private, codes - _PRIVATE, 0)]
    return np.where(private & (shown > 0), shown, codes).astype(np.uint32)
