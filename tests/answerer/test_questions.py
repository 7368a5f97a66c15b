"""What a question asks for, and what it singles out."""

from __future__ import annotations

import pytest

from src.answerer.questions import Kind, find_pins, read_question


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
    ],
)
def test_focus_is_the_thing_asked_for(question: str, focus: tuple[str, ...]) -> None:
    assert read_question(question).focus[:1] == focus or read_question(question).focus == focus


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
        ("What is the title?", ()),
        ("What is the distance between Tarn and Lund?", ()),
        ("What is revenue", ()),
        ("What happened to Ole Vik", ()),
    ],
)
def test_what_a_meaning_is_asked_of(question: str, defined: tuple[str, ...]) -> None:
    assert read_question(question).defined == defined
