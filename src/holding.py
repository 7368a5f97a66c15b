"""One document held in memory: what is read of it so far, and what still happens to it."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, replace

from src.index import DocumentIndex
from src.loader.notes import passed_note
from src.loader.reading import FINISHED
from src.records import Document, Outcome, PageState, Progress

CHUNK_BYTES = 1500  # of a chunk besides its vectors: text and postings


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a document could not be read, as one sentence; ``incident`` is the id of an unexpected error's log."""

    outcome: Outcome
    message: str
    incident: str = ""


class Holding:
    """One document held: what is read of it so far and what still happens to it. Safe to read from any thread.

    ``finish`` ends a reading with what there is. ``readings`` counts how often the file was read, ``again`` holds
    while a later reading goes on, ``ocr_all`` says that it reads every page by OCR; ``began`` is when the reading was
    asked for, in seconds of ``time.monotonic``.
    """

    def __init__(self, key: str, owner: str, data: bytes, name: str, password: str | None) -> None:
        self.key = key
        self.owner = owner
        self.digest = hashlib.sha256(data).hexdigest()
        self.password = password
        self.added = time.monotonic()
        self.used = self.added
        self.began = self.added
        self.cancelled = threading.Event()
        self.finish = threading.Event()
        self.readings = 1
        self.ocr_all = False
        self.again = False
        self._lock = threading.RLock()
        self._name = name
        self._data = data
        self._index: DocumentIndex | None = None
        self._progress: Progress | None = None
        self._error: Failure | None = None
        self._note = ""
        self._base = 0
        self._read = False
        self._embedded = False

    @property
    def name(self) -> str:
        """The name its owner gave it."""
        return self._name

    @property
    def data(self) -> bytes:
        """The file; empty once reading has failed or the document was removed."""
        return self._data

    @property
    def index(self) -> DocumentIndex | None:
        """The newest snapshot, or None until the text is read."""
        return self._index

    @property
    def document(self) -> Document | None:
        """The document of the newest snapshot."""
        return None if self._index is None else self._index.document

    @property
    def progress(self) -> Progress | None:
        """The step going on now; None while waiting and when all is done."""
        return self._progress

    @property
    def error(self) -> Failure | None:
        """Why reading ended without a document."""
        return self._error

    @property
    def note(self) -> str:
        """One sentence when work on a readable document ended early (its tables, OCR or vectors are missing)."""
        return self._note

    @property
    def working(self) -> bool:
        """Whether anything still happens to the document (reading or embedding)."""
        return self._error is None and not self.cancelled.is_set() and not (self._read and self._embedded)

    @property
    def complete(self) -> bool:
        """Whether reading has ended with a document: nothing of its text is still to come."""
        return self._read and self._error is None

    @property
    def base(self) -> int:
        """The revision that the first snapshot of a reading gets; above all of an earlier reading."""
        return self._base

    @property
    def size(self) -> int:
        """Bytes of memory it is held in: the file, the text with its character boxes, the vectors."""
        index = self._index
        if index is None:
            return len(self._data)
        pages = sum(page.boxes.nbytes + 2 * len(page.text) for page in index.document.pages)
        static = index.static.nbytes if index.static is not None else 0
        return len(self._data) + pages + static + index.vectors.nbytes + CHUNK_BYTES * len(index.chunks)

    def rename(self, name: str) -> None:
        """Give it another name; answers from now on use it."""
        with self._lock:
            self._name = name
            if self._index is not None:
                self._index = _named(self._index, name)

    def _report(self, progress: Progress | None) -> None:
        self._progress = progress

    def _swap(self, index: DocumentIndex, revision: int) -> bool:
        """Put ``index`` in place unless reading has gone beyond ``revision``; whether it was."""
        with self._lock:
            current = self._index
            if self.cancelled.is_set() or (current and current.document.revision > revision):
                return False
            self._index = _named(index, self._name)
            return True

    def _begin_again(self, ocr_all: bool) -> None:
        """Another reading begins; its snapshots count on from the one in place, which stays until it has ended."""
        with self._lock:
            assert self._index is not None
            self._base = self._index.document.revision + 1
            self.ocr_all, self.again = ocr_all, True
            self.readings += 1
            self.began = time.monotonic()
            self._note, self._read, self._embedded = "", False, False
            self.finish.clear()

    def _knows_more(self, document: Document) -> bool:
        """Whether the snapshot in place has read more pages than ``document``."""
        standing = self.document
        return standing is not None and len(document.unread) > len(standing.unread)

    def _settle(self) -> None:
        """End a reading with the snapshot in place: what was still to come is said to be missing."""
        with self._lock:
            assert self._index is not None
            document = self._index.document
            waiting = document.pages_in(PageState.PENDING)
            notes = document.notes
            if waiting:
                notes += (passed_note(waiting),)
            elif "tables" in document.pending:
                notes += ("Reading was stopped before its tables were recognised.",)
            pages = tuple(
                replace(page, state=PageState.UNREADABLE, reason=FINISHED) if page.number in waiting else page
                for page in document.pages
            )
            ended = replace(document, pages=pages, notes=notes, pending=(), revision=document.revision + 1)
            self._index = replace(self._index, document=ended)

    def _fail(self, failure: Failure) -> None:
        """Reading ended; with a snapshot in place the document stays usable as far as it was read."""
        with self._lock:
            self._progress, self.again = None, False
            if self._index is not None:
                self._read, self._embedded = True, True
                if self.finish.is_set():
                    self._settle()
                else:
                    self._note = failure.message
                return
            self._error = failure
            if failure.outcome is not Outcome.NEEDS_PASSWORD:
                self._data = b""

    def _clear(self) -> None:
        self.cancelled.set()
        with self._lock:
            self._data, self._index, self._progress = b"", None, None


def _named(index: DocumentIndex, name: str) -> DocumentIndex:
    if index.document.name == name:
        return index
    return replace(index, document=replace(index.document, name=name))
