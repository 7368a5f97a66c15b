"""Where a document takes back what it said before: a corrigendum, an erratum, an amended clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from src.answerer.scoring import Scored

_CORRECTS = re.compile(
    r"\b(?:in place of|instead of|for)\b.{2,200}?\bread\b|\b(?:should|shall|must|to) (?:now )?read\b|\bcorrigend(?:um|a)\b|\berrat(?:um|a)\b"
    r"|\b(?:is|are|was|were|has been|have been) (?:hereby )?(?:corrected|amended|changed|replaced|moved|postponed|brought forward|extended)"
    r"\b.{0,80}\b(?:to|by|with|from)\b|\b(?:statt|anstelle)\b.{2,200}?\b(?:lies|heißt|muss es)\b|\bau lieu de\b.{2,200}?\blire\b",
    re.IGNORECASE | re.DOTALL,
)


def corrected(best: Scored, scored: Sequence[Scored]) -> list[Scored]:
    """The sentences of ``scored`` that correct the value of ``best``, none where it has no value or corrects itself.

    A correction names the value that it takes back. Its own value, said before its quote, is the one that it gives; it has
    none where it gives none.
    """
    if best.value is None or _CORRECTS.search(best.candidate.text):
        return []
    old = best.value.text.strip(" ,.;")
    return [
        replace(s, value=s.value if s.value and s.value.text.strip(" ,.;") != old else None)
        for s in scored
        if s.candidate.row is None
        and s.candidate != best.candidate
        and re.search(rf"(?<!\w){re.escape(old)}(?!\w)", s.candidate.text)
        and _CORRECTS.search(s.candidate.text)
    ][:1]
