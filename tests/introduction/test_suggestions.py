"""Suggested questions read as a person would ask them, in the document's language, or there are none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from src.introduction.suggestions import candidates
from src.records import Block, BlockKind, Cell, Document, Page, Table, TableRow
from tests.factories import document_from_text, page_from_text

FILLER = (
    "It was built over many years by people who came from near and far, and it has been mended twice since."
)


def spoken(language: str, *pages: str, title: str = "") -> Document:
    document = document_from_text(*pages, title=title)
    return replace(document, pages=tuple(replace(p, language=language) for p in document.pages))


def asked(document: Document) -> list[str]:
    return [candidate.question for candidate in candidates(document)]


def tabled(title: str, columns: tuple[str, ...], *rows: tuple[str, ...], unit: str = "") -> Document:
    """A page that is one table."""
    text = "\n".join("\t".join(row) for row in rows)
    made, start = [], 0
    for row in rows:
        cells, at = [], start
        for column, words in enumerate(row):
            cells.append(Cell(at, at + len(words), column))
            at += len(words) + 1
        made.append(TableRow(start, at - 1, tuple(cells)))
        start = at
    table = Table(title, unit, columns, tuple(made))
    blocks = (Block(BlockKind.TABLE, 0, len(text), table=0),)
    page: Page = replace(page_from_text(1, text), blocks=blocks, tables=(table,))
    return replace(document_from_text("x"), pages=(page,))


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("Late returns", "What does the document say about late returns?"),
        ("3.2 How to renew a loan", "How do I renew a loan?"),
        ("Assigning classes to specialists", "How does assigning classes to specialists work?"),
        ("Potential economic effects", "What are the potential economic effects?"),
        ("Who may borrow?", "Who may borrow?"),
        ("Operating income of the group", "What does the document say about operating income of the group?"),
    ],
)
def test_headings_are_asked_about(heading: str, question: str) -> None:
    assert asked(document_from_text(f"# {heading}\n\n{FILLER}")) == [question]


@pytest.mark.parametrize(
    "heading",
    ["Table of contents", "Definition 3.1", "of duties", "Matching logits is a special case", "TX := U ∪ X"],
)
def test_headings_that_name_nothing_are_passed_over(heading: str) -> None:
    assert asked(document_from_text(f"# {heading}\n\n{FILLER}")) == []


def test_the_first_heading_of_all_is_a_title() -> None:
    document = document_from_text(f"# Trace-based compilation\n\n{FILLER}", f"# Trace trees\n\n{FILLER}")
    assert asked(document) == ["What does the document say about trace trees?"]


def test_the_title_and_headings_without_text_are_passed_over() -> None:
    document = document_from_text(f"# Harbour report\n\n{FILLER}\n\n# Board of the harbour\n\nBy:")
    assert asked(replace(document, title="Harbour Report")) == []


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("A loan is an item that a member takes home.", "What is a loan?"),
        ("SpiderMonkey is a JavaScript engine.", "What is SpiderMonkey?"),
        ("The term refers to all ships.", "What is the term?"),
        ("Jim Bainbridge is a senior DB2 consultant.", "Who is Jim Bainbridge?"),
    ],
)
def test_what_is_defined_is_asked_for(sentence: str, question: str) -> None:
    assert asked(document_from_text(f"{sentence} {FILLER}")) == [question]


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The harbour office was founded in 1871 by the town.", "When was the harbour office founded?"),
        ("The treaty was signed on 3 May 1950 in Bergen.", "When was the treaty signed?"),
        ("The goal of nesting is to keep loops apart.", "What is the goal of nesting?"),
        ("The main advantage of soft targets is that they hold more.", "What is the main advantage of soft targets?"),
        ("Fat bytecodes are a problem because they loop.", "Why are fat bytecodes a problem?"),
        ("Nancy was afraid of the river because Bill watched her.", "Why was Nancy afraid of the river?"),
        ("Distillation is useful because models are large.", "Why is distillation useful?"),
        ("We can then use training, which we call “distillation” here.", "What is distillation?"),
    ],
)  # fmt: skip
def test_a_sentence_is_asked_for_as_a_person_would(sentence: str, question: str) -> None:
    (candidate,) = candidates(document_from_text(f"{sentence} {FILLER}"))
    assert candidate.question == question
    assert sentence.startswith(candidate.evidence)
    assert candidate.evidence


@pytest.mark.parametrize(
    "sentence",
    [
        "It was founded in 1871 by the town.",
        "The office was founded by fishermen.",
        "The key observation is that when it aborts because of this.",
        "They are late because the tide is out.",
        "The goal is to keep loops apart.",
    ],
)
def test_a_sentence_that_leans_on_others_is_not_asked_for(sentence: str) -> None:
    assert asked(document_from_text(f"{sentence} {FILLER}")) == []


def test_the_newest_year_of_a_row_is_asked_for() -> None:
    newest_first = tabled("Income", ("", "2025", "2024"), ("Membership fees", "12", "10"), unit="in euros")
    (candidate,) = candidates(newest_first)
    assert (candidate.question, candidate.evidence) == ("How much were the membership fees in 2025?", "12")


def test_what_a_document_says_about_a_heading_is_asked_last() -> None:
    document = document_from_text(f"# Late returns\n\n{FILLER} A loan is an item that a member takes home.")
    assert asked(document) == ["What is a loan?", "What does the document say about late returns?"]


def test_figures_that_only_have_a_name_are_asked_for_late() -> None:
    document = tabled("Income", ("", "2025"), ("Sports", "$ 12"), ("Membership fees", "$ 10"))
    assert asked(document) == [
        "How much were the membership fees in 2025?",
        "What is the figure for sports in 2025?",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "The result is a table of numbers.",
        "When the model is a large one, it is slow.",
        "The first objective function is the cross entropy.",
        "Section 3 is an overview of the work.",
        "Starting a tree just is a matter of time.",
        "Opposite every temple is a pool for the visitors.",
        "Nancy was afraid to do this because Bill watched her.",
    ],
)
def test_a_result_is_no_definition(sentence: str) -> None:
    assert asked(document_from_text(f"{sentence} {FILLER}")) == []


@pytest.mark.parametrize(
    ("title", "unit", "columns", "row", "question"),
    [
        ("Table 2. Loans by kind of item", "", ("", "2024", "2025"), ("Audiobooks", "10", "12"),
         "How many loans of audiobooks were there in 2025?"),
        ("Income and expenses", "in euros", ("", "2024", "2025"), ("Grant of the town", "10", "12"),
         "How much was the grant of the town in 2025?"),
        ("Income and expenses", "in euros", ("", "2024", "2025"), ("Membership fees", "10", "12"),
         "How much were the membership fees in 2025?"),
        ("Income", "USD", ("", "2023"), ("Income before income taxes", "10"),
         "How much was the income before income taxes in 2023?"),
        ("Results", "", ("", "2023 / Net sales"), ("North America", "10"),
         "What were the net sales of North America in 2023?"),
        ("Results", "USD", ("", "Quarter Ended December 28, 2024"), ("Net income", "2.6"),
         "How much was the net income in the quarter ended December 28, 2024?"),
        ("FUNCTION_USAGE view", "", ("Column", "Data type"), ("USER_NAME", "VARCHAR(10)"),
         "What is the data type of USER_NAME?"),
    ],
)  # fmt: skip
def test_table_values_are_asked_for(
    title: str, unit: str, columns: tuple[str, ...], row: tuple[str, ...], question: str
) -> None:
    assert asked(tabled(title, columns, row, unit=unit)) == [question]


@pytest.mark.parametrize("row", [("Total", "10", "12"), ("Net income", "10", "n/a"), ("1.2", "10", "12")])
def test_rows_that_say_little_are_passed_over(row: tuple[str, ...]) -> None:
    assert asked(tabled("Income", ("", "2024", "2025"), row, unit="in euros")) == []


@pytest.mark.parametrize(
    ("language", "page", "questions"),
    [
        ("de", "# Rückgabe der Bücher\n\nEine Ausleihe ist ein Vertrag auf Zeit. ",
         ["Was ist eine Ausleihe?", "Was steht in dem Dokument zu „Rückgabe der Bücher“?"]),
        ("fr", "# Retour des livres\n\nUn prêt est un contrat à durée limitée. ",
         ["Qu’est-ce qu’un prêt ?", "Que dit le document sur « Retour des livres » ?"]),
        ("es", "# Devolución de libros\n\nUn préstamo es un contrato por tiempo limitado. ",
         ["¿Qué es un préstamo?", "¿Qué dice el documento sobre «Devolución de libros»?"]),
        ("it", "# Restituzione dei libri\n\nUn prestito è un contratto a tempo. ",
         ["Che cos’è un prestito?", "Che cosa dice il documento su «Restituzione dei libri»?"]),
        ("pt", "# Devolução dos livros\n\nUm empréstimo é um contrato por tempo limitado. ",
         ["O que é um empréstimo?", "O que diz o documento sobre “Devolução dos livros”?"]),
        ("nl", "# Boeken terugbrengen\n\nEen lening is een overeenkomst voor korte tijd. ",
         ["Wat is een lening?", "Wat staat er in het document over ‘Boeken terugbrengen’?"]),
        ("ar", "# إعادة الكتب\n\n" + "الإعارة عقد مؤقت. " * 9, []),
        ("cs", "# Vracení knih\n\n" + "Výpůjčka je smlouva na dobu určitou. " * 5, []),
    ],
)  # fmt: skip
def test_each_language_is_asked_in_its_own_words(language: str, page: str, questions: list[str]) -> None:
    assert asked(spoken(language, page + FILLER)) == questions
