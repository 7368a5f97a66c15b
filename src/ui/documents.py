"""Documents: adding them, what happens to each, renaming, passwords, removing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from src.holding import Holding
from src.library import LibraryFullError
from src.loader.ocr.engines import choose_engine
from src.loader.reading import FINISHED
from src.records import Document, Outcome, PageState, Progress
from src.ui.desk import Desk
from src.ui.problems import guarded
from src.ui.tab import Tab
from src.ui.viewing import close_view, open_document

DOING = {
    "text": "Reading page {done} of {total}",
    "tables": "Reading tables, page {done} of {total}",
    "ocr": "Recognising scanned text, page {done} of {total}",
    "vectors": "Learning its meaning, {percent}%",
}


def uploader(desk: Desk, tab: Tab, title: str, *, shown: bool = False) -> None:
    """Where PDFs are dropped. The widget is emptied at once, so that Streamlit keeps no second copy."""
    number = tab.uploads
    key = f"upload-{number}"

    def taken() -> None:
        take(desk, tab, number, [(file.getvalue(), file.name) for file in st.session_state[key]])

    st.file_uploader(
        title,
        type="pdf",
        accept_multiple_files=True,
        key=key,
        max_upload_size=desk.settings.max_file_mb,
        label_visibility="visible" if shown else "collapsed",
        on_change=guarded(taken),
    )


def take(desk: Desk, tab: Tab, number: int, files: Sequence[tuple[bytes, str]]) -> None:
    """Add what was chosen in the tab's uploader ``number``, once.

    When drawing is slow the browser tells of the same files again, before it has heard of the emptied widget.
    """
    if tab.uploads != number:
        return
    for data, name in files:
        add(desk, tab, data, name)
    tab.uploads += bool(files)


def add(desk: Desk, tab: Tab, data: bytes, name: str) -> None:
    """Add one file to what the visitor holds and show it, unless another document is being looked at."""
    before = {h.key for h in desk.library.of(tab.visitor.id)}
    try:
        holding = desk.library.add(data, name, owner=tab.visitor.id)
    except LibraryFullError as error:
        tab.messages.append(f"{name} was not added. {error}")
        return
    if holding.key in before:
        tab.messages.append(f"{name} is here already, as {holding.name}.")
        open_document(tab, holding.key)
    elif not tab.view.key:
        open_document(tab, holding.key)
    tab.visitor.changed()


def status(holding: Holding) -> str:
    """What happens to a document, or what it is, in words."""
    if holding.error:
        return holding.error.message
    if holding.progress and (words := _doing(holding.progress)):
        return words
    document = holding.document
    if document is None:
        return "Waiting to be read"
    pages = f"{len(document.pages):,} page{'s' if len(document.pages) != 1 else ''}"
    return f"{pages} · {coverage(document)}" if document.unread else pages


def _doing(progress: Progress) -> str:
    percent = round(100 * progress.done / progress.total) if progress.total else 0
    pattern = DOING.get(progress.stage, "Reading")
    return pattern.format(done=progress.done, total=progress.total, percent=percent) + " …"


def coverage(document: Document) -> str:
    """What was read and what was not, in words."""
    parts = []
    for words, states in (
        ("{} read by OCR", (PageState.OCR, PageState.MIXED)),
        ("{} not read", (PageState.UNREADABLE,)),
        ("{} not read yet", (PageState.PENDING,)),
    ):
        if pages := document.pages_in(*states):
            parts.append(words.format(page_ranges(pages)))
    if empty := len(document.pages_in(PageState.EMPTY)):
        parts.append(f"{empty:,} page{'s' if empty > 1 else ''} without anything to read")
    return "; ".join(parts) or "every page was read"


def page_ranges(pages: Sequence[int]) -> str:
    """Page numbers as people write them: ``pages 3–5 and 9``."""
    runs: list[list[int]] = []
    for page in sorted(pages):
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    shown = [f"{a}" if a == b else f"{a}–{b}" for a, b in runs[:6]]
    if len(runs) > 6:
        return f"pages {', '.join(shown)} and {len(runs) - 6} more ranges"
    listed = f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]
    return f"page{'s' if len(pages) > 1 else ''} {listed}"


def document_list(desk: Desk, tab: Tab) -> None:
    """One row for each document: its name opens it, the button beside it opens the rest below the row.

    Rows are HTML, as few elements of the page as there can be: as widgets, ten documents took more than half of the
    time in which the page is drawn again. Only what is being done with one of them is made of widgets.
    """
    rows: list[str] = []

    def put() -> None:
        if rows:
            st.html(f'<ul class="documents">{"".join(rows)}</ul>')
        rows.clear()

    for holding in desk.library.of(tab.visitor.id):
        rows.append(_row(tab, holding))
        locked = bool(holding.error and holding.error.outcome is Outcome.NEEDS_PASSWORD)
        if locked or tab.menu == holding.key:
            put()
            with st.container(key=f"beside-{holding.key[:12]}", gap="small"):
                if locked:
                    _password(desk, tab, holding)
                if tab.menu == holding.key:
                    _menu(desk, tab, holding)
    put()


def _row(tab: Tab, holding: Holding) -> str:
    key, name = holding.key[:12], escape(holding.name)
    shown, opened = tab.view.key == holding.key, tab.menu == holding.key
    state = (" disabled" if holding.index is None else "") + (' aria-current="true"' if shown else "")
    kind = "error" if holding.error else ("working" if holding.working and not holding.complete else "")
    note = f'<p class="status">{escape(holding.note)}</p>' if holding.note else ""
    return (
        f'<li class="document{" shown" if shown else ""}">'
        f'<button type="button" class="name" dir="auto" data-act="show" data-message="{key}" title="{name}"'
        f"{state}>{name}</button>"
        f'<button type="button" class="menu" data-act="menu" data-message="{key}" title="Rename, read again, remove"'
        f' aria-expanded="{str(opened).lower()}" aria-label="Rename, read again or remove {name}">⋯</button>'
        f'<p class="status {kind}" role="status">{escape(status(holding))}</p>{note}</li>'
    )


def held_as(desk: Desk, tab: Tab, key: str) -> Holding | None:
    """The visitor's document whose key begins with ``key``, as the page names it."""
    return next((h for h in desk.library.of(tab.visitor.id) if key and h.key.startswith(key)), None)


def act_on_document(desk: Desk, tab: Tab, name: str, key: str) -> None:
    """What the buttons of a row do: ``show`` its pages, or open and close its ``menu``."""
    holding = held_as(desk, tab, key)
    if holding is None:
        return
    if name == "menu":
        tab.menu = "" if tab.menu == holding.key else holding.key
    elif holding.index is not None:
        open_document(tab, holding.key)


def _password(desk: Desk, tab: Tab, holding: Holding) -> None:
    key = holding.key[:12]
    with st.form(f"password-{key}", border=False, clear_on_submit=True):
        st.text_input("Password", type="password", key=f"secret-{key}")
        st.form_submit_button("Open", on_click=guarded(_unlock), args=(desk, tab, holding))


def _unlock(desk: Desk, tab: Tab, holding: Holding) -> None:
    password = str(st.session_state.get(f"secret-{holding.key[:12]}") or "")
    if not password or desk.library.get(holding.key) is None:  # a second click on a row that has gone
        return
    try:
        opened = desk.library.unlock(holding.key, password)
    except LibraryFullError as error:
        tab.messages.append(str(error))
    else:
        if tab.view.key in ("", holding.key):
            open_document(tab, opened.key)
    tab.visitor.changed()


def _menu(desk: Desk, tab: Tab, holding: Holding) -> None:
    key = holding.key[:12]
    with st.form(f"rename-{key}", border=False):
        st.text_input("Name", value=holding.name, key=f"name-{key}", max_chars=120)
        st.form_submit_button("Rename", on_click=guarded(_rename), args=(tab, holding))
    _reading_choices(desk, tab, holding)
    st.button(
        "Remove it and its answers",
        key=f"remove-{key}",
        help="The file, its pages, its index and every answer that quotes it go from this app at once.",
        on_click=guarded(_remove),
        args=(desk, tab, holding.key),
        width="stretch",
    )


def _reading_choices(desk: Desk, tab: Tab, holding: Holding) -> None:
    """End the reading, read what is missing, or read everything again with OCR: what makes sense now."""
    key = holding.key[:12]
    if holding.working and not holding.complete:
        st.button(
            "Stop reading it",
            key=f"finish-{key}",
            help="What is read stays and can be asked; the pages that are missing are named.",
            disabled=holding.finish.is_set(),
            on_click=guarded(desk.library.finish),
            args=(holding.key,),
            width="stretch",
        )
        return
    if holding.document is None:
        return
    if choose_engine(desk.settings.ocr)[0] is not None:
        st.button(
            "Read it again with OCR",
            key=f"ocr-{key}",
            help="For a document whose text looks wrong: every page is read from its picture, which takes some "
            "seconds a page. Until then it can be asked as before.",
            on_click=guarded(_reread),
            args=(desk, tab, holding, True),
            width="stretch",
        )


def missing_pages(desk: Desk, tab: Tab, holding: Holding) -> None:
    """A button that reads what a reading that was ended has left out."""
    if holding.document and holding.complete and any(p.reason == FINISHED for p in holding.document.pages):
        st.button(
            "Read the missing pages",
            key=f"missing-{holding.key[:12]}",
            on_click=guarded(_reread),
            args=(desk, tab, holding, False),
        )


def _reread(desk: Desk, tab: Tab, holding: Holding, ocr_all: bool) -> None:
    desk.library.reread(holding.key, ocr_all=ocr_all)
    tab.menu = ""
    tab.visitor.changed()


def _rename(tab: Tab, holding: Holding) -> None:
    name = str(st.session_state.get(f"name-{holding.key[:12]}") or "").strip()
    if name:
        holding.rename(name)
        tab.menu = ""
        tab.visitor.changed()


def _remove(desk: Desk, tab: Tab, key: str) -> None:
    close_view(tab.view, key)
    tab.menu = ""
    desk.remove(tab.visitor, key)
    remaining = [h for h in desk.library.of(tab.visitor.id) if h.index is not None]
    if not tab.view.key and remaining:
        open_document(tab, remaining[0].key)
