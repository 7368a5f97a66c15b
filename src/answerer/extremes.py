"""Questions for the most or the least in a table: "which state had the most checks?", "which model is the quietest?".

No sentence says so, and every row is as near to the question as any other. The column is read as a whole, over the
pages that the table runs on, and the row with the greatest or smallest value is quoted; where the things compared are
the columns, the row is read so. How many were compared is said beside it. Where no column or row is plainly the one that
is asked for, nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from src.answerer.grids import parts_of, tables_of
from src.answerer.magnitudes import Magnitude, comparable, magnitude
from src.answerer.numbers import quantities
from src.answerer.questions import Question
from src.answerer.superlatives import ADJECTIVES, ITEMS, SUPERLATIVES, VARIANTS, Sense, senses
from src.answerer.terms import content_terms, fold_word, stem
from src.answerer.wordlists import words_of
from src.records import Cell, Document, Page, Passage, Table, TableRow

FEWEST = 3  # rows worth comparing
FEWEST_COLUMNS = 2
SHARE = 0.6  # of a column's cells that hold one number each
ALIKE = 3  # rows with the same value that are told
NAMED = 1.5  # what a header that names what is compared counts beside a word of the question
MEASURED = 0.5  # ... and one whose values have the unit
_MOST = "most|greatest|maximum|max"
_LEAST = "fewest|least|minimum|min"
# These compare whatever the question names beside them, "the longest runway"; "the cheapest berth" compares no berths.
_LOOSE = words_of(
    f"{_MOST}|{_LEAST}|highest|largest|biggest|longest|lowest|smallest|shortest|strongest|weakest".replace(
        "|", " "
    )
)
_UPWARD = words_of(f"{_MOST}|highest|largest|biggest|longest|strongest".replace("|", " "))
_EXTREME = re.compile(
    r"^\W*(?:which|what|who|in which|at which|for which)\b.*?"
    rf"\b(?:(?P<sign>most|least)\s+(?P<adjective>{'|'.join(sorted(ADJECTIVES))})"
    rf"|(?P<word>{_MOST}|{_LEAST}|{'|'.join(sorted(SUPERLATIVES))}))\b"
    r"(?! (?:of|recent|recently|important|likely|common|commonly|often|notably|significant)\b)",
    re.IGNORECASE,
)
_NOT_ONE = re.compile(
    r"\bat (?:the )?(?:most|least|latest|earliest)\b|\b(?:top|bottom) \d|\bmost of\b", re.IGNORECASE
)
_NOUN = re.compile(
    r"\b(?:which|what)\s+(?!(?:is|was|are|were|of|one|has|have|had|does|do|did)\b)(?P<noun>[\w-]+)",
    re.IGNORECASE,
)
_PEOPLE = frozenset(
    map(stem, ["name", "person", "player", "member", "employee", "pupil", "student", "child"])
)
_DATED = ("date", "clock")
_TOTAL = re.compile(r"^\W*(?:grand |sub-?)?(?:totals?|sum|average|mean|all|overall)\b", re.IGNORECASE)
_SUMS = re.compile(
    r"\b(?:sub-?)?totals?\b|\bsum\b|\bvat\b|\btax\b|\boutstanding\b|\bbalance\b|\bdiscount\b|\bpayments?\b|\bpaid\b|\bdeposit\b",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_COUNT = re.compile(r"^\W*(?:(?:no|nos|number|count|amount|quantity|value)\b\.?(?: of)?)?\W*$", re.IGNORECASE)
_ANY = _LOOSE | SUPERLATIVES | ADJECTIVES | words_of("ever total totals number")


@dataclass(frozen=True, slots=True)
class Compared:
    """One of the things compared, with its value as it is ``written``, and the row that holds it."""

    label: str
    value: Magnitude
    written: str
    page: Page
    row: TableRow


@dataclass(frozen=True, slots=True)
class Extreme:
    """The things that have the most (or the least) under ``header`` among the ``compared`` ones of ``document_id``.

    ``rows`` are at most ALIKE of those ``alike``; ``kind`` says what of the table was compared, "rows" or "columns".
    """

    document_id: str
    header: str
    rows: tuple[Compared, ...]
    compared: int
    alike: int
    word: str
    kind: str

    def say(self, row: Compared) -> str:
        """The row in words: "Kentucky — Totals: 310,118 (the most of the 55 rows compared)"."""
        told = f"{self.header}: {row.written}" if self.header else row.written
        shared = f", which {self.alike} of them have" if self.alike > 1 else ""
        return f"{row.label} — {told} (the {self.word} of the {self.compared} {self.kind} compared{shared})"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question compares: by the ``word`` as it is said, of things that ``entity`` names (stems), in what
    ``wanted`` names; ``senses`` are what the word itself may compare, and ``loose`` says that it may be anything."""

    word: str
    most: bool
    entity: frozenset[str]
    wanted: frozenset[str]
    senses: tuple[Sense, ...]
    loose: bool
    language: str

    @property
    def is_dated(self) -> bool:
        """Whether it compares dates: "the newest"."""
        return any("date" in sense.dimensions for sense in self.senses)


@dataclass(frozen=True, slots=True)
class _Line:
    """A column or a row that may be the one compared: its name, what it holds, and the dimension of that."""

    header: str
    things: tuple[Compared, ...]
    dimension: str


def find_extreme(
    question: Question, passages: Sequence[Passage], documents: Mapping[str, Document]
) -> Extreme | None:
    """What ``question`` asks for in the first table of ``passages`` that plainly tells it.

    None where nothing of that kind is asked for, or no table tells it.
    """
    asked = _read(question)
    if asked is None:
        return None
    for least in (1.0, MEASURED):  # what a header names goes before what its unit alone allows
        for passage in passages:
            document = documents.get(passage.document_id)
            if document is None:
                continue
            for page, table in tables_of(passage, document):
                around = _stems(f"{table.title} {' '.join(passage.headings)}", asked.language)
                found = _in_table(asked, table, list(parts_of(table, page, document)), around, least)
                if found is not None:
                    return replace(found, document_id=document.id)
    return None


def _read(question: Question) -> _Asked | None:
    match = _EXTREME.match(question.text)
    if match is None or _NOT_ONE.search(question.text):
        return None
    word = fold_word(match["word"] or match["adjective"])
    least = bool(match["sign"]) and match["sign"].lower() == "least"
    noun = _NOUN.search(question.text)
    if noun is None or fold_word(noun["noun"]) in _ANY:  # "what is the cheapest plan?"
        noun = re.match(r"\s+(?P<noun>[\w-]+)", question.text[match.end() :])
    entity = {t.stem for t in content_terms(noun["noun"], question.language)} if noun else set()
    if question.text.lower().lstrip().startswith("who"):
        entity |= _PEOPLE
    return _Asked(
        " ".join(match[name] for name in ("sign", "adjective", "word") if match[name]).lower(),
        word in _UPWARD,
        frozenset(entity),
        frozenset(t.stem for t in question.terms if t.word not in _ANY) - entity,
        senses(word, least=least),
        word in _LOOSE,
        question.language,
    )


def _in_table(asked: _Asked, table: Table, rows: _Rows, around: set[str], least: float) -> Extreme | None:
    """What the rows of ``table`` tell, or its columns, where what is compared is named at ``least`` so well."""
    for kind, lines in (
        ("rows", _down(asked, table, rows, around)),
        ("columns", _across(asked, table, rows, around)),
    ):
        if kind == "columns" and least < 1:
            continue  # of the properties of a thing many have the same unit
        found = _chosen(asked, lines, around, least)
        if found is None and kind == "rows" and asked.loose:
            named = any(asked.entity & _stems(header, asked.language) for header in table.columns)
            found = _only(asked, lines, table, named)
        if found is not None:
            header, things, first = found
            return Extreme("", header, tuple(first[:ALIKE]), len(things), len(first), asked.word, kind)
    return None


_Rows = Sequence[tuple[Page, TableRow]]
_Found = tuple[str, Sequence[Compared], list[Compared]]


def _down(asked: _Asked, table: Table, rows: _Rows, around: set[str]) -> list[_Line]:
    """The columns that can be compared, none where the rows are not the things that are asked for."""
    columns = range(len(table.columns))
    heads = [_stems(header, asked.language) for header in table.columns]
    named = next((i for i in columns if asked.entity & heads[i]), None)
    sums = _TOTAL
    if named is None and asked.entity & ITEMS:
        named, sums = next((i for i in columns if ITEMS & heads[i]), None), _SUMS
    lines = []
    for column in columns:
        things, dimension = _read_column(rows, column, named or 0) if column != named else ([], "")
        kept = tuple(t for t in things if t.label and not sums.search(t.label))
        if len(things) >= SHARE * len(rows) and len(kept) >= FEWEST:
            lines.append(_Line(table.columns[column], kept, dimension))
    if asked.loose:
        return lines
    lines = [line for line in lines if any(_LETTER.search(t.label) for t in line.things)]
    labels = {s for line in lines for t in line.things for s in _stems(t.label, asked.language)}
    if named is None and (asked.is_dated or (asked.entity and not asked.entity & (around | labels))):
        return []  # compares other things, or the dates of anything
    return lines


def _across(asked: _Asked, table: Table, rows: _Rows, around: set[str]) -> list[_Line]:
    """The rows that can be compared, none where the columns are not the things that are asked for."""
    named = asked.entity & (around | VARIANTS)
    if not named and (asked.entity or asked.loose):
        return []  # compares other things
    lines = []
    for page, row in rows:
        label = _cell(row, 0)
        cells = [c for c in row.cells if c.column and c.width == 1 and table.columns[c.column].strip()]
        if label is None or len(cells) < max(FEWEST_COLUMNS, len(row.cells) - 1):
            continue
        names = [table.columns[c.column].strip() for c in cells]
        things, dimension = _things(list(zip(names, [(page, row, c) for c in cells], strict=True)))
        if len(things) == len(cells) and not any(_is_dated(name) or _TOTAL.match(name) for name in names):
            header = page.text[label.start : label.end].strip()
            lines.append(_Line(header, tuple(things), dimension))
    return lines


def _chosen(asked: _Asked, lines: Sequence[_Line], around: set[str], least: float) -> _Found | None:
    """Of ``lines`` the one that says most of what is asked for, with the first of it; None where two may be meant."""
    for sense in asked.senses or (None,):
        scores = [_score(asked, sense, line) for line in lines]
        best = max(scores, default=0.0)
        if best < least:
            continue
        found = [line for line, score in zip(lines, scores, strict=True) if score == best]
        if not asked.loose and any(_is_narrowed(asked, line, around) for line in found):
            return None
        plain = [line for line in found if _stems(line.header, asked.language) <= asked.wanted]
        most = asked.most if sense is None else sense.most
        if len(found) > 1 and len(plain) == 1:  # "Handgun" beside "Pre-Pawn / Handgun"
            found = plain
        firsts = [_first(line.things, most) for line in found]
        agreed = sense is not None and len({tuple(t.label for t in first) for first in firsts}) == 1
        if sense is not None and not (agreed or asked.loose):
            found = _plainest(sense, found, asked.language)
            firsts = [_first(line.things, most) for line in found]
        return (found[0].header, found[0].things, firsts[0]) if len(found) == 1 or agreed else None
    return None


def _plainest(sense: Sense, lines: Sequence[_Line], language: str) -> list[_Line]:
    """Of ``lines`` those whose header has the plainest word of all: "Amount" beside "Unit price"."""
    ranks = [
        min((place for place, name in enumerate(sense.stems) if name in stems), default=len(sense.stems))
        for stems in (_stems(line.header, language) for line in lines)
    ]
    return [line for line, rank in zip(lines, ranks, strict=True) if rank == min(ranks)]


def _score(asked: _Asked, sense: Sense | None, line: _Line) -> float:
    """How far a column or row is the one compared, 0 for not at all."""
    stems = _stems(line.header, asked.language)
    own = float(len(asked.wanted & stems))
    named = measured = False
    if sense is not None:
        named = not stems.isdisjoint(sense.stems) and sense.suits(line.dimension)
        measured = line.dimension in sense.dimensions
    if not (named or measured):
        return own if asked.loose and line.dimension not in _DATED else 0.0
    return own + NAMED * named + MEASURED * measured


def _is_narrowed(asked: _Asked, line: _Line, around: set[str]) -> bool:
    """Whether the question has a word of the things' own rows: "the cheapest room with a balcony" compares some of them."""
    left = asked.wanted - _stems(line.header, asked.language) - around
    rows = (thing.page.text[thing.row.start : thing.row.end] for thing in line.things)
    return bool(left) and any(left & _stems(text, asked.language) for text in rows)


def _only(asked: _Asked, lines: Sequence[_Line], table: Table, named: bool) -> _Found | None:
    """The column of the totals, or the only one, where the title or the labels say what it counts."""
    lines = [line for line in lines if line.dimension not in _DATED]
    title = asked.wanted & _stems(table.title, asked.language)
    totals = [line for line in lines if _TOTAL.match(line.header)]
    only = lines[0] if len(lines) == 1 and _COUNT.match(lines[0].header) and (named or title) else None
    chosen = totals[0] if title and len(totals) == 1 else only
    return (chosen.header, chosen.things, _first(chosen.things, asked.most)) if chosen else None


def _first(things: Sequence[Compared], most: bool) -> list[Compared]:
    """Those of ``things`` with the most (or the least)."""
    values = [thing.value.high if most else thing.value.low for thing in things]
    best = max(values) if most else min(values)
    return [thing for thing, value in zip(things, values, strict=True) if value == best]


def _stems(text: str, language: str) -> set[str]:
    return {term.stem for term in content_terms(text, language)}


def _is_dated(name: str) -> bool:
    return any(q.kind in ("year", "date") for q in quantities(name))


def _cell(row: TableRow, column: int) -> Cell | None:
    return next((cell for cell in row.cells if cell.column == column), None)


def _read_column(rows: _Rows, column: int, labels: int) -> tuple[list[Compared], str]:
    """What the rows hold in ``column``, named by the column ``labels``, and its dimension."""
    found = []
    for page, row in rows:
        name, cell = _cell(row, labels), _cell(row, column)
        if name is not None and cell is not None:
            label = " / ".join([*row.section, page.text[name.start : name.end].strip()])
            found.append((label, (page, row, cell)))
    return _things(found)


def _things(found: Sequence[tuple[str, tuple[Page, TableRow, Cell]]]) -> tuple[list[Compared], str]:
    """Those of ``found`` (label and cell) that hold a magnitude, and the dimension that they share; none without one."""
    written = [page.text[cell.start : cell.end].strip() for _, (page, _, cell) in found]
    read = comparable([magnitude(text) for text in written])
    if read is None:
        return [], ""
    things = [
        Compared(label, value, text, page, row)
        for (label, (page, row, _)), value, text in zip(found, read[0], written, strict=True)
        if value is not None
    ]
    return things, read[1]
