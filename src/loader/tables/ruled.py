"""Tables whose cells are drawn: words into the cells of a grid, lines of a cell in one piece, header rows told apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from src.loader.layout import Word
from src.loader.structure.lines import make_rows
from src.loader.tables.cells import shade_at
from src.loader.tables.fields import are_fields
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import Grid
from src.loader.tables.sections import DraftRow, with_sections
from src.loader.tables.segments import SIGN, YEAR, is_value
from src.records import FloatArray

MAX_HEADER = 6
NOTE_WORDS = 6
DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
GAP = 0.6  # font sizes; where no line is drawn, a gap at a column's edge parts two cells

Piece = tuple[int, int, list[Word]]  # first column, last column, words


@dataclass(slots=True, eq=False)
class _Line:
    """A printed line inside the grid: the row of the grid it belongs to and its pieces by column."""

    band: int
    pieces: list[Piece]

    @property
    def cells(self) -> dict[int, list[Word]]:
        return {first: words for first, _, words in self.pieces}

    @property
    def filled(self) -> set[int]:
        return {first for first, _, _ in self.pieces}


def ruled_table(grid: Grid, words: Sequence[Word], fills: FloatArray) -> FoundTable | None:
    """The table in ``grid`` with those of ``words`` that lie inside, ``fills`` being the shaded boxes of the page; None
    when it is a frame around text."""
    x0, y0, x1, y1 = grid.box
    inside = [
        w for w in words if x0 - 1 <= (w.x0 + w.x1) / 2 <= x1 + 1 and y0 - 1 <= (w.y0 + w.y1) / 2 <= y1 + 1
    ]
    if len(inside) < 4:
        return None
    lines = [_line(grid, row) for row in make_rows(inside)]
    rows = [row for band in _bands(lines) for row in _rows_of_band(band)]
    if not _is_table(rows, len(grid.xs) - 1):
        return None
    rows, count = _without_empty_columns(rows, len(grid.xs) - 1)
    bold, marked = _is_bold(rows), _is_marked(rows, fills)
    fields = are_fields([row.cells for row in rows], count, bold=bold, marked=marked)
    header = 0 if fields else _header_count(rows, count)
    if not header and not fields and (_is_numeric(rows) or _is_sparse(rows, count)):
        return None  # edges of shaded cells, whose header stands outside; or the axes and boxes of a drawing
    names = _names(rows[:header], count)
    kept = _without_notes(rows)
    drafts = [_draft(row, place < header) for place, row in enumerate(kept)]
    labels = _labels_beside(grid, kept, header)
    found = (
        replace(row, section=(*row.section, label)) if label else row
        for row, label in zip(with_sections(drafts), labels, strict=True)
    )
    return FoundTable(y0, "", "", names, tuple(found), ruled=True)


def _labels_beside(grid: Grid, rows: Sequence[_Line], header: int) -> list[str]:
    """For each row the label in the first column that it shares with other rows, "" where it has its own or none.

    The label's cell is drawn over all of its rows, wherever in it the words stand; where every cell is drawn and those
    under a label are empty, the label goes on.
    """
    labels = [""] * len(rows)
    spans = [_row_span(grid, row) for row in rows]
    for place, row in enumerate(rows):
        if place < header or not row.pieces[0][0] or len(row.pieces) < 2 or _all_values(row.pieces[0][2]):
            continue
        over = [i for i, (top, bottom) in enumerate(spans) if top <= row.band < bottom and bottom - top > 1]
        if not over and row.pieces[0][0] == 1:
            over = [i for i in range(header, place) if not rows[i].pieces[0][0]][-1:]
        if over and len(rows[over[0]].pieces) > 1:
            labels[place] = " ".join(w.text for w in rows[over[0]].pieces[0][2])
    return labels


def _row_span(grid: Grid, row: _Line) -> tuple[int, int]:
    """The rows [first, end) of the grid over which the cell of the row's label is drawn; none without a label."""
    first, _, words = row.pieces[0]
    if first:
        return 0, 0
    x, y = (words[0].x0 + words[-1].x1) / 2, (words[0].y0 + words[0].y1) / 2
    top, bottom = grid.level_above(x, y), grid.level_below(x, y)
    return _band(grid.ys, top + 1.5), _band(grid.ys, bottom - 1.5) + 1


def _draft(row: _Line, header: bool) -> DraftRow:
    first, _, words = row.pieces[0]
    right = max(w.x1 for w in words)
    bold = 2 * sum(w.bold for w in words) > len(words)  # a footnote mark may be set plain
    cells = {start: ws for start, _, ws in row.pieces}
    widths = {start: last - start + 1 for start, last, _ in row.pieces}
    return DraftRow(
        cells, words[0].x0, right, words[-1].baseline, words[0].size, bold and not first, header, widths
    )


def _without_notes(rows: Sequence[_Line]) -> list[_Line]:
    """Rows without the notes that stand inside the frame under the last values."""
    kept = list(rows)
    while len(kept) > 2 and len(kept[-1].pieces) == 1 and len(kept[-1].pieces[0][2]) > NOTE_WORDS:
        kept.pop()
    return kept


def _line(grid: Grid, row: Sequence[Word]) -> _Line:
    pieces: list[list[Word]] = []
    y = median((w.y0 + w.y1) / 2 for w in row)
    for word in row:
        if pieces and not _parted(grid, pieces[-1][-1], word, y):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    placed = [(*_columns(grid, piece), piece) for piece in pieces]
    placed = [_widened(grid, piece, placed) for piece in placed]
    top = max(grid.level_above((ws[0].x0 + ws[-1].x1) / 2, (ws[0].y0 + ws[0].y1) / 2) for _, _, ws in placed)
    return _Line(_band(grid.ys, top + 1.5), placed)


def _widened(grid: Grid, piece: Piece, pieces: Sequence[Piece]) -> Piece:
    """Words alone in the middle of a drawn cell over several columns belong to all of them."""
    first, last, words = piece
    x = (words[0].x0 + words[-1].x1) / 2
    left, right = grid.span_at(x, (words[0].y0 + words[0].y1) / 2)
    merged = left < right and grid.is_merged(left, right, (words[0].y0 + words[0].y1) / 2)
    years = all(YEAR.fullmatch(w.text) for w in words)
    if left == right or (all(is_value(w.text) for w in words) and not (years and merged)):
        return piece
    if any(left <= other[0] <= right for other in pieces if other is not piece):
        return piece
    if merged and (first == left or years):
        return left, right, words
    centred = abs((grid.xs[left] + grid.xs[right + 1]) / 2 - x) < 2 * words[0].size
    return (
        (min(first, left), max(last, right), words)
        if centred or (left, right) == (0, len(grid.xs) - 2)
        else piece
    )


def _parted(grid: Grid, last: Word, word: Word, y: float) -> bool:
    middle = (last.x1 + word.x0) / 2
    edges = [edge for edge in grid.xs[1:-1] if last.x1 - 2 <= edge <= word.x0 + 2]
    if any(grid.upright_at(edge, y) for edge in edges):
        return True
    size = max(last.size, word.size)
    if edges and word.x0 - last.x1 > (0.3 if is_value(last.text) and is_value(word.text) else GAP) * size:
        return True
    return word.x0 - last.x1 > 3 * size and _band(grid.xs, middle) != _band(grid.xs, word.x0)


def _columns(grid: Grid, piece: Sequence[Word]) -> tuple[int, int]:
    """[first, last] columns that a piece covers with its text."""
    first, last = _band(grid.xs, piece[0].x0 + 2), _band(grid.xs, piece[-1].x1 - 2)
    if first != last:
        # text that runs a little over the edge of its cell stays in it
        center = _band(grid.xs, (piece[0].x0 + piece[-1].x1) / 2)
        wide = piece[-1].x1 - piece[0].x0
        if center == first and piece[-1].x1 - grid.xs[first + 1] < 0.25 * wide:
            last = first
        elif center == last and grid.xs[last] - piece[0].x0 < 0.25 * wide:
            first = last
    return first, max(first, last)


def _band(edges: Sequence[float], place: float) -> int:
    return min(max(bisect_right(edges, place) - 1, 0), len(edges) - 2)


def _bands(lines: Sequence[_Line]) -> list[list[_Line]]:
    bands: list[list[_Line]] = []
    for line in sorted(lines, key=lambda item: item.band):
        if bands and bands[-1][0].band == line.band:
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _rows_of_band(band: Sequence[_Line]) -> list[_Line]:
    """One row of a drawn row, or several when its lines are records of their own (only every fifth line is ruled)."""
    fullest = max(len(line.filled) for line in band)
    full = [line for line in band if len(line.filled) >= max(2, 0.6 * fullest)]
    if _has_levels(band):
        return list(band)
    if len(full) < 2 or len(full) < 0.7 * len(band) or not _are_records(full):
        return [_joined(band)]
    rows: list[_Line] = []
    for line in band:
        if line in full or not rows:
            rows.append(_Line(line.band, list(line.pieces)))
        else:
            rows[-1] = _joined([rows[-1], line])
    return rows


def _has_levels(band: Sequence[_Line]) -> bool:
    """Whether a line heads, with words over several columns, the words of the line below it."""
    return len(band) == 2 and any(
        last > first and sum(first <= f <= last for f, _, _ in band[1].pieces) >= 2
        for first, last, _ in band[0].pieces
    )


def _are_records(lines: Sequence[_Line]) -> bool:
    """Lines with values in the same columns are records; lines of words are a wrapped cell more often."""
    shared = set.intersection(*(line.filled for line in lines))
    values = sum(
        any(first in shared and all(is_value(w.text) for w in ws) for first, _, ws in line.pieces)
        for line in lines
    )
    return values >= 0.6 * len(lines)


def _joined(lines: Sequence[_Line]) -> _Line:
    cells: dict[int, Piece] = {}
    for line in lines:
        for first, last, words in line.pieces:
            if first in cells:
                cells[first] = (first, max(last, cells[first][1]), cells[first][2] + words)
            else:
                cells[first] = (first, last, list(words))
    return _Line(lines[0].band, [cells[key] for key in sorted(cells)])


def _is_table(rows: Sequence[_Line], columns: int) -> bool:
    """Cells filled in at least two columns and two rows; long text in most cells is a page laid out with boxes."""
    if len(rows) < 2 or columns < 2:
        return False
    wide = [row for row in rows if len(row.filled) >= 2]
    if len(wide) < 2:
        return False
    lengths = [len(words) for row in wide for _, _, words in row.pieces]
    return median(lengths) <= 40


def _without_empty_columns(rows: Sequence[_Line], count: int) -> tuple[list[_Line], int]:
    """Rows numbered by the columns that hold text, and how many those are."""
    used = sorted({first for row in rows for first, _, _ in row.pieces})
    place = {column: i for i, column in enumerate(used)}
    made = []
    for row in rows:
        pieces = []
        for first, last, words in row.pieces:
            covered = [place[c] for c in range(first, min(last, count - 1) + 1) if c in place]
            pieces.append((covered[0], covered[-1], words))
        made.append(_Line(row.band, pieces))
    return made, len(used)


def _header_count(rows: Sequence[_Line], columns: int) -> int:
    """How many of the first rows are headers: words over values, or bold over plain."""
    count = 0
    for place, row in enumerate(rows[: min(MAX_HEADER, len(rows) - 1)]):
        words = [w for _, _, ws in row.pieces for w in ws]
        if not _is_title(row, columns) and not _heads(row, rows[place + 1 :]):
            break
        count += 1
        spans = any(last > first for first, last, _ in row.pieces) or len(row.pieces) == 1
        bold_next = all(w.bold for _, _, ws in rows[place + 1].pieces for w in ws)
        if not spans and not (bold_next and all(w.bold for w in words)):
            break
    headed = any(len(row.pieces) >= 2 for row in rows[:count])
    return count if headed and count < len(rows) else 0


def _is_bold(rows: Sequence[_Line]) -> bool:
    """Whether the first row is set bold over a plain one."""
    return [all(w.bold for _, _, ws in row.pieces for w in ws) for row in rows[:2]] == [True, False]


def _is_marked(rows: Sequence[_Line], fills: FloatArray) -> bool:
    """Whether a shade lies behind the first row and not behind the next ones."""
    last = [row.pieces[-1][2][0] for row in rows[:3]]
    shades = [shade_at(fills, w.x0, w.x1, (w.y0 + w.y1) / 2, w.size) for w in last]
    return shades[0] is not None and shades[0] not in shades[1:] and shades[-1] is None


def _is_title(row: _Line, columns: int) -> bool:
    """Whether a row is one text over more than half of the columns."""
    first, last, _ = row.pieces[0]
    return len(row.pieces) == 1 and not first and columns > 2 and last + 1 > columns / 2


def _is_numeric(rows: Sequence[_Line]) -> bool:
    """Whether most cells beside the first column are values."""
    cells = [words for row in rows for first, _, words in row.pieces if first]
    return sum(_all_values(words) for words in cells) >= 0.5 * len(cells)


def _is_sparse(rows: Sequence[_Line], columns: int) -> bool:
    """Whether many cells are empty, as few are in a table of two rows and at most half in a longer one."""
    filled = sum(len(row.filled) for row in rows) / (len(rows) * columns)
    return filled < (0.8 if len(rows) < 3 else 0.5)


def _all_values(words: Sequence[Word]) -> bool:
    return all(is_value(word.text) or SIGN.fullmatch(word.text) for word in words)


def _heads(row: _Line, below: Sequence[_Line]) -> bool:
    """Whether a row heads those below it: bold over plain, words over values, short words over long text."""
    values = sum(_all_values(ws) or _is_date(ws) for _, _, ws in row.pieces)
    if values > 0.4 * len(row.pieces):
        named = row.pieces[1:] if not row.pieces[0][0] else row.pieces
        years = all(len(ws) == 1 and YEAR.fullmatch(ws[0].text) for _, _, ws in named)
        return years and len(row.pieces) > 1
    bold = all(w.bold for _, _, ws in row.pieces for w in ws)
    if bold and any(not w.bold for other in below for _, _, ws in other.pieces for w in ws):
        return True
    if values:
        return False
    headed = sum(
        any(
            first == f and (_all_values(ws) or _is_date(ws))
            for other in below[:8]
            for f, _, ws in other.pieces
        )
        for first, _, _ in row.pieces
    )
    if headed:
        return True
    mine = [len(w.text) for _, _, ws in row.pieces for w in ws]
    longest = max(sum(len(w.text) for w in ws) for other in below for _, _, ws in other.pieces)
    return len(below) >= 2 and len(row.pieces) >= 2 and sum(mine) / len(row.pieces) < longest


def _is_date(words: Sequence[Word]) -> bool:
    return len(words) == 1 and bool(DATE.fullmatch(words[0].text))


def _names(header: Sequence[_Line], count: int) -> tuple[str, ...]:
    """One text a column: a header in a wide drawn cell stands over all columns of the cell."""
    stacks: list[list[str]] = [[] for _ in range(count)]
    for row in header:
        for first, last, words in row.pieces:
            text = " ".join(w.text for w in words)
            covered = range(first, last + 1)
            if len(row.pieces) == 1 and not first and len(covered) > count / 2 and count > 2:
                continue  # a title over the whole table
            for i in covered:
                if not stacks[i] or stacks[i][-1] != text:
                    stacks[i].append(text)
    return tuple(" / ".join(stack) for stack in stacks)
