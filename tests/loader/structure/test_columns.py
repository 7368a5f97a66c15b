from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from src.loader import load
from src.records import BlockKind, Page
from src.settings import Settings
from tests.loader.pdfs import drawn
from tests.loader.reading import read_pages

LEFT = ("The rig was set up in the old boiler hall", "and filled on the first Monday of the month.",
        "Two seals were fitted, one of felt and one", "of cork, and the run with the felt seal was")  # fmt: skip
RIGHT = ("ended after 212 hours, when a drip was seen", "at the collar of the pump by the night crew.",
         "The spare rig stood dry and was kept in the", "store until the end of the year for parts.")  # fmt: skip


def column(canvas: Canvas, x: float, y: float, lines: Sequence[str], leading: float = 13) -> None:
    for place, line in enumerate(lines):
        canvas.drawString(x, y - leading * place, line)


def kinds(page: Page, kind: BlockKind) -> list[str]:
    return [page.text[b.start : b.end] for b in page.blocks if b.kind is kind]


def test_two_columns_are_read_one_after_the_other() -> None:
    def draw(canvas: Canvas) -> None:
        for left, right, place in zip(LEFT, RIGHT, range(4), strict=True):  # drawn row by row
            canvas.drawString(60, 700 - 13 * place, left)
            canvas.drawString(310, 700 - 13 * place, right)

    text = read_pages(drawn(draw))[0].text
    assert " ".join((*LEFT, *RIGHT)) in text.replace("\n\n", " ")


def test_three_columns_and_a_title_over_them() -> None:
    parts = [("Alpha lines are set in", "the first of the columns", "of this page and end."),
             ("Beta lines are set in", "the middle column of it", "and they end as well."),
             ("Gamma lines are set in", "the last of the columns", "and close the page now.")]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(60, 760, "A title that runs over all three of the columns below")
        canvas.setFont("Helvetica", 10)
        for place, part in enumerate(parts):
            column(canvas, 60 + 165 * place, 720, part)

    page = read_pages(drawn(draw))[0]
    assert kinds(page, BlockKind.HEADING) == ["A title that runs over all three of the columns below"]
    starts = [
        page.text.index(word) for word in ("A title", "Alpha", "page and end", "Beta", "end as well", "Gamma")
    ]
    assert starts == sorted(starts)


def test_a_table_between_two_columns_is_read_across() -> None:
    rows = (("Seal", "Hours", "Loss", "Torque"), ("Felt", "212", "18", "41"), ("Cork", "597", "6", "38"))

    def draw(canvas: Canvas) -> None:
        column(canvas, 60, 700, LEFT)
        column(canvas, 310, 700, RIGHT)
        for place, row in enumerate(rows):
            for cell, text in enumerate(row):
                canvas.drawString(70 + 125 * cell, 610 - 16 * place, text)
        column(canvas, 60, 540, LEFT)
        column(canvas, 310, 540, RIGHT)

    page = read_pages(drawn(draw))[0]
    assert kinds(page, BlockKind.TABLE) == ["\n".join("\t".join(row) for row in rows)]
    assert page.text.index("store until") < page.text.index("Felt\t212") < page.text.rindex("The rig was")


def test_cells_of_a_borderless_table_stay_in_their_rows() -> None:
    rows = (("Norvik", "12 480", "7 315", "1 004 220"), ("Tarn", "940", "11 205", "86 700"))
    edges = (60, 240, 300, 362)

    def draw(canvas: Canvas) -> None:
        for place, row in enumerate(rows):
            canvas.drawString(60, 700 - 15 * place, row[0])
            for text, edge in zip(row[1:], edges[1:], strict=True):
                canvas.drawRightString(edge, 700 - 15 * place, text)

    page = read_pages(drawn(draw))[0]
    assert page.text == "\n".join("\t".join(row) for row in rows)


def test_currency_signs_stay_with_their_numbers() -> None:
    def draw(canvas: Canvas) -> None:
        for place, (label, first, second) in enumerate(
            (("Domestic", "2,206", "2,210"), ("Abroad", "411", "593"))
        ):
            canvas.drawString(60, 700 - 15 * place, label)
            canvas.drawString(250, 700 - 15 * place, "$")
            canvas.drawRightString(300, 700 - 15 * place, first)
            canvas.drawString(312, 700 - 15 * place, "$")
            canvas.drawRightString(370, 700 - 15 * place, second)

    assert read_pages(drawn(draw))[0].text == "Domestic\t$ 2,206\t$ 2,210\nAbroad\t$ 411\t$ 593"


def test_running_lines_and_page_numbers_are_margins_and_give_labels() -> None:
    def draw(number: int) -> object:
        def on(canvas: Canvas) -> None:
            canvas.drawString(60, 800, "Reservoir rules 2024, limit of copies 50")
            column(
                canvas,
                60,
                740,
                (f"Page text number {number} says that the gate is", "opened at dawn by the crew."),
            )
            canvas.drawString(290, 40, str(number + 6))

        return on

    pages = read_pages(drawn(*[draw(n) for n in range(1, 5)]))  # type: ignore[arg-type]
    assert [page.label for page in pages] == ["7", "8", "9", "10"]
    assert kinds(pages[1], BlockKind.MARGIN) == ["Reservoir rules 2024, limit of copies 50", "8"]
    assert kinds(pages[1], BlockKind.PARAGRAPH) == [
        "Page text number 2 says that the gate is opened at dawn by the crew."
    ]


def test_footnotes_come_after_the_text() -> None:
    def draw(canvas: Canvas) -> None:
        column(canvas, 60, 400, LEFT)
        canvas.line(60, 120, 150, 120)
        canvas.setFont("Helvetica", 5)
        canvas.drawString(60, 112, "1")
        canvas.setFont("Helvetica", 8)
        canvas.drawString(64, 109, "Measured between portals.")

    page = read_pages(drawn(draw))[0]
    assert kinds(page, BlockKind.FOOTNOTE) == ["¹ Measured between portals."]
    assert page.blocks[-1].kind is BlockKind.FOOTNOTE


def test_table_of_contents_without_its_dots() -> None:
    def draw(canvas: Canvas) -> None:
        for place, name in enumerate(("Pontoons", "Gangways", "Fender chains")):
            canvas.drawString(60, 700 - 15 * place, name)
            canvas.drawString(150, 700 - 15 * place, "." * 90)
            canvas.drawString(420, 700 - 15 * place, str(place + 1))

    assert read_pages(drawn(draw))[0].text == "Pontoons\t1\nGangways\t2\nFender chains\t3"


def test_each_page_knows_its_language_and_short_ones_take_the_documents() -> None:
    def english(canvas: Canvas) -> None:
        column(canvas, 60, 700, (*LEFT, *RIGHT))

    def german(canvas: Canvas) -> None:
        column(
            canvas,
            60,
            700,
            ("Die Pumpe wurde im Herbst repariert und ist seit", "dem Ende des Monats auch in Betrieb."),
        )

    def short(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "Annex 4")

    pages = read_pages(drawn(english, english, german, short))
    assert [page.language for page in pages] == ["en", "en", "de", "en"]


@pytest.mark.parametrize("left", [60, 500])
@pytest.mark.parametrize("step", [10, 13], ids=["own leading", "on the text's lines"])
def test_notes_in_the_margin_stand_apart(left: float, step: float) -> None:
    body = [
        "The committee met on three occasions in the course of",
        "the year and considered the reports of the auditors, who",
        "found no reason to object to the accounts as presented.",
        "It was decided to ask for a further opinion on the way in",
        "which the reserves had been valued, and a letter to that",
        "effect was sent to the actuary in the month of October.",
    ]

    def draw(canvas: Canvas) -> None:
        for place, line in enumerate(body):
            canvas.drawString(180, 768 - 13 * place, line)
        canvas.setFont("Helvetica", 8)
        for place, line in enumerate(("Opinion of", "the actuary")):
            canvas.drawString(left, 768 - 39 - step * place, line)

    page = read_pages(drawn(draw))[0]
    assert sorted(page.text.split("\n\n")) == ["Opinion of the actuary", " ".join(body)]
    kinds = {page.text[b.start : b.end]: b.kind for b in page.blocks}
    assert kinds["Opinion of the actuary"] is BlockKind.SIDENOTE
    assert kinds[" ".join(body)] is BlockKind.PARAGRAPH


def test_a_table_in_one_column_keeps_the_columns_apart() -> None:
    left = [f"This is line {n} of the left column, which runs on" for n in range(1, 31)]
    right = [f"This is line {n} of the right one, which runs on" for n in range(1, 21)]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 9)
        for place, line in enumerate(left):
            canvas.drawString(60, 768 - 12 * place, line)
        for place, line in enumerate(right):
            canvas.drawString(310, 768 - 12 * (place + (10 if place >= 8 else 0)), line)
        for row, cells in enumerate(
            (("Year", "Sales", "Costs"), *((f"20{n}", f"{n}.4", f"{n}.1") for n in range(10, 16)))
        ):
            for column, cell in enumerate(cells):
                canvas.drawString(330 + 60 * column, 768 - 12 * (9 + row), cell)

    data = drawn(draw)
    page = list(load(data, "x.pdf", Settings(ocr="off")))[-1].pages[0]
    assert page.tables
    assert page.text.index("line 30 of the left") < page.text.index("line 1 of the right")
    assert (
        page.text.index("line 8 of the right")
        < page.text.index("Sales")
        < page.text.index("line 9 of the right")
    )


@pytest.mark.parametrize("count", [2, 3])
def test_narrow_columns_on_the_same_lines_are_no_table(count: int) -> None:
    prose = (
        "The society has three hundred and twelve members, of whom forty pay a reduced fee. New members pay an entry"
        " fee of 25 crowns. The yearly fee is 60 crowns, due by the end of February. Late fees are charged from April:"
        " five crowns for each month. Honorary members pay nothing. The board meets on the first Tuesday."
    )
    lines = simpleSplit(prose, "Helvetica", 10, 90)
    size = -(-len(lines) // count)

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for place in range(count):
            column(canvas, 60 + 150 * place, 700, lines[size * place : size * (place + 1)])

    page = read_pages(drawn(draw))[0]
    assert page.text.replace("\n\n", " ") == prose
