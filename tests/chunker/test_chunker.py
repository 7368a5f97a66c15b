import itertools
from dataclasses import replace

import pytest

from src.chunker import chunk_document
from src.records import Block, BlockKind, Cell, Chunk, Document, Page, Table, TableRow, span_text
from src.retriever.passages import sentence_pieces
from src.settings import Settings
from tests.factories import document_from_text, page_from_text

LONG = " ".join(f"Sentence number {i} says something of its own." for i in range(40))


def chunks_of(document: Document, **options: object) -> tuple[Chunk, ...]:
    return chunk_document(document, Settings.model_validate(options))


def assert_exact(document: Document, chunks: tuple[Chunk, ...]) -> None:
    for chunk in chunks:
        joint = "\n" if chunk.kind == "table" else " "
        assert chunk.text == span_text(document.pages, chunk.spans, joint)
        pieces = [span_text(document.pages, piece, joint) for piece in sentence_pieces(chunk)]
        for start, piece in zip(chunk.starts, pieces, strict=True):
            assert chunk.text[start:].startswith(piece.strip())


def with_kinds(page: Page, **kinds: BlockKind) -> Page:
    """The page with the blocks whose text begins with a key turned into that kind."""
    blocks = tuple(
        replace(
            block,
            kind=next((k for t, k in kinds.items() if page.text[block.start :].startswith(t)), block.kind),
        )
        for block in page.blocks
    )
    return replace(page, blocks=blocks)


def test_chunks_hold_whole_sentences_and_repeat_one() -> None:
    document = document_from_text(LONG)
    chunks = chunks_of(document)
    assert len(chunks) > 2
    assert_exact(document, chunks)
    for chunk, following in itertools.pairwise(chunks):
        assert len(chunk.text) <= 600
        assert chunk.text.endswith(".")
        last = chunk.text[chunk.starts[-1] :]
        assert following.text.startswith(last)


def test_overlap_of_none_repeats_nothing() -> None:
    chunks = chunks_of(document_from_text(LONG), chunk_overlap=0)
    assert " ".join(chunk.text for chunk in chunks) == LONG


def test_a_sentence_over_a_page_break_keeps_both_pages() -> None:
    first = page_from_text(
        1, "The board of the company met in the spring and decided to sell the\n\nfoot 1 See note.\n\n- 1 -"
    )
    second = page_from_text(2, "Top of page\n\nNew York office to the highest bidder. Then it adjourned.")
    document = document_from_text("x", "y")
    document = replace(
        document,
        pages=(
            with_kinds(first, foot=BlockKind.FOOTNOTE, **{"- 1": BlockKind.MARGIN}),
            with_kinds(second, Top=BlockKind.MARGIN),
        ),
    )
    body, foot = sorted(chunks_of(document), key=lambda chunk: chunk.kind != "prose")
    assert body.pages == (1, 2)
    assert body.text == (
        "The board of the company met in the spring and decided to sell the "
        "New York office to the highest bidder. Then it adjourned."
    )
    assert len(body.starts) == 2
    assert (foot.kind, foot.text) == ("footnote", "foot 1 See note.")
    assert_exact(document, (body, foot))


def test_headings_make_a_path_and_begin_a_chunk() -> None:
    document = document_from_text("# One\n\nFirst text.\n\n# Two\n\n# Three\n\nSecond text.")
    page = document.pages[0]
    levels = iter((1, 1, 2))
    blocks = tuple(replace(b, level=next(levels)) if b.kind is BlockKind.HEADING else b for b in page.blocks)
    document = replace(document, title="The Title", pages=(replace(page, blocks=blocks),))
    first, second = chunks_of(document)
    assert (first.text, first.headings) == ("One\n\nFirst text.", ("One",))
    assert (second.text, second.headings) == ("Two\n\nThree\n\nSecond text.", ("Two", "Three"))
    assert second.context == "The Title\nTwo > Three"


def test_a_sentence_longer_than_a_chunk_is_cut_at_clauses() -> None:
    text = "It began, " + "and it went on and on, " * 60 + "until it ended."
    document = document_from_text(text)
    chunks = chunks_of(document, chunk_overlap=0)
    assert all(len(chunk.text) <= 600 for chunk in chunks)
    assert all(chunk.text.endswith(",") for chunk in chunks[:-1])
    assert_exact(document, chunks)


def test_paragraph_mode_keeps_paragraphs_whole() -> None:
    paragraphs = [
        f"Paragraph {i} opens here. It has a second sentence that is a little longer." for i in range(12)
    ]
    document = document_from_text("\n\n".join(paragraphs))
    chunks = chunks_of(document, chunk_mode="paragraph", chunk_chars=300)
    assert_exact(document, chunks)
    assert [chunk.text.split("\n\n")[0] for chunk in chunks[1:]] == [
        c.text.split("\n\n")[-1] for c in chunks[:-1]
    ]
    assert {part for chunk in chunks for part in chunk.text.split("\n\n")} == set(paragraphs)


def table_document(rows: int) -> Document:
    lines = [f"Item {i}\t{i},000\t{i + 1},000" for i in range(rows)]
    text = "Sales of the year\n\n" + "\n".join(lines)
    page = page_from_text(1, text)
    position, made = len("Sales of the year\n\n"), []
    for line in lines:
        cells, at = [], position
        for column, cell in enumerate(line.split("\t")):
            cells.append(Cell(at, at + len(cell), column))
            at += len(cell) + 1
        made.append(TableRow(position, position + len(line), tuple(cells)))
        position += len(line) + 1
    table = Table("Net sales", "in millions", ("", "2022", "2021"), tuple(made))
    blocks = (page.blocks[0], Block(BlockKind.TABLE, page.blocks[1].start, len(text), table=0))
    return replace(document_from_text("x"), pages=(replace(page, blocks=blocks, tables=(table,)),))


def test_tables_are_cut_between_rows_and_carry_their_headers() -> None:
    document = table_document(60)
    chunks = [chunk for chunk in chunks_of(document) if chunk.kind == "table"]
    assert len(chunks) > 1
    assert_exact(document, tuple(chunks))
    assert [row for chunk in chunks for row in range(*chunk.rows)] == list(range(60))
    assert chunks[0].table == (1, 0)
    assert chunks[0].context == "Net sales\nin millions\n2022 | 2021"
    assert chunks[0].text.startswith("Item 0\t0,000\t1,000\n")
    assert "Net sales" not in chunks[0].text


@pytest.mark.parametrize("text", ["", "   ", "# Only a heading"])
def test_pages_with_next_to_nothing(text: str) -> None:
    chunks = chunks_of(document_from_text(text))
    assert [chunk.text for chunk in chunks] == ([text.removeprefix("# ")] if text.strip() else [])
