"""Rows of a borderless table: cells in their columns, wrapped labels in one piece, the section each row stands under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from src.loader.layout import Word
from src.loader.tables.aligned import Column, Run, column_of
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import Lines
from src.loader.tables.header import over_columns, read_heading
from src.loader.tables.sections import INDENT, DraftRow, with_sections
from src.loader.tables.segments import Row, Segment

TIGHT = 1.45  # font sizes between the lines of one wrapped label
FULL = 0.82  # part of the label column that a line fills before it wraps


def build_table(rows: Sequence[Row], run: Run, levels: Lines, floor: int) -> tuple[FoundTable, int]:
    """The table of ``run`` and the place of its first row; rows before ``floor`` belong to other tables."""
    left = min(rows[i].x0 for i in run.data)
    columns = sorted([*run.columns, *_text_columns(rows, run)], key=lambda c: c.x0)
    heading = read_heading(rows, replace(run, columns=columns), left, levels, floor)
    lines = [_line(rows[i], columns, i < heading.body) for i in range(heading.first, run.last + 1)]
    lines = [line for line in lines if line.cells]
    merged = _merge_wrapped([line for line in lines if not line.header], run.columns[0].x0, left)
    body = with_sections([line for line in lines if line.header] + merged)
    used = rows[heading.first : run.last + 1]
    table = FoundTable(
        min(row.y0 for row in used),
        heading.title,
        heading.unit,
        (heading.label, *heading.names),
        tuple(body),
        dropped=tuple(word for row in used for word in row.leaders),
    )
    return table, heading.first


def _text_columns(rows: Sequence[Row], run: Run) -> list[Column]:
    """Stripes of words beside the label that stand in no value column, in two rows or more ("Note", "Due")."""
    loose = [
        segment
        for i in run.data
        for place, segment in enumerate(rows[i].segments)
        if place and not segment.value and column_of(segment, run.columns) is None
    ]
    stripes: list[Column] = []
    for segment in sorted(loose, key=lambda s: s.x1 - s.x0):
        touched = [c for c in stripes if min(c.x1, segment.x1) > max(c.x0, segment.x0)]
        if touched:
            touched[0].add(segment)
        else:
            stripes.append(Column(segment.x0, segment.x1, segment.x1))
    return [stripe for stripe in stripes if stripe.count >= max(2, 0.2 * len(run.data))]


def _line(row: Row, columns: Sequence[Column], header: bool) -> DraftRow:
    cells: dict[int, list[Word]] = {}
    widths: dict[int, int] = {}
    label_x1 = row.x0
    for place, segment in enumerate(row.segments):
        column, width = _place(segment, columns, row, header)
        if column > 0 and column in cells and place:
            column, width = _beside(segment, columns, cells, column), 1
        cells.setdefault(column, []).extend(segment.words)
        widths[column] = max(width, widths.get(column, 1))
        if column == 0:
            label_x1 = segment.x1
    return DraftRow(cells, row.x0, label_x1, row.baseline, row.size, row.bold, header, widths)


def _place(segment: Segment, columns: Sequence[Column], row: Row, header: bool) -> tuple[int, int]:
    """Column (1-based, 0 for the label) and width of a segment."""
    covered = column_of(segment, columns)
    if segment is row.label and segment.x0 < columns[0].x0 - row.size and not header:
        return 0, 1
    if covered is None:
        center = (segment.x0 + segment.x1) / 2
        if center < columns[0].x0 and not (header and over_columns(segment, columns, row.size)):
            return 0, 1
        return min(range(len(columns)), key=lambda i: abs(columns[i].center - center)) + 1, 1
    if segment.value:
        best = min(range(covered[0], covered[1] + 1), key=lambda i: abs(columns[i].right - segment.right))
        return best + 1, 1
    return covered[0] + 1, covered[1] - covered[0] + 1


def _beside(segment: Segment, columns: Sequence[Column], cells: dict[int, list[Word]], column: int) -> int:
    """A free neighbour that fits, when two segments of a row fall into one column."""
    center = (segment.x0 + segment.x1) / 2
    free = [i for i in (column - 1, column + 1) if 1 <= i <= len(columns) and i not in cells]
    near = [
        i for i in free if abs(columns[i - 1].center - center) < 1.5 * (columns[i - 1].x1 - columns[i - 1].x0)
    ]
    return near[0] if near else column


def _merge_wrapped(lines: list[DraftRow], right: float, left: float) -> list[DraftRow]:
    """Label lines joined with the row that they begin or go on."""
    merged: list[DraftRow] = []
    waiting: list[DraftRow] = []
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else None
        last = merged[-1] if merged and not waiting else None
        if line.only_label and last is not None and _goes_on(last, line, following, right, left):
            last.cells[0] = last.cells.get(0, []) + line.cells[0]
            last.baseline, last.label_x1 = line.baseline, line.label_x1
        elif line.only_label and following is not None and _begins(line, following, right, left):
            waiting.append(line)
        else:
            if waiting:
                first = waiting[0]
                line.cells[0] = [w for part in waiting for w in part.cells[0]] + line.cells.get(0, [])
                line.x0, line.bold = first.x0, first.bold
                waiting = []
            merged.append(line)
    return merged


def _begins(line: DraftRow, following: DraftRow, right: float, left: float) -> bool:
    """Whether a label line is the first part of the label of ``following``."""
    if not following.cells.get(0) or following.baseline - line.baseline > TIGHT * line.size:
        return False
    if line.label.endswith(":") or line.bold != following.bold:
        return False
    word = following.cells[0][0].text
    runs_on = (
        word[:1].islower()
        or word[:1] in "("
        or line.label.endswith((",", "-", "–", "—", " and", " of", " the", " for", " to"))
    )
    full = line.label_x1 - left > FULL * (right - left) - line.size
    return runs_on or (full and following.x0 > line.x0 - INDENT * line.size)


def _goes_on(last: DraftRow, line: DraftRow, following: DraftRow | None, right: float, left: float) -> bool:
    """Whether a label line is the rest of the label of the row before it."""
    if last.only_label or 0 not in last.cells or line.baseline - last.baseline > TIGHT * line.size:
        return False
    if line.bold != last.bold or line.label.endswith(":"):
        return False
    word = line.cells[0][0].text
    if word[:1].islower():
        if following is None or last.label_x1 - left > FULL * (right - left):
            return True
        further = following.baseline - line.baseline > line.baseline - last.baseline + 0.2 * line.size
        return further or not _begins(line, following, right, left)
    full = last.label_x1 - left > FULL * (right - left) - line.size
    return full and line.x0 > last.x0 + INDENT * line.size
