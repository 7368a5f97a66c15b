"""Names and values in turn: the first row of a form's table is no header, though it may be shaded."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.platypus import SimpleDocTemplate, TableStyle
from reportlab.platypus import Table as Drawn

from src.loader import load
from src.records import Table
from src.settings import Settings

GRID = ("GRID", (0, 0), (-1, -1), 0.5, colors.grey)
SHADED = ("BACKGROUND", (0, 0), (-1, 0), colors.lightgrey)
BOLD_NAMES = ("FONTNAME", (0, 0), (0, -1), "Helvetica-Bold")
BOLD_HEADER = ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")

POLICY = [
    ["Policy number", "HX-44712"],
    ["Insured person", "Maria Keller"],
    ["Start of cover", "1 March 2024"],
    ["Annual premium", "EUR 412.80"],
]
LEASE = [
    ["Tenant", "J. Ortiz", "Landlord", "Ridge Homes Ltd"],
    ["Unit", "4B", "Rent", "$1,450"],
    ["Start", "2024-05-01", "Deposit", "$2,900"],
]
PERSON = [["Name:", "Ada Moreau"], ["Role:", "Engineer"], ["Office:", "Lyon"]]
MEMBER = [["Member", "Ada Moreau"], ["Plan", "Family"], ["Balance", "1,204.50"], ["Clinic", "North"]]


def read(rows: Sequence[Sequence[str]], *style: tuple[Any, ...]) -> tuple[Table, list[list[str]]]:
    """The one table of a page, and the texts of its rows."""
    stream = io.BytesIO()
    width = 480 / len(rows[0])
    drawn = Drawn(rows, colWidths=[width] * len(rows[0]), style=TableStyle(list(style)))
    SimpleDocTemplate(stream, invariant=1).build([drawn])
    (page,) = list(load(stream.getvalue(), "form.pdf", Settings(ocr="off")))[-1].pages
    (table,) = page.tables
    return table, [[page.text[cell.start : cell.end] for cell in row.cells] for row in table.rows]


@pytest.mark.parametrize(
    ("rows", "style"),
    [
        (POLICY, (GRID,)),
        (POLICY, (GRID, SHADED)),
        (POLICY, (GRID, BOLD_NAMES)),
        (LEASE, (GRID,)),
        (PERSON, (GRID, SHADED)),
        (PERSON, (GRID,)),
        (MEMBER, (GRID,)),
    ],
    ids=["plain", "shaded", "bold names", "two pairs", "colons, shaded", "colons", "words and numbers"],
)
def test_fields_have_no_header(rows: Sequence[Sequence[str]], style: tuple[tuple[Any, ...], ...]) -> None:
    table, texts = read(rows, *style)
    assert texts == [list(row) for row in rows]
    assert not any(row.header for row in table.rows)
    assert not any(table.columns)


@pytest.mark.parametrize(
    ("rows", "style"),
    [
        ([["Coverage", "Limit"], *POLICY[1:]], (GRID, BOLD_HEADER)),
        ([["Item", "Amount"], ["Rent", "1,450"], ["Deposit", "2,900"], ["Fees", "75"]], (GRID, SHADED)),
        ([["Town", "Mayor"], ["Lyon", "Ada Moreau"], ["Nice", "Jan Novak"], ["Brest", "Eva Roth"]], (GRID, SHADED)),
        ([["Year", "Leader"], ["2022", "Ada Moreau"], ["2023", "Jan Novak"], ["2024", "Eva Roth"]], (GRID,)),
        ([["Item", "2023"], ["Rent", "1,450"], ["Deposit", "2,900"], ["Fees", "75"]], (GRID,)),
    ],
    ids=["bold", "values", "shaded", "years", "a year"],
)  # fmt: skip
def test_a_header_stays_one(rows: Sequence[Sequence[str]], style: tuple[tuple[Any, ...], ...]) -> None:
    table, _ = read(rows, *style)
    assert table.columns == tuple(rows[0])
    assert [row.header for row in table.rows] == [True] + [False] * (len(rows) - 1)
