"""An exported chat says the same when it is read back, and claims nothing that its document does not hold."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import pytest

from src.records import Answer, Citation, Document, Passage, Sentence, Span, Support
from src.ui.export import html, markdown
from src.ui.transcript import EMBEDDED, TranscriptError, read, restored, saved
from src.ui.visitors import Exchange
from tests.factories import document_from_text

DOCUMENT = document_from_text("The rent is 840 euros.", "The notice period is six weeks.", name="lease.pdf")
CITATION = Citation(1, DOCUMENT.id, "lease.pdf", 0, (2,), "p. 2", "notice period is six weeks", verified=True)
ANSWER = Answer(
    "How long?", (Sentence("Six weeks. ![x](http://evil/)", (1,)),), "answered", citations=(CITATION,),
    snapshots=((DOCUMENT.id, 0),),
)  # fmt: skip


def chat(answer: Answer = ANSWER) -> list[Exchange]:
    return [Exchange("m1", "How long?", ("key",), answer=answer)]


def back(data: str, *documents: Document) -> list[Exchange]:
    return restored(read(data.encode()), {d.id: ("key", d) for d in documents})


@pytest.mark.parametrize("write", [markdown, html])
def test_what_is_exported_is_read_back_with_its_marks(write: object) -> None:
    assert callable(write)
    (exchange,) = back(write(saved(chat(), [DOCUMENT])), DOCUMENT)
    assert exchange.question == "How long?"
    assert exchange.answer
    assert exchange.answer.sentences == ANSWER.sentences
    (citation,) = exchange.answer.citations
    assert citation.verified
    assert citation.boxes
    assert {box.page for box in citation.boxes} == {2}
    assert exchange.answer.support is Support.FULL


def passage(words: str, page: int, start: int) -> Passage:
    return Passage(
        DOCUMENT.id, "lease.pdf", 0, words, (Span(page, start, start + len(words)),), ("",), (), "", "prose",
        "en", 1.0, (0,), (0, len(words)), keyword_rank=2, rerank_score=3.5,
    )  # fmt: skip


def test_passages_come_back_with_their_places_and_ranks() -> None:
    own, near = passage("The notice period is six weeks.", 2, 0), passage("840 euros", 1, 12)
    answer = replace(ANSWER, passages=(own,), looked_here=(near,))
    (exchange,) = back(markdown(saved(chat(answer), [DOCUMENT])), DOCUMENT)
    assert exchange.answer
    for was, now in ((own, exchange.answer.passages), (near, exchange.answer.looked_here)):
        assert [(p.text, p.spans, p.labels, p.keyword_rank, p.rerank_score) for p in now] == [
            (was.text, was.spans, was.labels, 2, 3.5)
        ]
    (exchange,) = back(markdown(saved(chat(answer), [DOCUMENT])))
    assert exchange.answer
    assert exchange.answer.passages == ()


def test_a_passage_that_does_not_stand_where_the_file_says_is_left_out() -> None:
    moved, beyond = passage("The notice period is six weeks.", 2, 3), passage("x", 9, 0)
    answer = replace(ANSWER, passages=(moved, beyond))
    (exchange,) = back(markdown(saved(chat(answer), [DOCUMENT])), DOCUMENT)
    assert exchange.answer
    assert exchange.answer.passages == ()


def test_markdown_holds_quotes_pages_and_hashes_and_loads_no_image() -> None:
    words = markdown(saved(chat(), [DOCUMENT]))
    assert DOCUMENT.id in words
    assert "> **lease.pdf, p. 2**: notice period is six weeks" in words
    assert not re.search(r"(?<!\\)!\[", words)


def test_html_loads_nothing_and_runs_nothing() -> None:
    hostile = replace(ANSWER, sentences=(Sentence("<script>alert(1)</script>", (1,)),))
    page = html(saved(chat(hostile), [DOCUMENT]))
    assert "<script" not in page
    assert "default-src 'none'" in page


def test_a_quote_that_the_file_only_claims_is_not_marked() -> None:
    forged = replace(ANSWER, citations=(replace(CITATION, quote="The rent is 1 euro."),))
    (exchange,) = back(markdown(saved(chat(forged), [DOCUMENT])), DOCUMENT)
    assert exchange.answer
    assert not exchange.answer.citations[0].verified
    assert exchange.answer.citations[0].boxes == ()
    assert exchange.answer.support is Support.PARTIAL


def test_without_its_document_it_says_so() -> None:
    (exchange,) = back(markdown(saved(chat(), [DOCUMENT])))
    assert exchange.answer
    assert not exchange.answer.citations[0].verified
    assert "lease.pdf is not here" in exchange.answer.notices[-1]


def test_other_and_damaged_files_are_refused_in_a_sentence() -> None:
    with pytest.raises(TranscriptError, match="not a chat exported"):
        read(b"# Shopping list")
    words = markdown(saved(chat(), [DOCUMENT]))
    found = EMBEDDED.search(words)
    assert found
    body = json.loads(base64.b64decode(found[1]))
    body["exchanges"][0]["surprise"] = 1
    damaged = words.replace(found[1], base64.b64encode(json.dumps(body).encode()).decode())
    with pytest.raises(TranscriptError, match="damaged"):
        read(damaged.encode())
