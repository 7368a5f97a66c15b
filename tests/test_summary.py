"""Sections of a document and the sentences that stand for them."""

from __future__ import annotations

import numpy as np

from src.records import FloatArray
from src.summary import (
    MOST_SECTIONS,
    SENTENCES,
    chunk_passage,
    fits_whole,
    page_passages,
    quoted_summary,
    sections,
    telling_chunks,
)
from tests.agent.conftest import PAGES, index_of
from tests.factories import document_from_text

HARBOUR = index_of(document_from_text(*PAGES))
LONG = index_of(
    document_from_text(
        *[
            f"# Part {n}\n\n"
            + " ".join(
                f"Vessel {n}-{i} carries grain from port {i} to port {n} each week." for i in range(40)
            )
            for n in range(12)
        ],
        "# References\n\nAnders, B. Harbours of the north. Vessels and quays of old, volume three.",
    )
)


class _Letters:
    """Unit vectors by letter frequency."""

    def embed(self, texts: list[str], kind: str = "passage") -> FloatArray:
        rows = np.array([[t.count(c) + 0.01 for c in "abcdefghijklmnop"] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_sections_follow_the_headings() -> None:
    assert [s.title for s in sections(HARBOUR)] == ["Harbour handbook", "Cranes", "Fees", "Staff"]


def test_few_sections_of_a_long_document_and_no_back_matter() -> None:
    found = sections(LONG)
    assert 1 < len(found) <= MOST_SECTIONS
    assert all("References" not in s.title for s in found)
    numbers = [c.number for s in found for c in s.chunks]
    assert numbers == sorted(numbers)
    assert not fits_whole(found)
    assert fits_whole(sections(HARBOUR))


def test_pages_and_topics_limit_the_summary() -> None:
    assert {p for s in sections(LONG, pages=(2, 3)) for c in s.chunks for p in c.pages} <= {1, 2, 3, 4}
    assert [s.title for s in sections(HARBOUR, topic="the fees section")] == ["Fees"]
    assert sections(HARBOUR, topic="whales") == ()


def test_quoted_sentences_stand_in_their_passages_and_open_with_the_opening() -> None:
    for static in (None, _Letters()):
        draft, passages = quoted_summary(HARBOUR, sections(HARBOUR), static)  # type: ignore[arg-type]
        assert 3 <= len(draft.claims) <= SENTENCES
        assert draft.claims[0].text.startswith("“This handbook describes the rules")
        for claim in draft.claims:
            ((number, quote),) = claim.cites
            assert quote in " ".join(passages[number - 1].text.split())
        pages = [passages[c.cites[0][0] - 1].pages[0] for c in draft.claims]
        assert pages == sorted(pages)


def test_every_large_section_is_heard() -> None:
    draft, passages = quoted_summary(LONG, sections(LONG), _Letters(), most=8)  # type: ignore[arg-type]
    assert len({passages[c.cites[0][0] - 1].headings for c in draft.claims}) >= 6


def test_a_document_of_nothing_but_fragments_still_says_something() -> None:
    index = index_of(document_from_text("total 5\n\nfee 7"))
    assert quoted_summary(index, sections(index), None)[0].claims


def test_telling_chunks_keep_to_the_budget() -> None:
    section = sections(LONG)[0]
    vectors = _Letters().embed([c.text for c in LONG.chunks])
    for given in (vectors, None):
        chosen = telling_chunks(section, given, 400)
        assert 1 <= len(chosen) < len(section.chunks)
        assert sum(len(c.text) for c in chosen) / 4 <= 400


def test_chunks_as_passages() -> None:
    passage = chunk_passage(HARBOUR, HARBOUR.chunks[0])
    assert passage.text == HARBOUR.chunks[0].text
    assert all(3 in p.pages for p in page_passages(HARBOUR, 3))
    assert page_passages(HARBOUR, 99) == ()


def test_what_sums_the_document_up_comes_first() -> None:
    paper = index_of(
        document_from_text(
            "# Notes on harbours\n\nWe thank the harbour board for many hours of patient help. Port dues are old things.",
            "# Abstract\n\nThis paper measures how long ships wait at quays. Ships wait nine hours on average at the quays.",
            *[
                f"# {n} Part\n\n"
                + " ".join(f"Vessel {n}-{i} carries grain to the port of call each week." for i in range(9))
                for n in range(1, 6)
            ],
            "# 6 Conclusions\n\nLonger quays shorten the wait of ships by a third.",
        )
    )
    draft, _ = quoted_summary(paper, sections(paper), None)
    texts = [claim.text for claim in draft.claims]
    assert texts[0] == "“This paper measures how long ships wait at quays.”"
    assert "“Longer quays shorten the wait of ships by a third.”" in texts
    assert not any("thank" in text for text in texts)
