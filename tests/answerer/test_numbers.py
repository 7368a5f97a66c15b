"""Numbers, dates, units and codes are read as a reader reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from src.answerer.numbers import quantities
from src.answerer.numerals import parse_numeral


@pytest.mark.parametrize(
    ("text", "kind", "amount", "unit"),
    [
        ("inspected every 45 days", "number", "45", "day"),
        ("a loss of (1,284)", "number", "-1284", ""),
        ("came to −96 crowns", "number", "-96", "crown"),
        ("12 480 kg came in", "number", "12480", "kilogram"),
        ("about $4.3 million", "number", "4300000", "usd"),
        ("12,5 Prozent", "number", "12.5", "%"),
        ("1.284.000,5 Euro", "number", "1284000.5", "eur"),
        ("a share of 87 percent", "number", "87", "%"),
        ("con 45 días de aviso", "number", "45", "day"),
        ("innerhalb von 6 Wochen", "number", "6", "week"),
        ("12 percentage points up", "number", "12", "percentage point"),
        ("brought to 55 degrees Celsius", "number", "55", "celsius"),
        ("twenty-one days", "number", "21", "day"),
        ("one hundred and five people", "number", "105", ""),
        ("Meter reading: ٧٤١٥", "number", "7415", ""),
        ("the third gate", "ordinal", "3", ""),
        ("opened at 4:30 pm", "time", "990", "clock"),
        ("in 2024", "year", "2024", ""),
    ],
)
def test_one_quantity(text: str, kind: str, amount: str, unit: str) -> None:
    (found,) = quantities(text)

    assert (found.kind, found.amount, found.unit) == (kind, Decimal(amount), unit)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("on 14 March 2025", (2025, 3, 14)),
        ("on March 14, 2025", (2025, 3, 14)),
        ("since 2025-03-14", (2025, 3, 14)),
        ("in May 2017", (2017, 5, 0)),
        ("from April on", (0, 4, 0)),
        ("by 31 January", (0, 1, 31)),
    ],
)
def test_dates(text: str, date: tuple[int, int, int]) -> None:
    (found,) = quantities(text)

    assert found.kind == "date"
    assert found.date == date


def test_codes_are_kept_whole() -> None:
    assert [q.surface for q in quantities("part TR-440-B, order KX-2207")] == ["TR-440-B", "KX-2207"]


def test_verbs_and_prose_are_no_dates() -> None:
    assert quantities("you may march on") == ()


def test_a_place_covers_the_unit() -> None:
    text = "holds 1,100 litres of oil"
    (found,) = quantities(text)

    assert text[found.start : found.whole_end] == "1,100 litres"


def test_what_is_no_numeral_is_refused() -> None:
    with pytest.raises(ValueError, match="not a numeral"):
        parse_numeral("a-b")


@pytest.mark.parametrize(
    ("text", "year"), [("in mid-2023 it rose", 2023), ("late 1990s", 1990), ("pre-2020 figures", 2020)]
)
def test_a_year_with_a_word_or_an_ending_is_a_year(text: str, year: int) -> None:
    (found,) = quantities(text)
    assert (found.kind, found.value) == ("year", year)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("am 3. März 2024", (2024, 3, 3)),
        ("le 1er août 2023", (2023, 8, 1)),
        ("el 5 de mayo de 2024", (2024, 5, 5)),
        ("im Oktober 2022", (2022, 10, 0)),
    ],
)
def test_dates_of_other_languages(text: str, date: tuple[int, int, int]) -> None:
    (found,) = quantities(text)
    assert (found.kind, found.date) == ("date", date)


def test_a_month_of_another_language_alone_is_a_word() -> None:
    assert not quantities("the rover on Mars and the clinic in Mayo")
