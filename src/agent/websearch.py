"""An answer from the web, when the documents hold none and the reader allowed it: never mixed with their citations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from src.agent.drafting import checked, draft_by_model, draft_by_quoting
from src.agent.run import Run
from src.records import Answer, Block, BlockKind, Citation, Document, Page, Passage, Span
from src.web import WebError, WebResult, search_web

FROM_THE_WEB = "This answer comes from the web, not from the document."


def answer_from_web(run: Run, question: str) -> Answer | None:
    """The answer of a web search to ``question``, checked against the search service's excerpts; None for none."""
    if not run.settings.web_search:
        run.notice("The web was not searched: it is switched off here (DOCENGINE_WEB_SEARCH).")
        return None
    with run.step("web", "Searching the web") as say:
        try:
            results = run.wait(lambda: search_web(question, run.settings))
        except WebError as error:
            say("failed")
            run.notice(f"The web was not searched: {error}")
            return None
        say(f"{len(results)} results")
    documents = {_id(result): _document(result) for result in results}
    passages = [_passage(result) for result in results]
    own, run.documents = run.documents, run.documents | documents
    try:
        draft = draft_by_model(run, question, passages, show=False) or draft_by_quoting(
            run, question, passages
        )
        answer = checked(run, draft, question, passages)
    finally:
        run.documents = own
    if answer.status != "answered":
        return None
    citations = tuple(_cited(citation, results) for citation in answer.citations)
    notices = tuple(dict.fromkeys((FROM_THE_WEB, *answer.notices)))
    return replace(answer, route="web", citations=citations, passages=(), looked_here=(), notices=notices)


def _cited(citation: Citation, results: Sequence[WebResult]) -> Citation:
    assert citation.passage is not None
    result = results[citation.passage - 1]
    return replace(
        citation,
        document_id="",
        document_name=result.title or result.site,
        revision=0,
        pages=(),
        label=result.site,
        boxes=(),
        passage=None,
        url=result.url,
    )


def _id(result: WebResult) -> str:
    return "web-" + hashlib.sha256(result.url.encode()).hexdigest()


def _document(result: WebResult) -> Document:
    size = len(result.text)
    boxes = np.full((size, 4), np.nan, dtype=np.float32)
    blocks = (Block(BlockKind.PARAGRAPH, 0, size),)
    page = Page(1, "", 0.0, 0.0, result.text, boxes, blocks)
    return Document(_id(result), result.site, result.title, (page,))


def _passage(result: WebResult) -> Passage:
    size = len(result.text)
    return Passage(
        document_id=_id(result),
        document_name=result.site,
        revision=0,
        text=result.text,
        spans=(Span(1, 0, size),),
        labels=("",),
        headings=(result.title,) if result.title else (),
        context=result.title,
        kind="prose",
        language="",
        score=0.0,
        chunks=(),
        core=(0, size),
    )
