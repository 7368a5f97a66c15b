"""Rows of words to segments: what stands together in one cell, and whether it is a value.

The gap that parts two cells depends on what stands beside it: two numbers are parted by little, two words of a label
only by a wide gap, and a currency sign belongs to its number however far to the left it is printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from src.loader.layout import Word
from src.loader.structure.lines import make_rows

_CURRENCY = r"(?:US|CA|C|A|AU|HK|NZ|S|R|NT)?[$€£¥₩₹]|EUR|USD|GBP|CHF|Kč|CZK|Rs\.?|kr\.?"
_DIGITS = r"\d[\d,.\u00a0'’]*"
_MARKS = r"[*†‡§¹²³⁴⁵]*"
_SIGN = r"[-–—−+]"
NUMBER = re.compile(
    rf"(?:{_CURRENCY})?{_SIGN}?[(\[]?(?:{_CURRENCY})?{_SIGN}?{_DIGITS}[)\]]?(?:%|x|X|¢|pts?|bps|bp|(?<=[.,]\d\d)[-−])?[)\]]?{_MARKS}"
)
DASH = re.compile(rf"(?:{_CURRENCY})?(?:[-–—−‒―]{{1,3}}|\.{{2,3}})%?")
ABSENT = re.compile(r"(?:n\.?m\.?|N\.?M\.?|N/?M|n/a|N/A|NA|nil|Nil|NMF|NR|\*{1,3})")
SIGN = re.compile(rf"(?:{_CURRENCY})")
OPENING = re.compile(rf"(?:{_CURRENCY})?[(\[](?:{_CURRENCY})?")
CLOSING = re.compile(r"[)\]]?(?:%|pts?\.?|bps|bp|x|¢)?[)\]]?" + _MARKS)
FOOTNOTE = re.compile(r"[(\[](?:\d{1,2}|[a-z])[)\]]|[*†‡]{1,3}")
LEADER = re.compile(r"(?:[.·…_]{3,}|[.·…])")
YEAR = re.compile(
    r"(?:FY|CY|Q[1-4]|[1-4]Q|H[12])?['’]?(?:19|20)\d\d(?:[-–/](?:19|20)?\d\d)?[EAPF]?[*†:,]?|[1-4]Q['’]?\d\d|FY['’]?\d\d"
)

_TEXT_GAP = 1.15  # in font sizes; the space between words is 0.25, in justified lines up to 1
_VALUE_GAP = 0.55
_LABEL_GAP = 0.9
_SIGN_GAP = 20.0  # a currency sign stands at the left edge of its column


@dataclass(slots=True, eq=False)
class Segment:
    """Words of one row that stand in one cell. ``right`` is where its last digit ends (a closing bracket, a percent
    sign or a footnote mark hangs over the edge that the digits of a column share)."""

    words: list[Word]
    value: bool
    x0: float
    x1: float
    right: float

    @property
    def text(self) -> str:
        """Its words, separated by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def year(self) -> bool:
        """Whether it is a year or a quarter, which heads a column more often than it fills a cell."""
        first, *rest = self.words
        return bool(YEAR.fullmatch(first.text)) and all(
            YEAR.fullmatch(word.text) or FOOTNOTE.fullmatch(word.text) for word in rest
        )


@dataclass(slots=True, eq=False)
class Row:
    """A printed line: its segments and words from left to right, upper and lower edge, baseline and font size."""

    segments: list[Segment]
    y0: float
    y1: float
    baseline: float
    size: float
    leaders: list[Word]
    words: list[Word]

    @property
    def values(self) -> list[Segment]:
        """The segments that are values."""
        return [segment for segment in self.segments if segment.value]

    @property
    def label(self) -> Segment | None:
        """The segment that names the row: its first one, unless that is a value (a year before values is a name)."""
        first = self.segments[0]
        return first if not first.value or (first.year and len(self.segments) > 1) else None

    @property
    def cells(self) -> list[Segment]:
        """The values that are not the row's name."""
        return [segment for segment in self.segments if segment.value and segment is not self.label]

    @property
    def x0(self) -> float:
        """Left edge of the text."""
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        """Right edge of the text."""
        return max(segment.x1 for segment in self.segments)

    @property
    def bold(self) -> bool:
        """Whether the first segment is bold."""
        return all(word.bold for word in self.segments[0].words)

    @property
    def text(self) -> str:
        """All words, separated by spaces."""
        return " ".join(segment.text for segment in self.segments)


def segment_rows(words: Sequence[Word]) -> list[Row]:
    """Rows of ``words`` (all of one direction of reading, in its frame) from top to bottom."""
    rows = []
    for line in _with_marks(make_rows(words)):
        leaders = _leaders(line)
        rest = [word for word in line if word not in leaders] if leaders else line
        if not rest:
            continue
        rows.append(
            Row(
                _segments(rest, leaders),
                min(w.y0 for w in rest),
                max(w.y1 for w in rest),
                median(w.baseline for w in rest),
                max(median(w.size for w in rest), 1.0),
                leaders,
                rest,
            )
        )
    return rows


def with_centred_values(rows: Sequence[Row]) -> list[Row]:
    """Rows with each one of values alone, set half a line under one line of a label and over the next, put together
    with both: cells centred upright beside a label of two lines."""
    made: list[Row] = []
    skip = False
    for place, row in enumerate(rows):
        if skip:
            skip = False
            continue
        below = rows[place + 1] if place + 1 < len(rows) else None
        if made and below is not None and _is_centred(made[-1], row, below):
            above = made.pop()
            words = [*above.words, *below.words]
            x1 = max(above.x1, below.x1)
            label = Segment(words, False, min(above.x0, below.x0), x1, x1)
            joined = [label, *row.segments]
            made.append(
                Row(joined, above.y0, below.y1, row.baseline, row.size, row.leaders, [*words, *row.words])
            )
            skip = True
        else:
            made.append(row)
    return made


def _is_centred(above: Row, row: Row, below: Row) -> bool:
    labels = (above, below)
    if not all(segment.value for segment in row.segments) or row.segments[0].year:
        return False
    if any(len(label.segments) != 1 or label.segments[0].value or label.x1 > row.x0 for label in labels):
        return False
    up, down = row.baseline - above.baseline, below.baseline - row.baseline
    return max(up, down) < 0.95 * row.size and abs(up - down) < 0.2 * row.size


def _with_marks(lines: list[list[Word]]) -> list[list[Word]]:
    """Lines with the footnote marks, which stand raised and so on a line of their own, put beside their words."""
    kept: list[list[Word]] = []
    for place, line in enumerate(lines):
        neighbours = [*kept[-1:], *lines[place + 1 : place + 2]]
        if all(FOOTNOTE.fullmatch(word.text) or word.text.isdigit() for word in line):
            low = max(word.y1 for word in line)
            for other in neighbours:
                size = median(word.size for word in other)
                small = line[0].size < 0.85 * size or _hangs_on(line, other)
                if small and min(w.y0 for w in other) < low - 0.2 * line[0].size < max(w.y1 for w in other):
                    other.extend(line)
                    other.sort(key=lambda word: word.x0)
                    break
            else:
                kept.append(line)
        else:
            kept.append(line)
    return kept


def _hangs_on(mark: Sequence[Word], line: Sequence[Word]) -> bool:
    """Whether a mark stands close behind a word of ``line`` that is none, and a little over its baseline."""
    first = mark[0]
    return len(mark) == 1 and any(
        -0.1 * first.size < first.x0 - word.x1 < first.size
        and 0.2 * word.size < word.baseline - first.baseline < 0.9 * word.size
        and not is_value(word.text)
        for word in line
    )


@lru_cache(maxsize=8192)
def is_value(text: str) -> bool:
    """Whether a word can stand as a value in a cell: a number, a dash, "n/a"."""
    return bool(NUMBER.fullmatch(text) or DASH.fullmatch(text) or ABSENT.fullmatch(text))


def _leaders(line: Sequence[Word]) -> list[Word]:
    """Dots between a label and its value; single dots count only where several follow each other."""
    dots = [word for word in line if LEADER.fullmatch(word.text)]
    return dots if len(dots) >= 3 or any(len(word.text) >= 3 for word in dots) else []


def _segments(line: Sequence[Word], leaders: Sequence[Word]) -> list[Segment]:
    pieces: list[list[Word]] = []
    for place, word in enumerate(line):
        following = line[place + 1] if place + 1 < len(line) else None
        if pieces and _together(pieces[-1], word, following, leaders):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [_segment(piece) for piece in pieces]


def _together(piece: list[Word], word: Word, following: Word | None, leaders: Sequence[Word]) -> bool:
    last = piece[-1]
    size = max(last.size, word.size, 1.0)
    gap = (word.x0 - last.x1) / size
    if leaders and any(last.x1 - 1 <= dot.x0 and dot.x1 <= word.x0 + 1 for dot in leaders):
        return False
    before, after = is_value(last.text), is_value(word.text)
    if _opens(last.text) and (after or _opens(word.text)):
        return gap < _SIGN_GAP
    numeric = before or (len(piece) > 1 and _is_value(piece))
    if numeric and CLOSING.fullmatch(word.text):
        return gap < 2.2
    if numeric and FOOTNOTE.fullmatch(word.text):
        return gap < _VALUE_GAP
    if _opens(word.text) and following is not None and is_value(following.text):
        # "$" starts a cell of its own unless it stands inside a sentence
        return gap < (0.45 if before or SIGN.fullmatch(word.text) else _VALUE_GAP) and not numeric
    if before and after:
        return gap < (_VALUE_GAP if _thousands(last.text, word.text) or not numeric else 0.4) and not _clash(
            piece
        )
    if before or after:
        return gap < _LABEL_GAP
    return gap < _TEXT_GAP


@lru_cache(maxsize=8192)
def _opens(text: str) -> bool:
    return bool(SIGN.fullmatch(text) or OPENING.fullmatch(text))


def _thousands(before: str, after: str) -> bool:
    """ "12 345": groups of a number that is written with spaces."""
    return bool(re.fullmatch(r"\(?[-–−]?\d{1,3}", before) and re.fullmatch(r"\d{3}(?:[.,]\d+)?\)?%?", after))


def _clash(piece: list[Word]) -> bool:
    """A complete value ("1,234", "5 %") is not continued by another number."""
    return (
        len(piece) >= 1
        and _is_value(piece)
        and ("," in piece[-1].text or piece[-1].text.endswith(("%", ")")))
    )


def _is_value(piece: Sequence[Word]) -> bool:
    if not any(is_value(word.text) for word in piece):
        return False
    return all(
        is_value(word.text)
        or _opens(word.text)
        or (place and (CLOSING.fullmatch(word.text) or FOOTNOTE.fullmatch(word.text)))
        for place, word in enumerate(piece)
    )


def _segment(piece: list[Word]) -> Segment:
    value = _is_value(piece)
    right = max(word.x1 for word in piece)
    if value:
        right = _digits_end(piece)
    return Segment(piece, value, min(word.x0 for word in piece), max(word.x1 for word in piece), right)


def _digits_end(piece: Sequence[Word]) -> float:
    """Right edge of the last digit, the hanging signs taken as 0.4 of a font size each."""
    core = [w for w in piece if is_value(w.text)][-1]
    hanging = len(core.text) - len(core.text.rstrip(")]%*†‡"))
    return core.x1 - hanging * 0.4 * core.size if hanging < len(core.text) else core.x1
