"""What a question asks for: the kind of answer, its content words, and the pins that an answer must not miss."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from src.answerer.pins import Pin, find_pins
from src.answerer.terms import Term, content_terms
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
    r"(?:^|[,;:¿]\s*|\band\s+|\bor\s+|\b(?:since|by|until|till|from|to|with|for|of|in|at|on|after|before"
    r"|bis|ab|seit|von|mit|für|an|bei|depuis|jusqu['’]à|à|avec|de|pour|desde|hasta|con|para|por)\s+)"
)
_TIMES = "jahre|monate|wochen|tage|stunden|minuten|ans|années|mois|semaines|jours|heures|minutes|años|meses|días|semanas|horas|minutos"
_PRICES = (
    r"\w*(?:preis|kosten|gebühr|miete|kaution|betrag|beitrag|lohn|gehalt|summe|entgelt|prämie)\w*|prix|montant|loyer|coût|tarif"
    r"|salaire|caution|total|somme|prime|precio|importe|alquiler|coste|costo|tarifa|salario|sueldo|fianza|prima|cuota"
)
_RULES: tuple[tuple[Kind, str], ...] = (
    (
        Kind.FREQUENCY,
        r"\bhow (?:often|frequently)\b|\bat what intervals?\b|\bwie (?:oft|häufig)\b|\bà quelle fréquence\b|\bcon qué frecuencia\b"
        r"|\bcada cuánto\b",
    ),
    (
        Kind.SHARE,
        r"\b(?:what|which) (?:\w+ )?(?:percentage|percent|share|proportion|fraction)\b|\bin percent\b|\bhow many percent\b"
        r"|\bwie ?viel prozent\b|\bwelche[rn]? (?:anteil|prozentsatz)\b|\bquel(?:le)? (?:pourcentage|proportion)\b|\bqué porcentaje\b",
    ),
    (
        Kind.DURATION,
        r"\bhow many (?:years|months|weeks|days|hours|minutes|seconds)\b|\bhow (?:long|old|soon|quickly)\b"
        r"|\bhow fast (?:must|do|does|will|should|can|would) [^?]*\b(?:come|respond|arrive|reply|answer|react|attend|deliver|ship|get|pay|repair|fix)"
        r"|\bhow much (?:annual |paid |sick |parental |maternity |advance |more )?(?:time|notice|leave|holiday|vacation|experience)\b"
        r"|\b(?:for )?what length of time\b|\bwie lange?\b|\bwelche \w*(?:frist|dauer)\b|\bcombien de temps\b|\bquel(?:le)? (?:est la )?(?:durée|délai)\b"
        rf"|\bcuánto (?:tiempo|dura)\b|\b(?:wie ?viele |combien d(?:e |['’])|cuánt[oa]s )(?:{_TIMES})\b",
    ),
    (
        Kind.DURATION,
        r"\b(?:what|which)\b.*\b(?:period|duration|time ?limit|age|lead time|delivery time)\b|\bwhat (?:[\w-]+ ){1,3}time\b",
    ),
    (
        Kind.COUNT,
        r"\bhow (?:many|few)\b|\bwie ?viele\b|\bcombien d(?:e\b|['’])|\bcuánt[oa]s\b|^\W*(?:the )?(?:total )?number of\b|\bwhat (?:is|was|are|were) the (?:total )?(?:number|count) of\b|\bwhat number of\b",
    ),
    (
        Kind.AMOUNT,
        r"\bhow much\b|\bwie ?viel\b|\bwas kostet\b|\bcombien\b|\bcuánto\b|\bwhat (?:do|does|did|would|will)\b[^?]*\b(?:cost|charge|pay|earn)\b"
        rf"|\bhow (?:high|big|large|steep) (?:is|are|was|were|will|would)\b[^?]*\b(?:{_MONEY})\b"
        rf"|\b(?:wie (?:hoch|teuer)|quel(?:le)? (?:est|était|sera)|cuál es|qué)\b[^?]*\b(?:{_PRICES})\b",
    ),
    (
        Kind.MEASURE,
        rf"\bhow (?:{_MEASURES})\b|\bwie (?:hoch|groß|schwer|lang|breit|tief|dick|schnell|laut|warm|kalt|heiß|weit)\b",
    ),
    (
        Kind.YEAR,
        r"\b(?:what|which) (?:fiscal |calendar )?year\b|\b(?:in welchem jahr|en quelle année|(?:en )?qué año)\b",
    ),
    (
        Kind.DATE,
        rf"{_OPENS}(?:when|wann|quand|cuándo)\b|\b(?:what|which) (?:date|day|month|time)\b|\bwhat (?:is|was|are) the (?:[\w-]+ )?(?:date|deadline|(?:opening|office|visiting|closing) (?:hours|times?))\b"
        r"|\b(?:an welchem (?:tag|datum)|welches datum|(?:à )?quelle date|quel jour|qué (?:día|fecha))\b",
    ),
    (Kind.PERSON, rf"{_OPENS}(?:who(?:['’]?s|m|se)?|we[rmn]|wessen|qui|quién(?:es)?)\b"),
    (
        Kind.PLACE,
        rf"{_OPENS}(?:where|wo|woher|wohin|où|dónde)\b|\b(?:what|which) (?:city|country|town|place|location|state|region|building|room)\b",
    ),
    (
        Kind.REASON,
        r"\b(?:why|warum|weshalb|wieso|pourquoi|por qué)\b|\bfor what reason\b|\bwhat (?:is|was) the reason\b",
    ),
)
_RELATION = re.compile(
    r"\b(?:margins?|ratios?|rates?|growth|percent\w*|share|increased?|decreased?|changed?|yield)\b",
    re.IGNORECASE,
)
# What is asked for by its noun: "which part of the number" asks for a part, and "what happens to the step size" for
# neither.
_NOUN_RULES: tuple[tuple[Kind, str], ...] = (
    (Kind.MEASURE, rf"\b(?:{_NUMBERED})s?\b"),
    (Kind.CODE, r"\b(?:code|number|revision|version|edition|identifier|id|serial|phone|e-?mail|url)\b"),
    (Kind.AMOUNT, rf"\b(?:{_MONEY})\b"),
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
_NOUN = (
    r"(?:(?:the|an?|its|their|his|her)\s+)?(?P<noun>(?:(?!(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would"
    r"|may|might|must|shall|should|of|in|for|on|at|by|to|from|with|per|under|between|that|who|which|when|after|before"
    r"|during|\w+ed|two|three|four|six|nine|twelve)\b(?!-))[\w'’&-]+\s*){1,5})"
)
_FOCUS = re.compile(
    rf"\b(?:how (?:many|few)|what|which|how much)(?:['’]?s)?\s+(?:(?:is|was|are|were)\s+)?{_NOUN}",
    re.IGNORECASE,
)
_KEY_WORDS = re.compile(rf"^\W*{_NOUN}", re.IGNORECASE)
_OF = re.compile(r"of (?:(?:the|an?|its|their|all)\s+)?(?P<noun>[\w'’-]+(?:\s+[\w'’-]+){0,2})", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:how|what|whats|which|who|whos|whom|whose|when|where|why|if|whether)\b"
    r"|^\W*(?:tell|give|show|explain|describe|list|name|find|summari[sz]e|erkl|nenne|zeige|explique|w(?:er|em|en|ann|as|ie|o|arum|eshalb|elche[mnrs]?)\b"
    r"|qu|où|combien|comment|pourquoi)",
    re.IGNORECASE,
)
_MEASURING = words_of("number amount total value level percentage percent share name names date year size")
# "What does MCAS stand for?", "what does he mean by 'free culture'?"
_MEANS = re.compile(
    r"^\W*what (?:do|does|did) (?:an? )?(?P<what>[\w'’ -]{2,50}?) (?:mean|stand for|refer to|denote)\W*$"
    r"|\bmeant? (?:here )?by [\"“'‘]?(?:an? |the )?(?P<by>[\w’ -]{2,50}?)[\"”'’]?\W*$",
    re.IGNORECASE,
)
# "What is a trace?", "definition of investment adviser", "whats jft": asks for a meaning, not for a value.
_DEFINES = re.compile(
    r"^\W*(?:(?:please |can you |could you )?(?:tell me|explain|say|erkläre? mir)(?: to me)?,? )?"
    r"(?:what(?:'s|’s|s| is| are)? |define |(?:the )?(?:definition|meaning|bedeutung) (?:of |von )?|was (?:ist |sind )?|qu'est-ce qu')"
    r"(?:an? |ein(?:e[nrs]?)? |une? )?(?!(?:the|its|their|your|das|die|der) )(?P<what>[\w'’ -]{2,50}?)"
    r"(?P<verb> (?:is|are|means?|ist|sind))?\W*$",
    re.IGNORECASE,
)
_TWO_MEANINGS = re.compile(
    r"^\W*(?:what are|define|explain) (?!(?:the|its|their|your) )(?P<one>[\w'’-]+ [\w'’-]+s) and (?P<other>[\w'’-]+ [\w'’-]+s)\W*$",
    re.IGNORECASE,
)
_DOCUMENT = r"(?:(?:the|this|that|its) )?(?:report|document|doc|paper|pdf|file|text|article|book|contract|agreement|manual|policy|authors?|they|it)"
_MENTIONS = re.compile(
    rf"^\W*(?:does|do|did) {_DOCUMENT} (?:ever |even |also )?(?:mention|discuss|say (?:something|anything) (?:about|on)|talk about"
    r"|(?:speak|tell)(?: us)? (?:of|about)|address|refer to|describe)\s+(?:anything about )?(?P<topic>[^?]{3,}?)\W*$"
    rf"|^\W*(?:is there|are there) (?:any(?:thing)? )?(?:mentions? of|about) (?P<subject>[^?]{{3,}}?)(?: in {_DOCUMENT})?\W*$",
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
# Words of a question that its answer does not repeat.
_ASKING_WORDS = words_of(
    """many much few often frequently long old soon large big high tall get gets got given happen happens come comes make
    makes made take takes took taken one ones thing things kind kinds sort way ways there exactly roughly approximately"""
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart; ``text`` is without references to pages.

    ``focus`` holds the stems of what is asked for: "vehicles" of "how many vehicles ...", "salary" of "what was
    the yearly salary of ...". Evidence that never speaks of it is about a neighbouring fact. ``defined`` holds the
    stems of what a meaning is asked of. ``money`` says that a sum of money is asked for.
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
    money: bool = False

    @property
    def stems(self) -> tuple[str, ...]:
        """Distinct stems of the content words, in order."""
        return tuple(dict.fromkeys(term.stem for term in self.terms))


def topic(text: str) -> str:
    """What is asked after in "does the report mention layoffs?": layoffs. Any other question as it is.

    The words for the document and for mentioning stand in it everywhere ("as reported") and tell nothing.
    """
    match = _MENTIONS.match(text)
    return f"{(match['topic'] or match['subject']).strip()}?" if match else text


@lru_cache(maxsize=64)
def read_question(text: str, languages: tuple[str, ...] = ()) -> Question:
    """Take ``text`` apart; ``languages`` are those of the passages, likeliest first."""
    plain = _PAGE_REFERENCE.sub(" ", _ASIDE.sub("", topic(text)))
    plain = re.sub(r"\s+", " ", plain).strip() or text
    yes_no = bool(_YES_NO.match(plain)) and not re.search(r"\bor (?:a|an|the)?\s*\w+", plain)
    noun = _asked_noun(plain)
    kind = next((kind for kind, rule in _RULES if re.search(rule, plain, re.IGNORECASE)), Kind.OTHER)
    if kind is Kind.OTHER and not yes_no:
        kind = next((kind for kind, rule in _NOUN_RULES if re.search(rule, noun, re.IGNORECASE)), kind)
    if yes_no and kind not in (Kind.COUNT, Kind.AMOUNT):
        kind = Kind.YES_NO
    language = guess_language(plain, languages)
    defined = _defined(plain, language)
    if defined and kind is Kind.MEASURE:
        kind = Kind.OTHER
    words = content_terms(plain, language)
    terms = tuple(term for term in words if term.word not in _ASKING_WORDS)
    several = bool(_SEVERAL.search(plain))
    pieces = _meanings(plain) or [piece for piece in _AND.split(plain) if len(piece.split()) > 2]
    parts = tuple(read_question(piece, languages) for piece in pieces) if len(pieces) > 1 else ()
    return Question(
        plain,
        kind,
        terms or words,
        find_pins(plain),
        several,
        yes_no,
        language,
        _focus(noun, language),
        parts,
        defined,
        kind is Kind.AMOUNT and _asks_money(noun, plain),
    )


def _meanings(text: str) -> list[str]:
    """The two questions of "what are row permissions and column masks?"; none where one thing is named by two words."""
    match = _TWO_MEANINGS.match(text)
    return [f"What are {match['one']}?", f"What are {match['other']}?"] if match else []


def _defined(text: str, language: str) -> tuple[str, ...]:
    if means := _MEANS.search(text):
        return tuple(term.stem for term in content_terms(means["what"] or means["by"], language))
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


def _asked_noun(text: str) -> str:
    """The noun phrase that is asked for: "yearly salary" of "what was the yearly salary of ...".

    A question in key words ("net sales in 2022") asks for the phrase it opens with. What only measures ("amount",
    "number") takes along what it measures.
    """
    match = _FOCUS.search(text)
    if match is None and not _opens_otherwise(text):
        match = _KEY_WORDS.match(text)
    if match is None:
        return ""
    noun = match["noun"].strip()
    measured = _OF.match(text, match.end())
    if measured and set(noun.casefold().split()[-1:]) <= _MEASURING:
        return f"{noun} {measured['noun']}"
    return noun


def _asks_money(noun: str, text: str) -> bool:
    if noun and not re.match(r"\W*how much\b", text, re.IGNORECASE):
        return not _RELATION.search(noun)
    return bool(
        re.search(
            rf"\b(?:{_MONEY}|paid|pay|pays|spent|spend|spends|earn(?:s|ed)?|worth|charged?)\b",
            text,
            re.IGNORECASE,
        )
    ) and not (
        re.search(
            r"\bhow much (?:of|more|less|faster|higher|lower|did|does|do) \b.*\b(?:grow|rise|fall|increase|decrease|change)",
            text,
            re.IGNORECASE,
        )
        or _RELATION.search(text)
    )


def _opens_otherwise(text: str) -> bool:
    """Whether ``text`` asks in a sentence, so that its first words are no noun phrase."""
    return bool(_YES_NO.match(text) or _ASKS.search(text))


def _focus(noun: str, language: str) -> tuple[str, ...]:
    words = [t for t in content_terms(noun, language) if t.word not in _ASKING_WORDS]
    named = (
        t
        for t in reversed(words)
        if t.word not in _MEASURING and len(t.word) > 1 and not t.word[-1].isdigit()
    )
    head = next(named, None)
    return (head.stem,) if head else ()
