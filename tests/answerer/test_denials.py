"""Words that deny and what they govern."""

from __future__ import annotations

from src.answerer.denials import denials
from src.answerer.irregular import base
from src.answerer.terms import all_terms


def heads(text: str) -> list[tuple[str, ...]]:
    return [d.heads for d in denials(text)]


def test_past_forms_are_the_verb() -> None:
    assert heads("It was never found.") == [("find",)]
    assert base(all_terms("found")[0]) == base(all_terms("find")[0])


def test_too_much_to_be_denies() -> None:
    (denial,) = denials("The pier was too narrow to carry a crane.")
    assert denial.heads[:2] == ("carri", "crane")


def test_light_words_are_not_what_is_denied() -> None:
    assert heads("It ran without receiving any kind of warning.")[0][0] == "warn"


def test_a_number_behind_a_small_no_is_denied_and_an_abbreviation_denies_nothing() -> None:
    assert denials("There was no 3 among them.")
    assert not denials("It is moored at No. 3 of the quay.")
