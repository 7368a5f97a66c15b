"""The section each row of a table stands under: label rows without values, by indentation, weight and order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from src.loader.layout import Word
from src.loader.tables.found import FoundCell, FoundRow

APART = 1.4
INDENT = 0.35  # font sizes by which an indented label must stand further right


@dataclass(slots=True, eq=False)
class DraftRow:
    """A row on its way into a table: its words by column (0 is the label), the label's edges, baseline and face."""

    cells: dict[int, list[Word]]
    x0: float
    label_x1: float
    baseline: float
    size: float
    bold: bool
    header: bool = False
    widths: dict[int, int] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Text of the label."""
        return " ".join(word.text for word in self.cells.get(0, ()))

    @property
    def only_label(self) -> bool:
        """Whether the row has a label and nothing else."""
        return set(self.cells) == {0}


@dataclass(frozen=True, slots=True)
class _Section:
    x0: float
    label: str
    indented: bool  # whether the rows under it stand further right
    bold: bool


def with_sections(rows: Sequence[DraftRow]) -> list[FoundRow]:
    """Rows with the path of label rows they stand under."""
    path: list[_Section] = []
    made: list[FoundRow] = []
    fresh = False  # whether the last row opened a section
    for place, row in enumerate(rows):
        following = rows[place + 1] if place + 1 < len(rows) else None
        if row.header:
            made.append(FoundRow(_cells(row), header=True))
            continue
        if row.only_label:
            path = [s for s in path if _holds(s, row, fresh and s is path[-1])]
            made.append(FoundRow(_cells(row), section=tuple(s.label for s in path)))
            indented = following is not None and following.x0 > row.x0 + INDENT * row.size
            spans = row.widths.get(0, 1) > 1
            apart = place > 0 and following is not None and _stands_apart(rows[place - 1], row, following)
            fresh = indented or spans or row.bold or row.label.endswith(":") or row.label.isupper() or apart
            if fresh:
                path.append(_Section(row.x0, row.label.rstrip(":"), indented, row.bold))
            continue
        fresh = False
        if row.bold:
            path = [s for s in path if s.bold or s.indented]
        total = any(_is_total(row.label, section) for section in path)
        if 0 in row.cells and not (total and any(not s.indented for s in path)):
            path = [s for s in path if s.x0 < row.x0 - INDENT * row.size or not s.indented]
        made.append(FoundRow(_cells(row), section=tuple(s.label for s in path)))
        if total:
            path = [s for s in path if s.indented and s.x0 < row.x0 - INDENT * row.size]
    return made


def _stands_apart(above: DraftRow, row: DraftRow, below: DraftRow) -> bool:
    """Whether a label has more space over it than under it, as a head has."""
    if below.only_label or row.label[:1].islower():
        return False
    return row.baseline - above.baseline > APART * (below.baseline - row.baseline) > 0


def _holds(section: _Section, row: DraftRow, just_opened: bool) -> bool:
    """Whether a new label row stands under an open section: further right, right after it, or in a lighter face."""
    step = INDENT * row.size
    if section.x0 < row.x0 - step:
        return True
    level = abs(section.x0 - row.x0) <= step
    return level and (just_opened or (section.bold and not row.bold))


def _is_total(label: str, section: _Section) -> bool:
    """Whether a row sums up a section: it says so, or repeats the section's words after "net" or "gross"."""
    lower = label.lower()
    if lower.startswith("total"):
        return True
    shared = set(lower.split()) & set(section.label.lower().split())
    return lower.startswith(("net ", "gross ")) and len(shared) >= 2


def _cells(row: DraftRow) -> tuple[FoundCell, ...]:
    return tuple(
        FoundCell(tuple(words), column, row.widths.get(column, 1))
        for column, words in sorted(row.cells.items())
    )
