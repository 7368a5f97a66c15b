"""Documents with tables and passages over them, made without a PDF."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from src.records import Block, BlockKind, Cell, Document, Page, Passage, Span, Table, TableRow
from tests.factories import page_from_text


def table_page(
    number: int,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    unit: str = "",
    label: str = "",
    after: str = "",
) -> Page:
    """A page that holds one table (cells apart by tabs, one row a line), then ``after`` as a paragraph."""
    text, made = "", []
    for values in rows:
        start, cells = len(text), []
        for column, value in enumerate(values):
            if column:
                text += "\t"
            cells.append(Cell(len(text), len(text) + len(value), column))
            text += value
        made.append(TableRow(start, len(text), tuple(cells)))
        text += "\n"
    text = text.rstrip("\n")
    blocks = [Block(BlockKind.TABLE, 0, len(text), table=0)]
    if after:
        blocks.append(Block(BlockKind.PARAGRAPH, len(text) + 2, len(text) + 2 + len(after)))
        text += f"\n\n{after}"
    base = page_from_text(number, text, label)
    boxes = np.full((len(text), 4), np.nan, dtype=np.float32)
    line = column = 0
    for i, char in enumerate(text):
        if char == "\n":
            line, column = line + 1, -1
        elif char == "\t":
            column += 20
        elif not char.isspace():
            boxes[i] = (50 + 6 * column, 50 + 12 * line, 56 + 6 * column, 60 + 12 * line)
        column += 1
    table = Table(title, unit, tuple(columns), tuple(made))
    return replace(base, text=text, boxes=boxes, blocks=tuple(blocks), tables=(table,))


def document_of(*pages: Page, name: str = "made.pdf") -> Document:
    """A document of ready pages."""
    text = "\f".join(page.text for page in pages)
    return Document(hashlib.sha256(text.encode()).hexdigest(), name, "", tuple(pages))


def passage_of(
    document: Document,
    *spans: tuple[int, int, int],
    kind: str = "prose",
    headings: Sequence[str] = (),
    table: tuple[int, int] | None = None,
    context: str = "",
) -> Passage:
    """A passage over (page, start, end) stretches of ``document``; an end of -1 is the page's end."""
    made = []
    for page, start, end in spans:
        size = len(document.pages[page - 1].text)
        made.append(Span(page, start, size if end == -1 else end))
    joint = "\n" if kind == "table" else " "
    text = joint.join(document.pages[s.page - 1].text[s.start : s.end] for s in made)
    rows = (0, len(document.pages[table[0] - 1].tables[table[1]].rows)) if table else (0, 0)
    return Passage(
        document_id=document.id,
        document_name=document.name,
        revision=document.revision,
        text=text,
        spans=tuple(made),
        labels=tuple(document.pages[s.page - 1].label for s in made),
        headings=tuple(headings),
        context=context,
        kind=kind,
        language="en",
        score=1.0,
        chunks=(0,),
        core=(0, len(text)),
        table=table,
        rows=rows,
    )


def passages_of(document: Document) -> list[Passage]:
    """One passage a block of ``document``, as a retriever with room for all would give them."""
    found = []
    for page in document.pages:
        heading: list[str] = []
        for block in page.blocks:
            if block.kind is BlockKind.HEADING:
                heading = [page.text[block.start : block.end]]
                continue
            span = (page.number, block.start, block.end)
            if block.table is not None:
                table = page.tables[block.table]
                context = " ".join(part for part in (table.title, table.unit, *table.columns) if part)
                found.append(
                    passage_of(
                        document, span, kind="table", table=(page.number, block.table), context=context
                    )
                )
            else:
                found.append(passage_of(document, span, headings=heading))
    return found


def with_sections(page: Page, sections: Sequence[str]) -> Page:
    """``page`` with each row of its table under a section of its own."""
    (table,) = page.tables
    rows = tuple(replace(row, section=(section,)) for row, section in zip(table.rows, sections, strict=True))
    return replace(page, tables=(replace(table, rows=rows),))
