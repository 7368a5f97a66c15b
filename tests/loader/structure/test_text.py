from __future__ import annotations

import numpy as np
import pytest

from src.loader.layout import Word
from src.loader.structure.hyphens import Vocabulary
from src.loader.structure.text import TextBuilder


def joined(first: str, second: str, *, gap: float = 6.8, new_line: bool = False) -> str:
    """Two words of 13 points, ``gap`` points apart or on two lines, as a paragraph holds them."""
    width = 13.0 * len(first)
    left = 0.0 if new_line else width + gap
    words = [
        Word(first, 0, 0, width, 13, 13, 10, 0, 0, 0),
        Word(second, left, 0, left + 13.0 * len(second), 13, 13, 30 if new_line else 10, 0, 0, len(first)),
    ]
    builder = TextBuilder(Vocabulary())
    builder.add_words(words)
    assert (
        builder.length
        == len(builder.text)
        == len(builder.boxes(np.zeros((len(first) + len(second), 4), np.float32)))
    )
    return builder.text


@pytest.mark.parametrize(
    ("first", "second", "new_line", "text"),
    [
        ("本公司", "收入", True, "本公司收入"),
        ("Ｏｐｔｉ", "ｏｆ", False, "Ｏｐｔｉ ｏｆ"),
        ("매출은", "증가", True, "매출은 증가"),
        ("2018–", "51", True, "2018–51"),
        ("https://", "www.faa.gov", True, "https://www.faa.gov"),
        ("two", "words", True, "two words"),
    ],
)
def test_what_stands_between_two_words(first: str, second: str, new_line: bool, text: str) -> None:
    assert joined(first, second, new_line=new_line) == text
