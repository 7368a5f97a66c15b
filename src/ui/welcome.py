"""The first minute: the empty page, and what a document says of itself before the first question."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

import streamlit as st

from src.holding import Holding
from src.introduction import Introduction, titled
from src.records import Document
from src.settings import ROOT, Settings
from src.ui.chat import ask
from src.ui.desk import Desk
from src.ui.documents import add, coverage, held_as, missing_pages, uploader
from src.ui.markup import text
from src.ui.problems import guarded
from src.ui.tab import Tab

NEXT = 2
SCROLLED = 2  # exchanges after which the introduction is out of sight
SAMPLE = ROOT / "assets" / "harbour-library-report.pdf"


def first_minute(desk: Desk, tab: Tab) -> None:
    """The empty page: what this is, where to drop a PDF, a sample, what leaves the machine."""
    with st.container(key="first-minute"):
        st.html(f"<h1>Ask your PDF, and see where the answer stands</h1><p>{_promise(desk.settings)}</p>")
        if tab.lost:
            st.html(
                '<p class="notice" role="status">Your earlier documents and chat are no longer here: they are kept for '
                f"{minutes(desk.settings.hold_minutes)} after their last use and end with the app.</p>"
            )
        uploader(desk, tab, "Drop PDFs here, or choose them", shown=True)
        st.button(
            "Try it with a sample report of four pages",
            key="sample",
            on_click=guarded(_add_sample),
            args=(desk, tab),
        )
        st.html(f'<p class="privacy">{text(privacy(desk.settings))}</p>')


def _promise(settings: Settings) -> str:
    if settings.uses_model:
        return "Each answer is held against the document, and what it rests on is marked on its page."
    return "Each answer quotes the document, and each quote is marked on its page."


def _add_sample(desk: Desk, tab: Tab) -> None:
    add(desk, tab, _sample(), "Harbour Library report.pdf")


@lru_cache(maxsize=1)
def _sample() -> bytes:
    return SAMPLE.read_bytes()


def privacy(settings: Settings) -> str:
    """What leaves the machine, in one or two sentences."""
    kept = (
        f"Files stay in this app's memory, for at most {minutes(settings.hold_minutes)} after their last use."
    )
    if not settings.uses_model:
        sent = "Nothing is sent anywhere else."
    else:
        host = urlsplit(settings.openai_base_url).netloc or "api.openai.com"
        sent = f"Questions and the passages found for them go to {settings.model} at {host}."
    if settings.web_search:
        sent += " A web search, when you allow it, sends the question to a search engine."
    return f"{kept} {sent}"


def minutes(value: float) -> str:
    """A time in words."""
    if value >= 120 and value % 60 == 0:
        return f"{value / 60:g} hours"
    return "1 minute" if value == 1 else f"{value:g} minutes"


def introduction_card(desk: Desk, tab: Tab, holding: Holding) -> None:
    """Title, pages, what was read and what not, a few sentences of its own, and questions to begin with."""
    document = holding.document
    if document is None:
        return
    made = desk.introduction(holding)
    with st.container(key="introduction", gap="small"):
        st.html(_card(document, made, holding.key[:12], waiting=tab.visitor.running is not None))
        missing_pages(desk, tab, holding)


def _suggestions(questions: Sequence[str], key: str, waiting: bool, kind: str = "") -> str:
    """Questions as buttons, whose presses come back through the bridge with the words that were read on them."""
    off = " disabled" if waiting else ""
    buttons = "".join(
        f'<li><button type="button" dir="auto" data-act="suggestion" data-message="{key}:{text(q)}"{off}>{text(q)}</button></li>'
        for q in questions
    )
    return f'<ul class="suggestions {kind}">{buttons}</ul>'


def next_questions(desk: Desk, tab: Tab, holding: Holding) -> None:
    """Under the last answer, what can still be asked: the introduction has long been scrolled away."""
    made, chat = desk.introduced(holding.key), tab.visitor.chat
    if made is None or len(chat) < SCROLLED or tab.visitor.running is not None:
        return
    asked = {exchange.question for exchange in chat}
    if left := [q for q in made.questions if q not in asked][:NEXT]:
        st.html(
            f'<p class="lead">Other questions it answers</p>{_suggestions(left, holding.key[:12], False, "more-questions")}'
        )


def ask_suggestion(desk: Desk, tab: Tab, pressed: str) -> None:
    """Ask a suggested question, ``KEY:QUESTION``, of its document."""
    key, _, question = pressed.partition(":")
    if holding := held_as(desk, tab, key):
        ask(desk, tab, question, (holding.key,))


def _card(document: Document, made: Introduction | None, key: str, *, waiting: bool) -> str:
    title = titled(document) or document.name
    count = len(document.pages)
    facts = f"{count:,} page{'s' if count != 1 else ''}; {coverage(document)}."
    notes = "".join(f'<li dir="auto">{text(note)}</li>' for note in document.notes)
    listed = f'<ul class="notes">{notes}</ul>' if notes else ""
    if made is None:
        body = '<p class="state working" role="status">Looking for what it is about …</p>'
    else:
        excerpts = "".join(
            f'<p dir="auto">{text(e.text)} <a class="cite" href="#intro-{key}-{number}"'
            f' title="Show {text(e.label)}">[{text(e.label)}]</a></p>'
            for number, e in enumerate(made.summary, start=1)
        )
        body = f'<div class="prose small">{excerpts}</div>' if excerpts else ""
        if made.questions:
            body += f'<p class="lead">Questions it answers</p>{_suggestions(made.questions, key, waiting)}'
        elif not made.complete:
            body += '<p class="state working" role="status">Looking for questions it answers …</p>'
    return (
        f'<section class="card" aria-label="About this document"><h2 dir="auto">{text(title)}</h2>'
        f'<p class="facts-line">{text(facts)}</p>{listed}{body}</section>'
    )
