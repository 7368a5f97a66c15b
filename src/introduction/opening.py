"""What a reader sees of a new document before asking: a few of its own sentences, and questions it can answer.

Everything comes from the document: sentences near its centre of meaning, definitions, table values, headings.
A question is only suggested after the extractive answerer has answered it from the page it was made from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from src.answerer.front import printed_title
from src.citations.lookup import find_spans, mark_boxes
from src.index import DocumentIndex
from src.introduction.suggestions import Candidate, candidates, spoken
from src.models import Embedder
from src.records import Answer, Box, Document, Page, PageState, Span
from src.summary import quoted_summary, sections

SUMMARY_SENTENCES = 3
QUESTIONS = 4
TRIED = 14
FEW = 2  # good questions; with fewer, as of a scan or in a language without words here, ABOUT is offered
MOST_WEAK = 2
ABOUT = "What is this document about?"
ABOUT_IN = {"de": "Worum geht es in diesem Dokument?", "fr": "De quoi parle ce document ?"}
# What programs write into the title field when nobody gave them a title.
MADE_BY = re.compile(r"^(?:microsoft (?:word|powerpoint|excel) - )", re.I)
EMPTY_TITLE = re.compile(
    r"(?:untitled|unknown|document|title|none|no title|\(?anonymous\)?|slide) ?\d*|.*\.(?:docx?|pptx?|xlsx?|tex|dvi|indd|qxd|rtf|pdf)|[\W\d_]*"
    r"|adobe .*|.*\bpdf(?: document)?|scan(?:ned)?\b.{0,20}",
    re.I,
)

SENTENCE = re.compile(r"[.!?。؟।][”\"»’')\]]*\s*$")
ASKING = re.compile(r"what|who|why|when|how|many|much|wh?as|were|are|the|does|did|for|ist|sind|eine?|est|que")

# Signs that OCR sets where it has taken an ornament for letters: "_hapter =".
MISREAD = re.compile(r"[_=|~<>{}\\^*#]")


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
    summary = excerpts(index, static)
    if "tables" in document.pending:
        return Introduction(summary, complete=False)
    questions = tuple(_answerable(document, ask, stop))
    return Introduction(summary, questions, complete=not document.pending or len(questions) == QUESTIONS)


def _answerable(document: Document, ask: Callable[[str], Answer], stop: Callable[[], bool]) -> Iterator[str]:
    good: list[str] = []
    weak: list[str] = []
    for candidate, _ in zip(candidates(document), range(TRIED), strict=False):
        if len(good) >= QUESTIONS or (candidate.weak and len(weak) >= MOST_WEAK) or stop():
            break
        if not _is_said_already(candidate.question, good) and _is_answered(
            candidate, ask(candidate.question)
        ):
            (weak if candidate.weak else good).append(candidate.question)
    yield from good
    if len(good) < FEW and not stop():
        question = ABOUT_IN.get(spoken(document), ABOUT)
        about = ask(question)
        told = any(SENTENCE.search(s.text) for s in about.sentences)  # and not only headings and rows
        if about.status == "answered" and told and any(c.verified for c in about.citations):
            good.append(question)
            yield question
    yield from weak[: QUESTIONS - len(good)]


def _is_said_already(question: str, others: Sequence[str]) -> bool:
    """Whether one of ``others`` asks the same with more or fewer words: "What is JFT?", "What is the JFT dataset?"."""
    if question.startswith("Who is ") and any(other.startswith("Who is ") for other in others):
        return True  # one of the people is enough
    words = _content(question)
    return bool(words) and any(words <= _content(other) or _content(other) <= words for other in others)


def _content(question: str) -> set[str]:
    return {w for w in re.findall(r"\w+", question.casefold()) if len(w) > 2 and not ASKING.fullmatch(w)}


def _is_answered(candidate: Candidate, answer: Answer) -> bool:
    """Whether the answer quotes the page that the question was made from, and of it what it was made from."""
    cited = {page for citation in answer.citations if citation.verified for page in citation.pages}
    quoted = _folded(" ".join([*(s.text for s in answer.sentences), *(c.quote for c in answer.citations)]))
    return (
        answer.status == "answered"
        and candidate.page in cited
        and _folded(candidate.evidence) in quoted
        and _says_more(answer)
    )


def _folded(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _says_more(answer: Answer) -> bool:
    """Whether an answer holds a figure or a few words beyond its question: a heading alone answers nothing."""
    asked = set(re.findall(r"\w+", answer.question.casefold()))
    told = re.sub(r"^\W*(?:\d+(?:\.\d+)*\.?\s+)?", "", " ".join(s.text for s in answer.sentences)).casefold()
    new = set(re.findall(r"\w+", told)) - asked
    return len(new) >= 3 or any(word.isdecimal() for word in new)


# --- the document's own sentences -----------------------------------------------------------------------------


def excerpts(index: DocumentIndex, static: Embedder | None) -> tuple[Excerpt, ...]:
    """Up to SUMMARY_SENTENCES sentences of the document's summary, in reading order, with their places."""
    pages = index.document.pages
    draft, passages = quoted_summary(index, sections(index), static, SUMMARY_SENTENCES, lines=False)
    found = []
    for claim in draft.claims:
        for number, quote in claim.cites:
            if spans := find_spans(quote, passages[number - 1], pages):
                found.append(_excerpt(quote, spans, pages))
    return tuple(found)


def _excerpt(quote: str, spans: Sequence[Span], pages: Sequence[Page]) -> Excerpt:
    page = pages[spans[0].page - 1]
    label = f"p. {page.number}"
    if page.label and page.label != str(page.number):
        label += f" (printed {page.label})"
    return Excerpt(quote, page.number, label, mark_boxes(spans, pages))


# --- its title ---------------------------------------------------------------------------------------------


def titled(document: Document) -> str:
    """The document's title when it says more than the file's name, else the first page's heading, else nothing."""
    title = MADE_BY.sub("", " ".join(document.title.split()))
    if title and not EMPTY_TITLE.fullmatch(title) and title.casefold() != document.name.casefold():
        return title
    title = printed_title(document)
    first = next((page for page in document.pages if page.text.strip()), None)
    misread = first is not None and first.state is not PageState.TEXT and MISREAD.search(title)
    return "" if misread else title
