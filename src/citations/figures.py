"""Do the numbers, dates, units and percentages of a claim agree with the words it cites?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from itertools import combinations

from src.answerer.numbers import Quantity, quantities
from src.answerer.terms import all_terms
from src.answerer.units import DIMENSIONS, FACTORS, MONEY, canonical_unit
from src.citations.binding import exchanged, marker, rival
from src.citations.bounds import bound_of
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

COMPUTING = re.compile(
    r"\b(?:total|sum|together|combined|altogether|in all|differ\w*|increas\w*|decreas\w*|rose|fell|grew|drop\w*|declin\w*"
    r"|gap|ratio|average|mean|more than|less than|fewer than|higher|lower|up|down|times|twice|half|double\w*|overall)\b",
    re.IGNORECASE,
)
SMALL = 10
PER_UNIT = re.compile(
    r"\bper\b|\baverage\b|\brates?\b|\bprice\b|\bEPS\b|\bratio\b|\bmargin\b|\(%\)", re.IGNORECASE
)
NUMERIC_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}")
GAINS = re.compile(r"\b(?:profit|gain|surplus)\b", re.IGNORECASE)
LOSSES = re.compile(
    r"\b(?:loss|losses|deficit|negative|minus|outflow|decreas\w*|declin\w*|fell|down|lower)\b", re.IGNORECASE
)
QUARTER = re.compile(r"q([1-4])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity of the grounds with the text it stands in, and its table header where it has one.

    ``unscaled`` says that it is a cell of a table whose scale ("in millions") is not known.
    """

    quantity: Quantity
    text: str
    header: str = ""
    label: str = ""
    unscaled: bool = False


def check_figures(claim: str, grounds: Grounds) -> Verdict | None:
    """The first disagreement of a figure of ``claim`` with its ``grounds``; None when all agree."""
    stated = [q for q in quantities(claim) if not _idle(q, claim)]
    cited = cited_figures(grounds)
    worst: Verdict | None = None
    matched: list[tuple[Quantity, list[Figure]]] = []
    for quantity in stated:
        found = [f for f in cited if agrees(quantity, f.quantity) or _agrees_unscaled(quantity, f)]
        verdict = (
            _column_problem(quantity, found, claim, grounds)
            if found
            else _missing(quantity, claim, stated, cited, grounds)
        )
        if found and verdict is None:
            verdict = _sign_problem(quantity, found, claim, grounds) or _bound_problem(quantity, found, claim)
            matched.append((quantity, found))
        if verdict and verdict.support is Support.NONE:
            return verdict
        worst = worst or verdict
    return _exchange_problem(claim, matched, cited, grounds) or worst


def cited_figures(grounds: Grounds) -> list[Figure]:
    """Every quantity of the cited sentences and cells; a cell has its table's scale and unit."""
    found: list[Figure] = []
    for cell in grounds.cells:
        for q in quantities(cell.text):
            unscaled = q.unit == "%" or PER_UNIT.search(f"{cell.label} {cell.header}")
            scaled = (
                replace(q, unit=q.unit or cell.unit)
                if unscaled
                else replace(q, scale=q.scale * cell.scale, unit=q.unit or cell.unit)
            )
            found.append(Figure(scaled, cell.text, cell.header, cell.label, cell.scale == 1))
        found += [Figure(q, cell.label) for q in quantities(cell.label)]
    sentences = grounds.prose if grounds.cells else grounds.sentences
    found += [Figure(q, sentence) for sentence in sentences for q in quantities(sentence)]
    return found


def agrees(claimed: Quantity, stated: Quantity) -> bool:
    """Whether the two say the same: same value up to notation, conversion and rounding, same unit."""
    if claimed.kind == "code" or stated.kind == "code":
        return _codes_agree(claimed, stated)
    if claimed.kind == "date" or stated.kind == "date":
        return _dates_agree(claimed, stated)
    if "time" in (claimed.kind, stated.kind):
        return claimed.kind == stated.kind and claimed.value == stated.value
    if "ordinal" in (claimed.kind, stated.kind):
        return claimed.value == stated.value and not (claimed.unit or stated.unit)
    if not _units_agree(claimed, stated):
        return False
    return _amounts_agree(claimed, stated)


def _agrees_unscaled(claimed: Quantity, figure: Figure) -> bool:
    """Whether a cell whose scale or unit stands elsewhere in the document may be what the claim tells."""
    stated = figure.quantity
    if not (figure.header or figure.unscaled) or claimed.kind != "number" or stated.kind != "number":
        return False
    if claimed.unit in ("%", "percentage point") and not re.search(r"[%$€£]", figure.text):
        return abs(claimed.value) == abs(stated.value) < 1000
    if not figure.unscaled or claimed.scale == 1:
        return False
    told = replace(claimed, unit="")
    return any(
        _amounts_agree(told, replace(stated, unit="", scale=Decimal(1000) ** power)) for power in (1, 2, 3)
    )


def _codes_agree(claimed: Quantity, stated: Quantity) -> bool:
    def plain(q: Quantity) -> str:
        return re.sub(r"[\s\-–/.]", "", q.surface).casefold()

    for one, other in ((claimed, stated), (stated, claimed)):
        if (quarter := QUARTER.fullmatch(one.surface)) and other.kind == "ordinal":
            return int(quarter[1]) == other.value
    return plain(claimed) == plain(stated)


def _dates_agree(claimed: Quantity, stated: Quantity) -> bool:
    one, other = _as_date(claimed), _as_date(stated)
    if one is None or other is None:
        return False
    if NUMERIC_DATE.fullmatch(stated.surface) and other[2] <= 12 and one[1:] == (other[2], other[1]):
        return one[0] in (0, other[0])  # 09/06: the day or the month first
    if any(a and b and a != b for a, b in zip(one, other, strict=True)):
        return False
    # "28 October 1940" is not given by an "Act of 1940"; a year may be said elsewhere, a day may not.
    if any(a and not b for a, b in zip(one[1:], other[1:], strict=True)):
        return False
    return any(a and b for a, b in zip(one, other, strict=True))


def _as_date(quantity: Quantity) -> tuple[int, int, int] | None:
    if quantity.kind == "date":
        return quantity.date
    if quantity.kind == "year":
        return int(quantity.value), 0, 0
    return None


def _units_agree(claimed: Quantity, stated: Quantity) -> bool:
    degrees = {claimed.unit, stated.unit}
    if "degree" in degrees and degrees <= {"degree", "celsius", "fahrenheit"}:
        return True
    if not claimed.unit or not stated.unit or claimed.unit == stated.unit:
        return (claimed.unit == "%") <= (stated.unit in ("%", "share", ""))
    return (
        DIMENSIONS.get(claimed.unit) == DIMENSIONS.get(stated.unit)
        and DIMENSIONS.get(claimed.unit) is not None
    )


def _amounts_agree(claimed: Quantity, stated: Quantity) -> bool:
    mine, theirs = abs(claimed.amount), abs(stated.amount)
    if (
        claimed.unit
        and stated.unit
        and claimed.unit != stated.unit
        and "degree" not in (claimed.unit, stated.unit)
    ):
        mine, theirs = mine * FACTORS[claimed.unit], theirs * FACTORS[stated.unit]
        return mine == theirs or _is_rounding(claimed, mine, theirs)
    # In a table "4,318" may be repeated as it is printed, but not with a unit that its scale contradicts.
    bare = claimed.scale == 1 and claimed.unit not in MONEY
    if mine == theirs or (bare and abs(claimed.value) == abs(stated.value)):
        return True
    return _is_rounding(claimed, mine, theirs)


def _is_rounding(claimed: Quantity, mine: Decimal, theirs: Decimal) -> bool:
    """Whether the claim's number is the page's, rounded.

    Without a hedge ("about") only where the notation shows it: decimals cut, or another scale ("4.3 million" for
    4,318 thousand); 910 for 912 is another number.
    """
    if not theirs or not mine:
        return False
    digits = len(claimed.value.normalize().as_tuple().digits)
    if digits >= len(theirs.normalize().as_tuple().digits):
        return False
    shown = theirs / claimed.scale != (theirs / claimed.scale).to_integral_value()
    if not claimed.hedged and (digits < 2 or not shown):
        return False
    step = Decimal(1).scaleb(theirs.adjusted() - digits + 1)
    floor = (theirs / step).to_integral_value(ROUND_FLOOR) * step
    nearest = (theirs / step).to_integral_value(ROUND_HALF_UP) * step
    return mine == nearest or (claimed.hedged and mine in (floor, floor + step) and digits > 1)


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
        return None
    word = {"date": "date", "year": "year", "time": "time", "code": "code"}.get(quantity.kind, "number")
    shown = claim[quantity.start : quantity.whole_end].strip()
    return Verdict(Support.NONE, f"the {word} {shown} is not in the words cited from {grounds.label}")


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
        if _same_class(quantity, f.quantity)
        and not any(agrees(q, f.quantity) for q in stated if q is not quantity)
    ]


def _same_class(one: Quantity, other: Quantity) -> bool:
    dated = ("year", "date")
    if one.kind in dated and other.kind in dated:
        return True
    if one.kind != other.kind:
        return False
    return not one.unit or not other.unit or DIMENSIONS.get(one.unit) == DIMENSIONS.get(other.unit)


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


def _column_problem(
    quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds
) -> Verdict | None:
    """A cell's value told under another column's header: the right number for the wrong year."""
    found = [
        f for f in found if 2 * len(f.quantity.surface) >= len(f.text)
    ]  # not a figure in a cell of words
    if not found or any(not f.header for f in found) or quantity.kind != "number" or _is_count(quantity):
        return None
    told = [q for q in quantities(claim) if q.kind in ("year", "date")]
    named = [q for q in told if not _is_told_of_another(q, quantity, claim, grounds)]
    if told and not named:
        return None
    dated = [h for h in grounds.headers if any(q.kind in ("year", "date") for q in quantities(h))]
    if named and dated:
        for figure in found:
            own = [q for q in quantities(figure.header) if q.kind in ("year", "date")]
            if not own or any(agrees(a, b) for a in named for b in own):
                return None
        return Verdict(
            Support.NONE,
            f"{quantity.surface} stands under {found[0].header!r} on {grounds.label}, not under {named[0].surface}",
        )
    return _header_problem(quantity, found, claim, grounds)


def _is_count(quantity: Quantity) -> bool:
    return quantity.in_words and abs(quantity.amount) <= SMALL


def _is_told_of_another(year: Quantity, quantity: Quantity, claim: str, grounds: Grounds) -> bool:
    """Whether ``year`` belongs to another figure of the claim: "19.2%, above the 10.7% of 2020"."""
    others = [q for q in quantities(claim) if q.kind == "number" and q.start != quantity.start]
    for other in others:
        if abs(year.start - other.start) < abs(year.start - quantity.start):
            for figure in cited_figures(grounds):
                own = [q for q in quantities(figure.header) if q.kind in ("year", "date")]
                if agrees(other, figure.quantity) and any(agrees(year, q) for q in own):
                    return True
    return False


def _header_problem(
    quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds
) -> Verdict | None:
    words = {term.stem for term in all_terms(claim)}
    headers = {h: {t.stem for t in all_terms(h)} for h in grounds.headers}
    common = set.intersection(*headers.values()) if len(headers) > 1 else set()
    mine = max((len((headers.get(f.header, set()) - common) & words) for f in found), default=0)
    other = max(
        (len((marks - common) & words) for h, marks in headers.items() if all(h != f.header for f in found)),
        default=0,
    )
    sizes = [len(headers.get(f.header, set()) - common) for f in found]
    if not mine and other and all(sizes):
        return Verdict(
            Support.NONE, f"{quantity.surface} stands under {found[0].header!r} on {grounds.label}"
        )
    return None


def _sign_problem(
    quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds
) -> Verdict | None:
    """A loss told as a profit, a minus that is dropped or added."""
    negative = all(f.quantity.value < 0 for f in found)
    positive = all(f.quantity.value > 0 for f in found)
    gain, loss = bool(GAINS.search(claim)), bool(LOSSES.search(claim))
    cited_gain = bool(GAINS.search(grounds.cited)) and not LOSSES.search(grounds.cited)
    if negative and gain and not loss and not cited_gain:
        return Verdict(Support.NONE, f"{found[0].quantity.surface} is negative on {grounds.label}")
    if (
        positive
        and quantity.value < 0
        and not quantity.parenthesised
        and not LOSSES.search(grounds.cited + grounds.near)
    ):
        return Verdict(Support.NONE, f"{found[0].quantity.surface} is not negative on {grounds.label}")
    return None


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
    for (one, ones), (other, others) in combinations(matched, 2):
        alike = one.kind == other.kind != "year" and not (one.unit and other.unit and one.unit != other.unit)
        if (
            alike
            and not _same_order(ones, others)
            and not any(_is_named(q, claim) for q in (one, other))
            and not any(f in others for f in ones)
        ):
            first, second = (claim, one.start, one.whole_end), (claim, other.start, other.whole_end)
            # The two figures themselves are no surroundings: they are what may have been moved.
            printed = frozenset(
                marker(t) for q in (one, other) for t in all_terms(q.surface, grounds.language)
            )
            if exchanged(
                first, second, _places(ones), _places(others), grounds.language, printed, sided=False
            ):
                return Verdict(
                    Support.NONE,
                    f"{one.surface} and {other.surface} changed places against {grounds.label}",
                )
    used = [f for _, found in matched for f in found]
    for quantity, found in matched:
        unused = [f for f in cited if f not in used and f.quantity.kind == quantity.kind]
        unused = [f for f in unused if _same_class(quantity, f.quantity)]
        place = (claim, quantity.start, quantity.whole_end)
        if len(matched) > 1:
            continue
        if rival(place, _places(found), _places(unused), grounds.language, sided=False):
            return Verdict(Support.NONE, f"{quantity.surface} belongs to something else on {grounds.label}")
    return None


def _same_order(ones: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether two figures of the claim stand in one sentence of the page in the order in which the claim has them."""
    return any(a.text == b.text and a.quantity.start < b.quantity.start for a in ones for b in others)


def _places(figures: Sequence[Figure]) -> list[tuple[str, int, int]]:
    return [(f.text, f.quantity.start, f.quantity.whole_end) for f in figures]
