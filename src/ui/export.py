"""A chat written for people, as Markdown or as one HTML page; the same content stands in it once more for reading back."""

from __future__ import annotations

import re
import time
from html import escape

from src.records import Support
from src.ui.transcript import SavedChat, SavedExchange, embedded


def markdown(chat: SavedChat) -> str:
    """The chat as Markdown, with quotes, pages and document hashes."""
    names = {d.sha256: d.name for d in chat.documents}
    lines = ["# DocEngine chat", ""]
    lines += [f"- {_md(d.name)}, {d.pages} pages, SHA-256 `{d.sha256}`" for d in chat.documents]
    for exchange in chat.exchanges:
        lines += ["", f"## {_md(exchange.question)}", "", f"*{_when(exchange)}*", ""]
        labels = {c.number: c.label for c in exchange.citations}
        for sentence in exchange.sentences:
            cites = "".join(f" \\[{_md(labels[n])}\\]" for n in sentence.citations if n in labels)
            doubt = (
                f" ({_md(sentence.problem or 'not confirmed')})"
                if sentence.support is not Support.FULL
                else ""
            )
            lines += [f"{_md(sentence.text)}{cites}{doubt}", ""]
        for c in exchange.citations:
            found = "" if c.verified else " (not found on the page)"
            lines.append(
                f"> **{_md(names.get(c.sha256, c.url or 'document'))}, {_md(c.label)}**{found}: {_md(c.quote)}"
            )
            lines.append(">")
        lines += [f"\n_{_md(notice)}_" for notice in exchange.notices]
    return "\n".join([*lines, "", embedded(chat), ""])


def html(chat: SavedChat) -> str:
    """The chat as one HTML page that loads nothing from anywhere."""
    names = {d.sha256: d.name for d in chat.documents}
    parts = [
        f"<li>{escape(d.name)}, {d.pages} pages<br><small>SHA-256 <code>{d.sha256}</code></small></li>"
        for d in chat.documents
    ]
    body = [f"<h1>DocEngine chat</h1><ul>{''.join(parts)}</ul>"]
    for exchange in chat.exchanges:
        labels = {c.number: c.label for c in exchange.citations}
        answer = "".join(
            f'<p dir="auto">{escape(s.text)}'
            + "".join(f" <b>[{escape(labels[n])}]</b>" for n in s.citations if n in labels)
            + (f" <em>({escape(s.problem or 'not confirmed')})</em>" if s.support is not Support.FULL else "")
            + "</p>"
            for s in exchange.sentences
        )
        quotes = "".join(
            f'<blockquote dir="auto"><b>{escape(names.get(c.sha256, c.url or "document"))}, {escape(c.label)}</b>'
            f"{'' if c.verified else ' (not found on the page)'}<br>{escape(c.quote)}</blockquote>"
            for c in exchange.citations
        )
        notices = "".join(f"<p><em>{escape(n)}</em></p>" for n in exchange.notices)
        body.append(
            f'<section><h2 dir="auto">{escape(exchange.question)}</h2><small>{escape(_when(exchange))}</small>'
            f"{answer}{quotes}{notices}</section>"
        )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>DocEngine chat</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width"><style>body{font:1rem/1.55 Georgia,serif;max-width:42rem;'
        "margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 0}blockquote{margin:.6rem"
        " 0;padding-inline-start:.8rem;border-inline-start:3px solid #ccc}</style></head><body>"
        f"{''.join(body)}\n{embedded(chat)}\n</body></html>\n"
    )


def _when(exchange: SavedExchange) -> str:
    asked = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(exchange.asked))
    state = "stopped" if exchange.stopped else exchange.status.replace("_", " ")
    if exchange.status == "answered" and exchange.support is not Support.FULL:
        state = "partly supported"
    tokens = exchange.usage[0] + exchange.usage[1]
    spent = f", {tokens:,} tokens" if tokens else ""
    cost = f", ${exchange.usage[3]:.4f}" if exchange.usage[3] is not None else ""
    return f"{asked}, {state}, {exchange.ms / 1000:.1f} s{spent}{cost}"


def _md(words: str) -> str:
    """Words that Markdown leaves as they are, on one line."""
    line = re.sub(r"([\\`*_\[\]<>|~$!&#])", r"\\\1", " ".join(words.split()))
    return re.sub(r"^(\d+)([.)])|^([-+=])", lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", line)
