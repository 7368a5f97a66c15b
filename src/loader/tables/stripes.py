"""Stretches of lines through which stripes without text run: what may be a table of words, or columns of prose.

Words are set flush left, wrap inside their cells and share no edge of digits, so that the empty stripes between the
columns are what such a table shows first. Here they are followed down the page; ``worded`` decides what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from src.loader.tables.segments import Row

LEAST = 0.75  # font sizes: the width of a stripe; the space between words is 0.25
MAX_GAP = 4.2  # font sizes between two baselines of one table
BESIDE = 0.85  # font sizes between the baselines of lines beside each other
GROUP_WORDS = 12  # of a row that stands across all columns

Interval = tuple[float, float]


@dataclass(slots=True, eq=False)
class Stripe:
    """An upright stripe without text, from ``x0`` to ``x1``; ``count`` lines have words on both sides of it."""

    x0: float
    x1: float
    count: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """Lines [first, last] of a page with the stripes that run through them; ``across`` are the places of those that
    stand across the stripes, as a row that heads a group does."""

    first: int
    last: int
    stripes: tuple[Stripe, ...]
    across: frozenset[int]


def stretch_from(rows: Sequence[Row], first: int) -> Stretch | None:
    """The longest stretch that begins with the line ``first``, which has words on both sides of a gap."""
    stripes = [
        Stripe(*gap) for gap in gaps(rows[first], rows[first]) if gap[1] - gap[0] >= LEAST * rows[first].size
    ]
    last, across = first, set[int]()
    for place in range(first + 1, len(rows)):
        row = rows[place]
        if row.baseline - rows[place - 1].baseline > MAX_GAP * max(row.size, rows[place - 1].size):
            break
        beside = rows[place - 1] if row.baseline - rows[place - 1].baseline < BESIDE * row.size else row
        followed = _followed(stripes, row, beside)
        if followed is None:
            if not _stands_across(rows, place, stripes):
                break
            across.add(place)
            continue
        seen = [rows[i] for i in range(first, place) if i not in across]
        stripes = sorted(followed + _opened(row, beside, seen, followed), key=lambda s: s.x0)
        last = place
    kept = tuple(stripe for stripe in stripes if stripe.count >= 2)
    return Stretch(first, last, kept, frozenset(i for i in across if i < last)) if kept else None


def gaps(row: Row, beside: Row) -> list[Interval]:
    """The gaps between the segments of a line and of one that stands beside it, a little higher."""
    segments = (
        row.segments if beside is row else sorted([*row.segments, *beside.segments], key=lambda s: s.x0)
    )
    return [(a.x1, b.x0) for a, b in pairwise(segments)]


def _pieces(x0: float, x1: float, row: Row) -> list[Interval]:
    """What a line's words leave of a stripe."""
    pieces = []
    left = x0
    for word in row.words:
        if word.x1 <= left:
            continue
        if word.x0 >= x1:
            break
        if word.x0 - left >= LEAST * row.size:
            pieces.append((left, word.x0))
        left = max(left, word.x1)
    if x1 - left >= LEAST * row.size:
        pieces.append((left, x1))
    return pieces


def _followed(stripes: Sequence[Stripe], row: Row, beside: Row) -> list[Stripe] | None:
    """The stripes as far as a line leaves them; None when it crosses one that other lines agree on."""
    left, right = min(row.x0, beside.x0), max(row.x1, beside.x1)
    kept: list[Stripe] = []
    crossed = []
    for stripe in stripes:
        pieces = _pieces(stripe.x0, stripe.x1, row)
        if not pieces:
            crossed.append(stripe)
        inner = [left < a and b < right for a, b in pieces]
        kept += [Stripe(*piece, stripe.count + between) for piece, between in zip(pieces, inner, strict=True)]
    if crossed and (not kept or any(stripe.count > 1 for stripe in crossed)):
        return None
    return kept


def _opened(row: Row, beside: Row, seen: Sequence[Row], known: Sequence[Stripe]) -> list[Stripe]:
    """Stripes that begin to show in a line: no line before it has words there."""
    opened = []
    for x0, x1 in gaps(row, beside):
        if any(stripe.x0 < x1 and stripe.x1 > x0 for stripe in known):
            continue
        piece: Interval | None = (x0, x1) if x1 - x0 >= LEAST * row.size else None
        for other in seen:
            if piece is None:
                break
            piece = max(_pieces(*piece, other), key=lambda p: p[1] - p[0], default=None)
        if piece is not None:
            between = sum(other.x0 < piece[0] and piece[1] < other.x1 for other in seen)
            opened.append(Stripe(*piece, 1 + between))
    return opened


def _stands_across(rows: Sequence[Row], place: int, stripes: Sequence[Stripe]) -> bool:
    """Whether a line is the head of a group of rows: short, alone, and the stripes go on under it."""
    row = rows[place]
    if (
        len(row.segments) != 1
        or len(row.segments[0].words) > GROUP_WORDS
        or row.text.endswith((".", ",", ";"))
    ):
        return False
    following = rows[place + 1 : place + 3]
    if (
        not following
        or len(following[0].segments) < 2
        or _followed(stripes, following[0], following[0]) is None
    ):
        return False
    return row.text[:1].isupper() or not row.text[:1].isalpha()
