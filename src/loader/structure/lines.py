"""Words to lines: pieces of a printed line that no wide gap interrupts.

Works in the reading frame: text runs to the right, lines follow each other downwards (turned text is turned before).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from statistics import median

from src.loader.layout import Style, Word

NUMBER = re.compile(r"[(\[]?[$€£¥+\-−–]{0,2}\d[\d.,'’]*[)\]%]{0,2}")
_TOUCHING = 0.07  # of the font size
_SIGN = re.compile(r"(?:US|C|A|HK)?[$€£¥₩₹][-(]?")
_VALUE = re.compile(rf"(?:{NUMBER.pattern}|{_SIGN.pattern}|[-–—−]{{1,2}}|%|\)|\)%)")
_CLOSING = re.compile(r"[%)]{1,2}")
_BRACKETS = frozenset("()[]{}")
_OPENED = {
    ")": "(",
    "]": "[",
    "}": "{",
}  # PDFium mirrors only those that it takes for a part of Hebrew or Arabic
_SHUT = {opened: closed for closed, opened in _OPENED.items()}
_SIGN_GAP_EMS = 7.0
_LEADING = frozenset(".·…_")
_LEADER = re.compile(r"[.·…_]{4,}|(?:\. ?){4,}")
_NUMBER_GAP_EMS = 0.6  # thousands may be parted by a space, numbers of two cells stand further apart
_WIDE_GAP_EMS = 3.5  # between words whose letters are set wide apart
_GAP_EMS = 1.6  # a wider gap inside a printed line separates columns or cells


_HUNG = Style.RAISED | Style.GLUED  # brought to the baseline of larger text
_READING = attrgetter("baseline", "x0")
_ACROSS = attrgetter("x0")


@dataclass(eq=False)
class Line:
    """A piece of a printed line: its words from left to right, box, size of most of its characters, baseline.

    ``table`` is the place of the table that a line without words stands in for, else -1.
    """

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    baseline: float
    table: int = -1

    @cached_property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join([word.text for word in self.words])

    @cached_property
    def length(self) -> int:
        """Number of characters without spaces."""
        return sum([len(word.text) for word in self.words])

    @cached_property
    def bold(self) -> bool:
        """Whether most of its characters are bold."""
        return self._mostly(Style.BOLD)

    @cached_property
    def italic(self) -> bool:
        """Whether most of its characters are slanted."""
        return self._mostly(Style.ITALIC)

    @cached_property
    def underlined(self) -> bool:
        """Whether all of it is underlined."""
        return all(word.style & Style.UNDERLINED for word in self.words)

    def _mostly(self, style: int) -> bool:
        return 2 * sum([len(word.text) for word in self.words if word.style & style]) > self.length


def make_line(words: Sequence[Word]) -> Line:
    """A line of ``words`` (not empty), which stand in reading order."""
    main = words[0].size
    if any(word.size != main for word in words):
        main = median([word.size for word in words for _ in range(min(len(word.text), 50))])
    lead = next((word for word in words if word.size >= 0.95 * main), words[0])
    return Line(
        list(words),
        min([word.x0 for word in words]),
        min([word.y0 for word in words]),
        max([word.x1 for word in words]),
        max([word.y1 for word in words]),
        main,
        lead.baseline,
    )


def make_rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand on one printed line, rows from top to bottom, words from left to right."""
    rows: list[list[Word]] = []
    anchors: list[tuple[float, float]] = []
    for word in sorted(words, key=_READING):
        size, level = word.size, word.baseline
        for place in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            baseline, other = anchors[place]
            smaller = other if other < size or word.style & _HUNG else size
            if abs(level - baseline) <= (0.3 * smaller if smaller > 1 else 0.3):
                rows[place].append(word)
                break
        else:
            rows.append([word])
            anchors.append((level, size))
    for row in rows:
        row.sort(key=_ACROSS)
        _mend(row)
    return rows


def _mend(row: list[Word]) -> None:
    """Mark pieces that touch though the PDF draws them far apart: one word, drawn in several passes."""
    a = row[0]
    for place in range(1, len(row)):
        b = row[place]
        if (
            b.x0 - a.x1 < _TOUCHING * b.size
            and b.start != a.start + len(a.text)
            and b.x0 - a.x0 > 0.2 * b.size
        ):
            row[place] = b = b._replace(style=b.style | Style.GLUED)
        a = b


def split_row(row: Sequence[Word]) -> list[Line]:
    """The pieces of a row between its wide gaps and leader dots, without the dots. Words struck out keep the gap
    closed and are left out."""
    parts: list[list[Word]] = []
    led, last, styles = False, None, 0
    for word in row:
        styles |= word.style
        if word.text[0] in _LEADING and _LEADER.fullmatch(word.text):
            led = True
            continue
        if last is not None and not led and _is_close(last, word):
            parts[-1].append(word)
        else:
            parts.append([word])
            led = False
        last = word
    if styles & Style.STRUCK:
        parts = [[word for word in part if not word.style & Style.STRUCK] for part in parts]
    if not styles & Style.RTL:
        return [make_line(part) for part in parts if part]
    lines = [make_line(logical(part)) for part in parts if part]
    return lines[::-1] if _is_right_to_left(row) else lines


def _is_close(last: Word, word: Word) -> bool:
    """Whether the gap between two words parts words and not cells."""
    gap, size = word.x0 - last.x1, max(last.size, word.size)
    return gap <= _NUMBER_GAP_EMS * size or gap <= _widest_gap(last, word, size)


def _widest_gap(last: Word, word: Word, size: float) -> float:
    """The widest gap, in points, that still parts words and not cells."""
    if last.style & word.style & Style.WIDE:
        return _WIDE_GAP_EMS * size
    if _SIGN.fullmatch(last.text) and NUMBER.fullmatch(word.text):
        return _SIGN_GAP_EMS * size  # a currency sign stands at the left edge of its number's column
    if _VALUE.fullmatch(last.text) and _VALUE.fullmatch(word.text) and not _CLOSING.fullmatch(word.text):
        return _NUMBER_GAP_EMS * size
    return _GAP_EMS * size


def logical(words: Sequence[Word]) -> list[Word]:
    """Words of one line, given from left to right, in the order in which they are read.

    A line with more right-to-left letters than others is read from the right; numbers and phrases of the other
    direction keep their own order inside it.
    """
    if not any(word.style & Style.RTL for word in words):
        return list(words)
    backwards = _is_right_to_left(words)
    runs: list[list[Word]] = []
    for word in words:
        turned = bool(word.style & Style.RTL)
        if runs and bool(runs[-1][0].style & Style.RTL) == turned:
            runs[-1].append(word)
        else:
            runs.append([word])
    if backwards:
        runs = [run if run[0].style & Style.RTL else _brackets_turned(run) for run in runs]
    ordered = [run[::-1] if run[0].style & Style.RTL else run for run in (runs[::-1] if backwards else runs)]
    return [word for run in ordered for word in run]


def _brackets_turned(run: list[Word]) -> list[Word]:
    """Numbers and Latin words of a line read from the right, given from left to right, with the brackets around them in
    the order in which they are read."""
    first = next((place for place, word in enumerate(run) if word.text not in _BRACKETS), 0)
    last = next((place for place in range(len(run), 0, -1) if run[place - 1].text not in _BRACKETS), 0)
    if first >= last or last - first == len(run):
        return run
    before = [_glued(word, text=_OPENED.get(word.text, word.text), glued=False) for word in run[last:][::-1]]
    behind = [_glued(word, text=_SHUT.get(word.text, word.text), glued=True) for word in run[:first][::-1]]
    head = _glued(run[first], text=run[first].text, glued=bool(before))
    return [*before, head, *run[first + 1 : last], *behind]


def _glued(word: Word, *, text: str, glued: bool) -> Word:
    return word._replace(text=text, style=word.style | Style.GLUED if glued else word.style & ~Style.GLUED)


def _is_right_to_left(words: Sequence[Word]) -> bool:
    turned = sum([len(word.text) for word in words if word.style & Style.RTL])
    if not turned:
        return False
    straight = sum(
        len(word.text) for word in words if not word.style & Style.RTL and any(c.isalpha() for c in word.text)
    )
    ends = words[0].style & words[-1].style & Style.RTL
    return turned > straight or (bool(ends) and len(words) > 1)
