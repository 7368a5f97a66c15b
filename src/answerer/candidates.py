"""What an extractive answer can be made of: the sentences, table rows and form lines of the passages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from src.answerer.sentences import is_item, opens_section, sentence_bounds
from src.records import Document, Page, Passage, Span, Table, TableRow

# A sentence that leans on the one before it.
LEANING = re.compile(
    r"^\W*(?:it|its|they|their|them|these|those|this|that|he|his|she|her|such|both|the (?:latter|former|same)|in this case|(?:of|among) (?:these|those|them)"
    r"|there|here|then|otherwise|however|therefore|thus)\b",
    re.IGNORECASE,
)


# "Paul Maass, 2025", "Kent A. Liechty": a line that is a person's name, with a year or a mark behind it
_NAME = re.compile(
    r"^[A-Z][\w’'-]+(?: [A-Z]\.?)*(?: (?:de|van|von|der|la))?(?: [A-Z][\w’'-]+){1,2}(?:,? (?:Jr\.|II|III|\d{4}))?\W*$"
)
# "Activating RCAC . . . . . . 26": an entry of a table of contents, or of a price list
_LED = re.compile(r"(?:\. ?){5,}\s*(\d{1,4})(?![\d.,])")
ENTRIES = 3  # with page numbers that never fall, before they are a table of contents
SHORT = 80  # characters of a line that is a label or a field rather than a sentence


@dataclass(frozen=True, slots=True)
class Candidate:
    """A verbatim stretch [start, end) of a passage's text that may answer.

    ``kind`` is "row", "sentence", "heading", "contents" (entries of a table of contents) or that of the passage. ``passage`` is its
    place (0-based) among the passages, ``text`` the words, ``context`` what is known around them (headings, table title,
    column headers) and not quoted. For a table row ``table``, ``row`` and ``page`` are set. ``heading`` is the innermost
    heading above.
    """

    passage: int
    start: int
    end: int
    text: str
    context: str
    kind: str
    order: tuple[str, int, int]
    table: Table | None = None
    row: TableRow | None = None
    page: Page | None = None
    lead_in: str = ""
    heading: str = ""

    @property
    def reading(self) -> str:
        """The text as a model reads it, with the context it needs."""
        parts = [self.context, self.lead_in, self.text.replace("\t", " ")]
        return " ".join(part for part in parts if part)


def candidates(passages: Sequence[Passage], documents: Mapping[str, Document]) -> tuple[Candidate, ...]:
    """Every candidate of ``passages``, each stretch of a document once."""
    found: list[Candidate] = []
    seen: set[tuple[str, int, int, int]] = set()
    for number, passage in enumerate(passages):
        document = documents.get(passage.document_id)
        for candidate in _of_passage(number, passage, document):
            place = _place(passage, candidate.start, candidate.end)
            if place not in seen:
                seen.add(place)
                found.append(candidate)
    return tuple(found)


def _place(passage: Passage, start: int, end: int) -> tuple[str, int, int, int]:
    position = 0
    for span in passage.spans:
        size = span.end - span.start
        if position <= start < position + size + 1:
            first = span.start + start - position
            return passage.document_id, span.page, first, end - start
        position += size + 1
    return passage.document_id, 0, start, end


def _of_passage(number: int, passage: Passage, document: Document | None) -> list[Candidate]:
    if document is not None and passage.table is not None:
        return _rows(number, passage, document)
    if passage.kind in ("table", "form"):
        return _lines(number, passage)
    return _sentences(number, passage)


def _rows(number: int, passage: Passage, document: Document) -> list[Candidate]:
    """One candidate a row that the passage holds, header rows left out."""
    assert passage.table is not None
    page = document.pages[passage.table[0] - 1]
    table = page.tables[passage.table[1]]
    context = ". ".join(dict.fromkeys(part for part in (*passage.headings[-1:], table.title) if part))
    found = []
    for row in table.rows:
        place = row_place(passage, page.number, row)
        if row.header or place is None:
            continue
        found.append(
            Candidate(
                number,
                *place,
                page.text[row.start : row.end],
                context,
                "row",
                (passage.document_id, page.number, row.start),
                table,
                row,
                page,
            )
        )
    return found


def row_place(passage: Passage, page: int, row: TableRow) -> tuple[int, int] | None:
    """Where a row of ``page`` stands in the passage's text, None when it does not hold it."""
    position = 0
    for span in passage.spans:
        if span.page == page and span.start <= row.start and row.end <= span.end:
            return position + row.start - span.start, position + row.end - span.start
        position += span.end - span.start + 1
    return None


def _lines(number: int, passage: Passage) -> list[Candidate]:
    found = []
    for match in re.finditer(r"[^\n]+", passage.text):
        if match.group().strip():
            found.append(_candidate(number, passage, match.start(), match.end(), passage.kind))
    return found


def _sentences(number: int, passage: Passage) -> list[Candidate]:
    found: list[Candidate] = []
    bounds = sentence_bounds(passage.text, passage.language)
    contents = _contents_end(passage.text)
    title = opener = section = ""
    for place, (start, end) in enumerate(bounds):
        text = passage.text[start:end]
        lead_in = ""
        if start < contents:
            found.append(_candidate(number, passage, start, end, "contents"))
            continue
        if len(bounds) > 1 and opens_section(passage, (start, end)):
            section = text
            found.append(_candidate(number, passage, start, end, "heading"))
            continue
        before = passage.text[slice(*bounds[place - 1])] if place else ""
        if is_item(text):
            # "• higher costs" says of what only in the sentence that opens the list.
            found.append(_candidate(number, passage, start, end, "sentence", above=opener or section))
            continue
        opener = text if text.endswith(":") else ""
        entry = bool(place) and _is_entry(before, text)
        if entry or (place and LEANING.match(text) and not _is_title(before)):
            lead_in = before
        if _is_title(text):
            title = text
        elif title and len(text) <= SHORT and not lead_in:
            # "Water content 1100 litres" says of what only in the line above it.
            found.append(_candidate(number, passage, start, end, "sentence", above=title))
            continue
        found.append(_candidate(number, passage, start, end, "sentence", lead_in, section))
    return found


def _contents_end(text: str) -> int:
    """Where the entries of a table of contents end in ``text``, 0 when it holds none."""
    led = list(_LED.finditer(text))
    pages = [int(match[1]) for match in led]
    return led[-1].end() if len(pages) >= ENTRIES and pages == sorted(pages) else 0


def _is_entry(above: str, text: str) -> bool:
    """Whether two short lines are an entry of a directory: a name, and below it what he or she is."""
    return (
        len(text) <= 2 * SHORT
        and len(above) <= SHORT
        and bool(_NAME.match(above))
        and not above.endswith((".", ":"))
        and text[:1].isupper()
    )


def _is_title(text: str) -> bool:
    return len(text) <= SHORT and text[-1].isalpha() and not any(c.isdigit() or c == ":" for c in text)


def _candidate(
    number: int, passage: Passage, start: int, end: int, kind: str, lead_in: str = "", above: str = ""
) -> Candidate:
    first = _first_span(passage, start)
    context = " > ".join(passage.headings[-2:])
    if above and above not in context:
        context = f"{context}. {above}." if context else f"{above}."
    return Candidate(
        number,
        start,
        end,
        passage.text[start:end],
        context,
        kind,
        (passage.document_id, first.page, first.start),
        lead_in=lead_in,
        heading=passage.headings[-1] if passage.headings else "",
    )


def _first_span(passage: Passage, start: int) -> Span:
    position = 0
    for span in passage.spans:
        size = span.end - span.start
        if start < position + size + 1:
            return Span(span.page, span.start + max(0, start - position), span.end)
        position += size + 1
    return passage.spans[-1]
