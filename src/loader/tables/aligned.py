"""Borderless tables, found by values that stand under each other (annual reports set nearly all of theirs so).

Data rows are rows with values to the right of a label. Rows that share the edges of their values form a run; the
stripes their values fill are the columns; what stands over the columns is the header.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from src.loader.tables.segments import FOOTNOTE, Row, Segment

ALIGN = 0.7  # font sizes by which the edges of one column may differ
MAX_GAP = 4.2  # font sizes between two baselines of one table, label rows between them apart
MIN_ROWS = 3
LONG_WORDS = 7
INTRODUCTION = re.compile(r"\b(?:follow(?:s|ing)|summari[sz]es?|presents?|shows?)\b.*:$|as follows:$")


@dataclass(slots=True, eq=False)
class Column:
    """A stripe of values: left and right edge, the shared right edge of digits, how many values stand in it."""

    x0: float
    x1: float
    right: float
    count: int = 1
    rights: list[float] = field(default_factory=list)

    @property
    def center(self) -> float:
        """Middle of the stripe."""
        return (self.x0 + self.x1) / 2

    def add(self, segment: Segment) -> None:
        """Widen the stripe by a value."""
        self.x0, self.x1 = min(self.x0, segment.x0), max(self.x1, segment.x1)
        self.count += 1


@dataclass(slots=True, eq=False)
class Run:
    """Rows [first, last] of a page that belong to one table, and its value columns from left to right."""

    first: int
    last: int
    data: list[int]
    columns: list[Column]


def find_runs(rows: Sequence[Row]) -> list[Run]:
    """Candidate tables, from top to bottom, not overlapping."""
    runs: list[list[int]] = []
    for place, row in enumerate(rows):
        if not is_data(row):
            continue
        if runs and _continues(rows, runs[-1], place):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = []
    for data in runs:
        for part in _split_at_headers(rows, data):
            columns = find_columns([rows[i] for i in part])
            if _is_table(rows, part, columns):
                found.append(Run(part[0], part[-1], part, columns))
    return found


def is_data(row: Row) -> bool:
    """Whether a row has values where a table has them: after a label or after other values, not inside prose."""
    values = row.values
    if not values or all(value.year for value in values):
        return False
    if all(FOOTNOTE.fullmatch(value.text) for value in values) and len(row.segments) > len(values) + 1:
        return False  # a header whose last line is "Footage (1)"
    if len(row.segments) == 1:
        return False  # a page number, a number alone on its line
    last = row.segments[-1]
    if not last.value and (len(last.words) >= LONG_WORDS or (len(values) == 1 and row.segments[0].value)):
        return False  # "1. Business ..." and prose with a wide gap after a number
    return bool(row.cells)


def is_prose(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row between data rows is a line of a paragraph: long, and running across the value columns."""
    if not columns:
        return False
    longest = max(row.segments, key=lambda s: len(s.words))
    crosses = longest.x1 > columns[0].x0 + row.size and longest.x0 < columns[0].x0
    return not longest.value and len(longest.words) >= LONG_WORDS and crosses


def find_columns(rows: Sequence[Row]) -> list[Column]:
    """Stripes of the values of ``rows``: the narrowest values first, so that a wide one cannot bridge two columns."""
    values = [(value, row.size) for row in rows for value in row.cells]
    columns: list[Column] = []
    for value, size in sorted(values, key=lambda item: item[0].x1 - item[0].x0):
        touched = [
            c
            for c in columns
            if min(c.x1, value.x1) - max(c.x0, value.x0) > 0.3 * min(c.x1 - c.x0, value.x1 - value.x0)
        ]
        if len(touched) == 1:
            touched[0].add(value)
        elif not touched:
            near = [c for c in columns if abs(c.right - value.right) < ALIGN * size]
            if near:
                near[0].add(value)
            else:
                columns.append(Column(value.x0, value.x1, value.right))
    columns.sort(key=lambda c: c.x0)
    return _merge_columns(rows, columns)


def column_of(segment: Segment, columns: Sequence[Column]) -> tuple[int, int] | None:
    """[first, last] columns that a segment overlaps, None when it lies beside them all."""
    touched = [
        i
        for i, c in enumerate(columns)
        if min(c.x1, segment.x1) - max(c.x0, segment.x0) > 0.25 * min(c.x1 - c.x0, segment.x1 - segment.x0)
    ]
    return (touched[0], touched[-1]) if touched else None


def _merge_columns(rows: Sequence[Row], columns: list[Column]) -> list[Column]:
    """Neighbours that never have a value in the same row and stand close are one column (dashes beside numbers)."""
    merged: list[Column] = []
    for column in columns:
        last = merged[-1] if merged else None
        if (
            last is not None
            and column.x0 - last.x1 < 2.0 * rows[0].size
            and not _share_row(rows, last, column)
        ):
            last.x0, last.x1 = min(last.x0, column.x0), max(last.x1, column.x1)
            last.count += column.count
            last.right = last.right if last.count > column.count else column.right
        else:
            merged.append(column)
    return merged


def _share_row(rows: Sequence[Row], left: Column, right: Column) -> bool:
    def inside(row: Row, column: Column) -> bool:
        return any(min(column.x1, v.x1) - max(column.x0, v.x0) > 0.5 * (v.x1 - v.x0) for v in row.cells)

    return any(inside(row, left) and inside(row, right) for row in rows)


def _continues(rows: Sequence[Row], run: list[int], place: int) -> bool:
    """Whether the data row ``place`` belongs to the table of the data rows ``run``."""
    last, row = rows[run[-1]], rows[place]
    size = max(last.size, row.size)
    between = rows[run[-1] + 1 : place]
    columns = find_columns([rows[i] for i in run[-12:]])
    if any(is_prose(other, columns) or _introduces(other) for other in between):
        return False
    steps = [last, *between, row]
    if any(b.baseline - a.baseline > MAX_GAP * size for a, b in pairwise(steps)):
        return False
    if len(between) > 6:
        return False
    return any(_aligned(value, columns, size) for value in row.cells)


def _introduces(row: Row) -> bool:
    """A sentence that leads to another table, or a footnote under this one."""
    words = row.segments[0].words
    if len(words) < 5:
        return False
    return bool(INTRODUCTION.search(row.text)) or bool(FOOTNOTE.fullmatch(words[0].text))


def _aligned(value: Segment, columns: Sequence[Column], size: float) -> bool:
    return any(
        abs(c.right - value.right) < ALIGN * size
        or min(c.x1, value.x1) - max(c.x0, value.x0) > 0.5 * (value.x1 - value.x0)
        for c in columns
    )


def is_header_row(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row between data rows heads columns: years or words over several of them and no values."""
    over = [
        s for s in row.segments if column_of(s, columns) is not None and s.x0 > columns[0].x0 - 4 * row.size
    ]
    if any(s.value and not s.year for s in row.segments):
        return False
    return len(over) >= min(2, len(columns)) and all(len(s.words) < LONG_WORDS for s in row.segments)


def _split_at_headers(rows: Sequence[Row], data: list[int]) -> list[list[int]]:
    """Parts of a run between which the columns are headed anew."""
    columns = find_columns([rows[i] for i in data])
    parts = [[data[0]]]
    for before, place in pairwise(data):
        if any(is_header_row(row, columns) for row in rows[before + 1 : place]):
            parts.append([])
        parts[-1].append(place)
    return parts


def _is_table(rows: Sequence[Row], data: Sequence[int], columns: Sequence[Column]) -> bool:
    """Enough rows, labels and values for a table; a table of contents is none."""
    if not columns or len(data) < (2 if len(columns) >= 2 else MIN_ROWS):
        return False
    chosen = [rows[i] for i in data]
    labelled = sum(row.label is not None for row in chosen)
    if labelled < 0.5 * len(chosen) and not _is_full(chosen, columns):
        return False
    strong = [c for c in columns if c.count >= 0.4 * len(chosen)]
    if not strong:
        return False
    if len(columns) == 1 and (
        is_contents(chosen) or sum(len(row.segments) == 2 for row in chosen) < 0.8 * len(chosen)
    ):
        return False
    tight = sum(row.segments[1].x0 - row.segments[0].x1 < 1.2 * row.size for row in chosen)
    return tight < 0.5 * len(chosen) or len(columns) > 1


def _is_full(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Three columns of values or more without a gap: a table whose rows are named by numbers."""
    full = sum(len(row.segments) >= len(columns) for row in rows)
    return len(columns) >= 3 and len(rows) >= MIN_ROWS and full >= 0.8 * len(rows)


def is_contents(rows: Sequence[Row]) -> bool:
    """Whether the values of ``rows`` are page numbers: whole, small and never falling."""
    numbers = []
    for row in rows:
        text = row.values[-1].text.replace("–", "-").split("-")[0].strip()
        if not text.isdigit() or len(text) > 4:
            return False
        numbers.append(int(text))
    return all(a <= b for a, b in pairwise(numbers))
