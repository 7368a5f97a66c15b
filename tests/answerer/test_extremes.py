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


PROGRAMS = document_of(
    table_page(
        1,
        ["Program", "Heat", "Duration", "Water"],
        [
            ["Strong", "70 °C", "2 h 25 min", "15.5 l"],
            ["Eco", "50 °C", "1 day", "9.5 l"],
            ["Auto", "45–65 °C", "2h05", "11 l"],
            ["Quick", "45 °C", "35 min", "10 l"],
            ["Rinse", "–", "90 minutes", "4 l"],
        ],
    )
)
PUMPS = document_of(
    table_page(
        1,
        ["Property", "K-6", "K-9", "K-14"],
        [
            ["Heating capacity", "6.1 kW", "9.2 kW", "13.8 kW"],
            ["Sound power level, max.", "55 dB(A)", "52 dB(A)", "59 dB(A)"],
            ["Mass", "980 kg", "1.2 t", "1,100 kg"],
            ["List price", "EUR 6,480", "EUR 7,950", "EUR 10,240"],
            ["Data", "4 GB", "25 GB", "unlimited"],
        ],
        title="Models compared",
    )
)
BRIDGES = document_of(
    table_page(
        1,
        ["Bridge", "Built", "Speed", "Lanes"],
        [
            ["Tarn", "1911", "30 km/h", "2"],
            ["Lund", "May 1868", "50 km/h", "1"],
            ["Alma", "2003", "12 km/h", "4"],
        ],
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
        "Anchor — Amount: 310 (the most expensive of the 3 rows compared)"
    ]
    assert told(ITEMS, "Which item is the cheapest?") == [
        "Rope — Amount: 12 (the cheapest of the 3 rows compared)"
    ]


@pytest.mark.parametrize(
    ("document", "question", "answer"),
    [
        (PROGRAMS, "which program is the shortest?", "Quick — Duration: 35 min (the shortest of the 5 rows compared)"),
        (PROGRAMS, "What is the slowest program?", "Eco — Duration: 1 day (the slowest of the 5 rows compared)"),
        (PROGRAMS, "which program is the hottest?", "Strong — Heat: 70 °C (the hottest of the 4 rows compared)"),
        (PUMPS, "which model is the quietest?", "K-9 — Sound power level, max.: 52 dB(A) (the quietest of the 3 columns compared)"),
        (PUMPS, "Which model is the loudest?", "K-14 — Sound power level, max.: 59 dB(A) (the loudest of the 3 columns compared)"),
        (PUMPS, "which model is the heaviest?", "K-9 — Mass: 1.2 t (the heaviest of the 3 columns compared)"),
        (PUMPS, "what is the least expensive model", "K-6 — List price: EUR 6,480 (the least expensive of the 3 columns compared)"),
        (PUMPS, "Which model has the most data?", "K-14 — Data: unlimited (the most of the 3 columns compared)"),
        (BRIDGES, "Which bridge is the oldest?", "Lund — Built: May 1868 (the oldest of the 3 rows compared)"),
        (BRIDGES, "which is the newest bridge", "Alma — Built: 2003 (the newest of the 3 rows compared)"),
        (BRIDGES, "Which bridge is the fastest?", "Lund — Speed: 50 km/h (the fastest of the 3 rows compared)"),
    ],
)  # fmt: skip
def test_an_adjective_is_read_as_a_header_a_label_or_a_unit(
    document: Document, question: str, answer: str
) -> None:
    assert told(document, question) == [answer]


@pytest.mark.parametrize(
    ("document", "question"),
    [
        (PROGRAMS, "Which program is the loudest?"),  # no such column
        (PROGRAMS, "What is the cheapest hotel?"),
        (
            PROGRAMS,
            "Which program is the shortest of those at 45 °C, like Quick?",
        ),  # compares some of the rows
        (BRIDGES, "What is the latest date for complaints?"),
        (PUMPS, "Which town is the quietest?"),
    ],
)
def test_what_the_table_does_not_compare(document: Document, question: str) -> None:
    assert told(document, question) == []


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


def test_what_a_header_names_goes_before_what_its_unit_alone_allows() -> None:
    header = ["Property", "K-6", "K-9"]
    document = document_of(
        table_page(1, header, [["Filling", "0.98 kg", "0.75 kg"], ["Tank", "6 l", "9 l"]]),
        table_page(2, header, [["Weight", "112 kg", "148 kg"], ["Fuse", "C20", "C16"]], title="Connection"),
    )
    found = find_extreme(
        read_question("which model is the lightest?"), passages_of(document), {document.id: document}
    )
    assert found is not None
    assert found.say(found.rows[0]) == "K-6 — Weight: 112 kg (the lightest of the 2 columns compared)"
    assert told(document, "which model is the lightest?") == []  # the first page has no weight


def test_the_sums_of_a_bill_are_no_items_of_it() -> None:
    document = document_of(
        table_page(
            1,
            ["Pos.", "Description", "Quantity", "Unit price", "Amount"],
            [
                ["1", "Covering floors", "1", "85.00", "85.00"],
                ["2", "Two coats of paint", "158 m²", "7.90", "1,248.20"],
                ["3", "Doors", "7", "68.00", "476.00"],
                ["", "Invoice total", "", "", "1,809.20"],
                ["", "Amount outstanding", "", "", "1,000.00"],
            ],
        )
    )
    assert told(document, "What was the most expensive item?") == [
        "Two coats of paint — Amount: 1,248.20 (the most expensive of the 3 rows compared)"
    ]
