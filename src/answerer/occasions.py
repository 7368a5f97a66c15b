"""When something happens, where no date says it: "from Monday to Friday", "half an hour before meals", "at noon"."""

from __future__ import annotations

import re

from src.answerer.numerals import MONTH

_WEEKDAY = {
    "en": r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?",
    "de": r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)s?",
    "fr": r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?",
    "es": r"(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)",
}
_TO = r"(?:\s*(?:[-–]|to|until|till|through|and|,|bis|und|à|au|et|a|y)\s*)"
_DAY = "|".join(_WEEKDAY.values())
_WEEK = rf"(?:{_DAY}|weekdays?|weekends?|werktags|wochenende)"
_PERIOD = r"(?:day|week|month|quarter|year|term|semester|season|shift|session|monats|monat|jahres|jahr|mois|année|mes|año)"
_NUMBER = r"(?:\d+|a|an|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|half an?|eine?r?|zwei|drei|une?|deux|trois)"
_LONG = rf"{_NUMBER}\s+(?:minutes?|hours?|(?:working |business |calendar )?days?|weeks?|months?|years?|minuten?|stunden?|tage?n?|wochen?|heures?|jours?)"
_EVENT = r"(?:the |each |every |a |an |your |going to |(?:[a-z]+ing) )?[a-z][\w-]+(?: (?:of|to|the|a|an|your|with|each|every|or|and|in) [\w-]+| [a-z][\w-]+){0,3}"
_SAID = re.compile(
    r"\b(?:"
    rf"(?:(?:from|on|every|each|am|vom|jeden?|le|du|los|el)\s+)?(?:(?:first|second|third|fourth|last|other|ersten?|letzten?)\s+)?{_WEEK}\b"
    rf"(?:{_TO}{_WEEK}\b)*(?:\s+(?:of|in) (?:the|each|every) {_PERIOD})?(?:,?\s+(?:at\s+)?(?:noon|midnight)\b)?"
    rf"|(?:(?:on|by|at|until|till|from)\s+)?(?:the\s+)?(?:first|last|second|third|\d{{1,2}}(?:st|nd|rd|th)|ersten|letzten|\d{{1,2}}\.)\s+(?:working |business |calendar )?"
    rf"(?:day|tag|werktag|jour)(?:\s+(?:of|in)\s+(?:the|each|every|a)(?: following| next)? {_PERIOD}| (?:des|eines|du|de chaque) {_PERIOD})?"
    rf"|(?:(?:at|by|until|till|from|towards)\s+)?(?:the\s+)?(?:end|beginning|start|middle|close|ende|anfang|fin|début)\s+(?:of\s+)?(?:the\s+|each\s+|every\s+|des\s+|de\s+)?(?:{_PERIOD}|{MONTH})"
    rf"|(?:mid|early|late)[- ]{MONTH}|(?:in|during|until|by|this|next|last)\s+(?:the\s+)?(?:early |late )?(?:spring|summer|autumn|fall|winter)\b(?:\s+term|\s+semester)?"
    r"|(?:in|during|every|each)\s+(?:the\s+)?(?:early |late )?(?:mornings?|afternoons?|evenings?|night)\b|(?:at|by|before|after|until|till)\s+(?:noon|midnight|bedtime|night|dawn|dusk|sunset|sunrise)\b"
    r"|(?:noon|midnight|morgens|mittags|abends|nachts|le matin|le soir|à midi|por la (?:mañana|noche|tarde))\b"
    rf"|(?:{_LONG}\s+)?(?:before|after|prior to|during|while|vor|nach|während|avant|après|pendant|antes de|después de)\s+{_EVENT}"
    rf"|(?:within|in|after|innerhalb von|binnen|nach|sous|dans)\s+{_NUMBER}(?:\s*(?:to|or|-|–|bis|à)\s*{_NUMBER})?\s+(?:working |business |calendar )?(?:minutes?|hours?|days?|weeks?|months?|years?|minuten|stunden|tagen|werktagen|wochen|heures?|jours?(?: ouvrables)?)"
    r"|(?:immediately|at any time|straight away|at once|daily|every day|every night|with (?:meals|food|breakfast|dinner))\b"
    r")",
    re.IGNORECASE,
)  # fmt: skip
_ABBREVIATED = re.compile(r"^(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun)$", re.IGNORECASE)


def occasions(text: str) -> list[tuple[int, int]]:
    """The stretches [start, end) of ``text`` that say when, in order; "sat" and "sun" alone are no days."""
    return [
        match.span()
        for match in _SAID.finditer(text)
        if not (_ABBREVIATED.match(match.group()) and not match.group()[0].isupper())
    ]
