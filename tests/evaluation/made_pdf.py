"""PDFs that the evaluation's tests measure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas


def make_pdf(path: Path, pages: Sequence[Sequence[str]]) -> Path:
    """A PDF of the given lines a page."""
    canvas = Canvas(str(path))
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(72, 750 - 24 * number, line)
        canvas.showPage()
    canvas.save()
    return path
