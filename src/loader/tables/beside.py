"""Short tables side by side that name their rows alike, each under a heading of its own ("Weekdays", "Weekends").

They are no fields, for every name comes twice, and no table of values where these are times. They are one table whose
columns are named by the headings and whose rows are named once.
"""

from __future__ import annotations

from collections.abc import Sequence

from src.loader.layout import Word
from src.loader.tables.found import FoundCell, FoundRow, FoundTable
from src.loader.tables.segments import Row

_PITCH = 3.0  # font sizes between two lines
_SIDE = 0.8  # font sizes by which a name may stand beside the left edge of its heading, or a value off its column's edge
_LEAST_ROWS = 2
_MOST_WORDS = 5  # of a heading

Halves = list[tuple[list[Word], list[Word]]]  # name and value in each of the tables


def tables_beside(rows: Sequence[Row]) -> list[FoundTable]:
    """Tables side by side among ``rows``, those under one row of headings as one table."""
    found = []
    for place, heading in enumerate(rows):
        if (
            len(heading.segments) < 2
            or not heading.bold
            or max(len(s.words) for s in heading.segments) > _MOST_WORDS
        ):
            continue
        lines: list[Row] = []
        for row in rows[place + 1 :]:
            above = lines[-1] if lines else heading
            if row.baseline - above.baseline > _PITCH * max(row.size, above.size):
                break
            lines.append(row)
        if table := _table(heading, lines):
            found.append(table)
    return found


def _table(heading: Row, lines: Sequence[Row]) -> FoundTable | None:
    """The tables under ``heading`` as one, as far down as both name their rows alike."""
    edges = [segment.x0 for segment in heading.segments]
    parted = [_parted(row, edges) for row in lines]
    rights = [_right_edge([part[n] for part in parted if part is not None]) for n in range(len(edges))]
    rows: list[Halves] = []
    for part in parted:
        halves = _halves(part, rights) if part is not None else None
        if halves is None:
            break
        rows.append(halves)
    if len(rows) < _LEAST_ROWS:
        return None
    head = FoundRow(
        tuple(FoundCell(tuple(s.words), n) for n, s in enumerate(heading.segments, 1)), header=True
    )
    body = [
        FoundRow(
            (
                FoundCell(tuple(row[0][0]), 0),
                *(FoundCell(tuple(value), n) for n, (_, value) in enumerate(row, 1)),
            )
        )
        for row in rows
    ]
    again = tuple(word for row in rows for name, _ in row[1:] for word in name)
    names = ("", *(segment.text for segment in heading.segments))
    return FoundTable(heading.y0, "", "", names, (head, *body), dropped=again)


def _parted(row: Row, edges: Sequence[float]) -> list[list[Word]] | None:
    """The words of ``row`` under each heading, None unless each has some that begin close to its left edge."""
    parts: list[list[Word]] = [[] for _ in edges]
    slack = _SIDE * row.size
    for word in sorted(row.words, key=lambda w: w.x0):
        place = max((n for n, x in enumerate(edges) if word.x0 > x - slack), default=None)
        if place is None:
            return None
        parts[place].append(word)
    near = all(part and part[0].x0 - x < slack for part, x in zip(parts, edges, strict=True))
    return parts if near else None


def _right_edge(parts: Sequence[list[Word]]) -> float:
    """Where the values of one table end; they are set to the right."""
    return max((part[-1].x1 for part in parts), default=0.0)


def _halves(parts: Sequence[list[Word]], rights: Sequence[float]) -> Halves | None:
    """Name and value of a row in each table, None unless the names are the same and the values stand in their columns."""
    halves = [(part[:-1], part[-1:]) for part in parts]
    alike = len({" ".join(word.text for word in name) for name, _ in halves}) == 1 and bool(halves[0][0])
    set_right = all(
        abs(value[0].x1 - right) < _SIDE * value[0].size
        for (_, value), right in zip(halves, rights, strict=True)
    )
    figures = all(any(map(str.isdigit, value[0].text)) for _, value in halves)
    return halves if alike and set_right and figures else None
