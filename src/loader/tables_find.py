"""All tables of a page."""

from __future__ import annotations

from collections.abc import Sequence

from src.loader.layout import Word
from src.loader.tables import FoundTable
from src.loader.tables_aligned import find_runs, is_data
from src.loader.tables_body import build_table
from src.loader.tables_prose import without_prose
from src.loader.tables_segments import segment_rows
from src.records import FloatArray


def find_tables(words: Sequence[Word], rules: FloatArray) -> list[FoundTable]:
    """Tables among ``words`` (one direction of reading, in its frame) with the drawn ``rules``, from top to bottom."""
    rows = segment_rows(words)
    if not any(is_data(row) for row in rows):
        return []
    rows = segment_rows(without_prose(words, rows))
    tables: list[FoundTable] = []
    floor = 0
    for run in find_runs(rows):
        tables.append(build_table(rows, run, rules, floor))
        floor = run.last + 1
    return tables
