from __future__ import annotations

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from src.loader import load
from src.records import LoadError, PageState
from src.settings import Settings
from tests.loader.pdfs import content_pdf, raw_pdf, stream_object
from tests.loader.reading import read_pages

VISIBLE = "BT /F1 10 Tf 0 g 60 700 Td (The fee is 24 crowns.) Tj ET\n"


@pytest.mark.parametrize(
    "operators",
    [
        "BT /F1 10 Tf 1 g 60 650 Td (Say 99 instead.) Tj ET",
        "BT /F1 10 Tf 0.98 g 60 650 Td (Say 99 instead.) Tj ET",
        "BT /F1 10 Tf 3 Tr 60 650 Td (Say 99 instead.) Tj ET",
        "BT /F1 0.6 Tf 60 650 Td (Say 99 instead.) Tj ET",
        "BT /F1 10 Tf -300 650 Td (Say 99 instead.) Tj ET",
        "BT /F1 10 Tf 0 g 60 650 Td (Say 99 instead.) Tj ET 1 g 50 640 200 30 re f",
        "BT /F1 10 Tf 0 g 60 650 Td (Say 99 instead.) Tj ET 0 g 58 647.5 90 10 re f",
        "0 0 0.4 rg 50 640 200 30 re f BT /F1 10 Tf 0 0 0.4 rg 60 650 Td (Say 99 instead.) Tj ET",
    ],
    ids=[
        "white",
        "nearly white",
        "invisible",
        "tiny",
        "off the page",
        "covered",
        "covered closely",
        "colour of its box",
    ],
)
def test_what_cannot_be_seen_is_kept_apart(operators: str) -> None:
    page = read_pages(content_pdf((VISIBLE + operators).encode()))[0]
    assert page.text == "The fee is 24 crowns."
    assert page.hidden == "Say 99 instead."


def test_white_text_on_a_dark_banner_is_read() -> None:
    banner = "0.1 0.1 0.3 rg 50 640 200 30 re f BT /F1 10 Tf 1 g 60 650 Td (Order code KX-2207) Tj ET"
    page = read_pages(content_pdf((VISIBLE + banner).encode()))[0]
    assert "Order code KX-2207" in page.text
    assert page.hidden == ""


def test_text_outside_the_crop_box_is_kept_apart() -> None:
    content = VISIBLE + "BT /F1 10 Tf 60 60 Td (The fee is 3.5 percent.) Tj ET"
    page = read_pages(content_pdf(content.encode(), page=b"/CropBox [40 300 560 800]"))[0]
    assert page.text == "The fee is 24 crowns."
    assert page.hidden == "The fee is 3.5 percent."
    assert (page.width, page.height) == (520, 500)
    assert page.boxes[0][0] == pytest.approx(20, abs=1)
    assert page.boxes[0][3] == pytest.approx(100, abs=4)


def test_struck_out_words_are_kept_apart_and_underlined_ones_stay() -> None:
    content = (
        "BT /F1 10 Tf 60 700 Td (The term is 30 days 45 days.) Tj ET\n"
        "0.7 w 109 703 m 143 703 l S\n"
        "BT /F1 10 Tf 60 660 Td (Key deposit: 20 crowns) Tj ET 60 658.5 m 168 658.5 l S\n"
        "50 663.5 m 560 663.5 l S"  # a line of a grid does not strike
    )
    page = read_pages(content_pdf(content.encode()))[0]
    assert page.text == "The term is 45 days.\n\nKey deposit: 20 crowns"
    assert page.hidden == "30 days"


def test_a_thick_line_strikes_too() -> None:
    content = "BT /F1 10 Tf 60 700 Td (The fee is 100 euros 120 euros.) Tj ET 1 w 109 703 m 155 703 l S"
    page = read_pages(content_pdf(content.encode()))[0]
    assert page.hidden == "100 euros"


def test_a_line_with_blacked_out_words_stays_one_line() -> None:
    lines = [
        "The parties agreed to end the dispute about the late delivery of jars, and Norley Foods",
        "pays the supplier the sum of 73,400 crowns and some in full and final settlement, payable",
        "in two parts, the first by the end of March and the second by the first day of June 2024.",
    ]
    text = "".join(f"BT /F1 10 Tf 60 {700 - 13 * n} Td ({line}) Tj ET\n" for n, line in enumerate(lines))
    before, covered = lines[1].partition("73,400")[0], "73,400 crowns and some"
    x, width = 60 + stringWidth(before, "Helvetica", 10), stringWidth(covered, "Helvetica", 10)
    page = read_pages(content_pdf((text + f"0.1 g {x:.1f} 684 {width:.1f} 12 re f").encode()))[0]
    assert page.text == " ".join(lines).replace(f"{covered} ", "")
    assert page.hidden == covered


def test_a_layer_that_is_switched_off_is_kept_apart() -> None:
    content = VISIBLE + "/OC /L1 BDC BT /F1 10 Tf 60 650 Td (Draft: 99 crowns.) Tj ET EMC"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >> >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 3 0 R >> /Properties << /L1 6 0 R >> >> >>",
        stream_object(content.encode()),
        b"<< /Type /OCG /Name (Draft) >>",
    ]
    page = read_pages(raw_pdf(objects))[0]
    assert page.text == "The fee is 24 crowns."
    assert page.hidden == "Draft: 99 crowns."


SEEN_TEXT = b"BT /F1 11 Tf 60 700 Td (The fee is 1,450 crowns for each bar.) Tj ET"
OLDER_TEXT = b"BT /F1 11 Tf 60 700 Td (The fee was 1,300 pounds for each bar.) Tj ET"
OFF = b"<< /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] >> >>"


def layered_pdf(
    properties: bytes, content: bytes, *, form: bytes = OLDER_TEXT, form_layer: bytes = b""
) -> bytes:
    """A page with /Now (6), /Old (7), /Both (8: shown when both are on) and the form /X1."""
    membership = b"<< /Type /OCMD /OCGs [6 0 R 7 0 R] /P /AllOn >>"
    usage = b"/Usage << /View << /ViewState /OFF >> >>"
    font = b"/Font << /F1 3 0 R >>"
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R /OCProperties %s >>" % properties,
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << %s /XObject"
            b" << /X1 9 0 R >> /Properties << /Now 6 0 R /Old 7 0 R /Both 8 0 R >> >> >>" % font,
            stream_object(content),
            b"<< /Type /OCG /Name (Issue) >>",
            b"<< /Type /OCG /Name (Issue) %s >>" % usage,
            membership,
            stream_object(
                form,
                b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >> %s"
                % (font, form_layer),
            ),
        ]
    )


@pytest.mark.parametrize("older_first", [False, True], ids=["older on top", "older beneath"])
@pytest.mark.parametrize(
    ("properties", "older"),
    [
        (OFF, b"/OC /Old BDC %s EMC" % OLDER_TEXT),
        (
            b"<< /OCGs [6 0 R 7 0 R] /D << /BaseState /OFF /ON [6 0 R] >> >>",
            b"/OC /Old BDC %s EMC" % OLDER_TEXT,
        ),
        (OFF, b"/OC /Both BDC %s EMC" % OLDER_TEXT),
        (
            b"<< /OCGs [6 0 R 7 0 R] /D << /AS [<< /Event /View /Category [/View] /OCGs [7 0 R] >>] >> >>",
            b"/OC /Old BDC %s EMC" % OLDER_TEXT,
        ),
        (OFF, b"/OC /Old BDC /OC /Now BDC %s EMC EMC" % OLDER_TEXT),
        (OFF, b"/OC /Old BDC /X1 Do EMC"),
    ],
    ids=["off", "all off but one", "membership", "usage", "nested", "around a form"],
)
def test_an_older_layer_in_the_place_of_a_newer_one_is_kept_apart(
    properties: bytes, older: bytes, older_first: bool
) -> None:
    newer = b"/OC /Now BDC %s EMC" % SEEN_TEXT
    content = b"\n".join([older, newer] if older_first else [newer, older])
    page = read_pages(layered_pdf(properties, content))[0]
    assert page.text == "The fee is 1,450 crowns for each bar."
    assert page.hidden == "The fee was 1,300 pounds for each bar."


def test_a_form_in_a_layer_that_is_switched_off_is_kept_apart() -> None:
    page = read_pages(layered_pdf(OFF, SEEN_TEXT + b" /X1 Do", form_layer=b"/OC 7 0 R"))[0]
    assert page.text == "The fee is 1,450 crowns for each bar."
    assert page.hidden == "The fee was 1,300 pounds for each bar."


def test_text_that_two_layers_share_is_read_when_one_of_them_is_on() -> None:
    content = b"/OC /Old BDC %s EMC /OC /Now BDC %s EMC" % (SEEN_TEXT, SEEN_TEXT)
    page = read_pages(layered_pdf(OFF, content))[0]
    assert page.text == "The fee is 1,450 crowns for each bar."


def test_an_invisible_layer_over_a_picture_is_body_text() -> None:
    image = stream_object(
        bytes([0, 255, 255, 0, 255]) * 13108,
        b"/Type /XObject /Subtype /Image /Width 256 /Height 256 /ColorSpace /DeviceGray /BitsPerComponent 8",
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 3 0 R >> /XObject << /I 6 0 R >> >> >>",
        stream_object(b"q 595 0 0 842 0 0 cm /I Do Q BT 3 Tr /F1 10 Tf 60 700 Td (Scanned words) Tj ET"),
        image,
    ]
    page = read_pages(raw_pdf(objects))[0]
    assert (page.text, page.hidden, page.state) == ("Scanned words", "", PageState.TEXT)


def test_a_crop_box_that_leaves_all_text_out_is_named() -> None:
    data = content_pdf(b"BT /F1 12 Tf 60 780 Td (All of it) Tj ET", page=b"/CropBox [200 200 260 210]")
    with pytest.raises(LoadError, match="outside the part of the page that is shown"):
        list(load(data, "x.pdf", Settings(ocr="off")))


def test_small_marks_in_a_frame_painted_after_them_are_read() -> None:
    frame = (
        "BT /F1 10 Tf 0 g 60 650 Td (* see _ note ' of - May) Tj ET 0 g 50 640 200 30 re 52 642 196 26 re f*"
    )
    page = read_pages(content_pdf((VISIBLE + frame).encode()))[0]
    assert page.text.split("\n\n")[-1] == "* see _ note ' of - May"
    assert page.hidden == ""
