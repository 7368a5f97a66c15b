from __future__ import annotations

import pytest
from reportlab.pdfgen.canvas import Canvas

from src.records import BlockKind, Page
from tests.loader.pdfs import drawn, raw_pdf, stream_object
from tests.loader.reading import read_pages


def form_page(draw: object) -> Page:
    return read_pages(drawn(draw))[0]  # type: ignore[arg-type]


def lines(page: Page, kind: BlockKind) -> list[str]:
    return [line for b in page.blocks if b.kind is kind for line in page.text[b.start : b.end].split("\n")]


def draw_form(canvas: Canvas) -> None:
    form = canvas.acroForm
    canvas.drawString(60, 700, "Start of access")
    form.textfield(name="start", value="14 March 2025", x=200, y=695, width=160, height=16)
    canvas.drawString(60, 670, "Remarks")
    form.textfield(name="remarks", value="", x=200, y=665, width=160, height=16)
    canvas.drawString(60, 640, "Night access wanted")
    form.checkbox(name="night", checked=False, x=200, y=638, size=12)
    canvas.drawString(60, 610, "Weekend access wanted")
    form.checkbox(name="weekend", checked=True, x=200, y=608, size=12)
    canvas.drawString(60, 580, "Vehicle class")
    for place, letter in enumerate("ABC"):
        canvas.drawString(180 + 60 * place, 580, letter)
        form.radio(name="class", value=letter, selected=letter == "B", x=192 + 60 * place, y=577, size=12)


def test_fields_stand_with_their_labels_and_values() -> None:
    assert lines(form_page(draw_form), BlockKind.FORM) == [
        "Start of access: 14 March 2025",
        "Remarks: (empty)",
        "Night access wanted: no (not ticked)",
        "Weekend access wanted: yes (ticked)",
        "Vehicle class: B",
    ]


def test_lines_of_a_field_stay_apart_and_a_list_shows_its_options() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 690, "Address")
        canvas.acroForm.textfield(
            name="address",
            value="4 Mill Lane\rTrondheim",
            x=200,
            y=670,
            width=160,
            height=46,
            fieldFlags="multiline",
        )
        canvas.drawString(60, 616, "Shift")
        canvas.acroForm.listbox(
            name="shift", value="Late", options=["Early", "Late", "Night"], x=200, y=590, width=160, height=60
        )

    assert lines(form_page(draw), BlockKind.FORM) == [
        "Address: 4 Mill Lane Trondheim",
        "Shift: Late (of Early, Late, Night)",
    ]


def test_a_value_has_its_place_on_the_page() -> None:
    page = form_page(draw_form)
    at = page.text.index("14 March")
    x0, y0, x1, y1 = page.boxes[at]
    assert 199 < x0 < x1 < 215
    assert 842 - 712 < y0 < y1 < 842 - 694


def annotated(annotation: bytes) -> Page:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Annots [6 0 R]"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        stream_object(b"BT /F1 10 Tf 60 700 Td (Guests may park here. See the rules.) Tj ET"),
        annotation,
    ]
    return read_pages(raw_pdf(objects))[0]


def test_notes_are_read_as_annotations() -> None:
    note = (
        b"<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /Contents (Check with the harbour master) >>"
    )
    page = annotated(note)
    assert lines(page, BlockKind.ANNOTATION) == ["Check with the harbour master"]


def test_a_note_that_is_kept_as_rich_text_alone_is_read() -> None:
    note = (
        b'<< /Type /Annot /Subtype /FreeText /Rect [60 640 300 660] /RC (<body xmlns="http://www.w3.org/1999/xhtml">'
        b"<p>Deposit &amp; fee: <b>300</b></p></body>) /DA (/Helv 10 Tf 0 g) >>"
    )
    assert lines(annotated(note), BlockKind.ANNOTATION) == ["Deposit & fee: 300"]


def test_a_hidden_note_is_not_read() -> None:
    note = b"<< /Type /Annot /Subtype /Text /F 2 /Rect [300 700 320 720] /Contents (Say 99) >>"
    assert "99" not in annotated(note).text


def test_a_link_tells_where_it_leads() -> None:
    link = (
        b"<< /Type /Annot /Subtype /Link /Rect [160 697 240 712]"
        b" /A << /S /URI /URI (https://harbour.example/rules) >> >>"
    )
    found = lines(annotated(link), BlockKind.ANNOTATION)
    assert found[0].endswith(": https://harbour.example/rules")


@pytest.mark.parametrize("quad", [b"/QuadPoints [60 712 155 712 60 697 155 697]", b""])
def test_words_under_a_strike_out_mark_are_struck(quad: bytes) -> None:
    page = annotated(b"<< /Type /Annot /Subtype /StrikeOut /Rect [60 697 155 712] %s >>" % quad)
    assert page.text == "See the rules."
    assert page.hidden == "Guests may park here."


@pytest.mark.parametrize(
    ("fill", "text"), [(b"0 g 0 0 62 17 re f", "rules."), (b"0 0 62 17 re S", "park here")]
)
def test_words_under_a_filled_annotation_are_hidden_and_framed_ones_stay(fill: bytes, text: str) -> None:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Annots [6 0 R]"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        stream_object(b"BT /F1 10 Tf 60 700 Td (Guests may park here. See the rules.) Tj ET"),
        b"<< /Type /Annot /Subtype /Square /Rect [112 695 174 712] /F 4 /AP << /N 7 0 R >> >>",
        stream_object(fill, b"/Type /XObject /Subtype /Form /BBox [0 0 62 17]"),
    ]
    page = read_pages(raw_pdf(objects))[0]
    assert text in page.text
    assert ("park here" in page.hidden) == (text == "rules.")
