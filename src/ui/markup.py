"""HTML of an exchange. Every word that comes from a document, a model or a visitor passes ``text()`` first.

Markdown is not used for such words: it would turn an address into a link and ``![](...)`` into a request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from src.records import Answer, Citation, Passage, Sentence, Step, Support
from src.ui.visitors import Exchange

HINT = 240  # characters of a quote under the pointer
ORDINALS = {1: "1st", 2: "2nd", 3: "3rd"}
TIERS = {
    "extractive": "quoted from the document",
    "direct": "written by the model from the passages",
    "loop": "written by the model, which searched step by step",
}


STEPS = {
    "retrieve": "Searched",
    "cache": "Looked among earlier answers",
    "route": "Chose where to answer from",
    "search": "Compared words and meaning",
    "rerank": "Ranked",
    "passages": "Chose passages",
    "quote": "Chose quotes",
    "draft": "Wrote",
    "check": "Checked every citation",
    "grade": "Judged the passages",
    "expand": "Said the question in other ways",
    "rewrite": "Asked in other words",
    "web": "Searched the web",
}


THINGS = (
    "sentence", "passage", "section", "page", "result", "document", "chunk", "character", "call", "phrasing", "keyword",
    "quote", "candidate", "claim", "citation",
)  # fmt: skip


def text(words: str) -> str:
    """``words`` as HTML text or attribute value."""
    return escape(words, quote=True)


def label(words: str) -> str:
    """``words`` for a widget's label, which Streamlit reads as Markdown: every sign it could mean is escaped."""
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", " ".join(words.split()))


def counted(words: str) -> str:
    """``words`` with the singular where they count one thing."""
    return re.sub(r"(?<![\d.,])1 ((?:further )?)(" + "|".join(THINGS) + r")s\b", r"1 \1\2", words)


def state(answer: Answer) -> tuple[str, str]:
    """A kind for the style sheet, and the state of an answer in words."""
    if answer.stopped:
        return "partial", "Stopped. This is what was there until then."
    if answer.status == "not_found":
        return "missing", "No passage answers this question"
    if answer.route == "web":
        return "partial", "From the web, not from the document"
    if answer.route == "chat":
        return "plain", "Not a question about the document"
    if answer.support is not Support.FULL:
        if any(s.support is not Support.FULL or s.problem for s in answer.sentences):
            return "partial", "Partly supported: the marked sentences could not be confirmed"
        if answer.struck:
            one = answer.struck == 1
            which = "a sentence" if one else f"{answer.struck} sentences"
            was = "was" if one else "were"
            return "partial", f"Partly supported: {which} without support in the document {was} left out"
        return "partial", "Answered in part: where nothing was found, it says so"
    earlier = " Kept from an earlier answer." if answer.cached else ""
    return ("quoted" if answer.tier == "extractive" else "written"), _stands(answer) + earlier


def _stands(answer: Answer) -> str:
    """What the check found, and that it is not what readers take it for: that the answer is right."""
    places = len({(c.document_id, c.pages, c.quote) for c in answer.citations if c.verified})
    if answer.tier != "extractive":
        found = "its quote was" if places == 1 else f"its {places} quotes were"
        checked = f"; {found} found on the cited page{'s' if places != 1 else ''}" if places else ""
        return f"Written by the model{checked}. Please judge the wording yourself."
    if answer.route in ("summary", "compare"):
        return "Sentences of the document itself, chosen to stand for it."
    if places == 1:
        return "Quoted from the document. Whether it answers your question is for you to judge."
    return f"Quoted from {places} places. Whether they answer your question is for you to judge."


def sentence(item: Sentence, cites: Mapping[int, Citation], message: str, many: bool) -> str:
    """One sentence with its citations as links."""
    links = "".join(
        " " + citation_link(cites[n], message, many, item.text)
        for n in dict.fromkeys(item.citations)
        if n in cites
    )
    words = text(item.text)
    if item.support is Support.FULL and not item.problem:
        return words + links
    why = item.problem or "not confirmed by the document"
    return f'<span class="doubt">{words}</span>{links} <span class="why">({text(why)})</span>'


def citation_link(citation: Citation, message: str, many: bool, beside: str = "") -> str:
    """A citation in the text: it opens its page in the viewer, or for the web shows where it leads.

    Under the pointer it shows the quoted words, unless they stand in the sentence ``beside`` it already.
    """
    if citation.url:
        return f'<span class="cite web">[{text(citation.url)}]</span>'
    label = f"{citation.document_name}, {citation.label}" if many else citation.label
    suffix = "" if citation.verified else ", quote not found there"
    hint = f"Show {citation.label} of {citation.document_name}"
    words = " ".join(citation.quote.split())
    if citation.verified and words not in " ".join(beside.split()):
        cut = words if len(words) <= HINT else words[:HINT].rstrip() + " …"
        hint = f"“{cut}” {citation.label} of {citation.document_name}"
    return (
        f'<a class="cite" href="#cite-{message}-{citation.number}"'
        f' title="{text(hint)}">[{text(label + suffix)}]</a>'
    )


def prose(answer: Answer, message: str, many: bool) -> str:
    """The answer's sentences; quotes from a document stand as paragraphs of their own.

    A paragraph finds its direction by its first letter, for which words in elements with a direction of their own do
    not count.
    """
    cites = {c.number: c for c in answer.citations}
    parts = [sentence(s, cites, message, many) for s in answer.sentences]
    if answer.tier == "extractive" and len(parts) > 1:
        return "".join(f'<p dir="auto">{part}</p>' for part in parts)
    return f'<p dir="auto">{" ".join(parts)}</p>' if parts else ""


def found_by(passage: Passage) -> str:
    """How a passage was found, in words."""
    ways = []
    if passage.keyword_rank is not None:
        ways.append(f"keywords: {_nth(passage.keyword_rank)}")
    if passage.semantic_rank is not None:
        ways.append(f"meaning: {_nth(passage.semantic_rank)}")
    elif passage.static_rank is not None:
        ways.append(f"word vectors: {_nth(passage.static_rank)}")
    if passage.rerank_score is not None:
        ways.append(f"reranker: {passage.rerank_score:+.1f}")
    return " · ".join(ways) or "neighbouring text"


def passage_label(passage: Passage) -> str:
    """Where a passage stands, as a citation says it: ``p. 4``, ``pp. 4-5 (printed iv-v)``."""
    ends = tuple(dict.fromkeys((passage.pages[0], passage.pages[-1])))
    printed = tuple(dict.fromkeys((passage.labels[0], passage.labels[-1]))) if passage.labels else ()
    name = f"{'p.' if len(ends) == 1 else 'pp.'} {'-'.join(map(str, ends))}"
    told = all(printed) and printed not in ((), tuple(map(str, ends)))
    return f"{name} (printed {'-'.join(printed)})" if told else name


def passage_list(
    passages: Sequence[Passage], message: str, title: str, many: bool, *, open: bool = False
) -> str:
    """Passages with page, heading and how they were found, behind a line that unfolds."""
    if not passages:
        return ""
    items = []
    for number, passage in enumerate(passages, start=1):
        label = passage_label(passage)
        where = f"{passage.document_name}, {label}" if many else label
        heading = (
            f'<span class="heading" dir="auto">{text(passage.headings[-1])}</span>'
            if passage.headings
            else ""
        )
        kind = "rows" if passage.kind == "table" else "words"
        items.append(
            f'<li><a class="cite" href="#passage-{message}-{number}">{text(where)}</a> {heading}'
            f'<span class="found">{text(found_by(passage))}</span>'
            f'<blockquote class="{kind}" dir="auto">{text(passage.text)}</blockquote></li>'
        )
    return (
        f'<details class="more"{" open" if open else ""}><summary>{text(title)}</summary>'
        f'<ol class="passages">{"".join(items)}</ol></details>'
    )


def trace(answer: Answer, steps: Sequence[Step]) -> str:
    """Time, tokens, cost and the steps, behind a line that unfolds."""
    rows = [("Time", f"{answer.ms / 1000:.1f} s")]
    if answer.status != "not_found":
        rows.insert(0, ("How", TIERS.get(answer.tier, answer.tier)))
    if answer.cached:
        rows.append(("Cache", "answered before from the same documents; no work was repeated"))
    usage = answer.usage
    if usage.calls:
        about = "about " if usage.estimated else ""
        tokens = f"{about}{usage.prompt_tokens:,} read, {usage.completion_tokens:,} written"
        rows.append(("Tokens", f"{tokens}, in {usage.calls} call{'s' if usage.calls > 1 else ''}"))
        cost = "no price is set for this model" if usage.cost is None else f"{about}${usage.cost:.4f}"
        rows.append(("Cost", cost))
    else:
        rows.append(("Tokens", "none: no model was called"))
    if answer.standalone and answer.standalone != answer.question:
        rows.append(("Understood as", answer.standalone))
    if answer.struck:
        rows.append(("Left out", counted(f"{answer.struck} sentences that the document does not support")))
    facts = "".join(f'<dt>{text(k)}</dt><dd dir="auto">{text(v)}</dd>' for k, v in rows)
    items = "".join(
        f'<li class="{_depth(s.name)}"><b>{text(_step(s.name))}</b>{":" if s.detail else ""}'
        f' <span dir="auto">{text(counted(s.detail))}</span> <i>{s.ms:,.0f} ms</i></li>'
        for s in answer.steps or steps
    )
    return (
        '<details class="more"><summary>How this was answered</summary>'
        f'<dl class="facts">{facts}</dl><ol class="steps">{items}</ol></details>'
    )


def answer_block(exchange: Exchange, answer: Answer, many: bool) -> str:
    """The whole answer: text, state, notices, passages, trace."""
    kind, words = state(answer)
    if answer.status == "not_found" and not answer.sentences:
        body = "<p>Not found in the document.</p>"
    else:
        body = prose(answer, exchange.id, many)
    notices = "".join(f'<p class="notice" dir="auto">{text(n)}</p>' for n in answer.notices)
    looked = passage_list(
        answer.looked_here, exchange.id, "Looked here: the nearest passages, none of which answers it", many
    )
    count = len(answer.passages)
    passages = ""
    if answer.status != "not_found":
        title = (
            "The passage it was answered from" if count == 1 else f"The {count} passages it was answered from"
        )
        passages = passage_list(answer.passages, exchange.id, title, many)
    return (
        f'<div class="de-answer">{f"""<div class="prose">{body}</div>"""}'
        f'<p class="state {kind}">{text(words)}</p>{notices}{looked or passages}'
        f"{trace(answer, exchange.steps)}</div>"
    )


def progress_block(exchange: Exchange) -> str:
    """A running answer: what was written so far and the step it is at."""
    doing = "Stopping" if exchange.cancel.is_set() else exchange.doing or "Searching"
    body = (
        f'<div class="prose" dir="auto"><p dir="auto">{text(exchange.text)}</p></div>'
        if exchange.text
        else ""
    )
    return f'<div class="de-answer running">{body}<p class="state working" role="status">{text(doing)} …</p></div>'


def _step(name: str) -> str:
    last = name.rsplit("/", 1)[-1]
    return STEPS.get(last, last.capitalize())


def _depth(name: str) -> str:
    return "part" if "/" in name else "whole"


def _nth(rank: int) -> str:
    return ORDINALS.get(rank, f"{rank}th")
