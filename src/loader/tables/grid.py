"""Drawn lines to grids: merged, parted into groups that touch, and the edges of rows and columns they make."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from src.records import FloatArray

THIN = 3.5  # points; what is thicker is a box, not a line
JOINT = 3.0  # points by which lines that belong together may miss each other
SAME = 2.5  # points between two lines that are one edge
WIDE_AS = 6.0
ROW_HEIGHT = 60.0  # of a row without uprights at most
MAX_LINES = 3_000  # a map or a plot has more

Lines = npt.NDArray[np.float64]  # (n, 3): place across, start, end along


@dataclass(frozen=True, eq=False)
class Grid:
    """Level and upright lines that touch: ``levels`` rows of y, x0, x1 and ``uprights`` rows of x, y0, y1."""

    levels: Lines
    uprights: Lines

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of all lines."""
        x0 = min(self.levels[:, 1].min(), self.uprights[:, 0].min())
        x1 = max(self.levels[:, 2].max(), self.uprights[:, 0].max())
        y0 = min(self.levels[:, 0].min(), self.uprights[:, 1].min())
        y1 = max(self.levels[:, 0].max(), self.uprights[:, 2].max())
        return float(x0), float(y0), float(x1), float(y1)

    @cached_property
    def xs(self) -> list[float]:
        """Edges of the columns, the outer ones included."""
        x0, _, x1, _ = self.box
        return _edges([x0, *self.uprights[:, 0].tolist(), x1])

    @cached_property
    def ys(self) -> list[float]:
        """Edges of the rows, the outer ones included."""
        _, y0, _, y1 = self.box
        return _edges([y0, *self.levels[:, 0].tolist(), y1])

    def upright_at(self, x: float, y: float) -> bool:
        """Whether a line is drawn at column edge ``x`` beside the height ``y``."""
        u = self.uprights
        return bool(((np.abs(u[:, 0] - x) <= SAME) & (u[:, 1] <= y) & (u[:, 2] >= y)).any())

    def level_above(self, x: float, y: float) -> float:
        """Height of the nearest line over the point, the top of the grid when there is none."""
        over = self.levels[
            (self.levels[:, 1] - 1 <= x) & (self.levels[:, 2] + 1 >= x) & (self.levels[:, 0] <= y)
        ]
        return float(over[:, 0].max()) if len(over) else self.box[1]

    def level_below(self, x: float, y: float) -> float:
        """Height of the nearest line under the point, the bottom of the grid when there is none."""
        under = self.levels[
            (self.levels[:, 1] - 1 <= x) & (self.levels[:, 2] + 1 >= x) & (self.levels[:, 0] > y)
        ]
        return float(under[:, 0].min()) if len(under) else self.box[3]

    def is_merged(self, first: int, last: int, y: float) -> bool:
        """Whether the cell over columns [first, last] at height ``y`` is drawn as one: framed at both sides and below,
        where the lines between its columns begin."""
        below = self.levels[
            (self.levels[:, 1] - JOINT <= self.xs[first])
            & (self.levels[:, 2] + JOINT >= self.xs[last + 1])
            & (self.levels[:, 0] > y)
        ]
        if not len(below) or not all(self.upright_at(self.xs[edge], y) for edge in (first, last + 1)):
            return False
        under = float(below[:, 0].min()) + JOINT
        return all(self.upright_at(edge, under) for edge in self.xs[first + 1 : last + 1])

    def span_at(self, x: float, y: float) -> tuple[int, int]:
        """[first, last] columns of the drawn cell that holds the point."""
        drawn = [edge for edge in self.xs[1:-1] if self.upright_at(edge, y)]
        left = max([edge for edge in drawn if edge <= x], default=self.xs[0])
        right = min([edge for edge in drawn if edge > x], default=self.xs[-1])
        first = self.xs.index(left)
        return first, max(self.xs.index(right) - 1, first)


def merged_lines(rules: FloatArray) -> tuple[Lines, Lines]:
    """Level (y, x0, x1) and upright (x, y0, y1) lines; pieces of one line in one piece."""
    wide, high = rules[:, 2] - rules[:, 0], rules[:, 3] - rules[:, 1]
    level = (high <= THIN) & (wide > high)
    upright = (wide <= THIN) & (high > wide)
    x0, y0, x1, y1 = rules.astype(np.float64).T
    levels = np.stack([(y0 + y1) / 2, x0, x1], axis=1)[level]
    uprights = np.stack([(x0 + x1) / 2, y0, y1], axis=1)[upright]
    return _joined(levels), _joined(uprights)


def find_grids(rules: FloatArray, fills: FloatArray) -> list[Grid]:
    """Groups of touching lines with at least two columns and two rows, from top to bottom.

    Where lines are drawn they alone count; the edges of shaded cells (``fills``) count where there are no lines, for
    neighbouring cells of one shade have an edge that nobody sees.
    """
    drawn = _grids(rules[~_edges_of_fills(rules, fills)]) if len(fills) else []
    others = [grid for grid in _grids(rules) if not any(_overlap(grid.box, other.box) for other in drawn)]
    return sorted([*drawn, *others], key=lambda grid: grid.box[1])


def _edges_of_fills(rules: FloatArray, fills: FloatArray) -> npt.NDArray[np.bool_]:
    """Which rules lie on an edge of a filled box and do not reach beyond it."""
    found = np.zeros(len(rules), np.bool_)
    x0, y0, x1, y1 = rules.T
    for left, top, right, bottom in fills[:MAX_LINES].tolist():
        inside = (x0 > left - 0.7) & (x1 < right + 0.7) & (y0 > top - 0.7) & (y1 < bottom + 0.7)
        on_level = (y1 - y0 < 0.3) & ((np.abs(y0 - top) < 0.3) | (np.abs(y0 - bottom) < 0.3))
        on_upright = (x1 - x0 < 0.3) & ((np.abs(x0 - left) < 0.3) | (np.abs(x0 - right) < 0.3))
        found |= inside & (on_level | on_upright)
    return found


def _overlap(box: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _grids(rules: FloatArray) -> list[Grid]:
    levels, uprights = merged_lines(rules)
    if len(levels) < 2 or len(uprights) < 2 or len(levels) + len(uprights) > MAX_LINES:
        return []
    across = (levels[:, None, 0] >= uprights[None, :, 1] - JOINT) & (
        levels[:, None, 0] <= uprights[None, :, 2] + JOINT
    )
    along = (uprights[None, :, 0] >= levels[:, None, 1] - JOINT) & (
        uprights[None, :, 0] <= levels[:, None, 2] + JOINT
    )
    grids = []
    for rows, columns in _groups(across & along):
        if len(rows) < 2 or len(columns) < 1:
            continue
        grid = _with_body(Grid(levels[rows], uprights[columns]), levels)
        if len(grid.xs) >= 3 and len(grid.ys) >= 3:
            grids.append(grid)
    return grids


def _with_body(grid: Grid, levels: Lines) -> Grid:
    """The grid with the level lines under it that are as wide: a boxed header over a body without uprights."""
    x0, _, x1, bottom = grid.box
    wide = levels[(np.abs(levels[:, 1] - x0) < WIDE_AS) & (np.abs(levels[:, 2] - x1) < WIDE_AS)]
    chain = []
    for line in wide[np.argsort(wide[:, 0])]:
        if line[0] > bottom + SAME:
            if line[0] - bottom > ROW_HEIGHT:
                break
            chain.append(line)
            bottom = line[0]
    return Grid(np.concatenate([grid.levels, np.array(chain)]), grid.uprights) if chain else grid


def _groups(touch: npt.NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Connected groups of rows and columns of a matrix."""
    rows_left = set(range(touch.shape[0]))
    groups = []
    while rows_left:
        rows, columns = {rows_left.pop()}, set[int]()
        while True:
            reached = set(np.flatnonzero(touch[sorted(rows)].any(axis=0)).tolist())
            if reached <= columns:
                break
            columns |= reached
            rows |= set(np.flatnonzero(touch[:, sorted(columns)].any(axis=1)).tolist())
        rows_left -= rows
        groups.append((sorted(rows), sorted(columns)))
    return groups


def _joined(lines: Lines) -> Lines:
    """Lines at one place whose ends meet, as one."""
    if not len(lines):
        return lines
    order = np.lexsort((lines[:, 1], np.round(lines[:, 0])))
    made: list[list[float]] = []
    for place, start, end in lines[order].tolist():
        last = made[-1] if made else None
        if last is not None and abs(last[0] - place) <= 1.2 and start <= last[2] + 1.2:
            last[2] = max(last[2], end)
        else:
            made.append([place, start, end])
    return np.array(made, np.float64)


def _edges(places: list[float]) -> list[float]:
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > SAME:
            edges.append(place)
    return edges
