"""One card a page: its title and the labels of its rows, without the numbers.

A page of a financial statement is a poor text: most of it is figures, and its rows are spread over several chunks,
none of which says what the page is. Its title and its labels together do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from src.index.keywords import KeywordIndex, build_keywords, terms_of
from src.models.base import Models
from src.records import BlockKind, Chunk, Document, FloatArray, Page

TITLE_WEIGHT = 2.0
TITLE_CHARS = 240
LABEL_CHARS = 1500
COMMON = 0.2  # share of the pages above which a line is a running header, whatever the loader took it for
FEWEST_NUMBERS = 12  # on a page without a table that gets a card all the same

_NUMBER = re.compile(r"\d[\d,.]*")
_FIGURES = re.compile(r"(?:[-—–$€£¥()%]|\d[\d,.]*)+")


@dataclass(frozen=True, slots=True, eq=False)
class Cards:
    """Cards of the pages ``pages`` (physical numbers): a keyword index and unit rows of static vectors."""

    pages: tuple[int, ...]
    keywords: KeywordIndex
    static: FloatArray | None


def build_cards(document: Document, chunks: Sequence[Chunk], models: Models, language: str) -> Cards:
    """Cards for every page with a table or many numbers."""
    with_tables = {chunk.spans[0].page for chunk in chunks if chunk.kind == "table"}
    headings = {page: chunk.headings for chunk in reversed(chunks) for page in chunk.pages}
    common = _common_lines(document.pages)
    numbers, titles, labels = [], [], []
    for page in document.pages:
        if page.number in with_tables or len(_NUMBER.findall(page.text)) >= FEWEST_NUMBERS:
            numbers.append(page.number)
            path = " ".join(headings.get(page.number, ())[-2:])
            titles.append(f"{path} {_title(page, common)}".strip())
            labels.append(_labels(page, common))
    fields = [
        ((terms_of(title, language), TITLE_WEIGHT), (terms_of(label, language), 1.0))
        for title, label in zip(titles, labels, strict=True)
    ]
    texts = [f"{title} {label}" for title, label in zip(titles, labels, strict=True)]
    static = models.static.embed(texts) if models.static and texts else None
    return Cards(tuple(numbers), build_keywords(fields), static)


def _common_lines(pages: Sequence[Page]) -> frozenset[str]:
    counts = Counter(line for page in pages for line in {_bare(line) for line in page.text.split("\n")})
    return frozenset(line for line, count in counts.items() if count > max(3, COMMON * len(pages)))


def _bare(line: str) -> str:
    return " ".join(_FIGURES.sub(" ", line).split())


def _title(page: Page, common: frozenset[str]) -> str:
    """The first lines of the page, and the titles and headers of its tables."""
    parts: list[str] = []
    for block in page.blocks:
        if block.kind is BlockKind.MARGIN:
            continue
        if block.kind is BlockKind.TABLE or sum(map(len, parts)) > TITLE_CHARS:
            break
        line = _bare(page.text[block.start : block.end])
        if line not in common:
            parts.append(line[:TITLE_CHARS])
    tables = [part for table in page.tables for part in (table.title, table.unit)]
    return " ".join([*parts, *dict.fromkeys(tables)])[: 2 * TITLE_CHARS]


def _labels(page: Page, common: frozenset[str]) -> str:
    kept: list[str] = []
    for block in page.blocks:
        if block.kind is BlockKind.MARGIN:
            continue
        lines = (_bare(line) for line in page.text[block.start : block.end].split("\n"))
        kept += [line for line in lines if line and line not in common]
    return " ".join(kept)[:LABEL_CHARS]
