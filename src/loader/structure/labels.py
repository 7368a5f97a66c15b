"""Printed page labels found on the pages themselves, for files that carry none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from src.loader.structure.margins import Edge, numbers_in

_LEAST_RUN = 3
_LETTERED = re.compile(r"([A-Z]{1,2}[-–])(\d+)")
_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

Reading = tuple[str, int]  # a series ("", "roman", "A-") and a number of it


def printed_labels(edges: Mapping[int, Sequence[Edge]], count: int) -> list[str]:
    """Label of each page, "" where none is printed or the printed numbers do not count the pages.

    A number counts a page when the pages around it count on with it: number minus page is the same for a stretch of
    them. Pages inside such a stretch that print none get theirs.
    """
    readings: dict[int, list[Reading]] = {
        page: [r for edge in found for text in numbers_in(edge.text) if (r := _reading(text)) is not None]
        for page, found in edges.items()
    }
    offsets = Counter(
        (series, number - page) for page, found in readings.items() for series, number in set(found)
    )
    labels = [""] * count
    needed = min(_LEAST_RUN, max(2, count))
    for (series, offset), pages in sorted(offsets.items(), key=lambda item: item[1]):
        if pages < needed:
            continue
        holders = sorted(page for page, found in readings.items() if (series, page + offset) in found)
        for run in _stretches(holders):
            if len(run) >= needed:
                for page in range(run[0], run[-1] + 1):
                    if page + offset >= 1:
                        labels[page - 1] = _written(series, page + offset)
    return labels


def _stretches(pages: Sequence[int]) -> list[list[int]]:
    """Pages in stretches with at most two unnumbered pages between."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page - runs[-1][-1] <= 3:
            runs[-1].append(page)
        else:
            runs.append([page])
    return runs


def _reading(text: str) -> Reading | None:
    if text.isdecimal():
        return "", int(text)
    if match := _LETTERED.fullmatch(text):
        return match.group(1), int(match.group(2))
    if text.islower() and set(text) <= set(_VALUES):
        return "roman", _roman_value(text)
    return None


def _roman_value(text: str) -> int:
    values = [_VALUES[c] for c in text]
    return sum(-v if any(v < later for later in values[n + 1 : n + 2]) else v for n, v in enumerate(values))


def _written(series: str, number: int) -> str:
    if series != "roman":
        return f"{series}{number}"
    out = ""
    for value, letters in (
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ):
        out += letters * (number // value)
        number %= value
    return out
