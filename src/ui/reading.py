"""Above the question field: what is still being read, what answers cannot know until then, and an end to it."""

from __future__ import annotations

import time
from html import escape

import streamlit as st

from src.holding import Holding
from src.records import PageState
from src.ui.desk import Desk
from src.ui.documents import page_ranges
from src.ui.problems import guarded
from src.ui.tab import Tab

POLL_SECONDS = 0.7
SHOWN_AFTER = 2.0  # seconds; what is read faster needs no line


def reading_line(desk: Desk, tab: Tab) -> None:
    """A line for each document whose reading takes its time, redrawn by itself."""
    busy = any(_being_read(h) for h in desk.library.of(tab.visitor.id))

    @st.fragment(run_every=POLL_SECONDS if busy else None)  # always there, as chat.running_answer says why
    def lines() -> None:
        for holding in desk.library.of(tab.visitor.id):
            if _being_read(holding) and time.monotonic() - holding.began > SHOWN_AFTER:
                _line(desk, holding)

    with st.container(key="reading"):
        lines()


def _being_read(holding: Holding) -> bool:
    return holding.working and not holding.complete


def _line(desk: Desk, holding: Holding) -> None:
    words = reading_words(holding)
    if not words:
        return
    key = holding.key[:12]
    with st.container(
        key=f"reading-{key}", horizontal=True, vertical_alignment="center", gap="small", wrap=False
    ):
        st.html(f'<p class="reading" dir="auto">{escape(words)}</p>')
        st.button(
            "Stop reading",
            key=f"stop-reading-{key}",
            disabled=holding.finish.is_set(),
            help="What is read stays and can be asked; the pages that are missing are named and can be read later.",
            on_click=guarded(desk.library.finish),
            args=(holding.key,),
        )


def reading_words(holding: Holding) -> str:
    """What is being read and what answers know meanwhile; nothing for work that takes no page away from them."""
    if holding.finish.is_set():
        return f"Stopping after the page of {holding.name} that is being read …"
    progress, document = holding.progress, holding.document
    count = f"{progress.done:,} of {progress.total:,}" if progress and progress.total else ""
    if document is None:
        done = f": page {count}" if count else ""
        return f"Reading {holding.name}{done} …"
    if holding.again:
        how = " with OCR" if holding.ocr_all else ""
        done = f", page {count}" if count else ""
        return f"Reading {holding.name} again{how}{done} … Until then, answers come from the first reading."
    waiting = document.pages_in(PageState.PENDING)
    if not waiting:
        return ""
    at_work = progress is not None and progress.stage == "ocr" and progress.done < progress.total
    done = f" ({count} done)" if at_work else ""
    them = "it" if len(waiting) == 1 else "them"
    return f"Still reading {page_ranges(waiting)} of {holding.name}{done} … Answers do not know {them} yet."
