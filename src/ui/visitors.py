"""Visitors and their chats, kept in the process for as long as their documents are.

A visitor is known by a random private id. Nothing of one visitor can be reached without it.
"""

from __future__ import annotations

import itertools
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from src.records import Answer, Step, Turn

MAX_VISITORS = 1000


@dataclass(slots=True)
class Exchange:
    """One question with what came of it. Written by one worker thread, read by any number of tabs.

    ``documents`` are the keys of the holdings that were asked. ``text`` grows while the answer is written;
    ``earlier`` is the exchange that this one was asked in place of, to go back to;
    ``failure`` is one sentence when no answer came; ``drawn`` is the finished answer's HTML with what it depends on.
    """

    id: str
    question: str
    documents: tuple[str, ...]
    text: str = ""
    doing: str = ""
    steps: list[Step] = field(default_factory=list)
    answer: Answer | None = None
    failure: str = ""
    feedback: str = ""
    imported: bool = False
    earlier: Exchange | None = None
    drawn: tuple[object, str] | None = None
    asked: float = field(default_factory=time.time)
    cancel: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def running(self) -> bool:
        """Whether the answer is still being worked on."""
        return not self.done.is_set()

    def rests_on(self, digest: str, key: str) -> bool:
        """Whether it was answered from a document, or asked of it without an answer so far."""
        answered_from = {id for id, _ in self.answer.snapshots} if self.answer else {digest}
        return key in self.documents and digest in answered_from


class Visitor:
    """One visitor's chat and choices.

    ``version`` grows with every change, so that tabs know when to redraw; ``looking_at`` is the key of the document
    and the page that a tab of the visitor showed last.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self.seen = time.monotonic()
        self.version = 0
        self.looking_at = ("", 1)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._chat: list[Exchange] = []

    @property
    def chat(self) -> tuple[Exchange, ...]:
        """The exchanges, oldest first."""
        return tuple(self._chat)

    @property
    def running(self) -> Exchange | None:
        """The exchange that is being answered now."""
        return next((e for e in self._chat if e.running), None)

    def exchange(self, id: str) -> Exchange | None:
        """The exchange with this id."""
        return next((e for e in self._chat if e.id == id), None)

    def begin(self, question: str, documents: tuple[str, ...]) -> Exchange:
        """Append a question that is about to be answered."""
        with self._lock:
            exchange = Exchange(f"m{next(self._numbers)}", question, documents)
            self._chat.append(exchange)
            self.version += 1
        return exchange

    def append(self, exchange: Exchange) -> None:
        """Append an exchange that is complete already (an imported one) under a new id."""
        with self._lock:
            exchange.id = f"m{next(self._numbers)}"
            exchange.done.set()
            self._chat.append(exchange)
            self.version += 1

    def drop(self, exchange: Exchange) -> None:
        """Take one exchange out; work on it stops."""
        exchange.cancel.set()
        with self._lock:
            self._chat = [e for e in self._chat if e is not exchange]
            self.version += 1

    def go_back(self, exchange: Exchange) -> None:
        """Show the exchange that ``exchange`` was asked in place of; the same act leads forth again."""
        earlier = exchange.earlier
        if earlier is None or exchange.running:
            return
        with self._lock:
            exchange.earlier, earlier.earlier = None, exchange
            self._chat = [earlier if e is exchange else e for e in self._chat]
            self.version += 1

    def clear(self) -> None:
        """Empty the chat; a running answer stops."""
        for exchange in self.chat:
            exchange.cancel.set()
        with self._lock:
            self._chat = []
            self.version += 1

    def forget(self, digest: str, key: str) -> None:
        """Take out every exchange that was answered from a document: its quotes are part of it."""
        for exchange in self.chat:
            if exchange.earlier and exchange.earlier.rests_on(digest, key):
                exchange.earlier = None
            if exchange.rests_on(digest, key):
                self.drop(exchange)

    def history(self, documents: tuple[str, ...]) -> tuple[Turn, ...]:
        """Earlier exchanges about any of ``documents`` as memory wants them, oldest first."""
        return tuple(
            Turn(
                e.question,
                e.answer.standalone or e.question,
                e.answer.text,
                tuple(id for id, _ in e.answer.snapshots),
            )
            for e in self._chat
            if e.answer and e.done.is_set() and set(documents) & set(e.documents)
        )

    def changed(self) -> None:
        """Say that something drawn on the page is different now."""
        with self._lock:
            self.version += 1


class Visitors:
    """All visitors by private id; those unseen for ``minutes`` go, with their chats, and ``on_gone(id)`` is told."""

    def __init__(self, minutes: float, on_gone: Callable[[str], None] = lambda id: None) -> None:
        self._minutes = minutes
        self._on_gone = on_gone
        self._lock = threading.Lock()
        self._visitors: dict[str, Visitor] = {}

    def get(self, id: str) -> Visitor | None:
        """The visitor with this private id, or None; an unknown id is never taken up."""
        with self._lock:
            visitor = self._visitors.get(id)
            if visitor:
                visitor.seen = time.monotonic()
            return visitor

    def new(self) -> Visitor:
        """A visitor with a fresh private id of 192 random bits."""
        with self._lock:
            self._sweep()
            visitor = Visitor(secrets.token_urlsafe(24))
            self._visitors[visitor.id] = visitor
            return visitor

    def _sweep(self) -> None:
        oldest = time.monotonic() - self._minutes * 60
        seen = sorted(self._visitors.values(), key=lambda v: v.seen)
        for i, visitor in enumerate(seen):
            if visitor.running is None and (visitor.seen < oldest or i < len(seen) - MAX_VISITORS):
                del self._visitors[visitor.id]
                self._on_gone(visitor.id)
