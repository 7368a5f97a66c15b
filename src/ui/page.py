"""The page as a whole: documents at the side, chat on the left, pages on the right."""

from __future__ import annotations

import logging
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from src.settings import Settings, SettingsError
from src.ui import chat
from src.ui.bridge import bridge
from src.ui.desk import Desk, desk
from src.ui.documents import document_list, uploader
from src.ui.tab import Tab, open_tab
from src.ui.viewing import viewer_pane

log = logging.getLogger(__name__)

STYLE = Path(__file__).parent / "static" / "page.css"


def draw() -> None:
    """Draw the page for one tab. An unexpected error is logged and shown as one sentence with its id."""
    st.set_page_config(page_title="DocEngine", page_icon="📖", layout="wide", initial_sidebar_state="auto")
    try:
        _draw(desk())
    except SettingsError as error:
        st.error(f"{error} Change it and start the app again.")
    except Exception:
        incident = uuid.uuid4().hex[:8]
        log.exception("the page could not be drawn (incident %s)", incident)
        st.error(f"Something went wrong on this page (error {incident}). Reload it to go on.")


def _draw(desk: Desk) -> None:
    st.html(STYLE)
    tab = open_tab(desk)
    bridge(desk, tab, lambda name, message: chat.act(desk, st.session_state["tab"], name, message))
    for message in tab.messages:
        st.toast(message, duration="long")
    tab.messages.clear()
    held = desk.library.of(tab.visitor.id)
    tab.drawn = _signature(desk, tab)
    pulse(desk, tab, busy=tab.visitor.running is not None or any(h.working for h in held))
    if not held:
        first_minute(desk, tab)
        return
    with st.sidebar:
        sidebar(desk, tab)
    left, right = st.columns([1, 1], gap="medium")
    with left, st.container(key="chat-pane"):
        with st.container(key="talk", height=500, border=False, autoscroll=True):
            chat.conversation(desk, tab)
        chat.question_field(desk, tab)
    with right:
        viewer_pane(desk, tab)


def _signature(desk: Desk, tab: Tab) -> object:
    """What the page depends on beside the tab's own state; when it changes, the page is drawn again."""
    held = desk.library.of(tab.visitor.id)
    return (
        tab.visitor.version,
        tuple((h.key, h.error, h.complete, h.document.revision if h.document else None) for h in held),
    )


def pulse(desk: Desk, tab: Tab, *, busy: bool) -> None:
    """Look regularly whether something happened elsewhere: a document read, an answer come, another tab.

    This is the only place that asks for a redraw, and never while the page is being drawn: a drawing that is
    broken off leaves the browser with elements whose places it has never heard of.
    """
    drawing = True

    @st.fragment(run_every=0.3 if busy else 2.0)
    def beat() -> None:
        if not drawing and _signature(desk, tab) != tab.drawn:
            st.rerun()

    beat()
    drawing = False


def first_minute(desk: Desk, tab: Tab) -> None:
    """The empty page: what this is, where to drop a PDF, what leaves the machine."""
    with st.container(key="first-minute"):
        st.html(
            "<h1>Ask a PDF, and see where the answer stands</h1>"
            "<p>Every quote is looked up on its page and marked there before you read it.</p>"
        )
        if tab.lost:
            st.html(
                '<p class="notice">Your earlier documents and chat are no longer here: they are kept for '
                f"{_minutes(desk.settings.hold_minutes)} after the last use, and end with the app.</p>"
            )
        uploader(desk, tab, "Add PDFs")
        st.html(f'<p class="privacy">{privacy(desk.settings)}</p>')


def privacy(settings: Settings) -> str:
    """What leaves the machine, in one or two sentences."""
    kept = f"Files stay in this app's memory, at most {_minutes(settings.hold_minutes)} after their last use."
    if not settings.uses_model:
        return f"{kept} Nothing is sent anywhere else."
    host = urlsplit(settings.openai_base_url).netloc or "api.openai.com"
    return f"{kept} Questions and the passages found for them go to {settings.model} at {host}."


def _minutes(minutes: float) -> str:
    if minutes >= 120 and minutes % 60 == 0:
        return f"{minutes / 60:g} hours"
    return f"{minutes:g} minutes"


def sidebar(desk: Desk, tab: Tab) -> None:
    """The documents, with their progress."""
    st.html('<p class="brand">DocEngine</p>')
    uploader(desk, tab, "Add PDFs")

    @st.fragment(run_every=0.5 if any(h.working for h in desk.library.of(tab.visitor.id)) else None)
    def rows() -> None:
        document_list(desk, tab)

    rows()
    st.html(f'<p class="privacy">{privacy(desk.settings)}</p>')
