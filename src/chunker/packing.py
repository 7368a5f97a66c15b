"""Sentences, paragraphs and table rows to chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from src.chunker.flow import Flow, Sentence, TableBlock
from src.records import Block, Chunk, Document, Page, Span, Table, span_text
from src.settings import Settings

LONGEST_OVERLAP = 0.5  # of a chunk; a longer sentence is not repeated


def join_spans(pages: Sequence[Page], spans: Sequence[Span]) -> tuple[Span, ...]:
    """``spans`` with neighbours on one page put together where only white space lies between, overlaps dropped."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.page == span.page and span.start >= last.start:
            between = pages[span.page - 1].text[last.end : span.start]
            if not between.strip():
                joined[-1] = Span(last.page, last.start, max(last.end, span.end))
                continue
        joined.append(span)
    return tuple(joined)


def pack_flow(document: Document, flow: Flow, settings: Settings) -> Iterator[Chunk]:
    """Chunks of whole sentences (or whole paragraphs) up to the size, with overlap, never over a heading."""
    for section in _sections(flow.sentences):
        units = _units(section, settings)
        for group in _groups(units, settings.chunk_chars, settings.chunk_overlap):
            yield _chunk(document, flow.kind, [s for unit in group for s in unit])


def _sections(sentences: Sequence[Sentence]) -> Iterator[list[Sentence]]:
    """Stretches under the same headings; headings that follow each other open one stretch together."""
    section: list[Sentence] = []
    for sentence in sentences:
        if sentence.heading and section and not section[-1].heading:
            yield section
            section = []
        section.append(sentence)
    if section:
        yield section


def _units(section: Sequence[Sentence], settings: Settings) -> list[list[Sentence]]:
    if settings.chunk_mode == "sentence":
        return [[s] for s in section]
    units: list[list[Sentence]] = []
    for _, paragraph in groupby(section, key=lambda s: s.paragraph):
        sentences = list(paragraph)
        if sum(s.length + 1 for s in sentences) <= settings.chunk_chars:
            units.append(sentences)
        else:
            units += [[s] for s in sentences]
    return units


def _length(units: Sequence[Sequence[Sentence]]) -> int:
    return sum(s.length + 1 for unit in units for s in unit)


def _groups(units: list[list[Sentence]], size: int, overlap: int) -> Iterator[list[list[Sentence]]]:
    group: list[list[Sentence]] = []
    fresh = 0  # units of the group that no earlier group had
    for unit in units:
        if fresh and _length([*group, unit]) > size + 1:
            yield group
            group = _repeated(group, overlap, size)
            fresh = 0
            while group and _length([*group, unit]) > size + 1:
                group = group[1:]
        group.append(unit)
        fresh += 1
    if fresh:
        yield group


def _repeated(group: list[list[Sentence]], overlap: int, size: int) -> list[list[Sentence]]:
    """The last ``overlap`` units, as far as they leave room for something new."""
    kept = group[len(group) - overlap :] if overlap else []
    while kept and (_length(kept) > size * LONGEST_OVERLAP or kept[0][0].heading):
        kept = kept[1:]
    return kept


def _chunk(document: Document, kind: str, sentences: Sequence[Sentence]) -> Chunk:
    spans = join_spans(document.pages, [span for s in sentences for span in s.spans])
    path = sentences[-1].path
    return Chunk(
        number=0,
        text=span_text(document.pages, spans),
        spans=spans,
        starts=_starts(spans, sentences),
        headings=path,
        context=_context(document, path),
        kind=kind,
        language=document.pages[spans[0].page - 1].language,
    )


def _starts(spans: Sequence[Span], sentences: Sequence[Sentence]) -> tuple[int, ...]:
    """Position in the joined text of each sentence's first character."""
    starts, offset, index = [], 0, 0
    for sentence in sentences:
        first = sentence.spans[0]
        while not (spans[index].page == first.page and spans[index].start <= first.start < spans[index].end):
            offset += spans[index].end - spans[index].start + 1
            index += 1
        starts.append(offset + first.start - spans[index].start)
    return tuple(starts)


def _context(document: Document, path: Sequence[str], extra: Sequence[str] = ()) -> str:
    lines = [document.title, " > ".join(path), *extra]
    return "\n".join(line for line in lines if line)


def pack_table(document: Document, item: TableBlock, settings: Settings) -> Iterator[Chunk]:
    """Chunks of whole rows up to the size; title, unit, column headers and section rows go into the context."""
    page, block = item.page, item.block
    table = page.tables[block.table] if block.table is not None and block.table < len(page.tables) else None
    rows = [(r.start, r.end) for r in table.rows] if table else _lines(page, block)
    first = 0
    while first < len(rows):
        last = first + 1
        while last < len(rows) and rows[last][1] - rows[first][0] <= settings.chunk_chars:
            last += 1
        spans = join_spans(document.pages, [Span(page.number, a, b) for a, b in rows[first:last]])
        text = span_text(document.pages, spans, "\n")
        if text.strip():
            yield Chunk(
                number=0,
                text=text,
                spans=spans,
                starts=_row_starts(spans, rows[first:last]),
                headings=item.path,
                context=_context(document, item.path, _table_context(table, first)),
                kind="table",
                language=page.language,
                table=(page.number, block.table) if table and block.table is not None else None,
                rows=(first, last) if table else (0, 0),
            )
        first = last


def _row_starts(spans: Sequence[Span], rows: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    starts, offset, index = [], 0, 0
    for start, _ in rows:
        while start >= spans[index].end and index + 1 < len(spans):
            offset += spans[index].end - spans[index].start + 1
            index += 1
        starts.append(offset + start - spans[index].start)
    return tuple(starts)


def _lines(page: Page, block: Block) -> list[tuple[int, int]]:
    rows, position = [], block.start
    for line in page.text[block.start : block.end].split("\n"):
        if line.strip():
            rows.append((position, position + len(line)))
        position += len(line) + 1
    return rows


def _table_context(table: Table | None, first: int) -> list[str]:
    if table is None:
        return []
    columns = " | ".join(column for column in table.columns if column)
    section = " > ".join(table.rows[first].section)
    return [table.title, table.unit, columns, section]


def number_chunks(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Chunks in reading order, numbered from 0."""
    ordered = sorted(chunks, key=lambda c: (c.spans[0].page, c.spans[0].start, c.kind))
    return tuple(replace(chunk, number=i) for i, chunk in enumerate(ordered))
