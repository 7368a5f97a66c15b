"""The indexes that an evaluation asks, read once a run, their sentence vectors kept between runs."""

from __future__ import annotations

import argparse
import logging
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation.independent_text import find_pdf
from evaluation.questions import Question, read_questions
from src.headless import full_index, read_document
from src.index import DocumentIndex
from src.models import Models, load_models
from src.records import LoadError
from src.settings import Settings
from src.settings import settings as current_settings
from src.vectors import Embedded, VectorCache

log = logging.getLogger(__name__)


class Collection:
    """Indexes of the PDFs in or below some folders, by file stem; each is read once."""

    def __init__(
        self, folders: Iterable[Path], models: Models, settings: Settings, cache: Path | None = None
    ) -> None:
        self._folders = tuple(folders)
        self._settings = settings
        self.models = replace(models, cache=StoredVectors(cache)) if cache else models
        self._indexes: dict[str, DocumentIndex] = {}

    def index(self, doc: str) -> DocumentIndex:
        """The full index of the PDF whose file stem is ``doc``. Raises FileNotFoundError and LoadError."""
        if doc not in self._indexes:
            path, start = find_pdf(doc, self._folders), time.perf_counter()
            document = read_document(path.read_bytes(), path.name, self._settings)
            self._indexes[doc] = full_index(document, self.models, self._settings)
            seconds = time.perf_counter() - start
            log.info(
                "%s: %d pages, %d chunks, %.1f s",
                doc,
                len(document.pages),
                len(self._indexes[doc].chunks),
                seconds,
            )
        return self._indexes[doc]

    def each(self, questions: Iterable[Question]) -> Iterator[tuple[DocumentIndex, list[Question]]]:
        """Each document that ``questions`` ask of with its questions, read when it comes and let go of afterwards.

        A document that cannot be read is left out, with a line in the log.
        """
        by_document: dict[str, list[Question]] = {}
        for question in questions:
            by_document.setdefault(question.doc, []).append(question)
        for doc, asked in by_document.items():
            try:
                index = self.index(doc)
            except (LoadError, FileNotFoundError) as error:
                log.error("%s: %d questions left out: %s", doc, len(asked), error)
                continue
            yield index, asked
            self.release(doc)

    def release(self, doc: str) -> None:
        """Forget the index of ``doc``: no further question needs it."""
        self._indexes.pop(doc, None)


def training_data(description: str, arguments: Sequence[str] | None) -> tuple[list[Question], Collection]:
    """The questions, none of the test split, and the documents that the command line of a training names."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--pdfs", type=Path, nargs="+", required=True)
    parser.add_argument("--cache", type=Path)
    parsed = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    questions = [q for path in parsed.questions for q in read_questions(path) if q.split != "test"]
    options = current_settings()
    return questions, Collection(parsed.pdfs, load_models(options), options, parsed.cache)


class StoredVectors(VectorCache):
    """A vector cache that stays on disk, so that an evaluation run after a change to ranking embeds nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self._store = sqlite3.connect(folder / "embedded.sqlite3", timeout=60, check_same_thread=False)
        self._store.execute("PRAGMA journal_mode=WAL")
        self._store.execute(
            "CREATE TABLE IF NOT EXISTS embedded (key BLOB PRIMARY KEY, vector BLOB, codes BLOB, tokens INTEGER)"
            " WITHOUT ROWID"
        )

    def get(self, keys: Sequence[bytes]) -> list[Embedded | None]:
        """What there is for ``keys``, None where there is nothing."""
        select = "SELECT vector, codes, tokens FROM embedded WHERE key = ?"
        return [_embedded(self._store.execute(select, (key,)).fetchone()) for key in keys]

    def put(self, keys: Sequence[bytes], texts: Sequence[Embedded]) -> None:
        """Keep ``texts`` under ``keys``."""
        rows = [
            (
                key,
                np.ascontiguousarray(text.vector, dtype=np.float32).tobytes(),
                None if text.codes is None else text.codes.tobytes(),
                0 if text.codes is None else len(text.codes),
            )
            for key, text in zip(keys, texts, strict=True)
        ]
        with self._store:
            self._store.executemany("INSERT OR REPLACE INTO embedded VALUES (?, ?, ?, ?)", rows)


def _embedded(found: tuple[bytes, bytes | None, int] | None) -> Embedded | None:
    if found is None:
        return None
    vector, codes, tokens = found
    row = np.frombuffer(vector, dtype=np.float32)
    kept = None if codes is None else np.frombuffer(codes, dtype=np.uint8).reshape(tokens, len(row) // 4)
    return Embedded(row, kept)
