"""The answerer that needs no model: it quotes the sentence or table row that answers, with the value in front."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence

from src.answerer.base import OnText
from src.answerer.candidates import Candidate, candidates
from src.answerer.denials import denials
from src.answerer.questions import Question, read_question
from src.answerer.scoring import Scored, score_candidates
from src.answerer.values import field_value
from src.models import Models
from src.records import Claim, Document, Draft, Passage, Turn
from src.refusal import answers, confidence

_STATE = re.compile(
    r"(?:(?P<no>no|off|(?:not |un)(?:ticked|checked|selected))|(?P<yes>yes|on|ticked|checked|selected))\b"
)
MOST = 4
QUOTE_CHARS = 420


class ExtractiveAnswerer:
    """Answers in the document's own words; ``documents`` are the snapshots that the passages come from."""

    def __init__(self, models: Models, documents: Mapping[str, Document]) -> None:
        self._models = models
        self._documents = documents

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
        chosen: dict[Candidate, Scored] = {}
        for part in asked.parts or (asked,):
            if cancel and cancel.is_set():
                return Draft((), refused=True)
            scored = score_candidates(part, found, passages, self._documents, self._models)
            if scored and answers(scored[0].evidence):
                chosen.update((s.candidate, s) for s in select(part, scored) if s.candidate not in chosen)
        if not chosen:
            return Draft((), refused=True)
        ordered = sorted(chosen.values(), key=lambda s: s.candidate.order)
        claims = tuple(claim(asked, s) for s in ordered)
        if on_text:
            on_text(" ".join(c.text for c in claims))
        return Draft(claims)


def select(question: Question, scored: Sequence[Scored]) -> list[Scored]:
    """The evidence to show, in reading order: the best, and what adds to it.

    A question for several things takes further candidates that are nearly as good; any question takes one more
    that holds words of the question which the first lacks.
    """
    best = scored[0]
    chosen = [best]
    for other in scored[1:]:
        if len(chosen) >= MOST:
            break
        if any(_overlap(other, s) for s in chosen):
            continue
        near = other.score >= best.score - (0.9 if question.several else 0.35)
        if (question.several and near and answers(other.evidence)) or (
            not question.several
            and len(chosen) == 1
            and not question.kind.wants_value
            and best.reading is None
            and other.reading is None
            and near
            and other.covered - best.covered
            and confidence(other.evidence) >= 0.75
        ):
            chosen.append(other)
    return sorted(chosen, key=lambda s: s.candidate.order)


def _overlap(one: Scored, other: Scored) -> bool:
    """Whether one candidate is quoted within the other, as the sentence before it."""
    a, b = one.candidate, other.candidate
    return a.text in (b.lead_in, b.text) or b.text in (a.lead_in, a.text)


def claim(question: Question, scored: Scored) -> Claim:
    """One piece of evidence as a sentence of the answer, citing its passage with the exact words."""
    candidate = scored.candidate
    number = candidate.passage + 1
    if scored.reading is not None and scored.reading.cells:
        return Claim(_told(question, scored), ((number, " ".join(candidate.text.split())),))
    quote = _trimmed(candidate.text, scored)
    if candidate.lead_in:
        quote = f"{candidate.lead_in} {quote}"
    said = f"“{quote}”"
    lead = _yes_or_no(question, candidate.text) if question.yes_no else ""
    if not lead and scored.value is not None and scored.value.text != quote:
        lead = scored.value.text
    return Claim(f"{lead} — {said}" if lead else said, ((number, quote),))


def _yes_or_no(question: Question, text: str) -> str:
    """ "No" where the evidence itself denies the question's words; "Yes" and "No" of a ticked or unticked field.

    A sentence that merely holds the words affirms nothing: there the quote speaks for itself.
    """
    field = field_value(text)
    state = field.text.casefold() if field else ""
    if match := _STATE.match(state):
        return "No" if match["no"] else "Yes"
    wanted = {term.stem for term in question.terms}
    denied = [
        d for d in denials(text, question.language) if d.kind == "negation" and set(d.heads[:2]) & wanted
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
    return told


def _trimmed(text: str, scored: Scored) -> str:
    """The sentence, cut at clause borders around its value when it is very long; the cuts are shown by "…"."""
    text = " ".join(text.split())
    if len(text) <= QUOTE_CHARS:
        return text
    middle = scored.value.start if scored.value else 0
    start = max(0, text.rfind(", ", 0, max(0, middle - 150)) + 2) if middle > 200 else 0
    end = text.find(", ", start + 250)
    end = end if 0 < end < start + QUOTE_CHARS else text.rfind(" ", 0, start + QUOTE_CHARS)
    return f"{'… ' if start else ''}{text[start:end].rstrip()}{' …' if end < len(text) else ''}"
