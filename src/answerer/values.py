"""The one value that answers a question, taken from the evidence as it stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from src.answerer.candidates import Candidate
from src.answerer.numbers import Quantity, quantities
from src.answerer.occasions import occasions
from src.answerer.opposites import opposites_of
from src.answerer.questions import Kind, Question
from src.answerer.tables import Reading
from src.answerer.terms import Term, all_terms, fold_word, is_function_word
from src.answerer.units import DIMENSIONS, MONEY, canonical_unit
from src.answerer.worded import worded

_FIELD = re.compile(r"[^:.!?]{2,60}:\s+(\S[^:]{0,60}?)\.?")
_RANGE = re.compile(r"\s?(?:[–-]|to\b)\s?(?=[$€£]?\d)")
_NUMBERED_PART = re.compile(
    r"\b(?:fig(?:ure|s)?|tables?|sections?|chapters?|pages?|pp?|equations?|eqs?|appendix|notes?|steps?"
    r"|articles?|clauses?|paragraphs?|exits?|platforms?|rooms?|gates?|lots?|artikel|kapitel|absatz|ziffer|zimmer|gleis|chapitre|artículo|cláusula)\b\.?\s*\(?$",
    re.IGNORECASE,
)
# "4.2 The contractor attends", "3) Payment": what numbers a clause is no value
_NUMBERING = re.compile(r"^\W*(\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}[.)])\s+(?=[A-ZÀ-Þ\"“(])")
ASIDE = 0.25  # of the pull of a value in brackets: "190 °C (fan 170 °C)"
_TIME_WORD = re.compile(
    r"(?<![^\W_])(?:years?|months?|weeks?|days?|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|ms|yrs?|times?|durations?|periods?|terms?|ages?"
    r"|jahre?n?|monate?n?|wochen?|tage?n?|stunden?|minuten?|sekunden?|ans?|années?|mois|semaines?|jours?|heures?|años?|meses|días?|horas?)(?![^\W_])"
    r"|\d:\d\d",
    re.IGNORECASE,
)
_TIMES = frozenset({"time", "month", "workday", "clock"})
COUNTED = 1.5  # what speaks for the number that the counted thing follows
LABEL = 6  # words of the longer of a field's name and value
_FIGURES = frozenset(
    {Kind.DURATION, Kind.AMOUNT, Kind.MEASURE, Kind.SHARE, Kind.YEAR}
)  # no field gives them in words
NAMES = 1.5  # what speaks for the value behind "Due:"
PHRASE = 3  # words within which it does
REACH = 30  # characters over which a word's pull on a value falls to a third
_LASTS = re.compile(r"\bhow long\b|\bwie lange?\b|\bcombien de temps\b", re.IGNORECASE)  # and not how often
_AGE = re.compile(r"\bhow old\b|\bwie alt\b|\bquel âge\b", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:within|after|in|innerhalb von|binnen|nach|dans les|sous|après)\s+$", re.IGNORECASE
)
_ADDRESSES = (
    (re.compile(r"\be-?mails?\b", re.IGNORECASE), re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    (
        re.compile(r"\b(?:tele)?phone\b|\bcall\b|\bhotline\b|\btelefon", re.IGNORECASE),
        re.compile(r"(?<![\w.])\+?(?:\(\d+\)[ /-]?)?\d[\d/-]*(?: ?[\d/-]{2,}){1,6}(?!\w|\.\d)"),
    ),
)
CODE = re.compile(r"(?<![\w-])(?=[\w/.-]*\d)[A-Z0-9][\w]*(?:[-/.]\w+)*(?![\w])")
EVERY = re.compile(
    r"\b(?:every|each|per|once (?:a|every|per)|twice (?:a|every|per)|\w+ times (?:a|per))\s+$", re.IGNORECASE
)
ADVERBS = re.compile(
    r"\b(?:daily|weekly|monthly|quarterly|annually|yearly|hourly|(?:once|twice|\w+ times) (?:a|an|per|every) (?:hour|day"
    r"|week|month|quarter|year)|every (?:other )?(?:hour|day|week|month|quarter|year|shift)|semi-?annually|biannually)\b",
    re.IGNORECASE,
)
# Numbers in words of languages whose numerals ``quantities`` does not know.
_COUNTED = {
    "de": re.compile(
        r"\b(?:kein|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?:e[nmrs]?)?\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:aucune?|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze)\b", re.IGNORECASE
    ),
}
# Words of a question that say what is measured.
_MEASURED = {
    "mass": "weigh weighs weight heavy load lift lifts kilograms kilogram tonnes tons pounds",
    "length": "tall deep wide far height width depth distance length thickness diameter thick long range altitude",
    "celsius fahrenheit angle": "temperature hot cold warm",
    "pressure": "pressure",
    "volume": "volume litres liters gallons",
    "speed": "fast speed",
    "power": "power",
    "voltage": "voltage",
    "area": "area",
    "share": "percent percentage share proportion",
    "time month workday clock": "long duration period time age years months weeks days hours minutes seconds",
}
# What is never said in running text without its unit.
_WEIGHED = frozenset({"mass", "pressure", "voltage", "power", "celsius"})
DIMENSION_OF = {
    Kind.DURATION: {"time", "month", "workday", "clock"},
    Kind.FREQUENCY: {"time", "month", "workday"},
    Kind.SHARE: {"share", "points"},
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its unit as it stands in the evidence at [start, end) of the candidate's text."""

    text: str
    start: int
    end: int


def find_value(question: Question, candidate: Candidate, reading: Reading | None) -> Value | None:
    """The value of the kind asked for that stands nearest to the question's words, None when there is none."""
    if reading is not None:
        if not reading.cells:
            return None
        return (
            Value(reading.value, 0, 0) if not question.kind.wants_value or _holds(question, reading) else None
        )
    return value_in(question, candidate.text)


def value_in(question: Question, text: str) -> Value | None:
    """As ``find_value`` in any words."""
    if question.kind is Kind.FREQUENCY and (match := ADVERBS.search(text)):
        return Value(match.group(), match.start(), match.end())
    if question.kind is Kind.CODE:
        return _nearest(
            question, text, _addresses(question, text) if _wants_address(question) else _codes(text)
        )
    numbering = _NUMBERING.match(text)
    opening = numbering.start(1) if numbering else -1
    lasts = question.kind is Kind.DURATION and _LASTS.search(question.text)
    options = [
        q
        for q in _of_one_unit(text)
        if _fits(question, q, text)
        and not (lasts and EVERY.search(text[: q.start]))
        and not _asked(question, q)
        and (q.unit or not _hyphened(q, text))
        and q.start != opening
    ]
    measured = _measured(question)
    if question.kind is Kind.DURATION and not measured & _TIMES:
        measured = set()  # "how fast must they come" asks for a time
    if measured and question.kind in (Kind.MEASURE, Kind.AMOUNT, Kind.DURATION):
        bare = not measured & _WEIGHED
        options = [q for q in options if (bare and not q.unit) or DIMENSIONS.get(q.unit, "") in measured]
    elif question.money:
        options = [q for q in options if q.unit in MONEY or not (q.unit or q.in_words or _counts(q, text))]
    elif question.kind is Kind.AMOUNT:
        options = [q for q in options if DIMENSIONS.get(q.unit, "") not in _TIMES]
    field = None if options or question.kind in _FIGURES else field_value(text)
    if field and (question.kind is not Kind.COUNT or quantities(field.text)):
        return field
    if question.kind is Kind.MEASURE:
        # "the four genres" counts something; a distance or a rate is not written so
        options = [q for q in options if q.unit or not q.in_words]
    exact = [q for q in options if _unit_fits(question, q)]
    if not exact and question.kind is Kind.COUNT and (counted := _COUNTED.get(question.language)):
        spans = [m.span() for m in counted.finditer(text)]
        return _nearest(question, text, spans)
    said = worded(question.kind, text)
    if question.kind is Kind.COUNT:  # "no steps" counts no seats
        terms = all_terms(text, question.language)
        said = [span for span in said if _heads(text, span, terms, question.focus)]
    if question.kind is Kind.DATE:
        dates = [_joined(_widened(q, text, question.kind), said, text) for q in options]
        return _nearest(question, text, dates or said)
    if not exact and (said or question.kind in DIMENSION_OF or question.kind is Kind.COUNT):
        return _nearest(question, text, said) if said else None
    return _nearest(question, text, [_widened(q, text, question.kind) for q in exact or options])


def _counts(quantity: Quantity, text: str) -> bool:
    """Whether a number counts the thing named behind it: "10 million users" is no sum of money."""
    follows = re.match(r"\s+([^\W\d_]{3,})", text[quantity.whole_end :])
    return follows is not None and follows[1].islower() and not is_function_word(fold_word(follows[1]))


def field_value(text: str) -> Value | None:
    """What stands behind the colon of a short line "Vehicle class: B", None for any other text."""
    match = _FIELD.fullmatch(text.strip())
    if match is None:
        return None
    label, value = text.strip()[: match.start(1)].split(), match[1].split()
    if len(label) > LABEL and len(value) > LABEL:
        return None  # "It may make you drowsy the next morning: do not drive until you know" is a sentence
    return Value(match[1].strip(), text.index(match[1]), text.index(match[1]) + len(match[1]))


def _hyphened(quantity: Quantity, text: str) -> bool:
    """Whether the number is a part of a name like "737-10" or "Figure 1", or the number of a source like "[7]"."""
    before, behind = text[: quantity.start], text[quantity.end :]
    return (
        bool(
            re.search(r"\w[-–/]$|\[[\d,\s]*$", before)
            or _NUMBERED_PART.search(before)
            or re.match(r"[-–/]\w", behind)
        )
        and quantity.kind == "number"
    )


def _measured(question: Question) -> set[str]:
    """The dimensions that the question's words allow; empty when they name none."""
    words = {term.word for term in all_terms(question.text, question.language)}
    return {
        d for dimensions, names in _MEASURED.items() if words & set(names.split()) for d in dimensions.split()
    }


def _holds(question: Question, reading: Reading) -> bool:
    kind = question.kind
    if kind is Kind.CODE and _wants_address(question):
        return any(_addresses(question, value) for _, value in reading.cells)
    if kind in (Kind.PERSON, Kind.PLACE, Kind.CODE):
        return True
    if kind is Kind.DATE:
        values = [value for _, value in reading.cells]
        return any(occasions(v) or any(_dates(q, v) for q in quantities(v)) for v in values)
    values = [value for _, value in reading.cells if any(c.isdigit() for c in value)]
    if kind in (Kind.DURATION, Kind.FREQUENCY):  # "$ 14" is no time, "14" under "Days" is one
        said = [f"{value} {header} {reading.label} {reading.unit}" for header, value in reading.cells]
        return bool(values) and any(_TIME_WORD.search(text) or worded(kind, text) for text in said)
    if question.money:  # "40 kN" is no price
        return any(q.unit in MONEY or not q.unit for value in values for q in quantities(value))
    return bool(values)


def _dates(quantity: Quantity, text: str) -> bool:
    """Whether a quantity of ``text`` tells when: a date, or "within 30 days"."""
    if quantity.kind in ("date", "year", "time"):
        return True
    return DIMENSIONS.get(quantity.unit, "") in _TIMES and bool(_WITHIN.search(text[: quantity.start]))


def _wants_address(question: Question) -> bool:
    """Whether an e-mail address or a telephone number is asked for."""
    return any(words.search(question.text) for words, _ in _ADDRESSES)


def _addresses(question: Question, text: str) -> list[tuple[int, int]]:
    """Where ``text`` has the e-mail address or the telephone number that is asked for."""
    asked = (rule for words, rule in _ADDRESSES if words.search(question.text))
    return [match.span() for rule in asked for match in rule.finditer(text)]


def _codes(text: str) -> list[tuple[int, int]]:
    return [m.span() for m in CODE.finditer(text)]


def _fits(question: Question, quantity: Quantity, text: str) -> bool:
    kind = question.kind
    if kind is Kind.DATE:
        return _dates(quantity, text)
    if kind is Kind.YEAR:
        return quantity.kind == "year" or (quantity.kind == "date" and quantity.date[0] > 0)
    if kind in (Kind.COUNT, Kind.AMOUNT, Kind.MEASURE):
        return quantity.kind == "number"
    if kind in DIMENSION_OF:
        if quantity.kind == "time":
            return kind is Kind.DURATION and not _AGE.search(question.text)
        return quantity.kind == "number"
    return False


def _unit_fits(question: Question, quantity: Quantity) -> bool:
    kind = question.kind
    dimension = DIMENSIONS.get(quantity.unit, "")
    if kind in DIMENSION_OF:
        if kind is Kind.DURATION and re.search(r"\bhow long\b", question.text, re.IGNORECASE):
            return dimension in DIMENSION_OF[kind] | {"length"}
        return dimension in DIMENSION_OF[kind]
    if kind is Kind.COUNT:
        measures = bool(dimension) or quantity.unit.startswith(("square ", "cubic "))
        return not measures or quantity.unit in _asked_units(question)
    if kind is Kind.AMOUNT:
        return bool(dimension) or quantity.unit in MONEY
    if kind is Kind.MEASURE:
        return bool(dimension) and dimension not in ("share",)
    return True


def _asked_units(question: Question) -> set[str]:
    return {canonical_unit(term.word) for term in all_terms(question.text)}


def _asked(question: Question, quantity: Quantity) -> bool:
    """Whether the quantity is one that the question itself names (the 3 of "berth 3")."""
    surface = quantity.surface.casefold().replace(",", "")
    return any(p.value == surface for p in question.pins if p.kind in ("number", "label", "year"))


def _widened(quantity: Quantity, text: str, kind: Kind) -> tuple[int, int]:
    """The stretch that reads well: with its unit, as a whole range, and with "every" for a frequency."""
    start, end = quantity.start, quantity.whole_end
    if kind is Kind.FREQUENCY and (match := EVERY.search(text[:start])):
        start = match.start()
    if upper := _upper(quantity, text):
        end = upper.whole_end
    return start, end


def _upper(quantity: Quantity, text: str) -> Quantity | None:
    """The number that ends the range which ``quantity`` begins: the 30 km/h of "50 to 30 km/h"."""
    match = _RANGE.match(text, quantity.whole_end)
    return next((q for q in quantities(text) if q.start == match.end()), None) if match else None


def _of_one_unit(text: str) -> list[Quantity]:
    """The quantities of ``text``, those that begin a range with the unit of its end."""
    return [
        replace(q, unit=upper.unit)
        if q.kind == "number" and not q.unit and (upper := _upper(q, text)) and upper.kind == "number"
        else q
        for q in quantities(text)
    ]


def _joined(span: tuple[int, int], said: Sequence[tuple[int, int]], text: str) -> tuple[int, int]:
    """A date with what is said around it: "by the end of March", "on Friday, 12 June"."""
    for start, end in said:
        if start <= span[0] < end or (end <= span[0] and not text[end : span[0]].strip(" ,")):
            return start, max(end, span[1])
    return span


def _nearest(question: Question, text: str, spans: list[tuple[int, int]]) -> Value | None:
    """Of ``spans`` the one that stands nearest to the words of the question in ``text``.

    Words before all of the values belong to each of them; an opposite of a word of the question ("first" where
    the second is asked for) speaks against the value beside it.
    """
    if not spans:
        return None
    terms = all_terms(text, question.language)
    wanted = {term.stem for term in question.terms}
    against = set().union(*(opposites_of(term.word) for term in question.terms)) - {
        term.word for term in question.terms
    }
    begin = min(span[0] for span in spans) if len(spans) > 1 else 0

    named = [
        m.span() for p in question.pins if p.kind == "code" for m in re.finditer(re.escape(p.surface), text)
    ]

    def pull(span: tuple[int, int]) -> float:
        strongest: dict[str, float] = {}
        for term in terms:
            sign = 1.0 if term.stem in wanted else -1.0 if term.word in against else 0.0
            if sign and (term.end <= span[0] or term.start >= span[1]):
                strength = (
                    sign * (0.3 if term.end <= begin else 1.0) * _beside(span, (term.start, term.end), text)
                )
                if abs(strength) > abs(strongest.get(term.stem, 0.0)):
                    strongest[term.stem] = strength
        counted = question.kind is Kind.COUNT and _heads(text, span, terms, question.focus)
        aside = text.rfind("(", 0, span[0]) > text.rfind(")", 0, span[0])
        return (
            sum(strongest.values()) * (ASIDE if aside else 1.0)
            + max((_beside(span, place, text) for place in named), default=0.0)
            + COUNTED * counted
        )

    best = max(spans, key=lambda span: (pull(span), -span[0]))
    end = best[1] - (best[1] == len(text) and text.endswith("."))
    return Value(text[best[0] : end].strip().rstrip(",;"), best[0], end)


def _heads(text: str, span: tuple[int, int], terms: Sequence[Term], focus: Sequence[str]) -> bool:
    """Whether the number opens the phrase of what is counted: "815 membership warehouses"."""
    behind = [term for term in terms if term.start >= span[1]][:PHRASE]
    return any(
        term.stem in focus and not re.search(r"[,;:.()\d]", text[span[1] : term.start]) for term in behind
    )


def _beside(span: tuple[int, int], place: tuple[int, int], text: str) -> float:
    """1 for neighbours, falling with the distance; half across a comma or a conjunction."""
    gap = text[place[1] : span[0]] if place[1] <= span[0] else text[span[1] : place[0]]
    if place[1] <= span[0] and re.fullmatch(r"\s*:\s*", gap):
        return NAMES  # "Due: 28 May" names its value, whatever stands before it
    return (0.5 if re.search(r"[,;:(]|\b(?:and|or|but)\b", gap) else 1.0) * exp(-len(gap) / REACH)
