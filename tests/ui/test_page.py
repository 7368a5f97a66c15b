"""The page driven headlessly: the real app, the real loader, no weights."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from src.introduction import Introduction
from src.records import Answer, Sentence
from src.settings import ROOT, read_settings
from src.ui import desk as desk_module
from src.ui import page
from src.ui.chat import GROUP, ask, ask_again
from src.ui.desk import Desk
from src.ui.documents import page_ranges, take
from src.ui.tab import Tab
from src.ui.visitors import Exchange, Visitors
from src.ui.welcome import minutes, privacy
from tests.loader.pdfs import written

LEASE = written(["The monthly rent is 840 euros.", "The notice period is six weeks."])


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[AppTest]:
    """A fresh desk without models; an unexpected error that the page turned into a sentence surfaces here."""
    chosen = read_settings({}, env_file=None).model_copy(update={"model_backend": "off", "ocr": "off"})
    own = Desk(chosen)
    monkeypatch.setattr("src.ui.page.desk", lambda: own)
    assert desk_module.desk is not None
    yield AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    own.library.close()
    assert [r for r in caplog.records if r.levelno >= logging.ERROR and r.name.startswith("src.")] == []


def until(app: AppTest, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
        app.run()


def words(app: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in app.get("html"))


def test_the_empty_page_says_what_it_is_and_what_leaves_the_machine(app: AppTest) -> None:
    app.run()
    assert not app.exception
    assert "see where the answer stands" in words(app)
    assert "Nothing is sent anywhere else." in words(app)
    assert [b.label for b in app.button] == ["Try it with a sample report of four pages"]


def test_a_pdf_is_asked_and_answered_with_its_page(app: AppTest) -> None:
    app.run()
    app.file_uploader(key="upload-0").upload("lease.pdf", LEASE, "application/pdf").run()
    until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
    app.chat_input(key="question").set_value("How long is the notice period?").run()
    until(app, lambda: 'class="de-actions"' in words(app))
    assert "six weeks" in words(app)
    assert ">[p. 1]</a>" in words(app)


@pytest.mark.parametrize("offered", [True, False])
def test_the_web_is_offered_only_where_the_app_allows_it(app: AppTest, offered: bool) -> None:
    own = page.desk()
    own.settings = own.settings.model_copy(update={"web_search": offered})
    app.run()
    app.file_uploader(key="upload-0").upload("lease.pdf", LEASE, "application/pdf").run()
    until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
    assert [t.label for t in app.toggle] == (["Also look on the web"] if offered else [])


def test_a_long_chat_is_drawn_whole_with_few_elements(app: AppTest) -> None:
    app.run()
    app.file_uploader(key="upload-0").upload("lease.pdf", LEASE, "application/pdf").run()
    until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
    visitor = app.session_state["tab"].visitor
    for number in range(1, 26):
        answer = Answer(f"Question {number}?", (Sentence(f"Answer {number}."),), "answered")
        visitor.append(Exchange("", f"Question {number}?", (), answer=answer))
    app.run()
    shown = words(app)
    places = [shown.index(f">Question {n}?<") for n in range(1, 26)]
    assert places == sorted(places)
    assert all(f"Answer {n}." in shown for n in range(1, 26))
    assert shown.count('data-act="retry"') == 25
    assert shown.count('data-act="edit"') == 1, "only the last question can be edited"
    assert sum('class="question"' in str(e.proto.body) for e in app.get("html")) == 24 // GROUP + 5
    visitor.exchange("m3").feedback = "helpful"
    app.run()
    assert 'data-act="helpful" data-message="m3" aria-pressed="true"' in words(app)


def test_a_question_beside_a_running_one_is_not_lost_without_a_word(app: AppTest) -> None:
    app.run()
    app.file_uploader(key="upload-0").upload("lease.pdf", LEASE, "application/pdf").run()
    until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
    tab = app.session_state["tab"]
    running = tab.visitor.begin("First?", ())
    ask(page.desk(), tab, "Second?")
    assert tab.messages == ["Not asked, because an answer is still being written: Second?"]
    running.done.set()
    asked = tab.asked
    ask_again(page.desk(), tab, f"{asked + 1}:Third?")
    assert [e.question for e in tab.visitor.chat] == ["First?"], "it was told of a field that has moved on"
    ask_again(page.desk(), tab, f"{asked}:Third: what is it?")
    assert [e.question for e in tab.visitor.chat] == ["First?", "Third: what is it?"]
    assert tab.asked == asked + 1


def test_what_else_it_answers_stands_under_the_last_answer(app: AppTest) -> None:
    app.run()
    app.file_uploader(key="upload-0").upload("lease.pdf", LEASE, "application/pdf").run()
    until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
    visitor, holding = (
        app.session_state["tab"].visitor,
        page.desk().library.of(app.session_state["tab"].visitor.id)[0],
    )
    until(app, lambda: page.desk().introduced(holding.key) is not None)
    page.desk()._introductions[holding.key] = Introduction((), ("A?", "B & C?", "D?"))
    app.run()
    for _ in range(2):
        assert "Other questions it answers" not in words(app)
        visitor.append(Exchange("", "A?", (), answer=Answer("A?", (Sentence("Yes."),), "answered")))
        app.run()
    offered = words(app).split("Other questions it answers")[1]
    assert ">B &amp; C?</button>" in offered
    assert ">D?</button>" in offered
    assert ">A?</button>" not in offered


def test_a_file_that_is_no_pdf_gets_one_sentence(app: AppTest) -> None:
    app.run()
    app.file_uploader(key="upload-0").upload("x.pdf", b"hello", "application/pdf").run()
    until(app, lambda: 'class="status error' in words(app))
    assert not app.exception
    assert "Traceback" not in words(app)


def test_files_that_the_browser_tells_of_twice_are_added_once() -> None:
    desk = Desk(read_settings({}, env_file=None).model_copy(update={"model_backend": "off", "ocr": "off"}))
    tab = Tab(desk.visitors.new())
    for _ in range(2):
        take(desk, tab, 0, [(LEASE, "lease.pdf")])
    assert tab.messages == []
    assert [h.name for h in desk.library.of(tab.visitor.id)] == ["lease.pdf"]
    take(desk, tab, 1, [(LEASE, "lease.pdf")])
    assert tab.messages == ["lease.pdf is here already, as lease.pdf."]
    desk.library.close()


def test_pages_are_named_as_people_write_them() -> None:
    assert page_ranges([3]) == "page 3"
    assert page_ranges([5, 3, 4, 9]) == "pages 3–5 and 9"
    assert page_ranges(range(1, 40, 2)).endswith("14 more ranges")


def test_what_leaves_the_machine_names_model_and_host() -> None:
    chosen = read_settings(
        {"OPENAI_BASE_URL": "http://10.0.0.5:8000/v1", "DOCENGINE_MODEL": "m"}, env_file=None
    )
    assert privacy(chosen).endswith("go to m at 10.0.0.5:8000.")
    assert minutes(120) == "2 hours"
    assert minutes(1) == "1 minute"


def test_an_unknown_private_id_is_never_taken_up() -> None:
    visitors = Visitors(minutes=10)
    known = visitors.new()
    assert visitors.get(known.id) is known
    assert visitors.get("chosen-by-somebody") is None
    assert len(known.id) >= 32
    known.seen -= 601
    visitors.new()
    assert visitors.get(known.id) is None


def test_the_choice_of_all_documents_is_called_the_same_however_many_there_are(app: AppTest) -> None:
    app.run()
    for number in range(3):
        pdf = written([f"The rent of flat {number} is 84{number} euros."])
        app.file_uploader(key=f"upload-{number}").upload(f"flat-{number}.pdf", pdf, "application/pdf").run()
        until(app, lambda: bool(app.chat_input) and not app.chat_input[0].disabled)
        if number:
            until(app, lambda n=number: len(app.selectbox) == 1 and len(app.selectbox[0].options) == n + 2)
            assert app.selectbox[0].options[0] == "All documents"
