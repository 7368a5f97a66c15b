"""Tables of pages: ruled and borderless, headers, units, sections, page breaks; prose is no table."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.pdfgen import canvas
from reportlab.pdfgen.canvas import Canvas

from src.loader.layout import PageLayout
from src.loader.load import load
from src.loader.pdf.pdfium import PdfSource
from src.loader.pdf.words import read_layout
from src.loader.tables.stage import find_tables
from src.records import BlockKind, Document, Table
from src.settings import Settings
from tests.loader.pdfs import drawn

SETTINGS = Settings(ocr="off")
RIGHTS = (330.0, 420.0, 510.0)  # right edges of the value columns
Row = tuple[str, ...]


class Sheet:
    """A page that is drawn from the top down."""

    def __init__(self) -> None:
        self.out = io.BytesIO()
        self.pdf = canvas.Canvas(self.out, pagesize=(595, 842))
        self.y = 780.0

    def text(
        self, text: str, x: float = 60, *, bold: bool = False, size: float = 10, step: float = 14
    ) -> Sheet:
        self.pdf.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.pdf.drawString(x, self.y, text)
        self.y -= step
        return self

    def row(self, label: str, *values: str, indent: float = 0, bold: bool = False, step: float = 14) -> Sheet:
        """A label, and values flush right; a value "$ 5" has its sign at the left edge of the column."""
        self.pdf.setFont("Helvetica-Bold" if bold else "Helvetica", 10)
        self.pdf.drawString(60 + indent, self.y, label)
        for right, value in zip(RIGHTS, values, strict=False):
            sign, _, number = value.rpartition(" ")
            shown = number if sign == "$" else value
            hanging = self.pdf.stringWidth(")", "Helvetica", 10) if shown.endswith(")") else 0
            self.pdf.drawRightString(right + hanging, self.y, shown)
            if sign == "$":
                self.pdf.drawString(right - 62, self.y, "$")
        self.y -= step
        return self

    def centered(self, text: str, x: float, *, bold: bool = False, step: float = 14) -> Sheet:
        self.pdf.setFont("Helvetica-Bold" if bold else "Helvetica", 10)
        self.pdf.drawCentredString(x, self.y, text)
        self.y -= step
        return self

    def grid(
        self, xs: Sequence[float], rows: Sequence[Row], height: float = 18, *, bold_head: bool = True
    ) -> Sheet:
        for place, row in enumerate(rows):
            self.pdf.setFont("Helvetica-Bold" if bold_head and not place else "Helvetica", 9)
            for x, text in zip(xs, row, strict=False):
                for line, part in enumerate(text.split("\n")):
                    self.pdf.drawString(x + 4, self.y - 12 - 9 * line, part)
            self.y -= height
        self.pdf.grid(list(xs), [self.y + height * i for i in range(len(rows) + 1)])
        return self

    def page(self) -> Sheet:
        self.pdf.showPage()
        self.y = 780.0
        return self

    def data(self) -> bytes:
        self.pdf.save()
        return self.out.getvalue()


def read(data: bytes) -> Document:
    return list(load(data, "made.pdf", SETTINGS))[-1]


def cells(document: Document, table: Table, page: int = 0) -> list[dict[int, str]]:
    """Text of each row's cells by column."""
    text = document.pages[page].text
    return [{cell.column: text[cell.start : cell.end] for cell in row.cells} for row in table.rows]


def statement() -> Sheet:
    sheet = Sheet()
    sheet.text("ACME CORPORATION", bold=True).text("CONSOLIDATED STATEMENTS OF INCOME", bold=True)
    sheet.text("(in millions, except per share data)", step=20)
    sheet.centered("Year Ended December 31,", (RIGHTS[0] + RIGHTS[2]) / 2 - 12)
    sheet.row("", "2023", "2022", "2021", bold=True, step=18)
    sheet.row("Net sales", "$ 1,234", "$ 1,100", "$ 987")
    sheet.row("Operating expenses:")
    sheet.row("Cost of sales", "700", "650", "600", indent=10)
    sheet.row("Impairment of intangible assets acquired in the", indent=10, step=12)
    sheet.row("purchase of other companies", "12", "—", "(3)", indent=10)
    sheet.row("Total operating expenses", "712", "650", "597", indent=20)
    sheet.row("Operating income", "522", "450", "390")
    sheet.row("Interest expense", "(21)", "(1,284)", "(18)")
    return sheet.row("Net income", "$ 501", "$ (834)", "$ 372")


def test_a_borderless_statement_keeps_rows_columns_title_and_unit() -> None:
    document = read(statement().data())
    (table,) = document.pages[0].tables
    assert "CONSOLIDATED STATEMENTS OF INCOME" in table.title
    assert table.unit == "in millions, except per share data"
    assert table.columns == ("", *(f"Year Ended December 31, / {year}" for year in (2023, 2022, 2021)))
    rows = {row[0]: row for row in cells(document, table) if 0 in row}
    assert rows["Net sales"] == {0: "Net sales", 1: "$ 1,234", 2: "$ 1,100", 3: "$ 987"}
    assert rows["Interest expense"] == {0: "Interest expense", 1: "(21)", 2: "(1,284)", 3: "(18)"}
    assert rows["Net income"][2] == "$ (834)"


def test_a_wrapped_label_is_one_row() -> None:
    document = read(statement().data())
    (table,) = document.pages[0].tables
    label = "Impairment of intangible assets acquired in the purchase of other companies"
    assert {0: label, 1: "12", 2: "—", 3: "(3)"} in cells(document, table)


def test_rows_know_their_section() -> None:
    document = read(statement().data())
    (table,) = document.pages[0].tables
    sections = {
        cell[0]: row.section
        for cell, row in zip(cells(document, table), table.rows, strict=True)
        if 0 in cell
    }
    assert sections["Cost of sales"] == ("Operating expenses",)
    assert sections["Operating income"] == ()


def test_a_table_is_one_block_of_lines_and_its_spans_have_boxes() -> None:
    document = read(statement().data())
    page = document.pages[0]
    (block,) = [block for block in page.blocks if block.kind is BlockKind.TABLE]
    assert block.table == 0
    lines = page.text[block.start : block.end].split("\n")
    assert lines == ["\t".join(row.values()) for row in cells(document, page.tables[0])]
    for row in page.tables[0].rows:
        for cell in row.cells:
            for place in range(cell.start, cell.end):
                assert page.text[place].isspace() or not (page.boxes[place] != page.boxes[place]).any()


def test_a_ruled_table_keeps_wrapped_cells_together() -> None:
    rows = [
        ("Name", "Duty", "Since"),
        ("Ann", "Keeps the books and\nwrites the report", "2019"),
        ("Bob", "Drives", "2021"),
    ]
    sheet = Sheet().text("Table 3: Staff of the office", bold=True, step=8)
    document = read(sheet.grid((60, 160, 320, 420), rows, 26).data())
    (table,) = document.pages[0].tables
    assert table.ruled
    assert table.columns == ("Name", "Duty", "Since")
    assert table.title == "Table 3: Staff of the office"
    assert [row.header for row in table.rows] == [True, False, False]
    assert cells(document, table)[1] == {0: "Ann", 1: "Keeps the books and writes the report", 2: "2019"}


def test_an_empty_cell_does_not_shift_the_others() -> None:
    rows = [("Item", "Before", "After"), ("Apples", "", "7"), ("Pears", "4", "")]
    document = read(Sheet().grid((60, 160, 240, 320), rows).data())
    (table,) = document.pages[0].tables
    assert cells(document, table)[1:] == [{0: "Apples", 2: "7"}, {0: "Pears", 1: "4"}]


def test_a_table_that_goes_on_carries_its_header_over_the_page_break() -> None:
    sheet = Sheet().text("Sales by country (in thousands of crowns)", bold=True, step=20)
    sheet.row("", "2023", "2022", bold=True, step=18)
    for place in range(40):
        sheet.row(f"Country number {place}", f"{place * 7 + 100}", f"{place * 3 + 90}")
    sheet.page()
    for place in range(40, 50):
        sheet.row(f"Country number {place}", f"{place * 7 + 100}", f"{place * 3 + 90}")
    document = read(sheet.data())
    first, second = (page.tables[0] for page in document.pages)
    assert (first.continued, second.continued) == (False, True)
    assert second.columns == first.columns == ("", "2023", "2022")
    assert second.title == first.title
    assert second.unit == "in thousands of crowns"


def test_leader_dots_are_not_text() -> None:
    sheet = Sheet().row("", "2023", "2022", bold=True, step=18)
    for name in ("Wheat", "Barley", "Oats"):
        sheet.row(f"{name} {'.' * 40}", "12", "34")
    document = read(sheet.data())
    assert {0: "Wheat", 1: "12", 2: "34"} in cells(document, document.pages[0].tables[0])


PROSE = (
    "The committee met on 12 occasions in 2023 and agreed to raise the budget by",
    "4.5 percent, which follows the plan of 2021. Members asked for 3 reports and",
    "received 2 of them before 15 June. The third one was late by 41 days, and so",
    "the vote on it took place in 2024. All 27 members were present on that day,",
    "17 of them in the room. Costs of 1,250 crowns were approved without dispute.",
)


def test_prose_with_numbers_is_no_table() -> None:
    sheet = Sheet()
    for _ in range(4):
        for line in PROSE:
            sheet.text(line)
    assert read(sheet.data()).pages[0].tables == ()


def test_prose_in_two_columns_is_no_table() -> None:
    sheet = Sheet()
    for _ in range(4):
        for line in PROSE:
            y = sheet.y
            sheet.text(line[:42], 50)
            sheet.y = y
            sheet.text(line[30:70], 310)
    assert read(sheet.data()).pages[0].tables == ()


def test_a_column_of_prose_beside_a_table_stays_out_of_it() -> None:
    sheet = Sheet().row("", "2023", bold=True)
    for place in range(10):
        y = sheet.y
        sheet.row(f"Item {place}", f"{(place * 37) % 50 + 10}")
        sheet.y = y
        sheet.text(PROSE[place % 5][:36], 370)
    (table,) = read(sheet.data()).pages[0].tables
    assert len(table.columns) == 2
    assert all(len(row.cells) <= 2 for row in table.rows)


def test_a_table_of_contents_is_no_table() -> None:
    sheet = Sheet().text("Contents", bold=True)
    for place, name in enumerate(("Introduction", "Methods", "Results", "Discussion", "References")):
        sheet.row(f"{place + 1}. {name}", f"{place * 9 + 1}")
    assert read(sheet.data()).pages[0].tables == ()


def test_a_frame_around_a_text_is_no_table() -> None:
    sheet = Sheet()
    sheet.pdf.rect(50, 500, 480, 300)
    sheet.pdf.line(50, 650, 530, 650)
    for line in PROSE:
        sheet.text(line)
    assert read(sheet.data()).pages[0].tables == ()


def test_switched_off_means_no_tables() -> None:
    document = list(load(statement().data(), "made.pdf", Settings(ocr="off", tables=False)))[-1]
    assert document.pending == ()
    assert document.pages[0].tables == ()


@pytest.mark.parametrize("layout", [PageLayout(1, 600, 800)])
def test_an_empty_page_has_no_tables(layout: PageLayout) -> None:
    assert find_tables(layout) == ()


def test_a_turned_table_is_found_in_its_own_direction() -> None:
    sheet = Sheet()
    sheet.pdf.translate(595, 0)
    sheet.pdf.rotate(90)
    sheet.y = 500
    sheet.row("", "2023", "2022", bold=True)
    for name in ("Wheat", "Barley", "Oats", "Rye"):
        sheet.row(name, "1,200", "345")
    source = PdfSource(sheet.data())
    page = source.open_page(1)
    layout = read_layout(page, 1.5)
    page.close()
    (region,) = find_tables(layout)
    assert region.columns == ("", "2023", "2022")
    assert region.y1 - region.y0 > region.x1 - region.x0


def test_a_header_over_a_group_of_columns_may_be_narrower_than_the_one_below_it() -> None:
    sheet = Sheet().centered("Change", 443, bold=True)
    sheet.row("", "2023", "Reported", "Operational", bold=True, step=18)
    sheet.pdf.setFont("Helvetica", 10)
    for row in (
        ("Pumps", "13,444", "10.2%", "10.1%"),
        ("Valves", "12,086", "2.2", "4.7"),
        ("All", "25,530", "6.3", "7.5"),
    ):
        sheet.row(*row)
    (table,) = read(sheet.data()).pages[0].tables
    assert table.columns[1:] == ("2023", "Change / Reported", "Change / Operational")


def test_a_head_of_the_labels_between_two_rows_of_the_header_parts_them_not() -> None:
    sheet = Sheet().text("Table 4. Holdings of the bank", bold=True, step=24)
    sheet.centered("December 31", 409, step=7).text("Description", step=7)
    sheet.row("", "2023", "2022", "2021", step=18)
    for row in (
        ("Notes", "529", "530", "531"),
        ("Bonds", "1,818", "1,819", "1,820"),
        ("Bills", "12", "13", "14"),
    ):
        sheet.row(*row)
    (table,) = read(sheet.data()).pages[0].tables
    assert table.title == "Table 4. Holdings of the bank"
    assert table.columns == ("Description", *(f"December 31 / {year}" for year in (2023, 2022, 2021)))


def test_a_drawn_cell_over_two_columns_heads_both_wherever_its_words_stand() -> None:
    def draw(canvas: Canvas) -> None:
        for x, top in ((60, 780), (160, 780), (240, 780), (320, 760), (400, 780)):
            canvas.line(x, 680, x, top)
        for y, left in ((780, 60), (760, 160), (740, 60), (720, 60), (700, 60), (680, 60)):
            canvas.line(left, y, 400, y)
        canvas.setFont("Helvetica-Bold", 9)
        for x, y, word in (
            (64, 765, "Product"),
            (244, 766, "Half-year"),
            (164, 746, "Code"),
            (244, 746, "H1"),
        ):
            canvas.drawString(x, y, word)
        canvas.drawString(324, 746, "H2")
        canvas.setFont("Helvetica", 9)
        for place, row in enumerate((("Lamp", "A-1", "30", "40"), ("Chair", "A-2", "50", "60"))):
            for x, word in zip((64, 164, 244, 324), row, strict=True):
                canvas.drawString(x, 726 - 20 * place, word)

    (table,) = read(drawn(draw)).pages[0].tables
    assert table.columns == ("Product", "Code", "Half-year / H1", "Half-year / H2")


def test_a_label_set_apart_by_space_heads_the_rows_under_it_until_a_bold_one() -> None:
    sheet = Sheet().row("", "2023", "2022", "2021", bold=True, step=18)
    sheet.row("Net earnings", "3,520", "4,736", "1,794", step=26)
    sheet.row("Tax adjustments")
    sheet.row("Tax on special items", "(507)", "(184)", "(15)")
    sheet.row("Tax legislation", "47", "377", "40")
    sheet.row("Adjusted earnings", "6,218", "5,678", "2,703", bold=True)
    document = read(sheet.data())
    (table,) = document.pages[0].tables
    sections = {
        row[0]: table.rows[place].section for place, row in enumerate(cells(document, table)) if 0 in row
    }
    assert sections["Tax legislation"] == ("Tax adjustments",)
    assert sections["Adjusted earnings"] == sections["Net earnings"] == ()


def test_a_raised_mark_nearly_as_large_as_its_label_is_no_row() -> None:
    sheet = Sheet().row("", "2023", "2022", "2021", bold=True, step=18)
    for label, mark in (("Device regulation", "2"), ("Vaccine costs", "3"), ("Other", "")):
        sheet.pdf.setFont("Helvetica", 9)
        sheet.pdf.drawString(63 + sheet.pdf.stringWidth(label, "Helvetica", 10), sheet.y + 5.5, mark)
        sheet.row(label, "88", "73", "296")
    document = read(sheet.data())
    (table,) = document.pages[0].tables
    assert [row[0] for row in cells(document, table) if 0 in row] == [
        "Device regulation 2",
        "Vaccine costs 3",
        "Other",
    ]


def test_values_centred_beside_a_label_of_two_lines_belong_to_it() -> None:
    sheet = Sheet().row("", "2023", "2022", bold=True, step=20)
    for first, second, *values in (
        ("Renewal of the oak gates of the", "lower lock and of its sill", "7,415", "6,980"),
        ("Painting of the railings along", "the outer mole and the bridge", "1,240", "1,105"),
        ("Lamps and cables on the north", "quay, with their posts", "462", "415"),
    ):
        sheet.row(first, step=6).row("", *values, step=6).row(second, step=18)
    document = read(sheet.data())
    (table,) = document.pages[0].tables
    assert cells(document, table)[1:] == [
        {0: "Renewal of the oak gates of the lower lock and of its sill", 1: "7,415", 2: "6,980"},
        {0: "Painting of the railings along the outer mole and the bridge", 1: "1,240", 2: "1,105"},
        {0: "Lamps and cables on the north quay, with their posts", 1: "462", 2: "415"},
    ]
