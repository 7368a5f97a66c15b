"""Which way a bound goes: "at least 45" and "at most 45" are opposite claims about the same number."""

from __future__ import annotations

import re

from src.answerer.numbers import Quantity

_DOWN_FIRST = r"not exceed(?:ing)?|(?:no|not) (?:more|later|longer|higher|greater|older|larger|thicker) than|by no more than"
_UP_FIRST = r"(?:no|not) (?:less|fewer|earlier|shorter|lower|younger|smaller) than"
_DOWN = (
    r"at most|up to|maximum of|max\.?|(?:less|fewer|lower|shorter|smaller|younger|slower|weaker|lighter|narrower|cheaper"
    r"|thinner|earlier|colder|shallower|nearer) than|under|below|within|before|until"
)
_UP = (
    r"at least|minimum of|min\.?|\w+er than|more than|over|above|exceed(?:s|ed|ing)?|after|upwards of|beyond"
)
_BOUND = re.compile(
    rf"\b(?:(?P<down1>{_DOWN_FIRST})|(?P<up1>{_UP_FIRST})|(?P<down>{_DOWN})|(?P<up>{_UP}))\s+(?:the\s+|an?\s+)?(?:[$€£¥])?\s*$",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|no|never|nobody|none|cannot)\b[^,;.]*$", re.IGNORECASE)
_AFTER = re.compile(
    r"^\s*(?:or|and)\s+(?:(?P<up>more|above|over|later|older|longer|higher|greater)"
    r"|(?P<down>less|fewer|below|under|earlier|younger|shorter|lower))\b",
    re.IGNORECASE,
)


def bound_of(text: str, quantity: Quantity) -> tuple[str, bool]:
    """ "up" for "at least 45", "down" for "up to 45", empty for no bound; and whether it stands under a negation."""
    if match := _AFTER.match(text[quantity.whole_end :]):
        return ("up" if match["up"] else "down"), False
    match = _BOUND.search(text[: quantity.start])
    if not match:
        return "", False
    negated = bool(_NEGATED.search(text[max(0, match.start() - 60) : match.start()]))
    return ("up" if match["up"] or match["up1"] else "down"), negated
