"""Rows of a table of words while it is judged: their cells, and which of them head the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from src.loader.layout import Word
from src.loader.style import Style
from src.loader.tables.aligned import Column
from src.loader.tables.cells import Line, group_lines, shade_of
from src.loader.tables.fields import are_fields
from src.loader.tables.grid import Lines
from src.loader.tables.segments import Row, is_value
from src.records import FloatArray

MIN_ROWS = 3
HEADER_WORDS = 6
HEADER_LINES = 4
HEADER_PITCH = 2.0  # font sizes between two lines of a header
FAR_OFF = 1.7  # of the distance between two rows
MARKER = re.compile(
    r"(?:[•●○◦▪▫■□◆◇►▶‣⁃∙·–—\-*✓✔o\uf0b7\uf0a7]|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.:)\]]+|\d{1,3}[:*]?)$"
)


@dataclass(slots=True, eq=False)
class Entry:
    """A row of the table: the words of its cells by column, in reading order, and how many lines each has."""

    lines: list[Line]
    cells: dict[int, list[Word]]
    heights: dict[int, int]
    across: bool

    def text(self, column: int) -> str:
        return " ".join(word.text for word in self.cells.get(column, ()))


def make_entries(lines: Sequence[Line], levels: Lines, fills: FloatArray) -> list[Entry]:
    """The rows of ``lines``, without what stands off at either end: a running header, a page number, a heading."""
    return _trimmed([_entry(group) for group in group_lines(lines, levels, fills)])


def _entry(group: Sequence[Line]) -> Entry:
    cells: dict[int, list[Word]] = {}
    heights: dict[int, int] = {}
    for line in group:
        for column, words in line.cells.items():
            cells.setdefault(column, []).extend(words)
            heights[column] = heights.get(column, 0) + 1
    return Entry(list(group), cells, heights, group[0].across)


def _trimmed(entries: list[Entry]) -> list[Entry]:
    """Entries without what stands off at either end: a running header, a page number, a heading under the table."""
    kept = list(entries)
    while kept and (kept[-1].across or set(kept[-1].cells) == {0}):
        kept.pop()
    if len(kept) < MIN_ROWS:
        return kept
    steps = [b.lines[0].row.baseline - a.lines[-1].row.baseline for a, b in pairwise(kept)]
    off = FAR_OFF * median(steps)
    if len(kept[-1].cells) == 1 and steps[-1] > off:
        kept.pop()
    if steps[0] > off and steps[0] > 2 * kept[0].lines[0].row.size:
        kept.pop(0)
    return kept


def edges_of(entries: Sequence[Entry]) -> tuple[float, float, float]:
    rows = [line.row for entry in entries for line in entry.lines]
    return min(row.x0 for row in rows), min(row.y0 for row in rows), max(row.x1 for row in rows)


def header_count(entries: Sequence[Entry], count: int, levels: Lines, fills: FloatArray) -> int:
    """1 when the first entry heads the others: set apart by weight, shade or a drawn line, or by its few words."""
    first, body = entries[0], [entry for entry in entries[1:] if not entry.across]
    if first.across or len(first.cells) < max(2, count - 1) or not body:
        return 0
    if any(len(words) > 2 * HEADER_WORDS for words in first.cells.values()):
        return 0
    if any(sum(map(str.isalpha, first.text(column))) < 2 for column in first.cells):
        return 0
    if 0 in first.cells and MARKER.match(first.text(0)):
        return 0
    if any(is_value(words[0].text) and len(words) == 1 for words in first.cells.values()):
        return 0
    x0, _, x1 = edges_of(entries)
    shades = [shade_of(entry.lines[0], fills, x0, x1) for entry in entries]
    shaded = shades[0] is not None and shades.count(None) >= 0.4 * len(shades) and shades[1] is None
    bold = any(
        _has_style(first, style) and _share_of_style(body, style) < 0.3
        for style in (Style.BOLD, Style.ITALIC, Style.UNDERLINED)
    )
    ruled = _rule_under(first, levels, x0, x1) and not any(_rule_under(r, levels, x0, x1) for r in body[:-1])
    cells = [first.cells, *(entry.cells for entry in body)]
    if are_fields(cells, count, bold=bold, marked=shaded or ruled):
        return 0
    if bold or shaded or ruled:
        return 1
    short = all(len(words) <= 3 for words in first.cells.values())
    long = any(median(len(r.cells.get(c, ())) for r in body) >= HEADER_WORDS for c in range(count))
    return int(short and long and len(first.cells) == count)


def _share_of_style(body: Sequence[Entry], style: int) -> float:
    """The share of the cells beside the first that are set in a style."""
    cells = [words for entry in body for column, words in entry.cells.items() if column]
    return sum(all(word.style & style for word in words) for words in cells) / max(1, len(cells))


def _has_style(entry: Entry, style: int) -> bool:
    return all(line.has_style(style) for line in entry.lines)


def _rule_under(entry: Entry, levels: Lines, x0: float, x1: float) -> bool:
    row = entry.lines[-1].row
    near = levels[
        (levels[:, 0] > row.baseline - 0.2 * row.size)
        & (levels[:, 0] < row.baseline + 1.6 * row.size)
        & (levels[:, 1] < x1)
        & (levels[:, 2] > x0)
    ]
    return bool((near[:, 2] - near[:, 1]).sum() > 0.5 * (x1 - x0))


def upper_lines(
    over: Sequence[Row], entries: Sequence[Entry], header: int, columns: Sequence[Column]
) -> list[Row]:
    """Those of the lines ``over`` a table that belong to its header: heads of several columns, set as the header is, or
    all of it, bold over plain."""
    chosen: list[Row] = []
    below = entries[0].lines[0].row
    if not header and entries[0].lines[0].has_style(Style.BOLD):
        return []
    bold = all(line.has_style(Style.BOLD) for line in entries[0].lines) if header else True
    for row in reversed(over):
        if len(chosen) == HEADER_LINES or below.baseline - row.baseline > HEADER_PITCH * max(
            row.size, below.size
        ):
            break
        if any(len(segment.words) > HEADER_WORDS for segment in row.segments):
            break
        if all(word.bold for segment in row.segments for word in segment.words) != bold:
            break
        if len(row.segments) == 1 and not (row.x0 > columns[0].x1 and row.x1 < columns[-1].x1 + row.size):
            break
        chosen.insert(0, row)
        below = row
    headed = header or any(len(row.segments) >= max(2, len(columns) - 1) for row in chosen)
    return chosen if headed else []
