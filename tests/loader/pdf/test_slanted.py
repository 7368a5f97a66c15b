"""Slanted letters, whose boxes reach over their neighbours': spaces beside them, and the second of two."""

from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.loader.pdfs import drawn
from tests.loader.reading import read_text

_FACES = ["Times-Italic", "Times-BoldItalic"]


def set_by_letter(text: str, face: str, *, twice: bool = False, tight: float = 1.0) -> bytes:
    """``text`` with a text object a letter and none for a space, as browsers print; ``twice`` paints each letter again
    a little to the right; the second of two equal letters stands ``tight`` advances from the first."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(face, 10)
        x = 60.0
        for letter, following in zip(text, text[1:] + " ", strict=True):
            if letter != " ":
                canvas.drawString(x, 700, letter)
                if twice:
                    canvas.drawString(x + 0.4, 700, letter)
            x += stringWidth(letter, face, 10) * (tight if letter == following else 1)

    return drawn(draw)


@pytest.mark.parametrize("face", _FACES)
@pytest.mark.parametrize(
    "text", ["Chief Executive Officer", "these offices could suffer different effects", "a stiff cuff"]
)
def test_the_second_of_two_letters_that_overlap_is_kept(text: str, face: str) -> None:
    """PDFium takes it for a second stroke and drops it."""
    assert read_text(set_by_letter(text, face, tight=0.75)) == text


@pytest.mark.parametrize("face", _FACES)
def test_a_letter_painted_twice_is_one(face: str) -> None:
    assert (
        read_text(set_by_letter("The chief of all offices", face, twice=True)) == "The chief of all offices"
    )


@pytest.mark.parametrize("face", _FACES)
@pytest.mark.parametrize(
    "text",
    [
        "identify forward units of products",
        "a substantial portion of just",
        "the full field if fit",
        "of $2,140 held for",
    ],
)
def test_a_space_under_slanted_letters_is_seen(text: str, face: str) -> None:
    assert read_text(set_by_letter(text, face)) == text


def test_air_behind_a_slanted_letter_of_a_formula_is_no_space() -> None:
    def draw(canvas: Canvas) -> None:
        x = 60.0
        for letter, face, air in (("f", "Times-Italic", 2.2), (")", "Times-Roman", 0)):
            canvas.setFont(face, 10)
            canvas.drawString(x, 700, letter)
            x += stringWidth(letter, face, 10) + air

    assert read_text(drawn(draw)) == "f)"
