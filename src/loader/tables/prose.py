"""Blocks of prose on a page, which are set aside before tables are looked for.

Beside a table there may be a column of text whose lines stand on the same baselines; without this, each of them would
become a cell of the row it stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence

from src.loader.layout import Word
from src.loader.tables.segments import Row, Segment

MIN_LINES = 4
MEAN_WORDS = 4.5
FILL = 0.8  # of the width of the block
FILLED_LINES = 0.55
INTRODUCTION = 4  # lines
PITCH = 2.4  # font sizes between two lines of one block


def without_prose(words: Sequence[Word], rows: Sequence[Row]) -> list[Word]:
    """``words`` without those in blocks of prose; ``rows`` are the rows of ``words``."""
    drop = {
        word.start for block in prose_blocks(rows) for _, segment in _body(block) for word in segment.words
    }
    return [word for word in words if word.start not in drop] if drop else list(words)


def prose_blocks(rows: Sequence[Row]) -> list[list[tuple[Row, Segment]]]:
    """Blocks of lines that begin at one edge, follow each other closely and fill their width, as table cells do not."""
    open_blocks: list[list[tuple[Row, Segment]]] = []
    done: list[list[tuple[Row, Segment]]] = []
    for row in rows:
        still: list[list[tuple[Row, Segment]]] = []
        for block in open_blocks:
            (still if row.baseline - block[-1][0].baseline < PITCH * row.size else done).append(block)
        open_blocks = still
        for segment in row.segments:
            home = next(
                (b for b in open_blocks if b[-1][0] is not row and _follows(b[-1][1], segment, row.size)),
                None,
            )
            if home is not None:
                home.append((row, segment))
            elif not segment.value:
                open_blocks.append([(row, segment)])
    return [block for block in done + open_blocks if _is_prose(block)]


def _body(block: list[tuple[Row, Segment]]) -> list[tuple[Row, Segment]]:
    """The block without a last sentence that ends in a colon: it introduces what follows, often a table."""
    if not block[-1][1].text.endswith(":"):
        return block
    place = len(block) - 1
    while place > max(0, len(block) - INTRODUCTION) and not block[place - 1][1].text.endswith((".", ":")):
        place -= 1
    return block[:place]


def _follows(above: Segment, segment: Segment, size: float) -> bool:
    """Under the line above, at its edge or indented by a bullet or the first line of a paragraph."""
    step = segment.x0 - above.x0
    return -3.2 * size < step < 3.2 * size and segment.x0 < above.x1 and above.x0 < segment.x1


def _is_prose(block: Sequence[tuple[Row, Segment]]) -> bool:
    if len(block) < MIN_LINES:
        return False
    segments = [segment for _, segment in block]
    words = sum(len(s.words) for s in segments)
    if words < MEAN_WORDS * len(segments):
        return False
    left, right = min(s.x0 for s in segments), max(s.x1 for s in segments)
    filled = sum(s.x1 > left + FILL * (right - left) for s in segments)
    if filled < FILLED_LINES * len(segments):
        return False
    followed = sum(any(v.value and v.x0 > segment.x1 for v in row.segments) for row, segment in block)
    return followed < 0.4 * len(segments)
