"""A chat as a file: Markdown or HTML for people, with the same content once more for reading it back in.

What is read back is checked anew: a file can claim anything, so every quote is looked up again in the document with
the hash that the file names, and counts as found only where it stands there now.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from collections.abc import Mapping, Sequence
from html import escape

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from src.citations.lookup import find_quote
from src.records import Answer, Box, Citation, Document, Sentence, Support, Usage, line_boxes
from src.ui.visitors import Exchange

MARK = "docengine-chat:"
EMBEDDED = re.compile(r"<!--\s*" + MARK + r"([A-Za-z0-9+/=\s]+)-->")
MAX_BYTES = 8 * 2**20


class TranscriptError(Exception):
    """A file that is no exported chat; the message is one sentence for the reader."""


class _Saved(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SavedDocument(_Saved):
    """A document that was asked, by the SHA-256 of its file."""

    name: str = Field(max_length=300)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    pages: int = Field(ge=0)


class SavedCitation(_Saved):
    """A citation without its marks: those are looked up again."""

    number: int = Field(ge=1)
    sha256: str = Field(max_length=64)
    pages: tuple[int, ...] = Field(max_length=20)
    label: str = Field(max_length=300)
    quote: str = Field(max_length=20_000)
    verified: bool
    url: str = Field(default="", max_length=2000)


class SavedSentence(_Saved):
    """A sentence of an answer."""

    text: str = Field(max_length=20_000)
    citations: tuple[int, ...] = ()
    support: Support = Support.FULL
    problem: str = Field(default="", max_length=2000)


class SavedExchange(_Saved):
    """A question and what was answered."""

    question: str = Field(max_length=20_000)
    asked: float
    documents: tuple[str, ...]
    status: str = Field(max_length=40)
    support: Support
    route: str = Field(max_length=40)
    tier: str = Field(max_length=40)
    ms: float
    stopped: bool
    usage: tuple[int, int, int, float | None]
    notices: tuple[str, ...]
    sentences: tuple[SavedSentence, ...]
    citations: tuple[SavedCitation, ...]
    feedback: str = Field(default="", max_length=20)


class SavedChat(_Saved):
    """A whole chat."""

    version: int = Field(ge=1, le=1)
    documents: tuple[SavedDocument, ...]
    exchanges: tuple[SavedExchange, ...] = Field(max_length=2000)


def saved(chat: Sequence[Exchange], documents: Sequence[Document]) -> SavedChat:
    """What an export holds of ``chat``: every answered exchange, and the documents it was answered from."""
    exchanges = tuple(_saved_exchange(e, e.answer) for e in chat if e.answer is not None)
    asked = {id for e in exchanges for id in e.documents}
    return SavedChat(
        version=1,
        documents=tuple(
            SavedDocument(name=d.name, sha256=d.id, pages=len(d.pages)) for d in documents if d.id in asked
        ),
        exchanges=exchanges,
    )


def _saved_exchange(exchange: Exchange, answer: Answer) -> SavedExchange:
    usage = answer.usage
    return SavedExchange(
        question=exchange.question,
        asked=exchange.asked,
        documents=tuple(id for id, _ in answer.snapshots),
        status=answer.status,
        support=answer.support,
        route=answer.route,
        tier=answer.tier,
        ms=answer.ms,
        stopped=answer.stopped,
        usage=(usage.prompt_tokens, usage.completion_tokens, usage.calls, usage.cost),
        notices=answer.notices,
        sentences=tuple(
            SavedSentence(text=s.text, citations=s.citations, support=s.support, problem=s.problem)
            for s in answer.sentences
        ),
        citations=tuple(
            SavedCitation(
                number=c.number,
                sha256=c.document_id,
                pages=c.pages,
                label=c.label,
                quote=c.quote,
                verified=c.verified,
                url=c.url,
            )
            for c in answer.citations
        ),
        feedback=exchange.feedback,
    )


def _embedded(chat: SavedChat) -> str:
    return f"<!-- {MARK}{base64.b64encode(chat.model_dump_json().encode()).decode()} -->"


# --- for people -----------------------------------------------------------------------------------------------


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
    return "\n".join([*lines, "", _embedded(chat), ""])


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
        f"{''.join(body)}\n{_embedded(chat)}\n</body></html>\n"
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


# --- reading back ---------------------------------------------------------------------------------------------


def read(data: bytes) -> SavedChat:
    """The chat in an exported file. Raises TranscriptError when there is none."""
    if len(data) > MAX_BYTES:
        raise TranscriptError(f"This file is larger than an exported chat can be ({MAX_BYTES // 2**20} MB).")
    found = EMBEDDED.search(data.decode("utf-8", errors="replace"))
    if found is None:
        raise TranscriptError("This file is not a chat exported from DocEngine.")
    try:
        return SavedChat.model_validate_json(base64.b64decode("".join(found[1].split()), validate=True))
    except (binascii.Error, ValidationError):
        raise TranscriptError(
            "This exported chat is damaged: it was changed after it had been exported."
        ) from None


def restored(chat: SavedChat, documents: Mapping[str, tuple[str, Document]]) -> list[Exchange]:
    """The exchanges of a chat that was read back; ``documents`` maps SHA-256 to (key of the holding, document)."""
    names = {d.sha256: d.name for d in chat.documents}
    exchanges = []
    for item in chat.exchanges:
        citations = tuple(_restored_citation(c, documents, names) for c in item.citations)
        missing = [names.get(id, "a document") for id in item.documents if id not in documents]
        notices = item.notices
        if missing:
            notices += (f"Imported. Its quotes could not be looked up: {', '.join(missing)} is not here.",)
        prompt, completion, calls, cost = item.usage
        answer = Answer(
            question=item.question,
            sentences=tuple(Sentence(s.text, s.citations, s.support, s.problem) for s in item.sentences),
            status=item.status,
            citations=citations,
            support=item.support if all(c.verified or c.url for c in citations) else Support.PARTIAL,
            route=item.route,
            tier=item.tier,
            notices=notices,
            usage=Usage(prompt, completion, calls, cost),
            ms=item.ms,
            stopped=item.stopped,
            snapshots=tuple((id, documents[id][1].revision) for id in item.documents if id in documents),
        )
        keys = tuple(documents[id][0] for id in item.documents if id in documents)
        exchanges.append(
            Exchange(
                "",
                item.question,
                keys,
                answer=answer,
                feedback=item.feedback,
                imported=True,
                asked=item.asked,
            )
        )
    return exchanges


def _restored_citation(
    saved: SavedCitation, documents: Mapping[str, tuple[str, Document]], names: Mapping[str, str]
) -> Citation:
    boxes: tuple[Box, ...] = ()
    revision = 0
    if saved.sha256 in documents:
        document = documents[saved.sha256][1]
        revision = document.revision
        boxes = _places(document, saved)
    return Citation(
        number=saved.number,
        document_id=saved.sha256,
        document_name=names.get(saved.sha256, "document"),
        revision=revision,
        pages=saved.pages,
        label=saved.label,
        quote=saved.quote,
        verified=bool(boxes),
        boxes=boxes,
        url=saved.url,
    )


def _places(document: Document, saved: SavedCitation) -> tuple[Box, ...]:
    """Marks of a quote on its pages; of a quote over a page break only when both pages are read as one."""
    pages = [document.pages[n - 1] for n in saved.pages if 1 <= n <= len(document.pages)]
    if not pages or not saved.quote.strip():
        return ()
    text = " ".join(page.text for page in pages)
    boxes: list[Box] = []
    for start, end in find_quote(saved.quote, text):
        offset = 0
        for page in pages:
            first, last = max(0, start - offset), min(len(page.text), end - offset)
            if first < last:
                boxes += line_boxes(page, first, last)
            offset += len(page.text) + 1
    return tuple(boxes)
