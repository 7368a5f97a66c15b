"""Does a comparison of a claim hold? "Fell from 5.2 to 6.1" contradicts itself, "higher than in 2021" the table row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from src.answerer.numbers import Quantity, quantities
from src.answerer.terms import all_terms
from src.citations.agreement import agrees, cited_figures
from src.citations.cells import LOSSES
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

_UP = r"ros?e|risen|rising|increas\w*|gr[eo]w\w*|climb\w*|gain\w*|jump\w*|improv\w*|surg\w*|expand\w*|went up|mov\w+ up|(?:doubl|tripl|quadrupl)\w*|up"
_DOWN = r"f[ae]ll\w*|decreas\w*|declin\w*|drop\w*|shr[aiu]nk\w*|slip\w*|contract\w*|plung\w*|went down|mov\w+ down|halv\w*|down|reduc\w*"
_FROM_TO = re.compile(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b(?P<gap>[^.;]{{0,60}}?)\bfrom\s+(?P<rest>[^.;]*)", re.IGNORECASE
)
_BACK = re.compile(r"[,(]?\s*(?:(?P<up>up)|(?P<down>down))\s+from\s*$", re.IGNORECASE)
_MORE = r"higher|more|greater|larger|bigger|longer|above|exceed\w*|outnumber\w*|outweigh\w*|ahead of|surpass\w*|topp\w*"
_LESS = r"lower|less|fewer|smaller|shorter|below|trail\w*|behind|fell short of|short of"
_BETWEEN = re.compile(rf"\b(?:(?P<up>{_MORE})|(?P<down>{_LESS}))\b", re.IGNORECASE)
_WAY = re.compile(
    r"\b(?:away )?from ((?:[\w&'’-]+ ){1,7}?)(?:and )?(?:to|towards?|into) ((?:[\w&'’-]+ ?){1,5})",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    r"\b(?:(?P<up>highest|largest|biggest|strongest|peak\w*)|(?P<down>lowest|smallest|weakest))\b",
    re.IGNORECASE,
)
_OF_PERIODS = re.compile(r"\b(?:years|quarters|months|periods)\b", re.IGNORECASE)
_NOUN = re.compile(r"\s+([a-z]{4,})\b(?<!than)")
_PART_OF = re.compile(r"\s+(?:out )?of (?:the |all |its |their |our )?", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|n['’]t|without)\b", re.IGNORECASE)


def check_comparison(claim: str, grounds: Grounds) -> Verdict | None:
    """A verdict when a comparison in ``claim`` is the wrong way round by its own figures or its table row."""
    amounts = [q for q in quantities(claim) if q.kind == "number"]
    wrong = _from_to(claim, amounts, grounds) or _pair(claim, amounts) or _other_year(claim, amounts, grounds)
    wrong = wrong or _turned_direction(claim, grounds) or _part_over_whole(claim, amounts)
    if wrong:
        return Verdict(Support.NONE, f"{wrong} is the wrong way round")
    if extreme := _no_extreme(claim, amounts, grounds):
        return Verdict(Support.NONE, f"{extreme} is not so among the values of its row on {grounds.label}")
    return None


def _part_over_whole(claim: str, amounts: Sequence[Quantity]) -> str:
    """ "400 of the 312": a part that is more than its whole."""
    for part, whole in pairwise(amounts):
        between = claim[part.whole_end : whole.start]
        if _PART_OF.fullmatch(between) and _alike(part, whole) and part.amount > whole.amount > 0:
            return claim[part.start : whole.whole_end]
    return ""


def _turned_direction(claim: str, grounds: Grounds) -> str:
    """ "Moved from B to A" where the page says "from A to B"."""
    mine = _directions(claim, grounds.language)
    for source, target in mine:
        for sentence in grounds.sentences:
            for start, end in _directions(sentence, grounds.language):
                straight = len(source & start) + len(target & end)
                if source & end and target & start and len(source & end) + len(target & start) > straight:
                    return "the direction"
    return ""


def _directions(text: str, language: str) -> list[tuple[set[str], set[str]]]:
    """Stems of what "from A to B" moves from and to."""

    def told(part: str) -> set[str]:
        return {t.stem for t in all_terms(part, language) if not t.is_function}

    return [(told(match[1]), told(match[2])) for match in _WAY.finditer(text)]


def _no_extreme(claim: str, amounts: Sequence[Quantity], grounds: Grounds) -> str:
    """ "The highest of the five years" where another year's cell of the same row is higher."""
    found = list(_EXTREME.finditer(claim))
    if len(found) != 1 or not amounts or not _OF_PERIODS.search(claim) or _NOT.search(claim):
        return ""
    cited = [f for f in cited_figures(grounds) if f.header and f.quantity.kind == "number"]
    own = [f for f in cited if agrees(amounts[0], f.quantity)]
    if len({(f.label, f.header) for f in own}) != 1:
        return ""
    peers = [_size(f.quantity, claim) for f in cited if f.label == own[0].label and _is_dated(f.header)]
    mine = _size(own[0].quantity, claim)
    best = max(peers, default=mine) if found[0]["up"] else min(peers, default=mine)
    return found[0].group() if len(peers) > 2 and _is_dated(own[0].header) and mine != best else ""


def _is_dated(header: str) -> bool:
    return any(q.kind in ("year", "date") for q in quantities(header))


def _alike(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit or not one.unit or not other.unit


def _size(quantity: Quantity, claim: str) -> Decimal:
    """The amount as it is compared: a loss of 5 is bigger than one of 3, whatever sign is printed."""
    return abs(quantity.amount) if LOSSES.search(claim) or quantity.parenthesised else quantity.amount


def _from_to(claim: str, amounts: Sequence[Quantity], grounds: Grounds) -> str:
    """ "Rose from A to B" and "B, up from A"."""
    for match in _FROM_TO.finditer(claim):
        if _NOT.search(claim[max(0, match.start() - 12) : match.start()]):
            continue
        start = match.start("rest")
        behind = [q for q in amounts if q.start >= start][:2]
        if len(behind) == 2 and re.search(r"\bto\b", claim[behind[0].whole_end : behind[1].start]):
            first, second = behind
        elif before := [q for q in amounts if q.whole_end <= match.start()][-1:]:
            if not behind or not _BACK.search(claim[before[0].whole_end : start]):
                continue
            first, second = behind[0], before[0]
        else:
            continue
        turned = _alike(first, second) and _contradicts(first, second, bool(match["up"]), claim)
        if turned or _backwards(first, second, grounds):
            return claim[match.start() : behind[-1].whole_end]
    return ""


def _backwards(first: Quantity, second: Quantity, grounds: Grounds) -> bool:
    """Whether "from A to B" runs against the years over the cells of A and B."""
    years = []
    for quantity in (first, second):
        headers = [f.header for f in cited_figures(grounds) if f.header and agrees(quantity, f.quantity)]
        found = {int(q.value) for h in headers for q in quantities(h) if q.kind == "year"}
        found |= {q.date[0] for h in headers for q in quantities(h) if q.kind == "date" and q.date[0]}
        years.append(found)
    return all(len(found) == 1 for found in years) and min(years[0]) > min(years[1])


def _contradicts(first: Quantity, second: Quantity, up: bool, claim: str) -> bool:
    a, b = _size(first, claim), _size(second, claim)
    return a != b and (b > a) != up


def _pair(claim: str, amounts: Sequence[Quantity]) -> str:
    """ "A was higher than the B of last year": between two amounts one word that compares them, and no other."""
    for one, other in pairwise(amounts):
        gap = claim[one.whole_end : other.start]
        found = list(_BETWEEN.finditer(gap))
        if len(found) != 1 or not _alike(one, other) or _NOT.search(gap) or len(gap) > 120:
            continue
        if _counts_others(one, other, claim):
            continue
        adjacent = not re.search(r"\w", gap[: found[0].start()])
        if adjacent or re.search(r"\b(?:but|while|whereas|and)\b|;", gap):
            continue  # "5 points higher than 12": a difference; "A was higher, and B ..."
        a, b = _size(one, claim), _size(other, claim)
        if a != b and (a > b) != bool(found[0]["up"]):
            return claim[one.start : other.whole_end]
    return ""


def _counts_others(one: Quantity, other: Quantity, claim: str) -> bool:
    """Whether two bare numbers count different things: "52 patients had a rate above 110 beats"."""
    nouns = [m[1].lower() for q in (one, other) if (m := _NOUN.match(claim, q.end)) and not q.unit]
    return len(nouns) == 2 and nouns[0] != nouns[1]


def _other_year(claim: str, amounts: Sequence[Quantity], grounds: Grounds) -> str:
    """ "The loss, $3,547 million, was smaller than in 2021": the other year's cell of the same row."""
    found = list(_BETWEEN.finditer(claim))
    if len(found) != 1 or len(amounts) != 1 or _NOT.search(claim):
        return ""
    years = [q for q in quantities(claim[found[0].end() :]) if q.kind == "year"]
    own = [f for f in cited_figures(grounds) if f.header and agrees(amounts[0], f.quantity)]
    if len(years) != 1 or amounts[0].start > found[0].start() or not own:
        return ""
    for figure in own:
        for other in cited_figures(grounds):
            dated = [q for q in quantities(other.header) if q.kind in ("year", "date")]
            if other.label != figure.label or not any(agrees(years[0], q) for q in dated):
                continue
            a, b = _size(figure.quantity, claim), _size(other.quantity, claim)
            if a != b and figure.header != other.header and (a > b) != bool(found[0]["up"]):
                return claim[amounts[0].start : found[0].end() + years[0].end]
    return ""
