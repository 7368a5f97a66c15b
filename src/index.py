"""Chunks to a DocumentIndex: keywords and static vectors at once, sentence vectors as they come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from src.keywords import KeywordIndex, build_keywords, terms_of
from src.models.base import Models
from src.records import Chunk, Document, FloatArray
from src.settings import Settings
from src.vectors import GrowingVectors, VectorCache

CONTEXT_WEIGHT = 0.5  # of a term in headings, table titles and column headers, beside one in the text
CONTEXT_SHOWN = 240  # characters of context that the embedder and the reranker see
BATCH = 32
PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class DocumentIndex:
    """An immutable snapshot of what can be searched of one document.

    ``static`` has one unit row a chunk, None without static vectors. ``embedded`` is how many chunks of
    ``embeddable`` the sentence vectors cover in this snapshot. ``languages`` are the pages' languages, the most
    frequent first.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    keywords: KeywordIndex
    static: FloatArray | None
    vectors: GrowingVectors
    embeddable: tuple[int, ...]
    embedded: int
    languages: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every chunk that gets a sentence vector has it."""
        return self.embedded >= len(self.embeddable)


def context_view(chunk: Chunk) -> str:
    """What a model is shown of a chunk's context: headings and table headers, not the document's title."""
    lines = chunk.context.split("\n")
    path = " > ".join(chunk.headings)
    kept = [line for line in lines if line and line != path] if chunk.kind == "table" else []
    opening = chunk.text[: len(path) + 2]
    shown = [] if chunk.headings and opening.startswith(chunk.headings[-1]) else [path]
    return "\n".join([*shown, *kept])[:CONTEXT_SHOWN].strip()


def model_view(chunk: Chunk) -> str:
    """The text that is embedded and reranked for a chunk: its context above its own text."""
    context = context_view(chunk)
    text = chunk.text.replace("\t", " ")
    return f"{context}\n{text}" if context else text


def build_index(
    document: Document, chunks: Sequence[Chunk], models: Models, settings: Settings
) -> DocumentIndex:
    """The first snapshot of ``document``: everything but sentence vectors. Linear in the text."""
    fields = [
        (
            (terms_of(chunk.text, chunk.language), 1.0),
            (terms_of(chunk.context, chunk.language), CONTEXT_WEIGHT),
        )
        for chunk in chunks
    ]
    static = (
        models.static.embed([model_view(chunk) for chunk in chunks]) if models.static and chunks else None
    )
    embeddable = (
        tuple(chunk.number for chunk in chunks if models.knows(chunk.language) and chunk.text.strip())
        if models.embedder
        else ()
    )
    languages = Counter(page.language for page in document.pages if page.language)
    return DocumentIndex(
        document=document,
        chunks=tuple(chunks),
        keywords=build_keywords(fields),
        static=static,
        vectors=GrowingVectors(len(embeddable), settings.hnsw_above),
        embeddable=embeddable,
        embedded=0,
        languages=tuple(language for language, _ in languages.most_common()),
    )


def embed_index(
    index: DocumentIndex,
    models: Models,
    *,
    pause: Callable[[], bool] | None = None,
    cancel: Callable[[], bool] | None = None,
    likely: Callable[[], Sequence[int]] | None = None,
) -> Iterator[DocumentIndex]:
    """Snapshots with more and more sentence vectors, one a batch of new texts.

    ``pause`` is asked before each batch and waited for (a question runs); ``cancel`` ends the growth. ``likely``
    gives chunk numbers that should come next. A text that the models embedded before is not embedded again.
    """
    if models.embedder is None:
        return
    index = replace(index, vectors=index.vectors.fork(index.embedded))
    waiting = _Waiting(index, likely)
    known = _embedded_before(index, models)
    numbers = [number for number in waiting.all() if number in known]
    if numbers:
        waiting.drop(numbers)
        index = replace(index, embedded=index.vectors.add(numbers, np.stack([known[n] for n in numbers])))
        yield index
    while batch := waiting.next(BATCH):
        while pause and pause() and not (cancel and cancel()):
            time.sleep(PAUSE_SECONDS)
        if cancel and cancel():
            return
        texts = [model_view(index.chunks[number]) for number in batch]
        vectors = models.embedder.embed(texts)
        models.cache.put([VectorCache.key(models.name, text) for text in texts], vectors)
        index = replace(index, embedded=index.vectors.add(batch, vectors))
        yield index


def _embedded_before(index: DocumentIndex, models: Models) -> dict[int, FloatArray]:
    keys = [VectorCache.key(models.name, model_view(index.chunks[number])) for number in index.embeddable]
    return {
        number: vector
        for number, vector in zip(index.embeddable, models.cache.get(keys), strict=True)
        if vector is not None
    }


class _Waiting:
    """The chunks without a sentence vector: the likely ones first, then running text, then tables, in order."""

    def __init__(self, index: DocumentIndex, likely: Callable[[], Sequence[int]] | None) -> None:
        order = sorted(index.embeddable, key=lambda number: (index.chunks[number].kind == "table", number))
        done = index.vectors.chunks(index.embedded)
        self._left = dict.fromkeys(number for number in order if number not in done)
        self._likely = likely

    def all(self) -> list[int]:
        return list(self._left)

    def drop(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._left.pop(number, None)

    def next(self, size: int) -> list[int]:
        first = [number for number in (self._likely() if self._likely else ()) if number in self._left]
        batch = list(dict.fromkeys([*first, *self._first(size)]))[:size]
        self.drop(batch)
        return batch

    def _first(self, size: int) -> list[int]:
        return [number for number, _ in zip(self._left, range(size), strict=False)]
