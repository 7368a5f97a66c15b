"""A whole document in a few sentences: its sections, the chunks that stand for each, and its own best sentences.

Every sentence of a summary cites the section it comes from. With a language model each section is summarised from
its most central chunks, within a budget of tokens; without one the document's own most central sentences are taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from src.answerer.sentences import sentence_bounds
from src.cost import estimate_tokens
from src.index import DocumentIndex
from src.models import Embedder
from src.records import Chunk, Claim, Draft, FloatArray, Passage
from src.routes import heading_matches

MOST_SECTIONS = 8
SECTION_TOKENS = 900
WHOLE_TOKENS = 3000  # a document this short is read in one piece
SENTENCES = 7
SCANNED_CHUNKS = 2000
SHORTEST, LONGEST = 30, 330
ECHO = 0.6  # how much a sentence loses for being like one already taken
LEADING = 0.3  # how much the opening sentences of a document or section gain
BACK_MATTER = re.compile(
    r"^(?:[\divxlc.]+\s+)?(?:references|bibliography|acknowledge?ments?|contents|table of contents|index|appendix\b.*|list of (?:figures|tables)"
    r"|literatur(?:verzeichnis)?|inhalt(?:sverzeichnis)?|bibliographie|table des mati[èe]res|signatures?|exhibits?.*)\s*$",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:this (?:paper|report|document|study|handbook|manual|guide|policy|agreement|article|chapter|book)|we (?:present|propose|show|describe|introduce"
    r"|find|report)|in summary|in conclusion|overall|the (?:purpose|aim|goal|objective) of|main (?:finding|result|contribution)s?)\b",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:this|that|these|those|it|its|they|them|their|he|she|his|her|such|however|moreover|furthermore|therefore|thus|hence|also|but|and|or|so"
    r"|then|as a result|for example|for instance|in addition|instead|otherwise|similarly|here|there|both|one|another|consequently|nevertheless)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document with its title ("" when it has none) and its chunks in reading order."""

    title: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A sentence of a chunk: which passage, where, and how near to the opening of its section."""

    passage: int
    text: str
    opening: float


def chunk_passage(index: DocumentIndex, chunk: Chunk) -> Passage:
    """A chunk as it stands, as a passage that was not ranked."""
    document = index.document
    return Passage(
        document_id=document.id,
        document_name=document.name,
        revision=document.revision,
        text=chunk.text,
        spans=chunk.spans,
        labels=tuple(document.pages[page - 1].label for page in chunk.pages),
        headings=chunk.headings,
        context=chunk.context,
        kind=chunk.kind,
        language=chunk.language,
        score=0.0,
        chunks=(chunk.number,),
        core=(0, len(chunk.text)),
        table=chunk.table,
        rows=chunk.rows,
    )


def page_passages(index: DocumentIndex, page: int) -> tuple[Passage, ...]:
    """The chunks that stand on ``page``, in reading order."""
    return tuple(chunk_passage(index, chunk) for chunk in index.chunks if page in chunk.pages)


def sections(index: DocumentIndex, pages: Sequence[int] = (), topic: str = "") -> tuple[Section, ...]:
    """At most MOST_SECTIONS parts of the document, by its top headings, else by its pages, in reading order.

    ``pages`` and ``topic`` (a heading as the reader wrote it) limit what is summarised.
    """
    chunks = [c for c in index.chunks if c.kind != "footnote" and not BACK_MATTER.match(_title(c))]
    chunks = chunks or list(index.chunks)
    if pages:
        chunks = [c for c in chunks if set(c.pages) & set(pages)]
    if topic:
        chunks = [c for c in chunks if heading_matches(topic, c.headings)]
    if not chunks:
        return ()
    depth = _depth(chunks)
    found: list[tuple[str, list[Chunk]]] = []
    for chunk in chunks:
        title = chunk.headings[depth] if len(chunk.headings) > depth else (chunk.headings or ("",))[-1]
        if not found or found[-1][0] != title:
            found.append((title, []))
        found[-1][1].append(chunk)
    if len(found) == 1 and not found[0][0]:
        found = [("", part) for part in _equal_parts(found[0][1])]
    return tuple(Section(title, tuple(part)) for title, part in _merged(found))


def telling_chunks(section: Section, vectors: FloatArray | None, tokens: int) -> tuple[Chunk, ...]:
    """The chunks of ``section`` that stand for it best, within ``tokens``, in reading order.

    ``vectors`` has a unit row for each chunk number of the document; without it the first chunks are taken.
    """
    chunks = list(section.chunks)
    order = list(range(len(chunks)))
    if vectors is not None and len(chunks) > 1:
        rows = vectors[[c.number for c in chunks]]
        merit = rows @ _centre(rows)
        merit[0] += LEADING
        merit -= np.array([0.3 if c.kind == "table" else 0.0 for c in chunks], dtype=np.float32)
        order = [int(i) for i in np.argsort(-merit, kind="stable")]
    chosen: list[int] = []
    used = 0
    for i in order:
        size = estimate_tokens(chunks[i].text)
        if used + size <= tokens or not chosen:
            chosen.append(i)
            used += size
    return tuple(chunks[i] for i in sorted(chosen))


def fits_whole(found: Sequence[Section]) -> bool:
    """Whether the sections are short enough to be read in one piece."""
    return sum(estimate_tokens(c.text) for s in found for c in s.chunks) <= WHOLE_TOKENS


def quoted_summary(
    index: DocumentIndex, found: Sequence[Section], static: Embedder | None, most: int = SENTENCES
) -> tuple[Draft, tuple[Passage, ...]]:
    """The document's own most central sentences as claims, in reading order, with the passages they cite."""
    chunks = [c for s in found for c in s.chunks][:SCANNED_CHUNKS]
    first = {s.chunks[0].number for s in found if s.chunks}
    places = [
        place for i, chunk in enumerate(chunks) for place in _places(i, chunk, i == 0, chunk.number in first)
    ]
    if not places:
        places = [
            _Place(i, text, 0.0)
            for i, c in enumerate(chunks[:3])
            for text in c.text.split("\n")[:2]
            if text.strip()
        ]
    chosen = _chosen(places, static, most)
    used = sorted({places[i].passage for i in chosen})
    number = {passage: n for n, passage in enumerate(used, start=1)}
    claims = tuple(
        Claim(f"“{places[i].text}”", ((number[places[i].passage], places[i].text),)) for i in chosen
    )
    return Draft(claims, refused=not claims), tuple(chunk_passage(index, chunks[i]) for i in used)


def _chosen(places: Sequence[_Place], static: Embedder | None, most: int) -> list[int]:
    if static is None:
        return sorted(sorted(range(len(places)), key=lambda i: (-places[i].opening, i))[:most])
    vectors = static.embed([place.text for place in places])
    opening = np.array([place.opening for place in places], dtype=np.float32)
    telling = np.array([bool(_TELLING.search(p.text)) for p in places], dtype=np.float32)
    merit = vectors @ _centre(vectors) + LEADING * opening + 0.15 * telling
    chosen: list[int] = []
    while len(chosen) < min(most, len(places)):
        echo = (
            (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(places), dtype=np.float32)
        )
        left = merit - ECHO * echo
        left[chosen] = -np.inf
        chosen.append(int(left.argmax()))
    return sorted(chosen)


def _places(passage: int, chunk: Chunk, opens_document: bool, opens_section: bool) -> list[_Place]:
    if chunk.kind != "prose":
        return []
    places = []
    for order, (start, end) in enumerate(sentence_bounds(chunk.text)):
        text = " ".join(chunk.text[start:end].split())
        letters = sum(c.isalpha() or c.isspace() for c in text)
        if (
            SHORTEST <= len(text) <= LONGEST
            and letters > 0.8 * len(text)
            and text[-1] in ".!?。؟।"
            and not text[0].islower()
            and (not _LEANING.match(text) or _TELLING.match(text))
            and "http" not in text
            and "@" not in text
        ):
            near = 1.0 / (1.0 + order)
            places.append(
                _Place(passage, text, near * (1.0 if opens_document else 0.6 if opens_section else 0.0))
            )
    return places


def _centre(vectors: FloatArray) -> FloatArray:
    centre: FloatArray = vectors.mean(axis=0)
    length = float(np.linalg.norm(centre)) or 1.0
    return centre / np.float32(length)


def _title(chunk: Chunk) -> str:
    return chunk.headings[-1] if chunk.headings else ""


def _depth(chunks: Sequence[Chunk]) -> int:
    """0 for the top headings, 1 when one heading (the document's title) stands over nearly everything."""
    tops = [c.headings[0] for c in chunks if c.headings]
    if not tops:
        return 0
    most = max(set(tops), key=tops.count)
    return int(tops.count(most) > 0.7 * len(chunks) and any(len(c.headings) > 1 for c in chunks))


def _equal_parts(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    size = max(1, -(-len(chunks) // MOST_SECTIONS))
    return [list(chunks[i : i + size]) for i in range(0, len(chunks), size)]


def _merged(found: list[tuple[str, list[Chunk]]]) -> list[tuple[str, list[Chunk]]]:
    """Neighbouring parts joined, the smallest pair first, until there are few enough."""
    parts = list(found)
    while len(parts) > MOST_SECTIONS:
        sizes = [len(parts[i][1]) + len(parts[i + 1][1]) for i in range(len(parts) - 1)]
        i = sizes.index(min(sizes))
        larger = max(parts[i], parts[i + 1], key=lambda part: len(part[1]))
        parts[i : i + 2] = [(larger[0], parts[i][1] + parts[i + 1][1])]
    return parts
