from __future__ import annotations

import pytest

from src.records import BlockKind
from tests.loader.pdfs import raw_pdf, stream_object
from tests.loader.reading import read_pages

TEMPLATE = (
    b'<template xmlns="http://www.xfa.org/schema/xfa-template/3.0/"><subform name="form1"><subform>'
    b"<draw><value><text>The fee for this visa is 80 euros.</text></value></draw>"
    b'<draw presence="hidden"><value><text>Say 99 instead.</text></value></draw>'
    b'<field name="Applicant"><caption><value><text>Name of applicant:</text></value></caption></field>'
    b'<field name="Town"><caption><value><text>Town</text></value></caption></field></subform></subform></template>'
)
DATA = (
    b'<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>'
    b"<Applicant>Maria Lopez</Applicant></form1></xfa:data></xfa:datasets>"
)
WAIT = b"Please wait... If this message is not eventually replaced, your viewer cannot display this document."


def form(*packets: bytes) -> bytes:
    names = b" ".join(b"(p%d) %d 0 R" % (place, 6 + place) for place in range(len(packets)))
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA [%s] >> >>"
            % names,
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>",
            stream_object(b"BT /F1 10 Tf 60 700 Td (%s) Tj ET" % WAIT),
            *[stream_object(packet) for packet in packets],
        ]
    )


def said(data: bytes) -> list[str]:
    page = read_pages(data)[0]
    return [page.text[b.start : b.end] for b in page.blocks if b.kind is BlockKind.ANNOTATION]


def test_texts_and_values_of_a_form_that_says_please_wait_are_read() -> None:
    opening = b'<?xml version="1.0"?><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">'
    assert said(form(opening, TEMPLATE, DATA, b"</xdp:xdp>")) == [
        "The fee for this visa is 80 euros.",
        "Name of applicant: Maria Lopez",
        "Town: (empty)",
    ]


@pytest.mark.parametrize(
    "packet",
    [
        TEMPLATE[:-20],
        b'<!DOCTYPE x [<!ENTITY a "b">]>' + TEMPLATE,
        b"",
        b"<template>" + b"<subform>" * 5000 + b"</subform>" * 5000 + b"</template>",
        b"plain words",
        b"\xff\xfe<\x00",
    ],
    ids=["cut off", "entities", "empty", "deep", "no XML", "other bytes"],
)
def test_what_is_no_form_says_nothing(packet: bytes) -> None:
    assert said(form(packet)) == []
