"""What each ranking says of every chunk for one question: the numbers that fusion weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from src.index import DocumentIndex
from src.languages import fold
from src.models.base import Models, TokenEmbedder, Tokens
from src.records import FloatArray
from src.retriever.query import Query

LATER = ("late", "covered", "together", "pairs", "thin")  # signals of the likely chunks alone


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """Arrays over the chunks of all indexes asked, one index after the other; ``offsets`` says where each begins.

    ``keyword`` is BM25 and ``shared`` the summed rarity of the question's terms that a chunk has, as a share of
    all of them; ``static`` and ``semantic`` are cosines, NaN where there is no vector. ``card`` and
    ``card_static`` say the same of the page's card, ``facet`` is the best card score for one of the question's
    facets, as a share of the best there is. ``hint`` is 1 where the question names the page or words of the chunk. ``late`` is
    NaN until ``late.py`` adds it, by ``question``: the tokens of what was asked, None where the embedder shows none.
    So are ``covered``, ``together``, ``pairs`` and ``thin``, until ``closeness.py`` adds them.
    """

    offsets: tuple[int, ...]
    keyword: FloatArray
    shared: FloatArray
    static: FloatArray
    semantic: FloatArray
    card: FloatArray
    card_static: FloatArray
    facet: FloatArray
    hint: FloatArray
    late: FloatArray
    covered: FloatArray
    together: FloatArray
    pairs: FloatArray
    thin: FloatArray
    table: npt.NDArray[np.bool_]
    question: Tokens | None = None

    def place(self, position: int) -> tuple[int, int]:
        """(index asked, chunk number) of a position in the arrays."""
        document = int(np.searchsorted(self.offsets, position, side="right")) - 1
        return document, position - self.offsets[document]


def read_signals(query: Query, indexes: Sequence[DocumentIndex], models: Models) -> Signals:
    """The signals of every chunk of ``indexes``."""
    static = models.static.embed([query.core], "query")[0] if models.static else None
    semantic, question = None, None
    if models.embedder and models.knows(query.language) and any(index.embedded for index in indexes):
        semantic = models.embedder.embed([query.core], "query")[0]
        if isinstance(models.embedder, TokenEmbedder):
            # Word is held against word here, so the question is read as the chunks were: without the prefix.
            (question,) = models.embedder.embed_tokens([query.core], "passage")
    parts = [_index_signals(query, index, static, semantic) for index in indexes]
    names = [f.name for f in fields(Signals) if f.name not in ("offsets", "question")]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in names}
    offsets = np.cumsum([0, *(len(index.chunks) for index in indexes[:-1])])
    return Signals(offsets=tuple(offsets.tolist()), question=question, **joined)


def _index_signals(
    query: Query, index: DocumentIndex, static: FloatArray | None, semantic: FloatArray | None
) -> dict[str, npt.NDArray[np.generic]]:
    size = len(index.chunks)
    keyword, _ = index.keywords.scores(query.terms)
    card, card_static, facet = _card_signals(query, index, static)
    return {
        "keyword": keyword,
        "shared": _coverage(query, index),
        "static": _products(index.static, static, size),
        "semantic": _semantic(index, semantic),
        "card": card,
        "card_static": card_static,
        "facet": facet,
        "hint": _hints(query, index),
        **dict.fromkeys(LATER, np.full(size, np.nan, dtype=np.float32)),
        "table": np.array([chunk.kind == "table" for chunk in index.chunks], dtype=np.bool_),
    }


def _coverage(query: Query, index: DocumentIndex) -> FloatArray:
    rarities = {term: weight * index.keywords.rarity(term) for term, weight in query.terms.items()}
    _, shared = index.keywords.scores(rarities)
    total = sum(rarities.values())
    share: FloatArray = shared / np.float32(total) if total else shared
    return share


def _products(rows: FloatArray | None, query: FloatArray | None, size: int) -> FloatArray:
    if rows is None or query is None:
        return np.full(size, np.nan, dtype=np.float32)
    products: FloatArray = rows @ query
    return products


def _semantic(index: DocumentIndex, query: FloatArray | None) -> FloatArray:
    products = np.full(len(index.chunks), np.nan, dtype=np.float32)
    if query is not None and index.embedded:
        chunks, found = index.vectors.products(query, index.embedded)
        products[chunks] = found
    return products


def _card_signals(
    query: Query, index: DocumentIndex, static: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Card scores by chunk: keyword, static cosine, and the best of the facets."""
    cards = index.cards
    terms = {term: weight for term, weight in query.terms.items() if not term[0].isdigit()}
    keyword, _ = cards.keywords.scores(terms)
    facet = np.zeros(len(cards.pages), dtype=np.float32)
    for own in query.facet_terms:
        scores, _ = cards.keywords.scores(own)
        if scores.size and scores.max() > 0:
            facet = np.maximum(facet, scores / scores.max())
    cosines = _products(cards.static, static, len(cards.pages))
    return _by_chunk(index, keyword, 0.0), _by_chunk(index, cosines, np.nan), _by_chunk(index, facet, 0.0)


def _by_chunk(index: DocumentIndex, by_card: FloatArray, without: float) -> FloatArray:
    """Card scores at the chunks of their pages; a chunk over two pages has that of its first."""
    out = np.full(len(index.chunks), without, dtype=np.float32)
    known = index.card_of_chunk >= 0
    out[known] = by_card[index.card_of_chunk[known]]
    return out


def _hints(query: Query, index: DocumentIndex) -> FloatArray:
    hints = np.zeros(len(index.chunks), dtype=np.float32)
    pages = set(query.pages)
    pages |= {
        page.number for page in index.document.pages if page.label.lower() in query.labels and page.label
    }
    if not pages and not query.phrases:
        return hints
    for number, chunk in enumerate(index.chunks):
        if pages and not pages.isdisjoint(chunk.pages):
            hints[number] = 1.0
        elif query.phrases:
            text = " ".join(fold(f"{chunk.context} {chunk.text}").split())
            hints[number] = max(_stands_in(phrase, text) for phrase in query.phrases)
    return hints


def _stands_in(phrase: str, text: str) -> float:
    position = text.find(phrase)
    while position >= 0:
        following = text[position + len(phrase) : position + len(phrase) + 1]
        if not (phrase[-1:].isalnum() and following.isalnum()):
            return 1.0
        position = text.find(phrase, position + 1)
    return 0.0
