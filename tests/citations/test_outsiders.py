"""Faithful rewording that the check doubted and falsehoods it let pass, by kind; each was seen on real pages."""

from __future__ import annotations

import pytest

from src.records import Support
from tests.answerer.made import document_of, table_page
from tests.citations.judged import checked
from tests.factories import document_from_text

SEGMENTS = document_of(
    table_page(
        1,
        ["", "Year ended 2022", "Year ended 2021", "Change"],
        [
            ["Harbours", "3,306", "3,700", "(394)"],
            ["Canals", "2,002", "1,950", "52"],
            ["Dividends per share", "8.20", "7.70", "0.50"],
        ],
        title="Segment sales",
        unit="($ in millions)",
    )
)
UNSCALED = document_of(
    table_page(1, ["", "2022", "2021"], [["Other income", "132", "522"]], title="Income", unit="")
)


@pytest.mark.parametrize(
    "claim",
    [
        "Harbours sold $3,306 million in 2022.",  # "Year ended" is no unit
        "Harbours sold $394 million less in 2022 than in 2021.",
        "At $3,306 million, harbour sales of 2022 were lower than the $3,700 million of 2021.",
        "Sales of Canals rose from $1,950 million in 2021 to $2,002 million in 2022.",
        "Dividends per share were $8.20 in 2022.",
        "Both segments are shown, and Canals had sales of $2,002 million in 2022.",
    ],
)
def test_a_row_told_in_other_words_is_supported(claim: str) -> None:
    assert checked(SEGMENTS, claim, "Harbours 3,306 3,700 (394)").support is Support.FULL


@pytest.mark.parametrize(
    "claim",
    [
        "Harbours sold $394 million more in 2022 than in 2021.",
        "At $3,306 million, harbour sales of 2022 were higher than the $3,700 million of 2021.",
        "Sales of Harbours rose from $3,306 million to $3,700 million in 2022.",
        "Canals sold $3,306 million in 2022.",
    ],
)
def test_a_row_turned_round_is_not(claim: str) -> None:
    assert checked(SEGMENTS, claim, "Harbours 3,306 3,700 (394)").support is not Support.FULL


def test_a_scale_that_stands_elsewhere_is_not_held_against_a_claim() -> None:
    assert (
        checked(UNSCALED, "Other income was $132 million in 2022.", "Other income 132 522").support
        is Support.FULL
    )
    assert (
        checked(UNSCALED, "Other income was $522 million in 2022.", "Other income 132 522").support
        is Support.NONE
    )


@pytest.mark.parametrize(
    ("page", "claim", "wanted"),
    [
        (
            "The board raised the rate by 25 basis points in July, to 525 basis points in all.",
            "With the rise in July the rate has gone up by 5.25 percentage points in all.",
            Support.FULL,
        ),
        (
            "The range is now 5 to 5¼ percent, after several rises of the rate by the board.",
            "After several rises of the rate by the board the range is 5 to 5.25 percent.",
            Support.FULL,
        ),
        (
            "The UK Ministry of Works ended the contract for the lock gates in June.",
            "In June the British Ministry of Works ended the contract for the lock gates.",
            Support.FULL,
        ),
        (
            "The format of the 2024-2025 season added four games at the new grounds.",
            "The format of the 2024-25 season added four games at the new grounds.",
            Support.FULL,
        ),
        (
            "One query on a dataset with 1M objects may take ten minutes on this machine.",
            "One query on a dataset with one million objects may take ten minutes on this machine.",
            Support.FULL,
        ),
        (
            "We do not expect the tax on companies and the tax on buybacks to have a material effect.",
            "Neither the tax on companies nor the tax on buybacks is expected to have a material effect.",
            Support.FULL,
        ),
        (
            "Virtually all of our ropes are made outside of the country by independent ropewalks.",
            "Almost all of the ropes are made outside of the country by independent ropewalks.",
            Support.FULL,
        ),
        (
            "Traffic in the lock was 4,318 boats in spring and 2,210 boats in autumn.",
            "Traffic in the lock fell from 2,210 boats to 4,318 boats.",
            Support.NONE,
        ),
    ],
)
def test_prose_in_other_words(page: str, claim: str, wanted: Support) -> None:
    document = document_from_text(page)
    assert checked(document, claim, page).support is wanted
