"""The check of one sentence against the words it cites."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from src.citations.agents import check_agents
from src.citations.comparisons import check_comparison
from src.citations.figures import check_figures
from src.citations.grounds import gather
from src.citations.intruders import check_places
from src.citations.names import check_names
from src.citations.polarity import check_polarity
from src.citations.quantifiers import check_quantifiers
from src.citations.reasons import check_reason
from src.citations.support import check_support
from src.citations.vague import check_vague
from src.citations.verdicts import Verdict
from src.models import Models
from src.records import Citation, Claim, Document, Passage, Support

_MARKS = re.compile(r"\s*\[(?:p{1,2}\.\s*)?\d+(?:\s*[,–-]\s*\d+)*\]")


def judge(
    claim: Claim,
    citations: Sequence[Citation],
    question: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    models: Models,
    tier: str,
) -> Verdict:
    """Hold ``claim`` against its located ``citations``.

    The extractive answerer's sentences are quotes with values taken from them by code: there the quotes alone are
    looked up.
    """
    verified = [c for c in citations if c.verified]
    if not citations:
        return Verdict(Support.NONE, "no passage is cited")
    if tier == "extractive":
        if len(verified) == len(citations):
            return Verdict(Support.FULL)
        return Verdict(Support.NONE, f"the quoted words are not on {citations[0].label}")
    unquoted = [c for c in citations if not c.quote.strip()]
    if not verified and not unquoted:
        return Verdict(Support.NONE, f"the quoted words are not on {citations[0].label}")
    grounds = gather(claim, verified or unquoted, question, passages, documents)
    text = _MARKS.sub("", claim.text).strip()
    found = [
        verdict
        for verdict in (
            check_figures(text, grounds),
            check_names(text, grounds),
            check_places(text, grounds),
            check_agents(text, grounds),
            check_polarity(text, grounds),
            check_quantifiers(text, grounds),
            check_vague(text, grounds),
            check_comparison(text, grounds),
            check_reason(text, grounds, models),
            check_support(text, grounds, models),
        )
        if verdict is not None
    ]
    if len(verified) < len(citations) - len(unquoted):
        lost = next(c for c in citations if c.quote.strip() and not c.verified)
        found.append(Verdict(Support.PARTIAL, f"some quoted words are not on {lost.label}"))
    worst = {Support.NONE: 0, Support.PARTIAL: 1, Support.FULL: 2}
    return min(found, key=lambda v: worst[v.support], default=Verdict(Support.FULL))
