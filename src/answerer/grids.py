"""Tables that passages show: those that were read as such, and rows of cells that stand in lines and were not.

A page may hold rows of cells apart by tabs that were not taken for a table ("Calls abroad ✗ ✗ ✓"). Where nearly all of
its lines have as many cells, it is read as one, headed by its first line or by the table that stands before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from src.answerer.magnitudes import magnitude
from src.answerer.marks import is_mark
from src.records import Block, BlockKind, Cell, Document, Page, Passage, Table, TableRow

FEWEST_CELLS, FEWEST_ROWS = 3, 2
REGULAR = 0.7  # of the lines, with the same number of cells


def tables_of(passage: Passage, document: Document) -> Iterator[tuple[Page, Table]]:
    """The tables that ``passage`` shows, each with its page."""
    if passage.table is not None:
        page = document.pages[passage.table[0] - 1]
        yield page, page.tables[passage.table[1]]
        return
    for span in passage.spans:
        page = document.pages[span.page - 1]
        for place, block in enumerate(page.blocks):
            unread = block.kind is BlockKind.TABLE and block.table is None
            if unread and span.start <= block.start and block.end <= span.end:
                table = _grid(page, block, page.blocks[place - 1] if place else None)
                if table is not None:
                    yield page, table


def parts_of(table: Table, page: Page, document: Document) -> Iterator[tuple[Page, TableRow]]:
    """The rows of ``table`` of ``page`` and of its parts on other pages, headers left out, in the order of the pages."""
    for other_page in document.pages:
        parts = list(other_page.tables)
        if other_page is page and not any(part is table for part in parts):
            parts.append(table)
        for part in parts:
            if part is table or (part.columns == table.columns and part.title == table.title):
                yield from ((other_page, row) for row in part.rows if not row.header)


def _grid(page: Page, block: Block, before: Block | None) -> Table | None:
    """The lines of ``block`` as a table; None where they have no regular cells or no header."""
    lines = _lines(page, block)
    width = Counter(map(len, lines)).most_common(1)[0][0]
    regular = [line for line in lines if len(line) == width]
    if width < FEWEST_CELLS or len(regular) < max(FEWEST_ROWS, REGULAR * len(lines)):
        return None
    header = _header(page, lines[0], width)
    if header:
        regular = [line for line in regular if line is not lines[0]]
    elif before is not None and before.table is not None:
        header = _first_header(page, page.tables[before.table], width)
    rows = (
        TableRow(line[0][0], line[-1][1], tuple(Cell(*span, column) for column, span in enumerate(line)))
        for line in regular
    )
    return Table("", "", header, tuple(rows)) if header else None


def _lines(page: Page, block: Block) -> list[list[tuple[int, int]]]:
    """Of each line of ``block`` where its cells stand in the text of ``page``."""
    found, start = [], block.start
    for line in page.text[block.start : block.end].split("\n"):
        cells = []
        for cell in line.split("\t"):
            cells.append((start, start + len(cell)))
            start += len(cell) + 1
        found.append(cells)
    return found


def _header(page: Page, line: list[tuple[int, int]], width: int) -> tuple[str, ...]:
    """The column headers where ``line`` holds them: words, one a column or one a column of values; empty otherwise."""
    names = [page.text[start:end].strip() for start, end in line]
    if len(names) not in (width, width - 1) or any(is_mark(n) or magnitude(n) for n in names[-width + 1 :]):
        return ()
    return tuple(names) if len(names) == width else ("", *names)


def _first_header(page: Page, table: Table, width: int) -> tuple[str, ...]:
    """The first header row of ``table``, if it has one cell for each of ``width`` columns."""
    row = next((row for row in table.rows if row.header), None)
    if row is None or len(row.cells) != width:
        return ()
    return tuple(page.text[cell.start : cell.end].strip() for cell in row.cells)
