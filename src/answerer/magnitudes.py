"""Cells as magnitudes that can be compared: "1 h 50 min" against "35 min", "0.75 kg" against "900 g"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from src.answerer.numbers import Quantity, quantities
from src.answerer.units import DIMENSIONS, FACTORS, MONEY

MONTH = 2_629_800  # seconds
YEAR = 10_000
_CLOCKED = re.compile(
    r"^\W*(\d{1,3})\s?(?:h\s?([0-5]\d)|:([0-5]\d)\s?(?:h|hrs?|hours))(?:\s?(?:min|m))?\W*$", re.IGNORECASE
)
_CODED = re.compile(r"^\s*(EUR|USD|GBP|CHF|JPY|INR)\s+([\d(−-].*)$")
_JOINT = re.compile(r"[\s,]*(?:and)?\s*")
_UNBOUNDED = re.compile(
    r"^\W*(?:unlimited|no limit|unbounded|unbegrenzt|illimité|ilimitado)\W*$", re.IGNORECASE
)
_PRINTED_ONCE = frozenset([DIMENSIONS[unit] for unit in MONEY] + ["share"])  # in the first row, and not again
_FREE = re.compile(r"^\W*(?:free(?: of charge)?|no charge|kostenlos|gratis|gratuit)\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Magnitude:
    """What a cell says, from ``low`` to ``high`` in the base unit of its ``dimension``.

    That is empty for a bare number, and "clock" for the time of a day or what is printed so; a "date" is counted as YEAR * year + 100 * month + day. ``any_dimension`` says that
    it may stand among values of any: "unlimited".
    """

    low: Decimal
    high: Decimal
    dimension: str = ""
    any_dimension: bool = False


def magnitude(text: str) -> Magnitude | None:
    """The one magnitude that a cell holds; None for words and for several that are neither a range nor a duration."""
    if coded := _CODED.match(text):
        plain = magnitude(coded[2])
        return plain and Magnitude(plain.low, plain.high, coded[1].lower())
    if _UNBOUNDED.match(text):
        return Magnitude(Decimal("Infinity"), Decimal("Infinity"), any_dimension=True)
    if _FREE.match(text):
        return Magnitude(Decimal(0), Decimal(0), any_dimension=True)
    if clocked := _CLOCKED.match(text):
        seconds = Decimal(int(clocked[1]) * 3600 + int(clocked[2] or clocked[3]) * 60)
        return Magnitude(seconds, seconds, "time")
    found = quantities(text)
    if not found:
        return None
    if len(found) == 1:
        return _single(found[0])
    if any(q.kind != "number" for q in found):
        return None
    return _duration(found, text) or _range(found, text)


def _single(quantity: Quantity) -> Magnitude | None:
    if quantity.kind == "date":
        year, month, day = quantity.date
        value = Decimal(year * YEAR + month * 100 + day)
        return Magnitude(value, value, "date")
    if quantity.kind == "year":
        value = quantity.value * YEAR
        return Magnitude(value, value, "date")
    if quantity.kind == "time":
        return Magnitude(quantity.value * 60, quantity.value * 60, "clock")
    if quantity.kind != "number":
        return None
    value, dimension = _in_base(quantity)
    return Magnitude(value, value, dimension)


def _in_base(quantity: Quantity) -> tuple[Decimal, str]:
    dimension = DIMENSIONS.get(quantity.unit, quantity.unit)
    value = quantity.amount * FACTORS.get(quantity.unit, Decimal(1))
    if dimension == "month":
        return value * MONTH, "time"
    return value, dimension


def _duration(found: tuple[Quantity, ...], text: str) -> Magnitude | None:
    """The sum of "1 h 50 min"; None where the units do not fall or something stands between."""
    values, dimensions = zip(*map(_in_base, found), strict=True)
    if set(dimensions) != {"time"}:
        return None
    gaps = [text[a.whole_end : b.start] for a, b in pairwise(found)]
    sizes = [value / (q.amount or 1) for value, q in zip(values, found, strict=True)]
    falls = all(a > b for a, b in pairwise(sizes))
    if not falls or not all(_JOINT.fullmatch(gap.lstrip(". ")) for gap in gaps):
        return None
    total = sum(values, Decimal(0))
    return Magnitude(total, total, "time")


def _range(found: tuple[Quantity, ...], text: str) -> Magnitude | None:
    """ "45–65 °C": the unit stands behind the second."""
    if len(found) != 2 or not re.fullmatch(
        r"\s?(?:[–-]|to|bis)\s?", text[found[0].whole_end : found[1].start]
    ):
        return None
    (low, first), (high, second) = map(_in_base, found)
    if not first:
        low, first = low * FACTORS.get(found[1].unit, Decimal(1)), second
    return Magnitude(low, high, first) if first == second and low <= high else None


def comparable(found: Sequence[Magnitude | None]) -> tuple[list[Magnitude | None], str] | None:
    """``found`` as magnitudes of one dimension, and that dimension; None where they have several.

    Numbers that look like years are numbers among other numbers.
    """
    kinds = {m.dimension for m in found if m is not None and not m.any_dimension}
    if kinds == {"", "date"}:
        return [_plain(m) for m in found], ""
    named = kinds - ({""} if kinds & _PRINTED_ONCE else set())
    return (list(found), next(iter(named), "")) if len(named) <= 1 else None


def _plain(found: Magnitude | None) -> Magnitude | None:
    if found is None or found.dimension != "date":
        return found
    return Magnitude(found.low / YEAR, found.high / YEAR) if found.low % YEAR == 0 else None
