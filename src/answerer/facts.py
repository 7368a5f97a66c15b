"""What many people ask of a document, and the words in which it is told, where the two have none in common.

"How much profit did they make?" is answered by a row "Net loss attributable to shareholders", "how many people work
there?" by "our workforce was 156,000". Each entry says how such a question looks and how its answer does. It holds for
questions about the whole of what the document is about: "the profit of the Tarn branch" is searched like any other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from src.answerer.candidates import Candidate
from src.answerer.sentences import sentence_bounds
from src.answerer.tables import split_lone
from src.answerer.terms import content_terms, fold_word
from src.answerer.wordlists import words_of
from src.records import Chunk, Document

MOST = 3  # places looked at a document
PLAIN = 3.0  # how much plainer than a definition a fact is told by its row or sentence
OFTEN = 100  # times a surname stands in the document
LONG = 600  # characters of a sentence that tells a fact beside much else
HEAD = 400  # characters of a page in which its statement is named
STATEMENT, SEGMENT, SECTION = 2.0, -1.5, -0.5  # what speaks for and against a row
_STATEMENTS = re.compile(
    r"\bstatements? of (?:consolidated )?(?:net )?(?:income|operations|earnings|comprehensive|profit)|\bincome statements?\b"
    r"|\bfinancial (?:highlights|summary|results)\b|\bselected (?:consolidated )?financial data\b|\bresults of operations\b"
    r"|\bgewinn- und verlustrechnung|\bcompte de résultat",
    re.IGNORECASE,
)
_SEGMENTS = re.compile(
    r"\bsegments?\b|\bgeograph|\bby (?:region|product|category)\b|\bpro forma\b", re.IGNORECASE
)
# Words that narrow such a question down to nothing else.
_GENERAL = words_of(
    """total overall whole company firm group business corporation organisation organization year years fiscal quarter
    quarters annual annually full made make makes making did do go goes went up down increase increased decrease decreased
    rise rose fall fell grow grew change changed last latest current currently now much many high big large get got earn
    earned earns have has had year-end end amount figure number per share shares common basic diluted net gross
    consolidated much people anyone somebody reach person persons month months ended first second third fourth half
    q1 q2 q3 q4 h1 h2 fy please know need want exactly roughly about reported report document paper pdf author authors
    run ran runs test tests experiment experiments measurement measurements measured evaluation evaluated trained train
    training used use using taken perform performed wie viel viele hoch hat haben war ist der die das im jahr es arbeiten
    combien quel quelle est le la les de des y a t-il ont"""
)
_PERIOD = re.compile(
    r"\b(?:(?:19|20)\d\d|q[1-4]|fy ?\d{2,4}|january|february|march|april|may|june|july|august|september|october|november"
    r"|december|\d{1,2})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """``asked`` matches the words of the question that name it; ``row`` the label of a table row that tells it,
    ``sentence`` a sentence that does; None where it is not told so."""

    asked: re.Pattern[str]
    row: re.Pattern[str] | None = None
    sentence: re.Pattern[str] | None = None


def _fact(asked: str, row: str = "", sentence: str = "") -> Fact:
    return Fact(
        re.compile(rf"\b(?:{asked})(?!\w)", re.IGNORECASE),
        re.compile(rf"^(?:{row})\W*$", re.IGNORECASE) if row else None,
        re.compile(sentence, re.IGNORECASE) if sentence else None,
    )


_NET = r"(?:net (?:\(?loss\)?|income|earnings|profit|result)(?:[ /]*\(?(?:loss|income|earnings|profit)\)?)*|(?:profit|\(?loss\)?)(?:[ /]*\(?(?:loss|profit)\)?)? for the (?:year|period)|jahresüberschuss|résultat net)"
_MANY = r"(?<![\d,.])(?!(?:19|20)\d\d\b)\d[\d,.]{2,}"  # a number that is no year
_NO_NAME = (
    r"(?!Chief|Executive|Officer|The|Principal|Chairman|President|Vice|Senior|Board|Our|Company|Federal|Reserve|National|Bank|Group"
    r"|University|International|Department|Committee|United|States|General|American|Chair|Director|Certification|Act|Section)"
)
_NAME = rf"(?<!\w){_NO_NAME}[A-Z][a-zé]+ (?:[A-Z]\. )?{_NO_NAME}[A-Z][a-zé]+"
# Offices that one person holds at a time, and what may stand between them and the name.
_OFFICES = (
    r"(?:(?:vice|deputy|assistant|acting|interim|honorary|general|executive|managing|lead|principal|first|chief|editor|project|site|plant"
    r"|financial|operating|technology|information|medical|legal|risk|programme|program|customer)[ -](?:in[ -])?)*"
    r"(?:chair(?:man|woman|person)?|president|director|manager|secretary|treasurer|minister|mayor|dean|governor|auditor|editor|officer"
    r"|cfo|coo|cto|cio|founder|owner|head(?:master|mistress|teacher)?|captain|commissioner|ombudsman|coordinator|supervisor|curator"
    r"|librarian|principal|rector|chancellor|counsel|investigator|inspector|engineer|architect|harbou?r[ -]?master|registrar)"
)
_WHO_IS = re.compile(
    rf"\bwho(?:['’]?s| is| was)\s+(?:the |its |their |our |your )?(?:current |present |new )?(?P<office>{_OFFICES})(?!\w)",
    re.IGNORECASE,
)
_WHO_IS_THE = re.compile(
    r"^\W*who(?:['’]?s| is| are| was)\s+(?:the |my |our |your |its )(?P<party>[a-z][a-z-]+(?: [a-z-]+)?)\W*$",
    re.IGNORECASE,
)
_FIRST = r"(?<!vice )(?<!deputy )(?<!co-)(?<!assistant )(?<!former )(?<!retired )"
# "Chairman, Sarr Group LLC" holds another office than the one asked for.
_OF_ALL = r"(?!,? (?-i:[A-Z]))(?!,? (?:of|at|for) (?!the (?:company|board|group|bank|association|society|club|council))\w)"
_BODIES = words_of(
    "board directors committee council department office organisation organization agency club school"
)
_LANGUAGE = (
    r"(?-i:English|French|German|Spanish|Italian|Portuguese|Dutch|Swedish|Danish|Norwegian|Finnish|Polish|Czech|Russian|Ukrainian|Greek"
    r"|Turkish|Arabic|Hebrew|Hindi|Bengali|Urdu|Tamil|Chinese|Mandarin|Cantonese|Japanese|Korean|Vietnamese|Deutsch|Englisch|Französisch)"
)
FACTS: tuple[Fact, ...] = (
    _fact(
        r"revenues?|sales|turnover|umsatz|chiffre d['’]affaires",
        r"(?:total |consolidated |net )*(?:operating )?(?:revenues?|sales|net sales)(?:,? net)?|umsatzerlöse|chiffre d['’]affaires",
    ),
    _fact(
        r"profits?|profitable|(?:made?|make|lose|lost) money|how much money|net (?:income|earnings|loss)|earnings(?! per)|losses|gewinn|bénéfice",
        rf"(?:total |consolidated )?{_NET}(?: (?:attributable|applicable|available) to (?!.*(?:non-?controlling|minorit)).*)?",
    ),
    _fact(
        r"eps|earnings per (?:common )?share",
        r".{0,40}\bper (?:common |ordinary )?share.{0,40}|(?:.{0,40}[:/ ])?(?:basic|diluted)(?: eps)?|.{0,20}\beps\b.{0,20}",
    ),
    _fact(
        r"employees|staff|workforce|headcount|people (?:work|are employed)|mitarbeiter(?:innen)?|beschäftigte|salariés|employés",
        r"(?:total )?(?:number of )?(?:full-time |part-time )*(?:employees|headcount|staff|workforce)",
        rf"^(?!.*\b(?:union|collective|bargaining|layoffs?|laid off|terminat\w+)\b).*(?:"
        rf"\b(?:we|company|group|inc\.?|corporation|and its \w+)\b.{{0,80}}\b(?:employed|had|have|has|employs|employ)\b.{{0,60}}{_MANY}"
        r".{0,40}\b(?:employees|people|persons|associates|team members|workers)"
        rf"|\b(?:our|its|the company['’]s) {_MANY} .{{0,40}}\b(?:employees|people|associates|team members|workers)"
        rf"|\b(?:workforce|headcount|number of employees)\b.{{0,50}}{_MANY}|\bemployed\b.{{0,40}}{_MANY}|\bbeschäftig\w+\b.{{0,60}}{_MANY})",
    ),
    _fact(
        r"ceo|chief executive(?: officer)?|boss|runs (?:it|this)",
        "",
        rf"^(?=.*(?-i:{_NAME}|\bM[rs]s?\. [A-Z])).*\b(?:chief executive officer|ceo)\b(?!,? (?:of (?!the company)|(?-i:[A-Z])))",
    ),
    _fact(
        r"contact|e-?mail(?: address)?|phone(?: number)?|telephone(?: number)?",
        "",
        r"[\w.+-]+@[\w-]+\.\w{2,}|\b(?:tel|phone|telephone|fax)\b[.: ]{1,3}\+?[\d(]",
    ),
    _fact(
        r"computer|hardware|machine|gpus?|processor|cpus?",
        "",
        r"\b(?:\d+(?:[.,]\d+)? ?ghz|gpus?\b.{0,30}\b(?:nvidia|tesla|a100|v100|h100|k80|p100|titan|rtx|gtx)|(?:nvidia|intel|amd|xeon|core (?:2|i\d))\b|tpus?\b)",
    ),
    _fact(
        r"(?:pa(?:y|ys|id|ying) )?(?:any |an? |out )?(?:cash )?dividends?(?: per share)?(?: (?:were|was|are|is|been) (?:paid|declared))?",
        r"(?:payments? of )?(?:cash )?dividends?(?: (?:declared|paid))?(?: on (?:common|ordinary) (?:stock|shares?))?"
        r"(?: ?\(?\$?[\d.]+ per (?:common )?share\)?)?(?: ?[—–-] ?common(?: and preferred)?)?|(?:common|cash) (?:stock )?dividends?.{0,30}"
        r"|dividends? (?:declared |paid )?per (?:common )?share",
        r"^(?!.*\bpreferred\b).*(?:\b(?:we|company|corporation|group|board(?: of directors)?|inc\.?|plc)\b.{0,80}\b(?:paid|pay|pays|declared?"
        r"|declares|approved|raised|increased)\b.{0,60}\bdividends?\b|\bdividends? (?:of|totaling|totalling) [$€£]?\d"
        r"|\bdividends? (?:were|was|have been) (?:paid|declared))",
    ),
    _fact(
        r"(?:being )?sued|law ?suits?|litigation|legal (?:proceedings?|actions?|troubles?|cases?|disputes?)",
        "",
        r"\bno (?:material )?(?:pending )?(?:legal proceedings?|litigation|lawsuits?)\b|\b(?:is|are|was|were|been) (?:\w+ )?(?:a )?(?:part(?:y|ies)"
        r" to|subject to|named (?:as )?(?:a )?defendants? in|involved in|defendants? in)\b.{0,80}\b(?:legal proceedings?|legal actions?|litigation"
        r"|lawsuits?|claims?)\b|\b(?:filed|brought) (?:a |an )?(?:\w+ ){0,3}(?:lawsuit|suit|complaint|action) against (?:us|the company)\b",
    ),
    _fact(
        r"who (?:makes?|made|manufactures?|manufactured|produces?|produced|builds?|built) (?:it|this|these|them|(?:the|this) [\w-]+(?: [\w-]+)?)|manufacturer|maker|producer",
        r"(?:maker|manufacturer|producer|brand|manufactured by|made by|produced by)",
        r"\b(?:manufacturer|maker|producer|marketing authori[sz]ation holder|manufactured by|made by|produced by|hersteller|fabricant)\b",
    ),
    _fact(
        r"what (?:is|are) (?:it|this|these|they|the [\w-]+) (?:used |good |meant )?for|what (?:do|does) (?:people|one|you|i) use (?:it|this|the [\w-]+) for"
        r"|(?:intended )?use|purpose",
        r"(?:intended )?(?:use|purpose)",
        r"\b(?:is|are) (?:used|intended|meant|designed|suitable|indicated) (?:for|to)\b|\b(?:purpose|intended use)\b",
    ),
    # What is asked of a curriculum vitae, whose lines are no sentences.
    _fact(
        r"(?:did|does|has|have) \w+ stud(?:y|ied)|went to (?:school|university|college)|graduate[ds]?|degrees?|education|qualifications?"
        r"|university|studied",
        "",
        r"\b(?:B\.?Sc|M\.?Sc|B\.?A|M\.?A|Ph\.? ?D|MBA|LL\.?[BM]|Bachelor|Master|Diploma|Diplom|Université|University|College"
        r"|Universität|Hochschule)\b.*\b(?:19|20)\d\d\b|\b(?:19|20)\d\d\b.*\b(?:Bachelor|Master|Diplom|University|Universität|Université)\b",
    ),
    _fact(
        r"languages?(?: (?:does|do|can) \w+ (?:speak|know))?",
        "",
        rf"\b{_LANGUAGE}\b.*\b{_LANGUAGE}\b|\b{_LANGUAGE} ?\((?:native|fluent|[ABC][12])|(?:native|fluent)(?: in)? {_LANGUAGE}\b",
    ),
    _fact(
        r"(?:does|do|is|are) \w+ (?:currently |now )?(?:work(?:ing)?|employed)|current (?:job|position|employer|role)",
        "",
        r"\b(?:since|from)? ?(?:\w+\.? )?(?:19|20)\d\d ?(?:[–—-]|to|till|until) ?(?:present|today|now|current|heute|aujourd['’]hui)\b",
    ),
    _fact(
        r"left to (?:pay|be paid)|still (?:to pay|to be paid|owed?|due|open)|(?:do|does) \w+ (?:still )?owe"
        r"|(?:balance|amount|sum) (?:is |still |that is )?(?:due|outstanding|owing)|outstanding (?:balance|amount|sum)",
        r"(?:(?:total|net|remaining|amount|balance|sum|invoice) )*(?:is )?(?:still )?"
        r"(?:outstanding|due|to pay|to be paid|payable|owing|remaining)(?: balance| amount)?(?: (?:now|on|by|upon|in) [^\d:]*)?",
        r"\b(?:balance|amount|sum|remainder)(?: \w+){0,2} (?:due|outstanding|to pay|payable|owing)\b\D{0,40}(?<![\d,.])(?:[$€£] ?\d|\d[\d ,.’]*[.,]\d\d\b)",
    ),
)


def fact_asked(question: str, documents: Iterable[Document], language: str = "en") -> Fact | None:
    """The fact that ``question`` asks of the documents as a whole, None when it asks anything else or more."""
    names = {fold_word(w) for d in documents for w in re.findall(r"\w+", f"{d.name} {d.title}")}
    office = _office_asked(question) or _party_asked(question)
    for fact in (*FACTS, *([office] if office else [])):
        match = fact.asked.search(question)
        if match is None:
            continue
        left = _PERIOD.sub(" ", f"{question[: match.start()]} {question[match.end() :]}")
        words = {term.word for term in content_terms(left, language) if not term.word.isdigit()}
        free = _GENERAL | _BODIES if fact is office else _GENERAL
        if not {w for w in words if w not in free and w not in names and not _near_name(w, names)}:
            return fact
    return None


def _office_asked(question: str) -> Fact | None:
    """Who holds the office that ``question`` names: told where the office and a person's name stand side by side."""
    match = _WHO_IS.search(question)
    if match is None:
        return None
    office = re.escape(match["office"]).replace("\\ ", "[ -]")
    return _fact(
        re.escape(match.group()),
        "",
        rf"{_FIRST}\b{office}:? (?:(?:is|was),? )?(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?(?P<behind>(?-i:{_NAME}))"
        rf"|(?P<before>(?-i:{_NAME}))(?: \([^()]+\))?,? (?:(?:is|was|as|and|the|our|its|(?-i:[A-Z])\w+),? ){{0,6}}"
        rf"{_FIRST}\b{office}(?!\w){_OF_ALL}",
    )


def _party_asked(question: str) -> Fact | None:
    """ "Who is the landlord?", told where a name stands beside the word: "the landlord, Skerry Homes", "Landlord: Skerry Homes"."""
    match = _WHO_IS_THE.match(question)
    if match is None:
        return None
    party = re.escape(match["party"].strip())
    name = r"(?-i:[A-Z][\w&’'-]+)"
    return _fact(
        rf"who\b.*{party}",
        party,
        rf"{_FIRST}\b{party}(?:,|:| is| was|\s*\() ?(?:the )?(?:(?:Mr|Mrs|Ms|Dr)\.? )?{name}(?! (?:may|must|shall|will|is|has|can)\b)"
        rf"|{name},? \(?(?:hereinafter |as |called )*(?:the )?[\"“'‘]?{party}[\"”'’]?(?:\)|,|\.)",
    )


def tells(fact: Fact | None, candidate: Candidate, label: str | None) -> float:
    """How plainly a sentence (``label`` None) or a row with this label tells ``fact``: about PLAIN, 0 for not at all."""
    if fact is None:
        return 0.0
    if label is None:
        return PLAIN * (fact.sentence is not None and bool(fact.sentence.search(candidate.text)))
    last = label.rpartition(" / ")[2]
    if fact.row is None or not (fact.row.match(last) or fact.row.match(label)):
        return 0.0
    return PLAIN + 0.5 * _standing(candidate.context, candidate.page.text[:HEAD] if candidate.page else "")


def telling_chunks(fact: Fact, chunks: Sequence[Chunk], document: Document) -> list[Chunk]:
    """The at most MOST chunks that tell ``fact`` best: rows of the statements of the whole before all others."""
    found: list[tuple[float, int, Chunk]] = []
    for chunk in chunks:
        worth = _row_worth(fact, chunk, document) if chunk.table else _sentence_worth(fact, chunk, document)
        if worth is not None:
            found.append((-worth, chunk.number, chunk))
    return [chunk for _, _, chunk in sorted(found, key=lambda entry: entry[:2])[:MOST]]


def _near_name(word: str, names: set[str]) -> bool:
    return len(word) > 3 and any(
        name.startswith(word) or word.startswith(name) for name in names if len(name) > 3
    )


def _sentence_worth(fact: Fact, chunk: Chunk, document: Document) -> float | None:
    if fact.sentence is None:
        return None
    bounds = sentence_bounds(chunk.text, chunk.language)
    telling = [(found, b - a) for a, b in bounds if (found := fact.sentence.search(chunk.text[a:b]))]
    # A short sentence tells it plainest; who holds an office is named most often, others of that title once.
    return max(
        (_known(found, document) - min(long, LONG) / (2 * LONG) for found, long in telling), default=None
    )


def _known(found: re.Match[str], document: Document) -> float:
    """1, and up to 1 more for how often the document has the surname of the person whom ``found`` names."""
    named = found.groupdict()
    name = named.get("before") or named.get("behind")
    if not name:
        return 1.0
    surname = name.split()[-1]
    times = sum(page.text.count(surname) for page in document.pages)
    return 1.0 + min(1.0, math.log1p(times) / math.log1p(OFTEN))


def _row_worth(fact: Fact, chunk: Chunk, document: Document) -> float | None:
    if fact.row is None or chunk.table is None:
        return None
    page = document.pages[chunk.table[0] - 1]
    table = page.tables[chunk.table[1]]
    worths = [
        SECTION * bool(row.section)
        for row in table.rows[slice(*chunk.rows)]
        if fact.row.match(_valued_label([page.text[c.start : c.end].strip() for c in row.cells]))
    ]
    around = f"{table.title} {' '.join(chunk.headings[-2:])}"
    return max(worths) + _standing(around, page.text[:HEAD]) if worths else None


def _valued_label(cells: Sequence[str]) -> str:
    """The label of a row that has a figure, also where both were read as one cell; empty for any other row."""
    if len(cells) == 1:
        return (split_lone(cells[0]) or [""])[0]
    return cells[0] if any(c.isdigit() for text in cells[1:] for c in text) else ""


def _standing(around: str, head: str) -> float:
    """What the title of a table and its headings, and the head of its page, say for a figure of the whole."""
    standing = STATEMENT * bool(_STATEMENTS.search(around)) + 0.5 * STATEMENT * bool(_STATEMENTS.search(head))
    return standing + SEGMENT * bool(_SEGMENTS.search(around))
