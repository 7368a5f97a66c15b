"""Does the reason that a claim gives stand anywhere in the passages?"""

from __future__ import annotations

import re

from src.answerer.irregular import base
from src.answerer.numerals import WORDS
from src.answerer.opposites import siblings_of
from src.answerer.terms import all_terms
from src.citations.grounds import Grounds
from src.citations.support import TELLING, stands, unlike
from src.citations.verdicts import Verdict
from src.models import Models
from src.records import Support

STRANGE = 0.5  # share of a reason's words that stand nowhere, from which it is no reason of the page
_REASON = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|thanks to|in order to|so that|so as to|as a result of|the reason (?:is|was))\b[^,;.]*",
    re.IGNORECASE,
)


def check_reason(claim: str, grounds: Grounds, models: Models) -> Verdict | None:
    """A doubt when the words behind "because" are strange to the whole passages, not to the cited sentences alone."""
    if grounds.cells or grounds.language != "en" or models.static is None:
        return None
    known = _known(grounds)
    terms = all_terms(claim)
    for match in _REASON.finditer(claim):
        told = [
            t
            for t in terms
            if match.start() <= t.start < match.end() and not t.is_function and t.word not in TELLING
            if t.word.isalpha() and t.word not in WORDS
        ]
        strange = unlike([t for t in told if not stands(t, known)], grounds, models)
        if strange and len(strange) >= STRANGE * len(told):
            words = ", ".join(t.surface for t in strange[:3])
            return Verdict(Support.PARTIAL, f"the reason does not stand on {grounds.label} ({words})")
    return None


def _known(grounds: Grounds) -> set[str]:
    words = all_terms(f"{grounds.around}\n{grounds.near}\n{grounds.asked}")
    return {form for t in words for form in (t.word, t.stem, base(t), *siblings_of(t.word))}
