"""Borderless tables of words whose cells may wrap: schedules, terms and definitions, roles and duties, parameters.

A stretch of lines with stripes between them may as well be columns of prose, an index or a list. It is taken for a
table when its rows can be told (``cells``), hold cells in two columns or more, are named by short labels, and when
cells wrap or a header stands out: what neither wraps nor is headed is read right line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from src.loader.layout import Word
from src.loader.tables.aligned import Column, is_data
from src.loader.tables.cells import Line, is_running, make_lines, runs_over
from src.loader.tables.entries import MIN_ROWS, Entry, edges_of, header_count, make_entries, upper_lines
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import Lines, merged_lines
from src.loader.tables.header import title_over, underline
from src.loader.tables.sections import DraftRow, with_sections
from src.loader.tables.segments import Row, segment_rows
from src.loader.tables.stripes import Stretch, Stripe, stretch_from
from src.loader.tables.verdict import is_table, is_valued
from src.records import FloatArray

NEAR = 12.0  # points by which a title may stand out at the side


def worded_tables(
    words: Sequence[Word], rows: Sequence[Row], rules: FloatArray, fills: FloatArray
) -> list[FoundTable]:
    """Tables of words among ``words`` (one direction of reading, in its frame), whose lines are ``rows``, from top to
    bottom."""
    if sum(len(row.segments) > 1 for row in rows) < MIN_ROWS - 1:
        return []
    levels, _ = merged_lines(rules)
    tables: list[FoundTable] = []
    place = 0
    failed: tuple[int, tuple[int, ...]] | None = None  # the same stretch, begun later, fails as well
    while place < len(rows):
        stretch = stretch_from(rows, place) if len(rows[place].segments) > 1 else None
        if stretch is not None and stretch.last - stretch.first >= MIN_ROWS - 1:
            key = (stretch.last, tuple(round(stripe.x1) for stripe in stretch.stripes))
            table = (
                None
                if key == failed or _heads_values(rows, stretch)
                else _table(words, rows, stretch, levels, fills)
            )
            if table is not None:
                tables.append(table)
                place = stretch.last + 1
                continue
            failed = key
        place += 1
    return tables


def _table(
    words: Sequence[Word], rows: Sequence[Row], stretch: Stretch, levels: Lines, fills: FloatArray
) -> FoundTable | None:
    """The table of a stretch, with all its columns or without one of prose at its side; None when it is none."""
    chosen = rows[stretch.first : stretch.last + 1]
    if any(row.leaders for row in chosen):
        return None
    across = [stretch.first + i in stretch.across for i in range(len(chosen))]
    lines, stripes = make_lines(chosen, stretch.stripes, across), stretch.stripes
    while len(stripes):
        entries = make_entries(lines, levels, fills)
        count = len(stripes) + 1
        header = header_count(entries, count, levels, fills) if len(entries) >= MIN_ROWS else 0
        if is_table(entries, header, count):
            table = _built(words, entries, header, count, levels)
            return table if any(table.columns) or not _has_values(entries, count) else None
        groups = [entry.lines for entry in entries]
        side = next((c for c in (0, count - 1) if runs_over(groups, c) or is_running(lines, c)), None)
        if side is None or count < 3:
            return None
        stripes = stripes[1:] if not side else stripes[:-1]
        lines = _without_side(lines, stripes, side)
    return None


def _has_values(entries: Sequence[Entry], count: int) -> bool:
    """Whether a column is one of values, whose header ``aligned`` may still find."""
    cells = [[entry.cells[c] for entry in entries if c in entry.cells] for c in range(1, count)]
    return any(map(is_valued, cells))


def _heads_values(rows: Sequence[Row], stretch: Stretch) -> bool:
    """Whether values follow close under a stretch: its lines are their header."""
    last = rows[stretch.last]
    following = rows[stretch.last + 1 : stretch.last + 3]
    return any(
        row.baseline - last.baseline < 3 * row.size and is_data(row) and len(row.cells) > 1
        for row in following
    )


def _without_side(lines: Sequence[Line], stripes: Sequence[Stripe], side: int) -> list[Line]:
    """The lines without those of their words that stand in the column ``side``, the first or the last."""
    kept = [word for line in lines for place, cell in line.cells.items() if place != side for word in cell]
    rows = segment_rows(kept)
    return make_lines(rows, stripes, [False] * len(rows))


def _built(
    words: Sequence[Word], entries: Sequence[Entry], header: int, count: int, levels: Lines
) -> FoundTable:
    x0, y0, x1 = edges_of(entries)
    over = segment_rows([w for w in words if w.y1 <= y0 + 2 and x0 - NEAR < (w.x0 + w.x1) / 2 < x1 + NEAR])
    columns = _columns(entries, count)
    upper = upper_lines(over, entries, header, columns)
    drafts = [_upper_draft(row, columns, levels) for row in upper]
    drafts += [_draft(entry, place < header, count) for place, entry in enumerate(entries)]
    names = _names(drafts[: len(upper) + header], count)
    title, unit = title_over(over[: len(over) - len(upper)], upper[0].y0 if upper else y0, x1 - x0)
    return FoundTable(min([y0, *(row.y0 for row in upper)]), title, unit, names, tuple(with_sections(drafts)))


def _names(header: Sequence[DraftRow], count: int) -> tuple[str, ...]:
    """One text a column: what stands over several columns parted by " / " from what stands over one."""
    stacks: list[list[tuple[str, range]]] = [[] for _ in range(count)]
    for row in header:
        for first, words in row.cells.items():
            covered = range(first, first + row.widths.get(first, 1))
            for column in covered:
                stacks[column].append((" ".join(word.text for word in words), covered))
    names = []
    for stack in stacks:
        name = stack[0][0] if stack else ""
        for (_, before), (text, covered) in pairwise(stack):
            name += f" {text}" if covered == before else f" / {text}"
        names.append(name)
    return tuple(names)


def _columns(entries: Sequence[Entry], count: int) -> list[Column]:
    """The columns as far as the words of the rows show them."""
    columns = []
    for place in range(count):
        held = [word for entry in entries if not entry.across for word in entry.cells.get(place, ())]
        x0, x1 = min(word.x0 for word in held), max(word.x1 for word in held)
        columns.append(Column(x0, x1, x1))
    return columns


def _upper_draft(row: Row, columns: Sequence[Column], levels: Lines) -> DraftRow:
    """A line of the header whose words stand over one column or several."""
    cells: dict[int, list[Word]] = {}
    widths: dict[int, int] = {}
    for segment in row.segments:
        others = [other for other in row.segments if other is not segment]
        x0, x1 = underline(segment, others, levels, row) or (segment.x0, segment.x1)
        covered = [i for i, c in enumerate(columns) if c.x0 < x1 and c.x1 > x0]
        center = (segment.x0 + segment.x1) / 2
        first = (
            covered[0] if covered else min(range(len(columns)), key=lambda i: abs(columns[i].center - center))
        )
        cells.setdefault(first, []).extend(segment.words)
        widths[first] = max(widths.get(first, 1), len(covered))
    return DraftRow(cells, row.x0, row.x1, row.baseline, row.size, row.bold, True, widths)


def _draft(entry: Entry, header: bool, count: int) -> DraftRow:
    label = entry.cells.get(0, ())
    row = entry.lines[0].row
    first = label or entry.lines[0].words
    return DraftRow(
        entry.cells,
        row.x0 if not label else min(word.x0 for word in label),
        max(word.x1 for word in first),
        entry.lines[-1].row.baseline,
        row.size,
        bool(label) and all(word.bold for word in label),
        header,
        {0: count} if entry.across else {},
    )
