"""What comes with what, told by ticks and crosses: "which plan includes calls abroad?", "does the Basic plan include it?".

The features are the rows and the things that have them the columns, or the other way round. The line of the feature is
read as a whole: where each of its cells affirms or denies, those that affirm are named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from src.answerer.grids import parts_of, tables_of
from src.answerer.marks import affirmed, is_mark
from src.answerer.questions import Question
from src.answerer.superlatives import VARIANTS
from src.answerer.synonyms import synonyms
from src.answerer.terms import Term, content_terms, stem
from src.answerer.wordlists import words_of
from src.records import Document, Page, Passage, Table, TableRow

FEWEST = 2  # cells of a line
MOST = 4  # rows that are quoted
LABEL = 0.5  # of a label's words that the question has
_HAS = (
    r"(?:includ\w+|ha(?:s|ve|d)|offer\w*|cover\w*|support\w*|allow\w*|provid\w*|contain\w*|get|gets|comes?|with|enthäl\w+"
    r"|inclu\w+|ofrece\w*|hat|bietet)"
)
_WHICH = re.compile(
    rf"^\W*(?:which|what|welche[rs]?|quelles?|quels?|qué)\s+(?P<noun>[\w-]+)\b.*?\b{_HAS}\b", re.IGNORECASE
)
_HAVING = frozenset(
    stem(word)
    for word in words_of(
        """include includes included including has have had offer offers offered cover covers covered support supports
        supported allow allows allowed provide provides provided contain contains get gets come comes available possible use"""
    )
)


@dataclass(frozen=True, slots=True)
class Feature:
    """The answer ``said`` of a line of marks, and the rows of ``page`` that show it."""

    document_id: str
    said: tuple[str, ...]
    rows: tuple[tuple[Page, TableRow], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A feature with the things that have it or not: for each its name, the mark as printed, and the row it stands in."""

    name: str
    things: tuple[tuple[str, str, Page, TableRow], ...]


def find_feature(
    question: Question, passages: Sequence[Passage], documents: Mapping[str, Document]
) -> Feature | None:
    """What the first line of marks of a table of ``passages`` tells that is named by ``question``; None for no such."""
    which = _WHICH.match(question.text)
    if which is None and not question.yes_no:
        return None
    entity = {t.stem for t in content_terms(which["noun"], question.language)} if which else set()
    wanted = [t for t in question.terms if t.stem not in entity and t.stem not in _HAVING]
    for passage in passages:
        document = documents.get(passage.document_id)
        if document is None:
            continue
        for page, table in tables_of(passage, document):
            lines = _lines(table, list(parts_of(table, page, document)))
            marks = [mark for line in lines for _, mark, _, _ in line.things]
            kinds = VARIANTS | {t.stem for t in content_terms(table.columns[0], question.language)}
            left = wanted if which else [t for t in wanted if t.stem not in kinds]  # "the Basic plan"
            found = (_who if which else _whether)(question, left, lines, marks)
            if found is not None:
                return Feature(document.id, *found)
    return None


_Told = tuple[tuple[str, ...], tuple[tuple[Page, TableRow], ...]]


def _who(
    question: Question, wanted: Sequence[Term], lines: Sequence[_Line], marks: Sequence[str]
) -> _Told | None:
    """The things that have the one feature that ``wanted`` names."""
    named = [line for line in lines if _names(question, wanted, line.name)]
    if not wanted or len(named) != 1:
        return None
    line = named[0]
    if len({id(row) for *_, row in line.things}) == 1:
        have = [name for name, mark, *_ in line.things if affirmed(mark, marks)]
        told = "; ".join(f"{name}: {mark}" for name, mark, *_ in line.things)
        _, _, page, row = line.things[0]
        return (f"{', '.join(have) or 'None'} — {line.name} — {told}",), ((page, row),)
    having = [thing for thing in line.things if affirmed(thing[1], marks)][:MOST]
    said = tuple(f"{name} — {line.name}: {mark}" for name, mark, *_ in having)
    return (said, tuple((page, row) for *_, page, row in having)) if having else None


def _whether(
    question: Question, wanted: Sequence[Term], lines: Sequence[_Line], marks: Sequence[str]
) -> _Told | None:
    """Whether the one thing that ``wanted`` names has the one feature that it names besides."""
    found = []
    for line in lines:
        for name, mark, page, row in line.things:
            own = {t.stem for t in content_terms(name, question.language)}
            left = [t for t in wanted if t.stem not in own]
            if own and own <= {t.stem for t in wanted} and left and _names(question, left, line.name):
                found.append((line.name, name, mark, page, row))
    if len(found) != 1:
        return None
    feature, name, mark, page, row = found[0]
    return (f"{'Yes' if affirmed(mark, marks) else 'No'} — {feature}, {name}: {mark}",), ((page, row),)


def _names(question: Question, wanted: Sequence[Term], label: str) -> bool:
    """Whether ``label`` has all words that are ``wanted``, or words of the same meaning, and few others."""
    own = {t.stem for t in content_terms(label, question.language)} - _HAVING
    alike = synonyms({t.stem: t.word for t in wanted}, question.text, question.language)
    met = [own & {t.stem, *alike.get(t.stem, ())} for t in wanted]
    exact = any(t.stem in own for t in wanted)  # "telephone" alone does not name "calls abroad"
    return exact and all(met) and len(set().union(*met)) >= LABEL * len(own)


def _lines(table: Table, rows: Sequence[tuple[Page, TableRow]]) -> list[_Line]:
    """The rows and the columns of ``table`` whose cells hold nothing but marks."""
    texts = [
        (page, row, {c.column: page.text[c.start : c.end].strip() for c in row.cells if c.width == 1})
        for page, row in rows
    ]
    found = []
    for page, row, cells in texts:
        things = [
            (table.columns[c].strip(), text, page, row) for c, text in cells.items() if c and table.columns[c]
        ]
        if 0 in cells and len(things) >= FEWEST and all(is_mark(mark) for _, mark, *_ in things):
            found.append(_Line(cells[0], tuple(things)))
    for column in range(1, len(table.columns)):
        things = [
            (cells[0], cells[column], page, row) for page, row, cells in texts if {0, column} <= cells.keys()
        ]
        if len(things) >= FEWEST and all(is_mark(mark) for _, mark, *_ in things):
            found.append(_Line(table.columns[column].strip(), tuple(things)))
    return found
