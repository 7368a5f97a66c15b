"""Borderless tables of words: wrapped cells, headers, groups, shades; prose, lists and indexes are none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from src.loader.layout import PageLayout, TableRegion
from src.loader.load import load
from src.loader.pdf.pdfium import PdfSource
from src.loader.pdf.words import read_layout
from src.loader.tables.stage import find_tables
from src.settings import Settings
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
    underlined: bool = False
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
                if look.underlined and column and not head:
                    x, low = look.xs[column], y - number * leading - 1.2
                    canvas.line(x, low, x + canvas.stringWidth(line, font, look.size), low)
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


CONTACTS = (
    ("Name", "Office", "Telephone", "E-mail"),
    ("Ann Roe", "Harbour master, north side", "555 0119", "roe@harbour.example"),
    ("Bob Stone", "Lock keeper and log of the water level", "555 0121", "stone@harbour.example"),
    ("Dan Ng", "Diver and inspector of the gates", "555 0147", "ng@harbour.example"),
)
OFFICERS = (
    ("Name", "Age", "Position"),
    ("Ann Roe", "54", "President, Chief Executive Officer, and Chairman of the Board"),
    ("Bob Stone", "57", "Senior Vice President, Business Development"),
    ("Cleo Park", "61", "Treasurer"),
)


@pytest.mark.parametrize("rows", [CONTACTS, OFFICERS], ids=["contacts", "officers"])
def test_numbers_among_the_words(rows: Any) -> None:
    xs = (60, 140, 270, 360, 500) if len(rows[0]) == 4 else (60, 160, 210, 520)
    ((table, read),) = find(lambda canvas: draw_table(canvas, rows, Look(xs, gap=3)))
    assert read == words(rows)
    assert table.columns == rows[0]


def test_underlined_words_are_not_parted_by_drawn_lines() -> None:
    rows = tuple((name, text * 2) for name, text in TERMS)
    ((_, read),) = find(lambda canvas: draw_table(canvas, rows, Look((60, 150, 400), underlined=True)))
    assert read == words(rows)


def test_a_row_across_the_columns_is_the_section_of_those_below_it() -> None:
    def draw(canvas: Canvas) -> None:
        look = Look(XS)
        y = draw_table(canvas, ROLES[:3], look)
        canvas.setFont(BOLD, 9)
        canvas.drawString(60, y, "Outer harbour and the approach to the basin")
        draw_table(canvas, ROLES[3:], Look(XS, header=False), y - 16)

    ((table, read),) = find(draw)
    assert ("Treasurer", "Collects the dues", "Cleo Park") in read
    sections = {cells[0]: row.section for cells, row in zip(read, table.rows, strict=True)}
    assert sections["Harbour master"] == ()
    assert sections["Treasurer"] == ("Outer harbour and the approach to the basin",)


PROSE = (
    "The lock stands at the lower end of the basin and was built when the first barges came down the river. Its gates "
    "are of oak, and the sill on which they rest has been renewed twice since then. When the water outside is higher "
    "than the water in the basin the gates are pressed shut by it, so that no one needs to stand by at night. The keeper "
    "lives in the house beside it and writes down every hour how high the water stands. Ships wait at the mole until a "
    "flag is shown, and then pass one after the other. In dry summers the basin is filled from the mill stream, which "
    "costs the mill half a day of work, and the miller is paid for it out of the dues that the treasurer collects."
)


def draw_prose(canvas: Canvas, x: float, width: float, y: float = 760, text: str = PROSE) -> None:
    canvas.setFont(PLAIN, 9)
    for number, line in enumerate(simpleSplit(text, PLAIN, 9, width)):
        canvas.drawString(x, y - 11 * number, line)


@pytest.mark.parametrize(("x", "edges"), [(60, (330, 400, 540)), (320, (60, 120, 290))])
def test_a_table_beside_prose(x: float, edges: tuple[float, ...]) -> None:
    def draw(canvas: Canvas) -> None:
        draw_prose(canvas, x, 220)
        draw_table(canvas, TERMS, Look(edges, gap=5, size=8), 745)

    ((table, read),) = find(draw)
    assert read == words(TERMS)
    assert table.columns == TERMS[0]


def test_a_label_said_once_for_two_rows_and_a_header_over_two_columns() -> None:
    rows = (
        ("Quay", "Use", "By day", "By night"),
        (
            "North",
            "Unloading of grain and timber by crane",
            "Open",
            "Closed to all but the crew of the crane",
        ),
        ("", "Mooring of small vessels without engine", "Open", "Open"),
        ("South", "Repairs", "Open to the yard only", "Closed"),
    )

    def draw(canvas: Canvas) -> None:
        canvas.setFont(BOLD, 9)
        canvas.drawString(290, 774, "Access to the quay")
        draw_table(canvas, rows, Look((60, 110, 230, 330, 450)), 760)

    ((table, read),) = find(draw)
    assert read[1:] == words(rows)
    assert table.columns == ("Quay", "Use", "Access to the quay / By day", "Access to the quay / By night")


def test_items_in_a_cell_stay_in_it() -> None:
    rows = (
        ("Grade", "Duties"),
        ("Apprentice", "• coils ropes and cleans the deck\n• learns the signals by heart in the first year"),
        ("Mate", "• stands watch\n• keeps the log of the ship and signs it every evening"),
        ("Master", "• answers for the ship"),
    )
    ((_, read),) = find(lambda canvas: draw_table(canvas, rows, Look((60, 140, 300))))
    assert read == words(rows)


def test_a_table_goes_on_over_the_page_break_without_its_header() -> None:
    def first(canvas: Canvas) -> None:
        draw_table(canvas, ROLES[:4], Look(XS))

    def second(canvas: Canvas) -> None:
        draw_table(canvas, (*ROLES[4:], *ROLES[1:4]), Look(XS, header=False))

    pages = list(load(drawn(first, second), "made.pdf", Settings(ocr="off")))[-1].pages
    assert [page.tables[0].columns for page in pages] == [ROLES[0], ROLES[0]]
    assert pages[1].tables[0].continued


NAMES = (
    "Ann Roe",
    "Bob Stone",
    "Cleo Park",
    "Dan Ng",
    "Eve Hill",
    "Flo West",
    "Gus Moor",
    "Hal Reed",
    "Ida Lake",
)
INDEX = (
    "anchor, 12, 45",
    "ballast, 7",
    "basin, 3, 9, 81",
    "crane, 33",
    "deck, 4",
    "dues, 18, 20",
    "engine, 61",
)


def draw_lists(canvas: Canvas, xs: Sequence[float], entries: Sequence[Sequence[str]], gap: float) -> None:
    """Lists side by side, each entry of a bold line and plain ones, wrapped."""
    for x, column in zip(xs, entries, strict=True):
        y = 760.0
        for entry in column:
            name, _, rest = entry.partition("|")
            canvas.setFont(BOLD if rest else PLAIN, 9)
            canvas.drawString(x, y, name)
            canvas.setFont(PLAIN, 8)
            for line in simpleSplit(rest, PLAIN, 8, 120):
                y -= 10
                canvas.drawString(x, y, line)
            y -= 11 + gap


def people(canvas: Canvas) -> None:
    entries = [
        f"{name}|{ROLES[1 + place % 4][1][: 20 + 9 * (place % 5)]}" for place, name in enumerate(NAMES)
    ]
    draw_lists(canvas, (60, 220, 380), (entries[:3], entries[3:6], entries[6:]), 8)


def index(canvas: Canvas) -> None:
    draw_lists(canvas, (60, 220, 380), (INDEX, [f"{entry}1" for entry in INDEX], INDEX[::-1]), 1)


def columns(canvas: Canvas) -> None:
    draw_prose(canvas, 60, 230)
    draw_prose(canvas, 310, 230, text=PROSE[340:] + PROSE[:340])


def three_columns(canvas: Canvas) -> None:
    for place, x in enumerate((50, 220, 390)):
        draw_prose(canvas, x, 150, text=PROSE[80 * place :])


def numbered(canvas: Canvas) -> None:
    for place, row in enumerate(ROLES[1:]):
        canvas.drawString(60, 760 - 40 * place, f"{place + 1}.")
        draw_prose(canvas, 90, 220, 760 - 40 * place, row[1])


def references(canvas: Canvas) -> None:
    for place in range(5):
        canvas.drawString(60, 760 - 40 * place, f"[{place + 12}]")
        draw_prose(
            canvas, 90, 300, 760 - 40 * place, f"A. Roe and B. Stone. {PROSE[60 * place : 60 * place + 90]}"
        )


def contents(canvas: Canvas) -> None:
    for place, row in enumerate(ROLES[1:]):
        canvas.drawString(60, 760 - 30 * place, f"Part {place + 1}")
        draw_prose(canvas, 110, 220, 760 - 30 * place, row[1])
        canvas.drawString(500, 760 - 30 * place, str(3 + 11 * place))


def authors(canvas: Canvas) -> None:
    for place, name in enumerate(NAMES[:3]):
        lines = (name, "Institute of Locks", "Lower Basin 4", f"{name[:3].lower()}@locks.example")
        for number, line in enumerate(lines):
            canvas.drawCentredString(130 + 170 * place, 760 - 12 * number, line)


def letter(canvas: Canvas) -> None:
    for place, (mark, text) in enumerate((("To:", "Ann Roe"), ("From:", "Bob Stone"), ("Date:", "4 May"))):
        canvas.drawString(60, 760 - 14 * place, mark)
        canvas.drawString(120, 760 - 14 * place, text)
    draw_prose(canvas, 60, 440, 700)


def signed(canvas: Canvas) -> None:
    for place, name in enumerate(NAMES[:4]):
        canvas.drawString(60, 760 - 50 * place, f"/s/ {name}")
        canvas.drawString(60, 748 - 50 * place, name)
        canvas.drawString(300, 760 - 50 * place, "Director of the board of the harbour")
        canvas.drawString(300, 748 - 50 * place, "and member of its committee of audit")


@pytest.mark.parametrize(
    "draw",
    [people, index, columns, three_columns, numbered, references, contents, authors, letter, signed],
)
def test_what_is_no_table(draw: Callable[[Canvas], None]) -> None:
    assert find(draw) == []
