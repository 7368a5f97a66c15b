"""Values said in words, where no figure says them: "free of charge", "a third", "until 31 May", "two months' rent"."""

from __future__ import annotations

import re

from src.answerer.numerals import MONTH
from src.answerer.occasions import occasions
from src.answerer.questions import Kind

_FEW = r"(?:a few|a couple of|several|some|many)"
_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)"
_FREE = (
    r"(?<!feel )free (?:of (?:charge|cost)|for \w+|on \w+)|(?<!feel )(?:free|complimentary|included)(?=\s*(?:[.,;:!?)–—]|$))"
    r"|(?:no|without|at no) (?:extra |additional |further )?(?:charge|cost|fee)s?|included in (?:the )?(?:price|rent|fee|rate)|at your own expense"
    r"|kostenlos|kostenfrei|gratis|gratuite?(?:ment)?|offert"
)
_PAID = rf"{_NUMBER}\s+(?:months?|weeks?|years?|days?)['’]?\s+(?:rent|salary|salaries|pay|wages?|fees?|premiums?|turnover)"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?\.? (?:of )?{MONTH}(?: \d{{4}})?|{MONTH} \d{{1,2}}(?:, \d{{4}})?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{4}})"
_LASTS = (
    rf"(?:a )?(?:quarter of an|half an?) (?:hour|day|year)|{_FEW} (?:minutes|hours|days|weeks|months|years)|overnight|all (?:day|night|year)(?: long)?"
    rf"|(?:for )?an indefinite (?:time|period)|indefinitely|for life|lifelong|permanently|(?:until|till|bis|jusqu['’]au|hasta)\s+(?:the |zum |el )?(?:{_DAY}|[\w-]+(?: (?:of|the|each|each|this|that|next|following|day|year|month|week|[\w-]+day)\b)*)"
)
_SHARE = r"(?:(?:a|one|two|three) )?(?:half|thirds?|quarters?|fifths?|tenths?)\b(?! (?:year|time|party|person|ended|of (?:19|20)))|\w+ (?:in|out of) (?:every )?(?:\d+|two|three|four|five|six|ten|twelve)\b"
_OFTEN = r"(?:always|never|rarely|seldom|regularly|as (?:often as )?(?:needed|required|necessary)|on request|whenever [\w ]{3,30}|when (?:the|it|you)\b[\w ]{3,30})"
_WALK = rf"(?:{_NUMBER}[- ])(?:minutes?|hours?|km|mile)s?['’]?[- ](?:walk|drive|ride|flight|journey|trip)(?: away)?"
_AGE = r"(?:over|under|from|above|below|aged?|at least)\s+(?:the age of )?\d{1,3}\b|\d{1,3} (?:or|and) (?:over|older|under|younger|above|up)\b|\d{1,3}\+"
_NONE = r"(?:no|none|nobody|kein[em]?n?|aucune?)\b"

_RULES: dict[Kind, re.Pattern[str]] = {
    kind: re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE)
    for kind, said in (
        (Kind.AMOUNT, rf"{_PAID}|{_FREE}"),
        (Kind.DURATION, rf"{_LASTS}|{_AGE}"),
        (Kind.SHARE, _SHARE),
        (Kind.FREQUENCY, _OFTEN),
        (Kind.MEASURE, _WALK),
        (Kind.COUNT, _NONE),
    )
}


def worded(kind: Kind, text: str) -> list[tuple[int, int]]:
    """The stretches [start, end) of ``text`` that say a value of ``kind`` in words, in order."""
    if kind is Kind.DATE:
        return occasions(text)
    rule = _RULES.get(kind)
    found = [match.span() for match in rule.finditer(text)] if rule else []
    return found or (occasions(text) if kind is Kind.FREQUENCY else [])
