"""PDFs for the browser tests, with words whose place on the page is known."""

from __future__ import annotations

import io
from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

LINE = 18
TOP = 90


def made(*pages: list[str], password: str = "", outline: bool = False) -> bytes:
    """A PDF of A4 pages; line i of a page stands TOP + LINE * i points under the upper edge, in Helvetica;
    the first of several lines is a heading."""
    stream = io.BytesIO()
    encryption = StandardEncryption(password, strength=128) if password else None
    canvas = Canvas(stream, pagesize=A4, invariant=1, encrypt=encryption)
    for number, lines in enumerate(pages, start=1):
        for place, line in enumerate(lines):
            heading = place == 0 and len(lines) > 1
            canvas.setFont("Helvetica-Bold" if heading else "Helvetica", 15 if heading else 12)
            canvas.drawString(70, A4[1] - TOP - LINE * place, line)
        if outline:
            canvas.bookmarkPage(f"p{number}")
            canvas.addOutlineEntry(f"Part {number}", f"p{number}", 0)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


LEASE = made(
    [
        "Lease of the flat in Mill Street 7",
        "This lease is made between Anna Berg, the landlady, and Carl Dahl, the tenant.",
        "The flat has three rooms, a kitchen and a cellar.",
        "The lease begins on 1 March 2026 and has no fixed end.",
    ],
    [
        "Rent and deposit",
        "The monthly rent is 840 euros and is due on the third working day.",
        "The deposit is 1,680 euros and is kept in a separate account.",
        "Heating is paid separately according to use.",
    ],
    [
        "Ending the lease",
        "The notice period for the tenant is six weeks to the end of a month.",
        "Keys are handed over on the last day before noon.",
    ],
    outline=True,
)


def scanned(pages: int) -> bytes:
    """A scan: each page a picture of a sentence of its own."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4, invariant=1)
    font = ImageFont.truetype(str(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"), 34)
    for number in range(1, pages + 1):
        image = Image.new("L", (1240, 1754), 255)
        lines = (
            f"Register of the harbour, sheet {number}",
            f"The pilot on duty is called Captain {number}00.",
        )
        for place, line in enumerate(lines):
            ImageDraw.Draw(image).text((120, 200 + 70 * place), line, font=font, fill=0)
        canvas.drawImage(ImageReader(image), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def long(pages: int) -> bytes:
    """A long document, each page with a sentence of its own."""
    return made(
        *[
            [f"Chapter {n}", f"The keeper of gate number {n} is called Warden {n * 7}."]
            for n in range(1, pages + 1)
        ],
        outline=True,
    )
