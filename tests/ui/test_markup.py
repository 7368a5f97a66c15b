"""HTML of answers: states in words, links to pages, and nothing of a document or a model that means anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.records import Answer, Citation, Passage, Sentence, Span, Step, Support, Usage
from src.ui.markup import answer_block, counted, found_by, label, passage_label, state, text
from src.ui.visitors import Exchange

HOSTILE = (
    '![x](http://evil/x.png) <img src=x onerror=alert(1)> <a href="http://evil">y</a> "quoted" \'single\''
)
CITED = Citation(1, "d" * 64, "lease.pdf", 0, (4,), "p. 4", "six weeks", verified=True)
ANSWER = Answer("How long?", (Sentence("Six weeks.", (1,)),), "answered", citations=(CITED,))


def block(answer: Answer, many: bool = False) -> str:
    return answer_block(Exchange("m1", "How long?", ("k",), answer=answer), answer, many)


def passage(words: str) -> Passage:
    return Passage(
        "d" * 64, "lease.pdf", 0, words, (Span(4, 0, len(words)),), ("iv",), (words,), "", "prose", "en", 1.0, (0,),
        (0, len(words)), keyword_rank=1, semantic_rank=3, rerank_score=4.25,
    )  # fmt: skip


def test_a_citation_is_a_link_to_its_page() -> None:
    assert 'href="#cite-m1-1"' in block(ANSWER)
    assert ">[p. 4]</a>" in block(ANSWER)
    assert ">[lease.pdf, p. 4]</a>" in block(ANSWER, many=True)


def test_under_the_pointer_a_citation_shows_words_that_do_not_stand_beside_it() -> None:
    assert 'title="“six weeks” p. 4 of lease.pdf"' in block(ANSWER)
    quoted = replace(ANSWER, sentences=(Sentence("“It is six weeks.”", (1,)),))
    assert 'title="Show p. 4 of lease.pdf"' in block(quoted)
    long = replace(ANSWER, citations=(replace(CITED, quote="甲" * 999),))
    assert f'title="“{"甲" * 240} …” p. 4' in block(long)


def test_a_quote_that_was_not_found_is_said_to_be_so() -> None:
    assert "[p. 4, quote not found there]" in block(
        replace(ANSWER, citations=(replace(CITED, verified=False),))
    )


def test_a_web_source_shows_where_it_leads_and_is_no_link_into_the_document() -> None:
    web = replace(CITED, url="https://example.org/a?b=1&c=2", pages=())
    html = block(replace(ANSWER, citations=(web,), route="web"))
    assert "https://example.org/a?b=1&amp;c=2" in html
    assert "#cite-" not in html


def test_hostile_words_are_words_wherever_they_come_from() -> None:
    answer = replace(
        ANSWER,
        sentences=(Sentence(HOSTILE, (1,), Support.PARTIAL, HOSTILE),),
        citations=(replace(CITED, document_name=HOSTILE, label=HOSTILE),),
        passages=(passage(HOSTILE),),
        notices=(HOSTILE,),
        steps=(Step(HOSTILE, HOSTILE),),
        standalone=HOSTILE,
    )
    html = block(answer, many=True)
    for tag in ("<img", '<a href="http', "onerror=alert(1)>"):
        assert tag not in html
    assert html.count(text(HOSTILE)) >= 6


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "Quoted from the document. Whether it answers your question is for you to judge."),
        ({"tier": "loop"}, "Written by the model; its quote was found on the cited page."),
        (
            {"cached": True},
            "Quoted from the document. Whether it answers your question is for you to judge. Kept from",
        ),
        ({"route": "summary"}, "Sentences of the document itself"),
        (
            {"support": Support.PARTIAL, "sentences": (Sentence("Six.", (1,), Support.PARTIAL, "no"),)},
            "Partly supported: the marked sentences could not be confirmed",
        ),
        ({"support": Support.PARTIAL, "struck": 2}, "Partly supported: 2 sentences without support"),
        ({"support": Support.PARTIAL}, "Answered in part: where nothing was found, it says so"),
        ({"status": "not_found", "citations": ()}, "No passage answers this question"),
        ({"route": "web"}, "From the web, not from the document"),
        ({"stopped": True}, "Stopped"),
    ],
)
def test_the_state_stands_there_in_words(changes: dict[str, object], words: str) -> None:
    answer = replace(ANSWER, **changes)  # type: ignore[arg-type]
    assert state(answer)[1].startswith(words)
    assert words in block(answer)


def test_a_refusal_shows_no_sources_but_where_was_looked() -> None:
    refused = Answer(
        "?", (), "not_found", looked_here=(passage("The cat sleeps."),), passages=(passage("x y"),)
    )
    html = block(refused)
    assert "Not found in the document." in html
    assert "Looked here" in html
    assert "The cat sleeps." in html
    assert "it was answered from" not in html


def test_passages_are_named_by_their_physical_and_printed_page() -> None:
    one = passage("The cat sleeps.")
    assert passage_label(one) == "p. 4 (printed iv)"
    assert passage_label(replace(one, labels=("4",))) == "p. 4"
    assert passage_label(replace(one, labels=("",))) == "p. 4"
    both = replace(one, spans=(Span(4, 0, 3), Span(5, 0, 3)), labels=("iv", "v"))
    assert passage_label(both) == "pp. 4-5 (printed iv-v)"


def test_passages_say_how_they_were_found() -> None:
    assert found_by(passage("x")) == "keywords: 1st · meaning: 3rd · reranker: +4.2"
    assert found_by(
        replace(passage("x"), keyword_rank=None, semantic_rank=None, rerank_score=None, static_rank=12)
    ) == ("word vectors: 12th")


def test_time_tokens_and_cost_are_there_on_demand() -> None:
    html = block(
        replace(ANSWER, ms=1234.0, usage=Usage(1200, 80, 2, 0.0031, True), tier="direct", cached=True)
    )
    for words in ("1.2 s", "about 1,200 read, 80 written, in 2 calls", "about $0.0031", "answered before"):
        assert words in html
    assert "none: no model was called" in block(ANSWER)


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("1 sentences", "1 sentence"),
        ("1 calls, 1 further passages", "1 call, 1 further passage"),
        ("11 sentences of 1 sections", "11 sentences of 1 section"),
        ("0.1 pages", "0.1 pages"),
        ("2 sentences", "2 sentences"),
    ],
)
def test_one_thing_is_counted_in_the_singular(detail: str, shown: str) -> None:
    assert counted(detail) == shown


def test_labels_mean_nothing_to_markdown() -> None:
    assert label("a :red[b] $x$ *c*\n# d") == r"a \:red\[b\] \$x\$ \*c\* \# d"
