"""Borderless tables of words whose cells may wrap: schedules, terms and definitions, roles and duties, parameters.

A stretch of lines with stripes between them may as well be columns of prose, an index or a list. It is taken for a
table when its rows can be told (``cells``), hold cells in two columns or more, are named by short labels, and when
cells wrap or a header stands out: what neither wraps nor is headed is read right line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from src.loader.layout import Word
from src.loader.style import Style
from src.loader.tables.aligned import is_data
from src.loader.tables.cells import Line, group_lines, is_independent, make_lines, runs_over, shade_of
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import Lines, merged_lines
from src.loader.tables.header import title_over
from src.loader.tables.sections import DraftRow, with_sections
from src.loader.tables.segments import Row, is_value, segment_rows
from src.loader.tables.stripes import Stretch, Stripe, stretch_from
from src.records import FloatArray

MIN_ROWS = 3
LABEL_WORDS = 8  # of the first column, in the middle
PROSE_WORDS = 60  # of the fullest column, in the middle
BOTH_LONG = 14
FAR_OFF = 1.7  # of the distance between two rows
FILLED = 0.6  # of the cells
ALIGNED = 0.7  # of the lines of a column that begin, end or are centred at one place
HEADER_WORDS = 6
PROSE_LINE = 4.5  # words in a line of prose
NEAR = 12.0  # points by which a title may stand out at the side
MARKER = re.compile(
    r"(?:[•●○◦▪▫■□◆◇►▶‣⁃∙·–—\-*✓✔o\uf0b7\uf0a7]|[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.:)\]]+|\d{1,3}[:*]?)$"
)
COMMENT = re.compile(r"//|/\*|\(\*|#\s|;\s")


@dataclass(slots=True, eq=False)
class _Record:
    """A row of the table: the words of its cells by column, in reading order, and how many lines each has."""

    lines: list[Line]
    cells: dict[int, list[Word]]
    heights: dict[int, int]
    across: bool

    def text(self, column: int) -> str:
        return " ".join(word.text for word in self.cells.get(column, ()))


def worded_tables(words: Sequence[Word], rules: FloatArray, fills: FloatArray) -> list[FoundTable]:
    """Tables of words among ``words`` (one direction of reading, in its frame), from top to bottom."""
    rows = segment_rows(words)
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
    across = [stretch.first + i in stretch.across for i in range(len(chosen))]
    lines = make_lines(chosen, stretch.stripes, across)
    if any(line.row.leaders for line in lines):
        return None
    found = _found(words, lines, len(stretch.stripes) + 1, levels, fills)
    for left in (True, False):
        if found is not None or len(stretch.stripes) < 2:
            break
        rest = _without_side(lines, stretch.stripes, left)
        found = _found(words, rest, len(stretch.stripes), levels, fills) if len(rest) >= MIN_ROWS else None
    return found


def _heads_values(rows: Sequence[Row], stretch: Stretch) -> bool:
    """Whether values follow close under a stretch: its lines are their header."""
    last = rows[stretch.last]
    following = rows[stretch.last + 1 : stretch.last + 3]
    return any(
        row.baseline - last.baseline < 3 * row.size and is_data(row) and len(row.cells) > 1
        for row in following
    )


def _without_side(lines: Sequence[Line], stripes: Sequence[Stripe], left: bool) -> list[Line]:
    """The lines without those of their words that stand beside the first (or last) stripe, if these are prose."""
    side = 0 if left else len(stripes)
    beside = [line.cells[side] for line in lines if side in line.cells and not line.across]
    if len(beside) < MIN_ROWS or sum(map(len, beside)) < PROSE_LINE * len(beside):
        return []
    kept = [word for line in lines for place, cell in line.cells.items() if place != side for word in cell]
    chosen = stripes[1:] if left else stripes[:-1]
    rows = segment_rows(kept)
    return make_lines(rows, chosen, [False] * len(rows))


def _found(
    words: Sequence[Word], lines: Sequence[Line], count: int, levels: Lines, fills: FloatArray
) -> FoundTable | None:
    records = _trimmed([_record(group) for group in group_lines(lines, levels, fills)])
    header = _header_count(records, count, levels, fills) if len(records) >= MIN_ROWS else 0
    if not _is_table(records, header, count):
        return None
    columns = _names(records[:header], count)
    drafts = [_draft(record, place < header, count) for place, record in enumerate(records)]
    made = with_sections(drafts)
    x0, y0, x1 = _edges(records)
    over = [w for w in words if w.y1 <= y0 + 2 and x0 - NEAR < (w.x0 + w.x1) / 2 < x1 + NEAR]
    title, unit = title_over(segment_rows(over), y0, x1 - x0)
    return FoundTable(y0, title, unit, columns, tuple(made))


def _record(group: Sequence[Line]) -> _Record:
    cells: dict[int, list[Word]] = {}
    heights: dict[int, int] = {}
    for line in group:
        for column, words in line.cells.items():
            cells.setdefault(column, []).extend(words)
            heights[column] = heights.get(column, 0) + 1
    return _Record(list(group), cells, heights, group[0].across)


def _trimmed(records: list[_Record]) -> list[_Record]:
    """Records without what stands off at either end: a running header, a page number, a heading under the table."""
    kept = list(records)
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


def _edges(records: Sequence[_Record]) -> tuple[float, float, float]:
    rows = [line.row for record in records for line in record.lines]
    return min(row.x0 for row in rows), min(row.y0 for row in rows), max(row.x1 for row in rows)


def _header_count(records: Sequence[_Record], count: int, levels: Lines, fills: FloatArray) -> int:
    """1 when the first record heads the others: set apart by weight, shade or a drawn line, or by its few words."""
    first, body = records[0], [record for record in records[1:] if not record.across]
    if first.across or len(first.cells) < max(2, count - 1) or not body:
        return 0
    if any(len(words) > 2 * HEADER_WORDS for words in first.cells.values()):
        return 0
    if 0 in first.cells and MARKER.match(first.text(0)):
        return 0
    if any(is_value(words[0].text) and len(words) == 1 for words in first.cells.values()):
        return 0
    for style in (Style.BOLD, Style.ITALIC, Style.UNDERLINED):
        if _has_style(first, style) and _share_of_style(body, style) < 0.3:
            return 1
    x0, _, x1 = _edges(records)
    shades = [shade_of(record.lines[0], fills, x0, x1) for record in records]
    if shades[0] is not None and shades.count(None) >= 0.4 * len(shades) and shades[1] is None:
        return 1
    if _rule_under(first, levels, x0, x1) and not any(_rule_under(r, levels, x0, x1) for r in body[:-1]):
        return 1
    short = all(len(words) <= 3 for words in first.cells.values())
    long = any(median(len(r.cells.get(c, ())) for r in body) >= HEADER_WORDS for c in range(count))
    return int(short and long and len(first.cells) == count)


def _share_of_style(body: Sequence[_Record], style: int) -> float:
    """The share of the cells beside the first that are set in a style."""
    cells = [words for record in body for column, words in record.cells.items() if column]
    return sum(all(word.style & style for word in words) for words in cells) / max(1, len(cells))


def _has_style(record: _Record, style: int) -> bool:
    return all(line.has_style(style) for line in record.lines)


def _rule_under(record: _Record, levels: Lines, x0: float, x1: float) -> bool:
    row = record.lines[-1].row
    near = levels[
        (levels[:, 0] > row.baseline - 0.2 * row.size)
        & (levels[:, 0] < row.baseline + 1.6 * row.size)
        & (levels[:, 1] < x1)
        & (levels[:, 2] > x0)
    ]
    return bool((near[:, 2] - near[:, 1]).sum() > 0.5 * (x1 - x0))


def _is_table(records: Sequence[_Record], header: int, count: int) -> bool:
    """Whether the records are rows of a table of words, and not prose, a list, an index or what values align."""
    body = [record for record in records[header:] if not record.across]
    if len(body) < 2 or len(body) + header < MIN_ROWS:
        return False
    cells = [[record.cells[c] for record in body if c in record.cells] for c in range(count)]
    filled = sum(map(len, cells))
    headed = set(records[0].cells) if header else set[int]()
    cells = [column for place, column in enumerate(cells) if len(column) > 1 or place not in headed]
    if len(cells) < 2 or min(map(len, cells)) < 2 or filled < FILLED * len(cells) * len(body):
        return False
    if any(map(_is_stacked, cells)):
        return False
    if sum(len(record.cells) >= 2 for record in body) < 0.7 * len(body):
        return False
    wraps = sum(any(h > 1 for column, h in r.heights.items() if column) for r in body)
    if not wraps and (not header or any(map(_is_valued, cells))):
        return False
    lengths = [median(map(len, column)) for column in cells]
    if lengths[0] > LABEL_WORDS or max(lengths) > PROSE_WORDS or min(lengths) > BOTH_LONG:
        return False
    worded, valued = sum(map(_is_worded, cells[1:])), sum(map(_is_valued, cells[1:]))
    if not worded or (valued > worded and wraps < 0.25 * len(body)):
        return False
    groups = [record.lines for record in records]
    return (
        not _is_list(cells, header)
        and not _is_signed(body)
        and not is_independent(groups)
        and all(_is_column(records, column) for column in range(count))
        and not any(runs_over(groups, column) for column in range(count))
    )


def _is_worded(cells: Sequence[list[Word]]) -> bool:
    """Whether most cells of a column hold a word of three letters or more."""
    letters = sum(any(sum(map(str.isalpha, word.text)) > 2 for word in words) for words in cells)
    return letters >= 0.6 * len(cells)


def _is_valued(cells: Sequence[list[Word]]) -> bool:
    """Whether most cells of a column are values."""
    return sum(len(words) < 3 and is_value(words[-1].text) for words in cells) >= 0.6 * len(cells)


def _is_stacked(cells: Sequence[list[Word]]) -> bool:
    """Whether cells of a column hold several values: rows that were not told apart."""
    return sum(
        len(ws) > 1 and all(is_value(w.text) and w.text[-1].isdigit() for w in ws) for ws in cells
    ) > 0.2 * len(cells)


def _is_list(cells: Sequence[Sequence[list[Word]]], header: int) -> bool:
    """Whether the columns are marks and items of a list, lines and comments of a program, titles and page numbers."""
    first, last = cells[0], cells[-1]
    marks = sum(bool(MARKER.match(" ".join(word.text for word in words))) for words in first)
    code = sum(all(word.style & Style.MONO for word in words) for words in first)
    comments = sum(bool(COMMENT.match(words[0].text)) for words in last)
    if not header and (max(marks, code) >= 0.4 * len(first) or comments >= 0.4 * len(last)):
        return True
    if not header and len(cells) == 2 and not _is_worded(first):
        return True
    pages = [int(words[-1].text) for words in last if len(words) == 1 and words[-1].text.isdecimal()]
    rising = all(a <= b for a, b in pairwise(pages))
    return len(pages) >= max(3, 0.7 * len(last)) and rising


def _is_signed(body: Sequence[_Record]) -> bool:
    """Whether the records are lines to sign on, or authors and their addresses side by side."""
    for record in body:
        texts = [" ".join(word.text for word in words) for words in record.cells.values()]
        if any(text.startswith("/s/") for text in texts) or sum("@" in text for text in texts) > 1:
            return True
    return False


def _is_column(records: Sequence[_Record], column: int) -> bool:
    """Whether most lines of a column begin, end or are centred at one place."""
    lines = [line for r in records if not r.across for line in r.lines if column in line.cells]
    size = lines[0].row.size
    lefts = [line.cells[column][0].x0 for line in lines]
    rights = [line.cells[column][-1].x1 for line in lines]
    centres = [(a + b) / 2 for a, b in zip(lefts, rights, strict=True)]
    return any(_agree(places, size) >= ALIGNED * len(lines) for places in (lefts, rights, centres))


def _agree(places: Sequence[float], size: float) -> int:
    """How many of ``places`` lie within a font size of the commonest one."""
    return max(sum(abs(other - place) < 0.8 * size for other in places) for place in places)


def _names(header: Sequence[_Record], count: int) -> tuple[str, ...]:
    return tuple(" ".join(filter(None, (record.text(c) for record in header))) for c in range(count))


def _draft(record: _Record, header: bool, count: int) -> DraftRow:
    label = record.cells.get(0, ())
    row = record.lines[0].row
    first = label or record.lines[0].words
    return DraftRow(
        record.cells,
        row.x0 if not label else min(word.x0 for word in label),
        max(word.x1 for word in first),
        record.lines[-1].row.baseline,
        row.size,
        bool(label) and all(word.bold for word in label),
        header,
        {0: count} if record.across else {},
    )
