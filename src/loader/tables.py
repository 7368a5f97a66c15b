"""Tables of a page: which words stand in which row and column, under which headers.

``find_tables`` looks at words and drawn lines only, so that it works alike for a PDF's own text and for OCR.
"""

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
    """A table before it becomes text; ``columns`` as in ``records.Table``, ``dropped`` are leader dots."""

    x0: float
    y0: float
    x1: float
    y1: float
    title: str
    unit: str
    columns: tuple[str, ...]
    rows: tuple[FoundRow, ...]
    ruled: bool = False
    dropped: tuple[Word, ...] = ()
