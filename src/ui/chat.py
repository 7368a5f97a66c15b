"""The chat: what was asked and answered, the running answer, the question field."""

from __future__ import annotations

from html import escape

import streamlit as st

from src.holding import Holding
from src.ui.desk import Desk
from src.ui.markup import answer_block, progress_block, text
from src.ui.problems import guarded
from src.ui.tab import Tab
from src.ui.visitors import Exchange

POLL_SECONDS = 0.2
ALL = "All documents"  # without their number: the browser keeps a chosen label when there are more of them
MAX_QUESTION = 2000
GROUP = 10  # exchanges that are one element of the page once they are old


def conversation(desk: Desk, tab: Tab) -> None:
    """Every exchange, oldest first; the last may still be running.

    Older exchanges go out in groups: Streamlit handles each element of the page at each redraw, which would take
    longer the longer the chat. The newer ones keep a place of their own each, so that what was unfolded in one stays so.
    """
    chat = tab.visitor.chat
    many = len(desk.library.of(tab.visitor.id)) > 1
    older = max(0, len(chat) - 1)
    settled = older - older % GROUP
    for start in range(0, settled, GROUP):
        st.html("".join(_article(e, many, last=False) for e in chat[start : start + GROUP]))
    for exchange in chat[settled:]:
        last = exchange is chat[-1]
        if last and tab.editing == exchange.id:
            _editor(desk, tab, exchange)
        else:
            st.html(_article(exchange, many, last))


def _article(exchange: Exchange, many: bool, last: bool) -> str:
    """The HTML of a question and, once it is there, its answer."""
    done = exchange.done.is_set()
    return (
        f'<article class="{"answered" if done else "waiting"}" data-exchange="{exchange.id}"'
        f' aria-label="Question and answer">{_question(exchange)}'
        f"{_finished(exchange, many, last) if done else ''}</article>"
    )


def _question(exchange: Exchange) -> str:
    return f'<p class="question" dir="auto">{text(exchange.question)}</p>'


def _finished(exchange: Exchange, many: bool, last: bool) -> str:
    """The HTML of an answer, made once for each way it looks."""
    look = (exchange.feedback, exchange.earlier and exchange.earlier.id, many, last)
    if exchange.drawn is None or exchange.drawn[0] != look:
        if exchange.answer is None:
            failure = f'<p class="state missing" role="alert">{text(exchange.failure)}</p>'
            body = f'<div class="de-answer">{failure}</div>'
        else:
            body = answer_block(exchange, exchange.answer, many)
        exchange.drawn = (look, body + _buttons(exchange, last))
    return exchange.drawn[1]


def _buttons(exchange: Exchange, last: bool) -> str:
    def button(act: str, label: str, extra: str = "") -> str:
        return f'<button type="button" data-act="{act}" data-message="{exchange.id}" {extra}>{label}</button>'

    parts = []
    if exchange.answer:
        parts.append(button("copy", "Copy", f'data-words="{escape(exchange.answer.text, quote=True)}"'))
    parts.append(button("retry", "Ask again"))
    if last:
        parts.append(button("edit", "Edit question"))
    if exchange.earlier:
        later = exchange.earlier.asked > exchange.asked
        parts.append(button("earlier", "Later answer" if later else "Earlier answer"))
    if exchange.answer:
        for act, label in (("helpful", "Helpful"), ("unhelpful", "Not helpful")):
            parts.append(button(act, label, f'aria-pressed="{str(exchange.feedback == act).lower()}"'))
        noted = "Noted. Press it again to take it back." if exchange.feedback else ""
        parts.append(f'<span class="noted" role="status">{noted}</span>')
    return f'<div class="de-actions" role="group" aria-label="This answer">{"".join(parts)}</div>'


def running_answer(tab: Tab) -> None:
    """The answer while it is written, with its stop button; the page's pulse redraws it when it is done.

    The fragment is there without a running answer too, without a clock: when one that runs by the clock is left out
    of a drawing, the browser may run it once more, and its elements have no place any longer (streamlit issue 15084).
    """
    exchange = tab.visitor.running

    @st.fragment(run_every=POLL_SECONDS if exchange else None)
    def running() -> None:
        if exchange is None:
            return
        st.html(progress_block(exchange))
        st.button(
            "Stop",
            key=f"stop-{exchange.id}",
            on_click=guarded(exchange.cancel.set),
            disabled=exchange.cancel.is_set(),
        )

    running()


def _editor(desk: Desk, tab: Tab, exchange: Exchange) -> None:
    field = f"edited-{exchange.id}"

    def again() -> None:
        question = str(st.session_state[field]).strip()
        tab.editing = ""
        if question and tab.visitor.running is None:
            keys = _still_held(desk, tab, exchange.documents)
            _ask_instead(desk, tab, exchange, question, keys)

    def keep() -> None:
        tab.editing = ""

    with st.form(f"edit-{exchange.id}", border=False):
        st.text_area("Your question", value=exchange.question, max_chars=MAX_QUESTION, key=field)
        with st.container(horizontal=True):
            st.form_submit_button("Ask", type="primary", on_click=guarded(again))
            st.form_submit_button("Keep it as it was", on_click=guarded(keep))


def act(desk: Desk, tab: Tab, name: str, message: str) -> None:
    """What a button under an answer does."""
    exchange = tab.visitor.exchange(message)
    if exchange is None or exchange.running:
        return
    if name == "retry" and tab.visitor.running is None:
        keys = _still_held(desk, tab, exchange.documents)
        if exchange is tab.visitor.chat[-1]:
            _ask_instead(desk, tab, exchange, exchange.question, keys, fresh=True)
        else:
            desk.ask(tab.visitor, exchange.question, keys, web=on_the_web(desk), fresh=True)
    elif name == "earlier":
        tab.visitor.go_back(exchange)
    elif name == "edit":
        tab.editing = exchange.id
    elif name in ("helpful", "unhelpful"):
        desk.rate(tab.visitor, exchange, "" if exchange.feedback == name else name)


def _ask_instead(
    desk: Desk, tab: Tab, exchange: Exchange, question: str, keys: tuple[str, ...], *, fresh: bool = False
) -> None:
    """Ask in place of an exchange, which can be gone back to."""
    tab.visitor.drop(exchange)
    exchange.earlier = None  # one step back is kept, not a chain of them
    asked = desk.ask(tab.visitor, question, keys, web=on_the_web(desk), fresh=fresh)
    if exchange.answer:
        asked.earlier = exchange


def _still_held(desk: Desk, tab: Tab, keys: tuple[str, ...]) -> tuple[str, ...]:
    held = {h.key for h in desk.library.of(tab.visitor.id)}
    kept = tuple(k for k in keys if k in held)
    return kept or tuple(h.key for h in askable(desk, tab))


def askable(desk: Desk, tab: Tab) -> tuple[Holding, ...]:
    """The documents that can be asked now: those whose text is read."""
    return tuple(h for h in desk.library.of(tab.visitor.id) if h.index is not None)


def question_field(desk: Desk, tab: Tab) -> None:
    """Which documents to ask, and the question."""
    ready = askable(desk, tab)
    with st.container(key="asking", horizontal=True, vertical_alignment="center", gap="small"):
        if len(ready) > 1:
            names = {h.key: h.name for h in ready}
            st.selectbox(
                "Ask",
                ("", *names),
                format_func=lambda key: names.get(key, ALL),
                key="scope",
                label_visibility="collapsed",
            )
        if desk.settings.web_search:
            st.toggle(
                "Also look on the web",
                key="web",
                help="Only when the documents do not answer: your question then goes to a search engine, and the "
                "answer says that it comes from the web.",
            )
    waiting = any(h.working for h in desk.library.of(tab.visitor.id))
    hint = "Ask about the document" if len(ready) == 1 else "Ask about the documents"
    if not ready:
        hint = "You can ask as soon as the text is read" if waiting else "Add a PDF to ask about it"

    def submit() -> None:
        tab.asked += 1
        ask(desk, tab, str(st.session_state.get("question") or ""), _chosen(desk, tab))

    st.chat_input(
        hint,
        key="question",
        max_chars=MAX_QUESTION,
        disabled=not ready or tab.visitor.running is not None,
        on_submit=guarded(submit),
    )


def ask_again(desk: Desk, tab: Tab, told: str) -> None:
    """Ask what the browser says was sent from the question field, ``COUNT:QUESTION``, unless it has arrived."""
    count, _, question = told.partition(":")
    if count == str(tab.asked):
        tab.asked += 1
        ask(desk, tab, question, _chosen(desk, tab))


def _chosen(desk: Desk, tab: Tab) -> tuple[str, ...]:
    """The document chosen to be asked, read when the question comes and not when the field was drawn."""
    chosen = str(st.session_state.get("scope") or "")
    return (chosen,) if any(h.key == chosen for h in askable(desk, tab)) else ()


def ask(desk: Desk, tab: Tab, question: str, keys: tuple[str, ...] = ()) -> None:
    """Ask unless an answer is still being written, which is then said: another tab may have asked."""
    if question.strip() and tab.visitor.running is not None:
        tab.messages.append(f"Not asked, because an answer is still being written: {question.strip()}")
    elif question.strip():
        tab.editing = ""
        keys = keys or tuple(h.key for h in askable(desk, tab))
        desk.ask(tab.visitor, question.strip()[:MAX_QUESTION], keys, web=on_the_web(desk))


def on_the_web(desk: Desk) -> bool:
    """Whether the reader allows a web search where the documents do not answer, and this app offers it."""
    return desk.settings.web_search and bool(st.session_state.get("web"))
