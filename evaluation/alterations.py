"""The claim check measured on planted alterations: ``python -m evaluation.alterations --pdfs DIR``.

Each line of ``gold/alterations.jsonl`` holds a sentence that is true of a page and the same sentence with one planted
falsehood. Both go through ``src.citations`` as the sentences of a model's answer would, citing the passages that the evidence
stands in and quoting the words of the evidence that stand there in one piece. An alteration is caught when its sentence
does not pass as fully supported; a true sentence that does not pass is a false alarm.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from evaluation.independent_text import find_pdf
from evaluation.metrics import Ratio, summarise
from src.chunker import chunk_document
from src.citations import claims
from src.citations.checking import Register
from src.citations.verdicts import Verdict
from src.headless import read_document
from src.index import DocumentIndex, build_index
from src.models import Models, load_models
from src.records import Chunk, Claim, Document, Support
from src.settings import Settings, settings
from src.summary import chunk_passage

GOLD = Path(__file__).parent / "gold" / "alterations.jsonl"
SECOND = "out-"  # opens the ids of the second writer's pairs
MOST_PASSAGES = 3
MOST_QUOTES = 3  # a passage
NEW_WORDS = 0.15  # of the evidence that a further passage must hold to be cited too
SHORTEST_QUOTE = 3  # words
_WORD = re.compile(r"\w+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class Pair:
    """A true sentence and its altered twin, with the evidence of both."""

    id: str
    document: str
    pages: tuple[int, ...]
    evidence: str
    question: str
    true: str
    altered: str
    kind: str
    language: str

    @property
    def writer(self) -> str:
        """Who wrote the pair: two outsiders did, the second after the check had been mended on the pairs of the first."""
        return "second writer" if self.id.startswith(SECOND) else "first writer"

    @property
    def half(self) -> str:
        """ "tuned" or "held": rules may be written after reading the misses of the first, not of the second.

        Half of the first writer's pairs were held at first; of these two thirds were read later, in two steps. Of the
        second writer's the odd ones are held.
        """
        if self.writer == "second writer":
            return "held" if int(self.id.removeprefix(SECOND)) % 2 else "tuned"
        first, second = (hashlib.blake2b(self.id.encode(), digest_size=n).digest()[-1] for n in (1, 2))
        return "held" if first & 1 and second % 3 == 2 else "tuned"


@dataclass(frozen=True, slots=True)
class Judged:
    """What the check said of a pair."""

    pair: Pair
    true: Verdict
    altered: Verdict

    @property
    def caught(self) -> bool:
        """Whether the falsehood was seen."""
        return self.altered.support is not Support.FULL

    @property
    def alarm(self) -> bool:
        """Whether the true sentence was doubted."""
        return self.true.support is not Support.FULL

    @property
    def struck(self) -> bool:
        """Whether the true sentence was taken out of the answer."""
        return self.true.support is Support.NONE


def read_pairs(path: Path = GOLD) -> list[Pair]:
    """The pairs of ``path`` in order."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Pair(**row | {"pages": tuple(row["pages"])}) for row in rows]


def cites(pair: Pair, chunks: Sequence[Chunk]) -> list[tuple[Chunk, str]]:
    """The chunks that hold ``pair``'s evidence, each with the pieces of the evidence that stand in it."""
    wanted = set(_words(pair.evidence))
    near = [chunk for chunk in chunks if set(chunk.pages) & set(pair.pages)]
    held = {chunk.number: wanted & set(_words(f"{chunk.context} {chunk.text}")) for chunk in near}
    chosen: list[tuple[Chunk, str]] = []
    left = set(wanted)
    for _ in range(min(MOST_PASSAGES, len(near))):
        best = max(near, key=lambda chunk: len(held[chunk.number] & left))
        if chosen and len(held[best.number] & left) < NEW_WORDS * len(wanted):
            break
        chosen += [(best, quote) for quote in _quotes(pair.evidence, best.text)] or [(best, "")]
        left -= held[best.number]
        near.remove(best)
    return chosen


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _quotes(evidence: str, text: str) -> list[str]:
    """At most MOST_QUOTES runs of words that both have, the longest first, as ``text`` writes them."""
    places = list(_WORD.finditer(text))
    ours, theirs = _words(evidence), [place.group().casefold() for place in places]
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    runs = sorted((b for b in blocks if b.size >= SHORTEST_QUOTE), key=lambda b: -b.size)
    return [text[places[r.b].start() : places[r.b + r.size - 1].end()] for r in runs[:MOST_QUOTES]]


def judge(pair: Pair, index: DocumentIndex, models: Models) -> Judged:
    """Both sentences of ``pair`` through the check."""
    found = cites(pair, index.chunks)
    chunks = list(dict.fromkeys(chunk.number for chunk, _ in found))
    passages = [chunk_passage(index, index.chunks[number]) for number in chunks]
    numbered = tuple((chunks.index(chunk.number) + 1, quote) for chunk, quote in found)
    documents = {index.document.id: index.document}
    register = Register(passages, documents)
    located = [register.cite(number, quote) for number, quote in numbered]

    def verdict(text: str) -> Verdict:
        claim = Claim(text, numbered)
        return claims.judge(claim, located, pair.question, passages, documents, models, "direct")

    return Judged(pair, verdict(pair.true), verdict(pair.altered))


def measure(
    pairs: Sequence[Pair], folders: Sequence[Path], models: Models, options: Settings
) -> Iterator[Judged]:
    """Every pair judged; each document is read once."""
    for name in dict.fromkeys(pair.document for pair in pairs):
        path = find_pdf(Path(name).stem, folders)
        document: Document = read_document(path.read_bytes(), path.name, options)
        index = build_index(document, chunk_document(document, options), Models(), options)
        for pair in pairs:
            if pair.document == name:
                yield judge(pair, index, models)


def report(judged: Iterable[Judged]) -> dict[str, Any]:
    """Shares caught and falsely alarmed, by kind and by half, and the pairs that went wrong."""
    found = list(judged)
    values = [
        (
            j.pair.kind,
            {"caught": Ratio(j.caught, 1), "alarms": Ratio(j.alarm, 1), "struck": Ratio(j.struck, 1)},
        )
        for j in found
    ]
    halves = [
        (group, value)
        for j, (_, value) in zip(found, values, strict=True)
        for group in (j.pair.half, f"{j.pair.writer}, {j.pair.half}")
    ]
    return {
        "metrics": {**summarise(halves), **summarise(values)},
        "missed": [j.pair.id for j in found if not j.caught],
        "alarms": {j.pair.id: j.true.problem for j in found if j.alarm},
        "struck": [j.pair.id for j in found if j.struck],
    }


def main(argv: list[str] | None = None) -> int:
    """Measure and print; with --out the report is written as JSON."""
    parser = argparse.ArgumentParser(description="Measure the claim check on planted alterations.")
    parser.add_argument(
        "--pdfs", type=Path, nargs="+", required=True, metavar="DIR", help="searched with subfolders"
    )
    parser.add_argument("--out", type=Path, metavar="R.json")
    arguments = parser.parse_args(argv)
    logging.basicConfig(level=logging.WARNING)
    options = settings()
    result = report(measure(read_pairs(), arguments.pdfs, load_models(options), options))
    for group, metrics in result["metrics"].items():
        line = ", ".join(
            f"{name} {m['value']:.1%} [{m['low']:.1%}, {m['high']:.1%}]" for name, m in metrics.items()
        )
        print(f"{group}: {line} (n={metrics['caught']['n']})")
    if arguments.out:
        arguments.out.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
