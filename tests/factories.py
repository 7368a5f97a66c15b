"""Documents made without a PDF, for tests of the rooms behind the loader."""

from __future__ import annotations

import hashlib

import numpy as np

from src.records import Block, BlockKind, Document, Page


def page_from_text(number: int, text: str, label: str = "") -> Page:
    """A page whose blocks are the paragraphs of ``text`` (apart by blank lines); "# x" makes a heading.

    Every printed character gets a box 6 points wide on lines of 80 characters, so that marks can be checked.
    """
    blocks, parts, position = [], [], 0
    for part in text.split("\n\n"):
        heading = part.startswith("# ")
        body = part.removeprefix("# ")
        blocks.append(
            Block(
                BlockKind.HEADING if heading else BlockKind.PARAGRAPH,
                position,
                position + len(body),
                level=int(heading),
            )
        )
        parts.append(body)
        position += len(body) + 2
    joined = "\n\n".join(parts)
    boxes = np.full((len(joined), 4), np.nan, dtype=np.float32)
    for i, char in enumerate(joined):
        if not char.isspace():
            x, y = 50 + 6 * (i % 80), 50 + 12 * (i // 80)
            boxes[i] = (x, y, x + 6, y + 10)
    return Page(number, label, 595.0, 842.0, joined, boxes, tuple(blocks), language="en")


def document_from_text(*pages: str, name: str = "made.pdf", title: str = "") -> Document:
    """A document of the given page texts."""
    return Document(
        id=hashlib.sha256("\f".join(pages).encode()).hexdigest(),
        name=name,
        title=title,
        pages=tuple(page_from_text(i, text) for i, text in enumerate(pages, start=1)),
    )
