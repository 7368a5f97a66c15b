"""Single rules of the claim check that the planted alterations do not reach: tables, rounding, sums, yes and no."""

from __future__ import annotations

import pytest

from src.citations.claims import judge
from src.citations.verdicts import Verdict
from src.models import Models, load_models
from src.records import Citation, Claim, Document, Support
from src.settings import read_settings
from tests.answerer.made import document_of, passages_of, table_page
from tests.citations.judged import checked
from tests.factories import document_from_text

SPENDING = document_of(
    table_page(
        1,
        ["", "2022", "2023", "2024"],
        [
            ["Dredging", "2,210", "2,480", "2,655"],
            ["Upkeep of locks", "3,905", "4,120", "4,318"],
            ["Net result", "(17)", "212", "(1,284)"],
        ],
        title="Canal works, spending",
        unit="(amounts in thousands of crowns)",
    )
)


LOCKS = "Upkeep of locks 3,905 4,120 4,318"
RESULT = "Net result (17) 212 (1,284)"


@pytest.mark.parametrize(
    ("claim", "quote", "support"),
    [
        ("Upkeep of locks cost 4,318 thousand crowns in 2024.", LOCKS, Support.FULL),
        ("In 2024 about 4.3 million crowns were spent on upkeep of locks.", LOCKS, Support.FULL),
        ("Upkeep of locks in 2024: 4,318 (thousands of crowns).", LOCKS, Support.FULL),
        ("Upkeep of locks cost 4,318 million crowns in 2024.", LOCKS, Support.NONE),
        ("Upkeep of locks cost 4,318 crowns in 2024.", LOCKS, Support.NONE),
        ("Upkeep of locks cost 4,120 thousand crowns in 2024.", LOCKS, Support.NONE),
        ("Upkeep of locks cost 4,318 thousand crowns in 2023.", LOCKS, Support.NONE),
        ("Upkeep of locks cost 4,381 thousand crowns in 2024.", LOCKS, Support.NONE),
        ("The net result in 2024 was a loss of 1,284 thousand crowns.", RESULT, Support.FULL),
        ("The net result in 2024 was a profit of 1,284 thousand crowns.", RESULT, Support.NONE),
    ],
)
def test_a_cell_is_told_with_its_row_column_scale_and_sign(claim: str, quote: str, support: Support) -> None:
    verdict = checked(SPENDING, claim, quote)

    assert verdict.support is support, verdict.problem


@pytest.mark.parametrize(
    ("page", "claim", "support"),
    [
        ("The dam holds 4,318 thousand litres.", "The dam holds about 4.3 million litres.", Support.FULL),
        ("The dam holds 4,318 thousand litres.", "The dam holds about 4.5 million litres.", Support.NONE),
        (
            "The trial enrolled 212 women and 188 men.",
            "In total the trial enrolled 400 people: 212 women and 188 men.",
            Support.PARTIAL,
        ),
        ("The pipe is 1.5 km long.", "The pipe is 1,500 metres long.", Support.FULL),
        ("The pipe is 1.5 km long.", "The pipe is 1,500 kilometres long.", Support.NONE),
        ("It takes at least 45 days.", "It takes at most 45 days.", Support.NONE),
        ("The fee fell in the third quarter.", "The fee fell in Q3.", Support.FULL),
        ("The fee fell in the third quarter.", "The fee fell in Q2.", Support.NONE),
        ("They met on 14 March 2025.", "They met in March 2025.", Support.FULL),
        ("They met on 14 March 2025.", "They met on 15 March 2025.", Support.NONE),
        ("The Act of 1940 began on 14 March 1940.", "The Act of 1940 began on 15 March 1940.", Support.NONE),
    ],
)
def test_figures_agree_up_to_notation(page: str, claim: str, support: Support) -> None:
    verdict = checked(document_from_text(page), claim, page)

    assert verdict.support is support, verdict.problem


@pytest.mark.parametrize(
    ("question", "page", "claim", "support"),
    [
        (
            "Are dogs allowed?",
            "Dogs are not allowed in the hall.",
            "Yes, dogs are allowed in the hall.",
            Support.NONE,
        ),
        (
            "Are dogs allowed?",
            "Dogs are not allowed in the hall.",
            "No, dogs are not allowed in the hall.",
            Support.FULL,
        ),
        (
            "Are dogs allowed?",
            "Dogs are allowed in the hall.",
            "No, dogs are not allowed in the hall.",
            Support.NONE,
        ),
        (
            "Are dogs allowed?",
            "Dogs are allowed in the hall.",
            "Yes, dogs are allowed in the hall.",
            Support.FULL,
        ),
        ("Is frost damage covered?", "The policy excludes frost damage.", "Yes.", Support.NONE),
        (
            "Is frost damage covered?",
            "The policy excludes frost damage.",
            "No, frost damage is excluded.",
            Support.FULL,
        ),
        (
            "Is it open on Sundays?",
            "It is open daily except Sundays.",
            "Yes, it is open on Sundays.",
            Support.NONE,
        ),
    ],
)
def test_yes_and_no_are_held_against_exclusions(
    question: str, page: str, claim: str, support: Support
) -> None:
    verdict = checked(document_from_text(page), claim, page, question)

    assert verdict.support is support, verdict.problem


def test_a_quote_is_read_with_its_whole_sentence_and_heading() -> None:
    document = document_from_text("# Berth 3\n\nThe chains are inspected every 45 days. They weigh 20 kg.")

    assert (
        checked(document, "The chains at Berth 3 are inspected every 45 days.", "every 45 days").support
        is Support.FULL
    )
    assert (
        checked(document, "The chains are inspected every 20 days.", "every 45 days").support is Support.NONE
    )


def test_a_sentence_without_citation_is_unsupported() -> None:
    document = document_from_text("One thing.")

    verdict = judge(Claim("One thing."), [], "?", passages_of(document), {}, Models(), "direct")

    assert verdict == Verdict(Support.NONE, "no passage is cited")


YEARLY = document_of(
    table_page(
        1,
        ["Year", "Income", "Costs"],
        [["2019", "444.0", "441.2"], ["2020", "446.9", "434.0"], ["2021", "456.0", "452.8"]],
        title="Lock dues",
        unit="(in thousands of crowns)",
    )
)
BERTHS = document_of(
    table_page(
        1,
        ["", "2023", "2024"],
        [["Domestic (coastal)", "56.8", "56.0"], ["International", "67.8", "69.3"]],
        title="Ships served",
        unit="",
    )
)


@pytest.mark.parametrize(
    ("document", "quote", "true", "false"),
    [
        (YEARLY, "2020 446.9 434.0", "Income in 2020 was 446.9 thousand crowns.", "Income in 2019 was 446.9 thousand crowns."),
        (BERTHS, "International 67.8 69.3", "In 2024 69.3 international ships were served.", "In 2024 69.3 domestic ships were served."),
    ],
)  # fmt: skip
def test_a_value_told_of_another_row_is_doubted(
    document: Document, quote: str, true: str, false: str
) -> None:
    assert checked(document, true, quote).support is Support.FULL
    assert checked(document, false, quote).support is not Support.FULL


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        ("The work will take several years before it ends.", "The work is to take several years.", "The work is to take several months."),
        ("A crane that tips over three times is scrapped.", "A crane is scrapped after tipping three times.", "A crane is scrapped after tipping twice."),
        ("The fund holds tens of millions of crowns.", "Tens of millions of crowns are held.", "Tens of billions of crowns are held."),
    ],
)  # fmt: skip
def test_an_amount_without_a_figure_is_compared(page: str, true: str, false: str) -> None:
    document = document_from_text(page)
    assert checked(document, true, page).support is Support.FULL
    assert checked(document, false, page).support is not Support.FULL


def test_one_in_twenty_is_five_percent() -> None:
    document = document_from_text("Of the claims 95 percent were closed, and 5 percent were still open.")
    quote = "5 percent were still open"
    assert (
        checked(document, "About one in twenty of the claims was still open.", quote).support is Support.FULL
    )
    assert (
        checked(document, "About one in ten of the claims was still open.", quote).support is not Support.FULL
    )


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        ("The cost per operator is 7,650 crowns.", "It costs 7,650 crowns per operator.", "It costs 7,650 crowns per crane."),
        ("Each day 40 ships pass the lock.", "Every day 40 ships pass the lock.", "Every month 40 ships pass the lock."),
        ("About 70% of the orders are with non-U.S. lines.", "About 70% of the orders come from lines outside the U.S.", "About 70% of the orders come from U.S. lines."),
        ("The harbour board supported the toll.", "The harbour board was a supporter of the toll.", "The harbour board opposed the toll."),
        ("Traffic was 40 ships, a decrease of 6 percent from 2022.", "Traffic was 40 ships, 6 percent less than in 2022.", "Traffic was 40 ships, 6 percent more than in 2022."),
        ("Tugs are not available for guests.", "Guests cannot hire the tugs.", "Guests can hire the tugs, which are available for guests."),
    ],
)  # fmt: skip
def test_rates_prefixes_and_opposites_are_compared(page: str, true: str, false: str) -> None:
    document = document_from_text(page)
    assert checked(document, true, page).support is Support.FULL
    assert checked(document, false, page).support is not Support.FULL


@pytest.mark.weights
def test_a_reason_of_which_no_word_stands_in_the_passage_is_doubted() -> None:
    models = load_models(read_settings({}, None))
    if models.static is None:
        pytest.skip("no word vectors here")
    document = document_from_text(
        "Republishing a chart makes a copy. It is therefore governed by the port's rules."
    )
    claim = "Republishing a chart is governed by the port's rules because"
    passages = passages_of(document)
    quote = "It is therefore governed by the port's rules"
    citation = Citation(1, document.id, document.name, 0, (1,), "p. 1", quote, True, passage=1)

    def support(text: str) -> Support:
        return judge(
            Claim(text, ((1, quote),)), [citation], "?", passages, {document.id: document}, models, "direct"
        ).support

    assert support(f"{claim} it makes a copy.") is Support.FULL
    assert support(f"{claim} it earns money.") is Support.PARTIAL


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        ("In May we sold the Tarn brand to Halden Marine.", "Halden Marine was sold the Tarn brand in May.", "In May Halden Marine sold the Tarn brand."),
        ("We took over Brevik Lines, which we acquired in 2017.", "Brevik Lines was acquired in 2017.", "Brevik Lines acquired the firm in 2017."),
        ("The Osmar dock was sold by Halden Marine.", "Halden Marine sold the Osmar dock.", "Halden Marine was sold."),
    ],
)  # fmt: skip
def test_who_acts_and_who_is_acted_on_are_told_apart(page: str, true: str, false: str) -> None:
    document = document_from_text(page)
    assert checked(document, true, page).support is Support.FULL
    assert checked(document, false, page).support is not Support.FULL
