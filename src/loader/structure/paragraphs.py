"""Lines that are read straight down to paragraphs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from src.loader.layout import Style
from src.loader.structure.kinds import begins_item, has_bullet
from src.loader.structure.lines import Line, make_line

Row = list[Line]

_ENDINGS = tuple('.!?:;。！？…"”»)')
_LOOSE = 1.28  # of the usual distance between lines: more begins a paragraph
# Font sizes between the lines of a typescript with double spacing, and how many steps tell that a page is one.
_DOUBLE, _WIDEST, _MANY = 1.9, 3.2, 6
# "2017 - 2021", "03/2019 – today", "since 2020": how an entry of a curriculum vitae begins
_PERIOD = re.compile(
    r"(?:since |from |seit |depuis )?(?:\d{1,2}[./])?(?:19|20)\d\d\s*(?:[-–—]|to\b|until\b|bis\b|à\b)\s*(?:(?:\d{1,2}[./])?(?:19|20)\d\d\b|[^\W\d])"
)
# "2½ cups rye flour", "7 g dried yeast", "³⁄4 cup milk", "2 x 400 g tins": an entry of a list of quantities
_QUANTITY = re.compile(r"[\d¼-¾⅐-⅞¹²³](?:[\d¼-¾⅐-⅞⁰-₉.,/⁄–-]| (?=[\d¼-¾⅐-⅞⁄]))*(?<![.,])\s?[^\W\d]")
# Words of such an entry at most, how many lines in a row tell a list, and how many of them must end early
_ENTRY, _ENTRIES, _EARLY = 8, 3, 2
_HEADING = 6  # words of a heading in the type of the text
_LABEL = 3  # words of a label before its colon
_TALL = 1.7  # font sizes: a drop capital, which has the size of its line and its own box
_LONE_GAP = 4.5  # font sizes: a wide gap in a single row of running text is bad setting, not a cell


def paragraphs(region: Sequence[Line]) -> list[list[Row]]:
    """Paragraphs of a region; a paragraph is rows, a row its pieces from left to right."""
    rows = _rows(region)
    rows = [_whole(rows, place) for place in range(len(rows))]
    leading = _leading(rows)
    left = _left_edge(rows)
    right = max((line.x1 for row in rows for line in row), default=0.0)
    found: list[list[Row]] = []
    entries = _entries(rows, right)
    for place, row in enumerate(rows):
        if found and place not in entries and not _begins(found[-1], row, leading, left, right):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _rows(region: Sequence[Line]) -> list[Row]:
    rows: list[Row] = []
    for line in region:
        last = rows[-1][0] if rows else None
        same = last is not None and abs(last.baseline - line.baseline) < 0.3 * max(line.size, 1)
        if same and line.table < 0 and last is not None and last.table < 0:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _whole(rows: Sequence[Row], place: int) -> Row:
    """A row of running text that one wide gap has cut, put together again."""
    row = rows[place]
    if len(row) != 2 or any(line.table >= 0 for line in row):
        return row
    near = [rows[n] for n in (place - 1, place + 1) if 0 <= n < len(rows)]
    if not near or any(len(other) > 1 for other in near):
        return row
    first, second = row
    gap = max(second.x0 - first.x1, first.x0 - second.x1)
    size = max(first.size, second.size)
    width = max(first.x1, second.x1) - min(first.x0, second.x0)
    beside = [
        other[0]
        for other in near
        if other[0].table < 0 and abs(other[0].baseline - first.baseline) < 2 * size
    ]
    full = any(line.x1 - line.x0 > 0.8 * width and len(line.words) > 3 for line in beside)
    bullet = len(first.words) == 1 and len(first.text) <= 4
    if (gap < _LONE_GAP * size and (full or bullet)) or (
        bullet and gap < 8 * size and not first.text.isdigit()
    ):
        return [make_line([*first.words, *second.words])]
    return row


def _leading(rows: Sequence[Row]) -> float:
    """The usual distance between baselines, in font sizes."""
    steps = []
    for a, b in pairwise(rows):
        if a[0].table < 0 and b[0].table < 0 and abs(a[0].size - b[0].size) < 0.1 * a[0].size:
            step = (b[0].baseline - a[0].baseline) / max(a[0].size, 1)
            if 0.8 < step < _WIDEST:
                steps.append(step)
    if len(steps) >= _MANY and (usual := median(steps)) > _DOUBLE:
        alike = sum(abs(step - usual) < 0.04 * usual for step in steps)
        if alike >= 0.6 * len(steps):
            return usual  # a typescript with double spacing
    steps = [step for step in steps if step < 2.2]
    return min(median(steps), _DOUBLE) if steps else 1.35


def _left_edge(rows: Sequence[Row]) -> float:
    """Where most lines begin."""
    starts = [round(row[0].x0) for row in rows if row[0].table < 0]
    if not starts:
        return 0.0
    counts = Counter(starts)
    return float(max(counts, key=lambda x: (counts[x], -x)))


def _entries(rows: Sequence[Row], right: float) -> set[int]:
    """Places of ``rows`` that are entries of a list of quantities: short lines one under the other, each beginning with one,
    and some ending where the next word would have had room (lines of prose do so at the end of a paragraph alone)."""
    entries: set[int] = set()
    run: list[int] = []
    for place in range(len(rows) + 1):
        if place < len(rows) and _is_entry(rows[place]):
            if run and abs(rows[run[0]][0].x0 - rows[place][0].x0) > 0.5 * rows[place][0].size:
                run = []
            run.append(place)
        else:
            pairs = [(rows[a][0], rows[b][0].words[0]) for a, b in pairwise(run)]
            early = sum(line.x1 + 0.3 * line.size + word.x1 - word.x0 < right for line, word in pairs)
            if len(run) >= _ENTRIES and early >= _EARLY:
                entries.update(run)
            run = []
    return entries


def _is_entry(row: Row) -> bool:
    line = row[0]
    short = len(row) == 1 and line.table < 0 and 1 < len(line.words) <= _ENTRY
    return short and bool(_QUANTITY.match(line.text))


def _begins(paragraph: Sequence[Row], row: Row, leading: float, left: float, right: float) -> bool:
    """Whether ``row`` begins a paragraph after ``paragraph``."""
    last = paragraph[-1]
    above, line = last[0], row[0]
    if above.table >= 0 or line.table >= 0:
        return True
    size = max(above.size, line.size)
    step = line.baseline - above.baseline
    if step < 0 or _is_other_style(above, line, last, row, right):
        return True
    initial = paragraph[0][0].words[0]
    is_tall = initial.y1 - initial.y0 > _TALL * initial.size and initial.text[-1].isalpha()
    if is_tall and line.y0 < initial.y1 + 0.8 * size:
        return False  # the lines beside a drop capital, and the one that follows them further left
    tabular = len(last) > 1, len(row) > 1
    if any(tabular):
        return not all(tabular) or step > 2.6 * size
    if step > _LOOSE * leading * size or step > max(2.2, 1.1 * leading) * size:
        return True
    ended = above.words[-1].text.endswith(_ENDINGS)
    short = above.x1 < right - 0.12 * (right - left)
    if short and leading > _DOUBLE:
        return True  # between the lines of a typescript nothing else parts its title
    if short and (_is_labelled(line) or _PERIOD.match(line.text)):
        return True  # "Date: 23 January", "Present: the chair", "2017 - 2021 Engineer" are lines of their own
    first = paragraph[0][0]
    if len(paragraph) == 1 and _heads(above, line, left, right):
        return True
    if begins_item(line) and (ended or short or has_bullet(line) or begins_item(first)):
        return True
    hanging = begins_item(first) and line.x0 > first.x0 + 0.4 * size
    if hanging:
        return False
    indented = line.x0 > above.x0 + 0.7 * size and line.x0 < above.x0 + 5 * size
    if indented and _opens(line) and short and len(above.words) < 12:
        return True  # a heading, or the last line of a paragraph, before a first line
    if indented and (ended or short) and abs(above.x0 - left) < 0.7 * size:
        return True
    outdented = line.x0 < above.x0 - 0.7 * size and len(paragraph) > 1
    return (ended and short and above.x1 < left + 0.72 * (right - left) and _opens(line)) or (
        outdented and ended
    )


def _heads(above: Line, line: Line, left: float, right: float) -> bool:
    """Whether a lone short line over a longer one is a heading in the type of the text: no sentence, and none begun."""
    last = above.words[-1].text
    return (
        len(above.words) <= _HEADING
        and above.x1 < left + 0.5 * (right - left) < line.x1
        and above.words[0].text[:1].isupper()
        and last[-1].isalpha()
        and not (last.islower() and len(last) <= 3)
        and line.words[0].text[:1].isupper()
    )


def _is_labelled(line: Line) -> bool:
    """Whether a line begins with a label and its colon."""
    return _opens(line) and any(word.text.endswith(":") for word in line.words[:_LABEL])


def _opens(line: Line) -> bool:
    first = line.words[0].text.lstrip("\"'“‘„«([")
    return bool(first) and (first[0].isupper() or first[0].isdigit() or not first[0].isalpha())


def _is_other_style(above: Line, line: Line, last: Row, row: Row, right: float) -> bool:
    if len(last) > 1 and len(row) > 1:
        return False
    ratio = min(above.size, line.size) / max(above.size, line.size, 0.1)
    runs_on = above.x1 > right - 2 * above.size and not above.words[-1].text.endswith(_ENDINGS)
    if ratio < 0.88:
        return not (runs_on and ratio > 0.75)  # a line full of small capitals
    if above.italic != line.italic and len(last) == len(row) == 1 and not runs_on and _opens(line):
        return not _mixed(above) and not _mixed(line)
    return above.bold != line.bold and not _is_run_in(above, line) and not runs_on


def _mixed(line: Line) -> bool:
    """Whether a line holds both slanted and upright words."""
    return len({bool(word.style & Style.ITALIC) for word in line.words}) > 1


def _is_run_in(above: Line, line: Line) -> bool:
    """Bold words that begin a paragraph (a run-in heading) or stand inside it do not part it."""
    mixed = [any(word.style & Style.BOLD for word in one.words) for one in (above, line)]
    plain = [any(not word.style & Style.BOLD for word in one.words) for one in (above, line)]
    return (mixed[0] and plain[0]) or (mixed[1] and plain[1])
