"""Quotes are found through every difference that printing makes, and through no difference of content."""

from __future__ import annotations

import pytest

from src.citations.lookup import find_quote, find_spans, fold, mark_boxes, page_label
from src.records import Span
from tests.answerer.made import document_of, passage_of, passages_of, table_page
from tests.factories import document_from_text, page_from_text


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("every 45 days", "inspected every 45 days, and", "every 45 days"),
        ("EVERY 45\nDAYS", "inspected every 45 days, and", "every 45 days"),
        ("“every 45 days.”", "inspected every 45 days, and", "every 45 days"),
        ("two-stage gearbox", "a two\u2010stage gear\u00adbox", "two\u2010stage gear\u00adbox"),
        ("efficient", "an e\ufb03cient pump", "e\ufb03cient"),
        ("don't", "we don\u2019t know", "don\u2019t"),
        ("cafe\u0301 au lait", "a caf\u00e9 au lait", "caf\u00e9 au lait"),
        ("temperature", "the temper- ature of", "temper- ature"),
        ("floor area", "FLOOR  AREA 8450", "FLOOR  AREA"),
        ("收入增长", "公司收入增长了", "收入增长"),
    ],
)
def test_a_quote_is_found_through_printing(quote: str, text: str, found: str) -> None:
    places = find_quote(quote, text)

    assert [text[a:b] for a, b in places] == [found]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("every 54 days", "every 45 days"),
        ("5 days", "every 45 days"),
        ("12", "the time was 12.5 minutes"),
        ("12 480", "1 2480"),
        ("port", "transport is free"),
        ("lifted. The", ""),
        ("...", "anything at all"),
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) == ()


def test_an_ellipsis_joins_parts_in_their_order() -> None:
    text = "The gate is opened by hand, as a rule at noon, when the water rises."

    assert [text[a:b] for a, b in find_quote("The gate is opened ... when the water rises", text)] == [
        "The gate is opened",
        "when the water rises",
    ]
    assert find_quote("when the water rises ... The gate is opened", text) == ()


def test_of_several_places_the_one_in_the_ranked_part_is_taken() -> None:
    text = "See note. Later on: see note."

    assert find_quote("see note", text, prefer=(10, 29)) == ((20, 28),)


def test_folding_leads_back_to_every_source_character() -> None:
    text = "A\u00a0 \ufb01ne\u00ad\u2014e\u0301nd"
    folded = fold(text)

    assert folded.text == "a fine-\u00e9nd"
    assert all(a < b for a, b in zip(folded.starts, folded.ends, strict=True))
    assert folded.ends[-1] == len(text)


def test_a_quote_over_a_page_break_is_marked_on_both_pages() -> None:
    document = document_from_text(
        "The gate is opened when the water rises above", "83 centimetres over the sill."
    )
    passage = passage_of(document, (1, 0, -1), (2, 0, -1))

    spans = find_spans("rises above 83 centimetres", passage, document.pages)

    assert spans == (Span(1, 34, 45), Span(2, 0, 14))
    assert {box.page for box in mark_boxes(spans, document.pages)} == {1, 2}


def test_words_beside_the_passage_are_found_on_its_page() -> None:
    document = document_from_text("# Fender chains\n\nThey are inspected every 45 days.")
    passage = passages_of(document)[0]

    assert find_spans("Fender chains", passage, document.pages) == (Span(1, 0, 13),)
    assert find_spans("Lamp glasses", passage, document.pages) == ()


def test_cells_of_a_row_are_marked_as_a_row_and_one_cell_as_a_cell() -> None:
    page = table_page(1, ["", "2023", "2024"], [["Dredging", "2,480", "2,655"], ["Lighting", "298", "305"]])
    document = document_of(page)
    passage = passages_of(document)[0]

    row = mark_boxes(find_spans("Lighting 298 305", passage, document.pages), document.pages)
    cell = mark_boxes(find_spans("2,655", passage, document.pages), document.pages)

    assert len(row) == 1
    assert row[0].x0 == pytest.approx(50)
    assert row[0].y0 == pytest.approx(62)
    assert row[0].x1 > cell[0].x0
    assert len(cell) == 1
    assert cell[0].x1 - cell[0].x0 == pytest.approx(30)


def test_labels_name_the_printed_page_where_it_differs() -> None:
    pages = [page_from_text(1, "a", "1"), page_from_text(2, "b", "iv"), page_from_text(3, "c", "v")]

    assert page_label((1,), pages) == "p. 1"
    assert page_label((2,), pages) == "p. 2 (printed iv)"
    assert page_label((2, 3), pages) == "pp. 2-3 (printed iv-v)"
