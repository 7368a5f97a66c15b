"""Names over their values or beside them in a grid, as notes, invoices and data sheets have them, without lines.

A row of names set in one type, close under it their values in another, and the same again below; titles of addresses
side by side ("Bill to", "Deliver to"); names and values in turn in one line. Read line by line a value would be far
from its name, or the header of the table below; each name and its value are one row of a table of fields.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from src.loader.layout import Word
from src.loader.tables.fields import are_fields, are_names
from src.loader.tables.found import FoundCell, FoundRow, FoundTable
from src.loader.tables.segments import YEAR, Row, Segment

_LEAST_GROUPS = 2
_MOST_LINES = 6  # of a value: an address
_PITCH = 3.0  # font sizes between two lines
_SIDE = 0.6  # font sizes by which a value may stand beside the left edge of its name
_CLOSE = 2.2  # font sizes between two lines of one type that belong together
_PAIRS = (4, 6)  # segments of a line of names and values in turn
_ADDRESS = re.compile(
    r"(?:(?:bill|invoice|deliver|ship|sold|send|remit|mail)(?:ed)? ?(?:to|from)|(?:billing|delivery|shipping|postal|invoice) "
    r"address|from|to|buyer|seller|supplier|customer|vendor|consignor|consignee|sender|recipient|shipper|payer|payee|"
    r"rechnungs(?:adresse|anschrift)|liefer(?:adresse|anschrift)|absender|empfänger|adresse de (?:facturation|livraison)|"
    r"expéditeur|destinataire):?",
    re.IGNORECASE,
)
_OTHER_SIZE = 0.92  # of the larger: type of another size


@dataclass(frozen=True, slots=True)
class _Group:
    """A row of names and the rows of their values; the rows of the page [first, end)."""

    first: int
    end: int
    names: Row
    values: tuple[Row, ...]


def stacked_fields(rows: Sequence[Row]) -> list[FoundTable]:
    """Tables of names and values among ``rows``, two columns each."""
    if not any(len(row.segments) > 1 for row in rows):
        return []
    return _over_values(rows) + _beside_values(rows)


def _beside_values(rows: Sequence[Row]) -> list[FoundTable]:
    """Lines of names and values in turn, one under the other; a line of words over them would head columns."""
    tables: list[FoundTable] = []
    place = 0
    while place < len(rows):
        end = place + 1
        while end < len(rows) and _in_grid(rows[place], rows[end - 1], rows[end]):
            end += 1
        chosen = rows[place:end]
        headed = place > 0 and len(rows[place - 1].segments) > 2 and _is_close(rows[place - 1], rows[place])
        if len(chosen) > 1 and not headed and _are_pairs(chosen):
            pairs = [
                (row.segments[i].words, row.segments[i + 1].words)
                for row in chosen
                for i in range(0, len(row.segments), 2)
            ]
            tables.append(_table(chosen[0].y0, pairs))
        place = end
    return tables


def _in_grid(first: Row, above: Row, row: Row) -> bool:
    return (
        len(row.segments) == len(first.segments)
        and _is_close(above, row)
        and all(
            abs(a.x0 - b.x0) < _SIDE * row.size for a, b in zip(first.segments, row.segments, strict=True)
        )
    )


def _is_close(above: Row, row: Row) -> bool:
    return row.baseline - above.baseline < _CLOSE * max(row.size, above.size)


def _are_pairs(rows: Sequence[Row]) -> bool:
    count = len(rows[0].segments)
    values = [segment.words for row in rows for segment in row.segments[1::2]]
    cells = [{place: segment.words for place, segment in enumerate(row.segments)} for row in rows]
    return (
        count in _PAIRS
        and all(map(_has_figures, values))
        and are_fields(cells, count, bold=False, marked=False)
    )


def _has_figures(words: Sequence[Word]) -> bool:
    return any(any(map(str.isdigit, word.text)) and not YEAR.fullmatch(word.text) for word in words)


def _over_values(rows: Sequence[Row]) -> list[FoundTable]:
    """Names over their values, group by group."""
    tables: list[FoundTable] = []
    place = 0
    while place < len(rows) - 1:
        groups: list[_Group] = []
        end = place
        while (group := _group(rows, end)) is not None and (not groups or _goes_on(groups[-1], group)):
            groups.append(group)
            end = group.end
        if _are_fields(groups) and not _go_on_beyond(rows, groups):
            tables.append(_table(groups[0].names.y0, [pair for group in groups for pair in _pairs(group)]))
            place = end
        else:
            place += 1
    return tables


def _group(rows: Sequence[Row], first: int) -> _Group | None:
    """The names that stand in row ``first`` with the values under them."""
    if first >= len(rows) or not _may_be_names(rows[first]):
        return None
    names, end = rows[first], first + 1
    while end < len(rows) and end - first <= _MOST_LINES and _is_under(names, rows[end - 1], rows[end]):
        end += 1
    values = rows[first + 1 : end]
    filled = {_column(names, segment) for row in values for segment in row.segments}
    if len(filled) < len(names.segments):
        return None
    return _Group(first, end, names, tuple(values))


def _may_be_names(row: Row) -> bool:
    cut = any(segment.words[-1].text.endswith((",", "-")) for segment in row.segments)
    return not cut and len(row.segments) > 1 and len({_type_of(s) for s in row.segments}) == 1


def _is_under(names: Row, above: Row, row: Row) -> bool:
    """Whether ``row`` holds values of ``names``: in another type, or in any under titles of addresses, each at the left
    edge of a name."""
    address = _are_addresses(names)
    near = row.baseline - above.baseline < (_CLOSE if address else _PITCH) * max(row.size, above.size)
    other = address or all(_differ(_type_of(s), _type_of(names.segments[0])) for s in row.segments)
    return near and other and all(_column(names, s) is not None for s in row.segments)


def _are_addresses(names: Row) -> bool:
    return all(_ADDRESS.fullmatch(segment.text) for segment in names.segments)


def _column(names: Row, segment: Segment) -> int | None:
    """The name at whose left edge ``segment`` begins."""
    slack = _SIDE * max(word.size for word in segment.words)
    return next((i for i, name in enumerate(names.segments) if abs(name.x0 - segment.x0) < slack), None)


def _type_of(segment: Segment) -> tuple[bool, float]:
    """Whether its words are bold, and their size."""
    return all(word.bold for word in segment.words), round(max(word.size for word in segment.words), 1)


def _differ(one: tuple[bool, float], other: tuple[bool, float]) -> bool:
    return one[0] != other[0] or min(one[1], other[1]) < _OTHER_SIZE * max(one[1], other[1])


def _goes_on(above: _Group, group: _Group) -> bool:
    """Whether a group stands in the grid of the one before it, in the same type."""
    fewer, more = sorted((above.names, group.names), key=lambda row: len(row.segments))
    last = above.values[-1]
    return (
        _type_of(above.names.segments[0]) == _type_of(group.names.segments[0])
        and group.names.baseline - last.baseline < 1.5 * _PITCH * max(last.size, group.names.size)
        and all(_column(more, segment) is not None for segment in fewer.segments)
    )


def _are_fields(groups: Sequence[_Group]) -> bool:
    """Whether the groups are fields and not a table headed anew: most values have one line, and longer ones no figures in
    columns."""
    if len(groups) == 1 and _are_addresses(groups[0].names) and len(groups[0].values) > 1:
        return True
    if len(groups) < _LEAST_GROUPS or not are_names([s.words for g in groups for s in g.names.segments]):
        return False
    longer = [group for group in groups if len(group.values) > 1]
    values = [segment for group in longer for row in group.values for segment in row.segments]
    return 2 * len(longer) <= len(groups) and not any(segment.value for segment in values)


def _go_on_beyond(rows: Sequence[Row], groups: Sequence[_Group]) -> bool:
    """Whether the columns go on over or under the groups, close by: lists side by side, whose lines happen to be level
    here."""
    first, end = groups[0].first, groups[-1].end
    names = max((group.names for group in groups), key=lambda row: len(row.segments))
    above = rows[first - 1] if first and _is_close(rows[first - 1], rows[first]) else None
    below = rows[end] if end < len(rows) and _is_close(rows[end - 1], rows[end]) else None
    return (above is not None and any(_column(names, s) for s in above.segments)) or (
        below is not None and any(_column(names, s) is not None for s in below.segments)
    )


def _pairs(group: _Group) -> list[tuple[list[Word], list[Word]]]:
    held: list[list[Word]] = [[] for _ in group.names.segments]
    for row in group.values:
        for segment in row.segments:
            held[_column(group.names, segment) or 0] += segment.words
    return [(name.words, words) for name, words in zip(group.names.segments, held, strict=True)]


def _table(y0: float, pairs: Sequence[tuple[Sequence[Word], Sequence[Word]]]) -> FoundTable:
    rows = [FoundRow((FoundCell(tuple(name), 0), FoundCell(tuple(value), 1))) for name, value in pairs]
    return FoundTable(y0, "", "", ("", ""), tuple(rows))
