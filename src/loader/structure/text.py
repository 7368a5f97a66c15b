"""Words in reading order to page text, with the glyph behind every character."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from src.loader.layout import Style, Word
from src.loader.structure.hyphens import HYPHENS, Vocabulary, joined_at_break
from src.loader.structure.lines import Line
from src.records import Block, BlockKind, FloatArray

_NOWHERE = -1
_BEHIND_A_SPACE = -2  # less the first glyph: a piece that begins with a space of its own
# A dash set close, or an address, goes on without a space where the line breaks: 2018–|51, https://|www
_CLOSE_AT_BREAK = re.compile(r"\w[–—]$|(?:://|www\.).*/$|://$|\w@$")
_CLOSE = Style.POWER | Style.GLUED
_FIRST_UNSPACED = "\u2e80"
_UNSPACED = re.compile(
    "[\u2e80-\u30ff\u31f0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff]"
)


@dataclass(slots=True)
class TextBuilder:
    """Page text as it grows: pieces, the glyph each one begins with (``_NOWHERE``, ``_BEHIND_A_SPACE``), its length,
    and blocks."""

    vocabulary: Vocabulary
    pieces: list[str] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)

    def boxes(self, glyph_boxes: FloatArray) -> FloatArray:
        """Box of every character, NaN where there is none."""
        nowhere = np.full((1, 4), np.nan, np.float32)
        lengths = np.fromiter(map(len, self.pieces), np.int64, len(self.pieces))
        sources = np.array(self.sources, np.int64)
        starts = np.cumsum(lengths) - lengths
        behind = sources <= _BEHIND_A_SPACE
        first = np.where(behind, _BEHIND_A_SPACE - sources - 1, sources)
        places = np.repeat(first - starts, lengths) + np.arange(self.length)
        places[np.repeat(sources == _NOWHERE, lengths)] = len(glyph_boxes)
        places[starts[behind]] = len(glyph_boxes)
        return np.concatenate([glyph_boxes, nowhere])[places]

    def begin(self) -> int:
        """Start a block: an empty line if there is text before it. Returns where it starts."""
        if self.length:
            self.add("\n\n")
        return self.length

    def undo(self, start: int) -> None:
        """Take back what ``begin`` added before ``start``, where nothing was written after it."""
        if start:
            self.length -= len(self.pieces.pop())
            self.sources.pop()

    def end(self, kind: BlockKind, start: int, level: int = 0, table: int | None = None) -> None:
        """End the block that began at ``start``; an empty one leaves nothing."""
        if start < self.length:
            self.blocks.append(Block(kind, start, self.length, level, table))

    def add(self, text: str, source: int = _NOWHERE) -> None:
        """Text that stands nowhere on the page, or whose characters come from ``source`` and the glyphs behind it."""
        self.pieces.append(text)
        self.sources.append(source)
        self.length += len(text)

    def add_word(self, word: Word) -> None:
        """A word, each character from its own glyph."""
        self.add(word.text, word.start)

    def add_words(self, words: Sequence[Word], last: Word | None = None) -> Word | None:
        """Words of one line or cell, after ``last``; returns the last of them."""
        for word in words:
            plain = last is not None and not (
                word.style & _CLOSE
                or last.text[-1] >= _FIRST_UNSPACED
                or word.baseline > last.baseline + 0.5 * last.size
            )
            if plain:
                text = " " + word.text
                self.pieces.append(text)
                self.sources.append(_BEHIND_A_SPACE - word.start)
                self.length += len(text)
            else:
                if last is not None:
                    self.join(last, word)
                self.add(word.text, word.start)
            last = word
        return last

    def join(self, last: Word, word: Word) -> None:
        """What stands between two words of a paragraph: a space, or nothing where a hyphen broke a word."""
        if word.style & Style.POWER:
            self.add("^")
        if word.style & Style.GLUED or _are_unspaced(last, word):
            return
        new_line = word.baseline > last.baseline + 0.5 * last.size
        if new_line and _CLOSE_AT_BREAK.search(last.text):
            return
        if last.text[-1] in HYPHENS and new_line:
            joined = joined_at_break(last.text, word.text, self.vocabulary)
            if joined == "drop":
                self.pieces[-1] = self.pieces[-1][:-1]
                self.length -= 1
            if joined != "apart":
                return
        self.add(" ")

    def add_paragraph(self, rows: Sequence[Sequence[Line]]) -> None:
        """Rows of lines: run together when each is one line, else row by row with cells apart by a tab."""
        tabular = any(len(row) > 1 for row in rows)
        last: Word | None = None
        for place, row in enumerate(rows):
            if place and tabular:
                self.add("\n")
                last = None
            for cell, line in enumerate(row):
                if cell:
                    self.add("\t")
                    last = None
                last = self.add_words(line.words, last)


def _are_unspaced(last: Word, word: Word) -> bool:
    """Whether two words are of a script that sets no spaces: Chinese and Japanese, not Korean."""
    return bool(_UNSPACED.match(last.text[-1]) and _UNSPACED.match(word.text[0])) and (
        word.baseline > last.baseline + 0.5 * last.size or word.x0 - last.x1 < last.size
    )
