"""A question to the documents: retrieve, grade, draft, check; when that gives no answer, look again in other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from src.agent.drafting import checked, draft_by_model, draft_by_quoting
from src.agent.expansion import phrasings
from src.agent.run import Run
from src.agent.tools import draft_with_tools
from src.answerer.client import CapReachedError, ModelError
from src.answerer.definitions import defining_chunks, variants
from src.answerer.extremes import find_extreme
from src.answerer.facts import fact_asked, telling_chunks
from src.answerer.features import find_feature
from src.answerer.front import front_asked, front_passages
from src.answerer.questions import Question, read_question, topic
from src.index import DocumentIndex
from src.records import Answer, Chunk, Draft, Passage
from src.retriever import retrieve
from src.summary import chunk_passage

WIDER = 2  # times as many passages when the first ones held no answer
LISTING = 20
REWRITE_TOKENS = 60
WEAK = 3
SMALL = 60  # chunks of a document whose tables are all looked at


def answer_question(
    run: Run, question: str, indexes: Sequence[DocumentIndex], *, listing: bool = False
) -> Answer:
    """The checked answer of ``indexes`` to the standalone ``question``, a refusal when they hold none."""
    k = LISTING if listing else run.settings.top_k
    passages = find(run, question, indexes, k=k, beside=phrasings(run, question))
    passages = (*_front(question, indexes), *_telling_first(question, indexes, passages))
    answer = _attempt(run, question, passages)
    tried = [question]
    for _ in range(run.settings.agent_retries):
        if not _worth_another_try(run, answer):
            break
        query = _other_words(run, question, tried)
        if not query:
            break
        tried.append(query)
        more = _new(find(run, query, indexes, k=k), passages)
        if not more:
            continue
        passages = (*more, *passages)[: k * WIDER]
        again = _attempt(run, question, passages)
        answer = again if again.status == "answered" else replace(answer, struck=answer.struck + again.struck)
    if _worth_another_try(run, answer):
        answer = _look_with_tools(run, question, passages, indexes) or answer
    return answer


def _front(question: str, indexes: Sequence[DocumentIndex]) -> tuple[Passage, ...]:
    """The first pages, where a question asks for author, title or date: no search finds them."""
    asked = read_question(question)
    if not any(front_asked(part.text) for part in asked.parts or (asked,)):
        return ()
    return tuple(passage for index in indexes for passage in front_passages(index.document))


def _telling_first(
    question: str, indexes: Sequence[DocumentIndex], found: Sequence[Passage]
) -> tuple[Passage, ...]:
    """The passages ``found``, behind places that share no word with the question and tell what it asks.

    Those are definitions, and facts that many people ask for; a place that was found anyway comes first as it was found.
    """
    languages = tuple(dict.fromkeys(code for index in indexes for code in index.languages))
    asked = read_question(question, languages)
    score = max((passage.score for passage in found), default=0.0)
    first: list[Passage] = []
    for part in asked.parts or (asked,):
        for index, chunk in (*_compared(part, indexes, found), *_telling(part, indexes)):
            known = (p for p in found if p.document_id == index.document.id and chunk.number in p.chunks)
            passage = next(known, None) or chunk_passage(index, chunk)
            if passage not in first:
                first.append(passage)
    rest = [passage for passage in found if passage not in first]
    return (*(replace(passage, score=score) for passage in first), *rest)


def _compared(
    asked: Question, indexes: Sequence[DocumentIndex], found: Sequence[Passage]
) -> list[tuple[DocumentIndex, Chunk]]:
    """The chunks with the rows that have the most or the least of what is asked, or its ticks: the search may have brought
    another row of their table, and of a small document, in other words, none."""
    documents = {index.document.id: index.document for index in indexes}
    small = [index for index in indexes if len(index.chunks) <= SMALL]
    tables = [chunk_passage(index, c) for index in small for c in index.chunks if c.kind == "table"]
    shown = (*found, *tables)
    extreme = find_extreme(asked, shown, documents)
    feature = find_feature(asked, shown, documents) if extreme is None else None
    rows = [(thing.page, thing.row) for thing in extreme.rows] if extreme else feature.rows if feature else ()
    told = extreme or feature
    places = [(page.number, row.start) for page, row in rows]
    return [
        (index, chunk)
        for index in indexes
        if told is not None and index.document.id == told.document_id
        for chunk in index.chunks
        if chunk.kind == "table"
        and any(s.page == page and s.start <= start < s.end for page, start in places for s in chunk.spans)
    ]


def _telling(asked: Question, indexes: Sequence[DocumentIndex]) -> Iterator[tuple[DocumentIndex, Chunk]]:
    """The chunks that tell the fact or the meaning asked for, none for every other question."""
    fact = fact_asked(asked.text, [index.document for index in indexes], asked.language)
    for index in indexes:
        chunks: list[Chunk] = []
        if fact is not None:
            chunks = telling_chunks(fact, index.chunks, index.document)
        elif asked.defined:
            forms = variants(asked.defined, index.abbreviations, asked.language)
            chunks = defining_chunks(index.chunks, forms, asked.language)
        yield from ((index, chunk) for chunk in chunks)


def find(
    run: Run,
    question: str,
    indexes: Sequence[DocumentIndex],
    *,
    k: int | None = None,
    beside: Sequence[str] = (),
) -> tuple[Passage, ...]:
    """The passages for ``question``, searched with what is ``beside`` it: other ways to say it."""
    several = f"{len(indexes)} documents" if len(indexes) > 1 else "the document"
    with run.step("retrieve", f"Searching {several}") as say:
        models, settings = run.engine.models, run.settings
        found = run.wait(lambda: retrieve(topic(question), indexes, models, settings, k=k, phrasings=beside))
        say(_grade(found.passages))
    for step in found.steps:
        run.add(replace(step, name=f"retrieve/{step.name}", ms=round(step.ms, 1)))
    return found.passages


def _attempt(run: Run, question: str, passages: Sequence[Passage]) -> Answer:
    if not passages:
        return checked(run, Draft((), refused=True, tier=_tier(run)), question, passages)
    draft = draft_by_model(run, question, passages) or draft_by_quoting(run, question, passages)
    return checked(run, draft, question, passages)


def _tier(run: Run) -> str:
    return run.model_tier if run.model is not None else "extractive"


def _worth_another_try(run: Run, answer: Answer) -> bool:
    """Refused, with time left, and somebody who can look again in other words."""
    return (
        answer.status != "answered"
        and run.model is not None
        and run.settings.agent == "loop"
        and not run.out_of_time
        and not run.cancel.is_set()
    )


def _other_words(run: Run, question: str, tried: Sequence[str]) -> str:
    """Another search query by the model, "" when it has no new one."""
    if run.model is None:
        return ""
    with run.step("rewrite", "Looking again in other words") as say:
        try:
            query, usage = run.model.rewrite(
                question, tried, cancel=run.cancel, deadline=run.model_deadline, session=run.request.session
            )
        except (ModelError, CapReachedError) as error:
            say(getattr(error, "kind", "cap"))
            return ""
        run.usage += usage
        known = {_key(earlier) for earlier in tried}
        query = "" if _key(query) in known else query
        say(query if run.settings.log_text else f"{len(query)} characters")
    return query


def _key(query: str) -> tuple[str, ...]:
    return tuple(sorted(read_question(query).stems))


def _look_with_tools(
    run: Run, question: str, passages: Sequence[Passage], indexes: Sequence[DocumentIndex]
) -> Answer | None:
    """What the model finds when it searches by itself, None when it cannot or finds nothing."""
    found = draft_with_tools(run, question, passages, indexes)
    if found is None:
        return None
    draft, seen = found
    answer = checked(run, draft, question, seen)
    return answer if answer.status == "answered" else None


def _new(found: Sequence[Passage], known: Sequence[Passage]) -> tuple[Passage, ...]:
    texts = {(p.document_id, p.spans) for p in known}
    return tuple(p for p in found if (p.document_id, p.spans) not in texts)


def _grade(passages: Sequence[Passage]) -> str:
    """How good the passages look, for the trace."""
    if not passages:
        return "no passage"
    best = passages[0]
    scores = [
        f"{name} {value:.2f}"
        for name, value in (("rerank", best.rerank_score), ("similarity", best.similarity))
        if value is not None
    ]
    return f"{len(passages)} passages" + (f", best {', '.join(scores)}" if scores else "")
