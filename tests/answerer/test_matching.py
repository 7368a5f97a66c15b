"""Words of a question in another form: made from one another, or of one name."""

from __future__ import annotations

import pytest

from src.answerer.candidates import candidates
from src.answerer.matching import Matcher, derived
from src.answerer.pinboard import PinBoard
from src.answerer.questions import read_question
from src.answerer.synonyms import SAME
from src.answerer.terms import stem
from tests.answerer.made import passages_of
from tests.factories import document_from_text


@pytest.mark.parametrize(
    ("asked", "printed", "same"),
    [
        ("complained", "complaints", True),
        ("grow", "growth", True),
        ("part", "party", False),
        ("ferry", "ferment", False),
    ],
)
def test_words_made_from_one_another(asked: str, printed: str, same: bool) -> None:
    words, vocabulary = {stem(asked): asked}, {stem(printed): printed}
    assert bool(derived(words, vocabulary)) is same


@pytest.mark.parametrize(
    ("question", "text", "siblings", "unseen"),
    [
        ("Why is it not sold in America?", "It is sold nowhere in the U.S. for now.", 0, 0),
        ("Why is it not sold in America?", "It is sold nowhere in Lund for now.", 0, 1),
        ("What were rates in the first quarter?", "Rates were 3% for the three months ended March 31.", 0, 0),
        ("When does the first shift start?", "The shift ended at noon.", 2, 0),
    ],
)
def test_names_and_periods_that_mean_the_same(question: str, text: str, siblings: int, unseen: int) -> None:
    document = document_from_text(text)
    documents, passages = {document.id: document}, passages_of(document)
    (candidate,) = candidates(passages, documents)
    found = PinBoard(read_question(question), documents, frozenset()).agreement(candidate, text, passages[0])
    assert (found.siblings, found.unseen) == (siblings, unseen)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the maximum number of tablets?", "Never take more than two tablets."),
        ("What is the minimum age?", "Guests must be at least 18 years of age."),
    ],
)
def test_a_limit_is_printed_in_many_ways(question: str, text: str) -> None:
    asked = read_question(question)
    document = document_from_text(text)
    matcher = Matcher(asked, [text], {document.id: document}, None)
    assert matcher.shares(text, "", text)[stem(question.split()[3])][0] == 1.0


def test_contractions_carry_no_content() -> None:
    assert read_question("Can I take it when I'm pregnant and don't sleep?").stems == (
        stem("pregnant"),
        stem("sleep"),
    )


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("Can I bring my cat?", "Pets are not accepted.", "en"),
        ("When do we have to leave?", "Check-out: Sunday, until 11:00", "en"),
        ("What is the dose for a day?", "Never take more than two tablets in 24 hours.", "en"),
        ("When do I have to be out of the flat?", "The tenants vacate the property in August.", "en"),
        ("Can I rent the room to someone else?", "Subletting needs written consent.", "en"),
        ("Bis wann muss gezahlt werden?", "Zahlbar bis zum 18. März ohne Abzug.", "de"),
    ],
)
def test_words_of_the_same_meaning_count(question: str, text: str, language: str) -> None:
    asked = read_question(question, (language,))
    document = document_from_text(text)
    matcher = Matcher(asked, [text], {document.id: document}, None)
    assert max(here for here, _ in matcher.shares(text, "", text).values()) >= SAME


def test_kinds_of_a_thing_do_not_stand_for_one_another() -> None:
    document = document_from_text("Wine is served.")
    matcher = Matcher(read_question("Is beer served?"), ["Wine is served."], {document.id: document}, None)
    assert matcher.shares("Wine is served.", "", "")[stem("beer")][0] == 0.0
