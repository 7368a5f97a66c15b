"""Names over their values in a grid: each name and its value are one row."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reportlab.pdfgen.canvas import Canvas

from src.loader import load
from src.settings import Settings
from tests.loader.pdfs import drawn

GROUPS = (
    (("Sender", "Recipient", "Carrier"), ("Brann Glass", "Tessa Rooms", "Wend Haulage"), ("14 Kiln Lane", "9 Dock Road", "7 Mill Street")),
    (("Collected", "Due", "Delivered"), ("6 May, 07:40", "8 May, 16:00", "9 May, 10:25")),
    (("Gross weight", "Tare weight", "Net weight"), ("1,184", "206", "978")),
)  # fmt: skip
FIELDS = [
    ["Sender", "Brann Glass 14 Kiln Lane"],
    ["Recipient", "Tessa Rooms 9 Dock Road"],
    ["Carrier", "Wend Haulage 7 Mill Street"],
    ["Collected", "6 May, 07:40"],
    ["Due", "8 May, 16:00"],
    ["Delivered", "9 May, 10:25"],
    ["Gross weight", "1,184"],
    ["Tare weight", "206"],
    ["Net weight", "978"],
]


def read(
    groups: Sequence[Sequence[Sequence[str]]], names: tuple[str, float], values: tuple[str, float]
) -> list[list[list[str]]]:
    """The cells of the tables of a page of ``groups``, a row of names and rows of values each; fonts with sizes."""

    def draw(canvas: Canvas) -> None:
        y = 760.0
        for group in groups:
            for place, row in enumerate(group):
                canvas.setFont(*(values if place else names))
                for column, text in enumerate(row):
                    canvas.drawString(72 + 160 * column, y, text)
                y -= 14
            y -= 8

    (page,) = list(load(drawn(draw), "note.pdf", Settings(ocr="off")))[-1].pages
    return [[[page.text[c.start : c.end] for c in row.cells] for row in t.rows] for t in page.tables]


@pytest.mark.parametrize(
    ("names", "values"),
    [
        (("Helvetica", 8), ("Helvetica", 10.5)),
        (("Helvetica-Bold", 10), ("Helvetica", 10)),
        (("Helvetica", 10), ("Helvetica-Bold", 10)),
    ],
    ids=["small names", "bold names", "bold values"],
)
def test_names_over_their_values_are_fields(names: tuple[str, float], values: tuple[str, float]) -> None:
    assert read(GROUPS, names, values) == [FIELDS]


def test_a_table_that_is_headed_anew_keeps_its_header() -> None:
    half = (
        ("Region", "2022", "2023"),
        ("North", "1,204", "1,310"),
        ("South", "904", "871"),
        ("West", "77", "90"),
    )
    tables = read((half, half), ("Helvetica-Bold", 10), ("Helvetica", 10))
    assert ["North", "1,204", "1,310"] in [row for table in tables for row in table]
