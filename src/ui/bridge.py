"""The bridge to the browser: cookie, private link, copying, and the buttons that stand in HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import streamlit as st

from src.ui.desk import Desk
from src.ui.problems import guarded
from src.ui.tab import Tab, cookie_name

_bridge = st.components.v2.component(
    "docengine_bridge",
    js=(Path(__file__).parent / "static" / "bridge.js").read_text(encoding="utf-8"),
)


def bridge(desk: Desk, tab: Tab, act: Callable[[str, str], None]) -> None:
    """Mount it. ``act(name, message)`` is called when a button that stands in HTML is pressed.

    Streamlit keeps only the last event while it is busy, so the browser tells of an act until its number comes back.
    """

    def value(name: str) -> Mapping[str, Any]:
        return cast(Mapping[str, Any], st.session_state.get("bridge") or {}).get(name) or {}

    def on_act() -> None:
        for told in value("act").get("acts", ()):
            number = int(told.get("number", 0))
            if number <= tab.acted:
                continue
            tab.acted = number
            match str(told.get("act", "")):
                case "refused" | "lost" as what:
                    tab.messages.append(not_taken(what, [str(name) for name in told.get("names", ())]))
                case name:
                    act(name, str(told.get("message", "")))

    def on_saved() -> None:
        if tab.download and value("saved").get("number") == tab.download.number:
            tab.download = None

    def on_adopt() -> None:
        if id := str(value("adopt").get("id", "")):
            adopt(desk, id)

    held = desk.library.of(tab.visitor.id)
    busy = tab.visitor.running is not None or any(h.working for h in held)
    with st.container(key="bridge-box"):
        _bridge(
            key="bridge",
            data={
                "cookie": cookie_name(),
                "id": tab.visitor.id,
                "seconds": int(desk.settings.hold_minutes * 60),
                "reach": _reached(tab),
                "asked": tab.asked,
                "uploads": tab.uploads,
                "acted": tab.acted,
                "drawing": tab.drawing,
                "busy": busy,
                "download": asdict(tab.download) if tab.download else None,
            },
            height=1,
            on_act_change=guarded(on_act),
            on_adopt_change=guarded(on_adopt),
            on_saved_change=guarded(on_saved),
        )


def _reached(tab: Tab) -> str:
    """The field that has just been opened for the reader, as a selector, or nothing."""
    if tab.editing:
        return f".st-key-edited-{tab.editing} textarea"
    return f".st-key-name-{tab.menu[:12]} input" if tab.menu else ""


def not_taken(what: str, names: Sequence[str]) -> str:
    """One sentence about files that were dropped beside PDFs (``refused``) or never arrived (``lost``)."""
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    several = len(names) > 1
    if what == "refused":
        return f"{shown} {'were' if several else 'was'} not added: only PDFs can be read here."
    return f"{shown} did not arrive. Please choose {'them' if several else 'it'} again."


def adopt(desk: Desk, id: str) -> None:
    """Take up the visitor of a private link in this tab."""
    visitor = desk.visitors.get(id)
    tab: Tab = st.session_state["tab"]
    if visitor is None:
        tab.messages.append("This private link is no longer valid: its documents have been removed.")
    else:
        st.session_state["tab"] = Tab(visitor)
