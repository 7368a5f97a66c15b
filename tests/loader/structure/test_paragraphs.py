"""Where paragraphs begin: by indents and spaces, and in typescripts where every line is far from the next."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from src.records import BlockKind, Page
from tests.loader.pdfs import drawn
from tests.loader.reading import read_pages

TITLE = ("Notice of the harbour board", "Release 12")
FIRST = ("The board publishes this notice on the use of the old pier, which was", "closed in the spring of last year after two planks had been found broken", "and a third one loose by the night watch.")  # fmt: skip
SECOND = ("Boats of more than nine metres may not lie at the pier until the beams", "have been seen by an engineer, and no boat may lie there over night in", "the months of winter, whatever its length.")  # fmt: skip


def typed(leading: float) -> Page:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Times-Roman", 12)
        y = 760.0
        for line in TITLE:
            canvas.drawString(72, y, line)
            y -= leading
        for lines in (FIRST, SECOND):
            for place, line in enumerate(lines):
                canvas.drawString(72 + 36 * (place == 0), y, line)
                y -= leading

    return read_pages(drawn(draw))[0]


def paragraphs(page: Page) -> list[str]:
    return [
        page.text[b.start : b.end] for b in page.blocks if b.kind in (BlockKind.PARAGRAPH, BlockKind.HEADING)
    ]


def test_lines_of_a_double_spaced_typescript_are_one_paragraph() -> None:
    assert paragraphs(typed(27.6)) == [*TITLE, " ".join(FIRST), " ".join(SECOND)]


def test_the_same_page_in_single_spacing() -> None:
    assert paragraphs(typed(13.8))[-2:] == [" ".join(FIRST), " ".join(SECOND)]


@pytest.mark.parametrize(
    "lines",
    [
        ("Descaling", "Descale the machine every two months, or when the red lamp blinks. It takes half an hour."),
        ("Lead engineer of the pump works, who builds the pipelines of the sensors and leads", "a team of five.", "2017 - 2021 Engineer at the ferry lines", "since 2021 to today Lead engineer"),
    ],
    ids=["heading", "periods"],
)  # fmt: skip
def test_plain_headings_and_entries_of_a_period_begin_paragraphs(lines: tuple[str, ...]) -> None:
    def draw(canvas: Canvas) -> None:
        for place, line in enumerate(lines):
            canvas.drawString(72, 760 - 15 * place, line)

    first = 1 if len(lines) == 2 else 2
    assert paragraphs(read_pages(drawn(draw))[0]) == [" ".join(lines[:first]), *lines[first:]]


def test_short_lines_with_a_label_are_lines_of_their_own() -> None:
    lines = ("Date: 23 January 2025, in the Linden Room", "Present: the chair, the treasurer, ten members", "The chair opened the meeting at half past seven and read the letter of the")  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for place, line in enumerate(lines):
            canvas.drawString(72, 760 - 15 * place, line)

    assert paragraphs(read_pages(drawn(draw))[0])[:2] == [lines[0], " ".join(lines[1:])]


def beneath(lines: Sequence[str]) -> Page:
    def draw(canvas: Canvas) -> None:
        for place, line in enumerate(lines):
            canvas.drawString(72, 760 - 13 * place, line)

    return read_pages(drawn(draw))[0]


def test_quantities_one_under_the_other_are_entries_of_their_own() -> None:
    lines = (
        "2½ cups rye flour",
        "1½ cups wheat flour",
        "¾ cup warm milk",
        "2 tbsp treacle",
        "7 g dried yeast",
    )
    assert paragraphs(beneath(lines)) == list(lines)


def test_prose_whose_lines_happen_to_begin_with_figures_is_one_paragraph() -> None:
    lines = ("12 of the houses stand empty, and", "40 more are for sale, which leaves", "3 streets without a single light", "at night.")  # fmt: skip
    assert paragraphs(beneath(lines)) == [" ".join(lines)]
