"""Tables of a small document answer what is asked in words that they do not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from src.agent import Engine, Request, answer
from tests.agent.conftest import PAGES, index_of
from tests.answerer.made import document_of, table_page
from tests.factories import page_from_text

PUMPS = document_of(
    *(page_from_text(number, text) for number, text in enumerate(PAGES, start=1)),
    table_page(
        5,
        ["Property", "K-6", "K-9"],
        [["Sound power level, max.", "55 dB(A)", "52 dB(A)"], ["Filter", "✗", "✓"]],
        title="Pumps",
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which is the quietest?",
            "K-9 — Sound power level, max.: 52 dB(A) (the quietest of the 2 columns compared) [p. 5]",
        ),
        ("Which model has a filter?", "K-9 — Filter — K-6: ✗; K-9: ✓ [p. 5]"),
    ],
)
def test_a_table_is_compared_wherever_it_stands(
    engine_for: Callable[..., Engine], question: str, told: str
) -> None:
    found = answer(Request(question, (index_of(PUMPS),)), engine_for())
    assert (found.status, found.text) == ("answered", told)
