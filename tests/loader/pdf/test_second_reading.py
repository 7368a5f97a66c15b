from __future__ import annotations

import os
import zlib

import numpy as np
import pytest
import reportlab
from reportlab.pdfbase.ttfonts import TTFontFile

from src.loader import load
from src.loader.layout import PageLayout
from src.loader.pdf.pdfium import PdfSource
from src.loader.pdf.second_reading import second_reading
from src.loader.pdf.words import read_layout
from src.records import LoadError, Outcome, PageState
from src.settings import Settings
from tests.loader.pdfs import content_pdf, raw_pdf, stream_object

FONT = os.path.join(os.path.dirname(reportlab.__file__), "fonts", "Vera.ttf")
LINES = (
    "The pump was repaired in the spring and has been in use",
    "since the end of May, as the log of the crew says. It is to",
    "be replaced by a larger one for which the order has been",
    "placed in the autumn of this year.",
)
FIRST = b"BT /F1 12 Tf 60 780 Td (The first words) Tj ET BT /F1 9 Tf 300 400 Td (and others) Tj ET"


def glyph_numbers(*, named: bool = False) -> bytes:
    """``LINES`` as the glyph numbers of an embedded font; only with ``named`` the PDF says what they stand for."""
    font = TTFontFile(FONT)
    with open(FONT, "rb") as file:
        program = file.read()
    numbers = {chr(code): font.charToGlyph[code] for code in range(32, 127)}
    lines = [b"<" + b"".join(b"%04x" % numbers[c] for c in line) + b"> Tj" for line in LINES]
    pairs = b"\n".join(b"<%04x> <%04x>" % (number, ord(c)) for c, number in numbers.items())
    to_unicode = b"1 begincodespacerange <0000> <ffff> endcodespacerange %d beginbfchar\n%s\nendbfchar" % (
        len(numbers),
        pairs,
    )
    widths = b" ".join(b"%d [%d]" % (n, round(font.charWidths[ord(c)])) for c, n in numbers.items())
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            stream_object(b"BT /F1 12 Tf 60 780 Td " + b" 0 -16 Td ".join(lines) + b" ET"),
            b"<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Vera /Encoding /Identity-H /DescendantFonts [6 0 R] "
            + (b"/ToUnicode 9 0 R >>" if named else b">>"),
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Vera /CIDToGIDMap /Identity /CIDSystemInfo "
            b"<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /W [%s] >>"
            % widths,
            b"<< /Type /FontDescriptor /FontName /AAAAAA+Vera /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 "
            b"/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 8 0 R >>",
            stream_object(zlib.compress(program), b"/Filter /FlateDecode /Length1 %d" % len(program)),
            stream_object(to_unicode),
        ]
    )


def layout_of(data: bytes) -> tuple[PageLayout, PdfSource]:
    source = PdfSource(data)
    page = source.open_page(1)
    return read_layout(page, 1.5), source


def test_glyph_numbers_are_read_by_the_fonts_own_map() -> None:
    first, source = layout_of(glyph_numbers())
    assert first.garbled
    second = second_reading(first, source, 1.5)
    assert second is not None
    assert not second.garbled
    assert " ".join(second.texts()) == " ".join(LINES)
    named, _ = layout_of(glyph_numbers(named=True))
    assert second.texts() == named.texts()
    assert np.abs(second.places[:, [0, 2]] - named.places[:, [0, 2]]).max() < 1.5
    assert np.abs(second.places[:, 5] - named.places[:, 5]).max() < 2  # baselines


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_words_stand_on_the_page_as_shown(turn: int) -> None:
    data = content_pdf(FIRST, box="10 20 605 862", page=b"/Rotate %d /CropBox [40 100 560 840]" % turn)
    first, source = layout_of(data)
    second = second_reading(first, source, 1.5)
    assert second is not None
    assert (second.width, second.height) == (first.width, first.height)
    expected = dict(zip(first.texts(), first.places[:, :4].tolist(), strict=True))
    for text, place in zip(second.texts(), second.places[:, :4].tolist(), strict=True):
        assert np.abs(np.array(place) - expected[text]).max() < 4, text
    assert sorted(second.texts()) == sorted(first.texts())


def test_a_page_of_glyph_numbers_needs_no_ocr() -> None:
    snapshots = list(load(glyph_numbers(), "numbers.pdf", Settings(ocr="off")))
    assert snapshots[0].pages[0].state is PageState.PENDING
    page = snapshots[-1].pages[0]
    assert page.state is PageState.TEXT
    assert page.text == " ".join(LINES)
    assert "second reader" in page.reason


def test_what_neither_reads_waits_for_ocr() -> None:
    secret = b"".join(b"%04x" % (0xE000 + ord(c)) for c in " ".join(LINES))
    font = b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [7 0 R] >>"
    data = raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            stream_object(b"BT /F1 12 Tf 60 780 Td <" + secret + b"> Tj ET"),
            font,
            b"null",
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) "
            b"/Ordering (Identity) /Supplement 0 >> /DW 500 >>",
        ]
    )
    with pytest.raises(LoadError) as error:
        list(load(data, "x.pdf", Settings(ocr="off")))
    assert error.value.outcome is Outcome.NO_TEXT
    assert "garbled" in error.value.message
    assert "DOCENGINE_OCR" in error.value.message


def test_a_page_box_that_is_no_box_is_no_reading() -> None:
    """pdfplumber's own exception for it ended the reading process."""
    broken = glyph_numbers().replace(b"[0 0 595 842]", b"[0 /a 0 5 84]")
    first, source = layout_of(broken)
    assert second_reading(first, source, 1.5) is None
