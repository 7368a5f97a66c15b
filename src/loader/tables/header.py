"""What stands over a borderless table: its header rows, title and unit."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.loader.tables.aligned import LONG_WORDS, Column, Run, column_of, is_prose
from src.loader.tables.found import FoundTable
from src.loader.tables.grid import Lines
from src.loader.tables.segments import FOOTNOTE, Row, Segment

HEADER_PITCH = 3.4  # font sizes between two rows of a header
TITLE_PITCH = 3.2
MAX_SECTIONS = 4  # label rows ("Assets", "Current assets:") between the header and the first values
MAX_TITLE = 5
_PIECE_GAP = 3.0  # points

_SCALE = (
    r"thousands?|millions?|billions?|trillions?|percent|per cent|tausend|mio\.?|mrd\.?|tsd\.?|milliers|milliards|"
    r"miles|millones|tis\.?|tisících|mil\.?|milionech|[TtKk]EUR|shares"
)
_LEAD = r"in|\$|€|£|¥|dollars?|amounts?|figures?|euros?|en|v|values?|all|usd|eur"
_BRACKETED_UNIT = re.compile(rf"\(([^()]*\b(?:{_SCALE})(?!\w)[^()]*)\)", re.IGNORECASE)
_PLAIN_UNIT = re.compile(
    rf"(?<!\w)(?:{_LEAD})(?!\w)[^()]{{0,60}}\b(?:{_SCALE})(?!\w)[^()]{{0,60}}", re.IGNORECASE
)
_COUNTED_UNIT = re.compile(r"\b(?:thousands|millions|billions|trillions) of \w+.{0,40}", re.IGNORECASE)
CAPTION = re.compile(r"(?:Table|Tab\.|Tabelle|Tableau|Exhibit|Figure|Fig\.)\s*[A-Z]?[\d.]*\d", re.IGNORECASE)
_PLAIN_LENGTH = 90
ONLY_UNIT = re.compile(
    rf"\W*(?:(?:un)?audited|(?:{_LEAD})\b.*|\$ +(?:and|in)\b.*|%|[(].*[)])\W*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Heading:
    """Rows [first, body) of the page are the header; ``names`` has one header text a value column."""

    first: int
    body: int
    names: tuple[str, ...]
    label: str
    title: str
    unit: str


def read_heading(rows: Sequence[Row], run: Run, left: float, levels: Lines, floor: int) -> Heading:
    """The header over ``run``, whose label column begins at ``left``; rows before ``floor`` belong to others."""
    header, first, body = _header_rows(rows, run, left, floor)
    names = _names([rows[i] for i in header], run.columns, levels)
    label = " ".join(
        s.text for i in header for s in rows[i].segments if not over_columns(s, run.columns, rows[i].size)
    )
    title, unit = _title(rows, first, floor, run.columns[-1].x1 - left)
    units = (find_unit(s.text) for i in header for s in rows[i].segments)
    unit = next((u for u in units if u), unit)
    return Heading(first, body, names, "" if ONLY_UNIT.fullmatch(label) else label, title, unit)


def find_unit(text: str) -> str:
    """What a text says of the unit of a table's values, "" when nothing."""
    if match := _BRACKETED_UNIT.search(text):
        return match.group(1).strip(" ,;:")
    if match := _COUNTED_UNIT.search(text):
        return match.group(0).strip(" ,;:()")
    if len(text) <= _PLAIN_LENGTH and (match := _PLAIN_UNIT.search(text)):
        return match.group(0).strip(" ,;:")
    return ""


def _is_unit(segment: Segment) -> bool:
    """ "(in millions)" among the headers of the columns."""
    text = segment.text
    return text.startswith("(") and text.endswith(")") and bool(find_unit(text))


def _header_rows(rows: Sequence[Row], run: Run, left: float, floor: int) -> tuple[list[int], int, int]:
    """Places of the header rows, the first row of header or sections, and the first row of the body."""
    header: list[int] = []
    body = first = run.first
    labels = 0
    right = run.columns[-1].x1
    for place in range(run.first - 1, floor - 1, -1):
        row, below = rows[place], rows[place + 1]
        if below.baseline - row.baseline > HEADER_PITCH * max(row.size, below.size) or _is_text(
            row, run.columns
        ):
            break
        over = [s for s in row.segments if over_columns(s, run.columns, row.size)]
        if row.x0 > right or (
            len(row.segments) == 1 and over and _is_centered_title(over[0], run.columns, left, right, row)
        ):
            break
        if over:
            header.insert(0, place)
            first = place
        elif header:
            if not (ONLY_UNIT.fullmatch(row.text) or _is_between(rows, place, floor)):
                break
            header.insert(0, place)
            first = place
        else:
            labels += 1
            if labels > MAX_SECTIONS:
                break
        if not header:
            continue
    body = header[-1] + 1 if header else run.first
    if not header:
        first = body = _sections_only(rows, run, floor)
    return header, first, body


def _is_between(rows: Sequence[Row], place: int, floor: int) -> bool:
    """Whether a row that heads the labels alone is set half a line off between two rows that head the values."""
    row = rows[place]
    near = 1.05 * row.size
    return (
        place > floor
        and len(row.segments) == 1
        and rows[place + 1].baseline - row.baseline < near
        and row.baseline - rows[place - 1].baseline < near
    )


def _sections_only(rows: Sequence[Row], run: Run, floor: int) -> int:
    """First of the label rows that stand close over a table without a header."""
    place = run.first
    while place > floor and run.first - place < MAX_SECTIONS:
        row, below = rows[place - 1], rows[place]
        close = below.baseline - row.baseline < 1.9 * below.size
        short = (
            len(row.segments) == 1 and len(row.segments[0].words) < LONG_WORDS and row.x1 < run.columns[0].x1
        )
        if not (close and short and (row.text.endswith(":") or row.bold)):
            break
        place -= 1
    return place


def _is_text(row: Row, columns: Sequence[Column]) -> bool:
    """A line of prose or a row of another table: it ends the way up."""
    longest = max(len(s.words) for s in row.segments)
    if CAPTION.match(row.text):
        return True
    if is_prose(row, columns) or longest >= 14:
        return True
    return any(s.value and not s.year and not FOOTNOTE.fullmatch(s.text) for s in row.segments[1:])


def over_columns(segment: Segment, columns: Sequence[Column], size: float) -> bool:
    """Whether a text over the table heads value columns and not the labels."""
    center = (segment.x0 + segment.x1) / 2
    pitch = columns[1].right - columns[0].right if len(columns) > 1 else 0.0
    if columns[0].x0 - max(size, 0.4 * min(pitch, 12 * size)) <= center <= columns[-1].x1 + size:
        return True
    return any(
        min(c.x1, segment.x1) - max(c.x0, segment.x0) > 0.5 * (segment.x1 - segment.x0) for c in columns
    )


def _is_centered_title(
    segment: Segment, columns: Sequence[Column], left: float, right: float, row: Row
) -> bool:
    """A title centred over the whole table is not a header centred over its value columns."""
    center = (segment.x0 + segment.x1) / 2
    to_table = abs(center - (left + right) / 2)
    to_columns = min(
        abs(center - (columns[i].x0 + columns[j].x1) / 2)
        for i in range(len(columns))
        for j in range(i, len(columns))
    )
    return to_table < 1.5 * row.size and to_table < to_columns and not segment.year


def _names(header: Sequence[Row], columns: Sequence[Column], levels: Lines) -> tuple[str, ...]:
    """One text a column: upper levels joined by " / ", the lines of one cell by a space."""
    stacks: list[list[tuple[str, tuple[int, int]]]] = [[] for _ in columns]
    edges: list[tuple[float, float] | None] = [None] * len(columns)  # of the header text below, per column
    for row in reversed(header):
        segments = [s for s in row.segments if over_columns(s, columns, row.size)]
        segments = [part for s in segments for part in _cut(s, columns, row.size) if not _is_unit(part)]
        spans = _agreed(
            [
                _covered(segment, [s for s in segments if s is not segment], columns, edges, levels, row)
                for segment in segments
            ]
        )
        for segment, (i, j) in zip(segments, spans, strict=True):
            for column in range(i, j + 1):
                stacks[column].insert(0, (segment.text, (i, j)))
                if i == j:
                    edges[column] = (segment.x0, segment.x1)
    names = []
    for stack in stacks:
        name, span = "", None
        for text, covers in stack:
            name = text if span is None else f"{name} {text}" if covers == span else f"{name} / {text}"
            span = covers
        names.append(name)
    return tuple(names)


def _cut(segment: Segment, columns: Sequence[Column], size: float) -> list[Segment]:
    """Headers of neighbouring columns that stand too close to be parted by the gap alone."""
    pieces = [[segment.words[0]]]
    for before, word in zip(segment.words, segment.words[1:], strict=False):
        gap = word.x0 - before.x1
        middle = (word.x0 + before.x1) / 2
        between = any(
            a.center < middle < b.center and a.x1 - size < middle < b.x0 + size
            for a, b in itertools.pairwise(columns)
        )
        if gap > 0.5 * size and between:
            pieces.append([])
        pieces[-1].append(word)
    if len(pieces) == 1:
        return [segment]
    made = [Segment(p, False, min(w.x0 for w in p), max(w.x1 for w in p), p[-1].x1) for p in pieces]
    centred = all(any(_sits(m, c, size) for c in columns) for m in made)
    return made if centred else [segment]


def _sits(segment: Segment, column: Column, size: float) -> bool:
    return (
        abs(segment.x1 - column.x1) < 1.2 * size
        or abs((segment.x0 + segment.x1) / 2 - column.center) < 1.2 * size
    )


def _covered(
    segment: Segment,
    others: Sequence[Segment],
    columns: Sequence[Column],
    edges: Sequence[tuple[float, float] | None],
    levels: Lines,
    row: Row,
) -> list[tuple[int, int]]:
    """[first, last] columns that a header text may stand over, the likeliest first: by the rule under it, else by
    where it is centred."""
    under_it = underline(segment, others, levels, row)
    if under_it is not None:
        under = [
            i
            for i, c in enumerate(columns)
            if under_it[0] - row.size <= c.right - 1 <= under_it[1] + row.size
        ]
        if under:
            return [(under[0], under[-1])]
    center = (segment.x0 + segment.x1) / 2
    touched = column_of(segment, columns)
    nearest = _nearest(segment, columns)
    need = touched or (nearest, nearest)
    taken = {_nearest(other, columns) for other in others}
    below = [e for e in edges[need[0] : need[1] + 1] if e is not None]
    base = below[-1][1] - below[0][0] if below else columns[need[1]].x1 - columns[need[0]].x0
    aside = len(below) == 1 and abs((below[0][0] + below[0][1]) / 2 - center) > row.size
    wide = segment.year or need[0] != need[1] or segment.x1 - segment.x0 > 1.3 * base or aside
    groups: list[tuple[float, int, int]] = []
    for i in range(need[0] + 1):
        for j in range(need[1], len(columns)):
            if i == j or any(i <= column <= j for column in taken):
                continue
            headed = [e for e in edges[i : j + 1] if e is not None]
            spans = [(columns[i].x0, columns[j].x1), (columns[i].right - row.size, columns[j].right)]
            if len(headed) == j - i + 1:
                spans.append((headed[0][0], headed[-1][1]))
            off = min(abs((x0 + x1) / 2 - center) for x0, x1 in spans)
            slack = max(1.3 * row.size, 0.06 * (columns[j].x1 - columns[i].x0))
            if off < slack and ((i, j) == need or (len(headed) == j - i + 1 and wide)):
                groups.append((off, i, j))
    if not groups:
        return [need]
    # "2022" over the middle one of three columns is centred over all three as well: the wider of equals is meant
    least = min(off for off, _, _ in groups)
    equals = [(i, j) for off, i, j in groups if off <= least + 0.4 * row.size]
    return sorted(equals, key=lambda g: g[0] - g[1])


def _nearest(segment: Segment, columns: Sequence[Column]) -> int:
    """The column that a text stands over, by its middle or its right edge."""
    center = (segment.x0 + segment.x1) / 2
    return min(
        range(len(columns)),
        key=lambda i: min(abs(columns[i].center - center), abs(columns[i].x1 - segment.x1)),
    )


def _agreed(choices: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """One span for each header of a row; where several fit, all are as wide as each other if they can be."""
    open_sizes = [
        {j - i for i, j in spans} for spans in choices if len(spans) > 1 or spans[0][0] != spans[0][1]
    ]
    common = set.intersection(*open_sizes) if open_sizes else set[int]()
    size = max(common, default=-1)
    return [next((span for span in spans if span[1] - span[0] == size), spans[0]) for spans in choices]


def underline(
    segment: Segment, others: Sequence[Segment], levels: Lines, row: Row
) -> tuple[float, float] | None:
    """Ends of the rule under a header text, where one is drawn for it alone."""
    near = levels[
        (levels[:, 0] - row.baseline > -0.3 * row.size) & (levels[:, 0] - row.baseline < 0.9 * row.size)
    ]
    center = (segment.x0 + segment.x1) / 2
    for x0, x1 in [*_chained(near), *near[:, 1:].tolist()]:
        shared = any(other.x1 > x0 and other.x0 < x1 for other in others)
        covers = min(x1, segment.x1) - max(x0, segment.x0) > 0.7 * (segment.x1 - segment.x0)
        if covers and not shared and abs((x0 + x1) / 2 - center) < 3 * row.size:
            return x0, x1
    return None


def _chained(levels: Lines) -> list[tuple[float, float]]:
    """Lines of pieces that almost touch, as one: a rule is drawn cell by cell."""
    chains: list[tuple[float, float]] = []
    for x0, x1 in sorted(levels[:, 1:].tolist()):
        if chains and x0 - chains[-1][1] < _PIECE_GAP:
            chains[-1] = (chains[-1][0], max(x1, chains[-1][1]))
        else:
            chains.append((x0, x1))
    return chains


def caption(
    rows: Sequence[Row], table: FoundTable, box: tuple[float, float, float, float]
) -> tuple[str, str]:
    """Title and unit of a ruled table from its first row, if that spans all columns, and the lines over ``box``."""
    x0, top, x1, _ = box
    spanning = [r.cells[0].text for r in table.rows[:3] if r.header and len(r.cells) == 1]
    title, unit = title_over(rows, top, x1 - x0)
    headers = [cell.text for row in table.rows if row.header for cell in row.cells]
    unit = unit or next((found for text in headers if (found := find_unit(text))), "")
    return " ".join(spanning) or title, unit


def title_over(rows: Sequence[Row], top: float, width: float) -> tuple[str, str]:
    """Title and unit that the lines close over ``top`` give to a table of ``width`` points."""
    over = [row for row in rows if row.y1 <= top + 2]
    if over and top - over[-1].baseline < TITLE_PITCH * over[-1].size:
        return _title([*over, over[-1]], len(over), 0, width)
    return "", ""


def _title(rows: Sequence[Row], first: int, floor: int, width: float) -> tuple[str, str]:
    """Title and unit from the lines over the row ``first``, the nearest first, of a table of ``width`` points."""
    lines: list[Row] = []
    wide = 0.75 * width
    sentence = False
    for place in range(first - 1, floor - 1, -1):
        row, below = rows[place], rows[place + 1]
        if len(lines) == MAX_TITLE or below.baseline - row.baseline > TITLE_PITCH * max(row.size, below.size):
            break
        if len(row.segments) > 2 or any(s.value and not s.year for s in row.segments[1:]):
            break
        if not lines and row.text.endswith(":") and not row.bold:
            sentence = True  # "The following table shows ...:"
        elif sentence:
            if lines[0].text[:1].isupper() or row.text.endswith((".", ":")):
                break
        elif row.text.endswith(".") or (len(row.segments[0].words) > 12 and row.x1 - row.x0 > wide):
            break
        lines.insert(0, row)
    unit = next((u for row in reversed(lines) if (u := find_unit(row.text))), "")
    named = [row for row in lines if not ONLY_UNIT.fullmatch(row.text)]
    strong = named if sentence else [row for row in named if row.bold] or named[-2:]
    title = " ".join(row.text for row in strong).strip()
    return (re.split(r"\.\s+(?=[A-Z])", title)[-1] if sentence else title), unit
