"""How index time, memory and question time grow with the length of a document.

``python -m evaluation.growth [--pages 100 400 1600 6400] [--out R.json]``

Documents are made: pages of three paragraphs and a small table, words drawn by Zipf's law from a vocabulary that
grows with the text. Keywords, cards, static vectors and the cross-encoder are the real ones. Sentence vectors of
the chunks are random unit vectors (embedding 20,000 chunks takes minutes and is linear by its nature); a question
is embedded by the real model, so that a question costs what it costs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from evaluation.process_memory import process_mb
from src.chunker import chunk_document
from src.index import DocumentIndex, build_index
from src.models import Models, load_models
from src.records import Block, BlockKind, Document, Page, Table, TableRow
from src.retriever import retrieve
from src.settings import Settings, settings
from src.vectors import Embedded, GrowingVectors

QUESTIONS = 12
TOKENS = 75  # a chunk, of those whose vectors are kept
SYLLABLES = [
    "ba",
    "be",
    "bi",
    "bo",
    "bu",
    "da",
    "de",
    "di",
    "do",
    "du",
    "fa",
    "fe",
    "ga",
    "ge",
    "gi",
    "go",
    "ka",
    "ke",
    "ki",
    "ko",
    "la",
    "le",
    "li",
    "lo",
    "ma",
    "me",
    "mi",
    "mo",
    "na",
    "ne",
    "ni",
    "no",
]


@dataclass(frozen=True, slots=True)
class Row:
    """One document: sizes, CPU seconds of chunking and indexing, MB that chunks and index hold, milliseconds of a question."""

    pages: int
    chunks: int
    chunk_s: float
    index_s: float
    index_mb: float
    p50_ms: float
    p95_ms: float
    search_ms: float


def made_document(pages: int, seed: int = 7) -> Document:
    """A document of ``pages`` pages, the same for the same seed."""
    generator = np.random.default_rng(seed)
    made = tuple(_page(number, generator, 5000 + 20 * pages) for number in range(1, pages + 1))
    return Document(id=f"made-{pages}", name=f"made-{pages}.pdf", title="", pages=made)


def _word(rank: int) -> str:
    word = ""
    while True:
        word += SYLLABLES[rank % len(SYLLABLES)]
        rank //= len(SYLLABLES)
        if not rank:
            return word


def _sentence(generator: np.random.Generator, vocabulary: int) -> str:
    ranks = generator.zipf(1.25, size=int(generator.integers(8, 22))) % vocabulary
    return " ".join(_word(int(rank)) for rank in ranks).capitalize() + "."


def _page(number: int, generator: np.random.Generator, vocabulary: int) -> Page:
    text, blocks = f"Part {number}", [Block(BlockKind.HEADING, 0, len(f"Part {number}"), level=1)]
    for _ in range(3):
        start = len(text) + 2
        text += "\n\n" + " ".join(_sentence(generator, vocabulary) for _ in range(6))
        blocks.append(Block(BlockKind.PARAGRAPH, start, len(text)))
    rows, start = [], len(text) + 2
    text += "\n\n"
    for line in range(8):
        row = "\t".join([_sentence(generator, vocabulary)[:24], *map(str, generator.integers(100, 99999, 3))])
        rows.append(TableRow(len(text), len(text) + len(row), ()))
        text += row + ("\n" if line < 7 else "")
    blocks.append(Block(BlockKind.TABLE, start, len(text), table=0))
    table = Table("Figures", "", ("", "2022", "2021", "2020"), tuple(rows))
    boxes = np.zeros((0, 4), dtype=np.float32)
    return Page(number, str(number), 595, 842, text, boxes, tuple(blocks), (table,), language="en")


def with_random_vectors(index: DocumentIndex, dimension: int, options: Settings) -> DocumentIndex:
    """``index`` as if every chunk were embedded."""
    generator = np.random.default_rng(3)
    vectors = generator.standard_normal((len(index.embeddable), dimension), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    grown = GrowingVectors(len(index.embeddable), options.hnsw_above)
    texts = [Embedded(v, generator.integers(0, 256, (TOKENS, dimension // 4), np.uint8)) for v in vectors]
    return replace(index, vectors=grown, embedded=grown.add(index.embeddable, texts))


def measure(pages: int, models: Models, options: Settings) -> Row:
    """Chunk, index and ask a made document of ``pages`` pages."""
    document = made_document(pages)
    before = process_mb(os.getpid())
    start = time.process_time()
    chunks = chunk_document(document, options)
    chunked = time.process_time()
    index = build_index(document, chunks, models, options)
    indexed = time.process_time()
    held = process_mb(os.getpid()) - before
    if models.embedder:
        dimension = models.embedder.embed(["x"]).shape[1]
        index = with_random_vectors(index, dimension, options)
        held += len(index.embeddable) * dimension * (4 + TOKENS / 4) / 2**20
    times, search = _ask(index, models, options)
    return Row(
        pages,
        len(chunks),
        round(chunked - start, 2),
        round(indexed - chunked, 2),
        round(held, 1),
        round(float(np.percentile(times, 50)), 1),
        round(float(np.percentile(times, 95)), 1),
        round(float(np.percentile(search, 50)), 1),
    )


def _ask(index: DocumentIndex, models: Models, options: Settings) -> tuple[list[float], list[float]]:
    """Milliseconds of whole questions, and of their search before reranking."""
    generator = np.random.default_rng(11)
    times, search = [], []
    for number in range(QUESTIONS + 2):
        chunk = index.chunks[int(generator.integers(len(index.chunks)))]
        question = "What about " + " ".join(chunk.text.split()[2:10]) + "?"
        start = time.perf_counter()
        found = retrieve(question, [index], models, options)
        if number >= 2:  # the first calls warm the models up
            times.append(1000 * (time.perf_counter() - start))
            search.append(next(step.ms for step in found.steps if step.name == "search"))
    return times, search


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--pages", type=int, nargs="+", default=[100, 400, 1600, 5000])
    parser.add_argument("--out", type=Path)
    parsed = parser.parse_args(arguments)
    options = settings()
    models = load_models(options)
    print("| pages | chunks | chunking s | index s | index MB | question p50 ms | p95 ms | of it search ms |")
    print("|---|---|---|---|---|---|---|---|")
    rows = []
    for pages in parsed.pages:
        row = measure(pages, models, options)
        rows.append(row)
        print("| " + " | ".join(str(value) for value in asdict(row).values()) + " |", flush=True)
    if parsed.out:
        parsed.out.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
