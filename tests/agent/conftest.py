"""A harbour's documents, indexed without weights, and an engine for a model server or for none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from src.agent import Engine, make_engine
from src.chunker import chunk_document
from src.index import DocumentIndex, build_index
from src.models import Models
from src.records import Document
from src.settings import Settings
from tests.factories import document_from_text

PAGES = (
    "# Harbour handbook\n\nThis handbook describes the rules of Brackley harbour for vessels and visitors. It applies to"
    " all berths from January 2023.",
    "# Cranes\n\nThe crane at berth 2 lifts up to 40 tonnes. It may not be used above wind force 7. The crane is"
    " inspected every 45 days by the harbour master.",
    "# Fees\n\nMooring at berth 2 costs 120 euros a day. Mooring at berth 3 costs 95 euros a day. Vessels under 10 metres"
    " pay half the fee. The deposit for kayaks is 50 euros.",
    "# Staff\n\nThe harbour master is Ines Okoro. She has led the harbour office since 2019. The office opens at 7:30"
    " and closes at 18:00.",
)


def index_of(document: Document, settings: Settings | None = None) -> DocumentIndex:
    settings = settings or Settings()
    return build_index(document, chunk_document(document, settings), Models(), settings)


@pytest.fixture(scope="session")
def harbour() -> DocumentIndex:
    return index_of(document_from_text(*PAGES, name="harbour.pdf", title="Harbour handbook"))


@pytest.fixture(scope="session")
def marina() -> DocumentIndex:
    page = (
        "# Fees\n\nMooring at the marina costs 80 euros a day. Visitors pay 15 euros for the slipway. The crane of the"
        " marina lifts 12 tonnes."
    )
    return index_of(document_from_text(page, name="marina.pdf"))


@pytest.fixture
def engine_for(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Engine]]:
    """Makes engines; with ``url`` the model behind it writes the answers."""
    monkeypatch.setattr("src.answerer.client.BACKOFF_SECONDS", 0.02)
    made: list[Engine] = []

    def make(url: str = "", **options: Any) -> Engine:
        settings = Settings(openai_base_url=url, model="made-1", **{"model_seconds": 5.0, **options})
        made.append(make_engine(settings, Models()))
        return made[-1]

    yield make
    for engine in made:
        engine.close()
