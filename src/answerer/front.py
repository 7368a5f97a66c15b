"""Who wrote the document, what it is called, when it appeared: read from its first pages, where no sentence says so.

"Who wrote this?" shares no word with "Jane Roe, John Doe" under a title, so no ranking finds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from src.answerer.letters import CLOSING, SENDER, sender, signature
from src.answerer.numbers import quantities
from src.answerer.wordlists import words_of
from src.records import BlockKind, Document, Page, Passage, Span

FIRST_PAGES = 10
FRONT_CHARS = 1600
HEADINGS = 4  # of the first page, among which its title is looked for
SHORTEST_TITLE, LONGEST_TITLE = 8, 140
SHORT_LINE = 60  # a longer line that has no word for a date names a year for another reason
LONGEST_LINE = 200  # a longer line is running text, and its dates are those of its story
_WORK = (
    r"(?:this|it|that|the|dieses?|das|ce(?:tte|t)?|l[ea])?\s*"
    r"(?:(?:research |annual |white ?|master'?s )?(?:paper|document|doc|report|book|article|thesis|study|pdf|file|text|manual"
    r"|handbook|notes?|slides|memo|letter|release|dokument|buch|skript|bericht|livre|rapport|document|article))?"
)
_ENDING = r"(?:\s+(?:please|from|in))?\W*$"
_AUTHOR = re.compile(
    rf"^\W*(?:and |so |please |tell me |hey,? )*(?:"
    rf"who(?:'s| is| are| was| were)? (?:the |its )?(?:main )?(?:authors?|writers?)(?: of {_WORK})?"
    rf"|who (?:wrote|authored|has written|published|issued) {_WORK}|(?:the |its )?authors?(?: of {_WORK})?(?: names?)?"
    rf"|(?:list|name|give me|show me|who are) (?:all )?the authors(?: of {_WORK})?(?: and (?:their|the) (?:affiliations?|institut(?:es?|ions?)"
    rf"|universit(?:y|ies)|e-?mails?(?: addresses)?))?|(?:who (?:is|was) )?(?:{_WORK} )?written by(?: who(?:m)?)?"
    rf"|by whom (?:is|was) {_WORK} written|wer (?:hat|ist der autor)\b.{{0,40}}|qui (?:a écrit|est l'auteur)\b.{{0,40}}){_ENDING}",
    re.IGNORECASE,
)
_TITLE = re.compile(
    rf"^\W*(?:(?:what(?:'s| is)|tell me|give me) )?the (?:full |exact )?title(?: of {_WORK})?{_ENDING}"
    rf"|^\W*title\W*$|^\W*what is {_WORK} called\W*$",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"^\W*(?:and )?(?:when (?:was|is|did) {_WORK}\s*(?:first )?(?:published|written|released|issued|made|dated|come out|appear|from)"
    rf"|(?:what|which) (?:year|date) (?:is|was) {_WORK}\s*(?:from|published|written|released|issued|dated)?"
    rf"|(?:what is |what's )?(?:the )?(?:publication|release) (?:date|year)(?: of {_WORK})?|how old is {_WORK}"
    rf"|wann (?:wurde|ist) .{{0,30}}(?:veröffentlicht|geschrieben|erschienen)|quand .{{0,30}}(?:publié|écrit|paru)e?){_ENDING}",
    re.IGNORECASE,
)
_NAME_PART = r"(?:[A-ZÀ-Þ][\w’'-]*[a-zà-ÿ][\w’'-]*|[A-Z]\.|U|de|van|von|der|la)"
_PERSON = re.compile(rf"[A-ZÀ-Þ][\w’'.-]*(?:\s+{_NAME_PART}){{1,4}}")
_PEOPLE = re.compile(rf"[A-ZÀ-Þ][\w’'.-]*(?:\s+{_NAME_PART}){{5,}}")  # a row of names without commas
_BY = re.compile(
    rf"(?i:\b(?:written |edited |compiled )?by|\bauthors?:|\bautor(?:en)?:|(?:copyright\s*)?(?:©|\(c\)))\s+"
    rf"(?P<who>{_PERSON.pattern})"
)
_SIGNS = re.compile(r"[a-zà-ÿ]\s?[*∗†‡⇤§¶¹²³⁴-⁹]|[a-zà-ÿ]\d")
_MARKS = re.compile(r"[*∗†‡⇤+#$§¶˘\d¹²³⁴-⁹(){}]+,?")
_BODY = re.compile(
    r"^\W*(?:abstract|summary|contents|introduction|résumé|zusammenfassung|1\.? )\b", re.IGNORECASE
)
# Headings of first pages that are no titles: numbered sections, the office that wants the form.
_NO_TITLE = re.compile(
    r"^[\divx]+[. )]|\b(?:securities and exchange commission|for immediate release|press release|department of|abstract|contents"
    r"|mark one|registered pursuant|year ended|pursuant to section|form 10-[kq]|overall financial results"
    r"|introduction|table of contents)\b",
    re.IGNORECASE,
)
_PLACES = words_of(
    """university universität université institute institut department laboratory laboratoire lab inc corp corporation company
    college school research center centre facebook google microsoft commission administration federal board bank office
    agency ministry congress"""
)
_PLAIN = words_of(
    """report annual form section act notice date year fiscal received effective rules proposed release summary table
    figure chapter part volume edition version lecture lectures note notes public domain first second third quarter news
    united states securities exchange new york street washington north south east west"""
)
_DATED = re.compile(
    r"arxiv|published|release|dated|\bdate\b|©|copyright|version|auflage|edition|\bvol\b|revised|issued",
    re.IGNORECASE,
)


class Front(StrEnum):
    """What of its front matter is asked for."""

    AUTHOR = "author"
    TITLE = "title"
    DATE = "date"
    SENDER = "sender"


@dataclass(frozen=True, slots=True)
class FrontEvidence:
    """A line of the front matter: the 1-based passage, the exact words, and what answers of them ("" for all)."""

    passage: int
    quote: str
    lead: str = ""


_RULES = ((Front.AUTHOR, _AUTHOR), (Front.TITLE, _TITLE), (Front.DATE, _DATE), (Front.SENDER, SENDER))


def front_asked(question: str) -> Front | None:
    """What a question asks of the document's front matter, None for every other question."""
    for front, rule in _RULES:
        if len(question) <= 120 and rule.match(question):
            return front
    return None


def front_passages(document: Document) -> tuple[Passage, ...]:
    """The head of the first page with text, and the page among the first that says whose the copyright is."""
    pages = [page for page in document.pages[:FIRST_PAGES] if len(page.text.strip()) > 40]
    marked = [
        page
        for page in pages[1:]
        if re.search(r"©|\(c\)\s|copyright\s", page.text[:FRONT_CHARS], re.IGNORECASE)
    ]
    heads = [_head(document, page) for page in [*pages[:2], *(p for p in marked if p not in pages[:2])][:3]]
    stamp = re.search(r"arXiv:\d{4}[^\n]*", pages[0].text[FRONT_CHARS:]) if pages else None
    if stamp:  # printed up the margin of the first page
        heads.append(_part(document, pages[0], FRONT_CHARS + stamp.start(), FRONT_CHARS + stamp.end()))
    if signed := signature(document):
        heads.append(_part(document, *signed))
    return tuple(heads)


def _head(document: Document, page: Page) -> Passage:
    end = len(page.text)
    if end > FRONT_CHARS:
        end = max(page.text.rfind("\n", 0, FRONT_CHARS), page.text.rfind(". ", 0, FRONT_CHARS) + 1, 1)
    return _part(document, page, 0, end)


def _part(document: Document, page: Page, start: int, end: int) -> Passage:
    text = page.text[start:end]
    return Passage(
        document_id=document.id,
        document_name=document.name,
        revision=document.revision,
        text=text,
        spans=(Span(page.number, start, end),),
        labels=(page.label,),
        headings=(),
        context="",
        kind="prose",
        language=page.language,
        score=0.0,
        chunks=(),
        core=(0, len(text)),
    )


def front_evidence(
    front: Front, question: str, passages: Sequence[Passage], document: Document
) -> FrontEvidence | None:
    """The line of the front ``passages`` of ``document`` that answers ``question``, None when none does."""
    numbered = [
        (number, passage)
        for number, passage in enumerate(passages, start=1)
        if passage.document_id == document.id and not passage.chunks
    ]
    if not numbered:
        return None
    match front:
        case Front.AUTHOR:
            return _author(numbered) or _sender(numbered, question)
        case Front.SENDER:
            return _sender(numbered, question)
        case Front.TITLE:
            return _title(numbered[0], document)
    return _date(numbered)


def _lines(text: str) -> Iterator[str]:
    return (line for line in text.split("\n") if line.strip())


def _author(numbered: Sequence[tuple[int, Passage]]) -> FrontEvidence | None:
    number, passage = numbered[0]
    lines = list(_lines(passage.text))
    for place, line in enumerate(lines[:12]):
        if _BODY.match(line):
            break
        following = lines[place + 1] if place + 1 < len(lines) else ""
        people = _people(line)
        signed = len(people) > 1 or _SIGNS.search(line) or "@" in following or _is_place(following)
        crowd = bool(people) and len(people[0].split()) > 5
        if people and (signed or crowd or _dated(line)) and (place or len(lines) < 4 or _dated(line)):
            return FrontEvidence(number, line.strip(), ", ".join(people))
    for number, passage in numbered:
        for line in _lines(passage.text):
            match = _BY.search(line[:LONGEST_LINE])
            if match and (people := _people(match["who"])):
                return FrontEvidence(number, line.strip(), people[0])
    return None


def _sender(numbered: Sequence[tuple[int, Passage]], question: str) -> FrontEvidence | None:
    """The head of a letter, or what stands under its closing words where that is asked or it has no head."""
    number, passage = numbered[0]
    if line := sender(list(_lines(passage.text)), "sign" in question.casefold()):
        return FrontEvidence(number, line)
    number, passage = numbered[-1]
    closing = CLOSING.match(passage.text)
    if closing and passage.text[closing.end() :].strip(" ,\n"):
        return FrontEvidence(number, " ".join(passage.text.split()))
    return None


def _dated(line: str) -> bool:
    return len(line) <= LONGEST_LINE and bool(re.search(r"\b(?:19|20)\d\d\b|\b\d \d{3}\b", line))


def _people(line: str) -> list[str]:
    """The names of people that a line of names consists of, in order; empty for any other line."""
    plain = _MARKS.sub(" ", line.split("@")[0])
    found: list[str] = []
    for part in re.split(r"[,;&\t]|\s{2,}|\band\b|\bet\b|\bund\b", plain):
        name = " ".join(part.split())
        if re.search(rf"\s(?:{_alternatives()})\b", name, re.IGNORECASE):
            name = re.split(rf"\s(?={_PERSON.pattern}$)", name)[0]
        words = {word.casefold().strip(".") for word in name.split()}
        if words & (_PLACES | _PLAIN):
            continue
        if _PERSON.fullmatch(name) or _PEOPLE.fullmatch(name):
            found.append(name)
    letters = sum(c.isalpha() for c in plain)
    distinct = len(set(found)) == len(found)
    named = sum(c.isalpha() for name in found for c in name)
    return found if distinct and (named > 0.5 * letters or _dated(line)) else []


def _alternatives() -> str:
    return "|".join(sorted(_PLACES))


def _is_place(line: str) -> bool:
    return bool({word.casefold().strip(".,") for word in line.split()} & _PLACES)


def printed_title(document: Document) -> str:
    """The highest heading that opens the first page with text, "" when what stands there is no title."""
    page = next((page for page in document.pages[:FIRST_PAGES] if page.text.strip()), None)
    return _title_heading(page) if page else ""


def _title_heading(page: Page) -> str:
    headings = [block for block in page.blocks if block.kind is BlockKind.HEADING]
    fitting = [
        (block.level, place, title)
        for place, block in enumerate(headings[:HEADINGS])
        if _is_title(title := " ".join(page.text[block.start : block.end].split()))
    ]
    return min(fitting, default=(0, 0, ""))[2]


def _is_title(heading: str) -> bool:
    letters = sum(c.isalpha() for c in heading)
    return (
        SHORTEST_TITLE <= len(heading) <= LONGEST_TITLE
        and letters > 0.6 * len(heading)
        and not heading.endswith((":", ".", "*"))
        and not _NO_TITLE.search(heading)
    )


def _title(first: tuple[int, Passage], document: Document) -> FrontEvidence | None:
    number, passage = first
    page = document.pages[passage.spans[0].page - 1]
    named = " ".join(document.title.split())
    for line in _lines(passage.text):
        if named and " ".join(line.split()).casefold() == named.casefold():
            return FrontEvidence(number, line.strip())
    lines = [line.strip() for line in _lines(passage.text)]
    if heading := _title_heading(page):
        return FrontEvidence(number, heading)
    return FrontEvidence(number, lines[0]) if lines and len(lines[0]) <= 150 else None


def _date(numbered: Sequence[tuple[int, Passage]]) -> FrontEvidence | None:
    best: tuple[float, FrontEvidence] | None = None
    for place, (number, passage) in enumerate(numbered):
        for depth, line in enumerate(_lines(passage.text)):
            for quantity in quantities(line[:LONGEST_LINE]) if len(line) <= LONGEST_LINE else ():
                if quantity.kind not in ("date", "year"):
                    continue
                marked = bool(_DATED.search(line))
                if quantity.kind == "year" and not marked and len(line) > SHORT_LINE:
                    continue
                score = (0.6 if quantity.kind == "date" else 0.3) + 1.5 * marked
                score += bool(re.search(r"©|arxiv", line, re.IGNORECASE))
                score -= 0.02 * depth + 0.3 * place + 0.004 * len(line)
                if best is None or score > best[0]:
                    best = score, FrontEvidence(number, line.strip(), quantity.surface)
    return best[1] if best and best[0] > 0.1 else None
