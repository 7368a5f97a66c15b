"""Author, title and date from the first pages, and no author where none signs."""

from __future__ import annotations

import pytest

from src.answerer.front import Front, front_asked, front_evidence, front_passages
from tests.factories import document_from_text

PAPER = document_from_text(
    "# Sorting Ferries at Scale\n\nJane Q. Roe∗, Ole Vik†, Marta de Groot∗\n\n∗ University of Tarn † Ferry Institute\n\n"
    "# Abstract\n\nWe sort ferries. In 1998 Anna Berg sorted barges by hand.",
    "# 1 Introduction\n\nFerries are many.",
)
BOOK = document_from_text(
    "THE QUIET HARBOUR and other stories of the northern coast",
    "Copyright © Lena Holm, 2004. All rights reserved by the publisher in all countries.",
    "It was raining, and by Old Street the boats lay still. A letter of 12 May 1931 lay there.",
)
LETTER = document_from_text(
    "Norvik Water Board\n\nQuay Street 4, 2201 Norvik\n\nDear customer,\n\nyour meter must be exchanged.\n\n"
    "Kind regards\nTechnical department"
)
NOTICE = document_from_text(
    "FOR IMMEDIATE RELEASE February 5, 2025\n\nThe company (Mark One) reports sales.\n\n383 Madison Avenue,"
)


@pytest.mark.parametrize(
    ("question", "front"),
    [
        ("who wrote this?", Front.AUTHOR),
        ("Who are the authors of this paper?", Front.AUTHOR),
        ("authors", Front.AUTHOR),
        ("wer hat das geschrieben?", Front.AUTHOR),
        ("What is the title?", Front.TITLE),
        ("when was this published", Front.DATE),
        ("Who is the letter from?", Front.SENDER),
        ("who signed this letter", Front.SENDER),
        ("von wem ist dieser Brief", Front.SENDER),
        ("Who sent the parcel to Norvik?", None),
        ("What year is it from?", Front.DATE),
        ("Who wrote the letter to Felten?", None),
        ("When was the limit raised?", None),
        ("Who is the author of the ADADELTA method?", None),
        ("What is the title of section 3?", None),
    ],
)
def test_what_is_asked_of_the_front_matter(question: str, front: Front | None) -> None:
    assert front_asked(question) == front


def lead(document, front: Front) -> str:  # type: ignore[no-untyped-def]
    found = front_evidence(front, "", front_passages(document), document)
    return "" if found is None else found.lead or found.quote


def test_the_names_under_a_title_are_the_authors() -> None:
    assert lead(PAPER, Front.AUTHOR) == "Jane Q. Roe, Ole Vik, Marta de Groot"
    assert lead(PAPER, Front.TITLE) == "Sorting Ferries at Scale"


def test_a_book_is_its_copyright_holders() -> None:
    assert lead(BOOK, Front.AUTHOR) == "Lena Holm"
    assert lead(BOOK, Front.DATE) == "2004"


def test_capitals_alone_sign_nothing() -> None:
    assert lead(NOTICE, Front.AUTHOR) == ""
    assert lead(NOTICE, Front.DATE) == "February 5, 2025"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is the letter from?", "Norvik Water Board"),
        ("Who signed it?", "Kind regards Technical department"),
    ],
)
def test_a_letter_names_its_sender(question: str, said: str) -> None:
    found = front_evidence(Front.SENDER, question, front_passages(LETTER), LETTER)
    assert found is not None
    assert found.quote == said


def test_a_paper_is_no_letter() -> None:
    assert lead(PAPER, Front.SENDER) == ""
