"""How many and how often: a claim's word against the page's."""

from __future__ import annotations

import pytest

from src.citations.quantifiers import quantifiers
from src.records import Support
from tests.citations.judged import checked
from tests.factories import document_from_text


@pytest.mark.parametrize(
    ("page", "true", "false"),
    [
        ("Most harbour pilots hold two licences.", "The majority of harbour pilots hold two licences.", "All harbour pilots hold two licences."),
        ("All ferries run on shore power at night.", "Every ferry runs on shore power at night.", "Not every ferry runs on shore power at night."),
        ("Virtually all of our cranes are leased.", "Nearly all of the cranes are leased.", "Only some of the cranes are leased."),
        ("The fee is due in either of the two months.", "The fee is due in either of the two months.", "The fee is due in both of the two months."),
        ("The lock is never opened at night.", "At night the lock is never opened.", "At night the lock is rarely opened."),
        ("Send only one copy of the form.", "A single copy of the form is to be sent.", "Several copies of the form are to be sent."),
        ("Four of the nine piers were closed.", "Of the nine piers, four were closed.", "All of the nine piers were closed."),
    ],
)  # fmt: skip
def test_another_quantifier_of_the_same_thing_is_doubted(page: str, true: str, false: str) -> None:
    document = document_from_text(f"{page} The port lies in the north.")
    assert checked(document, true, page).support is Support.FULL
    assert checked(document, false, page).support is not Support.FULL


def test_set_phrases_and_times_are_no_quantifiers() -> None:
    assert not quantifiers("After all, the board met every year.")


def test_quantifiers_of_different_things_agree() -> None:
    document = document_from_text("Most pilots are trained at Osmar. All tugs are moored at Tarn.")
    claim = "All tugs are moored at Tarn."
    assert checked(document, claim, "Most pilots are trained at Osmar").support is Support.FULL
