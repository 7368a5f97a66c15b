"""Follow-ups made whole by rule; complete questions left alone."""

from __future__ import annotations

import pytest

from src.memory import is_complete, standalone, topic
from src.records import Turn


def turn(question: str, answer: str = "It is so.") -> Turn:
    return Turn(question, question, answer)


@pytest.mark.parametrize(
    ("before", "asked", "whole"),
    [
        ("What was the revenue in 2021?", "and in 2022?", "What was the revenue in 2022?"),
        ("What were net sales in 2023?", "2022?", "What were net sales in 2022?"),
        ("What were net sales in Q1 2023?", "and in Q2?", "What were net sales in Q2 2023?"),
        ("What does mooring at Dock B cost?", "what about Dock C?", "What does mooring at Dock C cost?"),
        (
            "How often are the fender chains at berth 3 inspected?",
            "and at berth 2?",
            "How often are the fender chains at berth 2 inspected?",
        ),
        ("How much is the deposit for canoes?", "what about kayaks?", "How much is the deposit for kayaks?"),
        (
            "What is the capacity of the north basin?",
            "and the south basin?",
            "What is the capacity of the south basin?",
        ),
        (
            "What does the red valve control?",
            "what about the blue valve?",
            "What does the blue valve control?",
        ),
        ("Does the crane stop above force 7?", "why?", "Why does the crane stop above force 7?"),
        ("Which test error rate is reached?", "why?", "Why is the test error rate reached?"),
        (
            "How much is the deposit for canoes?",
            "Why?",
            "What is the reason for the deposit for canoes?",
        ),
        (
            "What is the review procedure for new vendors?",
            "how long does it take?",
            "how long does the review procedure for new vendors take?",
        ),
        ("When was Northwind founded?", "Who owns it?", "Who owns Northwind?"),
        ("What is AdaDelta?", "What are its hyperparameters?", "What are AdaDelta's hyperparameters?"),
        ("What is the boiling point of water?", "And its density?", "What is the density of water?"),
        (
            "What is the penalty for late payment?",
            "Is that negotiable?",
            "Is the penalty for late payment negotiable?",
        ),
        (
            "Which dataset was used?",
            "How many images does it contain?",
            "How many images does the dataset contain?",
        ),
        ("What is the CET1 ratio?", "What was it in 2022?", "What was the CET1 ratio in 2022?"),
        ("What is the penalty for late payment?", "tell me more", "What is the penalty for late payment?"),
    ],
)
def test_a_follow_up_becomes_a_whole_question(before: str, asked: str, whole: str) -> None:
    assert standalone(asked, [turn(before)]) == whole


@pytest.mark.parametrize(
    "question",
    [
        "What does mooring cost?",
        "How long does it take to get a permit?",
        "Is it allowed to fish from the pier?",
        "What does the manual say about the crane and how often is it inspected?",
        "What is this document about?",
        "Summarise this report",
        "And what is the enrolment fee?",
        "So how many students are there?",
        "What is the revenue that was reported in 2020?",
        "Does the report say that fees will rise?",
        "mooring fees",
        "Was kostet das Anlegen am Steg?",
        "Which of these vessels pay half the fee?",
    ],
)
def test_a_complete_question_stays_as_it_is(question: str) -> None:
    assert standalone(question, [turn("What is the tuition fee?")]) == question


def test_a_person_is_taken_from_the_answer() -> None:
    before = turn("Who is the harbour master?", "The harbour master is Ines Okoro.")
    assert standalone("When did she start?", [before]) == "When did Ines Okoro start?"


def test_the_last_turn_counts_and_its_standalone_form() -> None:
    turns = [turn("What is the deposit?"), Turn("and in 2022?", "What was the revenue in 2022?", "5")]
    assert standalone("and in 2023?", turns) == "What was the revenue in 2023?"


def test_without_history_or_memory_nothing_changes() -> None:
    assert standalone("and in 2022?", []) == "and in 2022?"
    assert standalone("and in 2022?", [turn("What was the revenue in 2021?")], turns=0) == "and in 2022?"


def test_a_follow_up_no_rule_fits_stays() -> None:
    assert standalone("Do they mention risks?", [turn("What was the revenue?")]) == "Do they mention risks?"


def test_topic_and_completeness() -> None:
    assert topic("Who built the crane at berth 2?") == "the crane at berth 2"
    assert not is_complete("what about it?")
    assert is_complete("What does the crane lift?")
