"""Pictures of pages go along for models that take images: few, only where they help, and text alone where refused."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from src.agent import Engine, Request, answer
from src.index import DocumentIndex
from src.records import NOT_FOUND
from tests.loader.pdfs import written
from tests.openai_server import Mode, openai_server

EngineFor = Callable[..., Engine]
ASKED = "What does mooring at berth 2 cost?"
PDF = written(*[[f"Page {n}"] for n in range(1, 5)])


def pictures(body: object) -> int:
    return json.dumps(body).count('"image_url": {')


@pytest.mark.parametrize(("images", "sent"), [("on", 2), ("auto", 0), ("off", 0)])
def test_how_many_go_along(harbour: DocumentIndex, engine_for: EngineFor, images: str, sent: int) -> None:
    with openai_server(NOT_FOUND) as server:
        engine = engine_for(server.url, images=images, agent="direct", model_seconds=20)
        answer(Request(ASKED, (harbour,), source=lambda _: (PDF, None)), engine)
        assert pictures(server.requests[0]) == sent


def test_none_without_the_file(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(NOT_FOUND) as server:
        answer(Request(ASKED, (harbour,)), engine_for(server.url, images="on", agent="direct"))
        assert pictures(server.requests[0]) == 0


def test_a_model_that_refuses_images_gets_text(harbour: DocumentIndex, engine_for: EngineFor) -> None:
    with openai_server(Mode(NOT_FOUND, refuses=("image",), usage=False)) as server:
        engine = engine_for(server.url, images="on", agent="direct", model_seconds=20)
        found = answer(Request(ASKED, (harbour,), source=lambda _: (PDF, None)), engine)
        assert [pictures(body) for body in server.requests] == [2, 0]
        assert found.tier == "direct"
        answer(Request(ASKED, (harbour,), source=lambda _: (PDF, None), fresh=True), engine)
        assert pictures(server.requests[-1]) == 0
