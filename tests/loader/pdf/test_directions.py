from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest
import reportlab
from reportlab.pdfbase.ttfonts import TTFontFile
from reportlab.pdfgen.canvas import Canvas

from src.loader.pdf.directions import settled_turns
from src.records import BlockKind
from tests.loader.pdfs import drawn, raw_pdf, stream_object
from tests.loader.reading import read_pages, read_text

FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
COLUMNS = (
    "日本語の文章は縦書きで右から左へ",
    "読まれることが多い。二行目の文です。",
    "三行目には数字も入ることがある。",
)
LINES = (
    "Once upon a time there was a miller who had three sons, a",
    "mill, a donkey and a cat. The sons had to grind, the donkey",
    "had to fetch the corn and carry the flour away, and the cat",
    "had to catch the mice. When the miller died the three sons",
    "shared the inheritance among themselves.",
)


def japanese(encoding: bytes, *pieces: tuple[str, float, float]) -> bytes:
    """Pieces of text, each with its place. The shapes are Vera's, the PDF says that they are Japanese characters."""
    font = TTFontFile(str(FONT))
    characters = sorted({character for text, _, _ in pieces for character in text})
    numbers = {c: font.charToGlyph[code] for c, code in zip(characters, range(33, 127), strict=False)}
    content = b" ".join(
        b"BT /F1 12 Tf %.1f %.1f Td <%s> Tj ET" % (x, y, b"".join(b"%04x" % numbers[c] for c in text))
        for text, x, y in pieces
    )
    pairs = b" ".join(b"<%04x> <%04x>" % (number, ord(c)) for c, number in numbers.items())
    to_unicode = b"1 begincodespacerange <0000> <ffff> endcodespacerange %d beginbfchar %s endbfchar"
    program = zlib.compress(FONT.read_bytes())
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>",
            stream_object(content),
            b"<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Vera /Encoding /%s /DescendantFonts [6 0 R] "
            b"/ToUnicode 9 0 R >>" % encoding,
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Vera /CIDToGIDMap /Identity /DW 1000 "
            b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R >>",
            b"<< /Type /FontDescriptor /FontName /AAAAAA+Vera /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 "
            b"/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 /FontFile2 8 0 R >>",
            stream_object(program, b"/Filter /FlateDecode"),
            stream_object(to_unicode % (len(numbers), pairs)),
        ]
    )


def test_vertical_columns_are_read_from_the_right() -> None:
    pieces = [(text, 500.0 - 22 * place, 780.0) for place, text in enumerate(COLUMNS)]
    assert read_text(japanese(b"Identity-V", *pieces)) == "".join(COLUMNS)


def test_characters_set_one_under_the_other_are_read_down() -> None:
    pieces = [
        (character, 500.0 - 22 * place, 780.0 - 13 * step)
        for place, text in enumerate(COLUMNS)
        for step, character in enumerate(text)
    ]
    assert read_text(japanese(b"Identity-H", *pieces)) == "".join(COLUMNS)


def test_level_japanese_stays_level() -> None:
    pieces = [(text, 60.0, 780.0 - 16 * place) for place, text in enumerate(COLUMNS)]
    assert read_text(japanese(b"Identity-H", *pieces)) == "".join(COLUMNS)


@pytest.mark.parametrize("angle", [30, -12, 45, 130])
def test_tilted_text_is_read_line_by_line_beside_the_level_text(angle: float) -> None:
    def draw(canvas: Canvas) -> None:
        for place, line in enumerate(LINES):
            canvas.drawString(60, 780 - 13 * place, line)
        canvas.translate(280, 450)
        canvas.rotate(angle)
        for place, line in enumerate(
            ("This remark was stamped on the page", "in the office on the ninth of May")
        ):
            canvas.drawString(0, -14 * place, line)

    page = read_pages(drawn(draw))[0]
    assert page.text.split("\n\n") == [
        " ".join(LINES),
        "This remark was stamped on the page in the office on the ninth of May",
    ]
    assert [block.kind for block in page.blocks] == [BlockKind.PARAGRAPH, BlockKind.SIDENOTE]


@pytest.mark.parametrize("angle", [3, -4, 8])
def test_a_page_that_is_tilted_as_a_whole(angle: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(60, 600)
        canvas.rotate(angle)
        for place, line in enumerate(LINES):
            canvas.drawString(0, -13 * place, line)

    page = read_pages(drawn(draw))[0]
    assert page.text == " ".join(LINES)
    assert [block.kind for block in page.blocks] == [BlockKind.PARAGRAPH]


def test_lines_of_a_scan_that_lean_a_little_are_level() -> None:
    turns = np.array([0, 1, 359, 3, 2, 357, 0, 90, 92], np.int32)
    assert settled_turns(turns, np.full(9, 5, np.int32)).tolist() == [0] * 7 + [90] * 2


def test_letters_along_a_curve_are_no_directions_of_their_own() -> None:
    turns = np.arange(10, 80, 10, dtype=np.int32)
    assert set(settled_turns(turns, np.ones(7, np.int32)).tolist()) <= {0, 90}
