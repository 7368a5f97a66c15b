"""Times reading, indexing and finding, and the memory they take.

``python -m evaluation.speed FILE... [--questions N] [--out R.json]``

``askable_s`` runs from the bytes in memory to the first snapshot (text of all pages, keywords, static vectors),
``indexed_s`` to the end of everything (tables, OCR, sentence vectors). Questions are timed on the full index.
``peak_mb`` is the PSS of the process tree. Each file is measured in a process of its own, models loaded beforehand.
``reference_s`` times a fixed piece of work in the same process, before, between and after, so that ratios travel
between machines; the ``cpu`` times stand on a busy machine too.
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
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.process_memory import tree_cpu_seconds, watch
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


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds since it was started, on the wall and of CPU in the whole process tree."""

    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=lambda: tree_cpu_seconds(os.getpid()))

    def read(self) -> tuple[float, float]:
        """Seconds of wall and CPU time."""
        return time.perf_counter() - self.wall, tree_cpu_seconds(os.getpid()) - self.cpu


def time_indexing(
    data: bytes, name: str, models: Models, settings: Settings
) -> tuple[DocumentIndex, dict[str, float]]:
    """The full index, and the times to the first snapshot and to the end."""
    clock = Clock()
    askable = (0.0, 0.0)
    for document in load(data, name, settings):
        if not askable[0]:
            build_index(document, chunk_document(document, settings), models, settings)
            askable = clock.read()
    index = full_index(document, models, settings)
    indexed = clock.read()
    return index, {
        "askable_s": round(askable[0], 3),
        "indexed_s": round(indexed[0], 2),
        "askable_cpu_s": round(askable[1], 2),
        "indexed_cpu_s": round(indexed[1], 2),
    }


def time_questions(
    index: DocumentIndex, questions: Sequence[str], models: Models, settings: Settings
) -> dict[str, float]:
    """Milliseconds from a question to its passages; one question before them warms the models."""
    retrieve(questions[0], [index], models, settings)
    wall, cpu = [], []
    for question in questions:
        start, used = time.perf_counter(), time.process_time()
        retrieve(question, [index], models, settings)
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - used))
    return {
        "p50_ms": round(float(np.percentile(wall, 50)), 1),
        "p95_ms": round(float(np.percentile(wall, 95)), 1),
        "p50_cpu_ms": round(float(np.percentile(cpu, 50)), 1),
    }


def measure(path: Path, count: int) -> dict[str, Any]:
    """The entry of one file. Raises LoadError."""
    settings = read_settings()
    models = load_models(settings)
    data = path.read_bytes()
    references = [reference_seconds()]
    with watch(os.getpid()) as peak:
        index, times = time_indexing(data, path.name, models, settings)
        references.append(reference_seconds())
        times |= time_questions(index, questions_for(index, count), models, settings)
    references.append(reference_seconds())
    return {
        "file": path.name,
        "pages": len(index.document.pages),
        "chunks": len(index.chunks),
        **times,
        "peak_mb": round(peak.mb, 1),
        "settled_mb": round(peak.last, 1),
        "reference_s": round(statistics.median(references), 4),
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
