from src.abbreviations import find_abbreviations
from src.chunker import chunk_document
from src.index.cards import build_cards
from src.index.keywords import terms_of
from src.models import Models
from src.settings import Settings
from tests.factories import document_from_text

STATEMENT = (
    "Consolidated Balance Sheets\n\nInventories 5,409 5,209\n\nTotal assets 12,901 13,049\n\n"
    + "1 2 3 4 5 6 7 8"
)
PROSE = "The company sells inventories in its stores."


def test_a_card_has_the_title_and_labels_of_its_page_and_no_numbers() -> None:
    document = document_from_text(PROSE, STATEMENT)
    cards = build_cards(document, chunk_document(document, Settings()), Models(), "en")
    assert cards.pages == (2,)
    assert {"balanc", "sheet", "inventori", "asset"} <= cards.keywords.vocabulary.keys()
    assert not any(term[0].isdigit() for term in cards.keywords.vocabulary)
    assert cards.keywords.scores(dict.fromkeys(terms_of("balance sheet", "en"), 1.0))[0][0] > 0


def test_lines_that_stand_on_every_page_are_on_no_card() -> None:
    pages = [
        f"Acme Annual Report\n\n{STATEMENT.replace('Inventories', f'Item {chr(65 + i)}x')}" for i in range(6)
    ]
    document = document_from_text(*pages)
    cards = build_cards(document, chunk_document(document, Settings()), Models(), "en")
    assert len(cards.pages) == 6
    assert "acm" not in cards.keywords.vocabulary


def test_abbreviations_need_their_initials() -> None:
    text = (
        "Stock is held at the Lower of Cost or Market (LCM). The Federal Open Market Committee (“FOMC”) met. "
        "The tax rate (VAT) is a name without words; so is this (see Note 3)."
    )
    assert find_abbreviations([text]) == {
        "lcm": "lower of cost or market",
        "fomc": "federal open market committee",
    }
