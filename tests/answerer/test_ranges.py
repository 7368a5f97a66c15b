"""Whole numbers within the ranges that labels name."""

from __future__ import annotations

import pytest

from src.answerer.ranges import within


@pytest.mark.parametrize(
    ("number", "label"),
    [
        ("8", "6 to 16 years"),
        ("8", "Enfants de 6 à 16 ans"),
        ("6", "6–16"),
        ("8", "between 6 and 16"),
        ("5", "Children under 6"),
        ("70", "65 and over"),
        ("65", "65+"),
        ("66", "Over 65"),
        ("20", "ab 18 Jahren"),
        ("4", "up to 4 persons"),
    ],
)
def test_within(number: str, label: str) -> None:
    assert within(number, label)


@pytest.mark.parametrize(
    ("number", "label"),
    [
        ("17", "6 to 16 years"),
        ("6", "Children under 6"),
        ("65", "Over 65"),
        ("5", "up to 4 persons"),
        ("8", "Berths 6 and 16"),
        ("8", "Adults"),
        ("8a", "6 to 16"),
    ],
)
def test_outside(number: str, label: str) -> None:
    assert not within(number, label)
