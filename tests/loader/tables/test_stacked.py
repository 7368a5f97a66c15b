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

    return tables_of(drawn(draw))


def tables_of(data: bytes) -> list[list[list[str]]]:
    """The texts of the cells of each table of the one page of ``data``."""
    (page,) = list(load(data, "note.pdf", Settings(ocr="off")))[-1].pages
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


@pytest.mark.parametrize("beyond", [True, False], ids=["going on", "cut names"])
def test_lists_side_by_side_whose_lines_are_level_are_no_fields(beyond: bool) -> None:
    comma = "" if beyond else ","
    bold = [f"{name}{comma}" for name in ("Ron Feld", "Jamie Quill", "Becky Bare", "Nina Mant")]
    roles = ("Bank of Northby", "Bank of Southby", "Bank of Eastby", "Bank of Westby")

    def draw(canvas: Canvas) -> None:
        for place, (name, role) in enumerate(zip(bold, roles, strict=True)):
            x, y = 72 + 240 * (place % 2), 760 - 32 * (place // 2)
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(x, y, name)
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, y - 13, role)
        if beyond:
            canvas.drawString(312, 702, "and its branches")
            canvas.setFont("Helvetica-Bold", 10)
            canvas.drawString(312, 688, "Eve Lone")

    assert tables_of(drawn(draw)) == []


def lines(rows: Sequence[tuple[float, tuple[tuple[float, str], ...]]]) -> list[list[list[str]]]:
    """The cells of the tables of a page of ``rows``: how far down from the top, and texts with their left edges."""

    def draw(canvas: Canvas) -> None:
        for down, texts in rows:
            for x, text in texts:
                canvas.drawString(x, 780 - down, text)

    return tables_of(drawn(draw))


INVOICE = [
    (0, ((60, "Bill to"), (300, "Deliver to"))),
    (15, ((60, "Rook Farm Shop"), (300, "Rook Farm Shop, Barn 2"))),
    (30, ((60, "PO Box 118"), (300, "Long Furrow"))),
    (58, ((60, "Invoice no."), (140, "2024-0613"), (300, "Invoice date"), (400, "08/11/2024"))),
    (73, ((60, "Order no."), (140, "RF-77"), (300, "Order date"), (400, "19/09/2024"))),
    (88, ((60, "Terms"), (140, "30 days"), (300, "Due date"), (400, "08/12/2024"))),
    (116, ((60, "Item"), (300, "Qty"), (400, "Amount"))),
    (131, ((60, "Oak counter"), (310, "1"), (400, "1,460.00"))),
    (146, ((60, "Shelf, ash"), (310, "14"), (400, "2,539.00"))),
    (161, ((60, "Crate, painted"), (310, "25"), (400, "3,280.00"))),
    (176, ((310, "Discount"), (400, "132.85-"))),
    (191, ((310, "Total"), (400, "7,146.15"))),
]


def test_addresses_and_pairs_over_a_table_are_fields_and_not_its_header() -> None:
    addresses, pairs, items = lines(INVOICE)
    assert addresses == [
        ["Bill to", "Rook Farm Shop PO Box 118"],
        ["Deliver to", "Rook Farm Shop, Barn 2 Long Furrow"],
    ]
    assert pairs == [
        ["Invoice no.", "2024-0613"],
        ["Invoice date", "08/11/2024"],
        ["Order no.", "RF-77"],
        ["Order date", "19/09/2024"],
        ["Terms", "30 days"],
        ["Due date", "08/12/2024"],
    ]
    assert items[0] == ["Item", "Qty", "Amount"]
    assert items[-2:] == [["Discount", "132.85-"], ["Total", "7,146.15"]]


def test_columns_under_a_header_are_no_pairs() -> None:
    rows = [
        (0, ((60, "Drug"), (160, "Dose"), (260, "Given"), (360, "For"))),
        (15, ((60, "Asperol"), (160, "500 mg"), (260, "by mouth"), (360, "3 days"))),
        (30, ((60, "Cortane"), (160, "20 mg"), (260, "in the arm"), (360, "7 days"))),
        (45, ((60, "Zintol"), (160, "75 mg"), (260, "at night"), (360, "2 days"))),
    ]
    assert all(len(row) != 2 for table in lines(rows) for row in table)
