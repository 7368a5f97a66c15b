"""Names and values in turn, as forms, policies and leases have them: tables whose first row heads nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from src.loader.layout import Word
from src.loader.tables.segments import SIGN, YEAR, is_value

_MOST_COLUMNS = 6
_NAME_WORDS = 6
_MOSTLY = 0.75
_DATED = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?,?|[QHT][1-4]")  # the day of a date, a quarter

Cells = Mapping[int, Sequence[Word]]


def are_fields(rows: Sequence[Cells], count: int, *, bold: bool, marked: bool) -> bool:
    """Whether the ``rows`` of a table of ``count`` columns are fields. The first of them may be set apart as a header is:
    ``bold`` over plain, or ``marked`` by a shade or a line."""
    rows = [row for row in rows if len(row) > 1]
    if count % 2 or count > _MOST_COLUMNS or len(rows) < 2:
        return False
    names = [row[column] for row in rows for column in range(0, count, 2) if column in row]
    values = [row[column] for row in rows for column in range(1, count, 2) if column in row]
    if not values or len(names) < 0.8 * len(values) or not are_names(names):
        return False
    if sum(words[-1].text.endswith(":") for words in names) >= 0.6 * len(names):
        return True
    if bold:
        return False
    if not marked and _share(names, _is_bold) > 0.9 and _share(values, _is_bold) < 0.3:
        return True
    body = [row[1] for row in rows[1:] if 1 in row]
    if not body or _share(body, _is_number) >= 0.6:
        return False
    if _is_filled_in(rows[0].get(1, ())):
        return True
    filled_in = _share(values, _is_filled_in) >= 0.5
    return not marked and ((count > 2 and filled_in) or (len(body) > 2 and _is_mixed(body)))


def are_names(cells: Sequence[Sequence[Word]]) -> bool:
    """Whether most ``cells`` are short, begin with a letter and are no values, and hardly one comes twice."""
    texts = [" ".join(word.text for word in words) for words in cells]
    short = sum(
        len(words) <= _NAME_WORDS and text[:1].isalpha() for words, text in zip(cells, texts, strict=True)
    )
    valued = sum(map(_is_number, cells))
    return short >= 0.9 * len(cells) and valued <= 0.1 * len(cells) and len(set(texts)) >= 0.8 * len(texts)


def _share(cells: Sequence[Sequence[Word]], holds: Callable[[Sequence[Word]], bool]) -> float:
    return sum(map(holds, cells)) / max(1, len(cells))


def _is_bold(words: Sequence[Word]) -> bool:
    return all(word.bold for word in words)


def _is_number(words: Sequence[Word]) -> bool:
    return all(is_value(word.text) or SIGN.fullmatch(word.text) for word in words)


def _is_filled_in(words: Sequence[Word]) -> bool:
    """Whether a cell has figures as no header has: neither a year nor part of a date."""
    return any(
        any(map(str.isdigit, word.text)) and not YEAR.fullmatch(word.text) and not _DATED.fullmatch(word.text)
        for word in words
    )


def _is_mixed(cells: Sequence[Sequence[Word]]) -> bool:
    """Whether the cells of a column are now figures and now words."""
    kinds = Counter(
        "number" if _is_number(words) else "figures" if _is_filled_in(words) else "words" for words in cells
    )
    return max(kinds.values()) <= _MOSTLY * len(cells) and kinds["words"] > 0
