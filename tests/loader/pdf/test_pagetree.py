"""Page trees that count wrongly, hold nulls or loops, or are lost in part: no page is lost without a sentence."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from src.loader import load
from src.loader.pdf.opening import open_document
from src.loader.pdf.repairs import BROKEN_OFF, REPAIRED
from src.loader.render import close_workers, render_page
from src.records import LoadError, Outcome, PageState
from src.settings import Settings
from tests.loader.pdfs import packed_pdf, raw_pdf, stream_object, written
from tests.loader.reading import read_pages

_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
_PAGE = (
    b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 300 300] /Contents %d 0 R"
    b" /Resources << /Font << /F1 3 0 R >> >> >>"
)
_KIDS = b"/Kids [4 0 R 6 0 R 8 0 R 10 0 R]"
_NODE = b"<< /Type /Pages /Parent 2 0 R /Kids [%s] /Count %d >>"


def objects(root: bytes, *nodes: bytes, parents: tuple[int, ...] = (2, 2, 2, 2)) -> list[bytes]:
    """Objects of a file whose tree has the root ``root`` (object 2) and further ``nodes`` (from object 12); its four
    pages are objects 4, 6, 8 and 10."""
    made = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages " + root + b" >>", _FONT]
    for number, parent in enumerate(parents, 1):
        made.append(_PAGE % (parent, 3 + 2 * number))
        made.append(stream_object(b"BT /F1 12 Tf 60 200 Td (Words of page %d) Tj ET" % number))
    return [*made, *nodes]


def texts(data: bytes) -> list[str]:
    return [page.text for page in read_pages(data)]


def notes(data: bytes) -> tuple[str, ...]:
    return open_document(data).notes


ALL = [f"Words of page {number}" for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "made",
    [
        objects(_KIDS + b" /Count 2"),
        objects(_KIDS + b" /Count 2.5"),
        objects(_KIDS + b" /Count 0"),
        objects(_KIDS + b" /Count -4"),
        objects(_KIDS + b" /Count (many)"),
        objects(_KIDS),
        objects(_KIDS + b" /Count 9"),
        objects(b"/Kids 12 0 R /Count 3", b"[4 0 R 6 0 R 8 0 R 10 0 R]"),
        objects(b"/Kids [null 4 0 R 6 0 R null 8 0 R 10 0 R] /Count 4"),
        objects(b"/Kids [null 4 0 R 6 0 R null 8 0 R 10 0 R]"),
        objects(b"/Kids [2 0 R 4 0 R 6 0 R 8 0 R 10 0 R] /Count 4"),
        objects(b"/Kids [12 0 R 4 0 R 6 0 R 8 0 R 10 0 R] /Count 4", _NODE % (b"2 0 R", 1)),
        objects(b"/Kids [12 0 R 4 0 R 6 0 R 8 0 R 10 0 R] /Count 4", _NODE % (b"12 0 R", 1)),
        objects(b"/Kids [12 0 R 13 0 R]", _NODE % (b"4 0 R 6 0 R", 1), _NODE % (b"8 0 R 10 0 R", 1)),
        objects(b"/Kids [12 0 R 13 0 R] /Count 2", _NODE % (b"4 0 R 6 0 R", 2), _NODE % (b"8 0 R 10 0 R", 2)),
        objects(b"/Kids [4 0 R " + _PAGE % (2, 7) + b" 8 0 R 10 0 R] /Count 3"),
    ],
    ids=[
        "too small", "broken number", "none", "negative", "a string", "missing", "too large", "kids elsewhere", "nulls",
        "nulls without count", "root in itself", "root below itself", "node in itself", "nested without count",
        "nested too small", "a page in the node",
    ],
)  # fmt: skip
def test_every_page_of_a_wrong_tree_is_read(made: list[bytes]) -> None:
    for data in (raw_pdf(made), packed_pdf(made)):
        assert texts(data) == ALL


def test_a_file_that_counts_too_few_pages_says_so() -> None:
    (note,) = notes(raw_pdf(objects(_KIDS + b" /Count 1")))
    assert note == "This file says that it has 1 page, but 4 were found in it."


def test_a_file_that_counts_too_many_pages_says_so() -> None:
    (note,) = notes(raw_pdf(objects(_KIDS + b" /Count 9")))
    assert note.startswith("This file says that it has 9 pages, but only 4 could be found in it")


def test_pages_without_a_type_are_counted_too() -> None:
    data = raw_pdf(
        [body.replace(b"/Type /Page /", b"/Kind /Page /") for body in objects(_KIDS + b" /Count 2")]
    )
    assert texts(data) == ALL


def test_an_encrypted_file_that_counts_too_few_pages_is_read_whole() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, invariant=1, encrypt=StandardEncryption("", ownerPassword="owner"))
    for number in (1, 2, 3):
        canvas.drawString(60, 700, f"Words of page {number}")
        canvas.showPage()
    canvas.save()
    whole = stream.getvalue()
    small = whole.replace(b"/Count 3", b"/Count 1")
    assert small != whole
    assert texts(small) == ALL[:3]


def test_a_page_that_is_lost_is_said_to_be() -> None:
    data = raw_pdf(objects(b"/Kids [4 0 R 99 0 R 8 0 R 10 0 R] /Count 4"))
    document = list(load(data, "tree.pdf", Settings(ocr="off", tables=False)))[-1]
    assert [page.text for page in document.pages] == [ALL[0], "", ALL[2], ALL[3]]
    assert document.pages[1].state is PageState.UNREADABLE
    assert document.notes == ("Page 2 could not be read. Page 2 is damaged and could not be read.",)


def test_pages_of_a_node_that_is_lost_take_its_place() -> None:
    """PDFium gave three pages: the first, one for the lost node, and what is now the last."""
    made = objects(b"/Kids [4 0 R 99 0 R 10 0 R] /Count 4", parents=(2, 99, 99, 2))
    data = raw_pdf(made)
    assert texts(data) == ALL
    (note,) = notes(data)
    assert "no longer names 2 pages" in note


def test_pages_below_a_node_that_hung_on_a_lost_one_are_found() -> None:
    inner = b"<< /Type /Pages /Parent 99 0 R /Kids [6 0 R 8 0 R] /Count 2 >>"
    made = objects(b"/Kids [4 0 R 99 0 R 10 0 R] /Count 4", inner, parents=(2, 12, 12, 2))
    assert texts(raw_pdf(made)) == ALL


@pytest.mark.parametrize("root", [b"/Count 4", b""], ids=["counted", "not counted"])
def test_a_root_that_lost_its_kids_gets_all_pages_of_the_file(root: bytes) -> None:
    data = raw_pdf(objects(root))
    assert texts(data) == ALL
    assert any("no longer names 4 pages" in note for note in notes(data))


def test_deleted_pages_of_a_sound_file_stay_deleted() -> None:
    data = raw_pdf(objects(b"/Kids [4 0 R 10 0 R] /Count 2"))
    assert texts(data) == [ALL[0], ALL[3]]
    assert notes(data) == ()


def test_a_later_revision_with_more_pages_counts() -> None:
    first = raw_pdf(objects(b"/Kids [4 0 R 6 0 R] /Count 2"))
    changed = b"2 0 obj\n<< /Type /Pages %s /Count 4 >>\nendobj\n" % _KIDS
    before = int(first.rsplit(b"startxref\n", 1)[1].split()[0])
    table = (
        b"xref\n2 1\n%010d 00000 n \ntrailer\n<< /Size 12 /Root 1 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    )
    whole = first + changed + table % (len(first), before, len(first) + len(changed))
    assert texts(whole) == ALL
    assert notes(whole) == ()
    assert texts(first + changed) == ALL[:2]
    assert notes(first + changed) == (BROKEN_OFF,)


def test_a_damaged_file_says_how_many_pages_its_tree_no_longer_names() -> None:
    whole = raw_pdf(objects(b"/Kids [4 0 R 6 0 R] /Count 2"))
    cut = whole[: whole.rindex(b"xref\n0")]
    assert texts(cut) == ALL[:2]
    repaired, left = notes(cut)
    assert repaired == REPAIRED
    assert "does not name 2 pages more" in left


def test_a_damaged_file_without_any_page_is_not_called_empty() -> None:
    whole = packed_pdf(objects(_KIDS + b" /Count 4"))
    place = whole.index(b"/ObjStm")
    start = whole.index(b"stream\n", place) + 9
    broken = whole[:start] + b"\xff" * 200 + whole[start + 200 :]
    with pytest.raises(LoadError) as caught:
        list(load(broken, "tree.pdf", Settings()))
    assert caught.value.outcome is Outcome.DAMAGED


def test_the_viewer_draws_the_pages_that_were_found() -> None:
    data = raw_pdf(objects(_KIDS + b" /Count 1"))
    try:
        assert render_page(data, 4, dpi=36, settings=Settings()).width == 150
    finally:
        close_workers()


def test_the_viewer_draws_a_file_that_was_repaired() -> None:
    whole = written(["The pump was repaired in the spring."])
    cut = whole[: whole.rindex(b"xref\n0")].replace(b"/Type /Catalog", b"/Type /Lost")
    try:
        assert render_page(cut, 1, dpi=36, settings=Settings()).width > 0
    finally:
        close_workers()


def test_a_tree_that_doubles_at_every_level_does_not_hold_up_the_reader() -> None:
    nodes = [_NODE % (b"%d 0 R %d 0 R" % (number + 1, number + 1), 2) for number in range(12, 72)]
    made = objects(b"/Kids [12 0 R 12 0 R] /Count 4", *nodes, _NODE % (b"4 0 R", 1))
    assert open_document(raw_pdf(made)).pages == 4
