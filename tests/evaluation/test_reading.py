"""The reading measure counts what is missing, out of order, or should not be there."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from evaluation import reading
from evaluation.independent_text import IndependentDocument, find_pdf

GOLD = reading.GoldPage(
    doc="made",
    page=1,
    layout="columns",
    phrases=("the first ferry", "leaves at dawn", "the second ferry", "waits for mail"),
    anywhere=("Table of ferries",),
    absent=("dawnthe", "leaves at dawn the second"),
)


def test_a_page_read_well_is_whole() -> None:
    text = "The  first\nferry leaves at dawn.\n\nThe second ferry waits for mail.\n\nTable of ferries"
    read = reading.judge(GOLD, text)
    assert read.missing == ()
    assert read.wrong == ()
    assert {name: ratio.above / ratio.below for name, ratio in read.values().items()} == {
        "recall": 1.0,
        "order": 1.0,
        "clean": 1.0,
    }


def test_missing_phrases_and_glued_words_are_counted() -> None:
    read = reading.judge(GOLD, "the first ferry leaves at dawnthe secondferry waits for mail")
    assert read.missing == ("leaves at dawn", "the second ferry", "Table of ferries")
    assert read.wrong == ("dawnthe",)
    assert read.values()["recall"] == (2, 5)
    assert read.values()["order"] == (2, 2)
    assert read.values()["clean"] == (1, 2)


def test_columns_read_across_are_out_of_order() -> None:
    read = reading.judge(
        GOLD, "the first ferry the second ferry leaves at dawn waits for mail Table of ferries"
    )
    assert read.missing == ()
    assert read.values()["order"] == (3, 4)


def test_part_of_a_word_is_no_place() -> None:
    assert reading.places("the dock", "to the docks; the dock") == [14]


def test_quotes_dashes_ligatures_and_case_do_not_count() -> None:
    assert reading.plain("“Oﬀice” – it’s\tHere") == '"office" - it\'s here'


@pytest.mark.parametrize(
    ("places_of", "length"),
    [
        ([[1], [2], [3]], 3),
        ([[3], [2], [1]], 1),
        ([[5], [1, 6], [2, 7]], 3),
        ([[4], [], [4]], 1),
        ([[1, 2, 3], [1, 2, 3]], 2),
        ([], 0),
    ],
)
def test_the_longest_run_takes_one_place_a_phrase(places_of: list[list[int]], length: int) -> None:
    assert reading.longest_run(places_of) == length


def test_a_made_pdf_is_read_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, pdfs = tmp_path / "gold", tmp_path / "pdfs"
    gold.mkdir()
    pdfs.mkdir()
    canvas = Canvas(str(pdfs / "ferries.pdf"), pagesize=A5)
    for i, line in enumerate(("The first ferry leaves at dawn with the mail", "and returns in the evening.")):
        canvas.drawString(40, 500 - 14 * i, line)
    canvas.save()
    wanted = {
        "doc": "ferries",
        "page": 1,
        "layout": "prose",
        "phrases": ["first ferry leaves", "with the mail and returns", "by night"],
        "anywhere": [],
        "absent": ["mailand"],
    }
    (gold / "ferries-1.json").write_text(json.dumps(wanted), encoding="utf-8")
    pages = reading.read_gold(gold)
    monkeypatch.setattr(reading, "read_gold", lambda: pages)
    out = tmp_path / "report.json"
    assert reading.main(["--pdfs", str(pdfs), "--out", str(out)]) == 0
    (page,) = json.loads(out.read_text(encoding="utf-8"))["pages"]
    assert page["missing"] == ["by night"]
    assert (page["found"], page["in_order"], page["wrong"]) == (2, 2, [])
    assert "2 of 3 found" in capsys.readouterr().out


def test_the_committed_pages_are_well_formed() -> None:
    pages = reading.read_gold()
    assert len(pages) >= 40
    assert len({page.doc for page in pages}) >= 12
    for page in pages:
        where = f"{page.doc} page {page.page}"
        phrases = (*page.phrases, *page.anywhere)
        assert len(page.absent) == 5, where
        assert len(set(phrases)) == len(phrases), where
        assert all(len(phrase.split()) <= 9 for phrase in phrases), where
        text = reading.plain(" \n ".join(phrases))
        assert not [string for string in page.absent if reading.plain(string) in text], where


@pytest.fixture
def corpus() -> Path:
    """The folder of the evaluation's PDFs."""
    folder = os.environ.get("DOCENGINE_CORPUS")
    if not folder:
        pytest.skip("DOCENGINE_CORPUS names no folder of PDFs")
    return Path(folder)


@pytest.mark.corpus
@pytest.mark.timeout(400)
def test_the_committed_phrases_stand_on_their_pages(corpus: Path) -> None:
    """An independent reading holds every phrase; scans and Arabic are left out, poppler cannot confirm them."""
    missing = []
    documents: dict[str, IndependentDocument] = {}
    for page in reading.read_gold():
        if page.layout == "scan" or page.doc == "arabic-rtl":
            continue
        if page.doc not in documents:
            documents[page.doc] = IndependentDocument(find_pdf(page.doc, [corpus]))
        forms = [
            form
            for view in documents[page.doc].views[page.page - 1]
            for form in (squashed(view), squashed(re.sub(r"-\s*\n\s*", "", view)))
        ]
        missing += [
            (page.doc, page.page, phrase)
            for phrase in (*page.phrases, *page.anywhere)
            if not any(squashed(phrase) in form for form in forms)
        ]
    assert missing == []


def squashed(text: str) -> str:
    """``text`` as phrases are compared, without any space: line ends are not the point here."""
    return reading.plain(text).replace(" ", "")
