"""Questions made from a document, worded as a person would ask them, in the document's language.

They come from table values, definitions and headings. Where the words of a language are not known here nothing is
made: a question in another language than the document reads like a fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from src.chunker.sentences import sentence_spans
from src.introduction.meanings import ENGLISH_DEFINITION, kept, lowered, meaning_question, sentence_question
from src.introduction.wordings import CLAUSE, COMMON, COUNTED, NUMBERING, TORN, WORDINGS, Wording
from src.introduction.wordings import NO_TERM as NO_FOREIGN_TERM
from src.records import BlockKind, Document, Page, Table

PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
ROWS = 10  # of a table that are looked at
MOST_WEAK = 40
WEAK_FIGURE = "What is the figure for"
UNDER_HEADING = 80  # characters of the paragraph under a heading that a question is made from

TABLE_NUMBER = re.compile(r"(?i)^\s*(?:table|tab\.|exhibit|schedule)\s*[\dA-Z.-]*[.:]?\s*")
UNIT = re.compile(r"(?i)\s*[,(]\s*(?:in|amounts in|€|\$|eur|usd)\b.*$")
MONEY = re.compile(r"(?i)[$€£¥]|\b(?:eur|euros?|usd|dollars?|gbp|pounds?|crowns|millions?|thousands?)\b")
SUM_OF_MONEY = re.compile(
    r"(?i)\b(?:revenues?|sales|incomes?|earnings|profits?|loss(?:es)?|expenses?|expenditures?|costs?|charges?|fees|dues|rents?|taxes|tax|"
    r"interest|assets|liabilit(?:y|ies)|equity|cash|debts?|loans?|payments?|payables?|receivables?|dividends?|grants?|subsid(?:y|ies)|"
    r"donations?|contributions?|budgets?|wages|salar(?:y|ies)|compensation|investments?|depreciation|amortization|proceeds|prices?|"
    r"turnover|surplus|deficit|balance|benefits|royalties|premiums?|reserves?|margin|spending)\b"
)
YEAR = re.compile(r"(?:(?:FY|fiscal(?: year)?)\s?)?((?:19|20)\d\d(?:[/–-]\d\d)?)", re.I)
ATTRIBUTE = re.compile(
    r"(?i)(?:data )?type|description|meaning|purpose|default(?: value)?|unit|role|location|status|price|cost|weight|size|"
    r"capacity|length|speed|speedup|accuracy|score|rating|age|population|area|distance|frequency|function"
)
SUMS = re.compile(
    r"(?i)(?:grand |sub-?)?totals?(?: number)?|others?|net|gesamt|summe|sonstiges?|autres?|totales?|otros|altri|outros|overige|totaal"
)
PERIOD = re.compile(
    r"(?i)\b((?:three|six|nine|twelve) months|quarter|(?:fiscal )?year) ended\W*((?:[a-z]+\.? \d{1,2},? )?(?:19|20)\d\d)$"
)
PLURAL_HEAD = re.compile(r"^(?P<head>[A-Z][a-z]+s) (?:by|per) ")
QUESTION_SIGNS = "?？؟"

GERUND = re.compile(
    r"(?!existing|following|remaining|underlying|outstanding|operating|emerging|leading|opening|closing|ongoing|"
    r"during|according|regarding|concerning|including)[a-z]+ing (?!and\b|of\b)"
)
REPORTED = re.compile(r"(?i)(?:summari[sz]ed|condensed|consolidated|selected|unaudited|pro forma)\b")
PLURAL_THINGS = re.compile(
    r"(?i)^(?:[\w-]+ ){0,3}(?:results|points|findings|risks|objectives|goals|limitations|requirements|recommendations|effects|"
    r"considerations|priorities|benefits|challenges|trends|highlights|conditions|assumptions|contributions|fees|rules)\b"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question made from the document, the page that has to answer it, and words that the answer has to hold.

    ``weak`` says that hardly anybody would ask it in these words.
    """

    question: str
    page: int
    evidence: str = ""
    weak: bool = False


def candidates(document: Document) -> Iterator[Candidate]:
    """Questions from table values, definitions and headings in turn, so that the few shown are of several kinds."""
    language = spoken(document)
    groups: tuple[Iterator[Candidate], ...]
    if language == "en":
        groups = (
            _english_figures(document),
            _english_meanings(document),
            _english_sentences(document),
            _english_headings(document),
        )
    elif language in WORDINGS:
        wording = WORDINGS[language]
        groups = (_figures(document, wording), _meanings(document, wording), _headings(document, wording))
    else:
        return
    seen: set[str] = set()
    later: list[Candidate] = []
    for candidate in chain(chain.from_iterable(zip_longest(*groups)), _about(document, language)):
        if candidate and candidate.question.casefold() not in seen:
            seen.add(candidate.question.casefold())
            if not candidate.weak:
                yield candidate
            elif len(later) < MOST_WEAK:
                later.append(candidate)
    yield from later


def spoken(document: Document) -> str:
    """The language of most pages; of pages without one the others decide, and English where none has any."""
    counted = Counter(page.language for page in document.pages if page.language)
    return counted.most_common(1)[0][0] if counted else "en" if document.pages else ""


# --- tables ---------------------------------------------------------------------------------------------------


def _rounds(document: Document, asked: dict[int, list[list[tuple[str, str]]]]) -> Iterator[Candidate]:
    """First one question of each table, then a second one; ``asked`` has those of a page's tables, with the values."""
    for turn in range(2):
        for page in document.pages:
            for questions in asked.get(page.number, ()):
                if len(questions) > turn:
                    question, value = questions[turn]
                    yield Candidate(question, page.number, value, weak=question.startswith(WEAK_FIGURE))


def _cells(page: Page, table: Table) -> Iterator[tuple[str, str, str]]:
    """(row, column, value) of the newest year's cell, else the last, of each labelled row that holds a figure or a word."""
    for row in table.rows[:ROWS]:
        if row.header or len(row.cells) < 2:
            continue
        name = _clean(re.sub(r"\([^)]*\)", "", page.text[row.cells[0].start : row.cells[0].end]))
        if not (3 <= len(name) <= 60) or not re.search(r"[^\W\d]{3}", name) or SUMS.fullmatch(name):
            continue
        filled = []
        for place, cell in enumerate(row.cells[1:]):
            column = _clean(table.columns[cell.column]) if cell.column < len(table.columns) else ""
            value = _clean(page.text[cell.start : cell.end])
            if 2 <= len(column) <= 60 and value:
                year = YEAR.search(column)
                filled.append((year[1] if year else "", place, column, value))
        if filled:
            yield name, *max(filled)[2:]


def _figures(document: Document, wording: Wording) -> Iterator[Candidate]:
    def questions(page: Page, table: Table) -> list[tuple[str, str]]:
        return [
            (wording.value.format(row, year[1]), value)
            for row, column, value in _cells(page, table)
            if (year := YEAR.search(column)) and re.search(r"\d", value)
        ]

    yield from _rounds(document, {p.number: [questions(p, t) for t in p.tables] for p in document.pages})


def _english_figures(document: Document) -> Iterator[Candidate]:
    def questions(page: Page, table: Table) -> list[tuple[str, str]]:
        asked = ((_figure_question(table, *cell), cell[2]) for cell in _cells(page, table))
        return [(question, value) for question, value in asked if question]

    yield from _rounds(document, {p.number: [questions(p, t) for t in p.tables] for p in document.pages})


def _figure_question(table: Table, row: str, column: str, value: str) -> str:
    """A question for one cell; nothing where no sentence of the kind people say fits its row and column."""
    title = _clean(UNIT.sub("", TABLE_NUMBER.sub("", table.title)))
    year = YEAR.search(column)
    if year is None:
        if not ATTRIBUTE.fullmatch(column):
            return ""
        return f"What is the {column[0].lower()}{column[1:]} of {lowered(row)}?"
    if not re.search(r"\d", value):
        return ""
    when, measure = _when(column, year)
    if measure and re.search(r"\d|(?i:ended|change|months)", measure):
        return ""
    head = PLURAL_HEAD.match(title)
    named = re.split(r" (?:from|of|for|in|to|by|on|under|per|with|before|after|excluding|net) ", row)[
        0
    ].lower()
    plural = named.endswith("s") and not named.endswith("ss")
    if measure:
        were = "were" if measure.lower().endswith("s") else "was"
        return f"What {were} the {lowered(measure)} of {lowered(row)} in {when}?"
    if head and not MONEY.search(f"{table.unit} {table.title} {value}"):
        return f"How many {head['head'].lower()} of {lowered(row)} were there in {when}?"
    if not plural and " " not in row:  # often an adjective ("domestic"), of which nobody asks how much it was
        return f"{WEAK_FIGURE} {lowered(row)} in {when}?"
    ask = "How much" if MONEY.search(f"{table.unit} {table.title} {value}") else "What"
    if ask == "How much" and not SUM_OF_MONEY.search(row):  # nobody asks how much the sports were
        return f"{WEAK_FIGURE} {lowered(row)} in {when}?"
    return f"{ask} {'were' if plural else 'was'} the {lowered(row)} in {when}?"


def _when(column: str, year: re.Match[str]) -> tuple[str, str]:
    """The time that a column is about as one says it, and what else its header says."""
    if period := PERIOD.search(column):
        return f"the {period[1].lower()} ended {period[2]}", _clean(PERIOD.sub("", column).replace("/", " "))
    whole = len(column) == len(year[0])
    return year[0] if whole else year[1], _clean(YEAR.sub("", column).replace("/", " "))


# --- definitions ----------------------------------------------------------------------------------------------


def _prose(document: Document) -> Iterator[tuple[Page, str]]:
    for page in document.pages:
        for block in page.blocks:
            if block.kind in PROSE:
                words = page.text[block.start : block.end]
                for start, end in sentence_spans(words, page.language):
                    if end - start < 400:
                        yield page, " ".join(words[start:end].split())


def _meanings(document: Document, wording: Wording) -> Iterator[Candidate]:
    for page, sentence in _prose(document):
        if (match := wording.definition.match(sentence)) and not NO_FOREIGN_TERM.search(match["term"]):
            article = wording.articles[match["article"]]
            if min(map(len, match["term"].split())) > 1:  # not "a curve in X"
                yield Candidate(wording.meaning.format(article, match["term"]), page.number, kept(sentence))


def _english_meanings(document: Document) -> Iterator[Candidate]:
    for page, sentence in _prose(document):
        if (match := ENGLISH_DEFINITION.match(sentence)) and (question := meaning_question(match)):
            yield Candidate(question, page.number, kept(sentence))


def _english_sentences(document: Document) -> Iterator[Candidate]:
    """Questions that one sentence answers: when something was done, what a purpose is, why, what letters stand for."""
    for page, sentence in _prose(document):
        if question := sentence_question(sentence):
            yield Candidate(question, page.number, kept(sentence))


# --- headings -------------------------------------------------------------------------------------------------


def _titles(document: Document) -> Iterator[tuple[Page, str]]:
    """Headings that name something and have text of their own under them, without their numbers."""
    title = _folded(document.title)
    first = True
    for page in document.pages:
        for place, block in enumerate(page.blocks):
            if block.kind is not BlockKind.HEADING:
                continue
            named, first = first, False  # the first heading of all is the title, whatever the file says it is
            if named and not NUMBERING.match(page.text[block.start : block.end]) and len(document.pages) > 1:
                continue
            if not _has_text(page, place):
                continue
            heading = _clean(NUMBERING.sub("", page.text[block.start : block.end]))
            known = _folded(heading)
            if _names_something(heading) and known != title and not (len(known) > 20 and known in title):
                yield page, heading


def _has_text(page: Page, place: int) -> bool:
    """Whether a paragraph of some length follows: headings of covers and contents have none."""
    after = page.blocks[place + 1] if place + 1 < len(page.blocks) else None
    return after is not None and after.kind in PROSE and after.end - after.start >= UNDER_HEADING


def _names_something(heading: str) -> bool:
    letters = sum(c.isalpha() for c in heading)
    return (
        8 <= len(heading) <= 70
        and " " in heading
        and letters >= 0.75 * (len(heading) - heading.count(" "))
        and not COMMON.fullmatch(heading)
        and not COUNTED.match(heading)
        and not TORN.search(heading)
        and not (heading.isupper() and len(heading) > 45)
        and (heading[-1] in QUESTION_SIGNS or not CLAUSE.search(heading))
    )


def _headings(document: Document, wording: Wording) -> Iterator[Candidate]:
    for page, heading in _titles(document):
        if heading[-1] in QUESTION_SIGNS:
            yield Candidate(heading, page.number)


def _about(document: Document, language: str) -> Iterator[Candidate]:
    """What the document says about each heading."""
    for page, heading in _titles(document):
        if heading[-1] in QUESTION_SIGNS or (language == "en" and _heading_question(heading)):
            continue
        if language != "en":
            yield Candidate(WORDINGS[language].about.format(heading), page.number, weak=True)
        else:
            yield Candidate(f"What does the document say about {lowered(heading)}?", page.number, weak=True)


def _english_headings(document: Document) -> Iterator[Candidate]:
    for page, heading in _titles(document):
        if question := _heading_question(heading):
            yield Candidate(question, page.number)


def _heading_question(heading: str) -> str:
    words = lowered(heading)
    if heading[-1] in QUESTION_SIGNS:
        return heading
    if match := re.match(r"(?i)how to (.+)", words):
        return f"How do I {match[1]}?"
    if PLURAL_THINGS.match(words) and not re.match(REPORTED, words):
        return f"What are the {words}?"
    if re.match(GERUND, words):
        return f"How does {words} work?"
    if match := re.fullmatch(
        r"The ((?!year\b)[\w-]+(?: (?!(?:in|of|for|on|at|to|and|as|with|by)\b)[\w-]+){0,2})", heading
    ):
        plural = match[1].endswith("s") and not match[1].endswith("ss")
        return f"What {'are' if plural else 'is'} the {match[1]}?"
    return ""


def _folded(words: str) -> str:
    return " ".join(words.split()).casefold()


def _clean(words: str) -> str:
    return " ".join(words.replace("\t", " ").split()).strip(" .:;,–—-")
