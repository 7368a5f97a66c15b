"""What a question asks for: the kind of answer, its content words, and the pins that an answer must not miss.

A pin is what tells one fact from its siblings: a year, a month, a number, "berth 3", "Dock B", a code, a name. A
sentence about another berth or another year is near in every model's eyes and wrong all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from src.answerer.numbers import MONTHS, Quantity, quantities
from src.answerer.terms import Term, all_terms, content_terms, fold_word, is_function_word, stem
from src.answerer.wordlists import words_of
from src.languages import guess_language


class Kind(StrEnum):
    """The kind of answer asked for."""

    COUNT = "count"
    AMOUNT = "amount"
    MEASURE = "measure"
    DURATION = "duration"
    FREQUENCY = "frequency"
    SHARE = "share"
    DATE = "date"
    YEAR = "year"
    PERSON = "person"
    PLACE = "place"
    CODE = "code"
    YES_NO = "yes_no"
    REASON = "reason"
    OTHER = "other"

    @property
    def wants_value(self) -> bool:
        """Whether the answer is one number, date or code that stands in the evidence as such."""
        return self in _VALUED


_VALUED = frozenset(
    {
        Kind.COUNT,
        Kind.AMOUNT,
        Kind.MEASURE,
        Kind.DURATION,
        Kind.FREQUENCY,
        Kind.SHARE,
        Kind.DATE,
        Kind.YEAR,
        Kind.CODE,
    }
)

_MEASURES = "high|tall|deep|wide|broad|thick|heavy|far|large|big|fast|hot|cold|warm|loud|steep|strong|bright|tall|small|close"
_NUMBERED = (
    "temperature|pressure|height|width|depth|length|weight|speed|area|size|level|distance|capacity|volume|voltage"
    "|power|diameter|thickness|output|load|dose|concentration|accuracy|score|rate|median|average|mean|frequency"
)
_MONEY = (
    "revenue|revenues|sales|income|profit|loss|cost|costs|price|fee|fees|deposit|salary|budget|expense|expenses|debt"
    "|assets|liabilities|earnings|dividend|dividends|fine|penalty|grant|funding|investment|capex|inventory|inventories"
    "|expenditure|expenditures|spending|cash|result|charge|charges|payment|payments|premium|rent|equity"
)
# Question words count where a question begins: "the staff who ..." and "the error when ..." ask for nobody and no date.
_OPENS = (
    r"(?:^|[,;:]\s*|\band\s+|\bor\s+|\b(?:since|by|until|till|from|to|with|for|of|in|at|on|after|before)\s+)"
)
_RULES: tuple[tuple[Kind, str], ...] = (
    (Kind.FREQUENCY, r"\bhow (?:often|frequently)\b|\bat what intervals?\b"),
    (
        Kind.SHARE,
        r"\b(?:what|which) (?:\w+ )?(?:percentage|percent|share|proportion|fraction)\b|\bin percent\b|\bhow many percent\b",
    ),
    (
        Kind.DURATION,
        r"\bhow many (?:years|months|weeks|days|hours|minutes|seconds)\b|\bhow (?:long|old|soon|quickly)\b"
        r"|\b(?:for )?what length of time\b",
    ),
    (
        Kind.DURATION,
        r"\b(?:what|which)\b.*\b(?:period|duration|time ?limit|deadline|age|lead time|delivery time)\b|\bwhat (?:[\w-]+ ){0,3}time\b",
    ),
    (
        Kind.COUNT,
        r"\bhow (?:many|few)\b|\bwhat (?:is|was|are|were) the (?:total )?(?:number|count) of\b|\bwhat number of\b",
    ),
    (Kind.AMOUNT, r"\bhow much\b"),
    (Kind.MEASURE, rf"\bhow (?:{_MEASURES})\b|\b(?:what|which)\b[^?]*\b(?:{_NUMBERED})\b"),
    (Kind.YEAR, r"\b(?:what|which) (?:fiscal |calendar )?year\b"),
    (Kind.DATE, rf"{_OPENS}when\b|\b(?:what|which) (?:date|day|month)\b|\bwhat (?:is|was) the date\b"),
    (Kind.PERSON, rf"{_OPENS}who(?:m|se)?\b"),
    (
        Kind.PLACE,
        rf"{_OPENS}where\b|\b(?:what|which) (?:city|country|town|place|location|state|region|building|room)\b",
    ),
    (
        Kind.CODE,
        r"\b(?:what|which)\b[^?]*\b(?:code|number|revision|version|edition|identifier|id|serial|phone|e-?mail|url)\b",
    ),
    (Kind.REASON, r"\bwhy\b|\bfor what reason\b|\bwhat (?:is|was) the reason\b"),
    (Kind.AMOUNT, rf"\b(?:what|which)\b[^?]*\b(?:{_MONEY})\b"),
)
_YES_NO = re.compile(
    r"^\s*(?:and |but |so |or )?(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|should|shall|will"
    r"|would|isn't|aren't|doesn't|don't|didn't)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:list|name (?:all|the|three|two|four|some)|enumerate|what (?:are|were) (?:the|all)|which (?:are|were) (?:the|all)"
    r"|all (?:the|of)|both|each of|respectively|what kinds|what types|which (?:of the )?\w+s (?:are|were|have|do|does|did|can|may|must))\b",
    re.IGNORECASE,
)
# "How many ..., and how many ...?" asks twice.
_AND = re.compile(
    r",?\s+and\s+(?=(?:by |in |at |for |to )?(?:how|what|which|who|when|where|why)\b(?!\s+(?:large|much|many|long|high|big)\s*\?))",
    re.IGNORECASE,
)
# The noun phrase asked for, up to the preposition, the verb or the end that closes it.
_FOCUS = re.compile(
    r"\b(?:how (?:many|few)|what|which|how much)\s+(?:(?:is|was|are|were|'s)\s+(?:the|an?|its|their|his|her)\s+|(?:the|an?)\s+)?"
    r"(?P<noun>(?:(?!\b(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|may|might|must|shall|should|of|in"
    r"|for|on|at|by|to|from|with|per|under|between|that|who|which|when|after|before|during|\w+ed)\b)[\w'’-]+\s*){1,5})",
    re.IGNORECASE,
)
_MEASURING = words_of("number amount total value level percentage percent share name names date year size")
# "What is a trace?", "definition of investment adviser", "whats jft": asks for a meaning, not for a value.
_DEFINES = re.compile(
    r"^\W*(?:(?:please |can you |could you )?(?:tell me|explain|say|erkläre? mir)(?: to me)?,? )?"
    r"(?:what(?:'s|’s|s| is| are)? |define |(?:the )?(?:definition|meaning|bedeutung) (?:of |von )?|was (?:ist |sind )?|qu'est-ce qu')"
    r"(?:an? |ein(?:e[nrs]?)? |une? )?(?!(?:the|its|their|your|das|die|der) )(?P<what>[\w'’ -]{2,50}?)"
    r"(?P<verb> (?:is|are|means?|ist|sind))?\W*$",
    re.IGNORECASE,
)
_ASKS_MEANING = re.compile(
    r"what(?:'s|’s|s| is| are)|define|definition|meaning|bedeutung|was (?:ist|sind)|qu'est", re.IGNORECASE
)
_PAGE_REFERENCE = re.compile(
    r"\b(?:on|at|in|from|of|does|do)?\s*(?:the\s+)?(?:pages?|pp?\.)\s+(?:(?:printed|numbered|labell?ed|marked)\s+(?:as\s+)?(?:number\s+)?)?"
    r"(?:number\s+)?(?:\d+|[ivxlc]+)(?:\s*(?:-|–|to|and)\s*\d+)?(?![\w-])",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?<=\?)\s*\([^()]*\)\s*$")  # "... are there? (the password was given)"
# "berth 3", "Dock B", "row F", "Table IV": a noun and the number or letter that singles one out.
_LABELLED = re.compile(
    r"\b([A-Za-z]{2,})\s+(?:no\.?\s*|number\s+|#)?(\d{1,4}[a-z]?|[A-Z]|[IVX]{1,4})\b(?![-.,/]\d|\s?%)"
)
_NAME = re.compile(
    r"\b[A-Z][\w&'’-]*(?:\s+(?:of|and|the|de|van|von|for)\s+(?=[A-Z])|\s+(?=[A-Z]))?(?:[A-Z][\w&'’-]*)?"
)
# Words of a question that its answer does not repeat.
_ASKING_WORDS = words_of(
    """many much few often frequently long old soon large big high tall get gets got given happen happens come comes make
    makes made take takes took taken one ones thing things kind kinds sort way ways there exactly roughly approximately"""
)
_ENTITY_FREE = words_of(
    """january february march april may june july august september october november december"""
)


@dataclass(frozen=True, slots=True)
class Pin:
    """Something an answer must agree with. ``kind``: year, month, number, label, code or name.

    ``head`` is the stem of the noun of a label ("berth" of "berth 3"), ``value`` what singles it out.
    """

    kind: str
    value: str
    head: str = ""
    surface: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart; ``text`` is without references to pages.

    ``focus`` holds the stems of what is asked for: "vehicles" of "how many vehicles ...", "salary" of "what was
    the yearly salary of ...". Evidence that never speaks of it is about a neighbouring fact. ``defined`` holds the
    stems of what a meaning is asked of.
    """

    text: str
    kind: Kind
    terms: tuple[Term, ...]
    pins: tuple[Pin, ...]
    several: bool
    yes_no: bool
    language: str = "en"
    focus: tuple[str, ...] = ()
    parts: tuple[Question, ...] = ()
    defined: tuple[str, ...] = ()

    @property
    def stems(self) -> tuple[str, ...]:
        """Distinct stems of the content words, in order."""
        return tuple(dict.fromkeys(term.stem for term in self.terms))


@lru_cache(maxsize=64)
def read_question(text: str, languages: tuple[str, ...] = ()) -> Question:
    """Take ``text`` apart; ``languages`` are those of the passages, likeliest first."""
    plain = _PAGE_REFERENCE.sub(" ", _ASIDE.sub("", text))
    plain = re.sub(r"\s+", " ", plain).strip() or text
    yes_no = bool(_YES_NO.match(plain)) and not re.search(r"\bor (?:a|an|the)?\s*\w+", plain)
    kind = next((kind for kind, rule in _RULES if re.search(rule, plain, re.IGNORECASE)), Kind.OTHER)
    if yes_no and kind not in (Kind.COUNT, Kind.AMOUNT):
        kind = Kind.YES_NO
    language = guess_language(plain, languages)
    defined = _defined(plain, language)
    if defined and kind is Kind.MEASURE:
        kind = Kind.OTHER
    words = content_terms(plain, language)
    terms = tuple(term for term in words if term.word not in _ASKING_WORDS)
    several = bool(_SEVERAL.search(plain))
    pieces = [piece for piece in _AND.split(plain) if len(piece.split()) > 2]
    parts = tuple(read_question(piece, languages) for piece in pieces) if len(pieces) > 1 else ()
    return Question(
        plain,
        kind,
        terms or words,
        find_pins(plain),
        several,
        yes_no,
        language,
        _focus(plain, language),
        parts,
        defined,
    )


def _defined(text: str, language: str) -> tuple[str, ...]:
    match = _DEFINES.match(text)
    if match is None or not (match["verb"] or _ASKS_MEANING.search(text)):
        return ()
    if re.search(
        rf"^\s*(?:is|are|the)\b|\b(?:of|in|for|between|from|per|was|were)\b|\b(?:{_MONEY})$",
        match["what"],
        re.IGNORECASE,
    ):
        return ()
    return tuple(term.stem for term in content_terms(match["what"], language))


def _focus(text: str, language: str) -> tuple[str, ...]:
    match = _FOCUS.search(text)
    if not match:
        return ()
    words = [t for t in content_terms(match["noun"], language) if t.word not in _ASKING_WORDS]
    head = next((t for t in reversed(words) if t.word not in _MEASURING), None)
    return (head.stem,) if head else ()


@lru_cache(maxsize=4096)
def find_pins(text: str) -> tuple[Pin, ...]:
    """The pins of ``text``, each once."""
    pins: list[Pin] = []
    taken: list[tuple[int, int]] = []
    for quantity in quantities(text):
        pins.extend(_quantity_pins(quantity))
        if quantity.kind != "number" or quantity.unit or quantity.in_words:
            taken.append((quantity.start, quantity.end))
    labelled: list[tuple[int, int]] = []
    for match in _LABELLED.finditer(text):
        head = fold_word(match[1])
        if (
            any(s < match.end(2) and match.start(2) < e for s, e in taken)
            or is_function_word(head)
            or head in MONTHS
        ):
            continue
        if head.endswith("ed"):
            continue  # "enrolled 212" counts, it names nothing
        if match[2] in ("I", "A") and not match[1][0].isupper():
            continue
        labelled.append(match.span(2))
        pins.append(Pin("label", match[2].casefold(), stem(head), match.group()))
    pins = [
        p for p in pins if p.kind != "number" or not any(p.value == text[s:e].casefold() for s, e in labelled)
    ]
    pins.extend(_month_pins(text, taken))
    pins.extend(_name_pins(text, taken + labelled))
    return tuple(dict.fromkeys(pins))


def _quantity_pins(quantity: Quantity) -> list[Pin]:
    if quantity.kind == "date":
        year, month, day = quantity.date
        named = [("year", year), ("month", month), ("day", day)]
        return [Pin(kind, str(value), surface=quantity.surface) for kind, value in named if value]
    if quantity.kind == "year":
        return [Pin("year", str(quantity.value), surface=quantity.surface)]
    if quantity.kind == "code":
        return [Pin("code", quantity.surface.casefold(), surface=quantity.surface)]
    if quantity.kind == "ordinal" or quantity.in_words:
        return []
    return [Pin("number", quantity.surface.casefold().replace(",", ""), quantity.unit, quantity.surface)]


def _month_pins(text: str, taken: list[tuple[int, int]]) -> list[Pin]:
    pins = []
    for term in all_terms(text):
        number = MONTHS.get(term.word)
        capital = term.surface[:1].isupper() and (term.start > 0 or term.word != "may")
        if number and capital and not any(s <= term.start < e for s, e in taken):
            pins.append(Pin("month", str(number), surface=term.surface))
    return pins


def _name_pins(text: str, taken: list[tuple[int, int]]) -> list[Pin]:
    """Capitalised words that are not the first of their sentence; an acronym counts anywhere."""
    pins = []
    terms = all_terms(text)
    for term in terms:
        first = not text[: term.start].strip() or re.search(r"[.!?:]\s*[\"“(]*$", text[: term.start])
        acronym = term.surface.isupper() and len(term.surface) > 1
        if not term.surface[:1].isupper() or (first and not acronym) or term.is_function:
            continue
        if term.word in _ENTITY_FREE or any(s <= term.start < e for s, e in taken):
            continue
        pins.append(Pin("name", term.stem, surface=term.surface))
    return pins
