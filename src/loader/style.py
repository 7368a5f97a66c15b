"""Style bits of a word."""

from __future__ import annotations

from typing import Final


class Style:
    """How a word is set, where it comes from, and why a reader may not see it. Plain integers: an enum's operators
    cost a microsecond each, and a page asks thousands of times."""

    BOLD: Final = 1
    ITALIC: Final = 2
    MONO: Final = 4
    RAISED: Final = 8  # a superscript or subscript beside larger text of the same line
    OCR: Final = 16
    RTL: Final = 32
    UNMAPPED: Final = 64  # the font has no map from glyphs to characters
    GLUED: Final = 128  # belongs to the word before it, no space between (a subscript, an exponent)
    HIDDEN: Final = 256  # cannot be seen on the page: never body text
    STRUCK: Final = 512  # struck out
    VERTICAL: Final = 1024  # set top to bottom, as Chinese and Japanese may be
    FIELD: Final = 2048  # the value of a form field
    OCR_LAYER: Final = (
        4096  # invisible text over a picture: the text of an earlier OCR, until a look at it says no
    )
    POWER: Final = 8192  # an exponent: stands after "^"
    SPACED: Final = 16384  # the PDF itself has white space before the word
    WIDE: Final = 32768  # its letters are set wide apart
    UNDERLINED: Final = 65536
