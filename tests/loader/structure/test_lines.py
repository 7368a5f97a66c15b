from __future__ import annotations

import pytest

from src.loader.layout import Style, Word
from src.loader.structure.lines import logical


def words(*parts: str) -> list[Word]:
    """Words from left to right; those in Hebrew letters are marked as such."""
    return [
        Word(
            part,
            10.0 * n,
            0,
            10.0 * n + 8,
            10,
            10,
            8,
            Style.RTL if "\u0590" < part[0] < "\u05ff" else 0,
            0,
            0,
        )
        for n, part in enumerate(parts)
    ]


def order(*parts: str) -> str:
    return " ".join(word.text for word in logical(words(*parts)))


def test_hebrew_is_read_from_the_right_with_numbers_as_they_are() -> None:
    assert order("שקלים", "13,570", "הפיקדון", "סכום") == "סכום הפיקדון 13,570 שקלים"


@pytest.mark.parametrize(("left", "right"), [(")", "("), ("(", ")")], ids=["mirrored", "as printed"])
def test_brackets_around_a_number_inside_hebrew_open_before_they_close(left: str, right: str) -> None:
    read = logical(words(left, "2023", right, "סכום", "הפיקדון"))
    assert [word.text for word in read] == ["הפיקדון", "סכום", "(", "2023", ")"]
    assert [bool(word.style & Style.GLUED) for word in read] == [False, False, False, True, True]


def test_a_latin_phrase_inside_hebrew_keeps_its_order() -> None:
    assert order("בשוק", "Blue", "Harbor", "חברת") == "חברת Blue Harbor בשוק"


def test_a_hebrew_phrase_inside_latin_is_turned() -> None:
    assert order("The", "company", "Blue", "הים", "נמל", "reports") == "The company Blue נמל הים reports"
