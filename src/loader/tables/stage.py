"""Tables of a page: which words stand in which row and column, under which headers.

Words and drawn lines are all that is looked at, so that a table is found alike in a PDF's own text and in a scan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from src.loader.layout import (
    PageLayout,
    RegionCell,
    RegionRow,
    TableRegion,
    Word,
    reading_frame,
    words_in_frame,
)
from src.loader.tables.aligned import find_runs, is_data
from src.loader.tables.beside import tables_beside
from src.loader.tables.body import build_table
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import find_grids, merged_lines
from src.loader.tables.header import caption
from src.loader.tables.prose import without_prose
from src.loader.tables.ruled import ruled_table
from src.loader.tables.segments import Row, segment_rows, with_centred_values
from src.loader.tables.stacked import stacked_fields
from src.loader.tables.worded import worded_tables
from src.records import FloatArray

NEAR = 12.0  # points by which a title may stand out at the side
MIN_RULES = 5  # fewer lines make no grid of two rows and two columns


def find_tables(layout: PageLayout) -> tuple[TableRegion, ...]:
    """Tables of a page, from top to bottom."""
    words = _own_words(layout)
    turns = Counter(word.turn for word in words)
    if not turns:
        return ()
    turn = turns.most_common(1)[0][0]
    if turn % 90:
        return ()
    chosen = words_in_frame([word for word in words if word.turn == turn], turn)
    rules, fills = (reading_frame(boxes, turn) if turn else boxes for boxes in (layout.rules, layout.fills))
    index = {int(start): place for place, start in enumerate(layout.spans[:, 0])}
    return tuple(_region(layout, table, index) for table in tables_of(chosen, rules, fills))


def _own_words(layout: PageLayout) -> list[Word]:
    """Words that may stand in a table: on a digital page those of its text layer, for the labels that OCR finds in a
    chart stand in rows and columns too."""
    words = layout.words()
    own = [word for word in words if not word.from_ocr]
    return own if 2 * len(own) > len(words) else words


def tables_of(words: Sequence[Word], rules: FloatArray, fills: FloatArray) -> list[FoundTable]:
    """Tables among ``words`` (one direction of reading, in its frame), from top to bottom; ``rules`` and ``fills`` are
    the lines and shaded boxes of the page, in the same frame."""
    tables: list[FoundTable] = []
    for grid in find_grids(rules, fills) if len(rules) >= MIN_RULES else ():
        table = ruled_table(grid, words, fills)
        if table is not None:
            left, top, right, _ = grid.box
            over = _over(words, left - NEAR, right + NEAR, top + 2)
            title, unit = caption(segment_rows(over), table, grid.box)
            tables.append(replace(table, title=title, unit=unit))
            words = _without(words, table)
    rows = segment_rows(words)
    stacked = stacked_fields(rows)
    words, rows = _left(words, rows, stacked)
    worded = worded_tables(words, rows, rules, fills)
    words, rows = _left(words, rows, worded)
    beside = tables_beside(rows)
    words, rows = _left(words, rows, beside)
    tables += [*stacked, *worded, *beside, *_aligned(words, rows, rules)]
    return sorted(tables, key=lambda table: table.y0)


def _over(words: Sequence[Word], left: float, right: float, bottom: float) -> list[Word]:
    """The words above ``bottom`` that may be the title of what stands between ``left`` and ``right``: in the segments whose
    middle lies there, and those that reach there and are alone in their line."""
    return [
        word
        for row in segment_rows([w for w in words if w.y1 <= bottom])
        for segment in row.segments
        if left < (segment.x0 + segment.x1) / 2 < right
        or (len(row.segments) == 1 and segment.x0 < right and segment.x1 > left)
        for word in segment.words
    ]


def _left(
    words: Sequence[Word], rows: list[Row], found: Sequence[FoundTable]
) -> tuple[Sequence[Word], list[Row]]:
    """The words that the tables ``found`` leave, and their rows."""
    for table in found:
        words = _without(words, table)
    return words, segment_rows(words) if found else rows


def _without(words: Sequence[Word], table: FoundTable) -> list[Word]:
    held = {word.start for row in table.rows for cell in row.cells for word in cell.words}
    held |= {word.start for word in table.dropped}
    return [word for word in words if word.start not in held]


def _aligned(words: Sequence[Word], rows: list[Row], rules: FloatArray) -> list[FoundTable]:
    if not any(is_data(row) for row in rows):
        return []
    rows = with_centred_values(segment_rows(without_prose(words, with_centred_values(rows))))
    levels, _ = merged_lines(rules)
    tables: list[FoundTable] = []
    floor = 0
    for run in find_runs(rows):
        table, first = build_table(rows, run, levels, floor)
        if tables and not table.title and first - floor <= 1:  # the second half of one table, headed anew
            table = replace(table, title=tables[-1].title, unit=table.unit or tables[-1].unit)
        tables.append(table)
        floor = run.last + 1
    return tables


def _region(layout: PageLayout, table: FoundTable, index: dict[int, int]) -> TableRegion:
    rows = tuple(
        RegionRow(
            tuple(RegionCell(tuple(index[w.start] for w in c.words), c.column, c.width) for c in row.cells),
            row.header,
            row.section,
        )
        for row in table.rows
    )
    places = layout.places[[place for row in rows for cell in row.cells for place in cell.words]]
    x0, y0 = places[:, :2].min(axis=0).tolist()
    x1, y1 = places[:, 2:4].max(axis=0).tolist()
    dropped = tuple(index[word.start] for word in table.dropped)
    return TableRegion(x0, y0, x1, y1, rows, table.title, table.unit, table.columns, table.ruled, dropped)
