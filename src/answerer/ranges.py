"""Ranges of whole numbers in labels: 8 years are within "6 to 16 years", 70 within "65 and over"."""

from __future__ import annotations

import re
from functools import lru_cache

ENDLESS = 10**9
_N = r"(?<![\d.,])(\d{1,4})(?![\d]|[.,]\d)"
_UNIT = r"(?:\s?(?:years?|yrs?|ans|años|jahren?|persons?|people|guests?|kg|km|m))?"
_RANGES = tuple(
    (re.compile(rule, re.IGNORECASE), low, high)
    for rule, low, high in (
        (rf"\b(?:between|zwischen|entre)\s+{_N}{_UNIT}\s(?:and|und|et|y)\s{_N}", None, None),
        (rf"{_N}{_UNIT}\s?(?:–|-|to|until|till|à|bis|a)\s?(?:under )?{_N}", None, None),
        (rf"\b(?:up to|until|at most|max(?:imum)?\.?|bis(?: zu)?|jusqu['’]à|hasta)\s+{_N}", 0, 0),
        (rf"\b(?:under|below|less than|younger than|unter|moins de|menores de)\s+{_N}", 0, -1),
        (rf"{_N}{_UNIT}\s+(?:and|or)\s+(?:under|younger|less|fewer|below)\b", 0, 0),
        (rf"\b(?:from|at least|min(?:imum)?\.?|ab|à partir de|dès|desde)\s+{_N}(?!{_UNIT}\s?(?:–|-|to|à|bis|a|until)\s?\d)", 0, ENDLESS),
        (rf"\b(?:over|above|more than|older than|über|plus de|mayores de)\s+{_N}", 1, ENDLESS),
        (rf"{_N}{_UNIT}\s+(?:and|or)\s+(?:over|older|more|above|up)\b|{_N}\+", 0, ENDLESS),
    )
)  # fmt: skip


@lru_cache(maxsize=4096)
def ranges(text: str) -> tuple[tuple[int, int], ...]:
    """The ranges (first, last) that ``text`` names, in the order of their kinds; ENDLESS where they have no end."""
    found = []
    for rule, low, high in _RANGES:
        for match in rule.finditer(text):
            first, *second = (int(n) for n in match.groups() if n)
            if low is None:
                found.append((first, second[0]))
            elif high == ENDLESS:
                found.append((first + low, ENDLESS))
            else:
                found.append((0, first + (high or 0)))
    return tuple((a, b) for a, b in found if a <= b)


def within(number: str, text: str) -> bool:
    """Whether the whole ``number`` lies within a range that ``text`` names."""
    return number.isdigit() and any(a <= int(number) <= b for a, b in ranges(text))
