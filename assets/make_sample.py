"""The sample report that the empty page offers. Run ``python -m assets.make_sample`` after a change here.

The library, its town and all figures are invented.
"""

from __future__ import annotations

from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

TARGET = Path(__file__).parent / "harbour-library-report.pdf"
TITLE = "Harbour Library: Annual Report 2025"

BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=15.5, spaceAfter=8)
H1 = ParagraphStyle("h1", fontName="Helvetica-Bold", fontSize=16, leading=20, spaceBefore=4, spaceAfter=8)
H2 = ParagraphStyle("h2", fontName="Helvetica-Bold", fontSize=12, leading=16, spaceBefore=8, spaceAfter=4)
COVER = ParagraphStyle(
    "cover", fontName="Helvetica-Bold", fontSize=24, leading=30, spaceBefore=30, spaceAfter=14
)
NOTE = ParagraphStyle("note", parent=BODY, fontSize=9, leading=12, textColor=colors.HexColor("#333333"))
CAPTION = ParagraphStyle(
    "caption", fontName="Helvetica-Bold", fontSize=9.5, leading=13, spaceBefore=6, spaceAfter=4
)
CELL = ParagraphStyle("cell", fontName="Helvetica", fontSize=9, alignment=TA_CENTER)

LOANS = (
    ("", "2023", "2024", "2025"),
    ("Books", "182,400", "176,950", "181,320"),
    ("Audiobooks", "21,300", "27,840", "35,610"),
    ("Films", "33,750", "29,480", "24,905"),
    ("Tools and instruments", "1,120", "2,460", "4,385"),
    ("All loans", "238,570", "236,730", "246,220"),
)
MONEY = (
    ("", "2024", "2025"),
    ("Grant of the town", "1,840", "1,895"),
    ("Membership fees", "212", "226"),
    ("Gifts and bequests", "64", "118"),
    ("All income", "2,116", "2,239"),
    ("Staff", "1,322", "1,368"),
    ("Books and media", "341", "352"),
    ("Building and energy", "398", "341"),
    ("All expenses", "2,061", "2,061"),
)


class Sample(BaseDocTemplate):
    """A4 pages with a running header and a page number; headings go into the outline."""

    def __init__(self, target: Path) -> None:
        super().__init__(str(target), pagesize=A4, title=TITLE, author="Harbour Library", invariant=1)
        frame = Frame(28 * mm, 24 * mm, A4[0] - 56 * mm, A4[1] - 52 * mm, id="body")
        self.addPageTemplates(PageTemplate("page", [frame], onPage=margins))

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 - reportlab calls it by this name
        """Put headings into the outline."""
        if isinstance(flowable, Paragraph) and flowable.style.name in ("h1", "h2"):
            place = f"heading-{self.page}-{len(flowable.text)}"
            self.canv.bookmarkPage(place)
            self.canv.addOutlineEntry(flowable.text, place, 0 if flowable.style.name == "h1" else 1)


def margins(canvas: Canvas, document: BaseDocTemplate) -> None:
    """The running header and the page number."""
    canvas.setFont("Helvetica", 8.5)
    canvas.setFillColor(colors.HexColor("#444444"))
    if document.page > 1:
        canvas.drawString(28 * mm, A4[1] - 18 * mm, TITLE)
    canvas.drawCentredString(A4[0] / 2, 14 * mm, str(document.page))


def ruled(rows: tuple[tuple[str, ...], ...], label_width: float, sums: tuple[int, ...]) -> Table:
    """A ruled table with a grey header row and bold sums."""
    table = Table(rows, colWidths=[label_width, *[28 * mm] * (len(rows[0]) - 1)], hAlign="LEFT")
    style = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", 9.5),
        ("FONT", (0, 0), (-1, 0), "Helvetica-Bold", 9.5),
        ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
        ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#ececec")),
        ("GRID", (0, 0), (-1, -1), 0.5, colors.HexColor("#888888")),
    ]
    style += [("FONT", (0, row), (-1, row), "Helvetica-Bold", 9.5) for row in sums]
    table.setStyle(TableStyle(style))
    return table


def story() -> list[Flowable]:
    """The four pages."""
    return [
        Paragraph(TITLE, COVER),
        Paragraph("1 The year in short", H1),
        Paragraph(
            "Harbour Library lent 246,220 items in 2025, more than in any year since the reading room by the old "
            "fish market reopened in 2016. The growth came from audiobooks and from the tool library, while the "
            "loans of films went on falling.",
            BODY,
        ),
        Paragraph(
            "The library was open on 311 days. From 2 March it opened on Sundays from 11 a.m. to 4 p.m., and by the "
            "end of the year Sunday had become the second busiest day of the week. Two storms in January closed "
            "the building for three days, and water damaged 640 books in the basement stacks.",
            BODY,
        ),
        Paragraph(
            "The board thanks the 87 volunteers who gave 9,140 hours. Without them the homework afternoons and the "
            "book deliveries to readers who cannot leave home would not exist.",
            BODY,
        ),
        Paragraph("1.1 How to read this report", H2),
        Paragraph(
            "A <i>loan</i> is one item lent to one member once; a renewal is not counted again. An <i>active "
            "member</i> is a person who borrowed at least one item during the year. Amounts of money are in "
            "thousands of crowns unless the text says otherwise.",
            BODY,
        ),
        PageBreak(),
        Paragraph("2 Loans and members", H1),
        Paragraph(
            "Loans rose by four percent against 2024. Audiobooks have gained every year since the lending app was "
            "introduced, and one loan in seven is now an audiobook.",
            BODY,
        ),
        Paragraph("Table 1. Loans by kind of item", CAPTION),
        ruled(LOANS, 52 * mm, (5,)),
        Spacer(1, 8),
        Paragraph("2.1 The tool library", H2),
        Paragraph(
            "The tool library lends drills, sewing machines, violins and other things that most households need "
            "only now and then. It began in 2023 with sixty items in a cupboard and now holds 410. The most "
            "borrowed item of 2025 was a carpet cleaner, which was out on 203 days.",
            BODY,
        ),
        Paragraph("2.2 Members", H2),
        Paragraph(
            "At the end of the year the library had 14,870 active members, which is 38 percent of the people who "
            "live in the town. Membership is free for everyone under twenty-one; for others it costs 25 crowns a "
            "year. Members may borrow up to thirty items at a time for four weeks, and renew each of them twice.",
            BODY,
        ),
        PageBreak(),
        Paragraph("3 Money", H1),
        Paragraph(
            "Income was 2,239 thousand crowns and expenses were 2,061 thousand crowns. The surplus of 178 thousand "
            "crowns goes into the reserve for the new roof.",
            BODY,
        ),
        Paragraph("Table 2. Income and expenses, in thousands of crowns", CAPTION),
        ruled(MONEY, 62 * mm, (4, 8)),
        Spacer(1, 8),
        Paragraph(
            "The cost of building and energy fell because the heat pump, which replaced the oil boiler in October "
            "2024, ran for its first full year. It used 61 percent less energy than the boiler had.",
            BODY,
        ),
        Paragraph(
            "Gifts and bequests nearly doubled. The largest, 40 thousand crowns from the estate of the ferry captain "
            "Ida Lindqvist, is reserved for books about the sea.",
            BODY,
        ),
        PageBreak(),
        Paragraph("4 What comes next", H1),
        Paragraph(
            "The roof over the reading room will be replaced between May and September 2026. During this time the "
            "reading room moves to the school hall in Mill Street, and loans continue as usual.",
            BODY,
        ),
        Paragraph(
            "A second delivery bicycle will double the number of readers who can be visited at home, from 120 to "
            "240. The route through the northern villages starts in April.",
            BODY,
        ),
        Paragraph("4.1 Late returns", H2),
        Paragraph(
            "Late fees were abolished on 1 July 2025. Instead, a member who is more than six weeks late cannot borrow "
            "anything new until the item is back. In the half year since then 94 percent of the items came back in "
            "time, against 91 percent before.",
            BODY,
        ),
        Spacer(1, 10),
        Paragraph(
            "This report is an invented example. It was made so that DocEngine can be tried without a document of "
            "one's own.",
            NOTE,
        ),
    ]


def make(target: Path = TARGET) -> None:
    """Write the sample."""
    Sample(target).build(story())


if __name__ == "__main__":
    make()
