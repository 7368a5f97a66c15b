"""A whole document in a few sentences: its sections, the chunks that stand for each, and its own best sentences.

Every sentence of a summary cites the section it comes from. With a language model each section is summarised from
its most central chunks, within a budget of tokens; without one the document's own most central sentences are taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
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
OPENERS = 2
OPENING_CHUNKS = 6
COMFORTABLE = 180  # characters; each further one counts a little against a sentence
LEADING = 0.3  # how much the opening sentences of a document or section gain
BACK_MATTER = re.compile(
    r"^(?:[\divxlc.]+\s+)?(?:references|bibliography|acknowledge?ments?|contents|table of contents|index|appendix\b.*|list of (?:figures|tables)"
    r"|literatur(?:verzeichnis)?|inhalt(?:sverzeichnis)?|bibliographie|table des mati[èe]res|signatures?|exhibits?.*)\s*$",
    re.IGNORECASE,
)
_NUMBERED = r"^(?:[\divxlc.]+\s+)?"
SUMMING = re.compile(
    _NUMBERED
    + r"(?:abstract|(?:executive |management )?summary(?: of \w+)?|highlights|key (?:points|findings|takeaways|messages)|at a glance|in brief"
    r"|overview|zusammenfassung|überblick|kurzfassung|résumé|synthèse|resumen|sommario|riassunto|resumo|samenvatting|요약|초록|要旨|摘要)\W*$",
    re.IGNORECASE,
)
CLOSING = re.compile(
    _NUMBERED
    + r"(?:(?:summary|discussion|conclusions?)(?: and (?:future work|outlook|conclusions?|discussion))?|concluding remarks|fazit|schluss(?:folgerung(?:en)?)?"
    r"|ausblick|conclusions? et perspectives|conclusiones|conclusioni|conclusão|conclusie|결론|結論|结论)\W*$",
    re.IGNORECASE,
)
INTRODUCING = re.compile(
    _NUMBERED
    + r"(?:(?:item\s+1\W*)?(?:our |the )?business(?: overview)?|(?:the |our )?company(?: overview)?|general|about (?:us|this \w+)|introduction"
    r"|preface|foreword|purpose(?: and scope)?|scope|einleitung|einführung|vorwort|avant-propos|préface|introducción|introduzione|introdução|inleiding|서론|はじめに|引言)\W*$",
    re.IGNORECASE,
)
SUMMED = 0.45  # how much sentences gain by standing where the document sums itself up
FIRST = 0.12  # and by standing at the head of their section
_TECHNICAL = re.compile(
    r"[=∈∀∃≤≥⊆∪∩→↦{}|\\<>]|\b(?:in|of) th(?:is|e following) (?:section|chapter)\b|\b(?:tables?|figures?|fig\.|equation|footnote|supra|abbildung|tabelle|tableau)\s"
    r"|^[A-Z]{4,}:|\b[A-Z]{2,}_[A-Z]",
    re.IGNORECASE,
)
# Greek letters, letters with hats, f(x): among Latin words they are mathematics.
_FORMULA = re.compile(
    r"[\u0370-\u03ff\u0300-\u036f]|\b\w\(\w\)|^(?:let|(?:es )?sei(?:en)?|soi(?:en)?t) ", re.IGNORECASE
)
_TORN = re.compile(r"\b(?:et al|cf|vgl|z\. ?B|e\. ?g|i\. ?e|resp|bzw)\.$")
# Sentences that tell nothing of what a document is about: its keywords, thanks, rights, forms.
BESIDE_THE_POINT = re.compile(
    r"^(?:keywords?|key words|index terms|schl[üu]sselw[öo]rter|mots[- ]cl[ée]s|palabras clave|parole chiave|palavras-chave)\b"
    r"|\b(?:thanks|thank you|thankful|grateful|acknowledge(?:s|d|ments?)?|(?:vielen|herzlichen) dank|danken|bedanken|dankbar"
    r"|remerci\w+|agradec\w+|ringrazi\w+|dankzij|copyright|all rights reserved|permission to|isbn|hereby|supra|registrant"
    r"|indicate by check ?mark|forward-looking|safe harbou?r)\b|©"
    # how measures are made up
    r"|\b(?:is|are|was|were) (?:also )?(?:calculated|computed|derived by)\b|\breflects? \w+ for which\b|\bGAAP\b|\breconcil\w+",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:dieses? (?:\w+ )?(?:arbeit|bericht|dokument|skript|buch|handbuch)|(?:dans|ce|cet) (?:cet? )?(?:papier|article|rapport|document)|nous (?:proposons|présentons)"
    r"|este (?:informe|documento|artículo)|questo (?:documento|rapporto|articolo)|este (?:relatório|documento|artigo)|dit (?:rapport|document)|this (?:paper|report|document|study|handbook|manual|guide|policy|agreement|article|chapter|book)|we (?:present|propose|show|describe|introduce"
    r"|find|report)|in summary|in conclusion|overall|the (?:purpose|aim|goal|objective) of|main (?:finding|result|contribution)s?)\b",
    re.IGNORECASE,
)
_LEANING = re.compile(
    r"^(?:this|that|these|those|it|its|they|them|their|he|she|his|her|such|however|moreover|furthermore|therefore|thus|hence|also|but|and|or|so"
    r"|then|as a result|for example|for instance|in addition|instead|otherwise|similarly|here|there|both|one|another|consequently|nevertheless"
    r"|cel(?:les?|ui)-ci|ceux-ci|cela|ceci|ils|elles|ainsi|de plus|cependant|toutefois|par conséquent|en effet"
    r"|daher|somit|damit|dabei|außerdem|jedoch|deshalb|dazu|folglich)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document with its title ("" when it has none) and its chunks in reading order."""

    title: str
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A sentence: its passage, its section, how near to the opening of the document (1 = its first chunk), and what
    it gains by where it stands."""

    passage: int
    text: str
    part: int
    opening: float
    standing: float


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
        title_of = _titles(index, chunks)
        chunks = [c for c in chunks if heading_matches(topic, (*c.headings, title_of(c)))]
    if not chunks:
        return ()
    title_of = _titles(index, chunks)
    found: list[tuple[str, list[Chunk]]] = []
    for chunk in chunks:
        title = title_of(chunk)
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
    index: DocumentIndex,
    found: Sequence[Section],
    static: Embedder | None,
    most: int = SENTENCES,
    *,
    lines: bool = True,
) -> tuple[Draft, tuple[Passage, ...]]:
    """The document's own sentences as claims, in reading order, with the passages they cite.

    Two come from where the document sums itself up, else from its opening, where documents say what they are; one
    from its conclusions; the others from its largest sections, one each, the one that is nearest to the section and
    the whole and least like those already taken. Where no sentence stands for itself the first lines are taken,
    unless ``lines`` is off.
    """
    chunks = _own_language([c for s in found for c in s.chunks])[:SCANNED_CHUNKS]
    part_of = {c.number: n for n, s in enumerate(found) for c in s.chunks}
    places: list[_Place] = []
    told = 0  # chunks with a sentence to quote so far: covers and tables of contents do not open a document
    heads: set[str] = set()
    for i, chunk in enumerate(chunks):
        first = _title(chunk) not in heads
        heads.add(_title(chunk))
        more = _places(i, chunk, part_of[chunk.number], told, first)
        told += bool(more)
        places += more
    if not places and lines:
        places = [
            _Place(i, text.strip(), part_of[c.number], 0.0, 0.0)
            for i, c in enumerate(chunks[:3])
            for text in c.text.split("\n")[:2]
            if text.strip()
        ]
    titles = [_title(chunks[place.passage]) for place in places]
    chosen = sorted(_chosen(places, titles, static, most))
    used = sorted({places[i].passage for i in chosen})
    number = {passage: n for n, passage in enumerate(used, start=1)}
    claims = tuple(
        Claim(f"“{places[i].text}”", ((number[places[i].passage], places[i].text),)) for i in chosen
    )
    return Draft(claims, refused=not claims), tuple(chunk_passage(index, chunks[i]) for i in used)


def _own_language(chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks in the language of most of them: papers in other languages often have an English abstract."""
    counted = Counter(c.language for c in chunks if c.language)
    if not counted:
        return list(chunks)
    most = counted.most_common(1)[0][0]
    return [c for c in chunks if c.language in ("", most)]


def _chosen(places: Sequence[_Place], titles: Sequence[str], static: Embedder | None, most: int) -> list[int]:
    """Positions in ``places``, whose sections have ``titles``: OPENERS from where the document sums itself up or
    introduces itself, one from its conclusions, then the best of each section, the largest first."""
    if not places:
        return []
    parts = [place.part for place in places]
    merit = np.array([0.35 * place.opening + place.standing for place in places], dtype=np.float32)
    merit += np.array([0.3 * bool(_TELLING.search(p.text)) for p in places], dtype=np.float32)
    # Long sentences lie nearer to the mean of all, for being long.
    merit -= np.array([max(0, len(p.text) - COMFORTABLE) / 800 for p in places], dtype=np.float32)
    vectors = static.embed([place.text for place in places]) if static else None
    if vectors is not None:
        merit += vectors @ _centre(vectors)
        for part in set(parts):
            rows = [i for i, p in enumerate(parts) if p == part]
            merit[rows] += 0.5 * (vectors[rows] @ _centre(vectors[rows]))
    chosen: list[int] = []
    for candidates in _rounds(places, titles, most):
        begun = {places[i].text[:SHORTEST] for i in chosen}
        left = [i for i in candidates if i not in chosen and places[i].text[:SHORTEST] not in begun]
        if len(chosen) >= min(most, len(places)):
            break
        if left:
            echo = (vectors[left] @ vectors[chosen].T).max(axis=1) if vectors is not None and chosen else 0.0
            chosen.append(left[int((merit[left] - ECHO * echo).argmax())])
    return chosen


def _rounds(places: Sequence[_Place], titles: Sequence[str], most: int) -> list[list[int]]:
    """Where each sentence of a summary is looked for in turn: positions in ``places``."""
    parts = [place.part for place in places]
    sizes = sorted(set(parts), key=lambda part: -parts.count(part))
    opening = [i for i, place in enumerate(places) if place.opening > 0]
    for kind in (SUMMING, INTRODUCING):
        named = [i for i, title in enumerate(titles) if kind.match(title)]
        if len(named) >= OPENERS:
            opening = named
            break
    closing = [i for i, title in enumerate(titles) if CLOSING.match(title)]
    sections = [[i for i, p in enumerate(parts) if p == part] for part in sizes]
    return [opening] * OPENERS + [closing] + sections * most


def _places(passage: int, chunk: Chunk, part: int, order: int, first: bool) -> list[_Place]:
    """The sentences of ``chunk`` that can be quoted; ``first`` says that it opens its section."""
    if chunk.kind != "prose":
        return []
    places = []
    title = _title(chunk)
    standing = SUMMED * bool(SUMMING.match(title) or CLOSING.match(title)) + FIRST * first
    for start, end in sentence_bounds(chunk.text):
        text = " ".join(chunk.text[start:end].split())
        formula = _FORMULA.search(text) and re.search("[A-Za-z]", text)
        letters = sum(c.isalpha() or c.isspace() for c in text)
        if (
            SHORTEST <= len(text) <= LONGEST
            and letters > 0.85 * len(text)
            and not (formula or _TECHNICAL.search(text) or _TORN.search(text))
            and all(text.count(a) == text.count(b) for a, b in ("()", "[]"))
            and not BESIDE_THE_POINT.search(text)
            and text[-1] in ".!?。؟।"
            and (text[0].isupper() or text[0] in '“"‘(' or (not text[0].isascii() and text[0].isalpha()))
            and (not _LEANING.match(text) or _TELLING.match(text))
            and "http" not in text
            and "@" not in text
        ):
            places.append(_Place(passage, text, part, max(0.0, 1.0 - order / OPENING_CHUNKS), standing))
    return places


def _centre(vectors: FloatArray) -> FloatArray:
    centre: FloatArray = vectors.mean(axis=0)
    length = float(np.linalg.norm(centre)) or 1.0
    return centre / np.float32(length)


def _title(chunk: Chunk) -> str:
    return chunk.headings[-1] if chunk.headings else ""


def _titles(index: DocumentIndex, chunks: Sequence[Chunk]) -> Callable[[Chunk], str]:
    """The section a chunk belongs to: by its headings, by the document's outline where no heading was found."""
    if any(c.headings for c in chunks):
        depth = _depth(chunks)
        return lambda c: c.headings[depth] if len(c.headings) > depth else (c.headings or ("",))[-1]
    top = min((entry.level for entry in index.document.outline), default=1)
    entries = sorted((e.page, e.title) for e in index.document.outline if e.level == top)
    return lambda c: next((title for page, title in reversed(entries) if page <= c.pages[0]), "")


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
