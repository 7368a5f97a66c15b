"""The order in which a person reads the lines of a page: columns one after the other, table rows across.

A gutter is a stripe without text that has text on both sides over several lines. The best one cuts the page in four:
what stands above the stripe, left of it, right of it, and below; each part is cut again. A stripe between cells of a
table is not a gutter: there the rows are read across.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from src.loader.lines import Line

_MIN_LINES = 2
_MAX_DEPTH = 24
_PROSE_CHARACTERS = 22


@dataclass(frozen=True, slots=True)
class Gutter:
    """A stripe at ``x`` between the lines ``left`` and ``right``; ``above`` and ``below`` are the others."""

    x: float
    above: list[Line]
    left: list[Line]
    right: list[Line]
    below: list[Line]


def regions(lines: Sequence[Line], depth: int = 0) -> list[list[Line]]:
    """Lines in reading order, in stretches that are read straight down."""
    if not lines:
        return []
    if depth < _MAX_DEPTH and (gutter := best_gutter(lines)) is not None:
        parts = (gutter.above, gutter.left, gutter.right, gutter.below)
        return [region for part in parts for region in regions(part, depth + 1)]
    return [sorted(lines, key=lambda line: (line.baseline, line.x0))]


def best_gutter(lines: Sequence[Line]) -> Gutter | None:
    """The stripe with the most text beside it, None when the lines are one column or a table."""
    if len(lines) < 2 * _MIN_LINES:
        return None
    ordered = sorted(lines, key=lambda line: line.y0)
    x0 = np.array([line.x0 for line in ordered])
    x1 = np.array([line.x1 for line in ordered])
    best: tuple[float, Gutter] | None = None
    for x in _candidates(x0, x1):
        crossing = (x0 < x) & (x1 > x)
        for first, last in _runs(crossing):
            gutter = _gutter(ordered, x, first, last)
            if gutter is None:
                continue
            weight = float(sum(line.length for line in gutter.left + gutter.right))
            if best is None or weight > best[0]:
                best = weight, gutter
    return best[1] if best else None


def _candidates(x0: np.ndarray, x1: np.ndarray) -> list[float]:
    """Places just left of where several lines begin."""
    starts = np.sort(np.round(x0))
    values, counts = np.unique(starts, return_counts=True)
    left = float(x0.min())
    found = [float(v) - 1.5 for v, c in zip(values, counts, strict=True) if c >= _MIN_LINES and v > left + 20]
    return found[:60]


def _runs(crossing: np.ndarray) -> list[tuple[int, int]]:
    """[first, last) stretches of lines that do not cross."""
    edges = np.flatnonzero(np.diff(np.concatenate([[1], crossing.astype(np.int8), [1]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= 2 * _MIN_LINES]


def _gutter(ordered: list[Line], x: float, first: int, last: int) -> Gutter | None:
    inside = ordered[first:last]
    left = [line for line in inside if line.x1 <= x]
    right = [line for line in inside if line.x0 >= x]
    if len(left) < _MIN_LINES or len(right) < _MIN_LINES:
        return None
    top = max(min(line.y0 for line in left), min(line.y0 for line in right))
    bottom = min(max(line.y1 for line in left), max(line.y1 for line in right))
    if bottom - top < 1.5 * left[0].size:
        return None
    if not (is_prose(left) and is_prose(right)):
        return None
    return Gutter(x, ordered[:first], left, right, ordered[last:])


def is_prose(lines: Sequence[Line]) -> bool:
    """Whether most of the text of ``lines`` stands in lines as long as those of a text column."""
    long = sum(line.length for line in lines if line.length >= _PROSE_CHARACTERS)
    return 2 * long > sum(line.length for line in lines)
