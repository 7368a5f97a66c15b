from __future__ import annotations

import functools
import threading

import numpy as np
import pytest

from src.loader import load, reading
from src.loader.process import Worker
from src.records import Document, LoadError, Outcome, PageState, Progress
from src.settings import Settings
from tests.loader.pdfs import content_pdf, raw_pdf, stream_object, written


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


def test_finish_keeps_what_is_read_and_names_what_is_not() -> None:
    finish = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.done >= 3:
            finish.set()

    data = written(*[[f"Gate {number} has its own keeper."] for number in range(1, 21)])
    *_, document = load(data, "gates.pdf", Settings(), on_progress=watch, finish=finish)
    assert document.pending == ()
    read = document.pages_in(PageState.TEXT)
    assert read == tuple(range(1, len(read) + 1))
    assert 3 <= len(read) < 20
    assert document.unread == tuple(range(len(read) + 1, 21))
    (note,) = document.notes
    assert note == f"Pages {len(read) + 1}-20 were not read, because reading was stopped."


def test_outcomes() -> None:
    assert outcome(b"") is Outcome.EMPTY
    assert outcome(b"PK\3\4 this is a zip") is Outcome.NOT_A_PDF
    assert outcome(b"%PDF-1.7\nnothing of use") is Outcome.DAMAGED
    no_pages = raw_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])
    assert outcome(no_pages) is Outcome.EMPTY
    assert outcome(content_pdf(b"")) is Outcome.NO_TEXT
    assert outcome(written(["a"], ["b"]), Settings(max_pages=1)) is Outcome.TOO_LARGE
    assert outcome(b"%PDF-" + b"0" * 2**20, Settings(max_file_mb=1)) is Outcome.TOO_LARGE


def test_a_page_that_holds_up_the_worker_costs_that_page_alone_and_one_that_kills_it_is_read_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "Worker", functools.partial(Worker, module="tests.loader.bad_pages"))
    document = last(
        written(["Page one."], ["Page two."], ["Page three."], ["Page four."]), Settings(page_seconds=3)
    )
    assert [page.state for page in document.pages] == ["text", "text", "unreadable", "text"]
    assert [page.reason for page in document.pages[1:3]] == [
        "The page stopped the reader. A second reader (pdfplumber) could read it.",
        "The page took too long to read.",
    ]
    assert document.pages[1].text == "Page two."
    assert document.pages[3].text == "Page four."
    assert document.unread == (3,)
    assert document.notes == ("Page 3 could not be read. The page took too long to read.",)


def test_facts_that_kill_the_worker_cost_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "Worker", functools.partial(Worker, module="tests.loader.bad_facts"))
    document = last(written(["Page one."], ["Page two."]), Settings())
    assert [page.text for page in document.pages] == ["Page one.", "Page two."]


def test_embedded_pdfs_are_offered() -> None:
    inner = written(["Inside."])
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(inner.pdf) 6 0 R] >> >> >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R"
        b" /Resources << /Font << /F1 3 0 R >> >> >>",
        stream_object(b"BT /F1 10 Tf 60 700 Td (A portfolio of files.) Tj ET"),
        b"<< /Type /Filespec /F (inner.pdf) /UF (inner.pdf) /EF << /F 7 0 R >> >>",
        stream_object(inner, b"/Type /EmbeddedFile"),
    ]
    document = last(raw_pdf(objects))
    assert [(a.name, a.data) for a in document.attachments] == [("inner.pdf", inner)]
    assert document.notes == ("This file holds another PDF, which is not read with it: inner.pdf.",)


def test_hidden_text_is_named_in_the_notes() -> None:
    content = b"BT /F1 10 Tf 60 700 Td (Seen.) Tj 3 Tr 0 -20 Td (Unseen.) Tj ET"
    assert last(content_pdf(content)).notes == ("Hidden or struck-out text on page 1 was left out.",)
