"""What a question asks for, and what it singles out."""

from __future__ import annotations

import pytest

from src.answerer.pins import find_pins
from src.answerer.questions import Kind, read_question, topic


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How often are the chains inspected?", Kind.FREQUENCY),
        ("How many vehicles are requested?", Kind.COUNT),
        ("How much was spent on locks?", Kind.AMOUNT),
        ("How high is the door?", Kind.MEASURE),
        ("To what temperature is the oil brought?", Kind.MEASURE),
        ("How long is the notice period?", Kind.DURATION),
        ("What share of homes answered?", Kind.SHARE),
        ("When does the access start?", Kind.DATE),
        ("In which year was the boiler built?", Kind.YEAR),
        ("Who chaired the committee?", Kind.PERSON),
        ("Where was the treaty signed?", Kind.PLACE),
        ("What is the order code?", Kind.CODE),
        ("Is night access wanted?", Kind.YES_NO),
        ("Why was the claim dismissed?", Kind.REASON),
        ("What bonus do employees who leave get?", Kind.OTHER),
        ("What happens to the gate when the water rises?", Kind.OTHER),
        ("What happens to the step size when a gradient is large?", Kind.OTHER),
        ("Which part of the card number for the tax office can be read?", Kind.OTHER),
        ("What goes wrong when the number of users grows?", Kind.OTHER),
        ("What was the weighted-average discount rate of the leases?", Kind.MEASURE),
        ("What were total revenues in the quarter?", Kind.AMOUNT),
        ("net sales three months ended May 31, 2022", Kind.AMOUNT),
        ("total number of parameters of the model", Kind.COUNT),
        ("revenue?", Kind.AMOUNT),
        ("What does mooring cost?", Kind.AMOUNT),
        ("Did revenue go up?", Kind.YES_NO),
        ("Wie viele Mitarbeiter hat die Firma?", Kind.COUNT),
        ("Wann beginnt der Zugang?", Kind.DATE),
        ("Combien de personnes ont répondu ?", Kind.COUNT),
        ("Bis wann muss gezahlt werden?", Kind.DATE),
        ("Wie hoch ist die Miete?", Kind.AMOUNT),
        ("Wie hoch ist die Tür?", Kind.MEASURE),
        ("Wer ist der Vermieter?", Kind.PERSON),
        ("Combien de jours avant le départ ?", Kind.DURATION),
        ("Quel est le loyer mensuel ?", Kind.AMOUNT),
        ("¿Cuándo sale el tren?", Kind.DATE),
        ("¿Cuánto cuesta la entrada?", Kind.AMOUNT),
        ("¿Cuántas noches son?", Kind.COUNT),
        ("who's the owner", Kind.PERSON),
    ],
)
def test_kind(question: str, kind: Kind) -> None:
    assert read_question(question).kind is kind


def test_pins_single_out_siblings() -> None:
    pins = {
        (p.kind, p.head, p.value) for p in find_pins("How many pallets left Dock B for Oslo in August 2024?")
    }

    assert {("label", "dock", "b"), ("month", "", "8"), ("year", "", "2024"), ("name", "", "oslo")} <= pins


def test_a_page_that_is_named_is_no_pin() -> None:
    question = read_question("What does the page printed as number 2 say about gangway pins?")

    assert question.pins == ()
    assert question.stems == ("gangway", "pin")


@pytest.mark.parametrize(
    ("question", "focus"),
    [
        ("How many hot dogs did they sell?", ("dog",)),
        ("What was the yearly salary of the mayor?", ("salari",)),
        ("Which grants supported the work?", ("grant",)),
        ("How large is the hall?", ()),
        ("What were the firm's total revenues in 2020?", ("revenu",)),
        ("severance charges 2020 per share after tax", ("charg",)),
        ("total number of parameters of the model", ("paramet",)),
    ],
)
def test_focus_is_the_thing_asked_for(question: str, focus: tuple[str, ...]) -> None:
    assert read_question(question).focus[:1] == focus or read_question(question).focus == focus


@pytest.mark.parametrize(
    ("question", "money"),
    [
        ("How much did they pay for the site?", True),
        ("What was the profit in 2020?", True),
        ("What was the profit margin in 2020?", False),
        ("How much of the run time falls in the last part?", False),
        ("How much did revenue grow?", False),
    ],
)
def test_whether_a_sum_of_money_is_asked_for(question: str, money: bool) -> None:
    assert read_question(question).money is money


def test_a_double_question_has_two_parts() -> None:
    question = read_question("How many employees and how many warehouses did they have in 2021?")

    assert [part.focus for part in question.parts] == [("employe",), ("warehous",)]
    assert read_question("Was it a profit or a loss, and how large?").parts == ()


@pytest.mark.parametrize(
    ("question", "defined"),
    [
        ("What is a sluice?", ("sluic",)),
        ("whats rcac", ("rcac",)),
        ("definition of column mask", ("column", "mask")),
        ("tell me what a column mask is", ("column", "mask")),
        ("Was ist ein Knoten?", ("knot",)),
        ("What does RCAC stand for?", ("rcac",)),
        ("what does he mean by 'free culture'?", ("free", "cultur")),
        ("What is the title?", ()),
        ("What is the distance between Tarn and Lund?", ()),
        ("What is revenue", ()),
        ("What happened to Ole Vik", ()),
    ],
)
def test_what_a_meaning_is_asked_of(question: str, defined: tuple[str, ...]) -> None:
    assert read_question(question).defined == defined


def test_two_things_whose_meaning_is_asked_are_two_questions() -> None:
    asked = read_question("What are row permissions and column masks?")
    assert [part.defined for part in asked.parts] == [("row", "permiss"), ("column", "mask")]
    assert not read_question("What are terms and conditions?").parts


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Does the report mention layoffs?", "layoffs?"),
        ("does it say anything about late fees", "late fees?"),
        ("Is there any mention of hurricanes in the document?", "hurricanes?"),
        ("Does the crane lift 40 tonnes?", "Does the crane lift 40 tonnes?"),
        ("What does the report describe?", "What does the report describe?"),
    ],
)
def test_what_a_question_after_a_mention_is_about(question: str, asked: str) -> None:
    assert topic(question) == asked
