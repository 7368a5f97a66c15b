"""Measure how well pages are read: are the printed phrases there, in reading order, and is nothing glued or hidden?

``python -m evaluation.reading --pdfs DIR [DIR ...] [--doc NAME ...] [--out R.json]`` reads the PDFs with the loader
and compares ``Page.text`` with the phrases of ``evaluation/gold/pages``, which were written from the page images.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.gold_documents import run, with_pages
from evaluation.metrics import Ratio, summarise
from src.settings import Settings

GOLD_PAGES = Path(__file__).parent / "gold" / "pages"
_QUOTES = str.maketrans({"‘": "'", "’": "'", "‚": "'", "“": '"', "”": '"', "„": '"'})
_DASHES = re.compile(r"[‐‑‒–—―−]")


@dataclass(frozen=True, slots=True)
class GoldPage:
    """What a reader sees on a page.

    ``phrases`` are in reading order; ``anywhere`` are printed too, but their place is a matter of taste (captions,
    floating tables, footnotes); ``absent`` may not occur: words glued, lines of two columns joined, hidden text.
    """

    doc: str
    page: int
    layout: str
    phrases: tuple[str, ...]
    anywhere: tuple[str, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageReading:
    """What was found of a gold page; ``in_order`` counts the phrases of the longest rightly ordered run."""

    gold: GoldPage
    missing: tuple[str, ...]
    in_order: int
    wrong: tuple[str, ...]
    state: str

    @property
    def ordered(self) -> int:
        """How many of the ordered phrases were found."""
        return len(self.gold.phrases) - sum(phrase in self.missing for phrase in self.gold.phrases)

    def values(self) -> dict[str, Ratio]:
        """Recall of phrases, share of the found ones in order, share of forbidden strings that do not occur."""
        total = len(self.gold.phrases) + len(self.gold.anywhere)
        return {
            "recall": Ratio(total - len(self.missing), total),
            "order": Ratio(self.in_order, self.ordered),
            "clean": Ratio(len(self.gold.absent) - len(self.wrong), len(self.gold.absent)),
        }


def plain(text: str) -> str:
    """``text`` as phrases are compared: NFKC, quotes and dashes folded, one space for white space, case folded."""
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    return re.sub(r"\s+", " ", _DASHES.sub("-", folded)).casefold()


def read_gold(folder: Path = GOLD_PAGES) -> tuple[GoldPage, ...]:
    """The gold pages in ``folder``, by document and page."""
    pages = []
    for path in sorted(folder.glob("*.json")):
        fields = json.loads(path.read_text(encoding="utf-8"))
        lists = {name: tuple(fields[name]) for name in ("phrases", "anywhere", "absent")}
        pages.append(GoldPage(fields["doc"], fields["page"], fields["layout"], **lists))
    return tuple(sorted(pages, key=lambda page: (page.doc, page.page)))


def places(phrase: str, text: str) -> list[int]:
    """Where ``phrase`` begins in ``text`` (both plain) as whole words."""
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text)]


def longest_run(places_of: Iterable[Sequence[int]]) -> int:
    """The most phrases that can be read in rising order, one place each."""
    tails: list[int] = []
    for candidates in places_of:
        for place in sorted(candidates, reverse=True):
            at = bisect_left(tails, place)
            tails[at : at + 1] = [place]
    return len(tails)


def judge(gold: GoldPage, text: str, state: str = "") -> PageReading:
    """Compare the text of a page with what a reader sees on it."""
    read = plain(text)
    ordered = [places(plain(phrase), read) for phrase in gold.phrases]
    missing = [phrase for phrase, at in zip(gold.phrases, ordered, strict=True) if not at]
    missing += [phrase for phrase in gold.anywhere if not places(plain(phrase), read)]
    wrong = tuple(string for string in gold.absent if plain(string) in read)
    return PageReading(gold, tuple(missing), longest_run(ordered), wrong, state)


def measure(gold: Sequence[GoldPage], folders: Sequence[Path], options: Settings) -> list[PageReading]:
    """Judge the gold pages; a document that cannot be read has empty pages."""
    readings = []
    for wanted, pages in with_pages(gold, folders, options):
        page = pages.get(wanted.page)
        readings.append(judge(wanted, page.text, page.state.value) if page else judge(wanted, "", "unread"))
    return readings


def report(readings: Sequence[PageReading]) -> dict[str, Any]:
    """The figures by layout, with bootstrap intervals over pages, and what went wrong on each page."""
    return {
        "metrics": summarise((reading.gold.layout, reading.values()) for reading in readings),
        "pages": [
            {
                "doc": reading.gold.doc,
                "page": reading.gold.page,
                "state": reading.state,
                "found": len(reading.gold.phrases) + len(reading.gold.anywhere) - len(reading.missing),
                "phrases": len(reading.gold.phrases) + len(reading.gold.anywhere),
                "in_order": reading.in_order,
                "ordered": reading.ordered,
                "missing": list(reading.missing),
                "wrong": list(reading.wrong),
            }
            for reading in readings
        ],
    }


def print_report(result: dict[str, Any]) -> None:
    """A line a page, worst first, then the figures by layout."""
    for page in sorted(result["pages"], key=lambda page: page["found"] / page["phrases"]):
        print(
            f"{page['doc']} p{page['page']} ({page['state']}): {page['found']} of {page['phrases']} found, "
            f"{page['in_order']} of {page['ordered']} in order"
        )
        for name in ("missing", "wrong"):
            if page[name]:
                print(f"    {name}: " + " | ".join(page[name]))
    for group, metrics in result["metrics"].items():
        figures = (
            f"{name} {entry['value']:.1%} [{entry['low']:.1%}, {entry['high']:.1%}]"
            for name, entry in metrics.items()
        )
        print(f"{group} (n={next(iter(metrics.values()))['n']}): " + ", ".join(figures))


def main(argv: list[str] | None = None) -> int:
    """Measure and print; with --out the whole report is written as JSON."""
    return run(
        "Measure reading against the gold pages.",
        read_gold(),
        lambda gold, folders, options: report(measure(gold, folders, options)),
        print_report,
        argv,
    )


if __name__ == "__main__":
    sys.exit(main())
