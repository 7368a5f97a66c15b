"""A table while it is put together: which words stand in which row and column, under which headers."""

from __future__ import annotations

from dataclasses import dataclass

from src.loader.layout import Word


@dataclass(frozen=True, slots=True)
class FoundCell:
    """Words of a cell in reading order and the columns [column, column + width) that it covers."""

    words: tuple[Word, ...]
    column: int
    width: int = 1

    @property
    def text(self) -> str:
        """The words, separated by spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row: its cells from left to right, and the section rows it stands under."""

    cells: tuple[FoundCell, ...]
    header: bool = False
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of one page; ``columns`` as in ``records.Table``, ``y0`` its upper edge, ``dropped`` its leader dots
    and names that it says again."""

    y0: float
    title: str
    unit: str
    columns: tuple[str, ...]
    rows: tuple[FoundRow, ...]
    ruled: bool = False
    dropped: tuple[Word, ...] = ()
