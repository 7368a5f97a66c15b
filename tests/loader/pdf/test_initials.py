from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from src.records import BlockKind
from tests.loader.pdfs import drawn
from tests.loader.reading import read_pages

REST = (
    "there was a miller who had three sons, a mill, a",
    "donkey and a cat. The sons had to grind, the donkey had to",
    "fetch the corn and carry the flour away, and the cat had to",
    "catch the mice. When the miller died the three sons shared",
    "the inheritance among themselves.",
)


@pytest.mark.parametrize(
    ("initial", "word", "gap", "lines", "text"),
    [
        ("O", "nce", 1.0, 2, "Once"),
        ("T", "HEN", 1.5, 3, "THEN"),
        ("O", "nce", 3.0, 2, "Once"),
        ("A", "lthough", 1.0, 2, "Although"),
        ("A", "miller", 4.0, 2, "A miller"),
    ],
)
def test_a_drop_capital_belongs_to_its_first_word(
    initial: str, word: str, gap: float, lines: int, text: str
) -> None:
    def draw(canvas: Canvas) -> None:
        size = 14.0 * lines + 3
        canvas.setFont("Times-Roman", size)
        canvas.drawString(60, 768 - 14 * (lines - 1), initial)
        left = 60 + canvas.stringWidth(initial, "Times-Roman", size) + gap
        canvas.setFont("Times-Roman", 11)
        for place, line in enumerate((f"{word} {REST[0]}", *REST[1:])):
            canvas.drawString(left if place < lines else 60, 768 - 14 * place, line)

    page = read_pages(drawn(draw))[0]
    assert page.text == " ".join((f"{text} {REST[0]}", *REST[1:]))
    assert [block.kind for block in page.blocks] == [BlockKind.PARAGRAPH]


def test_a_large_letter_over_a_list_is_a_heading() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 24)
        canvas.drawString(60, 780, "A")
        canvas.setFont("Helvetica", 10)
        for place, line in enumerate(("Abacus, 12", "Abbey, 40", "Abbot, 41")):
            canvas.drawString(60, 760 - 13 * place, line)

    assert read_pages(drawn(draw))[0].text.startswith("A\n\nAbacus, 12")
