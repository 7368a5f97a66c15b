"""Follow-ups made whole by rule; complete questions left alone."""

from __future__ import annotations

import pytest

from src.memory import is_complete, standalone
from src.memory.english import topic
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
        ("What was revenue in fiscal 2021?", "And the year before?", "What was revenue in fiscal 2020?"),
        ("What was revenue in 2021?", "what happened the year before that?", "What was revenue in 2020?"),
        ("What was revenue in 2021?", "And two years before?", "What was revenue in 2019?"),
        ("What was revenue in Q1 2021?", "the quarter before that?", "What was revenue in Q4 2020?"),
        (
            "What was revenue in the first quarter of 2021?",
            "and the next quarter?",
            "What was revenue in the second quarter of 2021?",
        ),
        (
            "What was the margin in North America in 2022?",
            "And Asia Pacific in 2021?",
            "What was the margin in Asia Pacific in 2021?",
        ),
        (
            "Which optimizer was used?",
            "With what learning rate?",
            "Which optimizer was used with what learning rate?",
        ),
        ("What is the notice period?", "Any exceptions?", "Are there any exceptions to the notice period?"),
        (
            "What is the notice period?",
            "Is it the same for employees?",
            "What is the notice period for employees?",
        ),
        ("Does the policy cover floods?", "What about earthquakes?", "Does the policy cover earthquakes?"),
        ("What is New York's capital budget?", "What about Dallas?", "What is Dallas's capital budget?"),
        (
            "How large was Acme's work-in-process stock in 2022?",
            "And finished goods?",
            "How large was Acme's finished goods in 2022?",
        ),
        (
            "How many coins did the Reserve Banks issue?",
            "And how many did they get back?",
            "And how many coins did the Reserve Banks get back?",
        ),
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


@pytest.mark.parametrize(
    ("before", "asked", "whole"),
    [
        ("Wie hoch war der Umsatz im Jahr 2021?", "Und 2022?", "Wie hoch war der Umsatz im Jahr 2022?"),
        ("Wie hoch war der Umsatz im Jahr 2021?", "Und im Vorjahr?", "Wie hoch war der Umsatz im Jahr 2020?"),
        ("Wie hoch war der Umsatz 2021?", "Und der Gewinn?", "Wie hoch war der Gewinn 2021?"),
        ("Wie hoch war der Umsatz 2021?", "Warum?", "Wie hoch war der Umsatz 2021?"),
        (
            "Quel était le chiffre d'affaires en 2021 ?",
            "Et le bénéfice ?",
            "Quel était le bénéfice en 2021 ?",
        ),
        (
            "Quel était le chiffre d'affaires en 2021 ?",
            "Et l'année précédente ?",
            "Quel était le chiffre d'affaires en 2020 ?",
        ),
        ("¿Cuál fue el ingreso en 2021?", "¿Y en 2022?", "¿Cuál fue el ingreso en 2022?"),
        ("¿Cuál fue el ingreso en 2021?", "¿Y el beneficio?", "¿Cuál fue el beneficio en 2021?"),
        ("Qual era il fatturato nel 2021?", "E nel 2022?", "Qual era il fatturato nel 2022?"),
        ("Qual foi a receita em 2021?", "E no ano anterior?", "Qual foi a receita em 2020?"),
        ("Wat was de omzet in 2021?", "En het jaar ervoor?", "Wat was de omzet in 2020?"),
        ("2021년 매출은 얼마였습니까?", "2022년은요?", "2022년 매출은 얼마였습니까?"),
        ("2021年の売上高はいくらですか?", "2022年は?", "2022年の売上高はいくらですか?"),
        ("2021年的收入是多少?", "那2022年呢?", "2022年的收入是多少?"),
    ],
)
def test_a_follow_up_in_another_language(before: str, asked: str, whole: str) -> None:
    assert not is_complete(asked)
    assert standalone(asked, [turn(before)]) == whole


@pytest.mark.parametrize(
    "question",
    [
        "E. coli growth rate",
        "Y-axis label of figure 3",
        "En quoi consiste le programme de rachat d'actions ?",
        "Et quelles sont les mesures prises par le conseil d'administration ?",
        "Und welche Grenzwerte gelten für die Einleitung in Gewässer?",
        "De omzet van 2021",
        "What did revenue do compared with the prior year?",
        "How did margins in Europe develop over the previous year?",
        "¿Qué es AdaDelta?",
        "Was ist CET1?",
        "Qui est Ada ?",
        "매출은 얼마였습니까?",
        "売上高はいくらですか?",
    ],
)
def test_what_only_looks_like_a_follow_up_stays(question: str) -> None:
    assert standalone(question, [turn("What was revenue in 2021?")]) == question
