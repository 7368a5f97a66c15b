import numpy as np
import pytest

from src.chunker import chunk_document
from src.index import build_index
from src.index.keywords import terms_of
from src.models import Models
from src.records import Chunk
from src.retriever import retrieve
from src.retriever.closeness import Closeness, add_closeness, closeness
from src.retriever.query import read_query
from src.retriever.signals import read_signals
from src.settings import Settings
from tests.factories import document_from_text

RARITIES = {"harbour": 2.0, "due": 1.0, "rise": 1.0}


def chunk(text: str, *starts: int, context: str = "") -> Chunk:
    return Chunk(0, text, (), (0, *starts), context=context, language="en")


def close(text: str, *starts: int) -> Closeness:
    return closeness(["harbour", "due", "rise"], RARITIES, chunk(text, *starts), "en")


def test_terms_count_by_their_rarity_wherever_they_stand() -> None:
    found = close("The harbour is old. Nothing rises.", 20)
    assert found.covered == pytest.approx(0.75)
    assert found.together == pytest.approx(0.75)


def test_terms_far_apart_are_not_together() -> None:
    text = "The harbour is old. It lies in the north. Its walls are thick. Nothing rises."
    found = close(text, 20, 42, 63)
    assert found.covered == pytest.approx(0.75)
    assert found.together == pytest.approx(0.5)


def test_neighbours_in_the_question_that_stand_near_each_other() -> None:
    assert close("The harbour dues of the town rise.").pairs == pytest.approx(1.0)
    assert close("Due is what a harbour has.").pairs == pytest.approx(0.5)
    assert close("The harbour is old and long and quiet, and so are the dues.").pairs == 0.0
    assert closeness(["harbour"], {"harbour": 1.0}, chunk("A harbour."), "en").pairs == 0.0


def test_numbers_are_thin_and_sentences_are_not() -> None:
    assert close("1.5 15 3 12 1.0 10 2 8").thin == 1.0
    assert (
        close("The dues of the harbour were raised twice in that year, as the town needed new walls.").thin
        < 0.3
    )


def test_only_the_pool_is_looked_at() -> None:
    document = document_from_text("# One\n\nThe harbour is old.", "# Two\n\nThe dues are high.")
    index = build_index(document, chunk_document(document, Settings()), Models(), Settings())
    query = read_query("How high are the dues?", ("en",))
    signals = add_closeness(read_signals(query, [index], Models()), [1], query, [index])
    assert np.isnan(signals.covered).tolist() == [True, False]
    assert signals.covered[1] == pytest.approx(1.0)
    assert terms_of(query.core, "en") == ["high", "due"]


def test_the_axes_of_a_chart_do_not_answer_for_their_heading() -> None:
    pages = [f"# Rope {i}\n\nThe crew mends the ropes on day {i} and rests." for i in range(12)]
    pages[3] = "# Harbour dues explained\n\n1.5 15 3 12 1.0 10 2 8 0.5 5 1 4"
    pages[8] = "# Money\n\nHarbour dues are what a ship pays for its berth, and they are set every spring."
    document = document_from_text(*pages)
    index = build_index(document, chunk_document(document, Settings()), Models(), Settings())
    found = retrieve("What are harbour dues?", [index], Models(), Settings()).passages
    assert "what a ship pays" in found[0].text
