"""Pairs of a true and an altered sentence through the check, and what is counted of them."""

from __future__ import annotations

import pytest

from evaluation.alterations import Pair, cites, judge, read_pairs, report
from src.models import Models
from tests.agent.conftest import index_of
from tests.factories import document_from_text

PAGE = (
    "The crane at berth 3 lifts 45 tonnes in calm weather. Mooring at the north quay costs 130 euros a day."
)
INDEX = index_of(document_from_text(PAGE, "# Library\n\nThe library lends books to members of the town."))


def pair(true: str, altered: str, evidence: str = "The crane at berth 3 lifts 45 tonnes") -> Pair:
    return Pair("p", "made.pdf", (1,), evidence, "What does it lift?", true, altered, "number", "en")


def test_the_passage_that_holds_the_evidence_is_cited_with_its_words() -> None:
    ((chunk, quote),) = cites(pair("", ""), INDEX.chunks)
    assert chunk.pages == (1,)
    assert quote == "The crane at berth 3 lifts 45 tonnes"


def test_words_that_stand_apart_are_quoted_apart() -> None:
    found = cites(pair("", "", "The crane at berth 3 ... costs 130 euros a day"), INDEX.chunks)
    assert {quote for _, quote in found} == {"The crane at berth 3", "costs 130 euros a day"}


@pytest.mark.parametrize(
    ("true", "altered", "alarm", "caught"),
    [
        ("The crane at berth 3 lifts 45 tonnes.", "The crane at berth 3 lifts 54 tonnes.", False, True),
        ("The crane at berth 3 lifts 54 tonnes.", "The crane at berth 3 lifts 45 tonnes.", True, False),
    ],
)
def test_what_is_caught_and_what_is_a_false_alarm(true: str, altered: str, alarm: bool, caught: bool) -> None:
    judged = judge(pair(true, altered), INDEX, Models())
    assert (judged.alarm, judged.struck, judged.caught) == (alarm, alarm, caught)
    metrics = report([judged])["metrics"]["all"]
    assert (metrics["alarms"]["value"], metrics["caught"]["value"]) == (alarm, caught)


def test_both_halves_of_the_pairs_have_some_of_each() -> None:
    pairs = read_pairs()
    assert len({p.id for p in pairs}) == len(pairs) == 460
    assert {(p.writer, p.half) for p in pairs} == {
        (writer, half) for writer in ("first writer", "second writer") for half in ("tuned", "held")
    }
