"""The check of one claim that cites a quote of a made document."""

from __future__ import annotations

from src.citations.claims import judge
from src.citations.lookup import find_spans
from src.citations.verdicts import Verdict
from src.models import Models
from src.records import Citation, Claim, Document
from tests.answerer.made import passages_of


def checked(document: Document, claim: str, quote: str, question: str = "What is said?") -> Verdict:
    """The check of ``claim`` citing ``quote`` of the document's first passage that holds it."""
    passages = passages_of(document)
    number, spans = next(
        (i, spans)
        for i, passage in enumerate(passages, start=1)
        if (spans := find_spans(quote, passage, document.pages))
    )
    citation = Citation(
        1, document.id, document.name, 0, (spans[0].page,), "p. 1", quote, True, passage=number
    )
    claimed = Claim(claim, ((number, quote),))
    return judge(claimed, [citation], question, passages, {document.id: document}, Models(), "direct")
