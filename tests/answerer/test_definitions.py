"""What says what a thing is, and what only mentions it."""

from __future__ import annotations

import pytest

from src.answerer.definitions import DOES, IS_A, PLAIN, SAID, defining_chunks, definition, variants
from src.answerer.terms import stems
from src.chunker import chunk_document
from src.settings import Settings
from tests.factories import document_from_text

TRACE = (("trace",),)


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("A trace is a program path.", IS_A),
        ("Traces are fast.", PLAIN),
        ("A trace records what the interpreter does.", DOES),
        ("“Trace” means a path through the program.", SAID),
        ("Such a path is called a trace.", SAID),
        ("The trace (TR) between two loops of a program is defined as the path.", SAID),
        ("We recorded a trace in the morning.", 0.0),
        ("It stores the trace and leaves.", 0.0),
    ],
)
def test_how_plainly_a_sentence_defines(text: str, strength: float) -> None:
    assert definition(text, TRACE, "en") == strength


@pytest.mark.parametrize(
    ("text", "word", "language"),
    [
        ("Eine geschlossene Kurve heißt Knoten.", "Knoten", "de"),
        ("Ein Knoten ist eine Kurve.", "Knoten", "de"),
        ("Une courbe désigne un chemin.", "courbe", "fr"),
    ],
)
def test_definitions_in_other_languages(text: str, word: str, language: str) -> None:
    assert definition(text, (stems(word, language),), language) == IS_A


def test_the_whole_phrase_must_stand_there() -> None:
    assert definition("A column is a field.", (("column", "mask"),), "en") == 0.0
    assert definition("A column mask is a rule.", (("column", "mask"),), "en") == IS_A


def test_a_short_form_is_defined_by_its_long_form_and_the_other_way_round() -> None:
    known = {"emd": "earth mover's distance"}
    long = ("earth", "mover", "distanc")

    assert variants(long, known, "en") == (long, ("emd",))
    assert variants(("emd",), known, "en") == (("emd",), long)
    assert definition("The EMD is the least work.", variants(long, known, "en"), "en") == IS_A


def test_definitions_of_words_with_accents_are_found() -> None:
    document = document_from_text("Vorwort und Dank.", "Eine Fläche ist ein Gebilde. Flächen sind schön.")
    chunks = chunk_document(document, Settings())

    assert defining_chunks(chunks, (stems("Fläche", "de"),), "de") == list(chunks)
    assert defining_chunks(chunks, (stems("Dank", "de"),), "de") == []
