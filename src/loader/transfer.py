"""Finished pages across the pipe: ``Page`` to a frame in the worker, and back in the app with every field checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from src.loader.wire import Frame, WireError
from src.records import Block, BlockKind, Cell, Page, PageState, Table, TableRow

MAX_PAGE_CHARACTERS = 4_000_000


def page_frame(page: Page) -> Frame:
    """The page as a frame of kind "page"."""
    fields = {
        "number": page.number,
        "label": page.label,
        "width": page.width,
        "height": page.height,
        "blocks": [[b.kind.value, b.start, b.end, b.level, b.table] for b in page.blocks],
        "tables": [_table_fields(table) for table in page.tables],
        "state": page.state.value,
        "reason": page.reason,
        "hidden": page.hidden,
        "language": page.language,
    }
    codes = np.frombuffer(page.text.encode("utf-32-le", "replace"), np.uint32)
    return Frame("page", fields, {"text": codes, "boxes": page.boxes})


def page_from(frame: Frame) -> Page:
    """The page of a frame made by ``page_frame``. Raises WireError when anything in it does not fit together."""
    codes = frame.array("text", "u4")
    boxes = frame.array("boxes", "f4", 4)
    if len(codes) > MAX_PAGE_CHARACTERS or len(boxes) != len(codes) or np.isinf(boxes).any():
        raise WireError("a page's text and boxes do not fit together")
    fields = frame.fields
    try:
        page = Page(
            number=int(fields["number"]),
            label=str(fields["label"])[:64],
            width=float(fields["width"]),
            height=float(fields["height"]),
            text=codes.tobytes().decode("utf-32-le"),
            boxes=boxes,
            blocks=tuple(_block(values, len(codes)) for values in fields["blocks"]),
            tables=tuple(_table(values, len(codes)) for values in fields["tables"]),
            state=PageState(fields["state"]),
            reason=str(fields["reason"]),
            hidden=str(fields["hidden"]),
            language=str(fields["language"])[:8],
        )
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise WireError(f"a page cannot be read: {error}") from error
    if any(b.table is not None and not 0 <= b.table < len(page.tables) for b in page.blocks):
        raise WireError("a block names a table that is not there")
    return page


def _span(start: Any, end: Any, length: int) -> tuple[int, int]:
    first, last = int(start), int(end)
    if not 0 <= first <= last <= length:
        raise WireError(f"the span {first}-{last} lies outside a text of {length} characters")
    return first, last


def _block(values: Any, length: int) -> Block:
    kind, start, end, level, table = values
    first, last = _span(start, end, length)
    return Block(BlockKind(kind), first, last, int(level), None if table is None else int(table))


def _table_fields(table: Table) -> dict[str, Any]:
    rows = [
        [r.start, r.end, [[c.start, c.end, c.column, c.width] for c in r.cells], r.header, list(r.section)]
        for r in table.rows
    ]
    return {
        "title": table.title,
        "unit": table.unit,
        "columns": list(table.columns),
        "rows": rows,
        "ruled": table.ruled,
        "continued": table.continued,
    }


def _table(values: Any, length: int) -> Table:
    rows = []
    for start, end, cells, header, section in values["rows"]:
        made = tuple(
            Cell(*_span(first, last, length), int(column), int(width)) for first, last, column, width in cells
        )
        rows.append(TableRow(*_span(start, end, length), made, bool(header), tuple(str(s) for s in section)))
    return Table(
        str(values["title"]),
        str(values["unit"]),
        tuple(str(column) for column in values["columns"]),
        tuple(rows),
        bool(values["ruled"]),
        bool(values["continued"]),
    )
