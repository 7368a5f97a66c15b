"""Running headers, footers and page numbers: what repeats near the edges of the pages, or counts them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from src.loader.layout import PageLayout, Word
from src.loader.structure.lines import make_rows

_ZONE = 0.14  # of the page height, at the top and at the bottom
_ROWS = 4  # rows of each zone that are looked at
_NEAR = 0.03  # of the page height: how far a running line may move between pages
_REPEATS = 3
_APART = 4.0  # font sizes: rows further inside belong to the text
_ROMAN = re.compile(r"(?=[ivxlc])(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})", re.IGNORECASE)
_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|sheet|p\.|s\.|strana|side|sida|стр\.?)\W*)?"
    r"([A-Z]{1,2}[-–.]\d{1,4}|\d{1,4}|[ivxlc]{1,7})"
    r"(?:\W*(?:of|von|de|sur|di|z|ze|av|/|из)\W*\d{1,4})?\W*",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Edge:
    """A row near the upper or lower edge: its text, its middle as a share of the page height, and whether nothing of
    the page's text stands closer to the edge."""

    text: str
    y: float
    outermost: bool

    @property
    def key(self) -> str:
        """The text with its numbers left open, as it repeats from page to page."""
        return _DIGITS.sub("#", " ".join(self.text.lower().split()))


def page_edges(layout: PageLayout) -> list[Edge]:
    """Rows of the upper and the lower zone, from the edge inwards, upper ones first."""
    if layout.height <= 0:
        return []
    top, bottom = _ZONE * layout.height, (1 - _ZONE) * layout.height
    upright = layout.words_between(top, bottom)
    found: list[Edge] = []
    for zone in (
        make_rows([word for word in upright if word.y1 <= top]),
        make_rows([word for word in upright if word.y0 >= bottom])[::-1],
    ):
        for place, row in enumerate(zone[:_ROWS]):
            found.append(Edge(row_text(row), row_middle(row) / layout.height, place == 0))
    return found


def row_text(row: Sequence[Word]) -> str:
    """A row's words, separated by spaces."""
    return " ".join(word.text for word in row)[:200]


def row_middle(row: Sequence[Word]) -> float:
    """Height of a row's middle on the page, in points."""
    return (row[0].y0 + row[0].y1) / 2


@dataclass(frozen=True, slots=True)
class RunningLines:
    """What repeats at the edges: for each key the heights at which it does (shares of the page height)."""

    heights: dict[str, tuple[float, ...]]

    def holds(self, text: str, y: float) -> bool:
        """Whether ``text`` at height ``y`` (a share of the page height) is a running line."""
        key = Edge(text, y, False).key
        return any(abs(y - height) <= _NEAR for height in self.heights.get(key, ()))


def running_lines(pages: Iterable[tuple[int, Sequence[Edge]]]) -> RunningLines:
    """Lines that stand at the same height on several pages. Two pages in all need a line to be on both."""
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    count = 0
    for number, edges in pages:
        count += 1
        for edge in edges:
            if edge.text.strip():
                seen[edge.key].append((number, edge.y))
    needed = _REPEATS if count > 3 else 2
    heights: dict[str, tuple[float, ...]] = {}
    for key, places in seen.items():
        if sum(c.isalpha() for c in key) < 3:
            continue  # a row of numbers may be a table's
        kept = [y for n, y in places if len({m for m, z in places if abs(z - y) <= _NEAR}) >= needed]
        if kept and count > 1:
            heights[key] = tuple(sorted({round(y, 3) for y in kept}))
    return RunningLines(heights)


def printed_number(text: str) -> str:
    """The page number that a row consists of ("Page 3 of 10" -> "3"), "" when it is none."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return ""
    number = match.group(1)
    if number.isalpha() and not _ROMAN.fullmatch(number):
        return ""
    return number


def margin_rows(
    rows: Sequence[list[Word]], height: float, running: RunningLines, label: str
) -> list[list[Word]]:
    """Rows of a page that are running header, footer or page number, among ``rows`` from top to bottom.

    They are looked for from each edge inwards; a line that follows the text at the text's own distance is text, even
    if it repeats.
    """
    found: list[list[Word]] = []
    for ordered in (rows, rows[::-1]):
        margin: list[list[Word]] = []
        for place, row in enumerate(ordered[:_ROWS]):
            following = ordered[place + 1] if place + 1 < len(ordered) else None
            lone = place == 0 and _is_lone_number(row, following, height)
            if not (lone or _is_margin(row, height, running, label)) or row in found:
                break
            if margin and abs(row[0].baseline - margin[-1][0].baseline) > _APART * row[0].size:
                break
            margin.append(row)
        inner = ordered[len(margin)] if len(margin) < len(ordered) else None
        while inner is not None and margin and _goes_on(margin[-1], inner, height, label):
            inner = margin.pop()
        found += margin
    return found


def _is_margin(row: Sequence[Word], height: float, running: RunningLines, label: str) -> bool:
    text, y = row_text(row), row_middle(row) / max(height, 1)
    if _ZONE < y < 1 - _ZONE:
        return False
    if running.holds(text, y):
        return True
    number = printed_number(text) if len(row) <= 6 else ""
    return bool(number) and (number == label or y < 0.08 or y > 0.9)


def _is_lone_number(row: Sequence[Word], following: Sequence[Word] | None, height: float) -> bool:
    """Whether the outermost row is a number by itself, far from the text, on a page with wide margins."""
    if following is None or len(row) > 3 or not printed_number(row_text(row)):
        return False
    y = row_middle(row) / max(height, 1)
    return (y < 0.2 or y > 0.78) and abs(row[0].baseline - following[0].baseline) > 2.2 * row[0].size


def _goes_on(row: Sequence[Word], inner: Sequence[Word], height: float, label: str) -> bool:
    """Whether a repeated row is set like a line of the text beside it."""
    if printed_number(row_text(row)):
        return False
    size = max(row[0].size, inner[0].size)
    apart = abs(row[0].baseline - inner[0].baseline)
    return apart < 1.7 * size and abs(row[0].size - inner[0].size) < 0.06 * size


def numbers_in(text: str) -> list[str]:
    """Numbers at the beginning or the end of a running line that may be the page's."""
    words = text.split()
    if not words:
        return []
    alone = printed_number(text)
    ends = [alone] if alone else []
    if not alone and not any(c.isalpha() for c in text):
        return []
    for word in (words[0], words[-1]):
        plain = word.strip("|-–—·•[]()")
        if (
            (plain.isdecimal() and len(plain) <= 4)
            or re.fullmatch(r"[A-Z]{1,2}[-–]\d{1,4}", plain)
            or (len(words) < 3 and _ROMAN.fullmatch(plain))
        ):
            ends.append(plain)
    return list(dict.fromkeys(ends))
