"""Documents held in memory, by owner and content hash, within limits of count, megabytes and time.

A file is added and comes back at once as a ``Holding``; a queue reads it in worker threads, and its ``index``
turns from None into better and better snapshots: the text first, then tables and OCR, then sentence vectors.
Holdings are never shared between owners, so that neither a name nor the bare fact that someone else holds a
document can be learned by uploading it; a password is part of the key, so that an opened document does not open
for somebody who has only the file.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace

from src.chunker import chunk_document
from src.holding import Failure, Holding
from src.index import build_index, embed_index
from src.loader import load
from src.models import Models
from src.records import Document, LoadError, Outcome, Progress
from src.settings import Settings

log = logging.getLogger(__name__)

MB = 2**20
READERS = 2
SWEEP_SECONDS = 20.0


class LibraryFullError(Exception):
    """No room for another document; the message is one sentence for the reader."""


class Library:
    """The documents of all owners. ``models`` is asked in a worker thread, so it may load weights.

    ``on_gone`` is called with the key of each holding that goes, for whatever reason, and ``on_remove`` with the
    document id once nobody holds it any more, so that caches forget it as well.
    """

    def __init__(
        self,
        settings: Settings,
        models: Callable[[], Models],
        on_remove: Callable[[str], None] | None = None,
        on_gone: Callable[[str], None] | None = None,
    ) -> None:
        self._settings = settings
        self._models = models
        self._on_remove = on_remove
        self._on_gone = on_gone
        self._lock = threading.RLock()
        self._holdings: dict[str, Holding] = {}
        self._work = threading.Condition(self._lock)
        self._texts: deque[Holding] = deque()
        self._deepening: deque[Holding] = deque()
        self._embedding: deque[Holding] = deque()
        self._asking = 0
        self._likely: dict[str, tuple[int, ...]] = {}
        self._closed = False
        self._threads: list[threading.Thread] = []

    # --- what owners do ----------------------------------------------------------------------------------

    def add(self, data: bytes, name: str, password: str | None = None, *, owner: str = "") -> Holding:
        """Hold a file and queue it for reading; the same file of the same owner comes back as it is.

        Raises LibraryFullError when a limit of count or memory stands against it.
        """
        key = _key(owner, data, password)
        with self._lock:
            held = self._holdings.get(key)
            if held and held.error is None:
                held.used = time.monotonic()
                return held
            self._sweep()
            self._check_room(owner, len(data), replacing=held)
            holding = Holding(key, owner, data, name, password)
            self._holdings[key] = holding
            self._texts.append(holding)
            self._start()
            self._work.notify_all()
        return holding

    def unlock(self, key: str, password: str) -> Holding:
        """Try a protected document again with a password; the locked holding makes place for the new one."""
        with self._lock:
            locked = self._holdings.pop(key)
            try:
                return self.add(locked.data, locked.name, password, owner=locked.owner)
            except LibraryFullError:
                self._holdings[key] = locked
                raise

    def finish(self, key: str) -> None:
        """End the reading of a document with what is read of it; its notes say what is not."""
        with self._work:
            holding = self._holdings.get(key)
            if holding is None or not holding.working or holding.complete:
                return
            holding.finish.set()
            if holding in self._deepening:
                self._deepening.remove(holding)
                self._end(holding, settle=True)

    def reread(self, key: str, *, ocr_all: bool = False) -> None:
        """Read a document once more, with ``ocr_all`` every page of it by OCR; until then what is known stays."""
        with self._work:
            holding = self._holdings.get(key)
            if holding is None or holding.index is None or not holding.complete:
                return
            holding._begin_again(ocr_all)
            self._deepening.append(holding)
            self._work.notify_all()

    def get(self, key: str) -> Holding | None:
        """The holding with this key, its time limit starting anew; None when it has gone."""
        with self._lock:
            holding = self._holdings.get(key)
            if holding:
                holding.used = time.monotonic()
            return holding

    def of(self, owner: str) -> tuple[Holding, ...]:
        """What an owner holds, in the order in which it was added."""
        with self._lock:
            return tuple(h for h in self._holdings.values() if h.owner == owner)

    def remove(self, key: str) -> None:
        """Let a document go with everything made of it; work on it stops."""
        with self._lock:
            holding = self._holdings.pop(key, None)
            if holding is None:
                return
            holding._clear()
            self._likely.pop(key, None)
            for queue in (self._texts, self._deepening, self._embedding):
                if holding in queue:
                    queue.remove(holding)
            last = all(h.digest != holding.digest for h in self._holdings.values())
        if self._on_gone:
            self._on_gone(key)
        if last and self._on_remove:
            self._on_remove(holding.digest)

    @contextmanager
    def asking(self, likely: dict[str, tuple[int, ...]] | None = None) -> Iterator[None]:
        """While a question runs, background work pauses."""
        with self._lock:
            self._asking += 1
            self._likely.update(likely or {})
        try:
            yield
        finally:
            with self._work:
                self._asking -= 1
                self._work.notify_all()

    @property
    def size(self) -> int:
        """Bytes held for all owners together."""
        with self._lock:
            return sum(h.size for h in self._holdings.values())

    def close(self) -> None:
        """Stop all work and let everything go."""
        with self._work:
            self._closed = True
            for key in list(self._holdings):
                self.remove(key)
            self._work.notify_all()

    # --- limits ------------------------------------------------------------------------------------------

    def _check_room(self, owner: str, size: int, replacing: Holding | None) -> None:
        settings = self._settings
        if size > settings.max_file_mb * MB:
            raise LibraryFullError(
                f"The file has {size / MB:,.0f} MB; this app takes files up to {settings.max_file_mb:,} MB."
            )
        mine = [h for h in self._holdings.values() if h.owner == owner and h is not replacing]
        if len(mine) >= settings.max_documents:
            raise LibraryFullError(
                f"{_documents(settings.max_documents)} held already: remove one to add another."
            )
        if self.size + size > settings.hold_mb * MB:
            raise LibraryFullError(
                f"The app holds as many documents as its memory limit allows ({settings.hold_mb:,} MB): "
                "remove one, or try again later."
            )

    def _sweep(self) -> None:
        oldest = time.monotonic() - self._settings.hold_minutes * 60
        for key in [k for k, h in self._holdings.items() if h.used < oldest]:
            log.info("a document went after %g minutes without use", self._settings.hold_minutes)
            self.remove(key)

    # --- worker threads ----------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._threads:
            return
        for name, loop in [
            *((f"reader-{i}", lambda deep=i == 0: self._read_loop(deep)) for i in range(READERS)),
            ("embedder", self._embed_loop),
            ("sweeper", self._sweep_loop),
        ]:
            thread = threading.Thread(target=loop, name=f"library-{name}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _sweep_loop(self) -> None:
        while True:
            with self._work:
                self._work.wait(SWEEP_SECONDS)
                if self._closed:
                    return
                self._sweep()

    def _take(self, *queues: deque[Holding]) -> Holding | None:
        """The next holding of the first queue that has one; None when the library closes."""
        with self._work:
            while not self._closed:
                for queue in queues:
                    if queue:
                        return queue.popleft()
                self._work.wait()
        return None

    def _read_loop(self, deep: bool) -> None:
        """Read texts, and with ``deep`` go on with tables and OCR where they were put off."""
        queues = (self._texts, self._deepening) if deep else (self._texts,)
        while (holding := self._take(*queues)) is not None:
            with _recorded(holding):
                self._read(holding, deep)

    def _read(self, holding: Holding, deep: bool) -> None:
        def pause() -> bool:
            return self._asking > 0

        all_pages = self._settings.model_copy(update={"ocr_pages": "all"})
        snapshots = load(
            holding.data,
            holding.name,
            all_pages if holding.ocr_all else self._settings,
            password=holding.password,
            on_progress=holding._report,
            cancel=holding.cancelled,
            finish=holding.finish,
            pause=pause,
        )
        settle = False
        with _closed(snapshots):
            for document in snapshots:
                if holding.cancelled.is_set():
                    return
                # A reading that began anew and was ended early must not take away what an earlier one had read.
                settle = holding.finish.is_set() and holding._knows_more(document)
                if settle:
                    break
                if holding.again and document.pending:
                    continue
                better = replace(document, revision=holding.base + document.revision)
                if self._publish(holding, better) and self._put_off(holding, document, deep):
                    return
        self._end(holding, settle=settle)

    def _end(self, holding: Holding, *, settle: bool) -> None:
        """Reading has ended; with ``settle`` before its time, and the snapshot in place is the last."""
        if settle:
            holding._settle()
        holding._report(None)
        holding.again, holding._read = False, True
        self._queue_embedding(holding)

    def _publish(self, holding: Holding, document: Document) -> bool:
        """Index a snapshot and put it in place, unless a better one stands; whether it now stands."""
        standing = holding.index
        if standing and standing.document.revision >= document.revision:
            return True
        chunks = chunk_document(document, self._settings)
        models = self._models()
        index = build_index(document, chunks, models, self._settings)
        if standing is not None and standing.embedded:
            # The vectors of unchanged texts come from the models' cache, so that meaning is not lost meanwhile.
            index = next(embed_index(index, models), index)
        swapped = holding._swap(index, document.revision)
        self._queue_embedding(holding)
        return swapped

    def _put_off(self, holding: Holding, document: Document, deep: bool) -> bool:
        """Whether the rest of a document waits, because others have no text yet or this is not a deep reader.

        Reading starts again then: the text of a page costs milliseconds, a parser kept waiting costs memory.
        """
        if not document.pending or holding.finish.is_set():
            return False
        with self._work:
            if deep and not self._texts:
                return False
            holding._report(None)
            self._deepening.append(holding)
            self._work.notify_all()
        return True

    def _queue_embedding(self, holding: Holding) -> None:
        with self._work:
            if holding not in self._embedding and not holding.cancelled.is_set():
                self._embedding.append(holding)
                self._work.notify_all()

    def _embed_loop(self) -> None:
        while (holding := self._take(self._embedding)) is not None:
            with _recorded(holding):
                self._embed(holding)

    def _embed(self, holding: Holding) -> None:
        index = holding.index
        if index is None:
            return
        revision = index.document.revision

        def stale() -> bool:
            newer = holding.index
            return holding.cancelled.is_set() or newer is None or newer.document.revision > revision

        for grown in embed_index(
            index,
            self._models(),
            pause=lambda: self._asking > 0,
            cancel=stale,
            likely=lambda: self._likely.get(holding.key, ()),
        ):
            if not holding._swap(grown, revision):
                return
            if holding._read:
                holding._report(Progress("vectors", grown.embedded, len(grown.embeddable)))
        if holding._read and not stale():
            holding._embedded = True
            holding._report(None)


@contextmanager
def _closed(snapshots: Iterator[Document]) -> Iterator[None]:
    """Close a generator that is left early, so that its worker process ends."""
    try:
        yield
    finally:
        if isinstance(snapshots, Generator):
            snapshots.close()


@contextmanager
def _recorded(holding: Holding) -> Iterator[None]:
    """Whatever ends the work on a holding is kept on it as one sentence; the unexpected is logged with an id."""
    try:
        yield
    except LoadError as error:
        if not holding.cancelled.is_set():
            holding._fail(Failure(error.outcome, error.message))
    except Exception:
        if holding.cancelled.is_set():
            return
        incident = uuid.uuid4().hex[:8]
        log.exception("work on a document ended unexpectedly (incident %s)", incident)
        message = f"Something went wrong while reading this document (error {incident}); try it again."
        holding._fail(Failure(Outcome.CRASH, message, incident))


def _key(owner: str, data: bytes, password: str | None) -> str:
    parts = hashlib.sha256()
    for part in (owner.encode(), hashlib.sha256(data).digest(), (password or "").encode()):
        parts.update(len(part).to_bytes(4, "big") + part)
    return parts.hexdigest()


def _documents(count: int) -> str:
    return "1 document is" if count == 1 else f"{count} documents are"
