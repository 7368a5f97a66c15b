"""Frozen records that travel between stages, in the order in which a question meets them.

Conventions kept everywhere:

* Page numbers are physical and 1-based; the printed label ("iv", "A-1") travels beside them.
* Coordinates are PDF points of the page *as shown* (crop box applied, rotation applied), origin top left.
* A span ``[start, end)`` counts characters of ``Page.text`` of one page.
"""

from __future__ import annotations

from src.records.answer import NOT_FOUND, Answer, Citation, Claim, Draft, Sentence, Step, Support, Turn, Usage
from src.records.document import (
    Attachment,
    Block,
    BlockKind,
    Box,
    Cell,
    Document,
    FloatArray,
    Json,
    LoadError,
    Outcome,
    OutlineEntry,
    Page,
    PageState,
    Progress,
    Table,
    TableRow,
)
from src.records.passage import Chunk, Passage, Span, line_boxes, span_text

__all__ = [
    "NOT_FOUND",
    "Answer",
    "Attachment",
    "Block",
    "BlockKind",
    "Box",
    "Cell",
    "Chunk",
    "Citation",
    "Claim",
    "Document",
    "Draft",
    "FloatArray",
    "Json",
    "LoadError",
    "Outcome",
    "OutlineEntry",
    "Page",
    "PageState",
    "Passage",
    "Progress",
    "Sentence",
    "Span",
    "Step",
    "Support",
    "Table",
    "TableRow",
    "Turn",
    "Usage",
    "line_boxes",
    "span_text",
]
