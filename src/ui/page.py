"""The page as a whole: documents at the side, chat on the left, pages on the right."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from src.holding import Holding
from src.settings import SettingsError
from src.ui import chat
from src.ui.bridge import bridge
from src.ui.desk import Desk, desk
from src.ui.documents import act_on_document, document_list, uploader
from src.ui.markup import label, text
from src.ui.problems import incident
from src.ui.reading import reading_line
from src.ui.sharing import chat_menu
from src.ui.tab import Tab, open_tab
from src.ui.viewing import restore_view, viewer_pane
from src.ui.welcome import ask_suggestion, first_minute, introduction_card, next_questions, privacy

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
        id = incident()
        log.exception("the page could not be drawn (incident %s)", id)
        st.error(f"Something went wrong on this page (error {id}). Reload it to go on.")


def _draw(desk: Desk) -> None:
    st.html(STYLE)
    tab = open_tab(desk)
    tab.drawing += 1
    drawing = tab.drawing
    bridge(desk, tab, lambda name, on: _act(desk, st.session_state["tab"], name, on))
    if problem := st.session_state.pop("problem", ""):
        tab.messages.append(str(problem))
    for message in tab.messages:
        st.toast(label(message), duration="long")
    tab.messages.clear()
    held = desk.library.of(tab.visitor.id)
    restore_view(tab, held)
    tab.drawn = _signature(desk, tab)
    pulse(desk, tab, busy=tab.visitor.running is not None or any(h.working for h in held))
    if not held:
        first_minute(desk, tab)
    else:
        _desk_and_chat(desk, tab, held)
    # The browser asks for another drawing when this does not arrive: Streamlit may drop the end of one (bridge.js).
    st.html(f'<i data-drawing="{drawing}" hidden></i>')


def _desk_and_chat(desk: Desk, tab: Tab, held: Sequence[Holding]) -> None:
    with st.sidebar:
        sidebar(desk, tab)
    left, right = st.columns([1, 1], gap="medium")
    with left, st.container(key="chat-pane"):
        with st.container(key="talk", height=500, border=False, autoscroll=True):
            with st.container(key="settled", gap="small"):
                if viewed := next((h for h in held if h.key == tab.view.key and h.index), None):
                    introduction_card(desk, tab, viewed)
                chat.conversation(desk, tab)
                if viewed:
                    next_questions(desk, tab, viewed)
            with st.container(key="running"):
                chat.running_answer(tab)
        reading_line(desk, tab)
        chat.question_field(desk, tab)
    with right:
        viewer_pane(desk, tab)


def _act(desk: Desk, tab: Tab, name: str, on: str) -> None:
    """What a button that stands in HTML does; ``on`` says with which answer, document or question."""
    if name in ("show", "menu"):
        act_on_document(desk, tab, name, on)
    elif name == "suggestion":
        ask_suggestion(desk, tab, on)
    elif name == "ask":
        chat.ask_again(desk, tab, on)
    else:
        chat.act(desk, tab, name, on)


def _signature(desk: Desk, tab: Tab) -> object:
    """What the page depends on beside the tab's own state; when it changes, the page is drawn again."""
    held = desk.library.of(tab.visitor.id)
    return (
        tab.visitor.version,
        desk.introduced(tab.view.key),
        tuple((h.key, h.error, h.complete, h.document.revision if h.document else None) for h in held),
    )


def pulse(desk: Desk, tab: Tab, *, busy: bool) -> None:
    """Look regularly whether something happened elsewhere: a document read, an answer come, another tab.

    This is the only place that asks for a redraw, and never while the page is being drawn. It stands in a container
    of its own, as every fragment that runs by the clock must: when Streamlit starts one before the page's drawing
    has gone out, it drops the fragment's first elements, and whatever stands beside it slips to a wrong place.
    """
    drawing = True

    @st.fragment(run_every=0.3 if busy else 2.0)
    def beat() -> None:
        if not drawing and _signature(desk, tab) != tab.drawn:
            st.rerun()

    with st.container(key="pulse"):
        beat()
    drawing = False


def sidebar(desk: Desk, tab: Tab) -> None:
    """The documents, with their progress."""
    st.html('<p class="brand">DocEngine</p>')
    uploader(desk, tab, "Add PDFs")

    @st.fragment(run_every=0.5 if any(h.working for h in desk.library.of(tab.visitor.id)) else None)
    def rows() -> None:
        document_list(desk, tab)

    with st.container(key="documents"):
        rows()
    chat_menu(desk, tab)
    st.html(f'<p class="privacy">{text(privacy(desk.settings))}</p>')
