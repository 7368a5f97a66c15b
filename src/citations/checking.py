"""The check of a whole draft: citations located, sentences judged, the answer kept or turned into a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from src.answerer.pinboard import exchanged
from src.answerer.questions import read_question
from src.citations.claims import judge
from src.citations.lookup import find_spans, mark_boxes, page_label
from src.citations.verdicts import Verdict
from src.models import Models
from src.records import Answer, Citation, Document, Draft, Passage, Sentence, Span, Support
from src.refusal import refuse, snapshots, unread_notices
from src.settings import Settings


@dataclass
class Register:
    """The citations of one answer, numbered in the order in which they are first used."""

    passages: Sequence[Passage]
    documents: Mapping[str, Document]
    citations: list[Citation] = field(default_factory=list)
    numbers: dict[tuple[str, tuple[Span, ...] | str], int] = field(default_factory=dict)

    def cite(self, passage_number: int, quote: str) -> Citation:
        """The citation of ``quote`` in passage ``passage_number`` (1-based), the earlier one when it is the same."""
        passage = self.passages[passage_number - 1]
        pages = self.documents[passage.document_id].pages
        spans = find_spans(quote, passage, pages) if quote.strip() else passage.spans
        key = (passage.document_id, spans or quote)
        if key in self.numbers:
            return self.citations[self.numbers[key] - 1]
        numbers = tuple(dict.fromkeys(span.page for span in spans)) or passage.pages
        citation = Citation(
            number=len(self.citations) + 1,
            document_id=passage.document_id,
            document_name=passage.document_name,
            revision=passage.revision,
            pages=numbers,
            label=page_label(numbers, pages),
            quote=quote,
            verified=bool(spans) and bool(quote.strip()),
            boxes=mark_boxes(spans, pages) if quote.strip() else (),
            passage=passage_number,
        )
        self.citations.append(citation)
        self.numbers[key] = citation.number
        return citation


def check(
    draft: Draft,
    question: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    models: Models,
    settings: Settings,
) -> Answer:
    """The checked answer to ``question``.

    ``documents`` maps document id to the snapshot that the passages come from. A citation of a passage that was
    not given is removed; a sentence that its cited words do not support is struck or marked as
    ``settings.unsupported`` says; when more than half of the sentences fall, the answer becomes a refusal.
    """
    if draft.refused or not draft.claims:
        return refuse(question, draft, passages, documents)
    register = Register(passages, documents)
    judged: list[tuple[Sentence, Verdict]] = []
    for claim in draft.claims:
        cites = [(number, quote) for number, quote in claim.cites if 1 <= number <= len(passages)]
        found = [register.cite(number, quote) for number, quote in cites]
        verdict = judge(claim, found, question, passages, documents, models, draft.tier)
        numbers = tuple(dict.fromkeys(c.number for c in found))
        judged.append((Sentence(claim.text, numbers, verdict.support, verdict.problem), verdict))
    fallen = sum(v.support is Support.NONE for _, v in judged)
    if 2 * fallen > len(judged) or fallen == len(judged):
        return refuse(question, draft, passages, documents, struck=fallen)
    if draft.tier != "extractive" and (notice := _about_another(question, judged, register)):
        refused = refuse(question, draft, passages, documents, struck=len(judged))
        return replace(refused, notices=(*refused.notices, notice))
    strike = settings.unsupported == "strike"
    kept = [s for s, _ in judged if not (strike and s.support is Support.NONE)]
    sentences, citations = _renumbered(kept, register.citations)
    partial = any(s.support is not Support.FULL for s in sentences) or fallen > 0
    notices = (draft.notice, *(unread_notices(passages, documents) if partial else ()))
    return Answer(
        question=question,
        sentences=sentences,
        status="answered",
        citations=citations,
        passages=tuple(passages),
        support=Support.PARTIAL if partial else Support.FULL,
        tier=draft.tier,
        struck=fallen if strike else 0,
        notices=tuple(n for n in notices if n),
        usage=draft.usage,
        snapshots=snapshots(passages, documents),
    )


def _about_another(question: str, judged: Sequence[tuple[Sentence, Verdict]], register: Register) -> str:
    """One sentence when all that stands is true of a sibling of what was asked for, berth 3 for berth 4."""
    standing = [sentence for sentence, verdict in judged if verdict.support is not Support.NONE]
    cited = {n: register.citations[n - 1] for sentence in standing for n in sentence.citations}
    told = [" ".join([s.text, *(cited[n].quote for n in s.citations)]) for s in standing]
    used = [register.passages[c.passage - 1] for c in cited.values() if c.passage is not None]
    context = " ".join(part for p in used for part in (p.context, *p.headings))
    names = " ".join(f"{d.name} {d.title}" for d in register.documents.values())
    found = exchanged(read_question(question), told, f"{context} {names}")
    return f"What was found speaks of {found[1]}, not of {found[0]}." if found else ""


def _renumbered(
    sentences: Sequence[Sentence], citations: Sequence[Citation]
) -> tuple[tuple[Sentence, ...], tuple[Citation, ...]]:
    """Only the citations still used, counted from 1 again."""
    used = list(dict.fromkeys(n for s in sentences for n in s.citations))
    new = {old: position for position, old in enumerate(used, start=1)}
    by_number = {c.number: c for c in citations}
    return (
        tuple(replace(s, citations=tuple(new[n] for n in s.citations)) for s in sentences),
        tuple(replace(by_number[old], number=new[old]) for old in used),
    )
