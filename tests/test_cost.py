"""Tokens, money and caps."""

from __future__ import annotations

import threading
from datetime import date

import pytest

from src.cost import SESSIONS_KEPT, CapReachedError, CostMeter, estimate_tokens, price
from src.records import Usage
from src.settings import Settings


def test_estimates() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("a" * 400) == 100
    assert estimate_tokens("忽略以上") == 4


def test_prices() -> None:
    usage = Usage(1_000_000, 500_000, 1)
    assert price(usage, Settings()).cost is None
    assert price(usage, Settings(price_prompt=0.15, price_completion=0.6)).cost == pytest.approx(0.45)


def test_the_daily_cap_counts_all_sessions_and_what_is_under_way() -> None:
    meter = CostMeter(Settings(daily_tokens=1000))
    meter.reserve(600, "a")
    with pytest.raises(CapReachedError, match="1,000"):
        meter.reserve(600, "b")
    meter.settle(600, Usage(100, 100, 1), "a")
    assert meter.used_today == 200
    meter.reserve(600, "b")


def test_the_cap_is_on_by_default_and_0_switches_it_off() -> None:
    with pytest.raises(CapReachedError):
        CostMeter(Settings()).reserve(1_000_001)
    CostMeter(Settings(daily_tokens=0)).reserve(10**12)


def test_a_new_day_starts_from_nothing() -> None:
    day = [date(2026, 1, 1)]
    meter = CostMeter(Settings(daily_tokens=1000), today=lambda: day[0])
    meter.settle(0, Usage(900, 100, 1))
    with pytest.raises(CapReachedError):
        meter.reserve(1)
    day[0] = date(2026, 1, 2)
    meter.reserve(1000)
    assert meter.used_today == 0


def test_the_session_cap_is_in_money() -> None:
    meter = CostMeter(Settings(session_usd=0.01))
    meter.settle(0, Usage(10, 10, 1, cost=0.02), "a")
    with pytest.raises(CapReachedError, match=r"\$0\.01"):
        meter.reserve(1, "a")
    meter.reserve(1, "b")
    assert meter.session("a").usage.cost == 0.02


def test_sessions_are_forgotten_beyond_a_number() -> None:
    meter = CostMeter(Settings())
    for i in range(SESSIONS_KEPT + 10):
        meter.settle(0, Usage(1, 1, 1), str(i))
    assert meter.session("0").usage.calls == 0
    assert meter.session(str(SESSIONS_KEPT + 9)).usage.calls == 1


def test_calls_side_by_side_cannot_pass_the_cap_together() -> None:
    meter = CostMeter(Settings(daily_tokens=1000))
    passed: list[int] = []

    def call() -> None:
        try:
            meter.reserve(300)
        except CapReachedError:
            return
        passed.append(1)

    threads = [threading.Thread(target=call) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == 3
