"""Gutters: stripes without text between two columns, told from the gaps between the cells of a table.

A page of tables has dozens of stripes, so the words of its rows are held as arrays and a stripe is judged by a few
sums over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from src.loader.layout import Word

Array = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

MIN_LINES = 2
_MAX_CANDIDATES = 40
_TIGHT = 0.6  # of the font size: a narrower gap in a row is a space between words
_STRIPE = 0.45  # of the font size: the least width of a gutter
_NARROW = 1.1  # of the font size: below it a gutter needs more lines to be believed
_NARROW_LINES = 5
_CELL_GAP = 2.2  # font sizes: a gap inside one side that parts cells, or columns still to be cut
_PROSE_WORDS = 3.5
_DENSE = 10  # characters of Chinese or Japanese that are a line of prose, whatever its words
_NOTE = 0.9  # of the text's font size: what is set smaller beside it is a note
_LEVEL = 0.15  # of the font size: lines of both sides that differ by less stand on one printed line
_RUN_LINES = 5  # lines of a side that can be seen to run on
_RUNS_ON = 0.35  # of its pieces that begin in small letters: German nouns do not
_OVERHANG = 0.4  # points by which a word of the left side may reach over the stripe's edge


@dataclass(frozen=True, slots=True)
class Gutter:
    """A stripe at ``x``; ``above``, ``left``, ``right`` and ``below`` are the rows around it."""

    x: float
    above: list[list[Word]]
    left: list[list[Word]]
    right: list[list[Word]]
    below: list[list[Word]]


class Rows:
    """The words of printed rows as arrays, one place a word, row after row. ``starts`` (r + 1,) is where rows begin,
    ``of_row`` the row of each word, ``length`` its characters, ``size`` its font size."""

    def __init__(self, rows: Sequence[list[Word]]) -> None:
        self.rows = rows
        self.words = [word for row in rows for word in row]
        lengths = [len(row) for row in rows]
        self.starts: IntArray = np.cumsum([0, *lengths])
        self.of_row: IntArray = np.repeat(np.arange(len(rows)), lengths)
        places = np.array([word[1:7] for word in self.words], np.float64)
        self.x0, self.y0, self.x1, self.y1, self.size, self.baseline = places.T.copy()
        self.length: IntArray = np.array([len(word.text) for word in self.words], np.int64)
        self.tables: BoolArray = np.array([word.start < 0 for word in self.words], np.bool_)

    @cached_property
    def has_tables(self) -> bool:
        """Whether tables that were found before stand among the words."""
        return bool(self.tables.any())

    @cached_property
    def letters(self) -> IntArray:
        """Characters of the words that begin with a letter."""
        return self.length * np.array([word.text[0].isalpha() for word in self.words], np.bool_)

    @cached_property
    def numeric(self) -> BoolArray:
        """Words with a digit."""
        return np.array(
            [not word.text.isalpha() and any(map(str.isdigit, word.text)) for word in self.words], np.bool_
        )

    @cached_property
    def wide(self) -> IntArray:
        """Chinese and Japanese characters of each word."""
        return np.array(
            [0 if word.text.isascii() else sum(1 for c in word.text if c > "\u2e80") for word in self.words],
            np.int64,
        )


class Side:
    """The words of some rows that stand on one side of a stripe: ``places`` in the arrays of ``rows``, and which of
    them begin and end a row."""

    def __init__(self, rows: Rows, places: IntArray) -> None:
        self.rows, self.places = rows, places
        of_row = rows.of_row[places]
        begins = np.ones(len(places), np.bool_)
        begins[1:] = of_row[1:] != of_row[:-1]
        ends = np.ones(len(places), np.bool_)
        ends[:-1] = begins[1:]
        self.begins: IntArray = np.flatnonzero(begins)
        self.firsts: IntArray = places[begins]
        self.lasts: IntArray = places[ends]

    def __len__(self) -> int:
        return len(self.firsts)

    def within(self, first: int, last: int) -> Side:
        """The part of the side in the rows [first, last)."""
        of_row = self.rows.of_row[self.places]
        return Side(self.rows, self.places[(of_row >= first) & (of_row < last)])

    @property
    def lines(self) -> list[list[Word]]:
        """The words, row by row."""
        words = [self.rows.words[place] for place in self.places.tolist()]
        edges = [*self.begins.tolist(), len(words)]
        return [words[a:b] for a, b in pairwise(edges)]

    @property
    def weight(self) -> int:
        """Number of characters."""
        return int(self.rows.length[self.places].sum())

    @property
    def holds_table(self) -> bool:
        """Whether a table that was found before stands on this side."""
        return bool(self.rows.tables[self.places].any())

    @property
    def is_numeric(self) -> bool:
        """Whether many words hold digits."""
        return bool(self.rows.numeric[self.places].sum() > 0.4 * len(self.places))

    @cached_property
    def is_prose(self) -> bool:
        """Whether most lines are made of several words and reach towards the right edge of their side."""
        rows, places = self.rows, self.places
        length = rows.length[places]
        total = int(length.sum())
        if rows.letters[places].sum() <= 0.6 * total:
            return False
        x0, ends = float(rows.x0[self.firsts].min()), rows.x1[self.lasts]
        width = max(float(ends.max()) - x0, 1.0)
        of_lines = np.add.reduceat(length, self.begins)
        if of_lines[ends - x0 > 0.7 * width].sum() <= 0.5 * total:
            return False
        pieces = self._pieces()
        counts = np.diff(np.append(pieces, len(places)))
        of_pieces = np.add.reduceat(length, pieces)
        wide = np.add.reduceat(rows.wide[places], pieces)
        wordy = (counts >= _PROSE_WORDS) | ((of_pieces >= _DENSE) & (wide > 0.6 * of_pieces))
        return bool(of_pieces[wordy].sum() > 0.6 * total)

    @cached_property
    def runs_on(self) -> bool:
        """Whether the pieces of its lines go on from line to line, as the sentences of a narrow column of prose do.

        Cells begin with a capital or a digit, and no sentence ends within one.
        """
        if len(self) < _RUN_LINES:
            return False
        words = [self.rows.words[place].text for place in self.places.tolist()]
        pieces = self._pieces().tolist()
        small = sum(words[place][0].islower() for place in pieces)
        inside = set(range(1, len(words))) - set(pieces)
        ends = sum(words[i - 1][-1] in ".!?" and words[i][0].isupper() for i in inside)
        return small >= _RUNS_ON * len(pieces) and len(words) > 1.8 * len(pieces) and ends > 0

    def _pieces(self) -> IntArray:
        """Where a piece begins: at the start of a line, and behind a wide gap."""
        rows, a, b = self.rows, self.places[:-1], self.places[1:]
        parted = np.ones(len(self.places), np.bool_)
        parted[1:] = rows.x0[b] - rows.x1[a] > _CELL_GAP * np.maximum(rows.size[a], rows.size[b])
        parted[self.begins] = True
        return np.flatnonzero(parted)


def best_gutter(lines: Sequence[list[Word]], rules: Array) -> Gutter | None:
    """The stripe with the most text beside it, None when ``lines`` are one column or a table. ``rules`` (n, 3) are
    level lines: x0, x1, y."""
    if len(lines) < MIN_LINES:
        return None
    rows = Rows(lines)
    size = _median(rows.size)
    xs = np.array(_candidates(rows, size))
    if not len(xs):
        return None
    starts, ends = rows.starts[:-1], rows.starts[1:] - 1
    crossed = _crossed(rows, xs, size)
    free = ~crossed
    on_left = (free & (rows.x0[starts, None] < xs)).sum(axis=0)
    on_right = (free & (rows.x1[ends, None] > xs)).sum(axis=0)
    cellular = [_is_cells(row) for row in lines]
    best: tuple[int, Side, Side, float, int, int] | None = None
    held = np.concatenate([[0], np.cumsum(rows.length)])
    tried: set[tuple[int, int, bytes]] = set()
    for place in np.flatnonzero((on_left >= MIN_LINES) & (on_right >= MIN_LINES)).tolist():
        x = float(xs[place])
        across = rules[(rules[:, 0] < x - size) & (rules[:, 1] > x + size), 2]
        drawn = _drawn(lines, across)
        cut = _runs(crossed[:, place], drawn | _around_cells(lines, cellular, x))
        whole = [run for run in _runs(crossed[:, place], drawn) if run not in cut]
        for (first, last), is_cut in (*((run, True) for run in cut), *((run, False) for run in whole)):
            if best is not None and held[rows.starts[last]] - held[rows.starts[first]] <= best[0]:
                continue
            over = rows.x1[rows.starts[first] : rows.starts[last]] > x + _OVERHANG
            parted = first, last, over.tobytes()
            if parted in tried:
                continue  # half of all places part the same words as one before
            tried.add(parted)
            found = _sides(rows, over, first, last, size)
            if found is None:
                continue
            left, right, first, last = found
            if not is_cut and not (left.runs_on and right.runs_on):
                continue  # what look like cells are cells
            weight = left.weight + right.weight
            if best is None or weight > best[0]:
                best = weight, left, right, x, first, last
    if best is None:
        return None
    _, left, right, x, first, last = best
    return Gutter(x, list(lines[:first]), left.lines, right.lines, list(lines[last:]))


def _crossed(rows: Rows, xs: Array, size: float) -> BoolArray:
    """Which rows (r, n) have a word, or a mere space between words, at each of the places ``xs``."""
    x0, x1 = rows.x0, rows.x1
    # a space between words is no gutter, even where it happens to stand in the stripe
    gap = x0[1:] - x1[:-1]
    tight = np.flatnonzero((rows.of_row[1:] == rows.of_row[:-1]) & (gap < _TIGHT * size))
    blocked = (x0[:, None] < xs - 0.3) & (x1[:, None] > xs + 0.3)
    blocked[tight] |= (x1[tight, None] <= xs + 0.3) & (x0[tight + 1, None] >= xs - 0.3)
    return np.logical_or.reduceat(blocked, rows.starts[:-1], axis=0)


def _candidates(rows: Rows, size: float) -> list[float]:
    """Places just left of where several lines begin behind a gap."""
    begins = np.ones(len(rows.x0), np.bool_)
    begins[1:] = (rows.of_row[1:] != rows.of_row[:-1]) | (rows.x0[1:] - rows.x1[:-1] > _STRIPE * size)
    values, counts = np.unique(np.round(rows.x0[begins] / 2), return_counts=True)
    left = float(rows.x0[rows.starts[:-1]].min())
    merged: dict[int, tuple[int, float]] = {}
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        if value * 2 > left + 2 * size:
            x = value * 2 - 1.2
            key = round(x / max(size, 4))
            total, place = merged.get(key, (0, x))
            merged[key] = (total + count, min(place, x))
    chosen = sorted((c, x) for c, x in merged.values() if c >= MIN_LINES)[::-1]
    return [x for _, x in chosen[:_MAX_CANDIDATES]]


def _drawn(lines: Sequence[Sequence[Word]], across: Array) -> set[int]:
    """Places between rows where a line drawn across the stripe ends it."""
    if not len(across):
        return set()
    baselines = np.array([row[0].baseline for row in lines])
    return set(np.searchsorted(baselines, across).tolist())


def _around_cells(lines: Sequence[Sequence[Word]], cellular: Sequence[bool], x: float) -> set[int]:
    """Places between rows where rows of cells end a stripe, or begin one."""
    cuts: set[int] = set()
    if True not in cellular:
        return cuts
    cells = [cell and row[0].x1 <= x <= row[-1].x0 for cell, row in zip(cellular, lines, strict=True)]
    if not any(cells):
        return cuts
    for place in range(1, len(lines)):
        if cells[place] != cells[place - 1]:
            beside = place + 1 if cells[place] else place - 2
            if 0 <= beside < len(lines) and cells[beside]:  # a single row of cells is chance
                cuts.add(place)
    return cuts


def _is_cells(row: Sequence[Word]) -> bool:
    """Whether a printed row is three cells or more of few words."""
    if len(row) < 3:
        return False
    counts = [1]
    for a, b in pairwise(row):
        if b.x0 - a.x1 > 1.2 * max(a.size, b.size):
            counts.append(1)
        else:
            counts[-1] += 1
    return len(counts) >= 3 and max(counts) <= 4


def _runs(crossed: BoolArray, cuts: set[int]) -> list[tuple[int, int]]:
    """[first, last) stretches of rows that no word crosses, ended at ``cuts``."""
    runs: list[tuple[int, int]] = []
    first = 0
    for place, ends in enumerate([*crossed.tolist(), True]):
        if ends or place in cuts:
            if place - first >= MIN_LINES:
                runs.append((first, place))
            first = place + 1 if ends else place
    return runs


def _sides(
    rows: Rows, over: BoolArray, first: int, last: int, size: float
) -> tuple[Side, Side, int, int] | None:
    """Both sides of a stripe in the rows [first, last), and the rows that are left of these; None when they are no
    two columns. ``over`` says of each word of these rows whether it stands right of the stripe."""
    begin, end = int(rows.starts[first]), int(rows.starts[last])
    if not MIN_LINES <= np.count_nonzero(over) <= end - begin - MIN_LINES:
        return None
    left = Side(rows, np.flatnonzero(~over) + begin)
    right = Side(rows, np.flatnonzero(over) + begin)
    if len(left) < MIN_LINES or len(right) < MIN_LINES:
        return None
    shown = _beside(rows, left, right, first, last)
    if shown != (first, last):
        first, last = shown
        left, right = left.within(first, last), right.within(first, last)
        if len(left) < MIN_LINES or len(right) < MIN_LINES:
            return None
    # one line in twenty may hang over the edge of its column
    begins, ends = np.sort(rows.x0[right.firsts]), np.sort(rows.x1[left.lasts])
    stripe = float(begins[int(np.ceil(0.05 * (len(begins) - 1)))] - ends[int(0.95 * (len(ends) - 1))])
    fewest = min(len(left), len(right))
    if stripe < _STRIPE * size or (stripe < _NARROW * size and fewest < _NARROW_LINES):
        return None
    return (left, right, first, last) if _are_columns(left, right, stripe / size) else None


def _beside(rows: Rows, left: Side, right: Side, first: int, last: int) -> tuple[int, int]:
    """The rows [first, last) cut to the height where there is text on both sides.

    Rows above and below it that stand on one side only and fit that side stay with it: a heading of the column.
    """
    top = max(rows.y0[left.firsts[0]], rows.y0[right.firsts[0]])
    bottom = min(rows.y1[left.firsts[-1]], rows.y1[right.firsts[-1]])
    firsts = np.concatenate([left.firsts, right.firsts])
    # far above or below the other side's text a line is not beside anything
    slack = 6 * rows.size[firsts].max()
    begins = rows.starts[first:last]
    title = rows.size[begins] > 1.15 * _median(rows.size[firsts])  # over both columns
    above = np.append(~(title & (rows.y1[begins] < top - slack)), True)
    first, begins, title = first + int(above.argmax()), begins[above.argmax() :], title[above.argmax() :]
    below = np.append(~(title & (rows.y0[begins] > bottom + slack))[::-1], True)
    return first, last - int(below.argmax())


def _are_columns(left: Side, right: Side, stripe: float) -> bool:
    """Whether both sides are text that runs down, rather than cells that belong together across."""
    if right.is_prose and left.is_prose:
        return True
    if not left.rows.has_tables and left.runs_on and right.runs_on:
        return True
    if left.rows.has_tables and (left.holds_table or right.holds_table):
        return left.holds_table and right.holds_table and stripe > 3 and _level(left, right) < 0.6
    if _is_note_beside(left, right) or _is_note_beside(right, left):
        return True
    fewest, prose = min(len(left), len(right)), right.is_prose or left.is_prose
    if fewest < (3 if prose else 4) or (not prose and (left.is_numeric or right.is_numeric)):
        return False
    return _level(left, right) < (0.7 if prose else 0.35)


def _is_note_beside(note: Side, text: Side) -> bool:
    """Whether one side is set smaller than the running text on the other: notes in the margin, not cells."""
    if len(text) < 4 or not text.is_prose or note.is_numeric:
        return False
    sizes = note.rows.size
    return _median(sizes[note.firsts]) < _NOTE * _median(sizes[text.firsts])


def _level(left: Side, right: Side) -> float:
    """The share of the shorter side's lines that have a line of the other side on their own line."""
    a, b = left.rows.baseline[left.firsts], left.rows.baseline[right.firsts]
    if len(a) > len(b):
        a, b = b, a
    near = np.abs(a[:, None] - b[None, :]).min(axis=1) < _LEVEL * _median(left.rows.size[left.firsts])
    return float(near.mean())


def _median(values: Array) -> float:
    """As ``numpy.median``, which takes ten times as long for so few values."""
    ordered = np.sort(values)
    return float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
