"""Do the numbers, dates, units and percentages of a claim agree with the words it cites?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from src.answerer.numbers import Quantity, quantities
from src.answerer.terms import all_terms
from src.answerer.units import MONEY, canonical_unit
from src.citations.agreement import Figure, agrees, agrees_unscaled, cited_figures, same_class
from src.citations.binding import rival
from src.citations.bounds import bound_of
from src.citations.cells import SMALL, column_problem, row_problem, sign_problem
from src.citations.grounds import Grounds
from src.citations.intruders import displaced_figure
from src.citations.verdicts import Verdict
from src.records import Support

COMPUTING = re.compile(
    r"\b(?:total|sum|together|combined|altogether|in all|differ\w*|increas\w*|decreas\w*|rose|fell|grew|drop\w*|declin\w*"
    r"|gap|ratio|average|mean|more than|less than|fewer than|higher|lower|up|down|times|twice|half|double\w*|overall)\b",
    re.IGNORECASE,
)


_QUARTER_OR_PART = re.compile(r"Q[1-4]|(?:mid|early|late)-?\d{4}", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:last|this|previous|prior|preceding|current|next) (?:fiscal |calendar )?(?:year|quarter|month)|\b(?:three months|quarter)"
    r" ended\b",
    re.IGNORECASE,
)


_RANKED = re.compile(r"[\s-]+(?:\w{3,}est|most|least|best)\b", re.IGNORECASE)


def check_figures(claim: str, grounds: Grounds) -> Verdict | None:
    """The first disagreement of a figure of ``claim`` with its ``grounds``; None when all agree."""
    stated = [q for q in quantities(claim) if not _idle(q, claim)]
    cited = cited_figures(grounds)
    worst: Verdict | None = None
    matched: list[tuple[Quantity, list[Figure]]] = []
    for quantity in stated:
        forms = (quantity, *_scaled_by_next(quantity, claim))
        found = [f for f in cited for q in forms if agrees(q, f.quantity) or agrees_unscaled(q, f)]
        verdict = (
            column_problem(quantity, found, claim, grounds)
            if found
            else _missing(quantity, claim, stated, cited, grounds)
        )
        if found and verdict is None:
            verdict = (
                sign_problem(quantity, found, claim, grounds)
                or row_problem(quantity, found, claim, grounds)
                or _bound_problem(quantity, found, claim)
            )
            matched.append((quantity, found))
        if verdict and verdict.support is Support.NONE:
            return verdict
        worst = worst or verdict
    return (
        _exchange_problem(claim, matched, cited, grounds)
        or _displaced_problem(claim, matched, grounds)
        or worst
    )


def _scaled_by_next(quantity: Quantity, claim: str) -> list[Quantity]:
    """The first of "$98.8 and $99.8 billion" with the scale and unit that the two share."""
    behind = next((q for q in quantities(claim) if q.start >= quantity.end), None)
    if quantity.kind != "number" or quantity.scale != 1 or behind is None or behind.kind != "number":
        return []
    if not re.fullmatch(r"\s*(?:and|to|or|[-–,])\s*", claim[quantity.end : behind.start]):
        return []
    return [replace(quantity, scale=behind.scale, unit=quantity.unit or behind.unit)]


def _idle(quantity: Quantity, claim: str) -> bool:
    """Whether the word is no count: "one of the", the number of a list item."""
    if quantity.in_words and quantity.kind == "number" and quantity.value == 1:
        return not quantity.unit
    if quantity.kind == "ordinal" and quantity.in_words and quantity.value == 1:
        return bool(re.match(r"\s*[,:]", claim[quantity.end :])) or not claim[: quantity.start].strip()
    if re.search(r"\b(?:19|20)\d\d[-–/]$", claim[: quantity.start]) and quantity.value < 100:
        return True  # the season 2024-25
    before = claim[: quantity.start].rstrip()
    return not before and bool(re.match(r"[.)]\s", claim[quantity.end :]))


def _missing(
    quantity: Quantity, claim: str, stated: Sequence[Quantity], cited: Sequence[Figure], grounds: Grounds
) -> Verdict | None:
    """What to say of a quantity that no cited figure agrees with."""
    rivals = _rivals(quantity, stated, cited)
    if quantity.kind == "year" and any(agrees(quantity, q) for q in quantities(grounds.titles)):
        # the year of the report itself, where the quoted sentences name no other
        rivals = [f for f in rivals if f.header or f.text in grounds.quoted]
    near = [*quantities(grounds.near), *(_near_figures(grounds)), *quantities(grounds.cited)]
    if (
        not rivals
        and quantity.kind in ("year", "date", "ordinal", "code")
        and any(agrees(quantity, q) for q in near)
    ):
        return None
    if not rivals and _is_label(quantity, claim) and _names_the_same(quantity, claim, grounds):
        return None
    if quantity.unit and any(_same_number(quantity, f.quantity) for f in cited):
        shown = claim[quantity.start : quantity.whole_end]
        if _unit_is_near(quantity, grounds):
            return None
        return Verdict(Support.NONE, f"{shown!r} does not have the unit that stands on {grounds.label}")
    if _is_computed(quantity, claim, cited) or _is_sum(quantity, stated, cited):
        return Verdict(
            Support.PARTIAL,
            f"the number {quantity.surface} is computed and does not stand on {grounds.label}",
        )
    # "both conditions", "of the three segments": what a sentence counts of its own
    if quantity.in_words and quantity.value <= SMALL and not any(_is_small_count(f) for f in rivals):
        if quantity.kind == "ordinal" and not grounds.cells and _RANKED.match(claim, quantity.end):
            return Verdict(
                Support.PARTIAL,
                f"the rank {quantity.surface!r} is not in the words cited from {grounds.label}",
            )
        return None
    elsewhere = any(agrees(quantity, q) for q in quantities(grounds.around))
    calendar = quantity.kind == "year" or bool(_QUARTER_OR_PART.fullmatch(quantity.surface))
    if calendar and not any(_names_period(f, quantity) for f in (*rivals, *cited)):
        if _RELATIVE.search(f"{grounds.cited}\n{grounds.near}"):
            return None  # "since mid-2023" for "since the middle of last year": no date there contradicts it
        return Verdict(Support.PARTIAL, f"{quantity.surface} is not in the words cited from {grounds.label}")
    if quantity.kind == "code" and elsewhere:
        return None
    word = {"date": "date", "year": "year", "time": "time", "code": "code"}.get(quantity.kind, "number")
    shown = claim[quantity.start : quantity.whole_end].strip()
    # a number of another sentence of the passage is more often cited loosely than told wrongly
    printed = any(abs(f.quantity.value) == abs(quantity.value) for f in cited)  # with another scale or unit
    support = Support.PARTIAL if elsewhere and not printed else Support.NONE
    return Verdict(support, f"the {word} {shown} is not in the words cited from {grounds.label}")


def _names_period(figure: Figure, claimed: Quantity) -> bool:
    """Whether the page names a period of its own, a quarter or a year, that ``claimed`` could contradict."""
    stated = figure.quantity
    if claimed.surface[:1] in "Qq":
        return stated.kind == "ordinal" or bool(_QUARTER_OR_PART.fullmatch(stated.surface))
    return stated.kind == "year"


def _is_small_count(figure: Figure) -> bool:
    quantity = figure.quantity
    return (
        quantity.kind in ("number", "ordinal")
        and not figure.header
        and quantity.unit not in (*MONEY, "%")
        and abs(quantity.amount) <= SMALL
        and quantity.value == quantity.value.to_integral_value()
    )


def _near_figures(grounds: Grounds) -> list[Quantity]:
    return [q for header in grounds.headers for q in quantities(header)]


def _same_number(claimed: Quantity, stated: Quantity) -> bool:
    return stated.kind in ("number", "year") and claimed.value == stated.value and not stated.unit


def _unit_is_near(quantity: Quantity, grounds: Grounds) -> bool:
    """Whether the unit stands anywhere in the cited sentences or what names their subject."""
    text = f"{grounds.cited}\n{grounds.near}"
    units = {q.unit for q in quantities(text)}
    if quantity.unit in units:
        return True
    return any(canonical_unit(term.word) == quantity.unit for term in all_terms(text) if len(term.word) > 1)


def _rivals(quantity: Quantity, stated: Sequence[Quantity], cited: Sequence[Figure]) -> list[Figure]:
    """Cited figures of the same class that no other figure of the claim accounts for."""
    return [
        f
        for f in cited
        if same_class(quantity, f.quantity)
        and not any(agrees(q, f.quantity) for q in stated if q is not quantity)
    ]


def _is_label(quantity: Quantity, claim: str) -> bool:
    """Whether the number singles something out ("berth 3") rather than measuring it."""
    return (
        quantity.kind == "number"
        and not quantity.unit
        and bool(re.search(r"\b[A-Za-z]{3,}\s+(?:no\.?\s*|number\s+|#)?$", claim[: quantity.start]))
    )


def _is_named(quantity: Quantity, claim: str) -> bool:
    """Whether the number is part of a name: "Moana 2"."""
    return _is_label(quantity, claim) and bool(re.search(r"\b[A-Z]\w+\s+$", claim[: quantity.start]))


def _names_the_same(quantity: Quantity, claim: str, grounds: Grounds) -> bool:
    noun = re.search(r"([A-Za-z]{3,})\s+(?:no\.?\s*|number\s+|#)?$", claim[: quantity.start])
    pattern = (
        rf"\b{re.escape(noun[1])}\w*\s+(?:no\.?\s*|number\s+|#)?{re.escape(quantity.surface)}\b"
        if noun
        else r"(?!)"
    )
    return bool(re.search(pattern, f"{grounds.near}\n{grounds.asked}", re.IGNORECASE))


def _is_computed(quantity: Quantity, claim: str, cited: Sequence[Figure]) -> bool:
    """Whether the number follows from two or more cited ones, in a sentence that says that it computes."""
    if not COMPUTING.search(claim) or quantity.kind != "number":
        return False
    amounts = list(dict.fromkeys(abs(f.quantity.amount) for f in cited if f.quantity.kind == "number"))[:12]
    mine = abs(quantity.amount)
    results = {sum(amounts)} if len(amounts) > 2 else set()
    for a, b in combinations(amounts, 2):
        results |= {a + b, abs(a - b), (a + b) / 2}
        if a and b:
            results |= {a / b, b / a, 100 * a / b, 100 * b / a, 100 * abs(a - b) / a, 100 * abs(a - b) / b}
    return any(mine == r or round(r, quantity.places) == mine for r in results)


def _is_sum(quantity: Quantity, stated: Sequence[Quantity], cited: Sequence[Figure]) -> bool:
    """Whether the number is the sum of the claim's other numbers, all of which stand on the page."""
    parts = [
        q
        for q in stated
        if q is not quantity and q.kind == "number" and any(agrees(q, f.quantity) for f in cited)
    ]
    return any(
        sum(abs(q.amount) for q in some) == abs(quantity.amount)
        for size in range(2, min(6, len(parts)) + 1)
        for some in combinations(parts, size)
    )


def _bound_problem(quantity: Quantity, found: Sequence[Figure], claim: str) -> Verdict | None:
    """Opposite bounds. "No more than ten may" against "at most ten" is left to the check of negations."""
    mine, negated = bound_of(claim, quantity)
    theirs = [bound_of(f.text, f.quantity) for f in found]
    if mine and all(bound and bound != mine and under == negated for bound, under in theirs):
        return Verdict(Support.NONE, f"the bound of {quantity.surface} goes the other way on the page")
    return None


def _exchange_problem(
    claim: str, matched: Sequence[tuple[Quantity, list[Figure]]], cited: Sequence[Figure], grounds: Grounds
) -> Verdict | None:
    """Two figures of the page that changed places in the claim, or one that took the place of another."""
    if grounds.cells:
        return None
    used = [f for _, found in matched for f in found]
    for quantity, found in matched:
        unused = [f for f in cited if f not in used and f.quantity.kind == quantity.kind]
        unused = [f for f in unused if same_class(quantity, f.quantity)]
        place = (claim, quantity.start, quantity.whole_end)
        if len(matched) > 1:
            continue
        if rival(place, _places(found), _places(unused), grounds.language, sided=False):
            return Verdict(
                Support.PARTIAL, f"{quantity.surface} belongs to something else on {grounds.label}"
            )
    return None


def _displaced_problem(
    claim: str, matched: Sequence[tuple[Quantity, list[Figure]]], grounds: Grounds
) -> Verdict | None:
    """A figure told of what another figure of the passage belongs to."""
    for quantity, found in matched:
        if all(f.header for f in found):
            continue
        if other := displaced_figure(quantity, claim, grounds):
            return Verdict(
                Support.PARTIAL,
                f"{quantity.surface} belongs to something else on {grounds.label}, where {other} stands for this",
            )
    return None


def _same_order(ones: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether two figures of the claim stand in one sentence of the page in the order in which the claim has them."""
    return any(a.text == b.text and a.quantity.start < b.quantity.start for a in ones for b in others)


def _places(figures: Sequence[Figure]) -> list[tuple[str, int, int]]:
    return [(f.text, f.quantity.start, f.quantity.whole_end) for f in figures]
