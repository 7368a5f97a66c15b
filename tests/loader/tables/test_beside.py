"""Short tables side by side that name their rows alike: one table with a column for each of their headings."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from src.loader import load
from src.records import Page
from src.settings import Settings
from tests.loader.pdfs import drawn

NAMES = ("Opens", "Lane swimming until", "Closes")
TIMES = {"Weekdays": ("06:30", "09:15", "21:45"), "Weekends": ("08:00", "10:30", "18:20")}


def read(names: dict[str, tuple[str, ...]]) -> Page:
    def draw(canvas: Canvas) -> None:
        for place, (heading, times) in enumerate(TIMES.items()):
            canvas.setFont("Helvetica-Bold", 12)
            canvas.drawString(60 + 200 * place, 760, heading)
            canvas.setFont("Helvetica", 10)
            for row, (name, time) in enumerate(zip(names[heading], times, strict=True)):
                canvas.drawString(62 + 200 * place, 738 - 20 * row, name)
                canvas.drawRightString(200 + 200 * place, 738 - 20 * row, time)

    return list(load(drawn(draw), "baths.pdf", Settings(ocr="off")))[-1].pages[0]


def test_tables_that_name_their_rows_alike_are_one() -> None:
    page = read(dict.fromkeys(TIMES, NAMES))
    (table,) = page.tables
    assert table.columns == ("", "Weekdays", "Weekends")
    rows = [[page.text[cell.start : cell.end] for cell in row.cells] for row in table.rows]
    assert rows == [
        ["Weekdays", "Weekends"],
        ["Opens", "06:30", "08:00"],
        ["Lane swimming until", "09:15", "10:30"],
        ["Closes", "21:45", "18:20"],
    ]
    assert page.text.count("Closes") == 1


def test_tables_with_names_of_their_own_keep_them() -> None:
    page = read({"Weekdays": NAMES, "Weekends": ("Doors", "Sauna until", "Lights out")})
    assert all(name in page.text for name in (*NAMES, "Doors", "Sauna until", "Lights out"))
