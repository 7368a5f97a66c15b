"""Borderless tables of words: wrapped cells, headers, groups, shades; prose, lists and indexes are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from src.loader.layout import PageLayout, TableRegion
from src.loader.pdf.pdfium import PdfSource
from src.loader.pdf.words import read_layout
from src.loader.tables.stage import find_tables
from tests.loader.pdfs import drawn

PLAIN, BOLD = "Helvetica", "Helvetica-Bold"

ROLES = (
    ("Role", "Responsibility", "Deputy"),
    (
        "Harbour master",
        "Decides which ship may enter the basin, and when, and keeps the log of arrivals",
        "Ann Roe",
    ),
    ("Keeper of the upper lock", "Opens the lock and records the water level every hour", "Bob Stone"),
    ("Treasurer", "Collects the dues", "Cleo Park"),
    (
        "Diver",
        "Inspects the gates below the water line twice a year and reports damage to the master",
        "Dan Ng",
    ),
)
TERMS = (
    ("Term", "Definition"),
    ("Basin", "The part of the harbour between the outer mole and the lower lock, with all its quays"),
    (
        "Business day",
        "A day on which the office of the harbour master is open to the public for the whole day",
    ),
    ("Dues", "Money owed"),
    ("Vessel", "Anything that floats and is steered, whether or not it has an engine of its own"),
)
AGENDA = (
    ("Time", "Topic", "Speaker", "Room"),
    (
        "9:00",
        "Welcome and report of the harbour board on the year that has passed",
        "Ann Roe, harbour master",
        "A 1",
    ),
    ("9:45", "Dredging", "Bob Stone", "A 2"),
    (
        "10:30",
        "What the new rules for ballast water mean for small vessels",
        "Cleo Park, inspector of the coast",
        "B 4",
    ),
    ("11:15", "Questions", "Dan Ng", "A 1"),
)
PARAMETERS = (
    ("Parameter", "Meaning", "Default"),
    ("timeout", "Seconds to wait for an answer before the connection is given up", "30"),
    ("retries", "How often a request is sent again", "4"),
    (
        "cache size",
        "Megabytes of memory that the cache of answers may take before it forgets the oldest",
        "256",
    ),
    ("verbose", "Whether each step is written to the log", "off"),
)


@dataclass(frozen=True)
class Look:
    """How a table is set: edges of its columns, space between rows, header, shades, lines."""

    xs: tuple[float, ...]
    gap: float = 6
    header: bool = True
    bold_labels: bool = False
    middle: bool = False
    shaded: bool = False
    ruled: bool = False
    ruled_head: bool = False
    centred_head: bool = False
    size: float = 9


def draw_table(canvas: Canvas, rows: Sequence[Sequence[str]], look: Look, y: float = 760) -> float:
    """Draw ``rows`` from ``y`` downwards; returns where they end."""
    leading = look.size * 1.2
    for place, row in enumerate(rows):
        head = look.header and not place
        parts = []
        for column, text in enumerate(row):
            font = BOLD if head or (look.bold_labels and not column) else PLAIN
            width = look.xs[column + 1] - look.xs[column] - 12
            lines = [part for line in text.split("\n") for part in simpleSplit(line, font, look.size, width)]
            parts.append((font, lines))
        height = max(len(lines) for _, lines in parts) * leading
        if look.shaded and place % 2 and not head:
            canvas.setFillGray(0.9)
            canvas.rect(
                look.xs[0] - 4,
                y - height - look.gap / 2 + 8,
                look.xs[-1] - look.xs[0] + 8,
                height + look.gap,
                0,
                1,
            )
            canvas.setFillGray(0)
        for column, (font, lines) in enumerate(parts):
            canvas.setFont(font, look.size)
            down = (height - len(lines) * leading) / 2 if look.middle else 0
            for number, line in enumerate(lines):
                if look.centred_head and head:
                    canvas.drawCentredString(
                        (look.xs[column] + look.xs[column + 1] - 12) / 2, y - down - number * leading, line
                    )
                else:
                    canvas.drawString(look.xs[column], y - down - number * leading, line)
        y -= height + look.gap
        if look.ruled or (look.ruled_head and head):
            canvas.line(look.xs[0], y + look.gap / 2 + 6, look.xs[-1], y + look.gap / 2 + 6)
    return y


Rows = list[tuple[str, ...]]


def find(draw: Callable[[Canvas], object]) -> list[tuple[TableRegion, Rows]]:
    """Tables of a page that ``draw`` draws, each with the text of its rows, "" where a column has none."""
    source = PdfSource(drawn(lambda canvas: void(draw(canvas))))
    page = source.open_page(1)
    layout = read_layout(page, 1.5)
    page.close()
    source.close()
    found = []
    for region in find_tables(layout):
        rows = []
        for row in region.rows:
            cells = {c.column: " ".join(_text(layout, place) for place in c.words) for c in row.cells}
            rows.append(tuple(cells.get(column, "") for column in range(len(region.columns))))
        found.append((region, rows))
    return found


def _text(layout: PageLayout, place: int) -> str:
    start, end = layout.spans[place].tolist()
    return layout.glyphs[start:end]


def void(_: object) -> None:
    pass


def words(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    return [tuple(" ".join(cell.split()) for cell in row) for row in rows]


XS = (60, 160, 360, 460)
LOOKS = {
    "spaced": Look(XS),
    "tight": Look(XS, gap=0),
    "bold labels": Look(XS, bold_labels=True),
    "centred upright": Look(XS, middle=True),
    "shaded": Look(XS, gap=0, shaded=True),
    "ruled": Look(XS, gap=4, ruled=True),
    "ruled head, tight": Look(XS, gap=0, ruled_head=True),
    "centred head": Look(XS, centred_head=True),
    "narrow": Look((60, 115, 210, 265), size=8),
    "large": Look((60, 190, 420, 540), size=11, gap=10),
}


@pytest.mark.parametrize("rows", [ROLES, PARAMETERS], ids=["roles", "parameters"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_wrapped_cells_are_joined(look: Look, rows: Any) -> None:
    ((table, read),) = find(lambda canvas: draw_table(canvas, rows, look))
    assert read == words(rows)
    assert table.columns == rows[0]
    assert [row.header for row in table.rows] == [True] + [False] * 4


@pytest.mark.parametrize("gap", [0, 6])
@pytest.mark.parametrize(("rows", "xs"), [(TERMS, (60, 150, 400)), (AGENDA, (60, 110, 300, 400, 460))])
def test_more_shapes(rows: Any, xs: tuple[float, ...], gap: float) -> None:
    ((table, read),) = find(lambda canvas: draw_table(canvas, rows, Look(xs, gap=gap)))
    assert read == words(rows)
    assert table.columns == rows[0]


@pytest.mark.parametrize("gap", [0, 6])
@pytest.mark.parametrize(
    ("rows", "xs"), [(TERMS, (60, 150, 400)), (ROLES, XS), (AGENDA, (60, 110, 300, 400, 460))]
)
def test_without_a_header(rows: Any, xs: tuple[float, ...], gap: float) -> None:
    ((table, read),) = find(lambda canvas: draw_table(canvas, rows[1:], Look(xs, gap=gap, header=False)))
    assert read == words(rows[1:])
    assert not any(table.columns)
