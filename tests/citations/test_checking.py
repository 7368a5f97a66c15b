"""A draft becomes an answer: citations located or removed, sentences struck or marked, refusals clean."""

from __future__ import annotations

from dataclasses import replace

from src.citations import check
from src.models.base import Models
from src.records import NOT_FOUND, Answer, Claim, Draft, PageState, Support
from src.settings import Settings
from tests.answerer.made import passages_of
from tests.factories import document_from_text

DOCUMENT = document_from_text(
    "# Chains\n\nThe fender chains at berth 3 are inspected every 45 days.",
    "# Lamps\n\nLamp glasses are cleaned every 14 days.",
)
PASSAGES = passages_of(DOCUMENT)
RIGHT = Claim("The chains at berth 3 are inspected every 45 days.", ((1, "inspected every 45 days"),))
WRONG = Claim("Lamp glasses are cleaned every 41 days.", ((2, "Lamp glasses are cleaned every 14 days"),))


def checked(*claims: Claim, unsupported: str = "strike", refused: bool = False) -> Answer:
    """The check of a model's draft of ``claims``."""
    settings = Settings(unsupported=unsupported)  # type: ignore[arg-type]
    draft = Draft(claims, refused=refused, tier="direct")
    return check(draft, "How often?", PASSAGES, {DOCUMENT.id: DOCUMENT}, Models(), settings)


def test_a_supported_sentence_keeps_its_citation() -> None:
    answer = checked(RIGHT)

    assert answer.status == "answered"
    assert answer.support is Support.FULL
    assert answer.text == "The chains at berth 3 are inspected every 45 days. [p. 1]"
    assert answer.citations[0].verified
    assert answer.citations[0].boxes
    assert answer.snapshots == ((DOCUMENT.id, 0),)


def test_an_altered_number_is_struck_and_counted() -> None:
    answer = checked(RIGHT, WRONG)

    assert [s.text for s in answer.sentences] == [RIGHT.text]
    assert answer.struck == 1
    assert answer.support is Support.PARTIAL
    assert [c.pages for c in answer.citations] == [(1,)]


def test_mark_keeps_the_sentence_with_its_problem_in_words() -> None:
    answer = checked(RIGHT, WRONG, unsupported="mark")

    assert answer.sentences[1].support is Support.NONE
    assert "41" in answer.sentences[1].problem
    assert answer.struck == 0
    assert [c.number for c in answer.citations] == [1, 2]


def test_when_most_falls_the_answer_is_a_refusal() -> None:
    answer = checked(WRONG)

    assert answer.text == NOT_FOUND
    assert answer.citations == ()
    assert answer.looked_here == tuple(PASSAGES)
    assert answer.struck == 1


def test_a_citation_of_a_passage_that_was_not_given_is_removed() -> None:
    answer = checked(RIGHT, replace(RIGHT, cites=((1, "inspected every 45 days"), (7, "invented"))))

    assert answer.sentences[1].citations == (1,)
    assert len(answer.citations) == 1


def test_a_quote_that_is_not_there_is_unverified_and_unmarked() -> None:
    invented = Claim(RIGHT.text, ((1, "chains are replaced at once"),))

    answer = checked(RIGHT, RIGHT, invented, unsupported="mark")

    assert answer.citations[1].verified is False
    assert answer.citations[1].boxes == ()


def test_the_word_of_the_model_that_it_found_nothing_stands() -> None:
    assert checked(refused=True).status == "not_found"


def test_a_refusal_names_pages_that_could_not_be_read() -> None:
    pages = (*DOCUMENT.pages, replace(DOCUMENT.pages[1], number=3, state=PageState.UNREADABLE))
    document = replace(DOCUMENT, pages=pages)

    answer = check(Draft((), refused=True), "Why?", PASSAGES, {document.id: document}, Models(), Settings())

    assert answer.notices == ("Page 3 could not be read and may hold the answer.",)


def test_a_true_sentence_about_a_sibling_is_no_answer() -> None:
    def ask(question: str, *claims: Claim) -> Answer:
        draft = Draft(claims, tier="direct")
        return check(draft, question, PASSAGES, {DOCUMENT.id: DOCUMENT}, Models(), Settings())

    refused = ask("How often are the chains at berth 4 inspected?", RIGHT)
    assert refused.text == NOT_FOUND
    assert refused.notices == ("What was found speaks of berth 3, not of berth 4.",)

    for question in (
        "How often are the chains at berth 3 inspected?",
        "How often are chains inspected?",
        "Are the chains at berth 3 inspected as often as those at berth 4?",
    ):
        assert ask(question, RIGHT).status == "answered"
