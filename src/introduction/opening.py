"""What a reader sees of a new document before asking: a few of its own sentences, and questions it can answer.

Everything comes from the document: sentences near its centre of meaning, definitions, table values, headings.
A question is only suggested after the extractive answerer has answered it from the page it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from src.answerer.front import printed_title
from src.chunker.sentences import sentence_spans
from src.index import DocumentIndex
from src.introduction.suggestions import PROSE, candidates
from src.models import Embedder
from src.records import Answer, Box, Document, Page, line_boxes
from src.summary import BESIDE_THE_POINT

SUMMARY_SENTENCES = 3
QUESTIONS = 4
TRIED = 14
SCANNED_SENTENCES = 400
# What programs write into the title field when nobody gave them a title.
MADE_BY = re.compile(r"^(?:microsoft (?:word|powerpoint|excel) - )", re.I)
EMPTY_TITLE = re.compile(
    r"(?:untitled|unknown|document|title|none|no title|\(?anonymous\)?|slide) ?\d*|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|rtf|pdf)|[\W\d_]*"
    r"|adobe .*|.*\bpdf(?: document)?|scan(?:ned)?\b.{0,20}",
    re.I,
)
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
    """Excerpts in reading order, and questions that the document answers; more may come while not ``complete``."""

    summary: tuple[Excerpt, ...] = ()
    questions: tuple[str, ...] = ()
    complete: bool = True


def introduce(
    index: DocumentIndex, static: Embedder | None, ask: Callable[[str], Answer], stop: Callable[[], bool]
) -> Introduction:
    """The introduction of a document. ``ask`` answers a question from it without any paid model.

    ``stop`` is asked between questions; what was found until then is returned. Before the tables are read there are
    no questions.
    """
    document = index.document
    summary = summarise(document, static)
    if "tables" in document.pending:
        return Introduction(summary, complete=False)
    questions = tuple(_answerable(document, ask, stop))
    return Introduction(summary, questions, complete=not document.pending or len(questions) == QUESTIONS)


def _answerable(document: Document, ask: Callable[[str], Answer], stop: Callable[[], bool]) -> Iterator[str]:
    found = 0
    for candidate, _ in zip(candidates(document), range(TRIED), strict=False):
        if found >= QUESTIONS or stop():
            return
        answer = ask(candidate.question)
        cited = {page for citation in answer.citations if citation.verified for page in citation.pages}
        if answer.status == "answered" and candidate.page in cited and _says_more(answer):
            found += 1
            yield candidate.question


def _says_more(answer: Answer) -> bool:
    """Whether an answer holds a figure or a few words beyond its question: a heading alone answers nothing."""
    asked = set(re.findall(r"\w+", answer.question.casefold()))
    told = re.sub(r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?", "", " ".join(s.text for s in answer.sentences)).casefold()
    new = set(re.findall(r"\w+", told)) - asked
    return len(new) >= 3 or any(word.isdecimal() for word in new)


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
        and not BESIDE_THE_POINT.search(sentence)
        and "@" not in sentence
        and "http" not in sentence
    )


def _excerpt(page: Page, start: int, end: int) -> Excerpt:
    label = f"p. {page.number}"
    if page.label and page.label != str(page.number):
        label += f" (printed {page.label})"
    return Excerpt(" ".join(page.text[start:end].split()), page.number, label, line_boxes(page, start, end))


# --- its title ---------------------------------------------------------------------------------------------


def titled(document: Document) -> str:
    """The document's title when it says more than the file's name, else the first page's heading, else nothing."""
    title = MADE_BY.sub("", " ".join(document.title.split()))
    if title and not EMPTY_TITLE.fullmatch(title) and title.casefold() != document.name.casefold():
        return title
    return printed_title(document)
