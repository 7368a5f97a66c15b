"""Tokens and money of model calls: prices, the process's daily token cap and the cap of a session."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from src.records import Usage
from src.settings import Settings

SESSIONS_KEPT = 10_000  # the oldest session's sum is forgotten beyond this; ids come from visitors
CHARS_PER_TOKEN = 4.0
DENSE_CHARS = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7af"))  # about one token each


class CapReachedError(Exception):
    """A spending cap that forbids a model call; the message is one sentence for the reader."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What a session has used so far."""

    usage: Usage
    limit_usd: float


def estimate_tokens(text: str) -> int:
    """Tokens of ``text`` by its length: four characters each, one each for Chinese, Japanese and Korean."""
    dense = sum(any(low <= char <= high for low, high in DENSE_CHARS) for char in text)
    return dense + round((len(text) - dense) / CHARS_PER_TOKEN)


def price(usage: Usage, settings: Settings) -> Usage:
    """``usage`` with its cost in US dollars, None where the settings name no price."""
    if settings.price_prompt is None or settings.price_completion is None:
        return usage
    cost = (
        usage.prompt_tokens * settings.price_prompt + usage.completion_tokens * settings.price_completion
    ) / 1_000_000
    return replace(usage, cost=cost)


class CostMeter:
    """Counts the usage of all model calls of the process; safe for use from several threads.

    A call first reserves what it may use at most, so that calls running side by side cannot pass the cap
    together, and settles with what it did use.
    """

    def __init__(self, settings: Settings, today: Callable[[], date] | None = None) -> None:
        self._settings = settings
        self._today = today or (lambda: datetime.now(UTC).date())
        self._lock = threading.Lock()
        self._day = self._today()
        self._used = 0
        self._reserved = 0
        self._sessions: OrderedDict[str, Usage] = OrderedDict()

    def reserve(self, tokens: int, session: str = "") -> None:
        """Set ``tokens`` aside for a call of ``session``; raises CapReachedError when a cap forbids it."""
        with self._lock:
            self._turn_day()
            cap = self._settings.daily_tokens
            if cap and self._used + self._reserved + tokens > cap:
                raise CapReachedError(
                    f"Today's limit of {cap:,} model tokens is reached (DOCENGINE_DAILY_TOKENS);"
                    " it starts again at midnight UTC."
                )
            limit = self._settings.session_usd
            spent = self._sessions.get(session, Usage()).cost or 0.0
            if limit and spent >= limit:
                raise CapReachedError(
                    f"This session has used its ${limit:.2f} for model answers (DOCENGINE_SESSION_USD)."
                )
            self._reserved += tokens

    def settle(self, reserved: int, usage: Usage, session: str = "") -> None:
        """Give back ``reserved`` tokens and count ``usage`` in their place."""
        with self._lock:
            self._turn_day()
            self._reserved = max(0, self._reserved - reserved)
            self._used += usage.prompt_tokens + usage.completion_tokens
            self._sessions[session] = self._sessions.get(session, Usage()) + usage
            self._sessions.move_to_end(session)
            while len(self._sessions) > SESSIONS_KEPT:
                self._sessions.popitem(last=False)

    def session(self, session: str = "") -> Spending:
        """What ``session`` has used since the process began."""
        with self._lock:
            return Spending(self._sessions.get(session, Usage()), self._settings.session_usd)

    @property
    def used_today(self) -> int:
        """Tokens of all sessions since midnight UTC."""
        with self._lock:
            self._turn_day()
            return self._used

    def _turn_day(self) -> None:
        if (day := self._today()) != self._day:
            self._day, self._used = day, 0
