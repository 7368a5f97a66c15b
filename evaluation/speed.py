"""Times reading, indexing and finding, and the memory they take.

``python -m evaluation.speed FILE... [--questions N] [--out R.json]``

``askable_s`` runs from the bytes in memory to the first snapshot (text of all pages, keywords, static vectors),
``indexed_s`` to the end of everything (tables, OCR, sentence vectors). Questions are timed on the full index.
``peak_mb`` is the PSS of the process tree. Each file is measured in a process of its own, models loaded beforehand.
``reference_s`` times a fixed piece of work in the same process, so that ratios travel between machines.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.process_memory import watch
from src.chunker import chunk_document
from src.headless import full_index
from src.index import DocumentIndex, build_index
from src.loader import load
from src.models import Models, load_models
from src.records import LoadError
from src.retriever import retrieve
from src.settings import Settings, read_settings

QUESTIONS = 40
WORKER = "--measure"


def reference_seconds() -> float:
    """The median of five runs of a fixed piece of single-threaded work: tokens counted, vectors multiplied, hashed."""
    text = " ".join(f"word{i * 7919 % 5003} {i}" for i in range(60_000))
    rows = np.random.default_rng(1).random((4000, 64), dtype=np.float32)

    def work() -> float:
        start = time.perf_counter()
        counts = Counter(re.findall(r"\w+", text))
        for row in rows[:200]:
            np.argsort(rows @ row)
        hashlib.sha256(text.encode() * 40).hexdigest()
        assert counts
        return time.perf_counter() - start

    return statistics.median(work() for _ in range(5))


def questions_for(index: DocumentIndex, count: int) -> list[str]:
    """Questions made of the document's own words, spread over it, so that timing needs no question file."""
    step = max(1, len(index.chunks) // count)
    made = []
    for chunk in index.chunks[::step][:count]:
        words = [word for word in re.findall(r"\w+", chunk.text) if len(word) > 3]
        made.append(f"What does the document say about {' '.join(words[2:8])}?")
    return made


def first_and_full(
    data: bytes, name: str, models: Models, settings: Settings
) -> tuple[DocumentIndex, float, float]:
    """The full index with the seconds to the first snapshot and to the end."""
    start = time.perf_counter()
    askable = 0.0
    for document in load(data, name, settings):
        if not askable:
            build_index(document, chunk_document(document, settings), models, settings)
            askable = time.perf_counter() - start
    index = full_index(document, models, settings)
    return index, askable, time.perf_counter() - start


def times_of_questions(
    index: DocumentIndex, questions: Sequence[str], models: Models, settings: Settings
) -> Iterator[float]:
    """Milliseconds from each question to its passages; one question before them warms the models."""
    retrieve(questions[0], [index], models, settings)
    for question in questions:
        start = time.perf_counter()
        retrieve(question, [index], models, settings)
        yield 1000 * (time.perf_counter() - start)


def measure(path: Path, count: int) -> dict[str, Any]:
    """The entry of one file. Raises LoadError."""
    settings = read_settings()
    models = load_models(settings)
    data = path.read_bytes()
    reference = reference_seconds()
    with watch(os.getpid()) as peak:
        index, askable, indexed = first_and_full(data, path.name, models, settings)
        times = list(times_of_questions(index, questions_for(index, count), models, settings))
    return {
        "file": path.name,
        "pages": len(index.document.pages),
        "chunks": len(index.chunks),
        "askable_s": round(askable, 3),
        "indexed_s": round(indexed, 2),
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1),
        "peak_mb": round(peak.mb, 1),
        "reference_s": round(reference, 4),
        "settled_mb": round(peak.last, 1),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Measure each file in a process of its own; print a table, write the result."""
    parser = argparse.ArgumentParser(prog="evaluation.speed", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="questions timed a file")
    parser.add_argument("--out", type=Path, help="where the result is written")
    parser.add_argument(WORKER, action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.measure:
        try:
            print(json.dumps(measure(options.files[0], options.questions)))
        except LoadError as error:
            print(f"{options.files[0].name}: {error.message}", file=sys.stderr)
            return 1
        return 0
    entries = []
    for path in options.files:
        command = [
            sys.executable,
            "-m",
            "evaluation.speed",
            str(path),
            "--questions",
            str(options.questions),
            WORKER,
        ]
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if run.returncode == 0:
            entries.append(json.loads(run.stdout.splitlines()[-1]))
            print("  ".join(f"{key}={value}" for key, value in entries[-1].items()), flush=True)
    if options.out:
        options.out.write_text(json.dumps({"files": entries}, indent=1), encoding="utf-8")
    return 0 if len(entries) == len(options.files) else 1


if __name__ == "__main__":
    sys.exit(main())
