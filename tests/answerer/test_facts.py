"""What is asked in everyday words and told in others: which questions ask so, and what tells it."""

from __future__ import annotations

import pytest

from src.answerer.candidates import Candidate
from src.answerer.facts import FACTS, PLAIN, Fact, fact_asked, telling_chunks, tells
from src.chunker import chunk_document
from src.settings import Settings
from tests.answerer.made import document_of, table_page
from tests.factories import document_from_text

REPORT = document_of(
    table_page(
        1,
        ["", "2024", "2023"],
        [["Revenues", "310", "290"], ["Operating income", "20", "22"]],
        title="Results by segment",
    ),
    table_page(
        2,
        ["", "2024", "2023"],
        [["Revenues", "4,310", "4,290"], ["Net loss attributable to shareholders", "(53)", "11"]],
        title="Consolidated statements of operations",
    ),
    name="tarn-holdings.pdf",
)


def sentence(text: str, context: str = "") -> Candidate:
    return Candidate(0, 0, len(text), text, context, "sentence", ("", 1, 0))


REVENUE, PROFIT = FACTS[0], FACTS[1]


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("revenue?", REVENUE),
        ("What were Tarn's total revenues in 2024?", REVENUE),
        ("did profit go up or down", PROFIT),
        ("How much money did they make?", PROFIT),
        ("how many people work there", FACTS[3]),
        ("What was the revenue of the ferry segment?", None),
        ("What is the profit on the sale of Lund?", None),
        ("How many employees were laid off?", None),
        ("Why did staff leave?", None),
    ],
)
def test_which_question_asks_for_the_whole(question: str, fact: Fact | None) -> None:
    assert fact_asked(question, [REPORT]) is fact


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (FACTS[3], "As of May 31 our workforce was approximately 156,000."),
        (FACTS[3], "We had 73,300 employees worldwide."),
        (FACTS[3], "Each of our 57,500 full- and part-time employees makes a contribution."),
        (FACTS[4], "Ms. Holm has been Chief Executive Officer since 1996."),
        (FACTS[5], "Write to harbour@tarn.example for help."),
        (FACTS[6], "The tests ran on a Core 2 Duo at 3,00 GHz."),
    ],
)
def test_sentences_that_tell_a_fact(fact: Fact, text: str) -> None:
    assert tells(fact, sentence(text), None) == PLAIN


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (FACTS[3], "Some 50,000 of our workforce are union members, as of 2,022 filings."),
        (FACTS[3], "He has been employed by the mill since 1979."),
        (FACTS[4], "Mr. Vik is CEO Ferries North."),
        (FACTS[4], "The Chief Executive Officer signs."),
        (FACTS[6], "The machine room is loud."),
    ],
)
def test_sentences_that_do_not(fact: Fact, text: str) -> None:
    assert tells(fact, sentence(text), None) == 0.0


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Total net revenues", True),
        ("Results / Revenues", True),
        ("Revenues of the ferry segment", False),
        ("Cost of revenues", False),
    ],
)
def test_labels_of_rows(label: str, told: bool) -> None:
    assert bool(tells(REVENUE, sentence(""), label)) is told


def test_a_minority_has_no_profit_of_the_whole() -> None:
    assert tells(PROFIT, sentence(""), "Net (loss) income attributable to shareholders")
    assert not tells(PROFIT, sentence(""), "Net income attributable to noncontrolling interests")


def test_the_statement_of_the_whole_comes_before_its_segments() -> None:
    chunks = chunk_document(REPORT, Settings())
    assert [chunk.pages for chunk in telling_chunks(REVENUE, chunks, REPORT)] == [(2,), (1,)]


def test_what_is_not_told_is_not_found() -> None:
    story = document_from_text("The revenues were a secret. Nobody was employed.")
    assert telling_chunks(REVENUE, chunk_document(story, Settings()), story) == []


def test_a_row_of_the_statement_tells_more_plainly_than_one_of_a_segment() -> None:
    whole, part = (sentence("", context) for context in ("Consolidated statements of income", "Segments"))
    assert tells(REVENUE, whole, "Revenues") > tells(REVENUE, part, "Revenues") > 0


HOLDERS = (
    "In March, Chair Nora Weeks opened the meeting.",
    "By: Nora P. Weeks, Executive Vice President and Chair of the Board",
    "Nora P. Weeks Chair of the Board",
)
OTHERS = (
    "Carl Holm Brun, Chair of Fjord Group LLC, joined the board in 2014.",
    "Carl Brun, Chair, Fjord Group LLC, joined in 2014.",
    "Vice Chair Paul Reed leads the review.",
    "The report goes to the Federal Reserve Board Chair.",
)


@pytest.mark.parametrize(
    "question", ["Who is the chair?", "Who is the chair of the board?", "who's the current chair"]
)
def test_who_holds_an_office_is_told_by_the_name_beside_it(question: str) -> None:
    fact = fact_asked(question, [REPORT])
    assert [text for text in HOLDERS if not tells(fact, sentence(text), None)] == []
    assert [text for text in OTHERS if tells(fact, sentence(text), None)] == []


def test_of_several_of_one_title_the_one_named_most_is_meant() -> None:
    branches = " ".join(f"Anna Holm{c}, Chair. " + "The branch had a quiet year. " * 60 for c in "abcd")
    board = "Chair Nora Weeks spoke. " + "Later Weeks was asked by the press. " * 30
    report = document_from_text(branches, board)
    fact = fact_asked("Who is the chair of the board?", [report])
    assert fact is not None
    assert "Nora Weeks" in telling_chunks(fact, chunk_document(report, Settings()), report)[0].text


@pytest.mark.parametrize(
    "question", ["Who is the chair of the Tarn branch?", "Who pays the chair?", "Who is Nora Weeks?"]
)
def test_other_questions_after_a_person_ask_for_no_office(question: str) -> None:
    assert fact_asked(question, [REPORT]) is None


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        (
            "Is Tarn being sued?",
            "There are no material pending legal proceedings to which we are a party.",
            "The outcome of lawsuits could hurt us.",
        ),
        (
            "Does Tarn pay dividends?",
            "In May the board declared a dividend of $0.28 per share.",
            "A cumulative dividend is payable on preferred shares, and no dividends may be declared before.",
        ),
    ],
)
def test_lawsuits_and_dividends_of_the_whole(question: str, told: str, other: str) -> None:
    fact = fact_asked(question, [REPORT])
    assert tells(fact, sentence(told), None)
    assert not tells(fact, sentence(other), None)


@pytest.mark.parametrize(
    ("label", "is_told"),
    [
        ("Dividends — common and preferred", True),
        ("Cash dividends declared per share", True),
        ("Dividends declared per common share", True),
        ("Dividends declared and not paid", False),
    ],
)
def test_rows_of_dividends(label: str, is_told: bool) -> None:
    fact = fact_asked("What dividends were paid?", [REPORT])
    assert fact is not None
    assert bool(tells(fact, sentence(""), label)) is is_told


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        (
            "Where did she study?",
            "BSc Mathematics, University of Tarn, 2016.",
            "Driving licence B since 2022.",
        ),
        ("What languages does she speak?", "French (native), English (C1).", "Python, SQL, R and Airflow."),
        (
            "Where does she work now?",
            "Analyst, Tarn Ferries (May 2021 – present).",
            "Clerk, Lund (2018 – April 2021).",
        ),
    ],
)
def test_what_is_asked_of_a_curriculum_vitae(question: str, told: str, other: str) -> None:
    fact = fact_asked(question, [REPORT])
    assert tells(fact, sentence(told), None)
    assert not tells(fact, sentence(other), None)


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        (
            "Who makes it?",
            "Marketing authorisation holder: Sandvall, Ytre Vik.",
            "Do not take it with alcohol.",
        ),
        ("What is it for?", "It is used for the treatment of trouble sleeping.", "Use a clean spoon."),
        (
            "Who is the landlord?",
            "Between the landlord, Skerry Homes, and the tenant, the household at Mill Lane 12.",
            "Dogs need the consent of the landlord. Trailers do not.",
        ),
        (
            "Who is the insurer?",
            "Skerry Mutual (the insurer) pays within a month.",
            "The insurer may ask for proof.",
        ),
    ],
)
def test_makers_purposes_and_parties(question: str, told: str, other: str) -> None:
    fact = fact_asked(question, [REPORT])
    assert tells(fact, sentence(told), None)
    assert not tells(fact, sentence(other), None)
