"""The most and the least of a column, over the pages that a table runs on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.answerer.extractive import ExtractiveAnswerer
from src.answerer.extremes import find_extreme
from src.answerer.questions import read_question
from src.citations import check
from src.models import Models
from src.records import Document
from src.settings import Settings
from tests.answerer.made import document_of, passages_of, table_page

HEADER = ["Port", "Boats", "Guest boats", "Fees"]
PORTS = document_of(
    table_page(1, HEADER, [["Tarn", "310", "12", "(40)"], ["Lund", "1,205", "0", "88"]], title="Ports"),
    table_page(
        2,
        HEADER,
        [["Norvik", "96", "0", "12"], ["Alma", "940", "31", "7"], ["Total", "2,551", "43", "67"]],
        title="Ports",
    ),
)
ITEMS = document_of(
    table_page(
        1, ["Item", "Qty", "Amount"], [["Rope", "9", "12"], ["Anchor", "1", "310"], ["Lamp", "2", "48"]]
    )
)
PARTS = document_of(
    table_page(
        1,
        ["Bank", "Employees / Full time", "Employees / Part time"],
        [["A", "10", "3"], ["B", "12", "1"], ["C", "9", "2"]],
    )
)


def told(document: Document, question: str) -> list[str]:
    """What the extreme says, with all rows of the first page alone among the passages."""
    passages = passages_of(document)[:1]
    found = find_extreme(read_question(question), passages, {document.id: document})
    return [found.say(row) for row in found.rows] if found else []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which port has the most boats?", "Lund — Boats: 1,205 (the most of the 4 rows compared)"),
        ("Which port has the fewest boats?", "Norvik — Boats: 96 (the fewest of the 4 rows compared)"),
        ("Which port has the most guest boats?", "Alma — Guest boats: 31 (the most of the 4 rows compared)"),
        ("What port has the lowest fees?", "Tarn — Fees: (40) (the lowest of the 4 rows compared)"),
    ],
)
def test_the_row_with_the_most_or_the_least(question: str, answer: str) -> None:
    assert told(PORTS, question) == [answer]


def test_rows_that_share_it_are_counted() -> None:
    assert told(PORTS, "Which port has the fewest guest boats?") == [
        "Lund — Guest boats: 0 (the fewest of the 4 rows compared, which 2 of them have)",
        "Norvik — Guest boats: 0 (the fewest of the 4 rows compared, which 2 of them have)",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Which port has boats?",
        "Which port has the most recent boats?",
        "Which port has at most 300 boats?",
        "Which port has the most cranes?",
        "Why does Lund have the most boats?",
    ],
)
def test_what_asks_for_no_extreme_or_for_no_column(question: str) -> None:
    assert told(PORTS, question) == []


def test_an_adjective_names_the_column_that_it_compares() -> None:
    assert told(ITEMS, "What is the most expensive item?") == [
        "Anchor — Amount: 310 (the most of the 3 rows compared)"
    ]
    assert told(ITEMS, "Which item is the cheapest?") == [
        "Rope — Amount: 12 (the cheapest of the 3 rows compared)"
    ]


def test_two_columns_that_may_be_meant_tell_nothing() -> None:
    assert told(PARTS, "Which bank has the most employees?") == []
    assert told(PARTS, "Which bank has the most part time employees?") != []


def test_the_answer_cites_the_row() -> None:
    passages = [replace(p, table=(p.pages[0], 0)) for p in passages_of(PORTS)]
    documents = {PORTS.id: PORTS}
    question = "Which port has the fewest boats?"
    draft = ExtractiveAnswerer(Models(), documents).draft(question, passages)
    answer = check(draft, question, passages, documents, Models(), Settings())
    assert answer.text.startswith("Norvik — Boats: 96")
    assert [(c.pages, c.verified) for c in answer.citations] == [((2,), True)]
