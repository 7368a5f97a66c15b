"""Amounts that have no figure: "several years", "tens of millions", "twice"."""

from __future__ import annotations

import re

from src.answerer.numerals import WORDS
from src.answerer.terms import fold_word, stem
from src.answerer.units import DIMENSIONS, canonical_unit
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

_VAGUE = re.compile(
    r"\b(?:several|a few|many|some|a couple of|a number of|a matter of|within|for|in)\s+(?:\w+\s)?"
    r"(?P<unit>seconds|minutes|hours|days|weeks|months|years|decades|centuries)\b",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"\b(?:(?:tens|hundreds|several|many|a few|some) (?:of )?)?(?P<scale>hundreds|thousands|millions|billions|trillions)(?= of\b)",
    re.IGNORECASE,
)
_TIMES = re.compile(
    r"\b(?:(?P<word>once|twice|thrice)|(?P<count>two|three|four|five|six|seven|eight|nine|ten|\d+) times)\b(?! (?:as|more|the|larger|higher)\b)",
    re.IGNORECASE,
)
_COUNTS = WORDS | {"once": 1, "twice": 2, "thrice": 3}
_ONE_TIME = re.compile(
    r"\b(?:once (?:an?|the|it|he|she|they|we|you|every|\w+ed)\b|at once|once more|once again)", re.IGNORECASE
)


_PER = re.compile(r"\bper\s+(?P<what>[A-Za-z]{3,}(?:[ +-]+[A-Za-z]+){0,2})", re.IGNORECASE)
_EACH = re.compile(r"\b(?:each|every)\s+(?P<what>[A-Za-z]{3,}(?:[ +-]+[A-Za-z]+){0,2})", re.IGNORECASE)
_PERIODS = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "annually": "year",
    "annual": "year", "yearly": "year", "hourly": "hour", "annum": "year",
    "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year", "hour": "hour"}  # fmt: skip
_EACH_PERIOD = re.compile(
    r"\b(?:(?:every|each|per|an?) (?=(?:day|week|month|quarter|year|hour|annum)\b)"
    r"|(?=(?:daily|weekly|monthly|quarterly|annually|annual|yearly|hourly)\b))(?P<what>[A-Za-z]+)",
    re.IGNORECASE,
)
_NOT_COUNTED = frozenset({"cent", "centum", "capita", "share", "dilut"})


def check_vague(claim: str, grounds: Grounds) -> Verdict | None:
    """A unit of time, a scale or a number of times that the cited sentences have otherwise."""
    for told, found in (
        (_units(claim), _units(grounds.cited)),
        (_scales(claim), _scales(grounds.cited)),
        (_times(claim), _times(grounds.cited)),
    ):
        if told and found and not told & found:
            return Verdict(
                Support.PARTIAL, f"{min(told)!r} is {min(found)!r} in the words cited from {grounds.label}"
            )
    if other := _other_rate(claim, grounds):
        return Verdict(
            Support.PARTIAL, f"nothing is counted by {other!r} in the words cited from {grounds.label}"
        )
    return None


def _units(text: str) -> set[str]:
    units = {canonical_unit(m["unit"]) or m["unit"].lower() for m in _VAGUE.finditer(text)}
    return {unit for unit in units if DIMENSIONS.get(unit) in ("time", "month") or unit == "centuries"}


def _scales(text: str) -> set[str]:
    return {m["scale"].lower() for m in _SCALE.finditer(text)}


def _other_rate(claim: str, grounds: Grounds) -> str:
    """What the claim counts by ("per airplane", "every year") where the page counts by something else."""
    if grounds.cells:
        return ""
    text = f"{grounds.cited}\n{grounds.near}"
    for pattern in (_PER, _EACH_PERIOD):
        known = {word for found in (_PER, _EACH, _EACH_PERIOD) for word in _counted_by(found, text)}
        if not _counted_by(pattern, text):
            continue
        for match in pattern.finditer(claim):
            if not _words(match) & (known | _NOT_COUNTED):
                return match.group()
    return ""


def _counted_by(pattern: re.Pattern[str], text: str) -> set[str]:
    return {word for match in pattern.finditer(text) for word in _words(match)}


def _words(match: re.Match[str]) -> set[str]:
    """Stems of what a figure is counted by, with the words before it: "per lost sensitive record"."""
    words = [fold_word(word) for word in re.findall(r"[A-Za-z]{3,}", match["what"])]
    return {_PERIODS.get(word, stem(word)) for word in words}


def _times(text: str) -> set[str]:
    masked = _ONE_TIME.sub(lambda m: " " * len(m.group()), text)
    found = (m["word"] or m["count"] for m in _TIMES.finditer(masked))
    return {f"{_COUNTS.get(word.lower()) or word} times" for word in found}
