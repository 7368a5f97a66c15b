"""Cells as magnitudes that can be compared."""

from __future__ import annotations

from decimal import Decimal

import pytest

from src.answerer.magnitudes import comparable, magnitude


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("35 min", "1 h 50 min"),
        ("1 h 50 min", "2h05"),
        ("1:50 h", "2 hours"),
        ("1 h, 5 min", "66 minutes"),
        ("6 weeks", "2 months"),
        ("11 months", "1 year"),
        ("900 g", "0.98 kg"),
        ("25 GB", "unlimited"),
        ("free", "£2"),
        ("3 May 2019", "2020"),
        ("-4 °C", "2 °C"),
    ],
)
def test_one_is_less_than_the_other(less: str, more: str) -> None:
    found = comparable([magnitude(less), magnitude(more)])
    assert found is not None
    low, high = found[0]
    assert low is not None
    assert high is not None
    assert low.high < high.low


@pytest.mark.parametrize("text", ["normal load", "✓", "5 min 1 h", "2 adults, 3 children", "–"])
def test_words_and_several_numbers_are_none(text: str) -> None:
    assert magnitude(text) is None


def test_a_range_is_kept_with_both_ends() -> None:
    found = magnitude("45–65 °C")
    assert found is not None
    assert (found.low, found.high, found.dimension) == (45, 65, "celsius")


def test_numbers_that_look_like_years_are_numbers_among_others() -> None:
    found = comparable([magnitude("1,204"), magnitude("2019")])
    assert found is not None
    assert [m.high for m in found[0] if m] == [Decimal(1204), Decimal(2019)]


def test_units_of_two_kinds_are_not_compared() -> None:
    assert comparable([magnitude("5 kg"), magnitude("5 km")]) is None
    assert comparable([magnitude("€ 5"), magnitude("$ 5")]) is None
    assert comparable([magnitude("EUR 5"), magnitude("CHF 5")]) is None
    assert comparable([magnitude("5 kg"), magnitude("5")]) is None
    assert comparable([magnitude("$ 5"), magnitude("4")]) is not None  # printed in the first row only
