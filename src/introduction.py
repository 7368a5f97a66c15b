"""What a reader sees of a new document before asking: a few of its own sentences, and questions it can answer.

Everything comes from the document: sentences near its centre of meaning, definitions, table values, headings.
A question is only suggested after the extractive answerer has answered it from the page it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from src.chunker.sentences import sentence_spans
from src.index import DocumentIndex
from src.models import Embedder
from src.records import Answer, BlockKind, Box, Document, Page, Table, line_boxes

SUMMARY_SENTENCES = 3
QUESTIONS = 4
TRIED = 14
SCANNED_SENTENCES = 400
PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST})

# Headings that stand in every document and ask for nothing.
COMMON = re.compile(
    r"(?i)(abstract|introduction|references|bibliography|acknowledge?ments?|contents|table of contents|index|"
    r"appendix|preface|foreword|summary|notes?|glossary|figures?|tables?|einleitung|inhalt(sverzeichnis)?|literatur|"
    r"anhang|vorwort|r[ée]sum[ée]|sommaire|conclusions?)\b.{0,12}"
)
NUMBERING = re.compile(
    r"^\s*(?:(?:chapter|section|part|item|kapitel|chapitre)\s+)?(?:[\dIVX]+(?:\.\d+)*[.):]?|[A-Z][.)])\s+",
    re.I,
)
DEFINITION = re.compile(
    r"^(?:(?:An?|The)\s+)?[“\"']?(?P<term>[A-Z][\w-]*(?:\s+[\w-]+){0,3}?)[”\"']?(?:\s*\([^)]{1,20}\))?\s+"
    r"(?:is\s+(?:an?|the|one|any)|are\s+(?:the|those)|means?|refers\s+to|is\s+defined\s+as)\s"
)
# What programs write into the title field when nobody gave them a title.
MADE_BY = re.compile(r"^(?:microsoft (?:word|powerpoint|excel) - )", re.I)
EMPTY_TITLE = re.compile(
    r"(?:untitled|unknown|document|title|none|no title|\(?anonymous\)?|slide) ?\d*|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|rtf)|\W*",
    re.I,
)
TABLE_NUMBER = re.compile(r"^\s*(?:table|tab\.|exhibit|schedule)\s*[\dA-Z.-]*[.:]?\s*", re.I)
UNIT = re.compile(r"\s*[,(]\s*(?:in|amounts in|€|\$|eur|usd)\b.*$", re.I)
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d")
PRONOUNS = frozenset(
    {
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
        "which",
        "what",
        "here",
        "one",
    }
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence of the document with its physical page, the label for the reader, and its marks."""

    text: str
    page: int
    label: str
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Introduction:
    """Excerpts in reading order, and questions that the document answers."""

    summary: tuple[Excerpt, ...] = ()
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question made from the document, and the page that has to answer it."""

    question: str
    page: int


def introduce(
    index: DocumentIndex, static: Embedder | None, ask: Callable[[str], Answer], stop: Callable[[], bool]
) -> Introduction:
    """The introduction of a document. ``ask`` answers a question from it without any paid model.

    ``stop`` is asked between questions; what was found until then is returned.
    """
    document = index.document
    return Introduction(summarise(document, static), tuple(_answerable(document, ask, stop)))


def _answerable(document: Document, ask: Callable[[str], Answer], stop: Callable[[], bool]) -> Iterator[str]:
    found = 0
    for candidate, _ in zip(candidates(document), range(TRIED), strict=False):
        if found >= QUESTIONS or stop():
            return
        answer = ask(candidate.question)
        cited = {page for citation in answer.citations if citation.verified for page in citation.pages}
        if answer.status == "answered" and candidate.page in cited:
            found += 1
            yield candidate.question


# --- the document's own sentences -----------------------------------------------------------------------------


def summarise(document: Document, static: Embedder | None) -> tuple[Excerpt, ...]:
    """Up to SUMMARY_SENTENCES sentences, in reading order: close to the whole, early, and unlike each other."""
    found = list(_sentences(document))
    if not found or static is None:
        return tuple(excerpt for excerpt, _ in found[:SUMMARY_SENTENCES])
    vectors = static.embed([excerpt.text for excerpt, _ in found])
    centre = vectors.mean(axis=0)
    centre /= np.linalg.norm(centre) or 1.0
    early = np.array([1.0 / (1.0 + 0.06 * place) for _, place in found], dtype=np.float32)
    merit = vectors @ centre + 0.35 * early
    chosen: list[int] = []
    while len(chosen) < min(SUMMARY_SENTENCES, len(found)):
        echo = (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(found), dtype=np.float32)
        left = merit - 0.6 * echo
        left[chosen] = -np.inf
        chosen.append(int(left.argmax()))
    return tuple(found[i][0] for i in sorted(chosen))


def _sentences(document: Document) -> Iterator[tuple[Excerpt, int]]:
    """Sentences of running prose that stand by themselves, with their place among all, at most a fixed number."""
    place = 0
    for page in document.pages:
        for block in page.blocks:
            if block.kind not in PROSE:
                continue
            words = page.text[block.start : block.end]
            for start, end in sentence_spans(words, page.language):
                if place >= SCANNED_SENTENCES:
                    return
                place += 1
                if _stands_alone(words[start:end]):
                    yield _excerpt(page, block.start + start, block.start + end), place


def _stands_alone(sentence: str) -> bool:
    letters = sum(c.isalpha() for c in sentence)
    opening = sentence.split(maxsplit=1)[0].lower().strip("“\"'(,") if sentence.split() else ""
    return (
        50 <= len(sentence) <= 330
        and letters > 0.7 * len(sentence)
        and sentence[-1] in ".。؟!।"
        and not sentence[0].islower()
        and opening not in PRONOUNS
        and "@" not in sentence
        and "http" not in sentence
    )


def _excerpt(page: Page, start: int, end: int) -> Excerpt:
    label = f"p. {page.number}"
    if page.label and page.label != str(page.number):
        label += f" (printed {page.label})"
    return Excerpt(" ".join(page.text[start:end].split()), page.number, label, line_boxes(page, start, end))


# --- questions it can answer ----------------------------------------------------------------------------------


def candidates(document: Document) -> Iterator[Candidate]:
    """Questions from table values, definitions and headings in turn, so that the few shown are of several kinds."""
    if not document.pages:
        return
    english = sum(page.language in ("en", "") for page in document.pages) * 2 > len(document.pages)
    if not english:
        yield from _headings(document, "{}")
        return
    seen: set[str] = set()
    for group in zip_longest(
        _figures(document), _definitions(document), _headings(document, "What does it say about {}?")
    ):
        for candidate in group:
            if candidate and candidate.question.casefold() not in seen:
                seen.add(candidate.question.casefold())
                yield candidate


def _figures(document: Document) -> Iterator[Candidate]:
    """Two questions a table, the second ones after all the first: a labelled row with a number under a column."""
    tables = [(page, list(_table_questions(page, table))) for page in document.pages for table in page.tables]
    for round in range(2):
        for page, questions in tables:
            if len(questions) > round:
                yield Candidate(questions[round], page.number)


def _table_questions(page: Page, table: Table) -> Iterator[str]:
    title = _clean(UNIT.sub("", TABLE_NUMBER.sub("", table.title)))
    if not 6 <= len(title) <= 80:
        return
    for row in table.rows[:10]:
        if row.header or len(row.cells) < 2:
            continue
        name = _clean(page.text[row.cells[0].start : row.cells[0].end])
        if not (4 <= len(name) <= 60) or not re.search(r"[^\W\d]{3}", name):
            continue
        for cell in reversed(row.cells[1:]):
            column = _clean(table.columns[cell.column]) if cell.column < len(table.columns) else ""
            if 2 <= len(column) <= 40 and re.search(r"\d", page.text[cell.start : cell.end]):
                when = "in" if YEAR.fullmatch(column) else "under"
                yield f"What does “{title}” give for {_lower(name)} {when} {column.replace(' / ', ', ')}?"
                break


def _definitions(document: Document) -> Iterator[Candidate]:
    for page in document.pages:
        for block in page.blocks:
            if block.kind not in PROSE:
                continue
            words = page.text[block.start : block.end]
            for start, end in sentence_spans(words, page.language):
                match = DEFINITION.match(words[start:end])
                if match and end - start < 400 and match["term"].split()[0].lower() not in PRONOUNS:
                    yield Candidate(f"What is {_lower(match['term'])}?", page.number)


def _headings(document: Document, pattern: str) -> Iterator[Candidate]:
    for page in document.pages:
        for block in page.blocks:
            if block.kind is not BlockKind.HEADING:
                continue
            heading = _clean(NUMBERING.sub("", page.text[block.start : block.end]))
            if (
                8 <= len(heading) <= 70
                and " " in heading
                and not COMMON.fullmatch(heading)
                and heading != document.title
            ):
                yield Candidate(pattern.format(_lower(heading)), page.number)


def _lower(words: str) -> str:
    """Words as they stand inside a sentence: a capital that only opens them goes, names and acronyms stay."""
    first, *rest = words.split(" ")
    if words.isupper():
        return words.lower() if len(words) > 12 else words
    keep = not first[1:].islower() or any(w[:1].isupper() for w in rest)
    return words if keep else words[0].lower() + words[1:]


def _clean(words: str) -> str:
    return " ".join(words.replace("\t", " ").split()).strip(" .:;,–—-")


def titled(document: Document) -> str:
    """The document's title when it says more than the file's name, else nothing."""
    title = MADE_BY.sub("", " ".join(document.title.split()))
    return (
        ""
        if not title or EMPTY_TITLE.fullmatch(title) or title.casefold() == document.name.casefold()
        else title
    )
