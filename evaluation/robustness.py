"""Reads every PDF of a folder and says how it ended: no input may crash, hang or be given up without need.

``python -m evaluation.robustness DIR [--timeout 60] [--full] [--compare-pdftotext] [--only PART] [--minutes M]
[--share 1/4] [--out R.json]``

Reading stops at the first snapshot with text, or goes on to the last one with ``--full``; at the
time limit it is told to finish with what there is, and one that does not is a timeout. ``words`` counts the words
of the last snapshot; ``peak_mb`` is the memory of the reading processes alone. ``--compare-pdftotext`` adds
``reference_words`` and ``recall`` (the part of poppler's words that was read, each counted as often as it occurs).
``--minutes`` ends the run early; the next one with the same ``--out`` goes on behind the files that are in it.
``--share 1/4`` reads every fourth file from the first on, so that several runs can share the work.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import threading
import time
import traceback
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from src.loader import load
from src.records import Document, LoadError, Outcome
from src.settings import Settings, read_settings

GRACE_SECONDS = 10.0  # after the time is over, for workers to be ended
ENOUGH_WORDS = 20
GOOD_RECALL = 0.9
UNJUST = (Outcome.DAMAGED, Outcome.EMPTY, Outcome.NO_TEXT, Outcome.NOT_A_PDF)


@dataclass(frozen=True, slots=True)
class FileResult:
    """How reading one file ended; the first seven fields are the contract."""

    file: str
    outcome: str
    pages: int
    words: int
    seconds: float
    peak_mb: float
    message: str
    states: dict[str, int]
    reference_words: int | None = None
    recall: float | None = None

    @property
    def fault(self) -> str:
        """What is wrong with the result, "" when nothing is."""
        if self.outcome in (Outcome.CRASH, Outcome.TIMEOUT):
            return self.outcome
        if (self.reference_words or 0) >= ENOUGH_WORDS:
            if self.outcome in UNJUST:
                return f"{self.outcome}, though there are {self.reference_words} words"
            if self.outcome == Outcome.READ and (self.recall or 0) < GOOD_RECALL:
                return f"recall {self.recall:.0%} of {self.reference_words} words"
        return ""


class Reading(threading.Thread):
    """Reads one file in a thread, so that a hanging loader is seen as a timeout."""

    def __init__(self, data: bytes, name: str, settings: Settings, full: bool) -> None:
        super().__init__(daemon=True)
        self._data, self._name, self._settings, self._full = data, name, settings, full
        self.cancel, self.finish = threading.Event(), threading.Event()
        self.document: Document | None = None
        self.outcome, self.message = Outcome.CRASH, "The reader ended without a word."

    def run(self) -> None:
        try:
            for document in load(
                self._data, self._name, self._settings, cancel=self.cancel, finish=self.finish
            ):
                self.document, self.outcome, self.message = document, Outcome.READ, ""
                if not self._full and word_count(document):
                    break
        except LoadError as error:
            self.outcome, self.message = error.outcome, error.message
        except Exception:  # noqa: BLE001 - whatever escapes the loader is what this program looks for
            self.outcome, self.message = Outcome.CRASH, traceback.format_exc()


def read_file(
    path: Path, settings: Settings, timeout: float, *, full: bool = False, compare: bool = False
) -> FileResult:
    """Read one file under a time limit; with ``compare`` beside what pdftotext reads in it."""
    reading = Reading(path.read_bytes(), path.name, settings, full)
    started, peak = time.monotonic(), 0.0
    reading.start()
    while reading.is_alive() and time.monotonic() - started < timeout:
        reading.join(0.1)
        peak = max(peak, children_mb())
    seconds = time.monotonic() - started
    outcome, message = reading.outcome, reading.message
    if reading.is_alive():
        reading.finish.set()  # as a reader may end OCR with what there is
        reading.join(GRACE_SECONDS)
        outcome, message = reading.outcome, reading.message or f"Stopped after {timeout:g} seconds."
    if reading.is_alive():
        reading.cancel.set()
        outcome, message = Outcome.TIMEOUT, f"Reading took over {timeout:g} seconds."
    document = reading.document
    states = Counter(page.state.value for page in document.pages) if document else Counter[str]()
    reference, recall = None, None
    if compare:
        wanted = tokens(poppler_text(path))
        reference = sum(wanted.values())
        if document and reference:
            recall = round(shared(wanted, "\n".join(page.text for page in document.pages)), 4)
    return FileResult(
        path.name,
        outcome.value,
        len(document.pages) if document else 0,
        word_count(document) if document else 0,
        round(seconds, 2),
        round(peak, 1),
        message,
        dict(states),
        reference,
        recall,
    )


def word_count(document: Document) -> int:
    """Words of all pages."""
    return sum(len(page.text.split()) for page in document.pages)


def children_mb() -> float:
    """Resident memory of the processes that this one has started, in MB."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total / 2**20


def tokens(text: str) -> Counter[str]:
    """Words as they are compared: NFKC, lower case, letters and digits alone, a hyphen at a line's end joined."""
    folded = unicodedata.normalize("NFKC", text).lower()
    joined = re.sub(r"(?<=\w)[-\u00ad\u2010\u2011\ufffe]\s*\n\s*(?=\w)", "", folded)
    return Counter(word for part in joined.split() if (word := re.sub(r"[\W_]+", "", part)))


def poppler_text(path: Path, seconds: float = 60) -> str:
    """What pdftotext reads, "" when it cannot."""
    try:
        run = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return run.stdout.decode("utf-8", "replace")


def shared(wanted: Counter[str], text: str) -> float:
    """Part of ``wanted`` found in ``text``; words that one reader glues and the other parts are looked up in the
    text without white space."""
    found = tokens(text)
    missing = wanted - found
    if missing:
        whole = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).lower())
        for word, count in list(missing.items()):
            if len(word) >= 4 and word in whole:
                missing[word] = max(0, count - whole.count(word))
    total = sum(wanted.values())
    return 1 - sum(missing.values()) / total if total else 1.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run over a folder, print what is wrong, write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--full", action="store_true", help="read to the last snapshot (tables, OCR)")
    parser.add_argument("--compare-pdftotext", action="store_true")
    parser.add_argument("--only", default="", help="files whose name contains this")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end the run after so many")
    parser.add_argument("--share", type=_share, default=(0, 1), help="which part of the files, as 1/4")
    parser.add_argument("--out", type=Path, help="results; files that are in it are not read again")
    options = parser.parse_args(argv)
    if options.compare_pdftotext and shutil.which("pdftotext") is None:
        parser.error("pdftotext is not installed (poppler-utils)")
    settings = read_settings()
    results = earlier_results(options.out)
    known, end = {result.file for result in results}, time.monotonic() + 60 * options.minutes
    first, step = options.share
    for path in sorted(options.folder.rglob("*.pdf"))[first::step]:
        if options.only not in path.name or path.name in known or time.monotonic() > end:
            continue
        result = read_file(
            path, settings, options.timeout, full=options.full, compare=options.compare_pdftotext
        )
        results.append(result)
        write_results(results, options.out)
        if result.fault:
            print(f"{path.name}: {result.fault}", flush=True)
    report(results)
    return 0


def _share(text: str) -> tuple[int, int]:
    """ "2/4" as (1, 4): the place of the first file, and the step."""
    part, _, of = text.partition("/")
    if not (part.isdecimal() and of.isdecimal() and 1 <= int(part) <= int(of)):
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 1/4")
    return int(part) - 1, int(of)


def earlier_results(out: Path | None) -> list[FileResult]:
    """What an earlier run has written to ``out``."""
    if out is None or not out.exists():
        return []
    return [FileResult(**entry) for entry in json.loads(out.read_text())["files"]]


def write_results(results: Sequence[FileResult], out: Path | None) -> None:
    """The contract's JSON."""
    if out:
        files: list[dict[str, Any]] = [asdict(result) for result in results]
        out.write_text(json.dumps({"files": files}, indent=1, ensure_ascii=False))


def report(results: Sequence[FileResult]) -> None:
    """Print the counts."""
    outcomes = Counter(result.outcome for result in results)
    recalls = [r.recall for r in results if r.recall is not None and (r.reference_words or 0) >= ENOUGH_WORDS]
    print(f"{len(results)} files: " + ", ".join(f"{count} {name}" for name, count in outcomes.most_common()))
    print(f"faults: {sum(bool(result.fault) for result in results)}")
    if recalls:
        good = sum(recall >= GOOD_RECALL for recall in recalls)
        print(f"recall 90% or more in {good} of {len(recalls)} files with {ENOUGH_WORDS} words or more")


if __name__ == "__main__":
    sys.exit(main())
