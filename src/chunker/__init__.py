"""Pages to chunks: whole sentences under their heading, whole rows under their column headers."""

from __future__ import annotations

from src.chunker.flow import read_flows
from src.chunker.packing import join_spans, number_chunks, pack_flow, pack_table
from src.records import Chunk, Document
from src.settings import Settings

__all__ = ["chunk_document", "join_spans"]


def chunk_document(document: Document, settings: Settings) -> tuple[Chunk, ...]:
    """The chunks of ``document`` in reading order; ``Chunk.number`` is the position in the result."""
    body, beside, tables = read_flows(document, settings.chunk_chars)
    chunks = [chunk for flow in (body, *beside) for chunk in pack_flow(document, flow, settings)]
    chunks += [chunk for table in tables for chunk in pack_table(document, table, settings)]
    return number_chunks(chunks)
