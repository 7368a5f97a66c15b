"""The library with the real loader, chunker and index, over PDFs made here; only the models are small."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count

import pytest

import src.library as library_module
from src.holding import Holding
from src.library import Library, LibraryFullError
from src.models import Models
from src.records import Document, Outcome, PageState
from src.settings import Settings, read_settings
from tests.factories import document_from_text
from tests.loader.pdfs import written


def made(**changes: object) -> Settings:
    return read_settings({}, env_file=None).model_copy(update={"ocr": "off", **changes})


@pytest.fixture
def open_library() -> Iterator[Callable[..., Library]]:
    opened: list[Library] = []

    def open_one(**changes: object) -> Library:
        opened.append(Library(made(**changes), Models))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def until(condition: Callable[[], object], seconds: float = 100.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def settled(holding: Holding) -> Holding:
    until(lambda: not holding.working)
    return holding


NOTICE = written(["The notice period is six weeks."], ["Rent is due on the third of each month."])


def test_a_file_becomes_a_document_that_can_be_asked(open_library: Callable[..., Library]) -> None:
    holding = settled(open_library().add(NOTICE, "lease.pdf"))
    assert holding.error is None
    assert holding.complete
    assert holding.index is not None
    assert [p.text for p in holding.index.document.pages] == [
        "The notice period is six weeks.",
        "Rent is due on the third of each month.",
    ]
    assert holding.index.chunks


def test_the_same_file_is_read_once_for_one_owner_and_never_shared_with_another(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    first = library.add(NOTICE, "lease.pdf", owner="ann")
    assert library.add(NOTICE, "copy.pdf", owner="ann") is first
    other = library.add(NOTICE, "secret name.pdf", owner="bob")
    assert other is not first
    assert [h.name for h in library.of("ann")] == ["lease.pdf"]


def test_a_file_without_text_or_not_a_pdf_ends_in_one_sentence(open_library: Callable[..., Library]) -> None:
    library = open_library()
    for data, outcome in ((b"", Outcome.EMPTY), (b"hello", Outcome.NOT_A_PDF)):
        holding = settled(library.add(data, "x.pdf"))
        assert holding.error is not None
        assert holding.error.outcome is outcome
        assert holding.error.message.count(". ") <= 1
        assert holding.index is None
        assert holding.data == b""


def test_a_password_opens_a_document_only_for_its_bearer(open_library: Callable[..., Library]) -> None:
    import io

    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    stream = io.BytesIO()
    canvas = Canvas(stream, encrypt=StandardEncryption("open sesame", strength=128))
    canvas.drawString(60, 700, "The treasure is under the oak.")
    canvas.save()
    data = stream.getvalue()
    library = open_library()
    locked = settled(library.add(data, "map.pdf", owner="ann"))
    assert locked.error is not None
    assert locked.error.outcome is Outcome.NEEDS_PASSWORD
    wrong = settled(library.unlock(locked.key, "wrong"))
    assert wrong.error is not None
    assert wrong.error.outcome is Outcome.NEEDS_PASSWORD
    opened = settled(library.unlock(wrong.key, "open sesame"))
    assert opened.document is not None
    assert "oak" in opened.document.pages[0].text
    assert library.of("ann") == (opened,)
    again = settled(library.add(data, "map.pdf", owner="ann"))
    assert again.error is not None, "the file alone must not open what a password opened"


def test_limits_of_count_size_and_memory_are_said_in_a_sentence(open_library: Callable[..., Library]) -> None:
    library = open_library(max_documents=1)
    first = library.add(NOTICE, "lease.pdf", owner="ann")
    with pytest.raises(LibraryFullError, match="1 document is held already"):
        library.add(written(["Other."]), "other.pdf", owner="ann")
    library.add(NOTICE, "lease.pdf", owner="bob")
    library.remove(first.key)
    library.add(written(["Other."]), "other.pdf", owner="ann")
    big = b"%PDF-1.4 " + b"x" * 2**20
    with pytest.raises(LibraryFullError, match="files up to 1 MB"):
        open_library(max_file_mb=1).add(big, "big.pdf")
    with pytest.raises(LibraryFullError, match=r"memory limit allows \(1 MB\)"):
        open_library(hold_mb=1).add(big, "big.pdf")


def test_documents_go_after_their_time_without_use(open_library: Callable[..., Library]) -> None:
    library = open_library(hold_minutes=1.0)
    holding = settled(library.add(NOTICE, "lease.pdf"))
    holding.used -= 61
    library.add(written(["Another."]), "other.pdf")
    assert library.get(holding.key) is None
    assert holding.index is None
    assert holding.data == b""


def test_removing_lets_everything_go_and_tells_the_caches_once_nobody_holds_it() -> None:
    gone: list[str] = []
    library = Library(made(), Models, on_remove=gone.append)
    ann, bob = (settled(library.add(NOTICE, "lease.pdf", owner=owner)) for owner in ("ann", "bob"))
    library.remove(ann.key)
    assert gone == []
    assert ann.index is None
    assert ann.data == b""
    library.remove(bob.key)
    assert gone == [bob.digest]
    assert library.size == 0
    library.close()


def test_renaming_reaches_the_snapshot_that_answers_name(open_library: Callable[..., Library]) -> None:
    holding = settled(open_library().add(NOTICE, "lease.pdf"))
    before = holding.index
    holding.rename("Lease 2026")
    assert holding.index is not None
    assert holding.index.document.name == "Lease 2026"
    assert before is not None
    assert before.document.name == "lease.pdf", "a snapshot in use never changes"


def test_twenty_uploads_do_not_start_twenty_parsers(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    running, most, lock = 0, 0, threading.Lock()
    names = count(1)

    def load(data: bytes, name: str, settings: Settings, **_: object) -> Iterator[Document]:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        try:
            time.sleep(0.01)
            yield document_from_text(f"Text number {next(names)}.", name=name)
        finally:
            with lock:
                running -= 1

    monkeypatch.setattr(library_module, "load", load)
    library = open_library()
    holdings = [library.add(b"%PDF" + bytes([i]), f"{i}.pdf") for i in range(20)]
    until(lambda: all(h.complete for h in holdings))
    assert 1 <= most <= library_module.READERS


def test_every_text_is_read_before_tables_and_ocr_are_gone_into(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    order: list[str] = []
    gate = threading.Event()

    def load(data: bytes, name: str, settings: Settings, **_: object) -> Iterator[Document]:
        gate.wait()
        document = document_from_text(f"Text of {name}.", name=name)
        order.append(f"text {name}")
        yield replace(document, pending=("tables",))
        order.append(f"tables {name}")
        yield replace(document, revision=1)

    monkeypatch.setattr(library_module, "load", load)
    library = open_library()
    holdings = [library.add(b"%PDF" + bytes([i]), str(i)) for i in range(6)]
    gate.set()
    until(lambda: all(h.complete for h in holdings))
    first_table = next(i for i, step in enumerate(order) if step.startswith("tables"))
    # The other reader may still be at the last text when the first has none left to take.
    assert first_table >= 6 - (library_module.READERS - 1)
    assert all(h.document is not None and h.document.revision == 1 for h in holdings)


def test_an_older_snapshot_never_replaces_a_newer_one(open_library: Callable[..., Library]) -> None:
    holding = settled(open_library().add(NOTICE, "lease.pdf"))
    standing = holding.index
    assert standing is not None
    revision = standing.document.revision
    assert not holding._swap(standing, revision - 1)
    assert holding._swap(standing, revision)


def test_an_unexpected_error_is_logged_with_the_id_that_the_reader_sees(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def load(*_: object, **__: object) -> Iterator[Document]:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(library_module, "load", load)
    library = open_library()
    holding = settled(library.add(NOTICE, "lease.pdf"))
    assert holding.error is not None
    assert holding.error.outcome is Outcome.CRASH
    assert holding.error.incident
    assert holding.error.incident in holding.error.message
    assert holding.error.incident in caplog.text
    assert "ZeroDivisionError: a bug" in caplog.text
    monkeypatch.undo()
    assert settled(library.add(written(["Fine."]), "fine.pdf")).error is None, "the reader thread lives on"


def test_a_reading_that_is_ended_keeps_what_is_read_and_names_the_rest(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    holding = library.add(written(*[[f"Gate {n} has a keeper."] for n in range(1, 301)]), "gates.pdf")
    until(lambda: holding.progress is not None and holding.progress.done >= 2)
    library.finish(holding.key)
    settled(holding)
    assert holding.document is not None
    assert holding.document.pages[0].text == "Gate 1 has a keeper."
    assert holding.document.pages_in(PageState.PENDING) == ()
    assert holding.document.unread, "300 pages cannot be read between two looks"
    assert any("reading was stopped" in note for note in holding.document.notes)
    # The rest is read later, and what stood until then stays in place while it is.
    library.reread(holding.key)
    standing = holding.index
    assert standing is not None
    settled(holding)
    assert holding.document.unread == ()
    assert holding.document.revision > standing.document.revision
    assert not any("reading was stopped" in note for note in holding.document.notes)


def test_ending_a_reading_that_waits_keeps_the_text_that_stands(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    begun, gate = threading.Event(), threading.Event()

    def load(data: bytes, name: str, settings: Settings, **_: object) -> Iterator[Document]:
        document = document_from_text(f"Text of {name}.", "A scan.", name=name)
        scan = replace(document.pages[1], state=PageState.PENDING)
        yield replace(document, pages=(document.pages[0], scan), pending=("ocr",))
        begun.set()
        gate.wait(60)
        yield replace(document, revision=1)

    monkeypatch.setattr(library_module, "load", load)
    library = open_library()
    library.add(b"%PDF first", "first")
    begun.wait(60)  # the only reader of scans is busy
    waiting = library.add(b"%PDF second", "second")
    until(lambda: waiting.index is not None and waiting in library._deepening)
    library.finish(waiting.key)
    settled(waiting)
    gate.set()
    assert waiting.document is not None
    assert waiting.document.pages[0].text == "Text of second."
    assert waiting.document.pages_in(PageState.UNREADABLE) == (2,)
    assert waiting.document.notes[-1] == "Page 2 was not read, because reading was stopped."


def test_a_document_is_read_again_with_ocr_and_is_asked_as_before_until_then(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    gate = threading.Event()

    def load(data: bytes, name: str, settings: Settings, **_: object) -> Iterator[Document]:
        anew = settings.ocr_pages == "all"
        document = document_from_text("What OCR sees." if anew else "Wh4t th3 l4y3r s4ys.", name=name)
        yield replace(document, pending=("ocr",) if anew else ())
        if anew:
            gate.wait(60)
            yield replace(document, revision=1)

    monkeypatch.setattr(library_module, "load", load)
    library = open_library()
    holding = settled(library.add(b"%PDF", "x"))
    library.reread(holding.key, ocr_all=True)
    assert holding.working
    time.sleep(0.1)
    assert holding.document is not None
    assert holding.document.pages[0].text == "Wh4t th3 l4y3r s4ys."
    gate.set()
    settled(holding)
    assert holding.document.pages[0].text == "What OCR sees."
