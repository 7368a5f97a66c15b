"""Lines of a table of words to its rows: which lines are one wrapped cell, and where the next row begins.

Nothing says so outright. Rows may be parted by more space than the lines of a cell, by drawn lines or by shades; where
lines follow each other evenly, a row begins where the first column speaks again, or where a line ends though the next
word would still have fitted.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from src.loader.layout import Word
from src.loader.style import Style
from src.loader.tables.grid import Lines
from src.loader.tables.segments import Row
from src.loader.tables.stripes import Stripe
from src.records import FloatArray

OFTEN = 0.08  # of the distances
RUNNING = 3.0  # words in a line of running text
TIGHT = 1.22  # of the pitch of lines in a cell: what is further apart is parted
APART = 2.6  # font sizes between two paragraphs of a cell
OVERLAP = 0.85  # font sizes between the baselines of lines beside each other
SPACE = 0.3  # font sizes between two words
WIDE_RULE = 0.6  # of the table's width: a line that parts rows
UNDERLINE = 0.35  # font sizes from the baseline down to a line under words
MAX_HEADER = 4  # lines


@dataclass(eq=False)
class Line:
    """A printed line of a table: its words by column; ``across`` when it stands over all columns."""

    row: Row
    cells: dict[int, list[Word]]
    across: bool = False

    @cached_property
    def words(self) -> list[Word]:
        """All words."""
        return self.row.words

    def has_style(self, style: int) -> bool:
        """Whether all its words are set so."""
        return all(word.style & style for word in self.words)


def make_lines(rows: Sequence[Row], stripes: Sequence[Stripe], across: Sequence[bool]) -> list[Line]:
    """The lines with their words in the columns between ``stripes``."""
    middles = [(stripe.x0 + stripe.x1) / 2 for stripe in stripes]
    lines = []
    for row, alone in zip(rows, across, strict=True):
        cells: dict[int, list[Word]] = {}
        for word in row.words:
            place = 0 if alone else bisect(middles, (word.x0 + word.x1) / 2)
            cells.setdefault(place, []).append(word)
        lines.append(Line(row, cells, alone))
    return lines


def group_lines(lines: Sequence[Line], levels: Lines, fills: FloatArray) -> list[list[Line]]:
    """The lines of each row of the table, from top to bottom; ``levels`` are drawn level lines, ``fills`` shades."""
    parted = _parted(lines, levels, fills)
    pitch = _pitch(lines)
    ends = [parted[i] or not _is_linked(lines, i, parted, pitch) for i in range(len(lines) - 1)]
    heads = parted.index(True) + 1 if True in parted[:MAX_HEADER] else 0
    heads = heads if heads and not any(line.across for line in lines[:heads]) else 0
    head, body = lines[:heads], _cut(lines[heads:], ends[heads:])
    if sum(0 not in group[0].cells for group in body) < 0.4 * len(body):
        rights = right_edges(lines)
        full = all(len(line.cells) == len(rights) for line in lines[heads:] if not line.across)
        body = [part for group in body for part in _cut(group, _starts(group, rights, full=full))]
    return [*([list(head)] if head else []), *_with_blank_labels(body, lines, parted)]


def _cut(lines: Sequence[Line], ends: Sequence[bool]) -> list[list[Line]]:
    """``lines`` in pieces; ``ends`` says of each line but the last whether a piece ends with it."""
    groups = [[lines[0]]]
    for line, end in zip(lines[1:], ends, strict=True):
        if end:
            groups.append([])
        groups[-1].append(line)
    return groups


def _parted(lines: Sequence[Line], levels: Lines, fills: FloatArray) -> list[bool]:
    """Of each line but the last, whether a drawn line, a change of shade or of style says that the row ends with it."""
    x0, x1 = min(line.row.x0 for line in lines), max(line.row.x1 for line in lines)
    wide = levels[(levels[:, 1] < x1) & (levels[:, 2] > x0)]
    shades = [shade_of(line, fills, x0, x1) for line in lines]
    heads = _heads(lines)
    parted = []
    for place, (a, b) in enumerate(pairwise(lines)):
        top, bottom = a.row.baseline - 0.3 * a.row.size, b.row.baseline - 0.3 * b.row.size
        between = _without_underlines(wide[(wide[:, 0] > top) & (wide[:, 0] < bottom)], a.row)
        drawn = sum(max(0.0, min(end, x1) - max(start, x0)) for _, start, end in between.tolist())
        parted.append(
            a.across
            or b.across
            or shades[place] != shades[place + 1]
            or drawn > WIDE_RULE * (x1 - x0)
            or place + 1 == heads
        )
    return parted


def _without_underlines(levels: Lines, row: Row) -> Lines:
    """Lines that are not drawn under words of ``row`` alone."""
    near = levels[:, 0] < row.baseline + UNDERLINE * row.size
    for segment in row.segments:
        inside = (levels[:, 1] > segment.x0 - 2) & (levels[:, 2] < segment.x1 + 2)
        levels, near = levels[~(near & inside)], near[~(near & inside)]
    return levels


def shade_of(line: Line, fills: FloatArray, x0: float, x1: float) -> tuple[int, int] | None:
    """Top and bottom of the shade that lies behind a line between ``x0`` and ``x1``."""
    return shade_at(fills, x0, x1, line.row.baseline - 0.3 * line.row.size, line.row.size)


def shade_at(fills: FloatArray, x0: float, x1: float, y: float, size: float) -> tuple[int, int] | None:
    """Top and bottom of the least of the shaded boxes ``fills`` at height ``y`` between ``x0`` and ``x1``, of those that
    are no larger than a row of font size ``size`` can be."""
    over = fills[(fills[:, 1] <= y) & (fills[:, 3] >= y) & (fills[:, 0] < x1) & (fills[:, 2] > x0)]
    over = over[over[:, 3] - over[:, 1] < 20 * size]
    if not len(over):
        return None
    least = over[(over[:, 3] - over[:, 1]).argmin()]
    return round(float(least[1])), round(float(least[3]))


def _heads(lines: Sequence[Line]) -> int:
    """How many of the first lines are set bold (or slanted) throughout, if those below are not."""
    for style in (Style.BOLD, Style.ITALIC):
        count = next((i for i, line in enumerate(lines) if line.across or not line.has_style(style)), 0)
        if count:
            return count
    return 0


def _pitch(lines: Sequence[Line], column: int | None = None) -> float:
    """Font sizes between the baselines of two lines of one cell: the least distance that comes often enough."""
    steps = sorted(
        step for _, _, step, where in _steps(lines) if step > 0.8 and (column is None or where == column)
    )
    need = max(2, int(OFTEN * len(steps)))
    for place in range(len(steps) - need + 1):
        if steps[place + need - 1] < 1.06 * steps[place]:
            return steps[place]
    return steps[0] if steps else 1.2


def _steps(lines: Sequence[Line]) -> list[tuple[int, int, float, int]]:
    """Pairs of lines that follow each other in a column, the distance of their baselines in font sizes, the column."""
    steps = []
    last: dict[int, int] = {}
    for place, line in enumerate(lines):
        if line.across:
            last = {}
            continue
        for column in line.cells:
            if column in last:
                above = last[column]
                step = (line.row.baseline - lines[above].row.baseline) / line.row.size
                steps.append((above, place, step, column))
            last[column] = place
    return steps


def _is_linked(lines: Sequence[Line], place: int, parted: Sequence[bool], pitch: float) -> bool:
    """Whether a cell goes on from the line ``place``, or one over it, to the next line or one below it."""
    first = max(0, place - 3)
    if lines[place + 1].row.baseline - lines[place].row.baseline < OVERLAP * lines[place].row.size:
        return not parted[place]
    return any(
        above + first <= place < below + first
        and step <= TIGHT * pitch
        and not any(parted[above + first : below + first])
        for above, below, step, _ in _steps(lines[first : place + 5])
    )


def runs_over(groups: Sequence[Sequence[Line]], column: int) -> bool:
    """Whether the lines of a column run on where the rows end, as prose beside a table does, or entries that begin at
    heights of their own."""
    lines = [line for group in groups for line in group]
    rows = {id(line): number for number, group in enumerate(groups) for line in group}
    pairs = [(lines[a], lines[b], step) for a, b, step, c in _steps(lines) if c == column]
    over = [(a, b, step) for a, b, step in pairs if rows[id(a)] != rows[id(b)]]
    if not over:
        return False
    pitch = _pitch(lines)
    tight = TIGHT * pitch
    parted = sum(step > tight and abs(step / pitch - round(step / pitch)) > 0.12 for _, _, step in pairs)
    if parted > max(1, 0.25 * len(pairs)) and sum(step <= tight for _, _, step in over) > 0.25 * parted:
        return True
    return _run_on(lines, column, over)


def is_running(lines: Sequence[Line], column: int) -> bool:
    """Whether a column is running text as a whole."""
    return _run_on(
        lines, column, [(lines[a], lines[b], step) for a, b, step, c in _steps(lines) if c == column]
    )


def _run_on(lines: Sequence[Line], column: int, pairs: Sequence[tuple[Line, Line, float]]) -> bool:
    """Whether most of ``pairs`` of lines follow each other in the middle of a sentence."""
    chosen = [line.cells[column] for line in lines if column in line.cells and not line.across]
    if sum(map(len, chosen)) < RUNNING * len(chosen):
        return False
    ends = sorted(words[-1].x1 for words in chosen)
    right, tight = ends[int(0.8 * (len(ends) - 1))], TIGHT * _pitch(lines, column)
    running = [
        b.cells[column][0].text[:1]
        for a, b, step in pairs
        if step <= tight and not ends_early(a.cells[column], b.cells[column], right)
    ]
    midway = sum(not first.isupper() and not first.isdigit() for first in running)
    return len(running) > 0.5 * len(pairs) and midway > 0.25 * len(running)


def right_edges(lines: Sequence[Line]) -> dict[int, float]:
    """The right edge of each column, as far as its words show it."""
    rights: dict[int, float] = {}
    for line in lines:
        for column, words in () if line.across else line.cells.items():
            rights[column] = max(rights.get(column, 0.0), max(word.x1 for word in words))
    return rights


def _starts(group: Sequence[Line], rights: dict[int, float], *, full: bool) -> list[bool]:
    """Of each line but the last of evenly set lines, whether the next one begins a row: where the first column speaks
    again, or where it goes on and some cell ended early. ``full``: no line of the table lacks a cell, none wraps."""
    opening = [line for above, line in pairwise(group) if 0 in line.cells and 0 not in above.cells]
    lower = sum(_is_lower(line) for line in opening) > 0.5 * len(opening)
    starts = []
    for above, line in pairwise(group):
        if 0 not in line.cells or 0 not in above.cells:
            starts.append(0 in line.cells)
            continue
        shared = len(above.cells.keys() & line.cells.keys())
        if (full or shared > 2) and _speak_anew(line):
            starts.append(True)  # three columns do not wrap all at once
            continue
        early = {
            c for c in line.cells if c in above.cells and ends_early(above.cells[c], line.cells[c], rights[c])
        }
        runs_on = _is_lower(line) and 0 not in early and not lower
        starts.append(len(line.cells) > 1 and bool(early) and not runs_on)
    return starts


def _speak_anew(line: Line) -> bool:
    return sum(words[0].text[:1].islower() for words in line.cells.values()) < 0.5 * len(line.cells)


def _is_lower(line: Line) -> bool:
    return line.cells[0][0].text[:1].islower()


def ends_early(above: Sequence[Word], words: Sequence[Word], right: float) -> bool:
    """Whether the first of ``words`` would still have fitted after ``above``, in a column that ends at ``right``."""
    last, first = max(above, key=lambda word: word.x1), words[0]
    return right - last.x1 > first.x1 - first.x0 + SPACE * first.size and not last.text.endswith("-")


def _with_blank_labels(
    groups: list[list[Line]], lines: Sequence[Line], parted: Sequence[bool]
) -> list[list[Line]]:
    """Groups without a label put to the row before them, where drawn lines or shades part all rows: then space parts
    the paragraphs of a cell."""
    bands = sum(parted) + 1
    labelled = sum(0 in group[0].cells for group in groups)
    if bands < 4 or bands < 0.8 * labelled:
        return groups
    ends = {id(line) for line, end in zip(lines[:-1], parted, strict=True) if end}
    merged: list[list[Line]] = []
    for group in groups:
        far = merged and group[0].row.baseline - merged[-1][-1].row.baseline > APART * group[0].row.size
        if merged and not far and 0 not in group[0].cells and id(merged[-1][-1]) not in ends:
            merged[-1] = [*merged[-1], *group]
        else:
            merged.append(group)
    return merged
