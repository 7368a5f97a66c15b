"""Questions for the most or the least of a table's column: "which state had the most checks?".

No sentence says so, and every row is as near to the question as any other. The column is read as a whole, over the
pages that the table runs on, and the row with the greatest or smallest value is quoted; how many rows were compared is
said beside it. Where no column is plainly the one that is asked for, nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from src.answerer.numbers import quantities
from src.answerer.questions import Question
from src.answerer.terms import content_terms, stem
from src.answerer.wordlists import words_of
from src.records import Cell, Document, Page, Passage, Table, TableRow

FEWEST = 3  # rows worth comparing
SHARE = 0.6  # of a column's cells that hold one number each
ALIKE = 3  # rows with the same value that are told
# What an adjective compares, as a column prints it.
_COMPARED = {
    "expensive": words_of("price cost amount fee charge total"),
    "cheapest": words_of("price cost amount fee charge total"),
    "longest": words_of("duration length time"),
    "shortest": words_of("duration length time"),
    "heaviest": words_of("weight mass"),
    "tallest": words_of("height"),
    "oldest": words_of("age"),
    "youngest": words_of("age"),
    "hottest": words_of("temperature"),
    "loudest": words_of("noise"),
    "fastest": words_of("speed"),
}
_MOST = r"most|highest|largest|biggest|greatest|longest|tallest|heaviest|oldest|hottest|loudest|fastest|maximum|max"
_LEAST = r"fewest|lowest|smallest|least|shortest|youngest|minimum|min|cheapest"
_EXTREME = re.compile(
    rf"^\W*(?:which|what|who|in which|at which|for which)\b.*?\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\b"
    r"(?! (?:of|recent|recently|important|likely|common|commonly|often|notably|significant)\b)",
    re.IGNORECASE,
)
_NOT_ONE = re.compile(r"\bat (?:the )?(?:most|least)\b|\b(?:top|bottom) \d|\bmost of\b", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:which|what)\s+(?P<noun>[\w-]+)", re.IGNORECASE)
_TOTAL = re.compile(r"^\W*(?:grand |sub-?)?(?:totals?|sum|average|mean|all|overall)\b", re.IGNORECASE)
_COUNT = re.compile(r"^\W*(?:(?:no|nos|number|count|amount|quantity|value)\b\.?(?: of)?)?\W*$", re.IGNORECASE)
_SUPERLATIVE = words_of(f"{_MOST}|{_LEAST}".replace("|", " ") + " ever total totals number")


@dataclass(frozen=True, slots=True)
class ExtremeRow:
    """A row with the value that was compared, as it is ``written``; ``table`` is its place among its page's tables."""

    label: str
    value: Decimal
    written: str
    page: Page
    table: int
    row: TableRow


@dataclass(frozen=True, slots=True)
class Extreme:
    """The rows that have the most (or the least) under ``header`` among the ``compared`` ones of ``document_id``.

    ``rows`` are at most ALIKE of those ``alike``.
    """

    document_id: str
    header: str
    rows: tuple[ExtremeRow, ...]
    compared: int
    alike: int
    word: str

    def say(self, row: ExtremeRow) -> str:
        """The row in words: "Kentucky — Totals: 310,118 (the most of the 55 rows compared)"."""
        told = f"{self.header}: {row.written}" if self.header else row.written
        shared = f", which {self.alike} of them have" if self.alike > 1 else ""
        return f"{row.label} — {told} (the {self.word} of the {self.compared} rows compared{shared})"


def find_extreme(
    question: Question, passages: Sequence[Passage], documents: Mapping[str, Document]
) -> Extreme | None:
    """What ``question`` asks for in the first table of ``passages`` that plainly tells it.

    None where nothing of that kind is asked for, or no table tells it.
    """
    match = _EXTREME.match(question.text)
    if match is None or _NOT_ONE.search(question.text):
        return None
    for passage in passages:
        if passage.table is None or passage.document_id not in documents:
            continue
        document = documents[passage.document_id]
        table = document.pages[passage.table[0] - 1].tables[passage.table[1]]
        if (found := _compare(question, table, document)) is None:
            continue
        header, rows = found
        best = (max if match["most"] else min)(row.value for row in rows)
        first = [row for row in rows if row.value == best]
        word = (match["most"] or match["least"]).lower()
        return Extreme(document.id, header, tuple(first[:ALIKE]), len(rows), len(first), word)
    return None


def _compare(question: Question, table: Table, document: Document) -> tuple[str, list[ExtremeRow]] | None:
    """The header and rows of the column that is asked for; None when there is no such column."""
    noun = _NOUN.search(question.text)
    entity = {t.stem for t in content_terms(noun["noun"], question.language)} if noun else set()
    meant = (stem(word) for term in question.terms for word in _COMPARED.get(term.word, ()))
    wanted = {t.stem for t in question.terms if t.word not in _SUPERLATIVE} - entity | set(meant)
    labels = _label_column(table, entity, question.language)
    rows = list(_rows(table, document))
    numeric = [
        column
        for column in range(len(table.columns))
        if column != labels and len(rows) and _numbers(rows, column) >= SHARE * len(rows)
    ]
    column = _column(table, numeric, wanted, labels is not None and bool(entity), question.language)
    if column is None:
        return None
    read = [_read(page, number, row, labels or 0, column) for page, number, row in rows]
    kept = [row for row in read if row is not None and row.label and not _TOTAL.match(row.label)]
    return (table.columns[column], kept) if len(kept) >= FEWEST else None


def _label_column(table: Table, entity: set[str], language: str) -> int | None:
    """The column that names what is asked for, by its header; None when no header has its name."""
    return next((i for i, header in enumerate(table.columns) if entity & _stems(header, language)), None)


def _column(table: Table, numeric: Sequence[int], wanted: set[str], named: bool, language: str) -> int | None:
    """Of the columns of numbers the one whose header says most of what is wanted, else that of the totals."""
    if not numeric:
        return None
    stems = {i: _stems(table.columns[i], language) for i in numeric}
    shared = {i: len(wanted & stems[i]) for i in numeric}
    most = max(shared.values())
    if most:
        best = [i for i in numeric if shared[i] == most]
        plain = [i for i in best if stems[i] <= wanted]  # "Handgun" beside "Pre-Pawn / Handgun"
        return best[0] if len(best) == 1 else plain[0] if len(plain) == 1 else None
    title = wanted & _stems(table.title, language)
    totals = [i for i in numeric if _TOTAL.match(table.columns[i])]
    if title and len(totals) == 1:
        return totals[0]
    only = len(numeric) == 1 and bool(_COUNT.match(table.columns[numeric[0]]))
    return numeric[0] if only and (named or title) else None


def _stems(text: str, language: str) -> set[str]:
    return {term.stem for term in content_terms(text, language)}


def _rows(table: Table, document: Document) -> Iterator[tuple[Page, int, TableRow]]:
    """The rows of ``table`` on every page that it runs on, with the place of their part among the page's tables."""
    for page in document.pages:
        for number, other in enumerate(page.tables):
            if other is table or (other.columns == table.columns and other.title == table.title):
                yield from ((page, number, row) for row in other.rows if not row.header)


def _cell(row: TableRow, column: int) -> Cell | None:
    return next((cell for cell in row.cells if cell.column == column), None)


def _number(text: str) -> Decimal | None:
    """The one number that a cell holds; None for a date, for words and for several."""
    found = quantities(text)
    return found[0].amount if len(found) == 1 and found[0].kind == "number" else None


def _numbers(rows: Sequence[tuple[Page, int, TableRow]], column: int) -> int:
    cells = ((page, _cell(row, column)) for page, _, row in rows)
    return sum(_number(page.text[c.start : c.end]) is not None for page, c in cells if c is not None)


def _read(page: Page, number: int, row: TableRow, labels: int, column: int) -> ExtremeRow | None:
    name, cell = _cell(row, labels), _cell(row, column)
    if name is None or cell is None:
        return None
    written = page.text[cell.start : cell.end].strip()
    value = _number(written)
    label = " / ".join([*row.section, page.text[name.start : name.end].strip()])
    return None if value is None else ExtremeRow(label, value, written, page, number, row)
