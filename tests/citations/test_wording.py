"""True sentences in a writer's own words, each of a kind that was once doubted or struck, and false ones beside them."""

from __future__ import annotations

import pytest

from src.records import Support
from tests.answerer.made import document_of, table_page
from tests.citations.judged import checked
from tests.factories import document_from_text

CASH = document_of(
    table_page(
        1,
        ["", "2020", "2021", "2022"],
        [["Cash flow", "8,183", "9,221", "7,802"], ["Net sales", "2,006", "2,008", "2,002"]],
        title="Five years",
        unit="(in millions)",
    )
)
FLOW = "Cash flow 8,183 9,221 7,802"


@pytest.mark.parametrize(
    ("page", "claim", "support"),
    [
        ("Home lending fell by $625 million.", "Home lending fell by $625m.", Support.FULL),
        ("Home lending fell by $625 million.", "Home lending fell by $625bn.", Support.NONE),
        (
            "Sales were $98.8 billion to $99.8 billion.",
            "Sales were between $98.8 and $99.8 billion.",
            Support.FULL,
        ),
        ("The rule covers Model 737–8 aircraft.", "The rule covers the 737-8 aircraft.", Support.FULL),
        ("Trade rose since the middle of last year.", "Trade rose since mid-2023.", Support.FULL),
        (
            "The error was 2.00% against 2.10% for the old method.",
            "The error of 2.00% was better than the 2.10% of the old method.",
            Support.FULL,
        ),
        (
            "Deliveries are made on weekdays, except Federal holidays.",
            "Deliveries are made on weekdays, Federal holidays excepted.",
            Support.FULL,
        ),
        (
            "Both the tax and the excise, which we do not expect to have a material effect, apply.",
            "Neither the tax nor the excise is expected to have a material effect.",
            Support.FULL,
        ),
        (
            "A heart rate above 110 beats per minute was recorded in 9 of 52 patients.",
            "Nine of the 52 patients had a heart rate above 110 beats per minute.",
            Support.FULL,
        ),
        (
            "The agreement with the ministry was finalized in January 2021.",
            "The agreement with the ministry was completed in January 2021.",
            Support.FULL,
        ),
        (
            "Sales moved from core merchandise to ancillary business.",
            "Sales moved from ancillary business to core merchandise.",
            Support.NONE,
        ),
        (
            "It is the largest beverage company in the world.",
            "It is the second-largest beverage company in the world.",
            Support.PARTIAL,
        ),
    ],
)
def test_wording_is_no_contradiction(page: str, claim: str, support: Support) -> None:
    verdict = checked(document_from_text(page), claim, page)

    assert verdict.support is support, verdict.problem


@pytest.mark.parametrize(
    ("claim", "quote", "support"),
    [
        ("Of the years shown, 2021 had the highest cash flow, $9.2 billion.", FLOW, Support.FULL),
        ("Of the years shown, 2022 had the highest cash flow, $7.8 billion.", FLOW, Support.NONE),
        (
            "Cash flow nearly halved from $9,221 million in 2021 to $7,802 million in 2022.",
            FLOW,
            Support.FULL,
        ),
        ("Cash flow halved from $7,802 million in 2022 to $9,221 million in 2021.", FLOW, Support.NONE),
        ("Net sales were $2.0 billion in 2022.", "Net sales 2,006 2,008 2,002", Support.FULL),
    ],
)
def test_a_row_says_which_year_is_highest(claim: str, quote: str, support: Support) -> None:
    verdict = checked(CASH, claim, quote)

    assert verdict.support is support, verdict.problem
