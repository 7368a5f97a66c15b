"""Looking up a cell: the row and the column that a question names, and how the cell is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from src.answerer.candidates import Candidate
from src.answerer.numbers import quantities
from src.answerer.numerals import MONTHS
from src.answerer.occasions import occasions
from src.answerer.pins import find_pins
from src.answerer.questions import Kind, Question
from src.answerer.ranges import within
from src.answerer.synonyms import synonyms
from src.answerer.terms import Term, all_terms, content_terms, stem
from src.answerer.units import canonical_unit
from src.answerer.wordlists import words_of
from src.records import Cell

FOOTNOTE_MARK = re.compile(r"^\(?[a-z\d*†‡]{1,2}\)?$")
# A raised figure that was read apart from what it stands on: "1e ⁰".
_RAISED = re.compile(r"(?<=[\w)-])\s(?=[⁰¹²³⁴-⁹])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_WHEN = re.compile(
    r"\b(?:date|day|when|time|datum|tag|fecha|día|jour)\b", re.IGNORECASE
)  # "24.07" alone is no date
_PARTS = re.compile(r"\s[–—-]\s|[,;:(/]\s*")
_CURRENCY = r"(?:EUR|USD|GBP|CHF|[$€£])"
_LONE = re.compile(
    rf"^(?P<label>.*[^\W\d_]{{3,}}.*?)\s+(?P<sum>[-−]?{_CURRENCY}\s?[-−]?\d[\d.,]*|[-−]?\d[\d.,]*\s?{_CURRENCY})$"
)
# Headers that do not say what they count.
_COUNTS = re.compile(
    r"^\W*(?:no|nos|numbers?|count|amount|quantity|values?|totals?|figures?)\b\W*(?:of)?\W*$", re.IGNORECASE
)
KEY = 0.5  # of the words of a cell, or of a part of it, that tells its row apart
_ANY_ROW = words_of(
    "total totals subtotal net other sum amount amounts all overall"
)  # labels that name no row
# "When did I pay the rent?" asks for no pay.
_PAYING = words_of("pay pays paid paying let fire present cover leave charge")
_NUMBERED = frozenset({Kind.COUNT, Kind.AMOUNT, Kind.MEASURE, Kind.SHARE})
_TREND = re.compile(
    r"\b(?:go(?:ne|es)?|went|gone|going) (?:up|down)\b|\b(?:in|de)crease[ds]?\b|\b(?:rise|rose|risen|fall|fell|fallen|grow|grew|grown"
    r"|shrink|shrank|shrunk|drop(?:ped)?|decline[ds]?|improve[ds]?|worsen(?:ed)?)\b|\b(?:higher|lower|more|less) than\b",
    re.IGNORECASE,
)
# "(in thousands, except per share)"
_EXCEPT = re.compile(r"[,;]?\s*\b(?:except|other than|excluding)\b(?P<what>.*)$", re.IGNORECASE)
_PER = re.compile(r"\bper \w+", re.IGNORECASE)
_SHARE_COUNT = re.compile(
    r"\b(?:number of|average|diluted|basic)\b.*\bshares\b|\bshares (?:outstanding|issued)\b", re.IGNORECASE
)
_SIZE = re.compile(r"\b(?:how much|by what|what (?:is|was|were)|why)\b", re.IGNORECASE)
RECENT = re.compile(r"\b(?:latest|most recent|current|last|newest)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A row read for a question: its label, and the cells that answer with their column headers.

    ``named`` is the share (0 to 1) of the label's words that the question has; ``before`` the cell of the year before,
    where one year answers; ``stub`` the header over the labels, which often names the table ("Winter").
    """

    label: str
    cells: tuple[tuple[str, str], ...]
    unit: str
    column_score: float
    conflict: str = ""
    named: float = 0.0
    before: tuple[str, str] | None = None
    stub: str = ""

    @property
    def value(self) -> str:
        """The one value, empty when several columns are shown."""
        return self.cells[0][1] if len(self.cells) == 1 else ""

    def say(self) -> str:
        """The reading in words: "Upkeep of locks, 2024: 4,318 (in thousands of crowns)"."""
        unit = f" ({self.unit.strip('() ')})" if self.unit else ""
        if len(self.cells) == 1:
            header, value = self.cells[0]
            name = ", ".join(part for part in (self.label, header) if part)
            return f"{name}: {_spoken(value)}{unit}" if name else f"{_spoken(value)}{unit}"
        told = "; ".join(f"{header}: {value}" if header else value for header, value in self.cells)
        return f"{self.label} — {told}{unit}" if self.label else f"{told}{unit}"


def read_row(question: Question, candidate: Candidate) -> Reading:
    """The cells of a row candidate that answer ``question``."""
    assert candidate.row is not None
    assert candidate.table is not None
    assert candidate.page is not None
    text, columns = candidate.page.text, candidate.table.columns
    filled = [(cell, text[cell.start : cell.end].strip()) for cell in candidate.row.cells]
    filled = [(cell, value) for cell, value in filled if value]
    lone = split_lone(filled[0][1]) if len(filled) == 1 else None
    if lone is not None:
        filled = [(filled[0][0], part) for part in lone]
    label_cells = _label_cells([value for _, value in filled])
    label = _RAISED.sub("", " ".join(value for _, value in filled[:label_cells]))
    section = " / ".join(name for name in candidate.row.section if split_lone(name) is None)
    values = [(cell, _header(columns, cell), value) for cell, value in filled[label_cells:]]
    if not _share(question, label) and (keys := [v for v in values if _is_key(question, v[2])]):
        # The column that tells rows apart is not always the first: a list by date names the company in the fourth.
        values = [(cell, _header(columns, cell), value) for cell, value in filled]
        values = [v for v in values if v not in keys]
        label = ", ".join(value for _, _, value in keys)
    if section and section.casefold() not in label.casefold():
        label = f"{section} / {label}" if label else section
    values = [v for v in values if not _is_note(v[1], v[2], len(values))] or values
    chosen, score, conflict = _choose(question, label, _of_kind(question, values), candidate.context)
    before = [v for v in values if len(chosen) == 1 and _is_year_before(v[1], chosen[0][1])]
    return Reading(
        label.rstrip(": "),
        tuple((h, v) for _, h, v in chosen),
        unit_of(candidate.table.unit, label),
        score,
        conflict,
        _share(question, label),
        before[0][1:] if before else None,
        _header(columns, filled[0][0]) if label_cells else "",
    )


def split_lone(text: str) -> tuple[str, str] | None:
    """The label and the sum of money of a row that was read as one cell, "Balance due EUR 783.00"; None for any other."""
    match = _LONE.match(text)
    return (match["label"], match["sum"]) if match else None


def unit_of(unit: str, label: str) -> str:
    """What a table's unit says of the row with ``label``: "in thousands, except per share" nothing of earnings per share."""
    match = _EXCEPT.search(unit)
    if match is None:
        return unit
    named = [name.lower() for name in _PER.findall(match["what"])]
    counts = "share" in match["what"].lower() and bool(_SHARE_COUNT.search(label))
    excepted = counts or any(name in label.lower() for name in named)
    return "" if excepted else unit[: match.start()].strip()


def _share(question: Question, label: str) -> float:
    """The share of the label's words that the question has; words of the same meaning count in part, a number that lies
    between the bounds of the label meets both."""
    words = [term for term in content_terms(label, question.language) if term.word not in _ANY_ROW]
    met = _met(question)
    spanned = any(p.kind in ("number", "label") and within(p.value, label) for p in question.pins)
    credits = (1.0 if spanned and term.word.isdigit() else met.get(_form(term), 0.0) for term in words)
    return sum(credits) / len(words) if words else 0.0


@lru_cache(maxsize=64)
def _met(question: Question) -> Mapping[str, float]:
    """What each stem of a label is worth that the question has, or one of the same meaning."""
    words = {t.stem: t.word for t in question.terms if t.word not in _PAYING}
    alike = synonyms(words, question.text, question.language)
    found = {other: credit for meant in alike.values() for other, credit in meant.items()}
    return found | {_form(term): 1.0 for term in question.terms}


def _form(term: Term) -> str:
    """A word as labels are compared: "11 Sep" is 11 September, and "01" is 1."""
    month = MONTHS.get(term.word) if term.surface[:1].isupper() else None
    return f"month:{month}" if month else term.stem.lstrip("0") or term.stem


def _is_key(question: Question, value: str) -> bool:
    """Whether a cell tells its row apart, or a part of it does: "Salary – Cobalt Studio", "Paris, Munich"."""
    parts = [part for part in (value, *_PARTS.split(value)) if _WORD.search(part)]
    return any(_share(question, part) >= KEY or _is_opened(question, part) for part in parts)


def _is_opened(question: Question, part: str) -> bool:
    """Whether a part of a cell begins with a word of the question: "Rent Larkhill Homes"."""
    first = next(iter(content_terms(part, question.language)), None)
    return first is not None and first.word not in _ANY_ROW and _met(question).get(_form(first), 0.0) == 1.0


def _of_kind(question: Question, values: list[tuple[Cell, str, str]]) -> list[tuple[Cell, str, str]]:
    """The cells that may hold what is asked for: of a number no dates and no words, of a time only what says when."""
    if question.kind is Kind.DATE:
        return [v for v in values if _says_when(v[2])] or [v for v in values if _WHEN.search(v[1])] or values
    if question.kind not in _NUMBERED:
        return values
    return [v for v in values if not _is_worded(v[2])] or values


def _says_when(value: str) -> bool:
    return bool(occasions(value)) or any(q.kind in ("date", "time", "year") for q in quantities(value))


def _is_worded(value: str) -> bool:
    found = quantities(value)
    return any(q.kind == "date" for q in found) or (not found and bool(_WORD.search(value)))


def _label_cells(values: Sequence[str]) -> int:
    """How many leading cells name the row: the first, when it is not a bare value or has company."""
    return 1 if len(values) > 1 else 0


def _header(columns: Sequence[str], cell: Cell) -> str:
    """The header over a cell; none over one that lies under several, as the totals of a bill do."""
    names = list(dict.fromkeys(name for name in columns[cell.column : cell.column + cell.width] if name))
    return names[0].strip() if len(names) == 1 else ""


def _is_note(header: str, value: str, count: int) -> bool:
    """Whether a cell holds the number of a note and not a value."""
    return (
        count > 1 and header.strip(". ").casefold() in ("n", "note", "notes", "ref", "no") and len(value) < 6
    )


def _choose(
    question: Question, label: str, values: list[tuple[Cell, str, str]], context: str
) -> tuple[list[tuple[Cell, str, str]], float, str]:
    """Cells whose column fits best, how well it fits (0 to 1), and what stands against it."""
    if not values:
        return [], 0.0, ""
    headers = [header for _, header, _ in values]
    wanted = _question_marks(question) - _marks(label)
    common = set.intersection(*(_marks(h) for h in headers)) if len(headers) > 1 else set()
    conflict = _pin_conflict(question, headers, label + " " + context)
    scores = [_column_score(wanted, _marks(header) - common) for header in headers]
    best = max(scores)
    if best <= 0:
        return values[:8], 0.0, conflict
    chosen = [v for v, s in zip(values, scores, strict=True) if s >= best - 1e-9]
    return chosen[:8], best, conflict


def lacks_column(question: Question, reading: Reading, focus: float) -> bool:
    """Whether a row is of the thing asked about and no column of what is asked: the wind at Cawdale, over rain and snow.

    ``focus`` says how far (0 to 1) what is asked for is named by the row, its headers or what stands around it.
    """
    if question.kind not in _NUMBERED or question.money or focus or not question.focus:
        return False
    worded = all(_WORD.search(header) and not _COUNTS.match(header) for header, _ in reading.cells)
    return len(reading.cells) > 1 and not reading.column_score and reading.named >= KEY and worded


def asks_trend(question: Question) -> bool:
    """Whether the question is which way a figure went: "did sales go up or down in 2022?"."""
    return bool(_TREND.search(question.text)) and not _SIZE.search(question.text)


def trend(question: Question, reading: Reading) -> str:
    """Which way a figure went, with the year before beside it: "Up — Net sales — 2022: 14,189; 2021: 14,082".

    Empty where that is not asked, or the row has no year before.
    """
    if reading.before is None or len(reading.cells) != 1 or not asks_trend(question):
        return ""
    values = [
        [q for q in quantities(text) if q.kind == "number"] for _, text in (*reading.cells, reading.before)
    ]
    if any(len(found) != 1 for found in values):
        return ""
    new, old = (found[0].value for found in values)
    way = "Up" if new > old else "Down" if new < old else "Unchanged"
    return f"{way} — {replace(reading, cells=(*reading.cells, reading.before)).say()}"


def _is_year_before(header: str, later: str) -> bool:
    """Whether two headers differ by nothing but one year: "Dec. 31, 2021" and "Dec. 31, 2022"."""
    years = [re.findall(r"\b(?:19|20)\d\d\b", text) for text in (header, later)]
    if any(len(found) != 1 for found in years) or int(years[0][0]) + 1 != int(years[1][0]):
        return False
    return header.replace(years[0][0], "") == later.replace(years[1][0], "")


def _column_score(wanted: set[str], marks: set[str]) -> float:
    """How well a header fits; a year or month counts more than any number of words."""
    if not marks:
        return 0.0
    shared = wanted & marks
    dated = sum(":" in mark for mark in shared)
    return 3.0 * dated + len(shared) - dated + 0.5 * len(shared) / len(marks)


def _marks(text: str) -> set[str]:
    """What a header says: stems of all its words, years, months and units in one form each."""
    found = set()
    for pin in find_pins(text):
        if pin.kind in ("year", "month"):
            found.add(f"{pin.kind}:{pin.value}")
    for term in all_terms(text):
        if term.word in MONTHS and term.surface[:1].isupper():
            found.add(f"month:{MONTHS[term.word]}")
            continue
        unit = canonical_unit(term.word) if len(term.word) > 1 else ""
        found.add(stem(unit) if unit else term.stem)
    return found


def _question_marks(question: Question) -> set[str]:
    return _marks(question.text) | {
        f"{p.kind}:{p.value}" for p in question.pins if p.kind in ("year", "month")
    }


def _pin_conflict(question: Question, headers: Sequence[str], around: str) -> str:
    """The year or month asked for, when the columns are years or months and none is it."""
    for kind in ("year", "month"):
        asked = {p.value for p in question.pins if p.kind == kind}
        there = {p.value for header in headers for p in find_pins(" " + header) if p.kind == kind}
        near = {p.value for p in find_pins(" " + around) if p.kind == kind}
        if asked and there and not asked & (there | near):
            return next(p.surface for p in question.pins if p.kind == kind)
    return ""


def _spoken(value: str) -> str:
    """A value as it stands; a negative in parentheses is said as well: "(96), that is −96"."""
    first = next(iter(quantities(value)), None)
    if first and first.parenthesised and first.surface == value.strip():
        return f"{value}, that is −{value.strip('() ')}"
    return value
