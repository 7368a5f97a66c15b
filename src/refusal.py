"""One decision: does what was found answer the question, or is the answer "Not found in the document."?

The extractive answerer asks before it drafts, the citation check after it checked. Both hand over the same
measures of their evidence; the weights are fitted on the development questions (``evaluation``), not chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from src.records import (
    NOT_FOUND,
    Answer,
    Document,
    Draft,
    PageState,
    Passage,
    Sentence,
)

LOOKED_HERE = 3
# The fitted bias, moved so that 0.5 is where wrong refusals and wrong answers are in balance.
BIAS = -2.36
UNLIKE, FEW_WORDS = -4.0, 0.8  # logit and share of the question's words under which evidence tells little
NEAR = 0.56  # cosine of sentence vectors from which a passage is about what is asked


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the best evidence fits the question.

    ``coverage`` is the weighted share (0 to 1) of the question's content words that stand in the evidence or its
    context, ``own`` that in the evidence alone, ``absent`` that of words that stand nowhere in the documents;
    ``rerank`` is the cross-encoder's logit for the evidence, ``passage_rerank`` that for its passage, None without
    one; ``similarity`` the static vectors' cosine, None without them; ``pinned`` the share of the question's pins
    (years, labels, names) that stand there, ``siblings`` the number of pins in whose place a sibling stands,
    ``unseen`` that of pins found nowhere near; ``typed`` says that the evidence holds a value of the kind asked
    for; ``focus`` how far (0 to 1) it speaks of the thing asked for; ``rarest`` how far it has the question's
    rarest word, ``counts`` that a number of things is asked for.

    ``row`` says that it is a table row, ``labelled`` that the row's label has a word of the question (True where it
    is none), ``column`` how well (0 to 1) the column fits, ``cell`` how far the question names both the row and the
    column of one cell. ``rank`` is the place (from 0) of its passage, ``behind`` (0 or less) the passage's score less
    the best passage's, ``core`` that it stands in the part of the passage that was ranked, ``near`` the cosine of the
    passage's sentence vector. ``told`` (0 to 1 for a definition, more for a fact) says how plainly it has the form in
    which such a question is answered without sharing its words: a definition, a row of the income statement.
    """

    coverage: float
    own: float
    rerank: float | None = None
    passage_rerank: float | None = None
    similarity: float | None = None
    pinned: float = 1.0
    siblings: int = 0
    unseen: int = 0
    absent: float = 0.0
    typed: bool = True
    focus: float = 1.0
    rarest: float = 1.0
    counts: bool = False
    row: bool = False
    labelled: bool = True
    column: float = 0.0
    cell: float = 0.0
    rank: int = 0
    behind: float = 0.0
    core: bool = True
    near: float | None = None
    told: float = 0.0


def confidence(evidence: Evidence) -> float:
    """The probability (0 to 1) that ``evidence`` answers the question.

    A logistic model drawn towards a prior in which nothing that speaks for an answer counts against it. It is
    fitted on the development questions, on the same questions asked about another year, and on questions put to
    another document. The cross-encoder has little say: a question about something that the document is silent on, in
    a document that speaks of little else, has logits as high as one that is answered, and low ones say nothing.
    """
    weight = BIAS + 1.48 * evidence.coverage + 1.96 * evidence.own + 1.52 * (evidence.pinned - 1.0)
    weight -= 3.20 * min(2, evidence.siblings) + 1.80 * min(2, evidence.unseen) + 0.36 * evidence.absent
    weight += 2.00 * evidence.typed + 0.59 * evidence.focus + 0.25 * evidence.rarest + 2.00 * evidence.cell
    if evidence.counts and evidence.focus < 0.4:
        weight -= 1.09
    if not evidence.siblings:
        weight += 2.0 * evidence.told
    if not evidence.labelled:
        weight -= 1.30
    if evidence.row and evidence.rerank is not None and evidence.rerank <= UNLIKE:
        weight -= 1.0
    if evidence.rerank is not None:
        weight += 0.35 * max(0.0, min(1.0, evidence.rerank / 8))
    return 1.0 / (1.0 + math.exp(-weight))


def answers(evidence: Evidence) -> bool:
    """Whether ``evidence`` is good enough to be shown as an answer."""
    return confidence(evidence) >= 0.5


def is_in_other_words(evidence: Evidence) -> bool:
    """Whether the best evidence shares few words with the question and the cross-encoder sees nothing in it.

    Of such sentences one in five answers; of the pairs of passages nearest in meaning one in two (``evaluation/ACCURACY.md``).
    """
    return (
        evidence.rerank is not None
        and not evidence.row
        and evidence.rerank <= UNLIKE
        and evidence.own <= FEW_WORDS
    )


def near_in_meaning(evidence: Evidence, similarity: float) -> bool:
    """Whether passages of which the nearest has this ``similarity`` (cosine of sentence vectors) may be shown."""
    return similarity >= NEAR and evidence.typed and not evidence.siblings and not evidence.unseen


def may_tell(coverage: float, likeness: float, lead: float, passage_logit: float) -> bool:
    """Whether the sentences of a small document that come nearest to the question in meaning may be shown.

    ``coverage`` is the share of the question's words that the best evidence has, ``likeness`` the cosine of the nearest
    sentence's vector and the question's, ``lead`` how far that is above the mean of all sentences, ``passage_logit`` the
    cross-encoder's highest logit of a passage. Fitted on questions that the other rules refused (``evaluation/ACCURACY.md``).
    """
    return -2.35 + 1.55 * coverage + 4.3 * likeness + 6.26 * lead + 0.15 * passage_logit >= 0


def refuse(
    question: str,
    draft: Draft,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
    *,
    struck: int = 0,
) -> Answer:
    """The refusal: the fixed sentence, no citations, the nearest passages, and what was not read."""
    notices = tuple(n for n in (draft.notice, *unread_notices(passages, documents)) if n)
    return Answer(
        question=question,
        sentences=(Sentence(NOT_FOUND),),
        status="not_found",
        passages=tuple(passages),
        looked_here=tuple(passages[:LOOKED_HERE]),
        tier=draft.tier,
        struck=struck,
        notices=notices,
        usage=draft.usage,
        snapshots=snapshots(passages, documents),
    )


def unread_notices(passages: Sequence[Passage], documents: Mapping[str, Document]) -> tuple[str, ...]:
    """One sentence a document for pages that may hold the answer and could not be read, or are still being read."""
    notices = []
    several = len(documents) > 1
    for document in documents.values():
        name = f" of {document.name}" if several else ""
        lost = document.pages_in(PageState.UNREADABLE)
        if lost:
            notices.append(f"{_pages(lost)}{name} could not be read and may hold the answer.")
        waiting = document.pages_in(PageState.PENDING)
        if waiting:
            notices.append(
                f"{_pages(waiting)}{name} {'is' if len(waiting) == 1 else 'are'} still being read and may hold the answer."
            )
    return tuple(notices)


def snapshots(passages: Sequence[Passage], documents: Mapping[str, Document]) -> tuple[tuple[str, int], ...]:
    """Document id and revision of every snapshot an answer rests on."""
    found = {document.id: document.revision for document in documents.values()}
    found |= {passage.document_id: passage.revision for passage in passages}
    return tuple(sorted(found.items()))


def _pages(numbers: Sequence[int]) -> str:
    """Page numbers as ranges: "Pages 3, 7-9 and 12"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    parts = [str(a) if a == b else f"{a}-{b}" for a, b in ranges]
    if len(parts) > 8:
        parts = [*parts[:7], f"{sum(b - a + 1 for a, b in ranges[7:])} more"]
    word = "Page" if len(numbers) == 1 else "Pages"
    return f"{word} {parts[0]}" if len(parts) == 1 else f"{word} {', '.join(parts[:-1])} and {parts[-1]}"
