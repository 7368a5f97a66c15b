"""What the viewer in the browser is told: each picture once, each request done once, none lost."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from src.holding import Holding
from src.settings import read_settings
from src.ui.desk import Desk
from src.ui.tab import Tab
from src.ui.viewing import open_document, take_requests, viewer_message
from tests.loader.pdfs import written

LEASE = written(["The monthly rent is 840 euros."], ["The notice period is six weeks."], ["Keys."])


@pytest.fixture
def desk() -> Iterator[Desk]:
    chosen = read_settings({}, env_file=None).model_copy(update={"model_backend": "off", "ocr": "off"})
    own = Desk(chosen)
    yield own
    own.library.close()


@pytest.fixture
def tab(desk: Desk) -> Tab:
    return Tab(desk.visitors.new())


@pytest.fixture
def holding(desk: Desk, tab: Tab) -> Holding:
    holding = desk.library.add(LEASE, "lease.pdf", owner=tab.visitor.id)
    end = time.monotonic() + 60
    while not holding.complete:
        assert time.monotonic() < end
        time.sleep(0.02)
    return holding


def told(desk: Desk, tab: Tab, holding: Holding | None) -> dict[str, Any]:
    message = viewer_message(desk, tab, holding)
    header: dict[str, Any] = json.loads(message[4 : 4 + int.from_bytes(message[:4], "big")])
    return header


def request(nonce: int, name: str, **value: Any) -> dict[str, Any]:
    return {"nonce": nonce, "name": name, "value": value}


def test_an_image_is_given_once_and_again_when_it_is_asked_for(
    desk: Desk, tab: Tab, holding: Holding
) -> None:
    open_document(tab, holding.key)
    assert list(told(desk, tab, holding)["images"]) == ["1"]
    assert told(desk, tab, holding)["images"] == {}
    take_requests(desk, tab, [request(1, "want", pages=[1, 2], thumbs=[3], texts=[2])])
    asked = told(desk, tab, holding)
    assert list(asked["images"]) == ["1", "2"]
    assert list(asked["thumbs"]) == ["3"]
    assert asked["texts"] == {"2": "The notice period is six weeks."}
    assert told(desk, tab, holding)["texts"] == {}


def test_requests_are_done_in_order_and_once(desk: Desk, tab: Tab, holding: Holding) -> None:
    open_document(tab, holding.key)
    told(desk, tab, holding)
    both = [request(12, "want", pages=[3]), request(11, "search", query="notice")]
    take_requests(desk, tab, both)
    answer = told(desk, tab, holding)
    assert answer["handled"] == 12
    assert answer["search"]["query"] == "notice"
    assert [hit[0][0] for hit in answer["search"]["hits"]] == [2]
    assert list(answer["images"]) == ["3"]
    # The browser sends them along once more with the next, before it has heard that they are done.
    take_requests(desk, tab, [*both, request(13, "search", query="")])
    answer = told(desk, tab, holding)
    assert (answer["handled"], answer["search"], answer["images"]) == (13, None, {})


def test_a_document_that_is_being_read_is_named(desk: Desk, tab: Tab) -> None:
    assert told(desk, tab, None)["empty"].startswith("The pages of your document are shown here")
    waiting = Holding("k" * 64, tab.visitor.id, LEASE, "lease.pdf", None)
    assert told(desk, tab, waiting)["empty"] == "lease.pdf is shown here as soon as its text is read."
