"""The learned preference among candidates: its features are bounded, and what speaks for a candidate counts for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.answerer.selection import WEIGHTS, measures, preference
from src.refusal import Evidence

PLAIN = Evidence(
    coverage=0.5, own=0.4, rerank=0.0, passage_rerank=0.0, similarity=0.4, typed=False, focus=0.3
)
TEXT = "The chains are inspected every 45 days."


def test_every_feature_has_a_weight_and_stays_small() -> None:
    extreme = Evidence(1.0, 1.0, 40.0, 40.0, 1.0, siblings=9, unseen=9, row=True, cell=1.0, behind=-900.0)
    assert set(measures(PLAIN, TEXT)) == set(WEIGHTS)
    assert all(-2 <= value <= 2 for value in measures(extreme, TEXT * 50).values())


@pytest.mark.parametrize(
    "better",
    [
        {"own": 0.9},
        {"rerank": 6.0},
        {"typed": True},
        {"focus": 1.0},
        {"passage_rerank": 6.0},
        {"behind": 0.5},
    ],
)
def test_what_speaks_for_a_candidate_raises_it(better: dict[str, float]) -> None:
    assert preference(replace(PLAIN, **better), TEXT) > preference(PLAIN, TEXT)  # type: ignore[arg-type]


def test_a_cell_whose_row_and_column_are_named_beats_a_row_without() -> None:
    row = replace(PLAIN, row=True)
    assert preference(replace(row, cell=1.0), "Tarn\t940") > preference(row, "Tarn\t940") + 1
