"""What comes with what, by ticks and crosses, in tables and in rows of cells that were not read as one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.answerer.extractive import ExtractiveAnswerer
from src.answerer.extremes import find_extreme
from src.answerer.features import find_feature
from src.answerer.questions import read_question
from src.citations import check
from src.models import Models
from src.records import Document
from src.settings import Settings
from tests.answerer.made import document_of, passages_of, table_page

ROWS = [
    ["Monthly fee", "9.90", "17.50", "29.00"],
    ["Calls abroad included", "✗", "✗", "✓"],
    ["Second SIM card", "✗", "✓", "✓"],
    ["Data", "4 GB", "25 GB", "unlimited"],
    ["Satellite", "✗", "✗", "✗"],
]
PLANS = document_of(table_page(1, ["", "Basic", "Plus", "Complete"], ROWS, title="Plans"))
ROOMS = document_of(
    table_page(
        1,
        ["Room", "Beds", "Balcony", "Sea view"],
        [["Larch", "2", "yes", "no"], ["Fir", "1", "no", "no"], ["Yew", "4", "yes", "yes"]],
    )
)
CROSSED = document_of(table_page(1, ["", "Boat A", "Boat B"], [["Life raft", "x", "–"], ["Radio", "x", "x"]]))
_PAGE = table_page(1, ["", "", "", ""], [["Basic", "Plus", "Complete"], *ROWS])
UNREAD = document_of(
    replace(_PAGE, tables=(), blocks=tuple(replace(block, table=None) for block in _PAGE.blocks))
)


def told(document: Document, question: str) -> tuple[str, ...]:
    """What the ticks and crosses tell."""
    passages = [replace(p, kind="table") for p in passages_of(document)]
    found = find_feature(read_question(question), passages, {document.id: document})
    return found.said if found else ()


@pytest.mark.parametrize("document", [PLANS, UNREAD])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which plan includes calls abroad?", "Complete — Calls abroad included — Basic: ✗; Plus: ✗; Complete: ✓"),
        ("Which plans have a second SIM card?", "Plus, Complete — Second SIM card — Basic: ✗; Plus: ✓; Complete: ✓"),
        ("Which plan comes with satellite?", "None — Satellite — Basic: ✗; Plus: ✗; Complete: ✗"),
        ("Does the Basic plan include calls abroad?", "No — Calls abroad included, Basic: ✗"),
        ("Is a second SIM card included in Plus?", "Yes — Second SIM card, Plus: ✓"),
    ],
)  # fmt: skip
def test_features_are_rows(document: Document, question: str, answer: str) -> None:
    assert told(document, question) == (answer,)


def test_features_are_columns() -> None:
    assert told(ROOMS, "Which room has a balcony?") == ("Larch — Balcony: yes", "Yew — Balcony: yes")
    assert told(ROOMS, "Does the room Fir have a sea view?") == ("No — Sea view, Fir: no",)


def test_a_cross_affirms_where_nothing_else_does() -> None:
    assert told(CROSSED, "Which boat has a life raft?") == ("Boat A — Life raft — Boat A: x; Boat B: –",)


@pytest.mark.parametrize(
    "question",
    [
        "Which plan includes a telephone?",
        "Which plan includes data?",  # its cells neither affirm nor deny
        "Does the Gold plan include calls abroad?",
        "When are calls abroad included?",
    ],
)
def test_what_no_marks_tell(question: str) -> None:
    assert told(PLANS, question) == ()


def test_rows_that_were_not_read_as_a_table_are_compared() -> None:
    passages = [replace(p, kind="table", headings=("Plans",)) for p in passages_of(UNREAD)]
    found = find_extreme(read_question("Which plan is the cheapest?"), passages, {UNREAD.id: UNREAD})
    assert found is not None
    assert found.say(found.rows[0]) == "Basic — Monthly fee: 9.90 (the cheapest of the 3 columns compared)"


def test_the_answer_cites_the_row() -> None:
    passages = passages_of(PLANS)
    documents = {PLANS.id: PLANS}
    question = "Which plan includes calls abroad?"
    draft = ExtractiveAnswerer(Models(), documents).draft(question, passages)
    answer = check(draft, question, passages, documents, Models(), Settings())
    assert answer.text.startswith("Complete — Calls abroad included")
    assert [(c.pages, c.verified) for c in answer.citations] == [((1,), True)]
