"""Characters of Symbol fonts: PDFium gives their codes in the private area, though each has a known meaning."""

from __future__ import annotations

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


def is_symbol_font(name: str) -> bool:
    """Whether a font of this name is set in the Symbol encoding."""
    plain = name.lower().partition("+")[2] or name.lower()
    return plain.startswith(("symbol", "standardsymbol"))


def symbol_codes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """``codes`` of a Symbol font with the private ones (U+F020 to U+F0FF) as the characters that they show."""
    private = (codes >= _PRIVATE + _FIRST) & (codes < _PRIVATE + 0x100)
    shown = _CODES[np.where(private, codes - _PRIVATE, 0)]
    return np.where(private & (shown > 0), shown, codes).astype(np.uint32)
