"""The page viewer: what Python gives to the component in the browser, and what it does with its requests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import streamlit as st

from src.holding import Holding
from src.loader.render import RenderError
from src.records import Box, Citation, Document, PageState, Passage, line_boxes, span_text
from src.ui.desk import Desk
from src.ui.envelope import sealed
from src.ui.images import DPI, THUMBNAIL_DPI
from src.ui.markup import passage_label
from src.ui.problems import guarded
from src.ui.tab import Mark, Tab, View
from src.ui.visitors import Exchange

STATIC = Path(__file__).parent / "static"
PARTS = ("elements", "pages", "search", "citations", "rail", "viewer")
MAX_HITS = 500
READY_ANSWERS = 12
READY_PAGES = 6
STATES = {
    PageState.OCR: "read by OCR",
    PageState.MIXED: "partly read by OCR",
    PageState.EMPTY: "nothing to read",
    PageState.UNREADABLE: "not read",
    PageState.PENDING: "not read yet",
}

_viewer = st.components.v2.component(
    "docengine_viewer",
    js="\n".join((STATIC / "viewer" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS),
    css=(STATIC / "viewer.css").read_text(encoding="utf-8"),
)


@st.fragment
def viewer_pane(desk: Desk, tab: Tab) -> None:
    """The viewer with the tab's document; its own requests redraw it alone."""

    def asked() -> None:
        value = cast(Mapping[str, Any], st.session_state.get("viewer") or {}).get("ask")
        if value:
            take_requests(desk, tab, value.get("requests", ()))

    holding = _holding(desk, tab)
    if holding is not None:
        tab.visitor.looking_at = (tab.view.key, tab.view.page)
    with st.container(key="viewer-pane", height="stretch"):
        _viewer(
            key="viewer",
            data=viewer_message(desk, tab, holding),
            height="stretch",
            on_ask_change=guarded(asked),
        )


def _holding(desk: Desk, tab: Tab) -> Holding | None:
    holding = desk.library.get(tab.view.key) if tab.view.key else None
    return holding if holding and holding.owner == tab.visitor.id else None


def take_requests(desk: Desk, tab: Tab, requests: Sequence[Mapping[str, Any]]) -> None:
    """Do what the viewer asks for, each request once, in the order of their numbers.

    While the server is busy Streamlit keeps only the last event of a component, so that a click on a citation was
    lost when the page it opened was asked for right after. The viewer therefore sends everything that has not been
    answered along with each new request.
    """
    for request in sorted(requests, key=lambda r: int(r["nonce"])):
        nonce = int(request["nonce"])
        if nonce > tab.view.handled:
            tab.view.handled = nonce
            _handle(desk, tab, str(request["name"]), request["value"])


def _handle(desk: Desk, tab: Tab, name: str, value: Mapping[str, Any]) -> None:
    view = tab.view
    if name == "want":
        view.pages = _numbers(value, "pages", 8)
        view.thumbs = _numbers(value, "thumbs", 24)
        view.texts = _numbers(value, "texts", 8)
    elif name == "open":
        open_link(desk, tab, str(value.get("link", "")))
    elif name == "search":
        view.query = str(value.get("query", ""))[:200]
    elif name == "unmark":
        view.marks, view.link = (), ""
    elif name == "close":
        view.raised = False


def _numbers(value: Mapping[str, Any], name: str, most: int) -> tuple[int, ...]:
    return tuple(int(n) for n in value.get(name, ()))[:most]


# --- opening citations ----------------------------------------------------------------------------------------


def open_link(desk: Desk, tab: Tab, link: str) -> None:
    """Show what a link of an answer points at: ``cite-MESSAGE-NUMBER`` or ``passage-MESSAGE-NUMBER``."""
    if match := re.fullmatch(r"intro-([0-9a-f]{12})-(\d+)", link):
        _open_excerpt(desk, tab, match[1], int(match[2]))
        return
    found = _linked(tab, link)
    if found is None:
        return
    holding = next((h for h in desk.library.of(tab.visitor.id) if h.digest == found.document_id), None)
    if holding is None or not found.pages:
        return
    tab.view.go(holding.key, found.pages[0], _marks(found, holding.document), link)


def _open_excerpt(desk: Desk, tab: Tab, key: str, number: int) -> None:
    holding = next((h for h in desk.library.of(tab.visitor.id) if h.key.startswith(key)), None)
    made = desk.introduction(holding) if holding else None
    if holding and made and 0 < number <= len(made.summary):
        excerpt = made.summary[number - 1]
        marks = tuple((b.page, b.x0, b.y0, b.x1, b.y1) for b in excerpt.boxes)
        tab.view.go(holding.key, excerpt.page, marks)


def _linked(tab: Tab, link: str) -> Citation | Passage | None:
    match = re.fullmatch(r"(cite|passage)-(m\d+)-(\d+)", link)
    exchange = tab.visitor.exchange(match[2]) if match else None
    if match is None or exchange is None or exchange.answer is None:
        return None
    number = int(match[3])
    if match[1] == "cite":
        return next((c for c in exchange.answer.citations if c.number == number), None)
    passages = exchange.answer.looked_here or exchange.answer.passages
    return passages[number - 1] if 0 < number <= len(passages) else None


def _marks(found: Citation | Passage, document: Document | None) -> tuple[Mark, ...]:
    boxes: Sequence[Box]
    if isinstance(found, Citation):
        boxes = found.boxes
    elif document is None or not _stands(found, document):
        boxes = ()
    else:
        boxes = [b for s in found.spans for b in line_boxes(document.pages[s.page - 1], s.start, s.end)]
    return tuple((b.page, b.x0, b.y0, b.x1, b.y1) for b in boxes)


def _stands(passage: Passage, document: Document) -> bool:
    """Whether a passage of an earlier snapshot still has its place in this one; otherwise no mark is drawn."""
    if any(s.page > len(document.pages) for s in passage.spans):
        return False
    joint = "\n" if passage.kind == "table" else " "
    return span_text(document.pages, passage.spans, joint) == passage.text


# --- what the browser gets ------------------------------------------------------------------------------------


def viewer_message(desk: Desk, tab: Tab, holding: Holding | None) -> bytes:
    """Everything the component draws from: JSON, and the images of pages that the browser has not been given.

    What was asked for is given once: the browser keeps it, and asks again for what it lacks.
    """
    document = holding.document if holding else None
    if holding is None or document is None:
        return sealed(
            {
                "document": "",
                "handled": tab.view.handled,
                "raised": False,
                "empty": (
                    f"{holding.name} is shown here as soon as its text is read."
                    if holding and holding.error is None
                    else "The pages of your document are shown here, with the quoted words marked."
                ),
            }
        )
    view = tab.view
    known = range(1, len(document.pages) + 1)
    ready = _ready(tab, holding)
    ahead = [n for n in dict.fromkeys(r["page"] for r in ready.values()) if desk.images.has(holding, n)]
    wanted = dict.fromkeys([*view.pages, *(n for n in ahead[-READY_PAGES:] if n not in view.given)])
    images, failed = _drawn(desk, holding, [n for n in wanted if n in known], DPI)
    thumbs, thumbless = _drawn(desk, holding, [n for n in view.thumbs if n in known], THUMBNAIL_DPI)
    header = {
        "document": holding.key[:16],
        "handled": view.handled,
        "raised": view.raised,
        "name": document.name,
        **_shape(document),
        "failed": failed,
        "thumbless": list(thumbless),
        "texts": {n: document.pages[n - 1].text for n in view.texts if n in known},
        "target": {"nonce": view.target, "page": view.page, "link": view.link},
        "marks": view.marks,
        "citation": _strip(tab, view.link),
        "ready": ready,
        "search": _search(document, view.query) if view.query else None,
    }
    view.given.update(images)
    view.pages = view.thumbs = view.texts = ()
    return sealed(header, {"images": images, "thumbs": thumbs})


@lru_cache(maxsize=8)
def _shape(document: Document) -> dict[str, Any]:
    return {
        "sizes": [(round(p.width, 1), round(p.height, 1)) for p in document.pages],
        "labels": [p.label for p in document.pages],
        "states": {p.number: STATES[p.state] for p in document.pages if p.state in STATES},
        "outline": [
            (e.title, e.level, e.page) for e in document.outline if 1 <= e.page <= len(document.pages)
        ],
    }


def _drawn(
    desk: Desk, holding: Holding, pages: Sequence[int], dpi: int
) -> tuple[dict[int, bytes], dict[int, str]]:
    """JPEGs of pages, and what to say where a page cannot be drawn."""
    drawn, failed = {}, {}
    for page in pages:
        try:
            drawn[page] = desk.images.image(holding, page, dpi).jpeg
        except RenderError as error:
            failed[page] = str(error)
    return drawn, failed


def _strip(tab: Tab, link: str) -> dict[str, Any] | None:
    """The strip above the pages: where a citation stands, its words, and its neighbours."""
    found = _linked(tab, link)
    if found is None:
        return None
    kind, message, number = link.split("-")
    exchange = cast(Exchange, tab.visitor.exchange(message))
    assert exchange.answer
    if isinstance(found, Citation):
        numbers = [c.number for c in exchange.answer.citations if not c.url]
        place, words = found.label, found.quote
        if not found.verified:
            place += ": these words were not found on the page, so nothing is marked"
        elif not found.boxes:
            place += ": the words are on the page, but their place could not be marked"
    else:
        numbers = list(range(1, 1 + len(exchange.answer.looked_here or exchange.answer.passages)))
        place, words = passage_label(found), found.text
    position = numbers.index(int(number))
    return {
        "place": f"{place} · {position + 1} of {len(numbers)}" if len(numbers) > 1 else place,
        "words": words,
        "links": [f"{kind}-{message}-{n}" for n in numbers],
        "position": position,
        "count": len(numbers),
    }


def _ready(tab: Tab, holding: Holding) -> dict[str, Any]:
    """What the newest citations of this document open, so that a click on one shows it without waiting for us."""
    ready: dict[str, Any] = {}
    for exchange in tab.visitor.chat[-READY_ANSWERS:]:
        for citation in exchange.answer.citations if exchange.answer else ():
            if citation.document_id == holding.digest and citation.pages:
                link = f"cite-{exchange.id}-{citation.number}"
                marks = _marks(citation, holding.document)
                ready[link] = {"page": citation.pages[0], "marks": marks, "citation": _strip(tab, link)}
    return ready


def _search(document: Document, query: str) -> dict[str, Any]:
    pattern = re.compile(r"\s+".join(re.escape(word) for word in query.split()), re.IGNORECASE)
    hits: list[list[Mark]] = []
    for page in document.pages:
        for match in pattern.finditer(page.text):
            boxes = line_boxes(page, match.start(), match.end())
            if boxes:
                hits.append([(b.page, b.x0, b.y0, b.x1, b.y1) for b in boxes])
            if len(hits) >= MAX_HITS:
                return {"query": query, "hits": hits, "more": True}
    return {"query": query, "hits": hits, "more": False}


def open_document(tab: Tab, key: str) -> None:
    """Show the first page of a document, without marks."""
    if tab.view.key != key:
        tab.view.go(key, 1)
        tab.view.raised = False


def restore_view(tab: Tab, held: Sequence[Holding]) -> None:
    """After a refresh, and once a first document is read, show what was looked at last, or the first there is."""
    keys = [h.key for h in held if h.error is None]
    if keys and tab.view.key not in keys:
        key, page = tab.visitor.looking_at if tab.visitor.looking_at[0] in keys else (keys[0], 1)
        tab.view.go(key, page)
        tab.view.raised = False


def close_view(view: View, key: str) -> None:
    """Show nothing of a document that goes."""
    if view.key == key:
        view.go("", 1)
        view.raised = False
