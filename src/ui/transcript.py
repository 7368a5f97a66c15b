"""A chat as a file holds it, and how it is read back in.

What is read back is checked anew: a file can claim anything, so every quote is looked up again in the document with
the hash that the file names, and counts as found only where it stands there now.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from src.citations.lookup import find_quote
from src.records import (
    Answer,
    Box,
    Citation,
    Document,
    Passage,
    Sentence,
    Span,
    Support,
    Usage,
    line_boxes,
    span_text,
)
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


class SavedPassage(_Saved):
    """Where a passage stands and how it was found; its words are the document's, known by their SHA-256."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    spans: tuple[tuple[int, int, int], ...] = Field(min_length=1, max_length=50)
    words: str = Field(pattern=r"^[0-9a-f]{64}$")
    kind: str = Field(max_length=20)
    ranks: tuple[int | None, int | None, int | None] = (None, None, None)
    rerank_score: float | None = None


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
    passages: tuple[SavedPassage, ...] = Field(default=(), max_length=50)
    looked_here: tuple[SavedPassage, ...] = Field(default=(), max_length=50)


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
        passages=tuple(_saved_passage(p) for p in answer.passages),
        looked_here=tuple(_saved_passage(p) for p in answer.looked_here),
    )


def _saved_passage(passage: Passage) -> SavedPassage:
    return SavedPassage(
        sha256=passage.document_id,
        spans=tuple((s.page, s.start, s.end) for s in passage.spans),
        words=_digest(passage.text),
        kind=passage.kind,
        ranks=(passage.keyword_rank, passage.static_rank, passage.semantic_rank),
        rerank_score=passage.rerank_score,
    )


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()


def embedded(chat: SavedChat) -> str:
    """``chat`` as the comment of an export that ``read`` finds again."""
    return f"<!-- {MARK}{base64.b64encode(chat.model_dump_json().encode()).decode()} -->"


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
            passages=_restored_passages(item.passages, documents),
            looked_here=_restored_passages(item.looked_here, documents),
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


def _restored_passages(
    found: Sequence[SavedPassage], documents: Mapping[str, tuple[str, Document]]
) -> tuple[Passage, ...]:
    """The passages whose words stand in their document where the file says; the others are left out."""
    return tuple(
        passage
        for saved in found
        if saved.sha256 in documents
        and (passage := _restored_passage(saved, documents[saved.sha256][1])) is not None
    )


def _restored_passage(saved: SavedPassage, document: Document) -> Passage | None:
    spans = tuple(Span(*span) for span in saved.spans)
    if any(not 1 <= s.page <= len(document.pages) or not 0 <= s.start < s.end for s in spans):
        return None
    text = span_text(document.pages, spans, "\n" if saved.kind == "table" else " ")
    if _digest(text) != saved.words:
        return None
    keyword, static, semantic = saved.ranks
    pages = [document.pages[s.page - 1] for s in spans]
    return Passage(
        document_id=document.id,
        document_name=document.name,
        revision=document.revision,
        text=text,
        spans=spans,
        labels=tuple(page.label for page in dict.fromkeys(pages)),
        headings=(),
        context="",
        kind=saved.kind,
        language=pages[0].language,
        score=0.0,
        chunks=(),
        core=(0, len(text)),
        keyword_rank=keyword,
        static_rank=static,
        semantic_rank=semantic,
        rerank_score=saved.rerank_score,
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
