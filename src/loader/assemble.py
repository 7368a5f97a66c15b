"""A layout to the ``Page`` that leaves the loader: reading order, paragraphs, repaired text with a box a character.

``assemble_page`` is what every stage ends in: the text pass calls it with the page's own words, the tables stage with
``tables``, the OCR stage after ``layout.with_words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from src.loader.columns import regions
from src.loader.layout import PageLayout, Style, Word
from src.loader.lines import Line, make_lines
from src.loader.repair import Vocabulary, joined_at_break, repaired
from src.loader.words import reading_frame
from src.records import Block, BlockKind, FloatArray, Page, PageState

NO_PLACE = -1


@dataclass(frozen=True, slots=True)
class Context:
    """What assembling a page needs to know of the whole document."""

    label: str = ""
    vocabulary: Vocabulary = field(default_factory=Vocabulary)


@dataclass(slots=True)
class TextBuilder:
    """Page text as it grows: characters with the glyph each comes from, and blocks."""

    pieces: list[str] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def add_word(self, word: Word) -> None:
        self.pieces.append(word.text)
        self.places.extend(range(word.start, word.start + len(word.text)))

    def add(self, text: str) -> None:
        self.pieces.append(text)
        self.places.extend([NO_PLACE] * len(text))

    def drop_last(self) -> None:
        self.pieces[-1] = self.pieces[-1][:-1]
        self.places.pop()

    def begin(self) -> int:
        if self.places:
            self.add("\n\n")
        return len(self.places)

    def end(self, kind: BlockKind, start: int, level: int = 0) -> None:
        self.blocks.append(Block(kind, start, len(self.places), level))


def assemble_page(layout: PageLayout, context: Context) -> Page:
    """The page of ``layout``. Text of other directions follows the main one's."""
    builder = TextBuilder()
    words = layout.words()
    for turn, _ in Counter(word.turn for word in words for _ in word.text).most_common():
        chosen = [word for word in words if word.turn == turn]
        for region in regions(make_lines(_in_frame(chosen, turn))):
            for paragraph in paragraphs(region):
                start = builder.begin()
                _write(builder, paragraph, context.vocabulary)
                builder.end(BlockKind.PARAGRAPH, start)
    for label, value in layout.form:
        start = builder.begin()
        builder.add(f"{label}: {value}" if label else value)
        builder.end(BlockKind.FORM, start)
    text, boxes, blocks = repaired("".join(builder.pieces), _boxes(layout, builder.places), builder.blocks)
    state, reason = _state(layout, text)
    hidden = " ".join(w.text for w in layout.words(hidden=True) if w.style & (Style.HIDDEN | Style.STRUCK))
    return Page(
        layout.number, context.label, layout.width, layout.height, text, boxes, blocks,
        state=state, reason=reason, hidden=hidden,
    )  # fmt: skip


def paragraphs(region: Sequence[Line]) -> list[list[list[Line]]]:
    """Paragraphs of a stretch that is read straight down; a paragraph is rows, a row its pieces."""
    rows: list[list[Line]] = []
    for line in region:
        if rows and abs(rows[-1][0].baseline - line.baseline) < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    found: list[list[list[Line]]] = []
    for row in rows:
        if found and not _breaks_paragraph(found[-1][-1], row):
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _breaks_paragraph(last: list[Line], row: list[Line]) -> bool:
    size = max(last[0].size, row[0].size)
    apart = row[0].baseline - last[0].baseline
    resized = abs(last[0].size - row[0].size) > 0.15 * size
    tables = (len(last) > 1) != (len(row) > 1)
    return apart > 1.75 * size or apart < 0 or resized or tables or last[0].bold != row[0].bold


def _write(builder: TextBuilder, paragraph: list[list[Line]], vocabulary: Vocabulary) -> None:
    tabular = any(len(row) > 1 for row in paragraph)
    last: Word | None = None
    for row in paragraph:
        for cell, line in enumerate(row):
            for place, word in enumerate(line.words):
                if last is not None:
                    _join(
                        builder, last, word, "\t" if place == 0 and cell else _gap(place, tabular), vocabulary
                    )
                builder.add_word(word)
                last = word


def _gap(place: int, tabular: bool) -> str:
    return "\n" if place == 0 and tabular else " "


def _join(builder: TextBuilder, last: Word, word: Word, gap: str, vocabulary: Vocabulary) -> None:
    new_line = word.baseline > last.baseline + 0.5 * last.size
    if new_line and gap == " " and last.text.endswith("-") and len(last.text) > 1:
        joined = joined_at_break(last.text, word.text, vocabulary)
        if joined == "drop":
            builder.drop_last()
            return
        if joined == "keep":
            return
    builder.add(gap)


def _in_frame(words: list[Word], turn: int) -> list[Word]:
    if not turn:
        return words
    boxes = reading_frame(np.array([word[1:5] for word in words], np.float32), turn)
    baselines = np.array([word.baseline for word in words])
    if turn in (90, 180):
        baselines = -baselines
    return [
        word._replace(x0=x0, y0=y0, x1=x1, y1=y1, baseline=baseline)
        for word, (x0, y0, x1, y1), baseline in zip(words, boxes.tolist(), baselines.tolist(), strict=True)
    ]


def _boxes(layout: PageLayout, places: list[int]) -> FloatArray:
    nowhere = np.full((1, 4), np.nan, np.float32)
    return np.concatenate([layout.boxes, nowhere])[np.array(places, np.int64)].reshape(-1, 4)


def _state(layout: PageLayout, text: str) -> tuple[PageState, str]:
    if layout.failed:
        return PageState.UNREADABLE, layout.failed
    if layout.garbled:
        return PageState.PENDING, layout.garbled
    if text.strip():
        return PageState.TEXT, ""
    if len(layout.images):
        return PageState.PENDING, "The page is a picture without a text layer."
    return PageState.EMPTY, "The page is empty."
