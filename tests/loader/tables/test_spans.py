"""Drawn cells over several rows or columns: labels that rows share, years over their seasons, titles wider than a table."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.lib.colors import black
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, TableStyle
from reportlab.platypus import Table as DrawnTable

from src.records import Table
from tests.loader.tables.test_stage import read

PLAIN = getSampleStyleSheet()["Normal"]


def table_of(rows: Sequence[Sequence[str]], *style: tuple[object, ...], before: Sequence[str] = ()) -> Table:
    out = io.BytesIO()
    drawn = DrawnTable(rows, style=TableStyle([("GRID", (0, 0), (-1, -1), 0.5, black), *style]))
    story: list[Flowable] = [*(Paragraph(text, PLAIN) for text in before), drawn]
    SimpleDocTemplate(out, pagesize=A4).build(story)
    (table,) = read(out.getvalue()).pages[0].tables
    return table


FARES = [
    ["Route", "Passenger", "Fare"],
    ["Holm - Sund", "Adult", "8.40"],
    ["", "Child", "3.10"],
    ["", "Dog", "1.50"],
    ["Holm - Vik", "Adult", "11.90"],
    ["", "Child", "4.60"],
    ["", "Dog", "2.20"],
]


@pytest.mark.parametrize("align", ["TOP", "MIDDLE", "BOTTOM"])
def test_rows_share_the_label_that_is_drawn_over_them(align: str) -> None:
    table = table_of(
        FARES, ("SPAN", (0, 1), (0, 3)), ("SPAN", (0, 4), (0, 6)), ("VALIGN", (0, 0), (-1, -1), align)
    )
    body = [row for row in table.rows if not row.header]
    named = [row.section or ("own",) for row in body]
    own = {"TOP": 0, "MIDDLE": 1, "BOTTOM": 2}[align]
    for group, label in enumerate(["Holm - Sund", "Holm - Vik"]):
        for place in range(3):
            assert named[3 * group + place] == (("own",) if place == own else (label,))


def test_a_label_goes_on_over_the_empty_cells_under_it() -> None:
    body = [row for row in table_of(FARES).rows if not row.header]
    assert [row.section for row in body] == [(), ("Holm - Sund",), ("Holm - Sund",), (), ("Holm - Vik",), ("Holm - Vik",)]  # fmt: skip


def test_sums_under_a_list_belong_to_none_of_its_rows() -> None:
    bill = [
        ["Item", "Name", "Price"],
        ["1", "Tiles", "2,300.00"],
        ["2", "Clips", "129.00"],
        ["", "", "2,429.00"],
    ]
    assert [row.section for row in table_of(bill).rows] == [(), (), (), ()]


def test_years_over_their_seasons_head_both() -> None:
    rows = [
        ["Site", "2023", "", "2024", ""],
        ["", "Summer", "Winter", "Summer", "Winter"],
        ["Old mill", "4,120", "811", "4,377", "902"],
        ["Lock house", "2,955", "640", "3,018", "588"],
    ]
    table = table_of(rows, ("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)), ("SPAN", (0, 0), (0, 1)))
    assert table.columns == ("Site", "2023 / Summer", "2023 / Winter", "2024 / Summer", "2024 / Winter")


def test_a_title_may_begin_left_of_its_table() -> None:
    rows = [["", "2024", "2023"], ["Revenue", "48,310", "45,002"], ["Earnings per share", "1.27", "1.19"]]
    table = table_of(
        rows, before=["Statement of income of the society", "(in thousands of euros, except per share)"]
    )
    assert table.title == "Statement of income of the society"
    assert table.unit == "in thousands of euros, except per share"
