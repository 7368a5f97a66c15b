"""Measure how well tables are read: does each printed value stand under its row label and its column header?

``python -m evaluation.tables --pdfs DIR [DIR ...] [--doc NAME ...] [--out R.json]`` reads the PDFs with the loader
and compares ``Page.tables`` with ``evaluation/gold/tables.jsonl``, whose cells were copied from the page images.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.gold_documents import run, with_pages
from evaluation.independent_text import squeeze
from evaluation.metrics import Ratio, summarise
from src.records import Cell, Page, Table, TableRow
from src.settings import Settings

GOLD_TABLES = Path(__file__).parent / "gold" / "tables.jsonl"
FOOTNOTE_CHARS = 6  # "Goodwill(1)(2)": what may stand after or before a label without making it another one
_SIGNS = re.compile(r"[$¥€£%,.]+$|^[$¥€£]+|[$¥€£]")


@dataclass(frozen=True, slots=True)
class GoldCell:
    """A printed value with its row label, the words of all its header levels, and the section row above, if any."""

    row: str
    column: str
    value: str
    section: str = ""


@dataclass(frozen=True, slots=True)
class GoldTable:
    """Cells of one table on one page; ``title`` is for people, it is not compared."""

    doc: str
    page: int
    title: str
    cells: tuple[GoldCell, ...]


@dataclass(frozen=True, slots=True)
class CellReading:
    """What of a gold cell was found: its value in its row, under its header, in its section; all in one place."""

    gold: GoldCell
    row: bool
    column: bool
    section: bool
    headers_seen: tuple[str, ...]

    def values(self) -> dict[str, Ratio]:
        """Ones and zeros; ``section`` is asked only of cells that stand under a section row and were found."""
        made = {"row": Ratio(self.row), "row_and_column": Ratio(self.column)}
        if self.gold.section:
            made["section"] = Ratio(self.section)
        return made


def read_gold(path: Path = GOLD_TABLES) -> tuple[GoldTable, ...]:
    """The gold tables of a JSON-lines file."""
    tables = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        cells = tuple(GoldCell(**cell) for cell in fields["cells"])
        tables.append(GoldTable(fields["doc"], fields["page"], fields["title"], cells))
    return tuple(tables)


def same_value(gold: str, read: str) -> bool:
    """Whether two printed values agree; white space, currency and a closing percent sign do not count."""
    return _value(gold) == _value(read)


def _value(text: str) -> str:
    return _SIGNS.sub("", squeeze(text)).strip("%")


def same_label(gold: str, read: str) -> bool:
    """Whether two labels agree but for a footnote mark, a colon or leader dots."""
    wanted, found = _label(gold), _label(read)
    return bool(wanted) and wanted in found and len(found) - len(wanted) <= FOOTNOTE_CHARS


def _label(text: str) -> str:
    return re.sub(r"\.{2,}|[:*†]", "", squeeze(text)).casefold()


def has_words(header: str, wanted: str) -> bool:
    """Whether every word of ``wanted`` stands in ``header``; footnote digits stuck to a word do not count."""
    words = _words(header)
    return all(word in words or any(_is_marked(other, word) for other in words) for word in _words(wanted))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+|#\w*", unicodedata.normalize("NFKC", text).casefold()))


def _is_marked(read: str, word: str) -> bool:
    return read.startswith(word) and read[len(word) :].isdigit() and not word.isdigit()


def judge(gold: GoldCell, page: Page) -> CellReading:
    """Look for a gold cell in all tables of a page; the best place counts."""
    places = [
        (has_words(header, gold.column), _in_section(gold, row), header)
        for table, row, header in _places(gold, page)
        if table.rows
    ]
    under = [place for place in places if place[0]]
    return CellReading(
        gold,
        row=bool(places),
        column=bool(under),
        section=any(place[1] for place in under),
        headers_seen=tuple(dict.fromkeys(place[2] for place in places)),
    )


def _places(gold: GoldCell, page: Page) -> Iterator[tuple[Table, TableRow, str]]:
    """Rows that hold the value beside the label, each with the header over the value."""
    for table in page.tables:
        for row in table.rows:
            texts = [page.text[cell.start : cell.end] for cell in row.cells]
            for i, (cell, text) in enumerate(zip(row.cells, texts, strict=True)):
                if same_value(gold.value, text) and any(
                    same_label(gold.row, other) for j, other in enumerate(texts) if j != i
                ):
                    yield table, row, _header(table, cell)


def _header(table: Table, cell: Cell) -> str:
    return " / ".join(dict.fromkeys(table.columns[cell.column : cell.column + cell.width]))


def _in_section(gold: GoldCell, row: TableRow) -> bool:
    return any(same_label(gold.section, section) for section in row.section)


def measure(
    gold: Sequence[GoldTable], folders: Sequence[Path], options: Settings
) -> Iterator[tuple[GoldTable, list[CellReading]]]:
    """Judge the gold tables; in a document that cannot be read nothing is found."""
    for table, pages in with_pages(gold, folders, options):
        page = pages.get(table.page)
        nothing = (CellReading(cell, False, False, False, ()) for cell in table.cells)
        yield table, [judge(cell, page) for cell in table.cells] if page else list(nothing)


def report(judged: Iterable[tuple[GoldTable, list[CellReading]]]) -> dict[str, Any]:
    """The figures over cells, with intervals drawn over tables, and the cells that were not found."""
    tables, values = [], []
    for table, readings in judged:
        sums: dict[str, Ratio] = {}
        for reading in readings:
            for name, ratio in reading.values().items():
                before = sums.get(name, Ratio(0.0, 0.0))
                sums[name] = Ratio(before.above + ratio.above, before.below + ratio.below)
        values.append(("", sums))
        tables.append(
            {
                "doc": table.doc,
                "page": table.page,
                "title": table.title,
                "cells": len(readings),
                "row": sum(reading.row for reading in readings),
                "row_and_column": sum(reading.column for reading in readings),
                "wrong": [
                    {
                        "row": reading.gold.row,
                        "column": reading.gold.column,
                        "value": reading.gold.value,
                        "headers_seen": list(reading.headers_seen),
                    }
                    for reading in readings
                    if not reading.column
                ],
            }
        )
    return {"metrics": summarise(values), "tables": tables}


def print_report(result: dict[str, Any]) -> None:
    """A line a table, worst first, with its wrong cells, then the figures."""
    for table in sorted(result["tables"], key=lambda table: table["row_and_column"] / table["cells"]):
        print(
            f"{table['doc']} p{table['page']} {table['title']}: {table['row_and_column']} of {table['cells']} under "
            f"the right header, {table['row']} in the right row"
        )
        for cell in table["wrong"]:
            seen = f", header read: {' | '.join(cell['headers_seen'])!r}" if cell["headers_seen"] else ""
            print(f"    {cell['row']!r} / {cell['column']!r} = {cell['value']!r}{seen}")
    for name, entry in result["metrics"]["all"].items():
        print(
            f"{name} {entry['value']:.1%} [{entry['low']:.1%}, {entry['high']:.1%}] over {entry['n']} tables"
        )


def main(argv: list[str] | None = None) -> int:
    """Measure and print; with --out the whole report is written as JSON."""
    return run(
        "Measure tables against the gold cells.",
        read_gold(),
        lambda gold, folders, options: report(measure(gold, folders, options)),
        print_report,
        argv,
    )


if __name__ == "__main__":
    sys.exit(main())
