"""Where quoted words stand: in a passage, on the page, as boxes.

Quote and page are folded the same way before they are compared (compatibility forms, dashes, quotation marks,
white space, soft hyphens, case), and every folded character remembers where it came from, so that a match leads
back to the exact characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from src.records import Box, Page, Passage, Span, TableRow, line_boxes

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2039\u203a\u00b4`"
DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"
# Characters that print nothing: soft hyphen, zero-width marks, direction marks, pdfium's soft-hyphen stand-in.
UNSEEN = "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufffe"
FOLDS = (
    {ord(c): "-" for c in DASHES}
    | {ord(c): "'" for c in SINGLE_QUOTES}
    | {ord(c): '"' for c in DOUBLE_QUOTES}
    | {ord(c): "" for c in UNSEEN}
)
ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:\.{3}|\u2026)\s*\]|\(\s*(?:\.{3}|\u2026)\s*\)|\.{3,}|\u2026)\s*")
EDGES = " \t\r\n\"'.,;:!?"


@dataclass(frozen=True, slots=True)
class Folded:
    """Text made comparable; character i of ``text`` stands for source characters [starts[i], ends[i])."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def without(self, pattern: re.Pattern[str]) -> Folded:
        """The same text with every match of ``pattern`` left out."""
        kept: list[int] = []
        position = 0
        for match in pattern.finditer(self.text):
            kept.extend(range(position, match.start()))
            position = match.end()
        kept.extend(range(position, len(self.text)))
        return Folded(
            "".join(self.text[i] for i in kept),
            tuple(self.starts[i] for i in kept),
            tuple(self.ends[i] for i in kept),
        )


# A space between two digits is kept: "12 480" and "1 2480" are different numbers.
SPACES = re.compile(r"(?<!\d) | (?!\d)")
SPACES_AND_HYPHENS = re.compile(r"(?<!\d)[ -]|[ -](?!\d)")


@lru_cache(maxsize=256)
def fold(text: str) -> Folded:
    """``text`` in compatibility form, caseless, with dashes, quotation marks and white space made equal."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    i, size = 0, len(text)
    while i < size:
        j = i + 1
        while j < size and unicodedata.combining(text[j]):
            j += 1
        piece = text[i:j]
        if len(piece) > 1 or not piece.isascii():
            piece = unicodedata.normalize("NFKC", piece.translate(FOLDS)).translate(FOLDS)
        for char in piece.casefold():
            if char.isspace():
                if out and out[-1] == " ":
                    ends[-1] = j
                    continue
                char = " "
            out.append(char)
            starts.append(i)
            ends.append(j)
        i = j
    return Folded("".join(out), tuple(starts), tuple(ends))


def find_quote(quote: str, text: str, prefer: tuple[int, int] | None = None) -> tuple[tuple[int, int], ...]:
    """The [start, end) stretches of ``text`` that hold the words of ``quote``; empty when they do not stand there.

    An ellipsis in the quote splits it; its parts must follow each other. Of several places the first inside
    ``prefer`` is taken.
    """
    parts = [part for part in (p.strip(EDGES) for p in ELLIPSIS.split(quote)) if part]
    if not parts:
        return ()
    plain = fold(text)
    for pattern in (None, SPACES, SPACES_AND_HYPHENS):
        source = plain.without(pattern) if pattern else plain
        found = _find_parts([_needle(part, pattern) for part in parts], source, prefer)
        if found:
            return found
    return ()


def _needle(part: str, pattern: re.Pattern[str] | None) -> str:
    folded = fold(part)
    return (folded.without(pattern) if pattern else folded).text.strip(EDGES)


def _find_parts(
    needles: Sequence[str], source: Folded, prefer: tuple[int, int] | None
) -> tuple[tuple[int, int], ...]:
    places: list[tuple[int, int]] = []
    position = 0
    for needle in needles:
        if not needle:
            continue
        hits = list(_whole_words(needle, source, position))
        if not hits:
            return ()
        start = hits[0]
        if prefer and not places:
            inside = [h for h in hits if prefer[0] <= source.starts[h] < prefer[1]]
            start = inside[0] if inside else start
        position = start + len(needle)
        places.append((source.starts[start], source.ends[position - 1]))
    return tuple(places)


def _whole_words(needle: str, source: Folded, position: int) -> Iterable[int]:
    """Starts of ``needle`` in ``source`` where it neither begins nor ends inside a word or a number."""
    text = source.text
    while (position := text.find(needle, position)) >= 0:
        end = position + len(needle)
        before = text[max(0, position - 2) : position] if _adjacent(source, position) else ""
        after = text[end : end + 2] if _adjacent(source, end) else ""
        if not _splits(before, needle[0], needle[-1], after):
            yield position
        position += 1


def _adjacent(source: Folded, position: int) -> bool:
    """Whether nothing was left out before folded character ``position``."""
    return 0 < position < len(source.text) and source.ends[position - 1] == source.starts[position]


def _splits(before: str, first: str, last: str, after: str) -> bool:
    if _joined(before[-1:], first) or _joined(last, after[:1]):
        return True
    in_number = first.isdigit() and before[-1:] in (".", ",") and before[:1].isdigit()
    return in_number or (last.isdigit() and after[:1] in (".", ",") and after[1:2].isdigit())


def _joined(left: str, right: str) -> bool:
    # Chinese, Japanese and Thai set no spaces, so a quote may begin at any character there.
    return left.isalnum() and right.isalnum() and not (_unspaced(left) or _unspaced(right))


def _unspaced(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\u0e00" <= char <= "\u0eff" or "\uf900" <= char <= "\ufaff"


def passage_spans(passage: Passage, start: int, end: int) -> tuple[Span, ...]:
    """The page spans of ``passage.text[start:end]``."""
    found = []
    position = 0
    for span in passage.spans:
        size = span.end - span.start
        first, last = max(start, position), min(end, position + size)
        if first < last:
            found.append(Span(span.page, span.start + first - position, span.start + last - position))
        position += size + 1
    return tuple(found)


def find_spans(quote: str, passage: Passage, pages: Sequence[Page]) -> tuple[Span, ...]:
    """Page spans of ``quote`` in ``passage``, else anywhere on its pages; empty when it stands on none of them."""
    places = find_quote(quote, passage.text, passage.core)
    if places:
        return tuple(span for start, end in places for span in passage_spans(passage, start, end))
    for number in passage.pages:
        places = find_quote(quote, pages[number - 1].text)
        if places:
            return tuple(Span(number, start, end) for start, end in places)
    return ()


def mark_boxes(spans: Sequence[Span], pages: Sequence[Page]) -> tuple[Box, ...]:
    """Boxes that mark ``spans`` on their pages; what covers several cells of a table row is marked as a row."""
    boxes: list[Box] = []
    for span in spans:
        page = pages[span.page - 1]
        position = span.start
        for row in _rows_quoted(page, span):
            boxes.extend(line_boxes(page, position, row.start))
            boxes.extend(_row_box(page, row))
            position = max(position, row.end)
        if position < span.end:
            boxes.extend(line_boxes(page, position, span.end))
    return tuple(dict.fromkeys(boxes))


def _rows_quoted(page: Page, span: Span) -> list[TableRow]:
    """Rows of which ``span`` covers more than one cell, in page order."""
    rows = [
        row
        for table in page.tables
        for row in table.rows
        if row.start < span.end and span.start < row.end
        if sum(c.start < span.end and span.start < c.end for c in row.cells) > 1
    ]
    return sorted(rows, key=lambda row: row.start)


def _row_box(page: Page, row: TableRow) -> tuple[Box, ...]:
    parts = line_boxes(page, row.start, row.end)
    if not parts:
        return ()
    return (
        Box(
            page.number,
            min(b.x0 for b in parts),
            min(b.y0 for b in parts),
            max(b.x1 for b in parts),
            max(b.y1 for b in parts),
        ),
    )


def page_label(numbers: Sequence[int], pages: Sequence[Page]) -> str:
    """What the reader sees: "p. 4", "p. 7 (printed 3)", "pp. 1-2"; the printed label only where it differs."""
    if not numbers:
        return ""
    first, last = numbers[0], numbers[-1]
    name = f"p. {first}" if first == last else f"pp. {first}-{last}"
    printed = [pages[n - 1].label.strip() for n in dict.fromkeys((first, last))]
    if all(printed) and printed != [str(n) for n in dict.fromkeys((first, last))]:
        name += f" (printed {'-'.join(printed)})"
    return name
