"""The line above the question field: what is still being read, and what answers know meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.holding import Holding
from src.index import build_index
from src.models import Models
from src.records import Document, PageState, Progress
from src.settings import read_settings
from src.ui.reading import reading_words
from tests.factories import document_from_text


def held(document: Document | None = None, progress: Progress | None = None) -> Holding:
    holding = Holding("k" * 64, "ann", b"%PDF", "register.pdf", None)
    if document is not None:
        holding._swap(build_index(document, (), Models(), read_settings({}, env_file=None)), 0)
    holding._report(progress)
    return holding


def scan(pages: int, waiting: range) -> Document:
    document = document_from_text(*["Words."] * pages, name="register.pdf")
    return replace(
        document,
        pages=tuple(
            replace(p, state=PageState.PENDING) if p.number in waiting else p for p in document.pages
        ),
        pending=("ocr",),
    )


@pytest.mark.parametrize(
    ("holding", "words"),
    [
        (held(), "Reading register.pdf …"),
        (held(progress=Progress("text", 120, 1600)), "Reading register.pdf: page 120 of 1,600 …"),
        (
            held(scan(300, range(40, 301)), Progress("ocr", 12, 261)),
            "Still reading pages 40–300 of register.pdf (12 of 261 done) … Answers do not know them yet.",
        ),
        (held(scan(3, range(0)), Progress("tables", 1, 3)), ""),
    ],
)
def test_what_is_being_read_is_said_with_what_answers_lack(holding: Holding, words: str) -> None:
    assert reading_words(holding) == words


def test_a_second_reading_and_an_end_are_said() -> None:
    holding = held(document_from_text("Words.", name="register.pdf"))
    holding._begin_again(ocr_all=True)
    holding._report(Progress("ocr", 3, 40))
    assert reading_words(holding) == (
        "Reading register.pdf again with OCR, page 3 of 40 … Until then, answers come from the first reading."
    )
    holding.finish.set()
    assert reading_words(holding) == "Stopping after the page of register.pdf that is being read …"
