"""What a claim rests on: the whole sentences its quotes touch, table cells with their headers, and what is near."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from src.answerer.sentences import sentence_bounds
from src.answerer.terms import stems
from src.answerer.units import DIMENSIONS, unit_scale
from src.citations.lookup import find_quote, passage_spans
from src.records import Citation, Claim, Document, Page, Passage, Span, Table, TableRow

NEAR_SENTENCES = 2
OVER = 400  # characters above a table in which its unit is looked for
_SCALE = re.compile(
    r"[^\n.]{0,40}\bin (?:thousands|millions|billions|trillions)\b[^\n.]{0,20}", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class GroundCell:
    """A table cell a claim may state: its row label, column header, text, and the scale and unit of its table."""

    label: str
    header: str
    text: str
    scale: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a claim is held against.

    ``cited`` are the whole sentences (table rows) that its quotes touch and those of the same passages that are most
    like it, for models quote a few words of what they rest on; ``prose`` those that are no table rows; ``near`` what names their subject
    (headings, table title and headers, document title, the sentences just before); ``around`` the rest of the
    passages; ``asked`` the question. ``other_labels`` are the labels of the rows that are not cited, ``quoted`` the
    sentences that the quotes themselves touch, ``titles`` headings and titles alone.
    """

    cited: str
    near: str
    around: str
    asked: str
    label: str
    prose: tuple[str, ...] = ()
    cells: tuple[GroundCell, ...] = ()
    headers: tuple[str, ...] = ()
    other_labels: tuple[str, ...] = ()
    language: str = "en"
    quoted: tuple[str, ...] = ()
    titles: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The cited sentences one by one."""
        return tuple(self.cited.split("\n"))


def gather(
    claim: Claim,
    citations: Sequence[Citation],
    question: str,
    passages: Sequence[Passage],
    documents: Mapping[str, Document],
) -> Grounds:
    """The grounds of ``claim``; ``citations`` are its verified ones, each with its passage."""
    cited: list[str] = []
    prose: list[str] = []
    near: list[str] = []
    around: list[str] = []
    cells: list[GroundCell] = []
    headers: list[str] = []
    others: list[str] = []
    quoted: list[str] = []
    titles: list[str] = []
    for citation in citations:
        assert citation.passage is not None
        passage = passages[citation.passage - 1]
        document = documents[passage.document_id]
        touched, before, hit = _touched(claim, citation, passage)
        cited += touched
        quoted += hit
        titles += [*passage.headings, passage.context, document.title, _spaced(document.name)]
        if passage.kind != "table":
            prose += touched
        near += [*before, *passage.headings, passage.context, document.title, _spaced(document.name)]
        around.append(passage.text)
        for table, row, page in _rows(claim, citation, passage, document):
            scale, unit = unit_scale(f"{table.unit} {table.title}")
            if DIMENSIONS.get(unit) in ("time", "month") and unit_scale(table.unit)[1] != unit:
                unit = ""  # "five years" or "for the quarter ended" in a title is no unit
            if scale == 1:
                told, money = _scale_near(passage, table, page)
                scale, unit = told, unit or money
            cells += _cells(table, row, page, scale, unit)
            headers += table.columns
            near += [table.title, table.unit, *table.columns, *row.section]
            others += [_label(r, page) for r in table.rows if r != row and not r.header]
    return Grounds(
        "\n".join(dict.fromkeys(" ".join(part.split()) for part in cited)),
        "\n".join(dict.fromkeys(part for part in near if part)),
        "\n".join(dict.fromkeys(around)),
        question,
        citations[0].label if citations else "",
        tuple(dict.fromkeys(" ".join(part.split()) for part in prose)),
        tuple(dict.fromkeys(cells)),
        tuple(dict.fromkeys(h for h in headers if h)),
        tuple(dict.fromkeys(o for o in others if o)),
        passages[citations[0].passage - 1].language or "en" if citations and citations[0].passage else "en",
        tuple(dict.fromkeys(" ".join(part.split()) for part in quoted)),
        "\n".join(dict.fromkeys(part for part in titles if part)),
    )


def _spaced(name: str) -> str:
    """A file name as words: "REPORT_2022_10K" names the year 2022."""
    return name.replace("_", " ")


def _scale_near(passage: Passage, table: Table, page: Page) -> tuple[Decimal, str]:
    """Scale and unit that stand beside a table instead of in it: "(Dollars in millions)" over it."""
    first = min((row.start for row in table.rows), default=0)
    for text in (*passage.headings, passage.context, passage.text, page.text[max(0, first - OVER) : first]):
        for note in _SCALE.findall(text):
            scale, unit = unit_scale(note)
            if scale != 1:
                return scale, unit
    return Decimal(1), ""


def _touched(claim: Claim, citation: Citation, passage: Passage) -> tuple[list[str], list[str], list[str]]:
    """The sentences that the quote touches with those most like the claim, those just before, and the touched alone."""
    text = passage.text
    bounds = sentence_bounds(text, passage.language)
    places = find_quote(citation.quote, text, passage.core) if citation.quote.strip() else ()
    hit = [i for i, (start, end) in enumerate(bounds) if any(start < b and a < end for a, b in places)]
    if not hit and citation.quote.strip():
        return [citation.quote], [text], [citation.quote]
    quoted = [text[slice(*bounds[i])] for i in hit]
    hit = sorted({*hit, *_likest(claim.text, [text[a:b] for a, b in bounds])})
    before = (
        [text[slice(*bounds[i])] for i in range(max(0, hit[0] - NEAR_SENTENCES), hit[0]) if i not in hit]
        if hit
        else []
    )
    return [text[slice(*bounds[i])] for i in hit], before, quoted


def _likest(claim: str, sentences: Sequence[str]) -> list[int]:
    """Places of the at most two sentences that share most words with ``claim``, in order."""
    wanted = set(stems(claim))
    shared = [(len(wanted & set(stems(sentence))), -i) for i, sentence in enumerate(sentences)]
    best = sorted(shared, reverse=True)[:2]
    top = best[0][0] if best else 0
    return sorted(-i for count, i in best if count and 2 * count >= top)


def _rows(
    claim: Claim, citation: Citation, passage: Passage, document: Document
) -> list[tuple[Table, TableRow, Page]]:
    """Table rows that the quote touches, and those of its passage whose label the claim names."""
    named = set(stems(claim.text))
    places = find_quote(citation.quote, passage.text, passage.core) if citation.quote.strip() else ()
    quoted = [span for start, end in places for span in passage_spans(passage, start, end)]

    def is_named(row: TableRow, page: Page) -> bool:
        label = set(stems(_label(row, page)))
        return bool(label) and label <= named

    found = _touching(quoted, document)
    if passage.kind == "table":
        found += [
            (t, row, page) for t, row, page in _touching(passage.spans, document) if is_named(row, page)
        ]
    return found


def _touching(spans: Sequence[Span], document: Document) -> list[tuple[Table, TableRow, Page]]:
    """Rows with values that lie within ``spans``, wholly or in part."""
    return [
        (table, row, page)
        for span in spans
        for page in (document.pages[span.page - 1],)
        for table in page.tables
        for row in table.rows
        if row.start < span.end and span.start < row.end and not row.header
    ]


def _label(row: TableRow, page: Page) -> str:
    cells = [page.text[c.start : c.end].strip() for c in row.cells]
    return cells[0] if len(cells) > 1 else ""


def _cells(table: Table, row: TableRow, page: Page, scale: Decimal, unit: str) -> list[GroundCell]:
    label = " / ".join([*row.section, _label(row, page)])
    found = []
    for cell in row.cells[1:] if len(row.cells) > 1 else row.cells:
        header = " ".join(h for h in table.columns[cell.column : cell.column + cell.width] if h)
        text = page.text[cell.start : cell.end].strip()
        if text:
            own_scale, own_unit = unit_scale(header)
            if DIMENSIONS.get(own_unit) in ("time", "month") and "(" not in header:
                own_unit = ""  # "Year ended" is no unit
            percent = "%" in text or "%" in header
            found.append(
                GroundCell(
                    label,
                    header,
                    text,
                    own_scale if own_scale != 1 else Decimal(1) if percent else scale,
                    "%" if percent else own_unit or unit,
                )
            )
    return found
