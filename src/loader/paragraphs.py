"""Lines that are read straight down to paragraphs."""

from __future__ import annotations

from collections.abc import Sequence

from src.loader.lines import Line

Row = list[Line]


def paragraphs(region: Sequence[Line]) -> list[list[Row]]:
    """Paragraphs of a region; a paragraph is rows, a row its pieces from left to right."""
    rows: list[Row] = []
    for line in region:
        if rows and line.table < 0 and abs(rows[-1][0].baseline - line.baseline) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    found: list[list[Row]] = []
    for row in rows:
        row.sort(key=lambda line: line.x0)
        if found and not _breaks_paragraph(found[-1][-1], row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _breaks_paragraph(last: Row, row: Row) -> bool:
    first, second = last[0], row[0]
    if first.table >= 0 or second.table >= 0:
        return True
    size = max(first.size, second.size)
    apart = second.baseline - first.baseline
    resized = abs(first.size - second.size) > 0.15 * size
    tabular = (len(last) > 1) != (len(row) > 1)
    return apart > 1.75 * size or apart < 0 or resized or tabular or first.bold != second.bold
