"""Whether rows told from a stretch of lines are a table of words: not prose, a list, an index or what values align."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from src.loader.layout import Word
from src.loader.style import Style
from src.loader.tables.cells import Line, runs_over
from src.loader.tables.entries import MARKER, MIN_ROWS, Entry
from src.loader.tables.segments import SIGN, is_value

LABEL_WORDS = 8  # of the first column, in the middle
PROSE_WORDS = 60  # of the fullest column, in the middle
BOTH_LONG = 14
WIDE = 1.6  # font sizes
RAGGED = 0.3  # of the rows
NAME_PITCH = 1.5  # font sizes between a name and what stands under it
ALIGNED = 0.7  # of the lines of a column that begin, end or are centred at one place
FILLED = 0.6  # of the cells
PAGE = re.compile(r"p(?:age|\.|g)|seite|s\.", re.IGNORECASE)
COMMENT = re.compile(r"//|/\*|\(\*|#\s|;\s")


def is_table(entries: Sequence[Entry], header: int, count: int) -> bool:
    """Whether the entries are rows of a table of words, and not prose, a list, an index or what values align."""
    body = [entry for entry in entries[header:] if not entry.across]
    if len(body) < 2 or len(body) + header < MIN_ROWS:
        return False
    cells = [[entry.cells[c] for entry in body if c in entry.cells] for c in range(count)]
    filled = sum(map(len, cells))
    headed = set(entries[0].cells) if header else set[int]()
    cells = [column for place, column in enumerate(cells) if len(column) > 1 or place not in headed]
    if len(cells) < 2 or min(map(len, cells)) < 2 or filled < FILLED * len(cells) * len(body):
        return False
    if any(map(_is_stacked, cells)):
        return False
    if sum(len(entry.cells) >= 2 for entry in body) < 0.7 * len(body):
        return False
    wraps = sum(any(h > 1 for column, h in r.heights.items() if column) for r in body)
    if wraps < 2 and not header:
        return False
    lengths = [median(map(len, column)) for column in cells]
    if lengths[0] > LABEL_WORDS or max(lengths) > PROSE_WORDS or min(lengths) > BOTH_LONG:
        return False
    worded, valued = sum(map(_is_worded, cells[1:])), sum(map(is_valued, cells[1:]))
    if not worded or (
        valued > (2 * worded if header else worded) or (valued and any(map(_are_signs, cells)))
    ):
        return False
    groups = [entry.lines for entry in entries]
    if _are_names(groups, count):
        return False
    return (
        not _is_list(cells, header, entries[0].text(count - 1))
        and not any(map(_is_cut, cells))
        and not _is_signed(body)
        and sum(map(_is_ragged, body)) <= RAGGED * len(body)
        and all(_is_column(entries, column) for column in range(count))
        and not any(
            runs_over(groups, column) or (not header and _is_split(groups, column)) for column in range(count)
        )
    )


def _is_ragged(entry: Entry) -> bool:
    """Whether two cells of a row agree neither in their first line nor in their last nor in their middle: lists side
    by side, whose entries begin at heights of their own."""
    edges = []
    for column in entry.cells:
        heights = [line.row.baseline / line.row.size for line in entry.lines if column in line.cells]
        edges.append((heights[0], heights[-1], (heights[0] + heights[-1]) / 2))
    return any(min(abs(a - b) for a, b in zip(edges[0], other, strict=True)) > 0.35 for other in edges[1:])


def _is_cut(cells: Sequence[list[Word]]) -> bool:
    """Whether many cells of a column end in the middle of a phrase: lines that were taken for rows."""
    return sum(words[-1].text.endswith((",", "-")) and len(words) > 1 for words in cells) > max(
        1, 0.15 * len(cells)
    )


def _is_split(groups: Sequence[Sequence[Line]], column: int) -> bool:
    """Whether wide gaps stand inside the cells of a column: columns that were not told apart."""
    lines = [line for group in groups for line in group if column in line.cells and not line.across]
    wide = 0
    for line in lines:
        words = [
            word
            for word in line.cells[column]
            if not MARKER.match(word.text) and not SIGN.fullmatch(word.text)
        ]
        wide += any(b.x0 - a.x1 > WIDE * line.row.size for a, b in pairwise(words))
    return wide > 0.15 * len(lines)


def _are_names(groups: Sequence[Sequence[Line]], count: int) -> bool:
    """Whether lines set bold alternate with plain ones in two columns or more: names over what their bearers do, in
    lists side by side."""
    lists = 0
    for column in range(count):
        lines = [line for group in groups for line in group if column in line.cells]
        bold = [all(word.bold for word in line.cells[column]) for line in lines]
        close = [b.row.baseline - a.row.baseline < NAME_PITCH * a.row.size for a, b in pairwise(lines)]
        falls = sum(a and not b and c for (a, b), c in zip(pairwise(bold), close, strict=True))
        falls -= len(bold) > 1 and bold[0] and not bold[1]  # a header over the first row
        lists += falls >= max(1, 0.15 * len(lines))
    return lists >= 2


def _is_worded(cells: Sequence[list[Word]]) -> bool:
    """Whether most cells of a column hold a word of three letters or more."""
    letters = sum(any(sum(map(str.isalpha, word.text)) > 2 for word in words) for words in cells)
    return letters >= 0.6 * len(cells)


def is_valued(cells: Sequence[list[Word]]) -> bool:
    """Whether most cells of a column are values."""
    values = (all(is_value(w.text) or SIGN.fullmatch(w.text) for w in words) for words in cells)
    return sum(values) >= 0.6 * len(cells)


def _are_signs(cells: Sequence[list[Word]]) -> bool:
    """Whether currency signs stand in a column of their own, beside values."""
    return any(len(words) == 1 and SIGN.fullmatch(words[0].text) for words in cells)


def _is_stacked(cells: Sequence[list[Word]]) -> bool:
    """Whether cells of a column hold several values: rows or columns that were not told apart."""
    stacked = 0
    for words in cells:
        numbers = [word for word in words if not SIGN.fullmatch(word.text)]
        apart = any(
            b.x0 - a.x1 > 0.8 * a.size or abs(b.baseline - a.baseline) > 0.3 * a.size
            for a, b in pairwise(numbers)
        )
        stacked += (
            apart
            and all(is_value(word.text) for word in numbers)
            and any(map(str.isdigit, "".join(word.text for word in numbers)))
        )
    return stacked > 0.2 * len(cells)


def _is_list(cells: Sequence[Sequence[list[Word]]], header: int, headed: str) -> bool:
    """Whether the columns are marks and items of a list, lines and comments of a program, titles and page numbers."""
    first, last = cells[0], cells[-1]
    marks = sum(bool(MARKER.match(" ".join(word.text for word in words))) for words in first)
    code = sum(all(word.style & Style.MONO for word in words) for words in first)
    comments = sum(bool(COMMENT.match(words[0].text)) for words in last)
    if not header and (max(marks, code) >= 0.4 * len(first) or comments >= 0.4 * len(last)):
        return True
    if not header and len(cells) == 2 and not _is_worded(first):
        return True
    if header and not PAGE.match(headed):
        return False
    pages = [int(words[-1].text) for words in last if len(words) == 1 and words[-1].text.isdecimal()]
    rising = all(a <= b for a, b in pairwise(pages))
    return len(pages) >= max(3, 0.7 * len(last)) and rising


def _is_signed(body: Sequence[Entry]) -> bool:
    """Whether the entries are lines to sign on, or authors and their addresses side by side."""
    for entry in body:
        texts = [" ".join(word.text for word in words) for words in entry.cells.values()]
        if any(text.startswith("/s/") for text in texts) or sum("@" in text for text in texts) > 1:
            return True
    return False


def _is_column(entries: Sequence[Entry], column: int) -> bool:
    """Whether most lines of a column begin, end or are centred at one place."""
    lines = [line for r in entries if not r.across for line in r.lines if column in line.cells]
    size = lines[0].row.size
    lefts = [line.cells[column][0].x0 for line in lines]
    rights = [line.cells[column][-1].x1 for line in lines]
    centres = [(a + b) / 2 for a, b in zip(lefts, rights, strict=True)]
    return any(_agree(places, size) >= ALIGNED * len(lines) for places in (lefts, rights, centres))


def _agree(places: Sequence[float], size: float) -> int:
    """How many of ``places`` lie within a font size of the commonest one."""
    return max(sum(abs(other - place) < 0.8 * size for other in places) for place in places)
