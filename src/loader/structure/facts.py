"""What one page tells of the whole document, and what the whole document then tells of each page.

Each worker reads some of the pages; the facts of all pages are handed to every worker before it assembles its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from src.loader.layout import PageLayout, Style
from src.loader.structure.hyphens import Vocabulary, page_vocabulary
from src.loader.structure.labels import printed_labels
from src.loader.structure.language import language_of
from src.loader.structure.lexicon import common_words
from src.loader.structure.margins import Edge, RunningLines, page_edges, running_lines
from src.records import OutlineEntry

_SAMPLE_WORDS = 800  # enough to tell a page's language


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts of one page: its distinct words, lower case; the rows at its edges; and how many characters are set in
    each size (in half points) and weight, as (half points, bold, characters)."""

    number: int
    words: frozenset[str]
    edges: tuple[Edge, ...] = ()
    sizes: tuple[tuple[int, bool, int], ...] = ()
    language: str = ""


def page_facts(layout: PageLayout) -> PageFacts:
    """The facts of a page."""
    texts = layout.texts()
    return PageFacts(
        layout.number,
        page_vocabulary(texts),
        tuple(page_edges(layout)),
        _sizes(layout),
        language_of(" ".join(texts[:_SAMPLE_WORDS])),
    )


def _sizes(layout: PageLayout) -> tuple[tuple[int, bool, int], ...]:
    seen = (layout.styles & (Style.HIDDEN | Style.STRUCK | Style.RAISED)) == 0
    if not seen.any():
        return ()
    lengths = (layout.spans[:, 1] - layout.spans[:, 0])[seen]
    halves = np.clip(np.round(layout.places[seen, 4] * 2), 0, 1000).astype(np.int64)
    bold = (layout.styles[seen] & Style.BOLD) > 0
    sums = np.bincount(halves * 2 + bold, weights=lengths)
    keys = np.flatnonzero(sums)
    return tuple((k // 2, bool(k % 2), int(n)) for k, n in zip(keys.tolist(), sums[keys], strict=True))


def encode_facts(facts: PageFacts) -> bytes:
    """Facts as one line of JSON."""
    values = {
        "number": facts.number,
        "words": sorted(facts.words),
        "edges": [[e.text, round(e.y, 4), e.outermost] for e in facts.edges],
        "sizes": [list(s) for s in facts.sizes],
        "language": facts.language,
    }
    return json.dumps(values).encode()


def decode_facts(line: bytes) -> PageFacts:
    """Facts of one line. Raises ValueError, KeyError or TypeError on a wrong one."""
    values = json.loads(line)
    return PageFacts(
        int(values["number"]),
        frozenset(str(word) for word in values["words"]),
        tuple(Edge(str(text), float(y), bool(outermost)) for text, y, outermost in values["edges"]),
        tuple((int(half), bool(bold), int(count)) for half, bold, count in values["sizes"]),
        str(values["language"]),
    )


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """Facts of all pages together. ``body`` is the size of most of the text in points, ``body_bold`` whether most
    of it is bold; ``heading_sizes`` larger sizes from the largest down, as headings use them; ``labels`` by page;
    ``outline`` the bookmarks that lead to each page; ``languages`` those of the pages,
    ``language`` that of most of them."""

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    running: RunningLines = field(default_factory=lambda: RunningLines({}))
    body: float = 10.0
    body_bold: bool = False
    heading_sizes: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    outline: Mapping[int, Sequence[OutlineEntry]] = field(default_factory=dict)
    languages: Mapping[int, str] = field(default_factory=dict)
    language: str = ""


def document_facts(
    pages: Iterable[PageFacts], labels: Sequence[str] = (), outline: Sequence[OutlineEntry] = ()
) -> DocumentFacts:
    """The facts of all pages, merged. ``labels`` are the file's own; printed ones are found when it has none."""
    held = sorted(pages, key=lambda page: page.number)
    words: set[str] = set()
    sizes: Counter[tuple[int, bool]] = Counter()
    for page in held:
        words |= page.words
        for half, bold, count in page.sizes:
            sizes[half, bold] += count
    body, body_bold = _body(sizes)
    languages = Counter(page.language for page in held if page.language)
    language = languages.most_common(1)[0][0] if languages else ""
    by_page: dict[int, list[OutlineEntry]] = {}
    for entry in outline:
        by_page.setdefault(entry.page, []).append(entry)
    given = tuple(labels)
    if not any(given):
        count = held[-1].number if held else 0
        given = tuple(printed_labels({page.number: page.edges for page in held}, count))
    return DocumentFacts(
        Vocabulary(frozenset(words), common_words() if language in ("en", "") else frozenset()),
        running_lines((page.number, page.edges) for page in held),
        body / 2,
        body_bold,
        _heading_sizes(sizes, body),
        given,
        by_page,
        {page.number: page.language for page in held},
        language,
    )


def _body(sizes: Counter[tuple[int, bool]]) -> tuple[int, bool]:
    totals: Counter[int] = Counter()
    for (half, _), count in sizes.items():
        totals[half] += count
    if not totals:
        return 20, False
    half = totals.most_common(1)[0][0]
    return half, sizes[half, True] > sizes[half, False]


def _heading_sizes(sizes: Counter[tuple[int, bool]], body: int) -> tuple[float, ...]:
    """Sizes over the body's from the largest down; sizes within half a point are one."""
    larger = sorted(
        {half for (half, _), count in sizes.items() if half > 1.08 * body and count >= 3}, reverse=True
    )
    kept: list[int] = []
    for half in larger:
        if not kept or kept[-1] - half > 1:
            kept.append(half)
    return tuple(half / 2 for half in kept)
