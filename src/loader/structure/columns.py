"""The order in which a person reads the lines of a page: columns one after the other, table rows across.

A gutter is a stripe without text that has text on both sides over several lines. The best one cuts the page in four:
what stands above the stripe, left of it, right of it, and below; each part is cut again. A stripe between the cells of
a table is no gutter: its rows are read across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from src.loader.layout import Style, Word
from src.loader.structure.lines import Line, make_line, split_row
from src.records import FloatArray

Array = npt.NDArray[np.float64]

_MIN_LINES = 2
_MAX_DEPTH = 12
_MAX_CANDIDATES = 40
_MAX_RULES = 400
_TIGHT = 0.6  # of the font size: a narrower gap in a row is a space between words
_STRIPE = 0.45  # of the font size: the least width of a gutter
_NARROW = 1.1  # of the font size: below it a gutter needs more lines to be believed
_NARROW_LINES = 5
_CELL_GAP = 2.2  # font sizes: a gap inside one side that parts cells, or columns still to be cut
_PROSE_WORDS = 3.5
_LEVEL = 0.15  # of the font size: lines of both sides that differ by less stand on one printed line


@dataclass(frozen=True, slots=True)
class Gutter:
    """A stripe at ``x``; ``above``, ``left``, ``right`` and ``below`` are the rows around it."""

    x: float
    above: list[list[Word]]
    left: list[list[Word]]
    right: list[list[Word]]
    below: list[list[Word]]
    weight: float


def regions(
    rows: Sequence[list[Word]], stand_ins: Sequence[Line] = (), rules: FloatArray | None = None
) -> list[list[Line]]:
    """Lines of ``rows`` in reading order, in stretches that are read straight down.

    ``rows`` are printed lines in the reading frame (``lines.make_rows``), struck words among them; ``stand_ins`` are
    lines that keep the places of tables; ``rules`` (r, 4) are drawn lines: one that crosses a gutter ends it.
    """
    level = _level_rules(rules)
    if stand_ins:
        tables = [_as_word(line, place) for place, line in enumerate(stand_ins)]
        rows = sorted([*rows, *([word] for word in tables)], key=lambda row: row[0].baseline)
    turned = sum([len(row) for row in rows if row[0].style & Style.RTL or row[-1].style & Style.RTL])
    backwards = 2 * turned > sum([len(row) for row in rows])
    ordered = _ordered(list(rows), level, 0, backwards)
    return [[line for row in stretch for line in _lines(row, stand_ins)] for stretch in ordered if stretch]


def _as_word(line: Line, place: int) -> Word:
    """A table as one wide word, so that it takes part in the search for gutters."""
    return Word("\0", line.x0, line.y0, line.x1, line.y1, 10.0, line.y0 + 8, 0, 0, -1 - place)


def _lines(row: Sequence[Word], stand_ins: Sequence[Line]) -> list[Line]:
    if any(word.start < 0 for word in row):
        found: list[Line] = []
        for word in row:
            found.extend([stand_ins[-1 - word.start]] if word.start < 0 else [make_line([word])])
        return found
    return split_row(row)


def _level_rules(rules: FloatArray | None) -> Array:
    """Horizontal lines as (n, 3): x0, x1, y."""
    if rules is None or not len(rules):
        return np.empty((0, 3))
    flat = rules[(rules[:, 2] - rules[:, 0]) > 20 + 4 * (rules[:, 3] - rules[:, 1])][:_MAX_RULES].astype(
        np.float64
    )
    return np.column_stack([flat[:, 0], flat[:, 2], (flat[:, 1] + flat[:, 3]) / 2])


def _ordered(rows: list[list[Word]], rules: Array, depth: int, backwards: bool) -> list[list[list[Word]]]:
    if not rows:
        return []
    if depth < _MAX_DEPTH and (gutter := best_gutter(rows, rules)) is not None:
        sides = (gutter.right, gutter.left) if backwards else (gutter.left, gutter.right)
        parts = (gutter.above, *sides, gutter.below)
        return [stretch for part in parts for stretch in _ordered(part, rules, depth + 1, backwards)]
    return [rows]


def best_gutter(rows: Sequence[list[Word]], rules: Array) -> Gutter | None:
    """The stripe with the most text beside it, None when the rows are one column or a table."""
    if len(rows) < _MIN_LINES:
        return None
    lengths = [len(row) for row in rows]
    starts = np.cumsum([0, *lengths[:-1]])
    x0 = np.array([word.x0 for row in rows for word in row])
    x1 = np.array([word.x1 for row in rows for word in row])
    of_row = np.repeat(np.arange(len(rows)), lengths)
    size = float(np.median([word.size for row in rows for word in row]))
    xs = np.array(_candidates(rows, size))
    if not len(xs):
        return None
    # a space between words is no gutter, even where it happens to stand in the stripe
    gap = x0[1:] - x1[:-1]
    tight = np.flatnonzero((of_row[1:] == of_row[:-1]) & (gap < _TIGHT * size))
    blocked = (x0[:, None] < xs - 0.3) & (x1[:, None] > xs + 0.3)
    blocked[tight] |= (x1[tight, None] <= xs + 0.3) & (x0[tight + 1, None] >= xs - 0.3)
    crossed = np.logical_or.reduceat(blocked, starts, axis=0)
    free = ~crossed
    on_left = (free & (x0[starts, None] < xs)).sum(axis=0)
    on_right = (free & (x1[starts + np.array(lengths) - 1, None] > xs)).sum(axis=0)
    cellular = [_is_cells(row) for row in rows]
    best: Gutter | None = None
    for place in np.flatnonzero((on_left >= _MIN_LINES) & (on_right >= _MIN_LINES)).tolist():
        x = float(xs[place])
        across = rules[(rules[:, 0] < x - size) & (rules[:, 1] > x + size), 2]
        for first, last in _runs(crossed[:, place], _cuts(rows, cellular, x, across)):
            gutter = _gutter(rows, x, first, last, size)
            if gutter is not None and (best is None or gutter.weight > best.weight):
                best = gutter
    return best


def _candidates(rows: Sequence[Sequence[Word]], size: float) -> list[float]:
    """Places just left of where several lines begin behind a gap."""
    starts: list[float] = []
    for row in rows:
        starts.append(row[0].x0)
        starts += [b.x0 for a, b in pairwise(row) if b.x0 - a.x1 > _STRIPE * size]
    values, counts = np.unique(np.round(np.array(starts) / 2), return_counts=True)
    left = min(row[0].x0 for row in rows)
    scored = [
        (int(c), float(v) * 2 - 1.2) for v, c in zip(values, counts, strict=True) if v * 2 > left + 2 * size
    ]
    merged: dict[int, tuple[int, float]] = {}
    for count, x in scored:
        key = round(x / max(size, 4))
        total, place = merged.get(key, (0, x))
        merged[key] = (total + count, min(place, x))
    chosen = sorted((c, x) for c, x in merged.values() if c >= _MIN_LINES)[::-1]
    return [x for _, x in chosen[:_MAX_CANDIDATES]]


def _cuts(rows: Sequence[Sequence[Word]], cellular: Sequence[bool], x: float, across: Array) -> set[int]:
    """Places between rows where a stripe ends: at a line drawn across it, and around rows of cells."""
    cuts: set[int] = set()
    if len(across):
        baselines = np.array([row[0].baseline for row in rows])
        cuts |= {int(np.searchsorted(baselines, y)) for y in across.tolist()}
    cells = [cell and row[0].x1 <= x and row[-1].x0 >= x for cell, row in zip(cellular, rows, strict=True)]
    for place in range(1, len(rows)):
        if cells[place] != cells[place - 1]:
            inside = place if cells[place] else place - 1
            beside = inside + 1 if cells[place] else inside - 1
            if 0 <= beside < len(rows) and cells[beside]:  # a single row of cells is chance
                cuts.add(place)
    return cuts


def _is_cells(row: Sequence[Word]) -> bool:
    """Whether a printed row is three cells or more of few words."""
    pieces = _pieces(row, 1.2)
    return len(pieces) >= 3 and max(len(piece) for piece in pieces) <= 4


def _pieces(row: Sequence[Word], ems: float) -> list[list[Word]]:
    """Words of a row between gaps wider than ``ems`` font sizes."""
    pieces: list[list[Word]] = [[row[0]]]
    for a, b in pairwise(row):
        if b.x0 - a.x1 > ems * max(a.size, b.size):
            pieces.append([b])
        else:
            pieces[-1].append(b)
    return pieces


def _runs(crossed: npt.NDArray[np.bool_], cuts: set[int]) -> list[tuple[int, int]]:
    """[first, last) stretches of rows that no word crosses, ended at ``cuts``."""
    runs: list[tuple[int, int]] = []
    first = 0
    for place in range(len(crossed) + 1):
        ends = place == len(crossed) or bool(crossed[place])
        if ends or place in cuts:
            if place - first >= _MIN_LINES:
                runs.append((first, place))
            first = place + 1 if ends else place
    return runs


def _gutter(rows: Sequence[list[Word]], x: float, first: int, last: int, size: float) -> Gutter | None:
    left = [part for row in rows[first:last] if (part := [w for w in row if w.x1 <= x + 0.4])]
    right = [part for row in rows[first:last] if (part := [w for w in row if w.x1 > x + 0.4])]
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return None
    left, right, first, last = _beside(rows, x, first, last)
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return None
    # one line in twenty may hang over the edge of its column
    stripe = _share([row[0].x0 for row in right], 5) - _share([row[-1].x1 for row in left], 95)
    fewest = min(len(left), len(right))
    if stripe < _STRIPE * size or (stripe < _NARROW * size and fewest < _NARROW_LINES):
        return None
    if not _are_columns(left, right, stripe / size):
        return None
    weight = float(sum(len(word.text) for row in (*left, *right) for word in row))
    return Gutter(x, list(rows[:first]), left, right, list(rows[last:]), weight)


def _share(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent, method="lower" if percent > 50 else "higher"))


def _beside(
    rows: Sequence[Sequence[Word]], x: float, first: int, last: int
) -> tuple[list[list[Word]], list[list[Word]], int, int]:
    """Sides of the stripe, cut to the height where there is text on both.

    Rows above and below it that stand on one side only and fit that side stay with it: a heading of the column.
    """
    left = [[w for w in row if w.x1 <= x + 0.4] for row in rows[first:last]]
    right = [[w for w in row if w.x1 > x + 0.4] for row in rows[first:last]]
    left_rows, right_rows = [r for r in left if r], [r for r in right if r]
    if not left_rows or not right_rows:
        return [], [], first, last
    top = max(left_rows[0][0].y0, right_rows[0][0].y0)
    bottom = min(left_rows[-1][0].y1, right_rows[-1][0].y1)
    # far above or below the other side's text a line is not beside anything
    slack = 6 * max(row[0].size for row in (*left_rows, *right_rows))
    begin, end = first, last
    while begin < end and rows[begin][0].y1 < top - slack and _spans_more(rows[begin], left_rows, right_rows):
        begin += 1
    while (
        end > begin
        and rows[end - 1][0].y0 > bottom + slack
        and _spans_more(rows[end - 1], left_rows, right_rows)
    ):
        end -= 1
    cut = slice(begin - first, end - first)
    return [r for r in left[cut] if r], [r for r in right[cut] if r], begin, end


def _spans_more(row: Sequence[Word], left: Sequence[Sequence[Word]], right: Sequence[Sequence[Word]]) -> bool:
    """Whether a line of one side is set larger than that side's text: a title over both columns."""
    usual = median(r[0].size for r in (*left, *right))
    return row[0].size > 1.15 * usual


def _are_columns(left: Sequence[Sequence[Word]], right: Sequence[Sequence[Word]], stripe: float) -> bool:
    """Whether both sides are text that runs down, rather than cells that belong together across."""
    if _holds_table(left) or _holds_table(right):
        return _holds_table(left) and _holds_table(right) and stripe > 3 and not _is_level(left, right, 0.6)
    left_prose, right_prose = _is_prose(left), _is_prose(right)
    if left_prose and right_prose:
        return True
    fewest = min(len(left), len(right))
    level = _is_level(left, right, 0.7)
    if left_prose or right_prose:
        return fewest >= 3 and not level
    return (
        fewest >= 4 and not _is_level(left, right, 0.35) and not _is_numeric(left) and not _is_numeric(right)
    )


def _holds_table(side: Sequence[Sequence[Word]]) -> bool:
    return any(word.start < 0 for row in side for word in row)


def _is_prose(side: Sequence[Sequence[Word]]) -> bool:
    """Whether most lines are made of several words and reach towards the right edge of their side."""
    x0 = min(row[0].x0 for row in side)
    x1 = max(row[-1].x1 for row in side)
    width = max(x1 - x0, 1.0)
    wordy = filled = letters = total = 0
    for row in side:
        length = sum(len(word.text) for word in row)
        total += length
        letters += sum(len(word.text) for word in row if word.text[0].isalpha())
        for piece in _pieces(row, _CELL_GAP):
            wordy += sum(len(w.text) for w in piece) if len(piece) >= _PROSE_WORDS or _is_dense(piece) else 0
        filled += length if row[-1].x1 - x0 > 0.7 * width else 0
    return wordy > 0.6 * total and filled > 0.5 * total and letters > 0.6 * total


def _is_dense(row: Sequence[Word]) -> bool:
    """Chinese, Japanese: few gaps, many characters."""
    text = "".join(word.text for word in row)
    return len(text) >= 10 and sum(1 for c in text if c > "\u2e80") > 0.6 * len(text)


def _is_numeric(side: Sequence[Sequence[Word]]) -> bool:
    words = [word.text for row in side for word in row]
    return sum(1 for text in words if any(c.isdigit() for c in text)) > 0.4 * len(words)


def _is_level(left: Sequence[Sequence[Word]], right: Sequence[Sequence[Word]], share: float) -> bool:
    """Whether at least ``share`` of the shorter side's lines have a line of the other side on their own line."""
    a = np.array([row[0].baseline for row in left])
    b = np.array([row[0].baseline for row in right])
    if len(a) > len(b):
        a, b = b, a
    size = median(row[0].size for row in left)
    near = np.abs(a[:, None] - b[None, :]).min(axis=1) < _LEVEL * size
    return float(near.mean()) >= share
