"""Amounts that have no figure: "several years", "tens of millions", "twice"."""

from __future__ import annotations

import re

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
_COUNTS = {"once": 1, "twice": 2, "thrice": 3} | {
    word: value
    for value, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=2
    )
}
_ONE_TIME = re.compile(
    r"\b(?:once (?:an?|the|it|he|she|they|we|you|every|\w+ed)\b|at once|once more|once again)", re.IGNORECASE
)


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
    return None


def _units(text: str) -> set[str]:
    units = {canonical_unit(m["unit"]) or m["unit"].lower() for m in _VAGUE.finditer(text)}
    return {unit for unit in units if DIMENSIONS.get(unit) in ("time", "month") or unit == "centuries"}


def _scales(text: str) -> set[str]:
    return {m["scale"].lower() for m in _SCALE.finditer(text)}


def _times(text: str) -> set[str]:
    masked = _ONE_TIME.sub(lambda m: " " * len(m.group()), text)
    found = (m["word"] or m["count"] for m in _TIMES.finditer(masked))
    return {f"{_COUNTS.get(word.lower()) or word} times" for word in found}
