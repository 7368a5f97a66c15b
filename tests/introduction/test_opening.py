"""What a document says of itself: its own sentences, and only questions that it answers from where they were made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.chunker import chunk_document
from src.index import build_index
from src.introduction import Introduction, introduce, titled
from src.models import Models
from src.records import Answer, Citation, Document, PageState, Sentence
from src.settings import read_settings
from tests.factories import document_from_text

SETTINGS = read_settings({}, env_file=None)
PAGES = (
    "# The harbour library\n\n# Late returns\n\nA member who is more than six weeks late cannot borrow anything new until the item is back.",
    "# The tool library\n\nIt lends drills, sewing machines and violins, which most households need only now and then.",
)


def made(answers: dict[str, Answer], *pages: str) -> Introduction:
    document = document_from_text(*(pages or PAGES))
    index = build_index(document, chunk_document(document, SETTINGS), Models(), SETTINGS)
    refused = Answer("", (), "not_found")
    return introduce(index, None, lambda question: answers.get(question, refused), lambda: False)


def answered(question: str, text: str, page: int, *, verified: bool = True) -> dict[str, Answer]:
    cite = Citation(1, "d", "made.pdf", 0, (page,), f"p. {page}", text, verified)
    return {question: Answer(question, (Sentence(text, (1,)),), "answered", (cite,))}


LATE = "What does the document say about late returns?"


def test_a_question_is_suggested_that_its_own_page_answers() -> None:
    assert made(answered(LATE, "A member who is late cannot borrow.", 1)).questions == (LATE,)


@pytest.mark.parametrize(
    "answers",
    [
        {},
        answered(LATE, "The tool library lends drills.", 2),
        answered(LATE, "A member who is late cannot borrow.", 1, verified=False),
        answered(LATE, "4.1 Late returns", 1),
    ],
)
def test_no_question_is_suggested_that_is_not_answered_from_there(answers: dict[str, Answer]) -> None:
    assert made(answers).questions == ()


def test_the_summary_is_made_of_sentences_with_their_places() -> None:
    summary = made({}).summary
    assert [(e.page, e.label) for e in summary] == [(1, "p. 1")]
    assert summary[0].text.startswith("A member who is more than six weeks late")
    assert {box.page for box in summary[0].boxes} == {1}


@pytest.mark.parametrize(
    "sentence",
    [
        "Keywords JavaScript, just-in-time compilation, trace trees and their nesting.",
        "Vielen Dank auch an Frau Lenz und Frau Randecker, die es mir erlaubt haben, ihre Lösungen zu benutzen.",
        "Permission to make digital or hard copies of all or part of this work is granted without fee.",
        "Average monthly revenue per paid subscriber is calculated from the average of the paid subscribers.",
        "The most comparable GAAP measures are income before income taxes and cash provided by operations.",
        "Da X einfach zusammenhängend ist, hängt p(z) nicht vom gewählten Weg der Abbildung ab.",
        "Es sei X ein wegzusammenhängender Raum, in dem jeder Punkt eine Umgebungsbasis aus einfachen Mengen hat.",
        "Celles-ci sont représentées par des arbres qui stockent la cardinalité de leur couverture.",
        "Paid subscribers reflect subscribers for which the company recognized revenue from subscriptions.",
        "Layout analysis is needed for tasks that include image classification by Shen et al.",
    ],
)
def test_keywords_thanks_and_rights_are_no_summary(sentence: str) -> None:
    assert made({}, sentence).summary == ()


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Annual Report 2025", "Annual Report 2025"),
        ("Microsoft Word - Annual Report 2025", "Annual Report 2025"),
        ("untitled", ""),
        ("report_final.docx", ""),
        ("made.pdf", ""),
    ],
)
def test_a_title_is_shown_only_when_it_says_something(title: str, shown: str) -> None:
    document: Document = document_from_text("x", title=title)
    assert titled(document) == shown


@pytest.mark.parametrize(
    ("given", "page", "shown"),
    [
        ("0000320187-21-000028", "# Harbour Annual Report\n\nText of the page.", "Harbour Annual Report"),
        ("Adobe Photoshop PDF", "Text of a page without a heading.", ""),
        ("", "# 1 Introduction\n\nText of the page.", ""),
        ("", "# FOR IMMEDIATE RELEASE\n\n# Harbour results of spring\n\nText.", "Harbour results of spring"),
        ("Free Harbours", "# Another heading here\n\nText.", "Free Harbours"),
    ],
)
def test_where_programs_left_a_number_the_first_heading_is_the_title(
    given: str, page: str, shown: str
) -> None:
    assert titled(document_from_text(page, title=given)) == shown


def test_an_answer_without_the_sentence_that_the_question_was_made_from_is_no_answer() -> None:
    page = "A loan is an item that a member takes home. Late members cannot borrow."
    asked = "What is a loan?"
    assert made(answered(asked, "Late members cannot borrow.", 1), page).questions == ()
    assert made(answered(asked, "A loan is an item that a member takes home.", 1), page).questions == (asked,)


def test_where_few_questions_can_be_made_what_it_is_about_is_offered() -> None:
    about = "What is this document about?"
    assert made(
        answered(about, "Výpůjčka je smlouva.", 1), "Výpůjčka je smlouva na dobu určitou."
    ).questions == (about,)
    assert made({}, "Výpůjčka je smlouva na dobu určitou.").questions == ()
    assert made(answered(about, "“Fiscal Year”", 1), "Výpůjčka je smlouva na dobu určitou.").questions == ()


def test_a_title_that_ocr_misread_is_not_shown() -> None:
    document = document_from_text("# _hapter = one\n\nText of the page.")
    assert titled(document) == "_hapter = one"
    scanned = replace(document, pages=(replace(document.pages[0], state=PageState.OCR),))
    assert titled(scanned) == ""


def test_a_paper_is_summed_up_in_its_own_language() -> None:
    french = "Le prêt est un contrat à durée limitée entre la bibliothèque et ses membres."
    english = "In this paper we present the loans of a library and its members in short."
    document = document_from_text(*[f"# Le prêt\n\n{french}"] * 2, f"# Summary\n\n{english}")
    pages = tuple(
        replace(p, language=lang) for p, lang in zip(document.pages, ("fr", "fr", "en"), strict=True)
    )
    document = replace(document, pages=pages)
    index = build_index(document, chunk_document(document, SETTINGS), Models(), SETTINGS)
    summary = introduce(index, None, lambda question: Answer("", (), "not_found"), lambda: False).summary
    assert {e.text for e in summary} == {french}


def test_the_same_is_suggested_once() -> None:
    of_loan = answered("What is a loan?", "A loan is an item that a member takes home.", 1)
    of_desk = answered("What is a loan desk?", "A loan desk is a place for a loan.", 1)
    page = "A loan is an item that a member takes home. A loan desk is a place for a loan of any item."
    assert made(of_loan | of_desk, page).questions == ("What is a loan?",)


def test_what_it_is_about_is_asked_in_the_language_of_the_document() -> None:
    about = "De quoi parle ce document ?"
    document = document_from_text("Le prêt est à durée limitée pour les membres de la bibliothèque.")
    document = replace(document, pages=tuple(replace(p, language="fr") for p in document.pages))
    index = build_index(document, chunk_document(document, SETTINGS), Models(), SETTINGS)
    answers = answered(about, "Le prêt est à durée limitée.", 1)
    refused = Answer("", (), "not_found")
    assert introduce(index, None, lambda q: answers.get(q, refused), lambda: False).questions == (about,)
