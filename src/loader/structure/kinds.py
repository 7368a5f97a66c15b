"""What a paragraph is: heading (and of which level), caption, list, footnote, or running text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from src.loader.layout import Style
from src.loader.structure.facts import DocumentFacts
from src.loader.structure.lines import Line
from src.records import BlockKind, FloatArray

Row = list[Line]

_BULLET = re.compile(r"[•●○◦▪▫■□◆◇►▶‣⁃∙·–—\-*✓✔✗✘☐☑☒❏❑❒→➔➢➤\uf0b7\uf0a7o]$")
_ITEM = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?)$")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|chart|exhibit|abb(?:ildung|\.)|tabelle|tableau|figura|tabla|图|表|図|그림|표)\s*"
    r"[A-Z]?\.?-?\d",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"(?:(?:chapter|part|section|article|kapitel|teil|chapitre|item|note|appendix|annex)\s+)?"
    r"((?:[A-Z]|\d{1,3}|[IVX]{1,5})(?:\.\d{1,3})*)[.):]?$",
    re.IGNORECASE,
)
_WORDED = re.compile(r"(?:chapter|part|item|appendix|annex|kapitel|teil|chapitre)$", re.IGNORECASE)
_LONGEST_HEADING = 220
_SMALLER = 0.93


def begins_item(line: Line) -> bool:
    """Whether a line begins with a bullet or the number of a list item."""
    first = line.words[0].text
    if len(line.words) < 2:
        return False
    return bool(_BULLET.match(first)) or (len(first) <= 6 and bool(_ITEM.match(first)))


def has_bullet(line: Line) -> bool:
    """Whether a line begins with a bullet."""
    return len(line.words) > 1 and bool(_BULLET.match(line.words[0].text))


def kind_of(rows: Sequence[Row], facts: DocumentFacts, page: int) -> tuple[BlockKind, int]:
    """Kind and heading level of a paragraph of ``rows``."""
    line = rows[0][0]
    if any(len(row) > 1 for row in rows):
        return BlockKind.TABLE, 0
    text = " ".join([row[0].text for row in rows])
    level = outline_level(text, facts, page)
    if level:
        return BlockKind.HEADING, level
    if _CAPTION.match(text) and len(text) < 400:
        return BlockKind.CAPTION, 0
    if begins_item(line) and not (line.bold and len(rows) == 1 and not _BULLET.match(line.words[0].text)):
        return BlockKind.LIST, 0
    if is_heading(rows, text, facts):
        return BlockKind.HEADING, heading_level(line, text, facts)
    return BlockKind.PARAGRAPH, 0


def outline_level(text: str, facts: DocumentFacts, page: int) -> int:
    """Level of the bookmark of this page or the one before that has the title ``text``, else 0."""
    if len(text) > _LONGEST_HEADING:
        return 0
    entries = (*facts.outline.get(page, ()), *facts.outline.get(page - 1, ()))
    plain = _plain(text) if entries else ""
    if not plain:
        return 0
    for entry in entries:
        title = _plain(entry.title)
        if title and (
            plain == title or (len(title) > 8 and (plain.endswith(title) or title.endswith(plain)))
        ):
            longer, shorter = max(len(plain), len(title)), min(len(plain), len(title))
            if shorter > 0.7 * longer:
                return entry.level
    return 0


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def is_heading(rows: Sequence[Row], text: str, facts: DocumentFacts) -> bool:
    """Whether a paragraph stands out as a heading: larger, or bold on its own short lines, and not a sentence."""
    line = rows[0][0]
    if len(rows) > 4 or len(text) > _LONGEST_HEADING:
        return False
    letters = sum(map(str.isalpha, text))
    if letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    larger = line.size >= 1.13 * facts.body
    if larger and len(text) <= 160:
        return not (text.endswith((".", ";", ",")) and len(text) > 90)
    if len(rows) > 2 or text.endswith((".", ";", ",")) or text[0].islower():
        return False
    short = len(text) <= 110
    if (
        short
        and len(rows) == 1
        and len(line.words) <= 12
        and (line.underlined or line.italic)
        and text[0].isupper()
    ):
        return line.underlined or len(line.words) > 1
    if line.bold and not facts.body_bold and line.size >= 0.92 * facts.body:
        return short
    capitals = sum(map(str.isupper, text))
    return short and len(rows) == 1 and capitals == letters and letters >= 6 and len(line.words) <= 10


def heading_level(line: Line, text: str, facts: DocumentFacts) -> int:
    """1 for the largest headings of the document, then by size; numbering (2.3.1) tells levels of one size apart."""
    sizes = facts.heading_sizes
    level = next((n for n, size in enumerate(sizes, 1) if line.size >= size - 0.5), len(sizes) + 1)
    match = _NUMBERING.match(line.words[0].text)
    if match and "." in match.group(1).rstrip("."):
        level = max(level, match.group(1).rstrip(".").count(".") + 1)
    return min(level, 6)


def is_footnote(rows: Sequence[Row], facts: DocumentFacts, height: float, rules: FloatArray) -> bool:
    """Whether a paragraph in the lower part of the page is a note: small, and begun by a mark or under a short line."""
    line = rows[0][0]
    if line.y0 < 0.45 * height or line.size > _SMALLER * facts.body or any(len(row) > 1 for row in rows):
        return False
    if _CAPTION.match(line.text):
        return False
    first = line.words[0]
    above = line.y0 - rules[:, 1]
    width = rules[:, 2] - rules[:, 0]
    short = (width > 3 * line.size) & (width < 0.45 * height) & (rules[:, 3] - rules[:, 1] < 2)
    if bool(
        np.any(
            (above > -2) & (above < 1.6 * line.size) & short & (np.abs(rules[:, 0] - line.x0) < 2 * line.size)
        )
    ):
        return True
    marked = bool(first.style & Style.RAISED) or bool(
        re.match(r"[*†‡§¶⁰¹²³⁴⁵⁶⁷⁸⁹]|\d{1,3}$|\(\d{1,2}\)$", first.text)
    )
    return marked and len(line.words) > 1
