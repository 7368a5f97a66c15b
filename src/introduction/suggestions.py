"""Questions made from a document, worded as a person would ask them, in the document's language.

They come from table values, definitions and headings. Where the words of a language are not known here nothing is
made: a question in another language than the document reads like a fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from src.chunker.sentences import sentence_spans
from src.introduction.wordings import CLAUSE, COMMON, COUNTED, NUMBERING, TORN, WORDINGS, Wording
from src.introduction.wordings import NO_TERM as NO_FOREIGN_TERM
from src.records import BlockKind, Document, Page, Table

PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})
ROWS = 10  # of a table that are looked at
UNDER_HEADING = 80  # characters of the paragraph under a heading that a question is made from

TABLE_NUMBER = re.compile(r"(?i)^\s*(?:table|tab\.|exhibit|schedule)\s*[\dA-Z.-]*[.:]?\s*")
UNIT = re.compile(r"(?i)\s*[,(]\s*(?:in|amounts in|€|\$|eur|usd)\b.*$")
MONEY = re.compile(r"(?i)[$€£¥]|\b(?:eur|euros?|usd|dollars?|gbp|pounds?|crowns|millions?|thousands?)\b")
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

ENGLISH_DEFINITION = re.compile(
    r"^(?P<article>An?\s+|The\s+)?[“\"']?(?P<term>[A-Za-z][\w-]*(?:\s+[\w-]+){0,3}?)[”\"']?(?:\s*\([^)]{1,20}\))?\s+"
    r"(?P<verb>is\s+an?|are|means?|refers\s+to|is\s+defined\s+as)\s(?P<rest>\w+(?:\s\w+){0,3})"
)
# "The result is a …" says what came out, not what a word means.
NO_TERM = frozenset(
    [
        "it",
        "this",
        "that",
        "these",
        "those",
        "there",
        "he",
        "she",
        "they",
        "we",
        "you",
        "which",
        "what",
        "here",
        "one",
        "all",
        "some",
        "many",
        "most",
        "such",
        "any",
        "each",
        "every",
        "when",
        "if",
        "while",
        "because",
        "although",
        "so",
        "then",
        "thus",
        "however",
        "also",
        "another",
        "other",
        "both",
        "several",
        "no",
        "not",
        "section",
        "figure",
        "table",
        "chapter",
        "part",
        "page",
        "step",
        "example",
        "result",
        "results",
        "reason",
        "goal",
        "aim",
        "purpose",
        "problem",
        "question",
        "idea",
        "difference",
        "advantage",
        "answer",
        "first",
        "second",
        "third",
        "next",
        "last",
        "main",
        "key",
        "best",
        "worst",
        "following",
        "above",
        "below",
    ]
)
PERSONS = frozenset(
    [
        "consultant",
        "manager",
        "director",
        "engineer",
        "professor",
        "lecturer",
        "author",
        "editor",
        "architect",
        "lawyer",
        "analyst",
        "researcher",
        "specialist",
        "member",
        "partner",
        "president",
        "officer",
        "scientist",
        "developer",
    ]
)
GERUND = re.compile(
    r"(?!existing|following|remaining|underlying|outstanding|operating|emerging|leading|opening|closing|ongoing|"
    r"during|according|regarding|concerning|including)[a-z]+ing (?!and\b|of\b)"
)
PLURAL_THINGS = re.compile(
    r"(?i)^(?:[\w-]+ ){0,3}(?:results|points|findings|risks|objectives|goals|limitations|requirements|recommendations|effects|"
    r"considerations|priorities|benefits|challenges|trends|highlights|conditions|assumptions|contributions|fees|rules)\b"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question made from the document, and the page that has to answer it."""

    question: str
    page: int


def candidates(document: Document) -> Iterator[Candidate]:
    """Questions from table values, definitions and headings in turn, so that the few shown are of several kinds."""
    language = _language(document)
    if language == "en":
        groups = (_english_figures(document), _english_meanings(document), _english_headings(document))
    elif language in WORDINGS:
        wording = WORDINGS[language]
        groups = (_figures(document, wording), _meanings(document, wording), _headings(document, wording))
    else:
        return
    seen: set[str] = set()
    for group in zip_longest(*groups):
        for candidate in group:
            if candidate and candidate.question.casefold() not in seen:
                seen.add(candidate.question.casefold())
                yield candidate


def _language(document: Document) -> str:
    """The language of most pages; of pages without one the others decide, and English where none has any."""
    counted = Counter(page.language for page in document.pages if page.language)
    return counted.most_common(1)[0][0] if counted else "en" if document.pages else ""


# --- tables ---------------------------------------------------------------------------------------------------


def _rounds(document: Document, asked: dict[int, list[list[str]]]) -> Iterator[Candidate]:
    """First one question of each table, then a second one; ``asked`` has the questions of a page's tables."""
    for turn in range(2):
        for page in document.pages:
            for questions in asked.get(page.number, ()):
                if len(questions) > turn:
                    yield Candidate(questions[turn], page.number)


def _cells(page: Page, table: Table) -> Iterator[tuple[str, str, str]]:
    """(row, column, value) of the last cell of each labelled row that holds a figure or a word."""
    for row in table.rows[:ROWS]:
        if row.header or len(row.cells) < 2:
            continue
        name = _clean(re.sub(r"\([^)]*\)", "", page.text[row.cells[0].start : row.cells[0].end]))
        if not (3 <= len(name) <= 60) or not re.search(r"[^\W\d]{3}", name) or SUMS.fullmatch(name):
            continue
        for cell in reversed(row.cells[1:]):
            column = _clean(table.columns[cell.column]) if cell.column < len(table.columns) else ""
            value = _clean(page.text[cell.start : cell.end])
            if 2 <= len(column) <= 60 and value:
                yield name, column, value
                break


def _figures(document: Document, wording: Wording) -> Iterator[Candidate]:
    def questions(page: Page, table: Table) -> list[str]:
        return [
            wording.value.format(row, year[1])
            for row, column, value in _cells(page, table)
            if (year := YEAR.search(column)) and re.search(r"\d", value)
        ]

    yield from _rounds(document, {p.number: [questions(p, t) for t in p.tables] for p in document.pages})


def _english_figures(document: Document) -> Iterator[Candidate]:
    def questions(page: Page, table: Table) -> list[str]:
        asked = (_figure_question(table, *cell) for cell in _cells(page, table))
        return [question for question in asked if question]

    yield from _rounds(document, {p.number: [questions(p, t) for t in p.tables] for p in document.pages})


def _figure_question(table: Table, row: str, column: str, value: str) -> str:
    """A question for one cell; nothing where no sentence of the kind people say fits its row and column."""
    title = _clean(UNIT.sub("", TABLE_NUMBER.sub("", table.title)))
    year = YEAR.search(column)
    if year is None:
        if not ATTRIBUTE.fullmatch(column):
            return ""
        return f"What is the {column[0].lower()}{column[1:]} of {_lower(row)}?"
    if not re.search(r"\d", value):
        return ""
    when, measure = _when(column, year)
    if measure and re.search(r"\d|(?i:ended|change|months)", measure):
        return ""
    head = PLURAL_HEAD.match(title)
    named = re.split(r" (?:from|of|for|in|to|by|on|under|per|with) ", row)[0].lower()
    plural = named.endswith("s") and not named.endswith("ss")
    if measure:
        were = "were" if measure.lower().endswith("s") else "was"
        return f"What {were} the {_lower(measure)} of {_lower(row)} in {when}?"
    if head and not MONEY.search(f"{table.unit} {table.title} {value}"):
        return f"How many {head['head'].lower()} of {_lower(row)} were there in {when}?"
    if not plural and " " not in row:  # often an adjective ("domestic"), of which nobody asks how much it was
        return f"What is the figure for {_lower(row)} in {when}?"
    ask = "How much" if MONEY.search(f"{table.unit} {table.title} {value}") else "What"
    return f"{ask} {'were' if plural else 'was'} the {_lower(row)} in {when}?"


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
            yield Candidate(wording.meaning.format(article, match["term"]), page.number)


def _english_meanings(document: Document) -> Iterator[Candidate]:
    for page, sentence in _prose(document):
        if (match := ENGLISH_DEFINITION.match(sentence)) and (question := _meaning_question(match)):
            yield Candidate(question, page.number)


def _meaning_question(match: re.Match[str]) -> str:
    article, term, verb = (match["article"] or "").strip().lower(), match["term"], match["verb"]
    words = term.split()
    named = term[0].isupper()
    if (
        words[0].lower() in NO_TERM
        or words[-1].lower().endswith("ly")
        or words[-1].lower() in NO_TERM | {"just", "still"}
    ):
        return ""
    if re.search(r"ing$", words[0]) or (not article and not named):
        return ""
    explains = verb.startswith(("mean", "refer", "is def"))
    if (article == "the" or verb == "are") and not explains:
        return ""
    if not article and PERSONS & set(match["rest"].lower().split()):
        return f"Who is {term}?"
    if explains and not article and not named:
        return ""
    return f"What is {article + ' ' if article else ''}{term if not article or not named else _lower(term)}?"


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
        question = heading if heading[-1] in QUESTION_SIGNS else wording.about.format(heading)
        yield Candidate(question, page.number)


def _english_headings(document: Document) -> Iterator[Candidate]:
    for page, heading in _titles(document):
        yield Candidate(_heading_question(heading), page.number)


def _heading_question(heading: str) -> str:
    words = _lower(heading)
    if heading[-1] in QUESTION_SIGNS:
        return heading
    if match := re.match(r"(?i)how to (.+)", words):
        return f"How do I {match[1]}?"
    if PLURAL_THINGS.match(words):
        return f"What are the {words}?"
    if re.match(GERUND, words):
        return f"How does {words} work?"
    return f"What does the document say about {words}?"


def _lower(words: str) -> str:
    """Words as they stand inside a sentence: a capital that only opens them goes, names and acronyms stay."""
    first, *rest = words.split(" ")
    if words.isupper():
        return words.lower() if len(words) > 12 else words
    keep = not first[1:].islower() or any(w[:1].isupper() for w in rest)
    return words if keep else words[0].lower() + words[1:]


def _folded(words: str) -> str:
    return " ".join(words.split()).casefold()


def _clean(words: str) -> str:
    return " ".join(words.replace("\t", " ").split()).strip(" .:;,–—-")
