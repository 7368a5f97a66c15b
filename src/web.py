"""Web search, for questions whose reader allowed it: Tavily by key, else DuckDuckGo through the package ``ddgs``.

Only the search service's own excerpts are used: no page it names is opened, so that no address from the web is ever
called by this process.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from src.settings import Settings

TAVILY_URL = "https://api.tavily.com/search"
ENGINE = "duckduckgo"
RESULTS = 6
SECONDS = 15.0
MOST_BYTES = 2_000_000
LONGEST = 1500  # characters of one excerpt


class WebError(Exception):
    """A search that brought nothing; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class WebResult:
    """An excerpt of a page on the web, as the search service gave it. ``url`` is http or https."""

    title: str
    url: str
    text: str

    @property
    def site(self) -> str:
        """The page's host, as the reader sees it."""
        return urlsplit(self.url).netloc.removeprefix("www.")


def search_web(query: str, settings: Settings, *, seconds: float = SECONDS) -> tuple[WebResult, ...]:
    """At most RESULTS excerpts for ``query``, best first. Raises WebError."""
    if settings.tavily_api_key is not None:
        key = settings.tavily_api_key.get_secret_value()
        found = _kept(_tavily(query, key, settings.tavily_url or TAVILY_URL, seconds))
    else:
        found = _kept(_duckduckgo(query, seconds))
    if not found:
        raise WebError("The web search found nothing.")
    return found


def _tavily(query: str, key: str, url: str, seconds: float) -> Iterable[tuple[str, str, str]]:
    request = urllib.request.Request(
        url,
        data=json.dumps({"query": query, "max_results": RESULTS}).encode(),
        headers={"content-type": "application/json", "authorization": f"Bearer {key}"},
    )
    host = urlsplit(url).netloc
    try:
        with urllib.request.urlopen(request, timeout=seconds) as response:
            body: Any = json.loads(response.read(MOST_BYTES))
        return [
            (str(r.get("title") or ""), str(r["url"]), str(r.get("content") or "")) for r in body["results"]
        ]
    except urllib.error.HTTPError as error:
        if error.code in (401, 403):
            raise WebError(f"{host} refused the key (TAVILY_API_KEY).") from None
        if error.code in (429, 432, 433):
            raise WebError(f"{host} allows no more searches at the moment.") from None
        raise WebError(f"{host} answered with error {error.code}.") from None
    except TimeoutError:
        raise WebError(f"{host} did not answer within {seconds:.0f} seconds.") from None
    except urllib.error.URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise WebError(f"{host} did not answer within {seconds:.0f} seconds.") from None
        raise WebError(f"{host} cannot be reached: no network.") from None
    except (ValueError, LookupError, TypeError, AttributeError, OSError):
        raise WebError(f"{host} gave no search results.") from None


def _duckduckgo(query: str, seconds: float) -> Iterable[tuple[str, str, str]]:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError:
        raise WebError(
            "The web search needs the package ddgs: pip install -r requirements-extras.txt."
        ) from None
    try:
        # left to itself the package asks half a dozen other services too, and readers were told of one
        found = DDGS(timeout=round(seconds)).text(query, max_results=RESULTS, backend=ENGINE)
    except DDGSException:
        raise WebError("DuckDuckGo cannot be reached, or allows no more searches at the moment.") from None
    return [(str(r.get("title") or ""), str(r.get("href") or ""), str(r.get("body") or "")) for r in found]


def _kept(found: Iterable[tuple[str, str, str]]) -> tuple[WebResult, ...]:
    results = []
    for title, url, text in found:
        text = " ".join(text.split())[:LONGEST]
        # An address becomes a link on the page: nothing but a plain web address may.
        if (
            text
            and url.startswith(("https://", "http://"))
            and not any(c in url for c in "\"'<>()[]\\ \n\t`")
        ):
            results.append(WebResult(" ".join(title.split())[:200], url, text))
    return tuple(results[:RESULTS])
