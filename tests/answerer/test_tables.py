"""Row by column: the cell that is asked for, said with its header and unit."""

from __future__ import annotations

import pytest

from src.answerer.candidates import candidates
from src.answerer.extractive import ExtractiveAnswerer
from src.answerer.questions import read_question
from src.answerer.tables import Reading, read_row, trend, unit_of
from src.models import Models
from src.records import Document
from tests.answerer.made import document_of, passages_of, table_page

DEPOTS = document_of(
    table_page(
        1,
        ["Depot", "Loads", "kg in", "kg out"],
        [["Norvik", "12", "7 315", "1 004 220"], ["Tarn", "940", "11 205", "86 700"]],
        title="Depot throughput",
    )
)
RESULT = document_of(
    table_page(
        1,
        ["", "Note", "Dec. 31, 2023", "Dec. 31, 2022"],
        [["Freight income", "(4)", "9,640", "9,205"], ["Change in stock", "", "212", "(96)"]],
        unit="in thousands of crowns",
    )
)


def read(document: Document, question: str, row: int) -> Reading:
    """The reading of one row for ``question``."""
    found = candidates(passages_of(document), {document.id: document})
    return read_row(read_question(question), found[row])


@pytest.mark.parametrize(
    ("document", "question", "row", "said"),
    [
        (DEPOTS, "How many kilograms came in at Norvik?", 0, "Norvik, kg in: 7 315"),
        (DEPOTS, "How many loads did Tarn have?", 1, "Tarn, Loads: 940"),
        (
            RESULT,
            "What was freight income in 2022?",
            0,
            "Freight income, Dec. 31, 2022: 9,205 (in thousands of crowns)",
        ),
        (
            RESULT,
            "What was the change in stock in 2022?",
            1,
            "Change in stock, Dec. 31, 2022: (96), that is −96 (in thousands of crowns)",
        ),
        (
            RESULT,
            "What was the change in stock?",
            1,
            "Change in stock — Dec. 31, 2023: 212; Dec. 31, 2022: (96) (in thousands of crowns)",
        ),
    ],
)
def test_the_cell_that_is_asked_for(document: Document, question: str, row: int, said: str) -> None:
    assert read(document, question, row).say() == said


def test_another_year_is_a_conflict() -> None:
    assert read(RESULT, "What was freight income in 2021?", 0).conflict == "2021"
    assert read(RESULT, "What was freight income in 2023?", 0).conflict == ""


NOTICES = document_of(
    table_page(
        1,
        ["Notice", "Effective", "Company", "City", "No. of", "Kind"],
        [
            ["07/20/2015", "12/31/2017", "Ostvik Motor", "Lund", "3000", "Closure permanent"],
            ["07/20/2015", "12/31/2017", "Ostvik Motor", "Tarn", "100", "Layoff permanent"],
        ],
        title="Notices",
    )
)


def test_a_row_is_named_by_whichever_of_its_cells_the_question_has() -> None:
    reading = read(NOTICES, "How many people does Ostvik Motor send home in Lund?", 0)
    assert reading.say() == "Ostvik Motor, Lund, No. of: 3000"
    assert reading.named == 1.0


def test_a_number_is_not_looked_for_in_dates_and_words() -> None:
    assert (
        read(NOTICES, "How many jobs does the permanent layoff of Ostvik Motor in Tarn cost?", 1).value
        == "100"
    )


def test_a_total_names_no_row() -> None:
    document = document_of(table_page(1, ["", "2022"], [["Total", "10,203"]], title="Payments due"))
    assert read(document, "What total revenues were there in 2022?", 0).named == 0.0


@pytest.mark.parametrize(
    ("question", "row", "told"),
    [
        (
            "Did freight income go up or down in 2023?",
            0,
            "Up — Freight income — Dec. 31, 2023: 9,640; Dec. 31, 2022: 9,205 (in thousands of crowns)",
        ),
        ("How much did freight income grow in 2023?", 0, ""),  # asks for a difference, which no cell holds
        ("Did freight income fall in 2022?", 0, ""),  # the year before is not in the table
        ("What was freight income in 2023?", 0, ""),
    ],
)
def test_a_question_which_way_a_figure_went_is_told_with_the_year_before(
    question: str, row: int, told: str
) -> None:
    assert trend(read_question(question), read(RESULT, question, row)) == told


@pytest.mark.parametrize(
    ("label", "unit"),
    [
        ("Net income", "in thousands"),
        ("Earnings per share", ""),
        ("Average shares outstanding", ""),
        ("Repurchase of shares", "in thousands"),
    ],
)
def test_what_the_unit_excepts_has_none(label: str, unit: str) -> None:
    assert unit_of("in thousands, except share and per share data", label) == unit
    assert unit_of("in thousands", label) == "in thousands"


STATEMENT = document_of(
    table_page(
        1,
        ["", "Details", "Paid out", "Paid in"],
        [
            ["01 Sep", "Standing order – Rent Larkhill Homes", "780.00", ""],
            ["11 Sep", "Card – Dr Maddox Dental Practice", "145.00", ""],
            ["26 Sep", "Salary – Cobalt Design Studio", "", "2,164.09"],
        ],
    )
)
FARES = document_of(
    table_page(
        1,
        ["Who", "Fare"],
        [["Children under 6", "1.10"], ["Children from 6 to 16 years", "2.60"], ["Adults", "5.20"]],
    )
)


@pytest.mark.parametrize(
    ("question", "row", "label", "value"),
    [
        ("When did my wages come in?", 2, "Salary – Cobalt Design Studio", "26 Sep"),
        ("When did I pay the rent?", 0, "Standing order – Rent Larkhill Homes", "01 Sep"),
        ("How much was paid out on 11 September?", 1, "11 Sep", "145.00"),
    ],
)
def test_a_row_is_named_in_other_words(question: str, row: int, label: str, value: str) -> None:
    reading = read(STATEMENT, question, row)
    assert (reading.label, reading.value) == (label, value)


def test_who_pays_asks_for_no_pay() -> None:
    assert read(STATEMENT, "When did I pay the rent?", 2).label == "26 Sep"


def test_a_number_lies_within_the_range_of_a_label() -> None:
    question = "What is the fare for a child of 8 years?"
    named = [read(FARES, question, row).named for row in range(3)]
    assert named[1] > max(named[0], named[2])
    passages = passages_of(FARES)
    draft = ExtractiveAnswerer(Models(), {FARES.id: FARES}).draft(question, passages)
    assert [claim.text for claim in draft.claims] == ["Children from 6 to 16 years, Fare: 2.60"]


BILL = document_of(
    table_page(
        1,
        ["Item", "Amount"],
        [
            ["Painting", "3,218.64"],
            ["Invoice total", "3,218.64"],
            ["Less payment on account of 15 September", "-1,000.00"],
            ["Amount outstanding", "2,218.64"],
        ],
    )
)
BOOKING = document_of(
    table_page(
        1,
        ["", ""],
        [
            ["Nights", "5"],
            ["Total", "EUR 1,033.00"],
            ["Deposit received on 5 February EUR 250.00"],
            ["Balance due on arrival EUR 783.00"],
        ],
    )
)


def answered(document: Document, question: str) -> list[str]:
    """The claims of the answer."""
    draft = ExtractiveAnswerer(Models(), {document.id: document}).draft(question, passages_of(document))
    return [claim.text for claim in draft.claims]


@pytest.mark.parametrize(
    ("document", "question", "answer"),
    [
        (BILL, "how much is left to pay?", "Amount outstanding, Amount: 2,218.64"),
        (BILL, "What is the balance due?", "Amount outstanding, Amount: 2,218.64"),
        (BILL, "How much was paid on account?", "Less payment on account of 15 September, Amount: -1,000.00"),
        (BOOKING, "how much is left to pay when we get there?", "Balance due on arrival: EUR 783.00"),
        (BOOKING, "How much deposit was received?", "Deposit received on 5 February: EUR 250.00"),
    ],
)
def test_what_is_left_to_pay_is_the_balance(document: Document, question: str, answer: str) -> None:
    assert answered(document, question)[0] == answer


STATIONS = document_of(
    table_page(
        1,
        ["Station", "Altitude (m)", "Rain (mm)", "Snow days"],
        [["Cawdale", "563", "1,960", "8"], ["Dunmere", "417", "1,467", "23"], ["Hexley", "617", "940", "69"]],
    )
)


@pytest.mark.parametrize(
    "question",
    ["What was the average wind speed at Cawdale?", "How many visitors did Cawdale have?"],
)
def test_a_row_without_a_column_of_what_is_asked_does_not_answer(question: str) -> None:
    assert answered(STATIONS, question) == []


def test_a_row_with_one_does() -> None:
    assert answered(STATIONS, "How many snow days did Cawdale have?") == ["Cawdale, Snow days: 8"]
    assert answered(STATIONS, "How much rain was there at Cawdale?") == ["Cawdale, Rain (mm): 1,960"]


def test_a_time_stands_under_a_header_that_says_so() -> None:
    document = document_of(
        table_page(
            1,
            ["Date", "Text", "Out", "In"],
            [["15.07", "Regatta fees", "525.00", ""], ["24.07", "Town grant", "", "1,500.00"]],
        )
    )
    assert read(document, "When did the town grant come in?", 1).say() == "Town grant, Date: 24.07"
