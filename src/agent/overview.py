"""Answers about whole documents: a summary section by section, a comparison document by document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from src.agent.drafting import INSTEAD, checked
from src.agent.question import answer_question
from src.agent.run import Run
from src.answerer.client import CapReachedError, ModelError
from src.index import DocumentIndex
from src.records import Answer, Citation, Claim, Draft, Passage, Sentence, Support
from src.routes import Route, Way, single_question
from src.summary import (
    SECTION_TOKENS,
    Section,
    chunk_passage,
    fits_whole,
    quoted_summary,
    sections,
    telling_chunks,
)

MOST_COMPARED = 6
SHORT_OF_MODEL = 5  # sentences a document when several are summarised by quoting


def summarise(run: Run, task: str, indexes: Sequence[DocumentIndex], way: Way) -> Answer:
    """The summary of each of ``indexes``, its sentences citing the sections they come from."""
    answers = []
    for index in indexes[:MOST_COMPARED]:
        found = sections(index, way.pages, way.topic)
        if not found:  # a heading whose text was not read as its section
            answers.append((index, answer_question(run, task, (index,))))
            continue
        answer = _summary(run, task, index, found, most=7 if len(indexes) == 1 else SHORT_OF_MODEL)
        answers.append((index, answer))
    if len(indexes) > MOST_COMPARED:
        run.notice(
            f"The first {MOST_COMPARED} of {len(indexes)} documents are summarised; name one to see another."
        )
    return replace(_side_by_side(run, answers), route="summary")


def compare(run: Run, question: str, indexes: Sequence[DocumentIndex]) -> Answer:
    """The answer of each document to what ``question`` compares, one below the other, each with its name."""
    single = single_question(question, [index.document for index in indexes])
    if not single:
        return replace(summarise(run, question, indexes, Way(Route.SUMMARY)), route="compare")
    answers = [(index, answer_question(run, single, (index,))) for index in indexes[:MOST_COMPARED]]
    if len(indexes) > MOST_COMPARED:
        run.notice(
            f"The first {MOST_COMPARED} of {len(indexes)} documents are compared; name those that matter."
        )
    return replace(_side_by_side(run, answers), route="compare")


def _summary(run: Run, task: str, index: DocumentIndex, found: Sequence[Section], most: int) -> Answer:
    drafted = _mapped(run, task, index, found) if run.model is not None else None
    if drafted is not None:
        draft, passages = drafted
        answer = checked(run, draft, task, passages)
        if answer.status == "answered" or run.cancel.is_set():
            return _by_section(answer)
        run.notice(f"The model's summary did not stand up to the check. {INSTEAD}")
    with run.step("quote", "Reading the document") as say:
        draft, passages = run.wait(lambda: quoted_summary(index, found, run.engine.models.static, most))
        say(f"{len(draft.claims)} sentences of {len(found)} sections")
    return checked(run, draft, task, passages)


def _mapped(
    run: Run, task: str, index: DocumentIndex, found: Sequence[Section]
) -> tuple[Draft, tuple[Passage, ...]] | None:
    """The model's sentences for each section; None when it failed before any came."""
    parts = [Section("", tuple(c for s in found for c in s.chunks))] if fits_whole(found) else list(found)
    budget = SECTION_TOKENS if len(parts) > 1 else 10 * SECTION_TOKENS
    claims: list[Claim] = []
    passages: list[Passage] = []
    for number, part in enumerate(parts, start=1):
        if run.model is None or run.cancel.is_set() or run.out_of_time:
            break
        given = [chunk_passage(index, c) for c in telling_chunks(part, index.static, budget)]
        with run.step("summarise", f"Reading section {number} of {len(parts)}") as say:
            try:
                draft = run.model.draft_section(
                    task, given, cancel=run.cancel, deadline=run.model_deadline, session=run.request.session
                )
            except (ModelError, CapReachedError) as error:
                say(getattr(error, "kind", "cap"))
                run.give_up_model(f"{error} {'The summary is incomplete.' if claims else INSTEAD}")
                break
            say(f"{len(draft.claims)} sentences")
        run.usage += draft.usage
        moved = len(passages)
        claims += [
            Claim(c.text, tuple((n + moved, words) for n, words in c.cites if n <= len(given)))
            for c in draft.claims
        ]
        passages += given
        run.show(" ".join(claim.text for claim in claims))
    if not claims:
        return None
    return Draft(tuple(claims), tier=run.model_tier), tuple(passages)


def _by_section(answer: Answer) -> Answer:
    """``answer`` with the title of each section before its first sentence."""
    by_number = {c.number: c for c in answer.citations}
    sentences: list[Sentence] = []
    last = ""
    for sentence in answer.sentences:
        cited = next((by_number[n] for n in sentence.citations if n in by_number), None)
        heading = _heading(answer, cited)
        if heading and heading != last and len({_heading(answer, c) for c in answer.citations}) > 1:
            sentence = replace(sentence, text=f"{heading}: {sentence.text}")
        last = heading or last
        sentences.append(sentence)
    return replace(answer, sentences=tuple(sentences))


def _heading(answer: Answer, citation: Citation | None) -> str:
    if citation is None or citation.passage is None:
        return ""
    headings = answer.passages[citation.passage - 1].headings
    return headings[-1][:80] if headings else ""


def _side_by_side(run: Run, answers: Sequence[tuple[DocumentIndex, Answer]]) -> Answer:
    """One answer of several: citations and passages numbered on, each document's part opened by its name."""
    if len(answers) == 1:
        return answers[0][1]
    sentences: list[Sentence] = []
    citations: list[Citation] = []
    passages: list[Passage] = []
    looked: list[Passage] = []
    for index, answer in answers:
        renumbered = {c.number: len(citations) + i for i, c in enumerate(answer.citations, start=1)}
        for i, sentence in enumerate(answer.sentences):
            text = f"{index.document.name}: {sentence.text}" if i == 0 else sentence.text
            moved = tuple(renumbered[n] for n in sentence.citations)
            sentences.append(replace(sentence, text=text, citations=moved))
        citations += [
            replace(c, number=renumbered[c.number], passage=c.passage + len(passages) if c.passage else None)
            for c in answer.citations
        ]
        passages += answer.passages
        looked += answer.looked_here
        for notice in answer.notices:
            run.notice(notice)
    answered = [a for _, a in answers if a.status == "answered"]
    if not answered:
        first = answers[0][1]
        return replace(first, passages=tuple(passages), looked_here=tuple(looked[:3]))
    full = len(answered) == len(answers) and all(a.support is Support.FULL for a in answered)
    return replace(
        answered[0],
        sentences=tuple(sentences),
        citations=tuple(citations),
        passages=tuple(passages),
        looked_here=(),
        support=Support.FULL if full else Support.PARTIAL,
        struck=sum(a.struck for _, a in answers),
        notices=(),
    )
