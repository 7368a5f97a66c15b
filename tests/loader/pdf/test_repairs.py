from __future__ import annotations

import zlib

import pytest

from src.loader import load
from src.loader.pdf.repairs import REPAIRED, was_repaired, with_new_end
from src.settings import Settings
from tests.loader.pdfs import content_pdf, written
from tests.loader.reading import read_text

WHOLE = written(["The pump was repaired in the spring."])


@pytest.mark.parametrize(
    "data",
    [
        WHOLE,
        b"\n\n" + WHOLE,
        content_pdf(b"BT /F1 12 Tf 60 780 Td (Text) Tj ET"),
        WHOLE.replace(b"startxref\n", b"startxref \r\n"),
    ],
)
def test_a_sound_file_is_not_called_repaired(data: bytes) -> None:
    assert not was_repaired(data)


@pytest.mark.parametrize(
    "data",
    [
        WHOLE[: WHOLE.rindex(b"xref\n0")],
        WHOLE[: WHOLE.rindex(b"xref\n0")].replace(b"/Type /Catalog", b"/Type /Lost"),
        WHOLE.replace(b"%PDF-", b"%PDF-1.4 junk junk junk junk\n%PDF-", 1).replace(b"junk ", b"", 1) + b"%",
        WHOLE[: WHOLE.rindex(b"startxref")] + b"startxref\n17\n%%EOF",
    ],
    ids=["cut off", "without a catalog", "pushed down", "wrong place"],
)
def test_a_repaired_file_says_so(data: bytes) -> None:
    assert was_repaired(data)
    document = list(load(data, "x.pdf", Settings(ocr="off")))[-1]
    assert document.pages[0].text == "The pump was repaired in the spring."
    assert REPAIRED in document.notes


def test_a_head_of_another_format_before_the_pdf_is_passed_over() -> None:
    data = b"Content-Type: multipart/mixed\r\n" + b"x" * 3000 + b"\r\n" + written(["The rent is 900 euros."])
    assert read_text(data) == "The rent is 900 euros."


def test_an_object_stream_with_half_a_place_does_not_end_the_repair() -> None:
    """The reading process died of it, and the rest of the file with it."""
    packed = zlib.compress(b"7 numbers")
    stream = b"90 0 obj\n<< /Type /ObjStm /N 2 /First 9 /Length %d >>\nstream\n%s\nendstream\nendobj\n"
    broken = WHOLE[: WHOLE.rindex(b"xref\n0")] + stream % (len(packed), packed)
    assert with_new_end(broken) is not None
    assert read_text(broken) == "The pump was repaired in the spring."
