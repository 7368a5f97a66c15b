from __future__ import annotations

import numpy as np
import pytest

from src.loader.pdf.symbols import symbol_codes
from tests.loader.pdfs import raw_pdf, stream_object
from tests.loader.reading import read_text


@pytest.mark.parametrize(
    ("code", "character"),
    [(0x2B, "+"), (0x3D, "="), (0x44, "Δ"), (0x61, "α"), (0x7E, "∼"), (0xB1, "±"), (0xB7, "•"), (0xE5, "∑")],
)
def test_the_private_codes_are_the_encodings(code: int, character: str) -> None:
    assert symbol_codes(np.array([0xF000 + code], np.uint32)).tolist() == [ord(character)]


def equation(font: bytes) -> bytes:
    to_unicode = (
        b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <fe> <f020> endbfrange"
    )
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
            stream_object(
                b"BT /F1 12 Tf 60 780 Td (The tolerance is ) Tj /F2 12 Tf (\xb1) Tj /F1 12 Tf ( 5 ) Tj "
                b"/F2 12 Tf (m) Tj /F1 12 Tf (m) Tj ET"
            ),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Font /Subtype /TrueType /BaseFont /%s /ToUnicode 7 0 R /FirstChar 0 /LastChar 255 "
            b"/Widths [%s] >>" % (font, b"550 " * 256),
            stream_object(to_unicode),
        ]
    )


def test_signs_of_a_symbol_font_are_read() -> None:
    assert read_text(equation(b"ABCDEF+SymbolMT")) == "The tolerance is ± 5 μm"


def test_other_fonts_keep_what_they_say() -> None:
    assert "±" not in read_text(equation(b"ABCDEF+Wingdings-Regular"))


def tick_boxes(font: bytes, *lines: tuple[bytes, bytes], step: int = 14) -> bytes:
    content = b" ".join(
        b"BT /F2 12 Tf 60 %d Td (%s) Tj /F1 12 Tf (%s) Tj ET" % (780 - step * place, sign, text)
        for place, (sign, text) in enumerate(lines)
    )
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
            stream_object(content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Font /Subtype /TrueType /BaseFont /%s /Encoding /WinAnsiEncoding /FirstChar 0 /LastChar 255 "
            b"/Widths [%s] >>" % (font, b"890 " * 256),
        ]
    )


def test_ticked_boxes_of_wingdings_are_told_from_empty_ones() -> None:
    data = tick_boxes(
        b"Wingdings-Regular",
        (b"\xfe", b" Approved"),
        (b"\xa8", b" Sent back"),
        (b"o", b" Empty"),
        (b"x", b" Crossed"),
    )
    assert read_text(data).split("\n\n") == ["☑ Approved", "☐ Sent back", "☐ Empty", "☒ Crossed"]


def test_ticks_of_the_second_wingdings() -> None:
    data = tick_boxes(b"ABCDEF+Wingdings2", (b"R", b" Paid"), (b"\xa3", b" Owed"))
    assert read_text(data).split("\n\n") == ["☑ Paid", "☐ Owed"]


def test_letters_of_other_fonts_stay_letters() -> None:
    data = tick_boxes(b"Courier", (b"\xfe", b" Thorn"), (b"x", b" Axis"), step=40)
    assert read_text(data).split("\n\n") == ["þ Thorn", "x Axis"]
