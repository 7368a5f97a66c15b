"""Quantities in running text and table cells: value, scale, unit, kind, and where they stand.

One reading of numbers serves both the answerer (which value answers the question) and the claim check (does the
number in the answer agree with the page).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from src.answerer.numerals import (
    ANY_MONTH,
    DIGITS,
    FOREIGN_MONTHS,
    GAP,
    MONTH,
    MONTHS,
    MULTIPLES,
    NUMERAL,
    ORDINALS,
    WORDS,
    parse_numeral,
    word_value,
)
from src.answerer.units import CURRENCY_SIGNS, MONEY, SCALES, UNITS, canonical_unit

HEDGES = re.compile(
    r"\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|ca\.|some|over|under|more than|less than"
    r"|just over|just under|close to|or so|estimated)\s*(?:[$€£¥]|US\$)?\s*$",
    re.IGNORECASE,
)

_VULGAR = {
    sign: Decimal(above) / below
    for sign, above, below in (
        ("¼", 1, 4), ("½", 1, 2), ("¾", 3, 4), ("⅓", 1, 3), ("⅔", 2, 3), ("⅕", 1, 5), ("⅖", 2, 5), ("⅗", 3, 5), ("⅘", 4, 5),
        ("⅙", 1, 6), ("⅛", 1, 8), ("⅜", 3, 8), ("⅝", 5, 8), ("⅞", 7, 8),
    )
}  # fmt: skip
# "½ teaspoon", "1 1/2 cups": a numeral with the sign behind it is read as a numeral
FRACTION = re.compile(
    rf"(?<![\w$€£.,/])(?:(?P<whole>\d{{1,3}})\s)?(?:(?P<sign>[{''.join(_VULGAR)}])|(?P<above>\d{{1,2}})\s?[/⁄]\s?(?P<below>[2-9]|1[026]))(?![\d/])"
)
DATE = re.compile(
    rf"(?<![\w/])(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th|er)?\.?(?:\s+(?:of|de))?\s+(?P<m1>{ANY_MONTH}),?(?:\s+(?:del?\s+)?(?P<y1>\d{{4}}))?"
    rf"|(?P<m2>{MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|(?P<m3>{ANY_MONTH}),?\s+(?:del?\s+)?(?P<y3>\d{{4}})"
    r"|(?P<y4>\d{4})-(?P<m4>\d{2})-(?P<d4>\d{2})"
    r"|(?P<a5>\d{1,2})[./](?P<b5>\d{1,2})[./](?P<y5>\d{4}|\d{2}))(?![\w/])",
    re.IGNORECASE,
)
# "mid-2023" and "the 1990s": no codes, and no seconds
HEDGED_YEAR = re.compile(
    r"\b(?:early|mid|late|pre|post)-((?:1[89]|20)\d\d)\b(?!-\d)|(?<![\w$€£.,-])((?:1[89]|20)\d0)['’]?s\b",
    re.IGNORECASE,
)
CODE = re.compile(r"(?<![\w-])(?=[\w/.-]*\d)(?=[\w/.-]*[A-Za-z])\w+(?:[-/.]\w+)*(?![\w])")
TIME = re.compile(
    r"(?<![\d:.])(?P<h>[01]?\d|2[0-4])[:.](?P<m>[0-5]\d)(?:[:.]\d{2})?\s*(?P<half>[ap]\.?m\.?)?(?![\d:])"
)
NUMBER = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−–])?{GAP}?(?P<cur>US\$|[$€£¥₹])?{GAP}?(?P<sign2>[-−])?(?<![\d.,])(?P<num>{NUMERAL})"
    r"(?P<close>\s?%?\))?",
)
WORD_NUMBER = re.compile(
    rf"\b(?:(?:{'|'.join([*WORDS, *MULTIPLES, 'a dozen', 'dozen', 'half'])})(?:[\s-]+(?:and\s+)?|\b))+",
    re.IGNORECASE,
)
ONE_IN = re.compile(
    rf"\bone (?:in|out of)(?: every)? (?P<n>{'|'.join(w for w in WORDS if WORDS[w] > 1)}|(?:a|one) (?:hundred|thousand)|\d{{1,4}})\b"
    r"(?!\s*(?:million|thousand|hundred|months?|years?|days?)\b)",
    re.IGNORECASE,
)
ORDINAL = re.compile(rf"\b(?:(\d+)(?:st|nd|rd|th)|({'|'.join(ORDINALS)}))\b", re.IGNORECASE)
SUFFIXED = re.compile(
    r"(?P<num>\d+(?:[.,]\d+)*)(?P<suffix>[a-zµ°]{1,4}\d?|[kKMB]|bn|mn|GHz|MHz|kHz|Hz|MB|GB|TB|KB|kW|kWh|MW|V|W|A|C|F)$"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity at [start, end) of its text; ``whole_end`` takes in the unit.

    ``kind`` is "number", "year", "date", "time", "ordinal" or "code". ``value`` has the sign but not ``scale``;
    ``unit`` is canonical ("day", "%", "usd", ...) or empty. ``date`` is (year, month, day), 0 for what is not
    given.
    """

    start: int
    end: int
    whole_end: int
    surface: str
    kind: str
    value: Decimal = Decimal(0)
    scale: Decimal = Decimal(1)
    unit: str = ""
    hedged: bool = False
    date: tuple[int, int, int] = (0, 0, 0)
    in_words: bool = False
    parenthesised: bool = False

    @property
    def amount(self) -> Decimal:
        """The value times its scale ("4.3 million" is 4300000)."""
        return self.value * self.scale

    @property
    def places(self) -> int:
        """Digits after the decimal point."""
        exponent = self.value.as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0


@lru_cache(maxsize=2048)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of ``text`` in order; none overlaps another."""
    plain = text.translate(DIGITS)
    taken: list[Quantity] = []
    for find in (_shares, _dates, _fractions, _codes, _times, _ordinals, _numerals, _word_numbers):
        for found in find(plain):
            if not any(found.start < q.end and q.start < found.end for q in taken):
                taken.append(found)
    ordered = sorted(taken, key=lambda q: q.start)
    return tuple(replace(q, surface=text[q.start : q.end]) for q in ordered)


def has_money(text: str) -> bool:
    """Whether ``text`` holds a sum of money."""
    return any(q.unit in MONEY for q in quantities(text))


def _shares(text: str) -> list[Quantity]:
    """ "One in twenty": 5 percent."""
    found = []
    for match in ONE_IN.finditer(text):
        word = match["n"].lower().split()[-1]
        whole = int(word) if word.isdigit() else WORDS.get(word, MULTIPLES.get(word, 0))
        if whole > 1 and not 1800 <= whole <= 2100:
            share = Decimal(100) / whole
            if share == share.quantize(Decimal("0.01")):
                found.append(_plain(match, "number", value=share.normalize(), unit="%"))
    return found


def _dates(text: str) -> list[Quantity]:
    found = []
    for match in DATE.finditer(text):
        group = {k: v for k, v in match.groupdict().items() if v}
        month_name = next((group[k] for k in ("m1", "m2", "m3") if k in group), "")
        if month_name:
            name = month_name.lower().rstrip(".")
            month = MONTHS.get(name) or FOREIGN_MONTHS[name]
            day = int(group.get("d1") or group.get("d2") or 0)
            year = int(group.get("y1") or group.get("y2") or group.get("y3") or 0)
        elif "y4" in group:
            year, month, day = int(group["y4"]), int(group["m4"]), int(group["d4"])
        else:
            first, second, year = int(group["a5"]), int(group["b5"]), int(group["y5"])
            day, month = (first, second) if second <= 12 else (second, first)
            year += 2000 if year < 100 else 0
        if day > 31 or month > 12:
            continue
        found.append(_plain(match, "date", date=(year, month, day)))
    found.extend(
        _plain(match, "year", value=Decimal(match[1] or match[2])) for match in HEDGED_YEAR.finditer(text)
    )
    found.extend(_bare_months(text, [(q.start, q.end) for q in found]))
    return found


def _bare_months(text: str, taken: list[tuple[int, int]]) -> list[Quantity]:
    """Months without day or year; "may" and "march" only with a capital, "May" not where it opens a question."""
    found = []
    for match in re.finditer(rf"(?<![\w/-])({MONTH})", text, re.IGNORECASE):
        name = match[1].rstrip(".")
        if not name[0].isupper() or any(a <= match.start() < b for a, b in taken):
            continue
        opens = not text[: match.start()].strip()
        if (
            name in ("May", "March")
            and opens
            and not re.match(r"\s*(?:to|and|until|-|–|/|$)", text[match.end() :])
        ):
            continue
        found.append(_plain(match, "date", end=match.start() + len(name), date=(0, MONTHS[name.lower()], 0)))
    return found


def _codes(text: str) -> list[Quantity]:
    found = []
    for match in CODE.finditer(text):
        token = match.group()
        if SUFFIXED.fullmatch(token) or re.fullmatch(r"\d+(?:st|nd|rd|th)", token, re.IGNORECASE):
            continue
        if re.fullmatch(
            rf"[\d.,]+-(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})", token, re.IGNORECASE
        ):
            continue
        if re.match(r"[\d.,]+-[a-z]{3,}", token):  # "24-month", "2-stage": a number and a word
            continue
        found.append(_plain(match, "code"))
    for match in re.finditer(r"(?<![\w.,–-])(\d{2,4})[-–](\d{1,4})(?![\w–-]|[.,]\d)", text):
        # "737-10" is a name; what rises is a range ("5-7"), and "2022-23" a year.
        if int(match[1]) > int(match[2]) and not 1800 <= int(match[1]) <= 2100:
            found.append(_plain(match, "code"))
    return found


def _times(text: str) -> list[Quantity]:
    found = []
    for match in TIME.finditer(text):
        if (
            match["half"]
            or ":" in match.group()
            or re.match(r"\s*(?:hours|h\b|o'clock|hrs)", text[match.end() :])
        ):
            hour = (
                int(match["h"]) % 12 + 12 * match["half"].lower().startswith("p")
                if match["half"]
                else int(match["h"])
            )
            found.append(_plain(match, "time", value=Decimal(hour * 60 + int(match["m"])), unit="clock"))
    return found


def _fractions(text: str) -> list[Quantity]:
    """Fractions alone or behind a whole number; of those with a stroke only what measures something: "3/4 cup"."""
    found = []
    for match in FRACTION.finditer(text):
        scale, unit, whole = _scale_and_unit(text, match.end())
        if match["sign"]:
            part = _VULGAR[match["sign"]]
        elif unit and int(match["above"]) < int(match["below"]):
            part = Decimal(match["above"]) / Decimal(match["below"])
        else:
            continue
        value = part + Decimal(match["whole"] or 0)
        start, end = match.span()
        found.append(Quantity(start, end, max(end, whole), text[start:end], "number", value, scale, unit))
    return found


def _ordinals(text: str) -> list[Quantity]:
    found = []
    for match in ORDINAL.finditer(text):
        if (
            match[2]
            and match[2].lower() == "second"
            and text[match.start() - 2 : match.start()].lower() in ("a ", "r ")
        ):
            continue  # "a second", "per second": the unit
        value = int(match[1]) if match[1] else ORDINALS[match[2].lower()]
        found.append(_plain(match, "ordinal", value=Decimal(value), in_words=bool(match[2])))
    return found


def _numerals(text: str) -> list[Quantity]:
    found = []
    for match in NUMBER.finditer(text):
        start, end = match.start("num"), match.end("num")
        if start and (text[start - 1].isalpha() or (text[start - 1] == "_")):
            continue
        value = parse_numeral(match["num"]) + _VULGAR.get(text[end : end + 1], Decimal(0))
        end += text[end : end + 1] in _VULGAR
        parenthesised = bool(match["open"] and match["close"])
        signed = match["sign2"] or (match["sign"] if _is_sign(text, match.start("sign")) else None)
        if parenthesised or (signed and signed in "-−–"):
            value = -value
            start = match.start() if parenthesised else match.start("sign2" if match["sign2"] else "sign")
        elif match["cur"]:
            start = match.start("cur")
        end = match.end() if parenthesised else end
        scale, unit, whole = _scale_and_unit(
            text, match.end("num") + (text[match.end("num") : match.end("num") + 1] in _VULGAR)
        )
        if match["cur"]:
            unit = CURRENCY_SIGNS[match["cur"]]
        is_year = not (match["cur"] or parenthesised or unit or scale != 1) and re.fullmatch(
            r"1[5-9]\d\d|20\d\d|21\d\d", match["num"]
        )
        found.append(
            Quantity(
                start,
                end,
                max(end, whole),
                text[start:end],
                "year" if is_year else "number",
                value,
                scale,
                unit,
                bool(HEDGES.search(text[:start])),
                parenthesised=parenthesised,
            )
        )
    return found


def _is_sign(text: str, position: int) -> bool:
    """Whether the dash at ``position`` is a minus and not a hyphen or the dash of a range."""
    return position >= 0 and (position == 0 or text[position - 1] in " \t\n(|:=")


def _word_numbers(text: str) -> list[Quantity]:
    found = []
    for match in WORD_NUMBER.finditer(text):
        surface = match.group().rstrip(" -\n")
        surface = re.sub(r"\s+and$", "", surface)
        words = re.findall(r"[a-z]+", surface.lower())
        end = match.start() + len(surface)
        if words == ["one"] or words[0] in MULTIPLES or (words == ["half"]):
            if words == ["half"] and re.match(r"\s+(?:of|a|an|the)\b", text[end:]):
                found.append(
                    _plain(match, "number", end=end, value=Decimal("0.5"), unit="share", in_words=True)
                )
            if words != ["one"]:
                continue
        value = word_value(words)
        if value is None:
            continue
        scale, unit, whole = _scale_and_unit(text, end)
        found.append(
            replace(
                _plain(match, "number", end=end, value=Decimal(value), unit=unit, in_words=True),
                scale=scale,
                whole_end=max(end, whole),
                hedged=bool(HEDGES.search(text[: match.start()])),
            )
        )
    return found


def _scale_and_unit(text: str, position: int) -> tuple[Decimal, str, int]:
    """Scale, canonical unit, and end of both, of what follows the numeral that ends at ``position``."""
    scale, unit, end = Decimal(1), "", position
    if match := re.compile(rf"[ \u00a0-]?({'|'.join(SCALES)})\b\.?", re.IGNORECASE).match(text, position):
        name = match[1]
        # "5 m" is five metres and "5m" may be; only "$5m" and "5M" are millions.
        if len(name) > 1 or match.group().rstrip(".") == name:  # "$5m." ends a sentence
            money = re.search(r"(?:US\$|[$€£¥₹])\s?[\d.,]+$", text[:position])
            if len(name) > 2 or money or name in ("M", "K"):
                scale, end = Decimal(SCALES[name.lower()]), match.end()
    if match := re.compile(
        r"\s?\)?\s?(degrees?\s(?:Celsius|Fahrenheit|[CF]\b)|%|per\s?cent\b|percent\b|(?:percentage|basis) points?\b|pct\b\.?|°\s?[CF]\b|°|‰)"
    ).match(text, end):
        return scale, canonical_unit(match[1]), match.end()
    if match := re.compile(
        r"[ \u00a0-]?([A-Za-zÀ-ÿµ²³/]+(?:\s(?:years?|months?|days?|hours?|metres?|meters?|feet|miles?|m)\b)?)"
    ).match(text, end):
        for name in (match[1], match[1].split()[0]):
            if unit := canonical_unit(name):
                return scale, unit, match.start(1) + len(name)
    return scale, unit, end


def _plain(
    match: re.Match[str],
    kind: str,
    *,
    end: int | None = None,
    value: Decimal = Decimal(0),
    unit: str = "",
    date: tuple[int, int, int] = (0, 0, 0),
    in_words: bool = False,
) -> Quantity:
    stop = match.end() if end is None else end
    return Quantity(
        match.start(),
        stop,
        stop,
        match.string[match.start() : stop],
        kind,
        value,
        unit=unit,
        date=date,
        in_words=in_words,
    )
