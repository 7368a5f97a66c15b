"""What can be done with a whole chat: take it along, bring it back, continue it elsewhere, clear it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from src.records import Document
from src.ui.desk import Desk
from src.ui.export import html, markdown
from src.ui.problems import guarded
from src.ui.tab import Tab
from src.ui.transcript import SavedChat, TranscriptError, read, restored, saved


def chat_menu(desk: Desk, tab: Tab) -> None:
    """The menu of the chat, behind one button. What is in it is made when it is opened."""
    menu = st.popover("Chat", key="chat-menu", width="stretch", on_change="rerun")
    if not menu.open:
        return
    with menu:
        empty = not any(e.answer for e in tab.visitor.chat)
        for label, name, write in (
            ("Export as Markdown", "docengine-chat.md", markdown),
            ("Export as HTML", "docengine-chat.html", html),
        ):
            st.button(
                label,
                key=f"export-{name}",
                on_click=guarded(_export),
                args=(desk, tab, name, write),
                disabled=empty,
                width="stretch",
            )
        st.button(
            "Clear the chat",
            key="clear",
            on_click=guarded(desk.clear),
            args=(tab.visitor,),
            disabled=not tab.visitor.chat,
            width="stretch",
        )
        _importer(desk, tab)
        st.html(
            '<div class="de-link"><button type="button" data-act="private">Copy private link</button>'
            "<p>It opens your documents and this chat on another device. Whoever has it can read them. The plain "
            "address of this page opens an empty one.</p></div>"
        )


def _export(desk: Desk, tab: Tab, name: str, write: Callable[[SavedChat], str]) -> None:
    # st.download_button serves the file at an address that any other drawing of the page takes away again
    tab.offer(name, write(saved(tab.visitor.chat, _documents(desk, tab))))


def _importer(desk: Desk, tab: Tab) -> None:
    number = tab.imports
    key = f"import-{number}"

    def take() -> None:
        file = st.session_state[key]
        if file is not None and tab.imports == number:
            tab.imports += 1
            bring_back(desk, tab, file.getvalue())

    st.file_uploader(
        "Import an exported chat. Add its documents first.",
        type=["md", "html"],
        key=key,
        max_upload_size=8,
        on_change=guarded(take),
    )


def bring_back(desk: Desk, tab: Tab, data: bytes) -> None:
    """Append the exchanges of an exported chat, looking every quote up again."""
    documents = {
        h.digest: (h.key, h.document) for h in desk.library.of(tab.visitor.id) if h.document is not None
    }
    try:
        exchanges = restored(read(data), documents)
    except TranscriptError as error:
        tab.messages.append(str(error))
        return
    for exchange in exchanges:
        tab.visitor.append(exchange)
    count = len(exchanges)
    tab.messages.append(f"{count} answer{'s' if count != 1 else ''} imported.")


def _documents(desk: Desk, tab: Tab) -> list[Document]:
    return [h.document for h in desk.library.of(tab.visitor.id) if h.document is not None]
