"""Text that a clip path cuts away is hidden text; what is left to see is not."""

from __future__ import annotations

import pytest

from tests.loader.pdfs import content_pdf, raw_pdf, stream_object
from tests.loader.reading import read_pages

_SEEN = b"BT /F1 12 Tf 60 700 Td (Seen words) Tj ET "
_WORDS = b"BT /F1 12 Tf 60 600 Td (Other words) Tj ET Q"
_IN_FORM = b"BT /F1 12 Tf 10 10 Td (Other words) Tj ET"


def in_form(matrix: bytes, box: bytes, content: bytes, before: bytes = b"") -> bytes:
    """A page with ``_SEEN`` and, after ``before``, a form XObject with ``content``."""
    extra = b"/Type /XObject /Subtype /Form /BBox [%s] /Matrix [%s] /Resources << /Font << /F1 3 0 R >> >>"
    return raw_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
            b" /Resources << /Font << /F1 3 0 R >> /XObject << /X 6 0 R >> >> >>",
            stream_object(_SEEN + before + b" /X Do"),
            stream_object(content, extra % (box, matrix)),
        ]
    )


def clipped(path: bytes) -> bytes:
    return content_pdf(_SEEN + b"q " + path + b" W n " + _WORDS)


@pytest.mark.parametrize(
    "data",
    [
        clipped(b"50 50 100 100 re"),
        clipped(b"0 0 0 0 re"),
        clipped(b"50 590 300 30 re W n 50 50 100 100 re"),
        clipped(b"50 50 m 150 50 l 100 150 l h"),
        content_pdf(_SEEN + b"q .5 0 0 .5 0 0 cm 100 100 200 200 re W n 2 0 0 2 0 0 cm " + _WORDS),
        content_pdf(_SEEN + b"q 50 50 100 100 re W n 0 g 50 590 300 30 re f " + _WORDS),
        in_form(b"1 0 0 1 0 0", b"0 50 100 90", _IN_FORM),
        in_form(b"2 0 0 2 100 100", b"0 0 100 300", b"0 200 50 50 re W n " + _IN_FORM, b"1 0 0 1 50 300 cm"),
        in_form(b"1 0 0 1 100 400", b"0 0 100 30", _IN_FORM, b"0 0 50 50 re W n"),
    ],
    ids=[
        "elsewhere", "empty", "one in the other", "no rectangle", "scaled", "with what lies behind", "box of a form",
        "in a form", "around a form",
    ],
)  # fmt: skip
def test_clipped_text_is_hidden(data: bytes) -> None:
    (page,) = read_pages(data)
    assert page.text == "Seen words"
    assert page.hidden == "Other words"


@pytest.mark.parametrize(
    "data",
    [
        clipped(b"50 590 300 30 re"),
        clipped(b"60 600 300 30 re"),
        clipped(b"60 590 45 30 re"),
        clipped(b"50 590 m 400 590 l 400 620 l 50 620 l h"),
        clipped(b""),
        content_pdf(_SEEN + b"q 50 50 100 100 re W n Q q " + _WORDS),
        content_pdf(_SEEN + b"q .5 0 0 .5 0 0 cm 100 1180 600 60 re W n 2 0 0 2 0 0 cm " + _WORDS),
        content_pdf(_SEEN + b"q 0 0 595 842 re W n 50 590 300 30 re W n " + _WORDS, page=b"/Rotate 90"),
        in_form(b"1 0 0 1 0 0", b"0 0 100 30", _IN_FORM),
        in_form(b"2 0 0 2 100 100", b"0 0 100 30", _IN_FORM, b"1 0 0 1 50 300 cm"),
        in_form(b"2 0 0 2 100 100", b"0 0 100 300", b"0 0 90 50 re W n " + _IN_FORM, b"1 0 0 1 50 300 cm"),
        in_form(b"1 0 0 1 100 400", b"0 0 100 30", _IN_FORM, b"100 400 100 30 re W n"),
    ],
    ids=[
        "around it", "at its edge", "its beginning", "a path around it", "no path", "clip given up", "scaled", "turned",
        "form", "moved form", "in a form", "around a form",
    ],
)  # fmt: skip
def test_text_that_a_clip_leaves_is_seen(data: bytes) -> None:
    (page,) = read_pages(data)
    assert page.text.split() == ["Seen", "words", "Other", "words"]
    assert page.hidden == ""
