"""Years and quarters in questions: found, replaced, and counted on from ("the year before", "im Vorjahr")."""

from __future__ import annotations

import re

YEAR = re.compile(r"(?<![\d.,])(?:fy\s?)?(?:19|20)\d\d(?!\d|[.,]\d)", re.IGNORECASE)
QUARTER = re.compile(r"\b(?:q[1-4]|(?:first|second|third|fourth|last) (?:quarter|half))\b", re.IGNORECASE)
_ORDINALS = ("first", "second", "third", "fourth")
_COUNTS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_UNIT = r"(?:(?:fiscal|financial|reporting)\s+)?(?P<unit{0}>year|quarter)"
# what counts back (-1) and on (+1) from the period that was asked about; "last year" is left out: it may mean today's
_ENGLISH = (
    (-1, r"(?P<count>\d|one|two|three|four|five)\s+years\s+(?:before|earlier|prior|previously)(?:\s+that)?"),
    (-1, rf"the\s+{_UNIT.format(0)}\s+(?:before|earlier|prior)(?:\s+that)?|a\s+year\s+(?:earlier|before)"),
    (-1, rf"the\s+(?:previous|prior|preceding)\s+{_UNIT.format(1)}"),
    (1, rf"the\s+(?:next|following|subsequent)\s+{_UNIT.format(2)}"),
    (1, rf"the\s+{_UNIT.format(3)}\s+(?:after|afterwards|later)(?:\s+that)?|a\s+year\s+later"),
)
_FOREIGN = (
    (-1, r"(?:im\s+)?(?:jahr\s+(?:davor|zuvor)|vorjahr|vorigen\s+jahr)"),
    (1, r"(?:im\s+)?(?:jahr\s+(?:danach|darauf)|folgejahr|folgenden\s+jahr|nächsten\s+jahr)"),
    (-1, r"l['’](?:année|exercice)\s+(?:précédente?|d['’]avant)"),
    (1, r"l['’](?:année|exercice)\s+(?:suivante?|d['’]après)"),
    (-1, r"(?:en\s+)?el\s+(?:año|ejercicio)\s+(?:anterior|previo)"),
    (1, r"(?:en\s+)?el\s+(?:año|ejercicio)\s+siguiente"),
    (-1, r"(?:nel)?l['’](?:anno|esercizio)\s+(?:precedente|prima)"),
    (1, r"(?:nel)?l['’](?:anno|esercizio)\s+(?:successivo|seguente|dopo)"),
    (-1, r"n?o\s+(?:ano|exercício)\s+anterior"),
    (1, r"n?o\s+(?:ano|exercício)\s+seguinte"),
    (-1, r"(?:in\s+)?het\s+(?:jaar\s+(?:ervoor|daarvoor)|(?:voorgaande|vorige)\s+jaar)"),
    (1, r"(?:in\s+)?het\s+(?:jaar\s+(?:erna|daarna)|volgende\s+jaar)"),
    (-1, r"前年|前一年|上一年|전년도?|그\s?전\s?해"),
    (1, r"翌年|第二年|次の年|이듬해|다음\s?해"),
)
_RELATIVE = tuple(
    (step, re.compile(rf"(?<!\w)(?:(?:in|for)\s+)?(?:{pattern})(?!\w)", re.IGNORECASE))
    for step, pattern in _ENGLISH
) + tuple((step, re.compile(pattern, re.IGNORECASE)) for step, pattern in _FOREIGN)


def relative(text: str) -> tuple[re.Match[str], int, str] | None:
    """Where ``text`` counts from a period asked about before: the match, how far, and "year" or "quarter"."""
    for step, pattern in _RELATIVE:
        if match := pattern.search(text):
            groups = match.groupdict()
            unit = next(
                (value for name, value in groups.items() if name.startswith("unit") and value), "year"
            )
            count = (groups.get("count") or "one").lower()
            return match, step * (_COUNTS.get(count) or int(count)), unit.lower()
    return None


def counted_on(before: str, steps: int, unit: str) -> str | None:
    """``before`` with its period moved by ``steps``; None when it names none, or more than one year."""
    years = list(YEAR.finditer(before))
    quarter = QUARTER.search(before)
    if len({year.group()[-4:] for year in years}) != 1 or (unit == "quarter" and quarter is None):
        return None
    year = int(years[0].group()[-4:])
    if unit == "quarter":
        assert quarter is not None
        number = _quarter_number(quarter.group())
        if number is None:
            return None
        carry, place = divmod(number - 1 + steps, 4)
        written = _quarter_like(quarter.group(), place)
        before = before[: quarter.start()] + written + before[quarter.end() :]
        steps = carry
    return YEAR.sub(lambda found: found.group()[:-4] + str(year + steps), before)


def _quarter_number(text: str) -> int | None:
    if text[:1].lower() == "q":
        return int(text[1])
    ordinal, _, unit = text.lower().partition(" ")
    return _ORDINALS.index(ordinal) + 1 if unit == "quarter" and ordinal in _ORDINALS else None


def _quarter_like(text: str, place: int) -> str:
    return f"{text[0]}{place + 1}" if text[:1].lower() == "q" else f"{_ORDINALS[place]} quarter"
