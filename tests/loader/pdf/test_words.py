from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.loader.pdfs import content_pdf, drawn, raw_pdf, stream_object
from tests.loader.reading import read_pages, read_text


def shown(*operators: str) -> bytes:
    """A page of text operators, in Helvetica 10."""
    return content_pdf("\n".join(["BT /F1 10 Tf", *operators, "ET"]).encode("cp1252"))


def test_gaps_wider_than_the_tolerance_end_a_word() -> None:
    kerned = shown("60 700 Td [(W) 80 (ater) -250 (level) -30 (s)] TJ")
    assert read_text(kerned) == "Water levels"


def test_fake_bold_is_read_once_and_doubled_digits_stay() -> None:
    twice = shown("60 700 Td (Maximum 44 bar, 1100 l) Tj 0.3 0 Td (Maximum 44 bar, 1100 l) Tj")
    assert read_text(twice) == "Maximum 44 bar, 1100 l"


def test_every_letter_of_fake_bold_drawn_twice_in_a_row() -> None:
    operators = ["60 700 Td"]
    for letter in "4411":
        operators += [f"({letter}) Tj", f"0.4 0 Td ({letter}) Tj", "5.16 0 Td"]
    assert read_text(shown(*operators)) == "4411"


@pytest.mark.parametrize(
    ("operators", "text"),
    [
        ("60 700 Td (It took 12.5) Tj /F1 6 Tf 4 Ts (3) Tj /F1 10 Tf 0 Ts ( minutes.) Tj", "It took 12.5 ³ minutes."),
        ("60 700 Td (against last year.) Tj /F1 6 Tf 4 Ts (12) Tj", "against last year. ¹²"),
        ("60 700 Td (a rate of 10) Tj /F1 6 Tf 4 Ts (-8) Tj /F1 10 Tf 0 Ts ( per day) Tj", "a rate of 10^-8 per day"),
        ("60 700 Td (flow in m) Tj /F1 6 Tf 4 Ts (3) Tj /F1 10 Tf 0 Ts (/s) Tj", "flow in m³/s"),
        ("60 700 Td (GtCO) Tj /F1 6 Tf -2 Ts (2) Tj /F1 10 Tf 0 Ts ( a year) Tj", "GtCO2 a year"),
        ("60 700 Td (at 30) Tj /F1 6 Tf 4 Ts (o) Tj /F1 10 Tf 0 Ts (C in May) Tj", "at 30°C in May"),
        ("60 700 Td (the 1) Tj /F1 6 Tf 4 Ts (st) Tj /F1 10 Tf 0 Ts ( of May) Tj", "the 1st of May"),
        ("60 700 Td /F1 5 Tf 3 Ts (2) Tj /F1 8 Tf 0 Ts ( Measured between portals.) Tj", "² Measured between portals."),
    ],
)  # fmt: skip
def test_raised_characters_change_no_number(operators: str, text: str) -> None:
    assert read_text(shown(operators)) == text


def test_small_capitals_are_one_word() -> None:
    assert (
        read_text(shown("60 700 Td (S) Tj /F1 7 Tf (MALL) Tj /F1 10 Tf ( C) Tj /F1 7 Tf (APS) Tj"))
        == "SMALL CAPS"
    )


def test_letters_set_wide_are_one_word() -> None:
    wide = shown("8 Tc 60 700 Td (FLOOR AREA 8450 SQ M) Tj")
    assert read_text(wide) == "FLOOR AREA 8450 SQ M"


def test_leaning_letters_set_wide_do_not_part_a_word() -> None:
    assert read_text(shown("6 Tc 60 700 Td (STORE FLOOR 4.75 M) Tj")) == "STORE FLOOR 4.75 M"


def test_letters_set_wide_by_typed_spaces() -> None:
    assert read_text(shown("60 700 Td (S T O R E   H A L L) Tj")) == "STORE HALL"


def test_single_letters_in_a_row_stay_apart() -> None:
    assert read_text(shown("60 700 Td (Classes A B C D and E F) Tj")) == "Classes A B C D and E F"


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_turned_text_is_read_in_its_direction(angle: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 400)
        canvas.rotate(angle)
        canvas.drawString(0, 0, "The gauge reads 4,250 hours")
        canvas.drawString(0, -13, "at the end of the year.")

    page = read_pages(drawn(draw))[0]
    assert page.text == "The gauge reads 4,250 hours at the end of the year."


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(rotation: int) -> None:
    data = content_pdf(b"BT /F1 10 Tf 60 700 Td (Dock C 204 219) Tj ET", page=b"/Rotate %d" % rotation)
    page = read_pages(data)[0]
    assert (page.width, page.height) == ((595, 842) if rotation == 180 else (842, 595))
    assert page.text == "Dock C 204 219"
    x0, y0, x1, y1 = page.boxes[0]
    first = {90: (700, 60), 180: (535, 700), 270: (142, 535)}[rotation]
    assert x0 - 3 < first[0] < x1 + 3
    assert y0 - 3 < first[1] < y1 + 3


def test_ligatures_accents_and_artefacts() -> None:
    assert read_text(shown(r"60 700 Td (the pump\(cid:12\)) Tj")) == "the pump"
    accent = shown("60 700 Td [(K\xb4) 445 (onig)] TJ")
    assert read_text(accent) == "Kónig"


def test_a_font_without_characters_makes_the_page_wait_for_ocr() -> None:
    data = content_pdf(b"BT /F1 10 Tf 60 700 Td <0102030405060708090E0F10111213141516> Tj ET")
    page = read_pages(data)[0]
    assert (page.state, page.text) == ("pending", "")
    assert "garbled" in page.reason


def test_letters_of_a_ligature_all_stay() -> None:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        stream_object(b"BT /F1 10 Tf 60 700 Td (o#cer, o%en) Tj ET"),
        stream_object(
            b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange"
            b" 7 beginbfchar <6F> <006F> <23> <FB03> <63> <0063> <65> <0065> <72> <0072> <2C> <002C> <25> <FB00>"
            b" endbfchar 2 beginbfchar <20> <0020> <6E> <006E> endbfchar endcmap"
        ),
    ]
    assert read_text(raw_pdf(objects)) == "officer, offen"
