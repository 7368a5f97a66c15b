from __future__ import annotations

import pytest

from src.loader.structure.hyphens import Vocabulary, joined_at_break, page_vocabulary

OWN = Vocabulary(frozenset({"temperature", "two-stage", "tracemonkey", "gearbox"}))
COMMON = Vocabulary(frozenset(), frozenset({"two", "stage", "temperature", "side", "plate"}))


@pytest.mark.parametrize(
    ("first", "second", "vocabulary", "verdict"),
    [
        ("temper-", "ature", OWN, "drop"),
        ("two-", "stage", OWN, "keep"),
        ("two-", "stage", COMMON, "keep"),
        ("side-", "plate", COMMON, "keep"),
        ("temper-", "ature", COMMON, "drop"),
        ("Trace-", "Monkey", OWN, "drop"),
        ("TR-440-", "B", OWN, "keep"),
        ("UTF-", "8", OWN, "keep"),
        ("state-of-", "the", OWN, "keep"),
        ("Anglo-", "Saxon", OWN, "keep"),
        ("Ein-", "und", OWN, "apart"),
        ("co\xad", "operate", OWN, "drop"),
        ("unbe-", "kannt", OWN, "drop"),
        ("-", "12", OWN, "apart"),
        ("e-", "mail", COMMON, "keep"),
        ("x-", "ray", OWN, "keep"),
    ],
)
def test_a_hyphen_at_a_line_end(first: str, second: str, vocabulary: Vocabulary, verdict: str) -> None:
    assert joined_at_break(first, second, vocabulary) == verdict


def test_halves_of_a_cut_word_do_not_prove_themselves() -> None:
    words = page_vocabulary(["The", "tem-", "perature", "of", "the", "two-stage", "gearbox"])
    assert words == {"the", "two-stage", "gearbox"}
