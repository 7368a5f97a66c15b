"""Alterations planted into true sentences are caught, and true sentences are left alone.

Run without models, as a machine without weights would; with them the figures are the same or better.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from src.citations.claims import judge
from src.citations.lookup import find_spans, page_label
from src.citations.verdicts import Verdict
from src.models import Models, load_models
from src.records import Citation, Claim, Document, Passage, Support
from src.settings import read_settings
from tests.answerer.made import passages_of
from tests.citations.pairs import Pair, pairs, planted
from tests.factories import document_from_text

CAUGHT = 0.95
ALARMS = 0.03


def book(made: list[Pair]) -> tuple[Document, list[Passage], dict[str, int]]:
    """A document of the page sentences, three a page, with the passage number of each."""
    sentences = list(dict.fromkeys(pair.page for pair in made))
    document = document_from_text(*[" ".join(sentences[i : i + 3]) for i in range(0, len(sentences), 3)])
    return document, passages_of(document), {s: i // 3 + 1 for i, s in enumerate(sentences)}


MADE = pairs()
DOCUMENT, PASSAGES, PLACES = book(MADE)


def verdict(claim: str, pair: Pair, models: Models) -> Verdict:
    """The check of ``claim`` with the pair's page sentence as its quote."""
    number = PLACES[pair.page]
    passage = PASSAGES[number - 1]
    spans = find_spans(pair.page, passage, DOCUMENT.pages)
    citation = Citation(
        1,
        DOCUMENT.id,
        DOCUMENT.name,
        0,
        passage.pages,
        page_label(passage.pages, DOCUMENT.pages),
        pair.page,
        bool(spans),
        passage=number,
    )
    documents = {DOCUMENT.id: DOCUMENT}
    return judge(
        Claim(claim, ((number, pair.page),)),
        [citation],
        "What is said?",
        PASSAGES,
        documents,
        models,
        "direct",
    )


def caught_share(models: Models) -> tuple[float, Counter[str]]:
    """Share of the planted alterations that are not fully supported, and the misses by kind."""
    dice, misses, total = random.Random(7), Counter[str](), 0
    for pair in MADE:
        for alteration in planted(pair, dice):
            total += 1
            misses[alteration.kind] += verdict(alteration.claim, pair, models).support is Support.FULL
    return 1 - misses.total() / total, misses


def alarms(models: Models) -> list[str]:
    """True claims that are not fully supported."""
    return [p.claim for p in MADE if verdict(p.claim, p, models).support is not Support.FULL]


def test_planted_alterations_are_caught() -> None:
    share, misses = caught_share(Models())

    assert share >= CAUGHT, misses


def test_true_sentences_raise_no_alarm() -> None:
    raised = alarms(Models())

    assert len(raised) <= ALARMS * len(MADE), raised


@pytest.mark.weights
def test_the_same_holds_with_the_models() -> None:
    models = load_models(read_settings({}, None))
    share, misses = caught_share(models)
    raised = alarms(models)

    assert share >= CAUGHT, misses
    assert len(raised) <= ALARMS * len(MADE), raised


@pytest.mark.parametrize(
    ("page", "claim", "problem"),
    [
        ("87% of the homes answered.", "85% of the homes answered.", "85%"),
        ("The loss was 1,284 thousand crowns.", "The loss was 1,248 thousand crowns.", "1,248"),
        ("The loss was 1,284 thousand crowns.", "The loss was 1,284 million crowns.", "1,284 million"),
        ("The valve must not be opened.", "The valve must be opened.", "'not'"),
        ("The gate is open except on Sundays.", "The gate is open on Sundays.", "'except'"),
        ("Sales increased in the north.", "Sales decreased in the north.", "'decreased'"),
        ("Anna Berg reports to Carl Dahl.", "Carl Dahl reports to Anna Berg.", "changed"),
    ],
)
def test_the_problem_is_said_in_words(page: str, claim: str, problem: str) -> None:
    document = document_from_text(page)
    passage = passages_of(document)[0]
    citation = Citation(1, document.id, "made.pdf", 0, (1,), "p. 1", page, True, passage=1)

    found = judge(
        Claim(claim, ((1, page),)), [citation], "?", [passage], {document.id: document}, Models(), "direct"
    )

    assert found.support is Support.NONE
    assert problem in found.problem
