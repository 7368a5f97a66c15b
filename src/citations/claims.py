"""The check of one sentence against the words it cites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from src.answerer.numbers import quantities
from src.answerer.sentences import sentence_bounds
from src.citations.lookup import find_quote
from src.models import Models
from src.records import Citation, Claim, Document, Passage, Support


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the check found: how far the sentence is supported and, in words, what does not agree."""

    support: Support
    problem: str = ""


def judge(
    claim: Claim,
    citations: Sequence[Citation],
    question: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    models: Models,
    tier: str,
) -> Verdict:
    """Hold ``claim`` against its located ``citations``."""
    verified = [c for c in citations if c.verified]
    if not citations:
        return Verdict(Support.NONE, "no passage is cited")
    if not verified:
        return Verdict(Support.NONE, f"the quoted words are not on {citations[0].label}")
    evidence = " ".join(_whole_sentences(c, passages) for c in verified)
    known = {q.value for c in verified if c.passage for q in quantities(passages[c.passage - 1].context)}
    stated = {abs(q.value) for q in quantities(evidence)} | {abs(v) for v in known}
    for quantity in quantities(claim.text):
        if quantity.kind in ("number", "year") and abs(quantity.value) not in stated and tier != "extractive":
            return Verdict(Support.NONE, f"the number {quantity.surface} is not on {verified[0].label}")
    return Verdict(Support.FULL)


def _whole_sentences(citation: Citation, passages: Sequence[Passage]) -> str:
    """The sentences of the cited passage that the quote touches, the quote alone when it stands beside it."""
    assert citation.passage is not None
    text = passages[citation.passage - 1].text
    places = find_quote(citation.quote, text)
    touched = [
        text[start:end]
        for start, end in sentence_bounds(text)
        if any(start < b and a < end for a, b in places)
    ]
    return " ".join(touched) or citation.quote
