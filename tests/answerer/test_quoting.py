"""What is quoted around a sentence: what it needs to be understood, then its neighbours, never half a sentence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.answerer.candidates import candidates
from src.answerer.questions import read_question
from src.answerer.quoting import stretch
from src.answerer.sentences import heads
from tests.answerer.made import passage_of
from tests.factories import document_from_text


def quoted(text: str, question: str, sentence: str, room: int) -> str:
    """The quote for the candidate that holds ``sentence``, from a passage of the whole ``text``."""
    document = document_from_text(text)
    passage = passage_of(document, (1, 0, -1))
    found = next(c for c in candidates([passage], {document.id: document}) if sentence in c.text)
    start, end = stretch(read_question(question), found, passage, room)
    return passage.text[start:end]


PLAIN = "The yard opens at six. The crane is greased on Mondays. The gate is painted green. Tea is at ten."


def test_a_sentence_that_stands_alone_is_quoted_alone_without_room() -> None:
    assert quoted(PLAIN, "When is the crane greased?", "crane", 0) == "The crane is greased on Mondays."


def test_room_takes_the_neighbour_with_more_of_the_question_first() -> None:
    assert (
        quoted(PLAIN, "When does the yard grease its crane?", "crane", 60)
        == "The yard opens at six. The crane is greased on Mondays."
    )


def test_a_sentence_that_announces_something_takes_it_along() -> None:
    text = "Grants are made by command. The following command grants the right: GRANT LOAD TO CREW. Later steps differ."
    quote = quoted(text.replace("right: ", "right:\n"), "Which command grants the right?", "following", 0)
    assert quote.endswith("GRANT LOAD TO CREW.")
    assert "Later" not in quote


def test_a_fragment_takes_what_it_was_cut_from() -> None:
    text = "The crane was first used\nin 1954 by the old crew. It stands still."
    assert quoted(text, "When was it used?", "1954", 0).startswith("The crane was first used")


LIST = (
    "The decrease at the north yard was driven by: • A fall in tolls, offset by fewer boats • Higher costs of coal"
    " for the winter dredging • The closure of the mill\nThe south yard was sold."
)


def test_of_a_list_the_item_that_answers_is_quoted_and_not_the_whole() -> None:
    quote = quoted(LIST, "What did the winter dredging cost?", "coal", 0)
    assert quote == "• Higher costs of coal for the winter dredging"


def test_the_sentence_that_opens_a_list_is_quoted_with_its_items() -> None:
    quote = quoted(LIST, "What drove the decrease?", "driven by", 0)
    assert quote.startswith("The decrease")
    assert quote.endswith("The closure of the mill")


def test_an_item_is_read_with_the_sentence_that_opens_its_list() -> None:
    document = document_from_text(LIST)
    found = candidates([passage_of(document, (1, 0, -1))], {document.id: document})
    item = next(c for c in found if "coal" in c.text)
    assert item.reading.startswith("The decrease at the north yard was driven by:")


def test_the_heading_above_is_not_quoted_along() -> None:
    document = document_from_text("The crane stands still. Tea is at ten.")
    passage = replace(passage_of(document, (1, 0, -1)), headings=("The crane stands still.",))
    (found,) = [c for c in candidates([passage], {document.id: document}) if "Tea" in c.text]
    start, end = stretch(read_question("When is tea at the crane?"), found, passage, 400)
    assert passage.text[start:end] == "Tea is at ten."


SECTIONS = (
    "Error codes\n\nChild lock\n\nHold the Start button. A key appears.\n\n3 Care\n\nWipe it dry: 5 minutes"
)


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("Child lock", True),
        ("3 Care", True),
        ("Hold the Start button.", False),
        ("Wipe it dry: 5 minutes", False),
    ],
)
def test_headings_between_the_sections_of_a_passage(line: str, is_one: bool) -> None:
    document = document_from_text("x")
    passage = replace(passage_of(document, (1, 0, -1)), text=SECTIONS)
    start = SECTIONS.index(line)
    assert heads(passage, (start, start + len(line))) is is_one


def test_a_heading_is_no_sentence_to_lean_on() -> None:
    text = "Harbour guide About this edition\n\nThis is Revision 7 of the guide. It replaces Revision 6."
    assert quoted(text, "Which revision is it?", "Revision 7", 0) == "This is Revision 7 of the guide."


def test_neighbours_of_another_paragraph_are_left_out() -> None:
    text = "2021 - today Engineer, Holtan Works.\n\n2017 - 2021 Clerk, Ferry Lines.\n\nShe speaks Norwegian."
    assert quoted(text, "Where does she work now?", "today", 500) == "2021 - today Engineer, Holtan Works."
