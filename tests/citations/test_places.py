"""Figures and names that stand on the page, told of what another figure or name belongs to."""

from __future__ import annotations

import pytest

from src.citations.placement import parts
from src.records import Support
from tests.citations.judged import checked
from tests.factories import document_from_text

PAGE = (
    "At year end, occupancy was 71% in the harbour hotels and 64% in all houses. The Tarn line carried 312 tonnes of ore,"
    " helped by 90 tonnes of transit freight, while the Norvik line carried 45 tonnes. Repairs cost $41 million on the"
    " north pier, $17 million on the south pier, and $9 million on the cranes. In spring the council voted with Halden"
    " Marine to end the lease of the dry dock at Osmar. In autumn the purchase by Brevik Lines of the ferry terminal was"
    " completed. The drill ship (Deep Water Unit), the survey boats (Coastal Unit) and the tugs (Harbour Unit) were"
    " docked. Every June the governors name one Class C member as chair of the port board. The board also hears the Class"
    " B members before a vote on tariffs."
)


@pytest.mark.parametrize(
    ("quote", "true", "false"),
    [
        (
            "occupancy was 71% in the harbour hotels and 64% in all houses",
            "Occupancy in all houses was 64% at year end.",
            "Occupancy in all houses was 71% at year end.",
        ),
        (
            "The Tarn line carried 312 tonnes of ore",
            "The Tarn line carried 312 tonnes of ore.",
            "The Tarn line carried 90 tonnes of ore.",
        ),
        (
            "$17 million on the south pier",
            "Repairs of the north pier cost $41 million and those of the south pier $17 million.",
            "Repairs of the north pier cost $41 million and those of the south pier $9 million.",
        ),
        (
            "to end the lease of the dry dock at Osmar",
            "The council voted with Halden Marine to end the lease of the dry dock.",
            "The council voted with Brevik Lines to end the lease of the dry dock.",
        ),
        (
            "The drill ship (Deep Water Unit), the survey boats (Coastal Unit)",
            "The survey boats belong to the Coastal Unit.",
            "The survey boats belong to the Deep Water Unit.",
        ),
        (
            "the governors name one Class C member as chair",
            "Every June a Class C member is named chair of the port board by the governors.",
            "Every June a Class B member is named chair of the port board by the governors.",
        ),
    ],
)
def test_what_belongs_to_another_is_doubted(quote: str, true: str, false: str) -> None:
    document = document_from_text(PAGE)
    assert checked(document, true, quote).support is Support.FULL
    assert checked(document, false, quote).support is not Support.FULL


def test_words_before_the_first_figure_belong_to_all_when_the_next_follow_a_bare_and() -> None:
    text = "Rates were 91% in town and 89% at sea"
    first, second = parts(
        text, [(text.index("91"), text.index("91") + 3), (text.index("89"), text.index("89") + 3)]
    )
    assert "rate" in first.head & second.head
    assert "rate" not in first.own | second.own
    assert "town" in first.own
    assert "town" not in second.own


def test_words_before_the_first_figure_are_its_own_when_the_next_has_words_before_it_too() -> None:
    text = "Direct sales grew 30%, driven by 60% growth online"
    first, second = parts(
        text, [(text.index("30"), text.index("30") + 3), (text.index("60"), text.index("60") + 3)]
    )
    assert {"direct", "sale"} <= first.own
    assert not {"direct", "sale"} & second.words


def test_figures_that_nothing_parts_are_not_told_apart() -> None:
    text = "It fell from 12% to 9% in May"
    assert not any(part.alone for part in parts(text, [(13, 16), (20, 22)]))


def test_an_acronym_that_shares_a_letter_makes_no_name_known() -> None:
    document = document_from_text("The RSU of the port is led by Mette Lund, who reports to the board.")
    verdict = checked(document, "The unit is led by Ursula Lund.", "led by Mette Lund")
    assert verdict.support is not Support.FULL


def test_an_acronym_is_known_by_the_name_it_stands_for() -> None:
    document = document_from_text("The rule was adopted by the SEC in June 2019 and amended later.")
    claim = "The Securities and Exchange Commission adopted the rule in June 2019."
    assert checked(document, claim, "adopted by the SEC in June 2019").support is Support.FULL
