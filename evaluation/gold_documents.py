"""What measuring against gold pages and gold tables has in common: the command line, and each document read once."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from evaluation.independent_text import find_pdf
from src.headless import read_document
from src.records import LoadError, Page
from src.settings import Settings, settings


class OfDocument(Protocol):
    """A gold record; ``doc`` is the file stem of its PDF."""

    @property
    def doc(self) -> str: ...


Gold = TypeVar("Gold", bound=OfDocument)


def with_pages(
    gold: Sequence[Gold], folders: Sequence[Path], options: Settings
) -> Iterator[tuple[Gold, dict[int, Page]]]:
    """Each gold record with its document's pages by number; none of a document that cannot be read."""
    for doc in dict.fromkeys(record.doc for record in gold):
        path = find_pdf(doc, folders)
        pages: Iterable[Page] = ()
        try:
            pages = read_document(path.read_bytes(), path.name, options).pages
        except LoadError as error:
            print(f"{doc}: {error.message}", file=sys.stderr)
        by_number = {page.number: page for page in pages}
        yield from ((record, by_number) for record in gold if record.doc == doc)


def run(
    description: str,
    gold: Sequence[Gold],
    measured: Callable[[Sequence[Gold], Sequence[Path], Settings], dict[str, Any]],
    print_report: Callable[[dict[str, Any]], None],
    argv: Sequence[str] | None,
) -> int:
    """Measure and print; with --out the whole report is written as JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--pdfs", type=Path, nargs="+", required=True, metavar="DIR", help="searched with subfolders"
    )
    parser.add_argument(
        "--doc", nargs="*", default=[], metavar="NAME", help="only these documents (file stems)"
    )
    parser.add_argument("--out", type=Path, metavar="R.json")
    arguments = parser.parse_args(argv)
    chosen = [record for record in gold if not arguments.doc or record.doc in arguments.doc]
    result = measured(chosen, arguments.pdfs, settings())
    print_report(result)
    if arguments.out:
        arguments.out.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0
