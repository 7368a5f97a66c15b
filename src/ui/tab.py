"""What one browser tab knows beside its visitor: the page it shows, the question it edits, what it has drawn."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from src.ui.desk import Desk
from src.ui.visitors import Visitor

Mark = tuple[int, float, float, float, float]


@dataclass(slots=True)
class View:
    """What the page viewer shows. ``target`` counts the jumps, so that the same place can be jumped to again.

    ``pages``, ``thumbs`` and ``texts`` are the pages whose image, thumbnail or text the browser waits for; ``given``
    are those whose image it has been sent. ``handled`` is the number of its last request that was done.
    """

    key: str = ""
    page: int = 1
    target: int = 0
    marks: tuple[Mark, ...] = ()
    link: str = ""
    pages: tuple[int, ...] = ()
    thumbs: tuple[int, ...] = ()
    texts: tuple[int, ...] = ()
    given: set[int] = field(default_factory=set)
    query: str = ""
    raised: bool = False
    handled: int = 0

    def go(self, key: str, page: int, marks: tuple[Mark, ...] = (), link: str = "") -> None:
        """Show a page of a document with its marks."""
        if key != self.key:
            self.pages = self.thumbs = self.texts = ()
            self.given, self.query = set(), ""
        self.key, self.page, self.marks, self.link = key, page, marks, link
        self.target += 1
        self.raised = True
        if page not in self.given and page not in self.pages:
            self.pages = (*self.pages, page)


@dataclass(frozen=True, slots=True)
class Download:
    """A text file for the browser to save; ``number``, the time in microseconds, tells it from others."""

    number: int
    name: str
    text: str


@dataclass(slots=True)
class Tab:
    """State of one tab, in Streamlit's session.

    ``drawing`` counts the drawings of the page. ``acted`` is the number of the last act that the bridge told of; ``editing`` is the exchange whose question is being
    edited, ``menu`` the key of the document whose menu is open; ``asked`` counts what was sent from the question field.
    """

    visitor: Visitor
    lost: bool = False
    view: View = field(default_factory=View)
    uploads: int = 0
    imports: int = 0
    drawing: int = 0
    acted: int = 0
    asked: int = 0
    editing: str = ""
    menu: str = ""
    drawn: object = None
    messages: list[str] = field(default_factory=list)
    download: Download | None = None

    def offer(self, name: str, text: str) -> None:
        """Have the browser save ``text`` as a file."""
        self.download = Download(time.time_ns() // 1000, name, text)


def cookie_name() -> str:
    """The cookie that holds the private id; with the port, because browsers share cookies between ports."""
    return f"docengine-{urlsplit(st.context.url or '').port or 'web'}"


def open_tab(desk: Desk) -> Tab:
    """The tab of this session: of the visitor whom the cookie names, or of a new one."""
    state: Any = st.session_state
    tab: Tab | None = state.get("tab")
    if tab is None or desk.visitors.get(tab.visitor.id) is None:
        id = "" if tab else st.context.cookies.get(cookie_name(), "")
        known = desk.visitors.get(id) if id else None
        tab = Tab(known or desk.visitors.new(), lost=bool(tab or id) and known is None)
        state["tab"] = tab
    return tab
