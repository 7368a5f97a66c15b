"""The order in which a person reads the lines of a page: columns one after the other, table rows across.

A gutter is a stripe without text that has text on both sides over several lines. The best one cuts the page in four:
what stands above the stripe, left of it, right of it, and below; each part is cut again. A stripe between the cells of
a table is no gutter: its rows are read across.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from src.loader.layout import Style, Word
from src.loader.structure.gutters import best_gutter
from src.loader.structure.lines import Line, make_line, split_row
from src.records import FloatArray

Array = npt.NDArray[np.float64]

_MAX_DEPTH = 12
_MAX_RULES = 400
_NOTE = 0.93  # of the body's font size
_NARROW = 0.45  # of the text's width
_LEAST_TEXT = 4  # lines


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
    if stand_ins and any(word.start < 0 for word in row):
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


def side_notes(stretches: Sequence[Sequence[Line]], body: float) -> set[int]:
    """Which of ``stretches`` are notes in the margin: narrow, set smaller than the text (``body``, in points), and
    wholly beside it."""
    lines = [line for stretch in stretches for line in stretch if line.size > _NOTE * body and line.words]
    if len(lines) < _LEAST_TEXT:
        return set()
    x0 = float(np.percentile([line.x0 for line in lines], 10, method="lower"))
    x1 = float(np.percentile([line.x1 for line in lines], 90, method="higher"))
    notes = set()
    for place, stretch in enumerate(stretches):
        left, right = min(line.x0 for line in stretch), max(line.x1 for line in stretch)
        small = all(line.size < _NOTE * body and line.table < 0 for line in stretch)
        if small and right - left < _NARROW * (x1 - x0) and (right < x0 or left > x1):
            notes.add(place)
    return notes
