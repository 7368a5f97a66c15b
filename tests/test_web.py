"""Web search: Tavily's protocol against a real server, DuckDuckGo's package where it is missing or fails."""

from __future__ import annotations

import json
import sys
import threading
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from src.settings import Settings
from src.web import ENGINE, LONGEST, RESULTS, WebError, search_web

FOUND = [
    {
        "title": "Harbour fees",
        "url": "https://www.harbour.example/fees",
        "content": "Mooring costs 130 euros a day.",
    },
    {"title": "Elsewhere", "url": "http://other.example/", "content": "Another harbour."},
]


@contextmanager
def tavily(status: int = 200, body: object = None, pause: float = 0.0) -> Iterator[tuple[str, list[Any]]]:
    """A search service on 127.0.0.1: its address, and the requests it got."""
    requests: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            requests.append((asked, self.headers["authorization"]))
            time.sleep(pause)
            text = body if isinstance(body, str) else json.dumps({"results": FOUND} if body is None else body)
            self.send_response(status)
            self.end_headers()
            with suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(text.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/search", requests
    finally:
        server.shutdown()
        server.server_close()


def keyed(url: str) -> Settings:
    return Settings(tavily_api_key="tvly-secret", tavily_url=url)  # type: ignore[arg-type]


def test_tavily_is_asked_with_the_key() -> None:
    with tavily() as (url, requests):
        results = search_web("What does mooring cost?", keyed(url))
    assert [r.url for r in results] == ["https://www.harbour.example/fees", "http://other.example/"]
    assert results[0].site == "harbour.example"
    assert requests == [({"query": "What does mooring cost?", "max_results": RESULTS}, "Bearer tvly-secret")]


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (401, {}, "TAVILY_API_KEY"),
        (403, {}, "TAVILY_API_KEY"),
        (429, {}, "no more searches"),
        (432, {}, "no more searches"),
        (500, {}, "500"),
        (200, "<html>", "no search results"),
        (200, [], "no search results"),
        (200, {"results": None}, "no search results"),
        (200, {"results": [{"title": "no address"}]}, "no search results"),
        (200, {"results": []}, "found nothing"),
    ],
)
def test_failures_are_one_sentence(status: int, body: object, says: str) -> None:
    with tavily(status, body) as (url, _), pytest.raises(WebError) as caught:
        search_web("x", keyed(url))
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")
    assert "tvly" not in str(caught.value)


def test_silence_and_no_network() -> None:
    with tavily(pause=1.0) as (url, _), pytest.raises(WebError, match="did not answer within"):
        search_web("x", keyed(url), seconds=0.2)
    with pytest.raises(WebError, match="cannot be reached"):
        search_web("x", keyed("http://127.0.0.1:9/search"))


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://x/y",
        "https://x/a)b",
        'https://x/"y',
        "https://x/a b",
        "",
    ],
)
def test_addresses_that_must_not_become_links_are_dropped(url: str) -> None:
    body = {"results": [{"title": "t", "url": url, "content": "Text."}, FOUND[0]]}
    with tavily(body=body) as (address, _):
        assert [r.title for r in search_web("x", keyed(address))] == ["Harbour fees"]


def test_long_excerpts_are_cut_and_few_are_kept() -> None:
    body = {
        "results": [
            {"title": "t", "url": f"https://x.example/{i}", "content": "word " * 5000} for i in range(30)
        ]
    }
    with tavily(body=body) as (address, _):
        results = search_web("x", keyed(address))
    assert len(results) == RESULTS
    assert all(len(r.text) <= LONGEST for r in results)


def test_without_a_key_the_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(WebError, match="requirements-extras"):
        search_web("x", Settings())


def test_duckduckgo_results_and_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's interface as of ddgs 9: DDGS(timeout=...).text(query, max_results=...)."""

    class DDGSException(Exception):  # noqa: N818 - the package's own name
        pass

    class DDGS:
        def __init__(self, timeout: int) -> None:
            assert timeout > 0

        def text(self, query: str, max_results: int, backend: str) -> list[dict[str, str]]:
            if query == "fail":
                raise DDGSException("202 Ratelimit")
            return [{"title": "Fees", "href": "https://harbour.example/", "body": "Mooring costs 130 euros."}]

    package = types.ModuleType("ddgs")
    package.DDGS = DDGS  # type: ignore[attr-defined]
    errors = types.ModuleType("ddgs.exceptions")
    errors.DDGSException = DDGSException  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ddgs", package)
    monkeypatch.setitem(sys.modules, "ddgs.exceptions", errors)
    assert search_web("x", Settings())[0].text == "Mooring costs 130 euros."
    with pytest.raises(WebError, match="DuckDuckGo"):
        search_web("fail", Settings())


def test_the_real_package_is_asked_for_one_service_only() -> None:
    """An unknown name makes the package ask all services it knows, with a warning in its log and nothing else."""
    package = pytest.importorskip("ddgs.ddgs")
    (engine,) = package.DDGS()._get_engines("text", ENGINE)
    assert engine.search_url.startswith("https://html.duckduckgo.com/")


def test_the_real_package_without_a_network_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ddgs")
    for name in (
        "DDGS_PROXY",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    # Every search leaves through a proxy on a closed port, so that the test asks nobody even where there is a network.
    monkeypatch.setenv("DDGS_PROXY", "http://127.0.0.1:9")
    with pytest.raises(WebError, match="DuckDuckGo"):
        search_web("x", Settings(), seconds=5)
