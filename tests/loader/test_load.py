from __future__ import annotations

import threading

import numpy as np
import pytest

from src.loader import load
from src.records import Document, LoadError, Outcome, PageState, Progress
from src.settings import Settings
from tests.loader.pdfs import content_pdf, raw_pdf, written


def last(data: bytes, settings: Settings | None = None, password: str | None = None) -> Document:
    return list(load(data, "test.pdf", settings or Settings(), password=password))[-1]


def outcome(data: bytes, settings: Settings | None = None) -> Outcome:
    with pytest.raises(LoadError) as caught:
        list(load(data, "test.pdf", settings or Settings()))
    assert caught.value.message.endswith(".")
    return caught.value.outcome


def test_every_character_has_its_box() -> None:
    document = last(written(["The pump holds 40 litres."], ["Second page."]))
    page = document.pages[0]
    assert page.text == "The pump holds 40 litres."
    assert page.boxes.shape == (len(page.text), 4)
    assert np.array_equal(np.isnan(page.boxes[:, 0]), [c == " " for c in page.text])
    assert page.boxes[0][0] == pytest.approx(60, abs=1)
    assert 50 < page.boxes[0][1] < 62 < page.boxes[0][3] < 70  # baseline 842 - 780 = 62
    assert [p.state for p in document.pages] == [PageState.TEXT] * 2
    assert document.pending == ()


def test_progress_counts_pages() -> None:
    seen: list[Progress] = []
    list(load(written(["a b c"], ["d e f"]), "x", Settings(), on_progress=seen.append))
    assert [(p.stage, p.done, p.total) for p in seen if p.stage == "text"] == [("text", 1, 2), ("text", 2, 2)]


def test_cancel_ends_reading() -> None:
    cancel = threading.Event()
    cancel.set()
    assert list(load(written(["a"]), "x", Settings(), cancel=cancel)) == []


def test_outcomes() -> None:
    assert outcome(b"") is Outcome.EMPTY
    assert outcome(b"PK\3\4 this is a zip") is Outcome.NOT_A_PDF
    assert outcome(b"%PDF-1.7\nnothing of use") is Outcome.DAMAGED
    no_pages = raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])
    assert outcome(no_pages) is Outcome.EMPTY
    assert outcome(content_pdf(b"")) is Outcome.NO_TEXT
    assert outcome(written(["a"], ["b"]), Settings(max_pages=1)) is Outcome.TOO_LARGE
    assert outcome(b"%PDF-" + b"0" * 2**20, Settings(max_file_mb=1)) is Outcome.TOO_LARGE
