"""Words to lines: pieces of a printed line that no wide gap interrupts.

Works in the reading frame: text runs to the right, lines follow each other downwards (turned text is turned before).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from src.loader.layout import Word

_GAP_EMS = 1.6  # a wider gap inside a printed line separates columns or cells


@dataclass(slots=True, eq=False)
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

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(word.text for word in self.words)

    @property
    def length(self) -> int:
        """Number of characters without spaces."""
        return sum(len(word.text) for word in self.words)

    @property
    def bold(self) -> bool:
        """Whether most of its characters are bold."""
        return 2 * sum(len(word.text) for word in self.words if word.bold) > self.length


def make_line(words: Sequence[Word]) -> Line:
    """A line of ``words`` (not empty), which stand in reading order."""
    sizes = [word.size for word in words for _ in range(min(len(word.text), 50))]
    main = median(sizes)
    lead = next((word for word in words if word.size >= 0.95 * main), words[0])
    return Line(
        list(words),
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        main,
        lead.baseline,
    )


def make_rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words that stand on one printed line, rows from top to bottom, words from left to right."""
    rows: list[list[Word]] = []
    anchors: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda w: (w.baseline, w.x0)):
        best = -1
        for place in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            baseline, size = anchors[place]
            if abs(word.baseline - baseline) <= 0.3 * max(min(size, word.size), 1):
                best = place
                break
        if best < 0:
            rows.append([word])
            anchors.append((word.baseline, word.size))
        else:
            rows[best].append(word)
    for row in rows:
        row.sort(key=lambda w: w.x0)
    return rows


def split_row(row: Sequence[Word]) -> list[Line]:
    """The pieces of a row between its wide gaps."""
    pieces: list[list[Word]] = []
    for word in row:
        last = pieces[-1][-1] if pieces else None
        if last is not None and word.x0 - last.x1 <= _GAP_EMS * max(last.size, word.size):
            pieces[-1].append(word)
        else:
            pieces.append([word])
    return [make_line(piece) for piece in pieces]


def make_lines(words: Sequence[Word]) -> list[Line]:
    """All pieces of lines of ``words``, from top to bottom and left to right."""
    return [line for row in make_rows(words) for line in split_row(row)]
