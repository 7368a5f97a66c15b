"""The refusal: one decision in which every measure counts the way it means, and what the reader is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.records import NOT_FOUND, Draft, PageState
from src.refusal import (
    Evidence,
    answers,
    confidence,
    is_in_other_words,
    near_in_meaning,
    refuse,
    unread_notices,
)
from tests.answerer.made import passages_of
from tests.factories import document_from_text

GOOD = Evidence(coverage=0.9, own=0.8, rerank=6.0, similarity=0.6)


@pytest.mark.parametrize(
    "worse",
    [
        {"coverage": 0.2},
        {"own": 0.1},
        {"pinned": 0.0},
        {"siblings": 1},
        {"unseen": 1},
        {"absent": 0.9},
        {"typed": False},
        {"focus": 0.0},
        {"labelled": False},
    ],
)
def test_what_speaks_against_an_answer_lowers_its_probability(worse: dict[str, float]) -> None:
    assert confidence(replace(GOOD, **worse)) < confidence(GOOD)  # type: ignore[arg-type]


def test_a_sibling_outweighs_everything_else() -> None:
    assert answers(GOOD)
    assert not answers(replace(GOOD, siblings=1, pinned=0.0))


OTHER_WORDS = replace(GOOD, own=0.2, coverage=0.3, rerank=-9.0)


def test_evidence_is_in_other_words_when_neither_its_words_nor_the_cross_encoder_speak_for_it() -> None:
    assert is_in_other_words(OTHER_WORDS)
    assert not is_in_other_words(GOOD)
    assert not is_in_other_words(replace(OTHER_WORDS, rerank=2.0))
    assert not is_in_other_words(replace(OTHER_WORDS, rerank=None))
    assert not is_in_other_words(replace(OTHER_WORDS, row=True))


def test_only_what_is_near_in_meaning_and_no_sibling_is_shown() -> None:
    assert near_in_meaning(OTHER_WORDS, 0.6)
    assert not near_in_meaning(OTHER_WORDS, 0.5)
    assert not near_in_meaning(replace(OTHER_WORDS, siblings=1), 0.6)
    assert not near_in_meaning(replace(OTHER_WORDS, unseen=1), 0.6)
    assert not near_in_meaning(replace(OTHER_WORDS, typed=False), 0.6)


def test_a_refusal_is_the_fixed_sentence_without_sources() -> None:
    document = document_from_text("One thing.\n\nAnother thing.\n\nA third.\n\nA fourth.")
    passages = passages_of(document)
    answer = refuse("Why?", Draft((), refused=True), passages, {document.id: document})

    assert answer.text == NOT_FOUND
    assert answer.citations == ()
    assert answer.looked_here == tuple(passages[:3])
    assert answer.notices == ()


def test_pages_that_may_hold_the_answer_are_named() -> None:
    document = document_from_text(*["text"] * 9)
    states = {2: PageState.UNREADABLE, 3: PageState.UNREADABLE, 5: PageState.UNREADABLE, 8: PageState.PENDING}
    pages = tuple(replace(p, state=states.get(p.number, PageState.TEXT)) for p in document.pages)

    assert unread_notices((), {document.id: replace(document, pages=pages)}) == (
        "Pages 2-3 and 5 could not be read and may hold the answer.",
        "Page 8 is still being read and may hold the answer.",
    )
