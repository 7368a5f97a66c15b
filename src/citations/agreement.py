"""The figures of the cited words, and whether a figure of a claim says the same as one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from src.answerer.numbers import Quantity, quantities
from src.answerer.units import DIMENSIONS, FACTORS, MONEY
from src.citations.grounds import Grounds

NUMERIC_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}")
PER_UNIT = re.compile(
    r"\bper\b|\baverage\b|\brates?\b|\bprice\b|\bEPS\b|\bratio\b|\bmargin\b|\(%\)", re.IGNORECASE
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


def cited_figures(grounds: Grounds) -> list[Figure]:
    """Every quantity of the cited sentences and cells; a cell has its table's scale and unit."""
    found: list[Figure] = []
    for cell in grounds.cells:
        for q in quantities(cell.text):
            unscaled = q.unit == "%" or q.scale != 1 or PER_UNIT.search(f"{cell.label} {cell.header}")
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


def agrees_unscaled(claimed: Quantity, figure: Figure) -> bool:
    """Whether a cell whose scale or unit stands elsewhere in the document may be what the claim tells."""
    stated = figure.quantity
    if not (figure.header or figure.unscaled) or claimed.kind != "number" or stated.kind != "number":
        return False
    if claimed.unit in ("%", "percentage point") and not re.search(r"[%$€£]", figure.text):
        return abs(claimed.value) == abs(stated.value) < 1000
    if claimed.scale == 1 and claimed.unit in MONEY and stated.places == claimed.places == 2:
        return abs(claimed.value) == abs(stated.value) < 1000  # "$7.99 a month" in a table "in millions"
    if not figure.unscaled or claimed.scale == 1:
        return False
    told = replace(claimed, unit="")
    return any(
        _amounts_agree(told, replace(stated, unit="", scale=Decimal(1000) ** power)) for power in (1, 2, 3, 4)
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
    # "2.0 billion" has two digits, "2000" one
    shortest = claimed.value if claimed.places else claimed.value.normalize()
    digits = len(shortest.as_tuple().digits)
    if digits >= len(theirs.normalize().as_tuple().digits):
        return False
    shown = theirs / claimed.scale != (theirs / claimed.scale).to_integral_value()
    if not claimed.hedged and (digits < 2 or not shown):
        return False
    step = Decimal(1).scaleb(theirs.adjusted() - digits + 1)
    floor = (theirs / step).to_integral_value(ROUND_FLOOR) * step
    nearest = (theirs / step).to_integral_value(ROUND_HALF_UP) * step
    return mine == nearest or (claimed.hedged and mine in (floor, floor + step) and digits > 1)


def same_class(one: Quantity, other: Quantity) -> bool:
    dated = ("year", "date")
    if one.kind in dated and other.kind in dated:
        return True
    if one.kind != other.kind:
        return False
    return not one.unit or not other.unit or DIMENSIONS.get(one.unit) == DIMENSIONS.get(other.unit)
