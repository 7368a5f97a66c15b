"""The answerer that needs no model: it quotes the sentence or table row that answers, with the value in front."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence

import numpy as np

from src.answerer.base import OnText
from src.answerer.candidates import candidates, row_place
from src.answerer.corrections import corrected
from src.answerer.denials import denials
from src.answerer.extremes import find_extreme
from src.answerer.features import find_feature
from src.answerer.front import front_asked, front_evidence
from src.answerer.numbers import has_money, quantities
from src.answerer.questions import Kind, Question, read_question
from src.answerer.quoting import LONGEST, Stretch, stretch
from src.answerer.scoring import Scored, is_field, score_candidates
from src.answerer.sentences import heads, sentence_bounds
from src.answerer.tables import trend
from src.answerer.values import field_value, value_in
from src.answerer.worded import worded
from src.models import Models
from src.records import Claim, Document, Draft, Page, Passage, TableRow, Turn
from src.refusal import Evidence, answers, is_in_other_words, may_tell, near_in_meaning

_STATE = re.compile(
    r"(?:(?P<no>no|off|(?:not |un)(?:ticked|checked|selected))|(?P<yes>yes|on|ticked|checked|selected))\b"
)
# "Is there parking?" is denied by "no parking", not by "trailers may not be parked there".
_NONE = frozenset(["no", "none", "without", "kein", "keine", "keinen", "aucun", "aucune"])
# What stands behind these is another matter than what the sentence says.
_ASIDE = re.compile(r"\b(?:but|however|although|whereas|with no|without)\b", re.IGNORECASE)
# Entries of a table of contents say where something stands, and nothing about it.
_ASKS_WHERE = re.compile(
    r"\b(?:pages?|chapters?|sections?|contents|appendix|appendices|seiten?|kapitel)\b", re.IGNORECASE
)
CLOSEST = "No sentence answers in the question's own words; these passages come closest in meaning."
_WORDS = re.compile(r"[^\W\d_]{3,}")
SPOKEN = 6  # words under which a passage is a formula or a label
CLOSE = 2  # passages shown as that
SMALL = 30_000  # characters of documents whose sentences are compared one by one
FEW = 3000  # ... in which the nearest passage was not chosen among many
COMPARED, COMPARED_CHARS = 40, 600  # sentences whose vectors are made for one question, characters of each
UNREAD = -11.0  # logit of a passage where there is no cross-encoder
LIKELY = 0.65  # cosine of sentence vectors from which the nearest of few passages is about what is asked
MEANT = 0.6  # of a question's words, in a sentence of a small document that may answer
MOST = 4  # pieces of evidence where several things are asked for
MOST_ALIKE = 3  # ... where one is, and none is clearly it
SEVERAL, BESIDE, ELSEWHERE = 1.2, 2.0, 0.3  # how far behind the best a further piece may be
COUNTED = 0.4  # of what is asked for, in a sentence whose number may stand in front
VALUED = 0.5  # ... where the best gives the one value asked for
DENYING = 0.75  # of a question's words, in a sentence that can deny it
ROOM = 500  # characters of a quote with its neighbours
QUOTE_CHARS = 420  # ... of one that is cut


class ExtractiveAnswerer:
    """Answers in the document's own words; ``documents`` are the snapshots that the passages come from."""

    def __init__(self, models: Models, documents: Mapping[str, Document]) -> None:
        self._models = models
        self._documents = documents
        self._length = sum(len(page.text) for d in documents.values() for page in d.pages)

    def draft(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        history: Sequence[Turn] = (),
        on_text: OnText | None = None,
        cancel: threading.Event | None = None,
    ) -> Draft:
        """The best evidence as claims, each with its verbatim quote; refused when none answers."""
        asked = read_question(question, tuple(dict.fromkeys(p.language for p in passages if p.language)))
        found = candidates(passages, self._documents)
        chosen: list[Scored] = []
        claims: list[Claim] = []
        notice = ""
        for part in asked.parts or (asked,):
            if cancel and cancel.is_set():
                return Draft((), refused=True)
            if told := self._front_claims(part, passages):
                claims += told
                continue
            if told := self._compared_claims(part, passages):
                claims += told
                continue
            told_in = [c for c in found if c.kind != "contents" or _ASKS_WHERE.search(part.text)]
            scored = score_candidates(part, told_in, passages, self._documents, self._models)
            best = scored[0].evidence if scored else None
            if best is None:
                continue
            if answers(best) and not self._is_unlike(scored[0]):
                known = {s.candidate for s in chosen}
                chosen += [s for s in select(part, scored) if s.candidate not in known]
            elif told := self._closest(part, scored, passages):
                claims += told
                notice = CLOSEST
        claims += claims_of(asked, chosen, passages)
        if not claims:
            return Draft((), refused=True)
        if on_text:
            on_text(" ".join(c.text for c in claims))
        return Draft(tuple(claims), notice=notice)

    def _is_unlike(self, best: Scored) -> bool:
        """Whether the best evidence has so little in common with the question that what is nearest in meaning is shown.

        A small document may answer in other words: its sentence has most of the question's, or words that mean the
        same, or its passage is near in meaning.
        """
        evidence = best.evidence
        if best.bonus or not is_in_other_words(evidence):
            return False
        if self._length >= SMALL:
            return True
        return evidence.own < MEANT and (evidence.near is None or evidence.near < LIKELY)

    def _closest(
        self, question: Question, scored: Sequence[Scored], passages: Sequence[Passage]
    ) -> list[Claim]:
        """What comes nearest to the question in meaning, empty where nothing does."""
        if self._length < SMALL:
            near = nearest(question, scored, passages, self._models)
            if near or self._length < FEW:
                return claims_of(question, near, passages)
        best = next((s for s in scored if not s.evidence.row), scored[0])
        unlike = not best.bonus and is_in_other_words(best.evidence)
        return closest(question, best.evidence, passages) if unlike else []

    def _front_claims(self, question: Question, passages: Sequence[Passage]) -> list[Claim]:
        """What the front matter of each document says, where that is asked for."""
        front = front_asked(question.text)
        if front is None:
            return []
        found = [
            front_evidence(front, question.text, passages, document) for document in self._documents.values()
        ]
        return [
            Claim(
                f"{e.lead} — “{e.quote}”" if e.lead and e.lead != e.quote else f"“{e.quote}”",
                ((e.passage, e.quote),),
            )
            for e in found
            if e is not None
        ]

    def _compared_claims(self, question: Question, passages: Sequence[Passage]) -> list[Claim]:
        """The rows with the most or the least of what is asked, or with its ticks and crosses, where a table that one of
        the passages shows tells it."""
        most = find_extreme(question, passages, self._documents)
        if most is not None:
            rows = [(most.say(thing), thing.page, thing.row) for thing in most.rows]
            return _row_claims(rows, most.document_id, passages)
        feature = find_feature(question, passages, self._documents)
        if feature is None:
            return []
        told = [(said, *place) for said, place in zip(feature.said, feature.rows, strict=True)]
        return _row_claims(told, feature.document_id, passages)


def _row_claims(
    told: Sequence[tuple[str, Page, TableRow]], document_id: str, passages: Sequence[Passage]
) -> list[Claim]:
    """What is said of rows, each citing the first of ``passages`` that shows its row; those that none shows are left out."""
    claims = []
    for said, page, row in told:
        quote = " ".join(page.text[row.start : row.end].split())
        shown = (
            number
            for number, passage in enumerate(passages, start=1)
            if passage.document_id == document_id and row_place(passage, page.number, row) is not None
        )
        claims += [Claim(said, ((number, quote),)) for number in [*shown][:1]]
    return claims


def closest(question: Question, evidence: Evidence, passages: Sequence[Passage]) -> list[Claim]:
    """The first CLOSE passages of running text, when one is near enough to the question in meaning; none otherwise.

    Where a value is asked for, those that hold one: "how much is the fee?" is not answered by what speaks of fees.
    """
    near = max((p.similarity for p in passages if p.similarity is not None), default=0.0)
    if not near_in_meaning(evidence, near):
        return []
    told = [
        (i, p)
        for i, p in enumerate(passages, start=1)
        if p.similarity is not None
        and p.table is None
        and len(_WORDS.findall(p.text[slice(*p.core)])) >= SPOKEN
    ]
    claims = [_opening(number, passage) for number, passage in told[:CLOSE]]
    return [c for c in claims if not question.kind.wants_value or value_in(question, c.cites[0][1])]


def nearest(
    question: Question, scored: Sequence[Scored], passages: Sequence[Passage], models: Models
) -> list[Scored]:
    """The CLOSE sentences or rows of a small document nearest to the question in meaning, when they may tell."""
    if models.embedder is None or not models.knows(question.language):
        return []
    read = scored[:COMPARED]
    query = models.embedder.embed([question.text], "query")[0]
    vectors = models.embedder.embed([s.candidate.reading[:COMPARED_CHARS] for s in read], "passage")
    cosines = np.asarray(vectors @ query)
    logits = [p.rerank_score for p in passages if p.rerank_score is not None]
    lead = float(cosines.max() - cosines.mean())
    if not may_tell(read[0].evidence.coverage, float(cosines.max()), lead, max(logits, default=UNREAD)):
        return []
    found = [read[place] for place in np.argsort(-cosines)[:CLOSE].tolist()]
    return [s for s in found if _is_of_that(question, s)]


def _is_of_that(question: Question, scored: Scored) -> bool:
    """Whether what is near in meaning may be shown: with no other year or name, and a value only of what is asked."""
    evidence = scored.evidence
    if evidence.siblings or evidence.unseen or not evidence.typed:
        return False
    text = f"{scored.reading.say()} {scored.candidate.text}" if scored.reading else scored.candidate.text
    if question.money and not (has_money(text) or worded(question.kind, text)):
        return False
    return not question.kind.wants_value or evidence.rarest > 0


def _opening(number: int, passage: Passage) -> Claim:
    """Whole sentences of the part of a passage that was ranked, as many as a quote may hold."""
    first, last = passage.core
    bounds = [b for b in sentence_bounds(passage.text, passage.language) if first <= b[0] < last]
    while len(bounds) > 1 and heads(passage, bounds[0]):
        bounds = bounds[1:]
    start, end = bounds[0] if bounds else passage.core
    for _, ends in bounds[1:]:
        if ends - start > LONGEST:
            break
        end = ends
    quote = " ".join(passage.text[start:end].split())
    return Claim(f"“{quote}”", ((number, quote),))


def select(question: Question, scored: Sequence[Scored]) -> list[Scored]:
    """The evidence to show, the best first, then what is nearly as good: a reader sees at once which one it is.

    Another place on the same page costs the reader less than another page, and a question for several things asks
    for them.
    """
    best = scored[0]
    chosen = [best]
    if correction := corrected(best, scored):
        return [*correction, best]
    if is_field(best.candidate) and not question.several:
        return chosen  # the bare form stands beside it, with all that could be chosen
    for other in scored[1:]:
        if len(chosen) >= (MOST if question.several else MOST_ALIKE):
            break
        if any(_overlap(other, s) for s in chosen):
            continue
        beside = other.candidate.order[:2] == best.candidate.order[:2]
        gap = SEVERAL if question.several else BESIDE if beside else ELSEWHERE
        if best.value is not None and not question.several:
            gap = min(gap, VALUED)
        if other.score >= best.score - gap and answers(other.evidence):
            chosen.append(other)
    return _newest_first(question, chosen)


def _newest_first(question: Question, chosen: list[Scored]) -> list[Scored]:
    """Like rows of several periods with the newest first, where the question names none: "what was EPS" means now."""
    periods = [_period(scored) for scored in chosen]
    dated = any(q.kind in ("year", "date") for q in quantities(question.text))
    if dated or any(period is None for period in periods) or len({_row_label(s) for s in chosen}) > 1:
        return chosen
    order = sorted(range(len(chosen)), key=lambda i: periods[i] or (0, 0, 0), reverse=True)
    return [chosen[i] for i in order]


def _row_label(scored: Scored) -> str:
    return scored.reading.label.rpartition(" / ")[2] if scored.reading else ""


def _period(scored: Scored) -> tuple[int, int, int] | None:
    """The latest date or year over or before a row's cells; None when it has none."""
    if scored.reading is None or scored.candidate.row is None:
        return None
    text = " ".join([*scored.candidate.row.section, *(header for header, _ in scored.reading.cells)])
    dates = [
        q.date if q.kind == "date" else (int(q.value), 0, 0)
        for q in quantities(text)
        if q.kind in ("date", "year")
    ]
    return max(dates, default=None)


def _overlap(one: Scored, other: Scored) -> bool:
    """Whether one candidate is quoted within the other, as the sentence before it."""
    a, b = one.candidate, other.candidate
    return a.text in (b.lead_in, b.text) or b.text in (a.lead_in, a.text)


def claims_of(question: Question, chosen: Sequence[Scored], passages: Sequence[Passage]) -> list[Claim]:
    """The evidence as sentences of the answer; quotes that touch are one. In reading order where several are asked for."""
    places: list[tuple[Scored, Stretch]] = []
    for scored in chosen:
        candidate = scored.candidate
        room = ROOM if scored.value is None else 0  # a value beside another of its kind would only confuse
        start, end = stretch(question, candidate, passages[candidate.passage], room)
        for i, (other, (first, last)) in enumerate(places):
            same = other.candidate.passage == candidate.passage
            if not same or candidate.row is not None or other.candidate.row is not None:
                continue
            if max(end, last) - min(start, first) > LONGEST:  # a longer one would be cut
                start, end = stretch(question, candidate, passages[candidate.passage], 0)
            if start <= last + 2 and first <= end + 2:
                places[i] = (other, (min(start, first), max(end, last)))
                break
        else:
            places.append((scored, (start, end)))
    if question.several or question.parts:
        places.sort(key=lambda place: place[0].candidate.order)
    return [claim(question, scored, passages[scored.candidate.passage], place) for scored, place in places]


def claim(question: Question, scored: Scored, passage: Passage, place: Stretch) -> Claim:
    """One piece of evidence as a sentence of the answer, citing its passage with the exact words."""
    candidate = scored.candidate
    number = candidate.passage + 1
    if scored.reading is not None and scored.reading.cells:
        return Claim(_told(question, scored), ((number, " ".join(candidate.text.split())),))
    quote = _trimmed(passage.text, place, scored)
    said = f"“{quote}”"
    lead = _yes_or_no(question, scored) if question.yes_no else ""
    if (
        not lead
        and scored.value is not None
        and scored.value.text != quote
        and _is_of_focus(question, scored)
    ):
        lead = scored.value.text
    return Claim(f"{lead} — {said}" if lead else said, ((number, quote),))


def _is_of_focus(question: Question, scored: Scored) -> bool:
    """Whether the value can be put in front: a count only where its sentence speaks of what is counted."""
    return question.kind is not Kind.COUNT or scored.evidence.focus >= COUNTED


def _yes_or_no(question: Question, scored: Scored) -> str:
    """ "No" where the evidence itself denies what is asked; "Yes" and "No" of a ticked or unticked field.

    A sentence that merely holds the words affirms nothing, and one that holds few of them denies something else
    ("index advice with no access control"): there the quote speaks for itself.
    """
    text = scored.candidate.text
    field = field_value(text)
    state = field.text.casefold() if field else ""
    if match := _STATE.match(state):
        return "No" if match["no"] else "Yes"
    if scored.evidence.coverage < DENYING or _ASIDE.search(text):
        return ""
    wanted = {term.stem for term in question.terms}
    denied = [
        d
        for d in denials(text, question.language)
        if d.kind == "negation" and set(d.heads[:2]) & wanted and (len(wanted) > 1 or d.word in _NONE)
    ]
    asked = denials(question.text, question.language)
    return "No" if denied and not asked and not any(d.kind == "exception" for d in denials(text)) else ""


def _told(question: Question, scored: Scored) -> str:
    assert scored.reading is not None
    told = scored.reading.say()
    value = scored.reading.value.strip()
    words = question.text.casefold()
    if value and " loss" in words and " profit" in words:
        return f"A {'loss' if value.startswith(('(', '-', '−')) else 'profit'} — {told}"
    return trend(question, scored.reading) or told


def _trimmed(text: str, place: Stretch, scored: Scored) -> str:
    """The quote, cut at clause borders around its value when it is very long; the cuts are shown by "…"."""
    start, end = place
    whole = " ".join(text[start:end].split())
    if len(whole) <= LONGEST:
        return whole
    middle = scored.candidate.start - start + (scored.value.start if scored.value else 0)
    first = max(0, whole.rfind(", ", 0, max(0, middle - 150)) + 2) if middle > 200 else 0
    last = whole.find(", ", first + 250)
    last = last if 0 < last < first + QUOTE_CHARS else whole.rfind(" ", 0, first + QUOTE_CHARS)
    return f"{'… ' if first else ''}{whole[first:last].rstrip()}{' …' if last < len(whole) else ''}"
