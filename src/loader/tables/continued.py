"""Tables that go on over a page break. Runs in the app, on finished pages, and so touches no PDF library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from src.records import Page, Table

MARGIN_CHARACTERS = 160  # a running header, a page number, "(continued)"


def continue_tables(pages: Sequence[Page]) -> tuple[Page, ...]:
    """``pages`` (in order) with title, unit and columns carried on to tables that go on over a page break."""
    done: list[Page] = []
    for page in pages:
        before = done[-1] if done else None
        if before is not None and before.tables and page.tables and _goes_on(before, page):
            first = _carried(before.tables[-1], page.tables[0])
            page = replace(page, tables=(first, *page.tables[1:]))
        done.append(page)
    return tuple(done)


def _goes_on(before: Page, page: Page) -> bool:
    """Whether the first table of ``page`` is the rest of the last one of ``before``: nothing but margins between."""
    last, first = before.tables[-1], page.tables[0]
    if len(last.columns) != len(first.columns) or not last.rows or not first.rows:
        return False
    if any(first.columns[1:]) and first.columns != last.columns:
        return False
    after, ahead = before.text[last.rows[-1].end :], page.text[: first.rows[0].start]
    return len(after.strip()) < MARGIN_CHARACTERS and len(ahead.strip()) < MARGIN_CHARACTERS


def _carried(last: Table, first: Table) -> Table:
    columns = first.columns if any(first.columns[1:]) else last.columns
    title = last.title
    return replace(first, title=title, unit=first.unit or last.unit, columns=columns, continued=True)
