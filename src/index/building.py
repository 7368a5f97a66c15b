"""Chunks to a DocumentIndex: keywords and static vectors at once, sentence vectors as they come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from src.abbreviations import find_abbreviations
from src.index.cards import Cards, build_cards
from src.index.keywords import KeywordIndex, build_keywords, terms_of
from src.languages import STOPWORDS, guess_language
from src.models.base import Embedder, Models, TokenEmbedder
from src.records import Chunk, Document, FloatArray
from src.settings import Settings
from src.vectors import Embedded, GrowingVectors, VectorCache, pack

CONTEXT_WEIGHT = 0.5  # of a term in headings, table titles and column headers, beside one in the text
CONTEXT_SHOWN = 240  # characters of context that the embedder and the reranker see
BATCH = 32
PAUSE_SECONDS = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class DocumentIndex:
    """An immutable snapshot of what can be searched of one document.

    ``static`` has one unit row a chunk, None without static vectors. ``embedded`` is how many chunks of
    ``embeddable`` the sentence vectors cover in this snapshot. ``card_of_chunk`` is the position in
    ``cards.pages`` of each chunk's first page, -1 without a card. ``languages`` are the pages' languages, the most
    frequent first. ``abbreviations`` are those that the document spells out, folded.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    keywords: KeywordIndex
    static: FloatArray | None
    vectors: GrowingVectors
    embeddable: tuple[int, ...]
    embedded: int
    languages: tuple[str, ...]
    cards: Cards
    card_of_chunk: npt.NDArray[np.int64]
    abbreviations: dict[str, str]

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
    languages = _languages(document)
    usual = languages[0] if languages else ""
    fields = []
    for chunk in chunks:
        language = chunk.language or usual
        text, context = terms_of(chunk.text, language), terms_of(chunk.context, language)
        fields.append(((text, 1.0), (context, CONTEXT_WEIGHT)))
    static = (
        models.static.embed([model_view(chunk) for chunk in chunks]) if models.static and chunks else None
    )
    embeddable: tuple[int, ...] = ()
    if models.embedder:
        embeddable = tuple(chunk.number for chunk in chunks if models.knows(chunk.language or usual))
    cards = build_cards(document, chunks, models, usual)
    position = {page: i for i, page in enumerate(cards.pages)}
    return DocumentIndex(
        document=document,
        chunks=tuple(chunks),
        keywords=build_keywords(fields),
        static=static,
        vectors=GrowingVectors(len(embeddable), settings.hnsw_above),
        embeddable=embeddable,
        embedded=0,
        languages=languages,
        cards=cards,
        card_of_chunk=np.array([position.get(chunk.spans[0].page, -1) for chunk in chunks], dtype=np.int64),
        abbreviations=find_abbreviations(chunk.text for chunk in chunks),
    )


def _languages(document: Document) -> tuple[str, ...]:
    """Languages of the pages, the most frequent first; guessed from a sample when the loader knows none."""
    counts = Counter(page.language for page in document.pages if page.language)
    if counts:
        return tuple(language for language, _ in counts.most_common())
    sample = " ".join(page.text[:400] for page in document.pages[:: max(1, len(document.pages) // 20)])
    guessed = guess_language(sample)
    return (guessed,) if guessed else ()


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
        index = replace(index, embedded=index.vectors.add(numbers, [known[n] for n in numbers]))
        yield index
    while batch := waiting.next(BATCH):
        while pause and pause() and not (cancel and cancel()):
            time.sleep(PAUSE_SECONDS)
        if cancel and cancel():
            return
        texts = [model_view(index.chunks[number]) for number in batch]
        embedded = _embed(models.embedder, texts)
        models.cache.put([VectorCache.key(models.name, text) for text in texts], embedded)
        index = replace(index, embedded=index.vectors.add(batch, embedded))
        yield index


def _embed(embedder: Embedder, texts: Sequence[str]) -> list[Embedded]:
    if not isinstance(embedder, TokenEmbedder):
        return [Embedded(vector) for vector in embedder.embed(texts)]
    found = []
    for tokens in embedder.embed_tokens(texts):
        kept = [i for i, word in enumerate(tokens.words) if _says_something(word)]
        # a copy: the vector is a row of all the text's tokens, which it would keep in memory
        found.append(Embedded(tokens.vector.copy(), pack(tokens.rows[kept])))
    return found


def _says_something(word: str) -> bool:
    return any(char.isalnum() for char in word) and word not in STOPWORDS["en"]


def _embedded_before(index: DocumentIndex, models: Models) -> dict[int, Embedded]:
    keys = [VectorCache.key(models.name, model_view(index.chunks[number])) for number in index.embeddable]
    return {
        number: text
        for number, text in zip(index.embeddable, models.cache.get(keys), strict=True)
        if text is not None
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
