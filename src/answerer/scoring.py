"""How well each candidate fits a question: shared words, pins, kind of answer, vectors, cross-encoder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from src.abbreviations import find_abbreviations
from src.answerer.candidates import Candidate
from src.answerer.definitions import Variants, definition, variants
from src.answerer.facts import fact_asked, tells
from src.answerer.matching import Matcher
from src.answerer.numerals import MONTHS
from src.answerer.pinboard import PinBoard
from src.answerer.questions import Kind, Question
from src.answerer.selection import LOGIT, preference
from src.answerer.tables import Reading, lacks_column, read_row, split_lone
from src.answerer.terms import all_terms, content_terms
from src.answerer.values import Value, field_value, find_value
from src.answerer.wordlists import words_of
from src.languages import BIGRAM_SCRIPTS
from src.models import Models
from src.records import Document, Page, Passage, TableRow
from src.refusal import Evidence

_PREPOSITION = re.compile(
    r"\b(?:in|at|on|near|behind|beside|under|above|inside|outside|opposite|from|to)\s+(?:the|an?|[A-Z])"
)
_LETTER = re.compile(rf"[^\W\d_]|[{BIGRAM_SCRIPTS}]{{2}}")
FIELD = 0.8
TOLD = 2.0
QUALIFIED = 1.5
ANOTHER = 4.0  # takes a logit of 8 back
_QUALIFIER = re.compile(
    r"\b(?:exclud(?:ing|es?|ed)|adjusted|non-?gaap|pro forma|underlying|as if)\b", re.IGNORECASE
)
# Whom a document names by what they are: "the tenant pays a deposit" says who pays.
_ROLES = words_of(
    """tenant tenants landlord landlady lessor lessee owner owners buyer seller customer customers guest guests passenger passengers
    patient patients doctor physician pharmacist nurse parent parents teacher teachers pupil pupils student students child children
    adult adults class chair chairman chairwoman president secretary treasurer manager director board committee council member members
    staff employee employees employer worker workers team company firm insurer policyholder carrier supplier contractor operator driver
    crew captain skipper warden caretaker janitor police court judge minister mayor authority department user users holder author"""
)
HEADING = 3  # words of a line that may be a bare heading with its number
PILE = 6  # words from which a text with few distinct ones is a chart's
# "[4] G. E. Hinton, L. Deng" opens an entry of a list of references.
# Three words and a full stop: no heading.
_SENTENCE = re.compile(r"\w\W+\w+\W+\w.*[.!。][\"”’)]*\s*$", re.DOTALL)
_SOURCE = re.compile(r"^\W*(?:\[\d{1,3}\]|\d{1,3}\.)\s+(?:[A-Z]\.[\s-]?){1,3}\s?[A-Z][\w’'-]+,")
_SOURCES = re.compile(
    r"^(?:[\divxlc.]+\s+)?(?:references|bibliography|works cited|literatur(?:verzeichnis)?|bibliographie)\W*$",
    re.IGNORECASE,
)
_ASKS_SOURCE = re.compile(
    r"\b(?:cit\w+|referenc\w+|bibliograph\w+|paper|article|literatur|published|wrote)\b", re.IGNORECASE
)
LETTERS = 4  # fewer in a sentence are a formula's or a figure's
PAIRS = 12
PAIR_CHARS = 320


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its measures; ``score`` orders candidates, ``value`` is the one value it gives, if any.

    ``covered`` are the stems of the question that it has itself, ``bonus`` what its form adds to every score.
    """

    candidate: Candidate
    evidence: Evidence
    score: float
    value: Value | None
    reading: Reading | None
    covered: frozenset[str]
    bonus: float = 0.0


def score_candidates(
    question: Question,
    found: Sequence[Candidate],
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    models: Models,
) -> list[Scored]:
    """``found`` with scores, best first. The cross-encoder reads the first PAIRS by the other measures."""
    found = [c for c in found if (_says_a_value(c) if c.row is not None else _says_more(question, c))]
    if not found:
        return []
    readings = [read_row(question, c) if c.row is not None else None for c in found]
    owns = [f"{r.say()} {r.stub} {c.text}" if r else c.text for c, r in zip(found, readings, strict=True)]
    abbreviations = find_abbreviations([*owns, *(p.text for p in passages)])
    texts = [*owns, *(p.context for p in passages)]
    matcher = Matcher(question, texts, documents, models.static, abbreviations)
    board = PinBoard(question, documents, matcher.topics)
    similarities = _similarities(question, found, models)
    fact = fact_asked(question.text, documents.values(), question.language)
    forms = variants(question.defined, abbreviations, question.language)
    best = max((passage.score for passage in passages if passage.chunks), default=0.0)
    first = [
        _measured(
            question,
            candidate,
            reading,
            own,
            similarity,
            passages[candidate.passage],
            matcher,
            board,
            best,
            max(
                defines(question, candidate, forms),
                tells(fact, candidate, reading.label if reading else None),
            ),
        )
        for candidate, reading, own, similarity in zip(found, readings, owns, similarities, strict=True)
    ]
    first.sort(key=lambda s: -s.score)
    if models.reranker is None or not models.knows(question.language):
        return first
    pool = first[:PAIRS]
    logits = models.reranker.score(question.text, [reading_text(s) for s in pool])
    read = [
        replace(s, evidence=replace(s.evidence, rerank=float(x))) for s, x in zip(pool, logits, strict=True)
    ]
    return sorted((replace(s, score=_preference(s)) for s in read), key=lambda s: -s.score)


def _preference(scored: Scored) -> float:
    return preference(scored.evidence, scored.candidate.text) + scored.bonus


def is_field(candidate: Candidate) -> bool:
    """Whether a candidate is a filled field, "Vehicle class: B"."""
    return candidate.row is None and field_value(candidate.text) is not None


def reading_text(scored: Scored) -> str:
    """What the cross-encoder reads of a candidate: a row is told as a sentence, with its headers."""
    candidate = scored.candidate
    if scored.reading is not None:
        return f"{candidate.context}. {scored.reading.say()}".lstrip(". ")[:PAIR_CHARS]
    return candidate.reading[:PAIR_CHARS]


def _says_a_value(candidate: Candidate) -> bool:
    """Whether a row has a cell besides its label: "Earnings per share" stands above the rows that say something."""
    assert candidate.row is not None
    assert candidate.page is not None
    assert candidate.table is not None
    if len(filled := _filled(candidate.row, candidate.page)) > 1:
        return True
    if filled and split_lone(filled[0]) is not None:
        return True
    heads = any(len(_filled(row, candidate.page)) > 1 for row in candidate.table.rows if not row.header)
    return not heads and not "".join(filled).endswith(":")


def _filled(row: TableRow, page: Page) -> list[str]:
    return [text for cell in row.cells if (text := page.text[cell.start : cell.end].strip())]


def _says_more(question: Question, candidate: Candidate) -> bool:
    """Whether a candidate holds anything but the question's own words, as a bare heading with its number does not."""
    if candidate.kind == "heading" and question.kind not in (Kind.PERSON, Kind.PLACE):
        return False
    letters = len(_LETTER.findall(candidate.text))
    if letters < LETTERS and not question.kind.wants_value and candidate.row is None:
        return False
    if _is_pile(candidate.text) or (_is_source(candidate) and not _ASKS_SOURCE.search(question.text)):
        return False
    known = {term.stem for term in question.terms}
    words = re.sub(r"^\s*(?:§\s*)?(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.)]?\s+(?=\S)", "", candidate.text)
    left = [t for t in content_terms(words, question.language) if t.stem not in known]
    if question.yes_no and _SENTENCE.search(words):
        return True  # "The ferry does not run on Sundays." says it all in the question's own words
    # "Definition 5" is a heading; "the combination is 17-4-99" answers.
    return any(not t.word.isdigit() for t in left) or (bool(left) and len(candidate.text.split()) > HEADING)


def _is_pile(text: str) -> bool:
    """Whether a text is the marks of a chart, "OI OI 600 OI ESS", and no sentence: the same few over and over."""
    words = text.split()
    return len(words) >= PILE and len(set(words)) <= 0.5 * len(words)


def _is_source(candidate: Candidate) -> bool:
    """Whether a text is an entry of the list of references."""
    return bool(_SOURCES.match(candidate.heading) or _SOURCE.match(candidate.text))


def defines(question: Question, candidate: Candidate, forms: Variants) -> float:
    """How plainly a sentence says what the thing is whose meaning is asked for, 0 to 1."""
    if not question.defined or candidate.row is not None:
        return 0.0
    return definition(candidate.text, forms, question.language)


def is_qualified(question: Question, candidate: Candidate, reading: Reading | None) -> bool:
    """Whether a row gives a figure with something taken out of it ("excluding certain items") that nobody asked for."""
    if reading is None or _QUALIFIER.search(question.text):
        return False
    section = " ".join(candidate.row.section) if candidate.row else ""
    return bool(_QUALIFIER.search(f"{reading.label} {section} {candidate.text}"))


def _typed(question: Question, candidate: Candidate, value: Value | None) -> bool:
    """Whether a candidate holds what is asked for: a value, a name; a bare row of a table gives no reason."""
    if question.kind.wants_value:
        return value is not None
    if question.kind is Kind.REASON and candidate.row is not None:
        return False
    return _names_one(question, candidate)


def _names_one(question: Question, candidate: Candidate) -> bool:
    """Whether a candidate names somebody or some place, where that is asked, beyond what the question names."""
    if question.kind not in (Kind.PERSON, Kind.PLACE):
        return True
    asked = {term.stem for term in question.terms}
    words = all_terms(candidate.text, question.language)
    if question.kind is Kind.PERSON and any(t.word in _ROLES and t.stem not in asked for t in words):
        return True
    return any(
        t.surface[:1].isupper() and t.start > 0 and not (t.is_function or t.stem in asked or t.word in MONTHS)
        for t in words
    ) or (question.kind is Kind.PLACE and bool(_PREPOSITION.search(candidate.text)))


def _similarities(question: Question, found: Sequence[Candidate], models: Models) -> list[float | None]:
    if models.static is None:
        return [None] * len(found)
    query = models.static.embed([question.text], "query")[0]
    rows = models.static.embed([c.reading[:600] for c in found], "passage")
    return [float(value) for value in np.asarray(rows @ query)]


def _measured(
    question: Question,
    candidate: Candidate,
    reading: Reading | None,
    own: str,
    similarity: float | None,
    passage: Passage,
    matcher: Matcher,
    board: PinBoard,
    best: float,
    told: float,
) -> Scored:
    context = f"{candidate.context} {candidate.lead_in} {passage.context} {' '.join(passage.headings)}"
    shares = matcher.shares(own, context, passage.text)
    agreement = board.agreement(candidate, own, passage)
    value = find_value(question, candidate, reading)
    own_share = matcher.total({s: here for s, (here, _) in shares.items()})
    focus = max((shares[f][1] for f in question.focus if f in shares), default=own_share)
    evidence = Evidence(
        coverage=matcher.total({s: given for s, (_, given) in shares.items()}),
        own=own_share,
        similarity=similarity,
        pinned=agreement.met,
        siblings=agreement.siblings
        + bool(reading and (reading.conflict or lacks_column(question, reading, focus))),
        unseen=agreement.unseen,
        absent=matcher.absent,
        typed=_typed(question, candidate, value),
        passage_rerank=passage.rerank_score,
        focus=focus,
        counts=question.kind is Kind.COUNT,
        rarest=matcher.rarest(shares),
        row=reading is not None,
        labelled=reading is None or not reading.label or matcher.touches(reading.label),
        column=min(1.0, reading.column_score) if reading else 0.0,
        cell=_cell(question, reading),
        rank=candidate.passage,
        behind=min(0.0, passage.score - best),
        core=passage.core[0] <= candidate.start < passage.core[1],
        told=told,
        near=passage.similarity if passage.semantic_rank is not None else None,
    )
    # A filled field says more than its bare label, which stands on the page as well.
    bonus = TOLD * told + FIELD * is_field(candidate) - QUALIFIED * is_qualified(question, candidate, reading)
    bonus -= ANOTHER * board.is_another(own)
    covered = frozenset(s for s, (here, _) in shares.items() if here >= 0.99)
    return Scored(
        candidate, evidence, _order(evidence) + 0.3 * evidence.column + bonus, value, reading, covered, bonus
    )


def _cell(question: Question, reading: Reading | None) -> float:
    """How far the question names both coordinates of the one cell that is read, 0 to 1."""
    if reading is None or not reading.value or reading.conflict:
        return 0.0
    return reading.named * (1.0 if reading.column_score >= 1 else 0.5)


def _order(evidence: Evidence) -> float:
    """Which candidates the cross-encoder reads, and the order where there is none."""
    score = 1.2 * evidence.coverage + 1.8 * evidence.own + (evidence.similarity or 0.0) + 0.8 * evidence.typed
    score += 0.75 * evidence.pinned - 1.0 * evidence.siblings - 0.6 * evidence.unseen
    score += 1.1 * evidence.row + 0.8 / (1 + evidence.rank)
    if evidence.passage_rerank is not None:
        score += 0.06 * max(-LOGIT, min(LOGIT, evidence.passage_rerank))
    if evidence.near is not None:
        score += 1.4 * (evidence.near - 0.6)
    return score
