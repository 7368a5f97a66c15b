"""How numbers are written: the words, the digits of other scripts, the separators, and what they are worth."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from src.answerer.wordlists import word_list

ONES = word_list(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen"""
)
TENS = dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        range(20, 100, 10),
        strict=True,
    )
)
WORDS = {word: value for value, word in enumerate(ONES)} | TENS
MULTIPLES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
ORDINALS = {
    word: value
    for value, word in enumerate(
        word_list(
            """zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"""
        )
    )
}
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# Months as German, French, Spanish and Italian write them, for dates with a day or a year: alone, "Mars" is a planet.
FOREIGN_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "januar jänner janvier enero gennaio",
            "februar février febrero febbraio",
            "märz mars marzo",
            "avril abril aprile",
            "mai mayo maggio",
            "juni juin junio giugno",
            "juli juillet julio luglio",
            "août agosto",
            "septembre septiembre settembre",
            "oktober octobre octubre ottobre",
            "novembre noviembre",
            "dezember décembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
ANY_MONTH = rf"(?:{MONTH}|(?:{'|'.join(FOREIGN_MONTHS)})\b\.?)"
# Digits of other scripts (Arabic-Indic, Devanagari, full width ...), one character for one.
DIGITS = {
    code: str(value)
    for start in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, 0xFF10)
    for value, code in enumerate(range(start, start + 10))
}

GAP = "[ \u00a0\u2009\u202f]"
NUMERAL = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])"  # 1,284.5
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?!\d)"  # 12,34,567
    rf"|\d{{1,3}}(?:{GAP}\d{{3}})+(?:[.,]\d+)?(?!\d|-\d)"  # 12 480
    r"|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?(?!\d)"  # 1'284
    r"|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?!\d)"  # 1.284.000,5
    r"|\d+(?:[.,]\d+)?"
)


def parse_numeral(surface: str) -> Decimal:
    """The value of a numeral as printed, thousands separators read as such.

    Raises ValueError when it is none.
    """
    digits = re.sub(rf"{GAP}|['’]", "", surface.translate(DIGITS))
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    elif re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?", digits):
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", ".")
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError(f"not a numeral: {surface!r}") from None


def word_value(words: list[str]) -> int | None:
    """The value of a number in words ("two hundred and six"), None when a word is none of a number's."""
    total = current = 0
    for word in words:
        if word in WORDS:
            current += WORDS[word]
        elif word == "hundred":
            current = max(1, current) * 100
        elif word == "dozen":
            current = max(1, current) * 12
        elif word in MULTIPLES:
            total += max(1, current) * MULTIPLES[word]
            current = 0
        elif word not in ("and", "a"):
            return None
    return total + current
