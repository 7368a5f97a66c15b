"""A layout to the ``Page`` that leaves the loader: reading order, paragraphs, text with a box a character.

``assemble_page`` is what every stage ends in: the text pass calls it with the page's own words, the tables stage with
``tables`` (regions found on the same layout), the OCR stage with the layout that OCR gave back and its state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from src.loader.columns import regions
from src.loader.hyphens import Vocabulary
from src.loader.layout import PageLayout, Style, TableRegion, Word
from src.loader.lines import Line, logical, make_lines
from src.loader.paragraphs import paragraphs
from src.loader.text import TextBuilder
from src.loader.words import reading_frame
from src.records import BlockKind, Cell, Page, PageState, Table, TableRow


@dataclass(frozen=True, slots=True)
class Context:
    """What assembling a page needs to know of the whole document."""

    label: str = ""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)


def assemble_page(
    layout: PageLayout,
    context: Context,
    *,
    tables: Sequence[TableRegion] = (),
    state: PageState | None = None,
    reason: str = "",
) -> Page:
    """The page of ``layout``. ``state`` and ``reason`` say what a later stage found out; else they follow from the
    layout. Text of other directions follows the main one's."""
    builder = TextBuilder(context.vocabulary)
    made: list[Table] = []
    words = layout.words(hidden=True)
    seen = [] if layout.garbled and state is None else _outside(words, tables)
    by_turn = Counter({0: 0})
    for word in seen:
        by_turn[word.turn] += len(word.text)
    for turn, _ in by_turn.most_common():
        lines = make_lines(_in_frame([word for word in seen if word.turn == turn], turn))
        if turn == 0:
            lines += [_stand_in(region, place) for place, region in enumerate(tables)]
        for stretch in regions(lines):
            for paragraph in paragraphs(stretch):
                start = builder.begin()
                if (place := paragraph[0][0].table) >= 0:
                    made.append(_write_table(builder, tables[place], words))
                    builder.end(BlockKind.TABLE, start, table=len(made) - 1)
                else:
                    builder.add_paragraph(paragraph)
                    builder.end(BlockKind.PARAGRAPH, start)
    _write_form(builder, layout)
    text = builder.text
    if state is None:
        state, reason = _state(layout, text)
    hidden = " ".join(word.text for word in words if word.style & (Style.HIDDEN | Style.STRUCK))
    return Page(
        layout.number,
        context.label,
        layout.width,
        layout.height,
        text,
        builder.boxes(layout.boxes),
        tuple(builder.blocks),
        tuple(made),
        state,
        reason,
        hidden,
    )


def _outside(words: Sequence[Word], tables: Sequence[TableRegion]) -> list[Word]:
    """Words that no table holds, without hidden ones; struck ones go when the lines are made."""
    held = {place for region in tables for row in region.rows for cell in row.cells for place in cell.words}
    held |= {place for region in tables for place in region.dropped}
    return [word for place, word in enumerate(words) if place not in held and not word.style & Style.HIDDEN]


def _stand_in(region: TableRegion, place: int) -> Line:
    """A line of no words that keeps a table's place in the reading order."""
    return Line([], region.x0, region.y0, region.x1, region.y1, 10.0, region.y1, place)


def _write_table(builder: TextBuilder, region: TableRegion, words: Sequence[Word]) -> Table:
    """Rows of ``region``, one a line, cells apart by a tab; returns the table with its spans."""
    rows: list[TableRow] = []
    for row in region.rows:
        if rows:
            builder.add("\n")
        first = builder.length
        cells: list[Cell] = []
        for cell in row.cells:
            if cells:
                builder.add("\t")
            start = builder.length
            builder.add_words(logical([words[place] for place in cell.words]))
            cells.append(Cell(start, builder.length, cell.column, cell.width))
        rows.append(TableRow(first, builder.length, tuple(cells), row.header, row.section))
    return Table(region.title, region.unit, region.columns, tuple(rows), region.ruled)


def _write_form(builder: TextBuilder, layout: PageLayout) -> None:
    for label, value in layout.form:
        start = builder.begin()
        builder.add(f"{label}: {value}" if label else value)
        builder.end(BlockKind.FORM, start)


def _in_frame(words: list[Word], turn: int) -> list[Word]:
    """Words turned so that they run to the right; their glyphs keep their places."""
    if not turn or not words:
        return words
    boxes = reading_frame(np.array([word[1:5] for word in words], np.float32), turn)
    sign = -1 if turn in (90, 180) else 1
    return [
        word._replace(x0=x0, y0=y0, x1=x1, y1=y1, baseline=sign * word.baseline)
        for word, (x0, y0, x1, y1) in zip(words, boxes.tolist(), strict=True)
    ]


def _state(layout: PageLayout, text: str) -> tuple[PageState, str]:
    if layout.failed:
        return PageState.UNREADABLE, layout.failed
    if layout.garbled:
        return PageState.PENDING, layout.garbled
    if text.strip():
        return PageState.TEXT, ""
    if len(layout.images):
        return PageState.PENDING, "The page is a picture without a text layer."
    return PageState.EMPTY, "The page is empty."


def unread(page: Page, reason: str) -> Page:
    """``page`` as one that nothing can read, for ``reason``."""
    return replace(page, state=PageState.UNREADABLE, reason=reason)
