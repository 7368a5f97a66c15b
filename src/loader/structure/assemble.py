"""A layout to the ``Page`` that leaves the loader: reading order, paragraphs, text with a box a character.

``assemble_page`` is what every stage ends in: the text pass calls it with the page's own words, the tables stage with
``tables`` (regions found on the same layout), the OCR stage with the layout that OCR gave back and its state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from src.loader.layout import PageLayout, Style, TableRegion, Word, words_in_frame
from src.loader.notes import EMPTY, UNSEEN
from src.loader.structure.columns import regions, side_notes
from src.loader.structure.facts import DocumentFacts
from src.loader.structure.kinds import is_footnote, kind_of
from src.loader.structure.language import language_of
from src.loader.structure.lines import Line, logical, make_rows, split_row
from src.loader.structure.margins import margin_rows
from src.loader.structure.paragraphs import Row, paragraphs
from src.loader.structure.text import TextBuilder
from src.records import BlockKind, Cell, FloatArray, Page, PageState, Table, TableRow

_WHOLE_PAGE = 0.85


def assemble_page(
    layout: PageLayout,
    facts: DocumentFacts,
    *,
    tables: Sequence[TableRegion] = (),
    state: PageState | None = None,
    reason: str = "",
) -> Page:
    """The page of ``layout``. ``state`` and ``reason`` say what a later stage found out; else they follow from the
    layout. Text of other directions follows the main one's, then come footnotes, form fields, remarks, margins."""
    builder = TextBuilder(facts.vocabulary)
    made: list[Table] = []
    words = layout.words(hidden=True)
    seen = [] if layout.garbled and state is None else _outside(words, tables)
    upright = make_rows([word for word in seen if word.turn == 0])
    margins = margin_rows(_visible(upright), layout.height, facts.running, _label(layout, facts))
    notes: list[list[Row]] = []
    shown = _without(upright, margins)
    for paragraph, is_main in _in_order(seen, shown, tables, layout.rules, facts.body):
        start = builder.begin()
        if (place := paragraph[0][0].table) >= 0:
            made.append(_write_table(builder, tables[place], words))
            builder.end(BlockKind.TABLE, start, table=len(made) - 1)
        elif is_main and is_footnote(paragraph, facts, layout.height, layout.rules):
            builder.undo(start)
            notes.append(paragraph)
        elif state is PageState.MIXED and _in_figure(paragraph, layout):
            builder.add_paragraph(paragraph)
            builder.end(BlockKind.FIGURE, start)
        else:
            builder.add_paragraph(paragraph)
            kind, level = kind_of(paragraph, facts, layout.number) if is_main else (BlockKind.SIDENOTE, 0)
            builder.end(kind, start, level)
    for paragraph in notes:
        _write_rows(builder, paragraph, BlockKind.FOOTNOTE)
    _write_form(builder, layout, words)
    for margin in margins:
        _write_rows(builder, [split_row(margin)], BlockKind.MARGIN)
    text = builder.text
    if state is None:
        state, reason = _state(layout, text)
    hidden = " ".join(word.text for word in words if word.style & (Style.HIDDEN | Style.STRUCK))
    return Page(
        layout.number,
        _label(layout, facts),
        layout.width,
        layout.height,
        text,
        builder.boxes(layout.boxes),
        tuple(builder.blocks),
        tuple(made),
        state,
        reason,
        hidden,
        _language(layout.number, text, facts, state),
    )


def _in_figure(paragraph: Sequence[Row], layout: PageLayout) -> bool:
    """Whether a paragraph was recognised in a picture that is a part of the page (a scan is the whole of it)."""
    words = [word for row in paragraph for line in row for word in line.words]
    if not words or not all(word.from_ocr for word in words):
        return False
    x, y = (words[0].x0 + words[0].x1) / 2, (words[0].y0 + words[0].y1) / 2
    x0, y0, x1, y1 = layout.images.T
    part = (x1 - x0) * (y1 - y0) < _WHOLE_PAGE * layout.width * layout.height
    return bool((part & (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)).any())


def _language(number: int, text: str, facts: DocumentFacts, state: PageState) -> str:
    """Language of a page: known from its own text before it was assembled, told anew where OCR has read it."""
    known = facts.languages.get(number, "")
    if state in (PageState.OCR, PageState.MIXED):
        known = language_of(text) or known
    return known or facts.language


def _outside(words: Sequence[Word], tables: Sequence[TableRegion]) -> list[Word]:
    """Words that no table holds, without hidden ones and form values; struck ones go when the lines are made."""
    unseen = Style.HIDDEN | Style.FIELD
    if not tables:
        return [word for word in words if not word.style & unseen]
    held = {place for region in tables for row in region.rows for cell in row.cells for place in cell.words}
    held |= {place for region in tables for place in region.dropped}
    return [word for place, word in enumerate(words) if place not in held and not word.style & unseen]


def _visible(rows: Sequence[list[Word]]) -> list[list[Word]]:
    """Rows without struck words."""
    if not any(word.style & Style.STRUCK for row in rows for word in row):
        return list(rows)
    shown = [[word for word in row if not word.style & Style.STRUCK] for row in rows]
    return [row for row in shown if row]


def _without(rows: list[list[Word]], margins: Sequence[list[Word]]) -> list[list[Word]]:
    """Rows without those of the margins, which may lack struck words of theirs."""
    taken = {word.start for row in margins for word in row}
    return (
        [row for row in rows if row[0].start not in taken and row[-1].start not in taken] if taken else rows
    )


def _label(layout: PageLayout, facts: DocumentFacts) -> str:
    return facts.labels[layout.number - 1] if layout.number <= len(facts.labels) else ""


def _in_order(
    words: list[Word],
    upright: list[list[Word]],
    tables: Sequence[TableRegion],
    rules: FloatArray,
    body: float,
) -> list[tuple[list[Row], bool]]:
    """Paragraphs in reading order, and whether each is of the main text; the direction with most text comes first,
    notes in its margin are apart as other directions are."""
    amount = Counter({0: len(words)})
    if any(word.turn for word in words):
        amount = Counter({0: 0})
        for word in words:
            amount[word.turn] += len(word.text)
    found: list[tuple[list[Row], bool]] = []
    main = amount.most_common(1)[0][0]
    for turn, _ in amount.most_common():
        if turn == 0:
            stretches = regions(upright, [_stand_in(r, place) for place, r in enumerate(tables)], rules)
        else:
            stretches = regions(
                make_rows(words_in_frame([word for word in words if word.turn == turn], turn))
            )
        notes = side_notes(stretches, body) if turn == main else set(range(len(stretches)))
        for place, stretch in enumerate(stretches):
            found += [(paragraph, place not in notes) for paragraph in paragraphs(stretch)]
    return found


def _stand_in(region: TableRegion, place: int) -> Line:
    """A line of no words that keeps a table's place in the reading order."""
    return Line([], region.x0, region.y0, region.x1, region.y1, 10.0, region.y1, place)


def _write_rows(builder: TextBuilder, rows: Sequence[Row], kind: BlockKind) -> None:
    start = builder.begin()
    builder.add_paragraph(rows)
    builder.end(kind, start)


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


def _write_form(builder: TextBuilder, layout: PageLayout, words: Sequence[Word]) -> None:
    """Form fields, one a line, as "label: value"; then remarks."""
    values = iter([word for word in words if word.style & Style.FIELD])
    start = builder.begin() if layout.form else 0
    for place, line in enumerate(layout.form):
        if place:
            builder.add("\n")
        if line.label:
            builder.add(f"{line.label}: ")
        last: Word | None = None
        for word in islice(values, line.words):
            if last is not None:
                builder.add(" ")
            builder.add_word(word)
            last = word
    if layout.form:
        builder.end(BlockKind.FORM, start)
    for remark in layout.remarks:
        start = builder.begin()
        builder.add(remark.text)
        builder.end(BlockKind.ANNOTATION, start)


def _state(layout: PageLayout, text: str) -> tuple[PageState, str]:
    if layout.failed:
        return PageState.UNREADABLE, layout.failed
    if layout.garbled:
        return PageState.PENDING, layout.garbled
    if text.strip():
        return PageState.TEXT, ""
    if len(layout.images):
        return PageState.PENDING, "The page is a picture without a text layer."
    return PageState.EMPTY, UNSEEN if len(layout.spans) else EMPTY
