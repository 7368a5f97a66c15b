"""The table measure asks for a value in its row, under its header, in its section."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.platypus import SimpleDocTemplate
from reportlab.platypus import Table as PrintedTable

from evaluation import tables
from src.records import Block, BlockKind, Cell, Page, Table, TableRow


def page_with_table(columns: tuple[str, ...], rows: list[tuple[tuple[str, ...], tuple[str, ...]]]) -> Page:
    """A page of one table: rows of cell texts with their section."""
    text, made = "", []
    for cells, section in rows:
        start, spans = len(text), []
        for column, value in enumerate(cells):
            spans.append(Cell(len(text), len(text) + len(value), column))
            text += value + "\t"
        text = text[:-1]
        made.append(TableRow(start, len(text), tuple(spans), section=section))
        text += "\n"
    boxes = np.full((len(text), 4), np.nan, dtype=np.float32)
    blocks = (Block(BlockKind.TABLE, 0, len(text), table=0),)
    return Page(1, "", 595, 842, text, boxes, blocks, (Table("", "", columns, tuple(made)),))


PAGE = page_with_table(
    ("", "December 31, / 2022", "December 31, / 2021", "Change1"),
    [
        (("Barges(1)", "$ 1,200", "900", "33 %"), ("Traffic",)),
        (("Tolls", "(14)", "(9)", "nm"), ("Money:",)),
    ],
)


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        (tables.GoldCell("Barges", "December 31, 2022", "1,200", "Traffic"), (True, True, True)),
        (tables.GoldCell("Barges", "December 31, 2021", "900"), (True, True, False)),
        (tables.GoldCell("Barges", "Change", "33%"), (True, True, False)),
        (tables.GoldCell("Tolls", "December 31, 2022", "(14)", "Money"), (True, True, True)),
        (tables.GoldCell("Tolls", "December 31, 2022", "(14)", "Traffic"), (True, True, False)),
        (tables.GoldCell("Tolls", "December 31, 2021", "(14)"), (True, False, False)),
        (tables.GoldCell("Tolls", "December 31, 2022", "14"), (False, False, False)),
        (tables.GoldCell("Tolls", "December 31, 2022", "1,200"), (False, False, False)),
        (tables.GoldCell("Barge tolls", "December 31, 2022", "(14)"), (False, False, False)),
    ],
)
def test_a_cell_is_judged_by_row_header_and_section(
    cell: tables.GoldCell, found: tuple[bool, bool, bool]
) -> None:
    read = tables.judge(cell, PAGE)
    assert (read.row, read.column, read.section) == found


def test_the_headers_read_are_told() -> None:
    read = tables.judge(tables.GoldCell("Tolls", "Fees", "(9)"), PAGE)
    assert read.headers_seen == ("December 31, / 2021",)


@pytest.mark.parametrize(
    ("gold", "read", "same"),
    [
        ("Goodwill", "Goodwill(1)(2)", True),
        ("Goodwill", "Goodwill .........", True),
        ("Goodwill", "Goodwill and other assets", False),
        ("Total", "Subtotal of all", False),
        ("", "anything", False),
    ],
)
def test_labels_agree_but_for_footnote_marks(gold: str, read: str, same: bool) -> None:
    assert tables.same_label(gold, read) is same


@pytest.mark.parametrize(
    ("header", "wanted", "has"),
    [
        ("% Change / Operational1,2", "% Change Operational", True),
        ("Operational1,2", "% Change Operational", False),
        ("2022 / Net sales", "Net sales 2022", True),
        ("20221", "2022", False),
        ("# Bins", "# Bins", True),
    ],
)
def test_headers_hold_every_word(header: str, wanted: str, has: bool) -> None:
    assert tables.has_words(header, wanted) is has


def test_a_made_pdf_is_read_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = PrintedTable(
        [["Vessel", "2021", "2022"], ["Barges", "900", "1,200"], ["Ferries", "77", "81"]],
        style=[("GRID", (0, 0), (-1, -1), 1, "black")],
    )
    SimpleDocTemplate(str(tmp_path / "harbour.pdf"), pagesize=A4).build([printed])
    cells = (tables.GoldCell("Barges", "2022", "1,200"), tables.GoldCell("Ferries", "2022", "77"))
    monkeypatch.setattr(tables, "read_gold", lambda: (tables.GoldTable("harbour", 1, "Vessels", cells),))
    out = tmp_path / "report.json"
    assert tables.main(["--pdfs", str(tmp_path), "--out", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert (result["tables"][0]["row"], result["tables"][0]["row_and_column"]) == (2, 1)
    assert result["metrics"]["all"]["row_and_column"]["value"] == 0.5
    assert "'Ferries' / '2022' = '77', header read: '2021'" in capsys.readouterr().out


def test_the_committed_tables_are_well_formed() -> None:
    gold = tables.read_gold()
    assert len(gold) >= 25
    assert len({(table.doc, table.page) for table in gold}) == len(gold)
    for table in gold:
        assert 8 <= len(table.cells) <= 12, table.title
        assert all(cell.row and cell.column and cell.value for cell in table.cells), table.title
