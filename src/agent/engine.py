"""What a question brings along and what lives as long as the process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from src.agent.limit import hard_limit
from src.answerer.client import ChatClient
from src.answerer.llm import ModelAnswerer
from src.cache import AnswerCache
from src.cost import CostMeter
from src.index import DocumentIndex
from src.models import Models
from src.records import Step, Turn
from src.settings import Settings

Source = Callable[[str], tuple[bytes, str | None] | None]


@dataclass(frozen=True, slots=True)
class Request:
    """A question about the documents of ``indexes``, in the order in which the reader holds them.

    ``web`` says that the reader allowed a web search for this question; ``session`` is whom its cost is counted
    to and whose answers the cache may repeat; ``fresh`` asks for a new answer where the cache has one. ``source``
    gives the PDF bytes and password of a document id, for pictures of pages; without it none are sent.
    """

    question: str
    indexes: tuple[DocumentIndex, ...] = ()
    history: tuple[Turn, ...] = ()
    web: bool = False
    session: str = ""
    fresh: bool = False
    source: Source | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class PartialText:
    """The answer as far as it is written: whole sentences, not checked yet. Replaces the text before it."""

    text: str


@dataclass(frozen=True, slots=True)
class Activity:
    """What is being done at this moment, in a few words for the reader ("Searching 3 documents")."""

    text: str


Event = Step | Activity | PartialText
OnEvent = Callable[[Event], None]


class Engine:
    """Models, language model, cost meter and cache of the process; safe for use from several threads.

    ``model`` is None when the settings name no language model; then every answer is extractive.
    """

    def __init__(
        self, settings: Settings, models: Models, meter: CostMeter, model: ModelAnswerer | None
    ) -> None:
        self.settings = settings
        self.models = models
        self.meter = meter
        self.model = model
        self.cache = AnswerCache(models, settings.cache_minutes)
        self._lock = threading.Lock()
        self._begun: dict[object, float] = {}

    @property
    def answering(self) -> bool:
        """Whether a question is being answered now, given up ones aside; background work should pause meanwhile."""
        oldest = time.monotonic() - hard_limit(self.settings)
        with self._lock:
            return any(begun > oldest for begun in self._begun.values())

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Marks the time of one answer."""
        this = object()
        with self._lock:
            self._begun[this] = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                del self._begun[this]

    def forget(self, document_id: str) -> None:
        """Drop what is kept of answers from a document; to be called when the document goes."""
        self.cache.forget(document_id)

    def close(self) -> None:
        """End the threads of the model client."""
        if self.model is not None:
            self.model.client.close()


def make_engine(settings: Settings, models: Models) -> Engine:
    """The engine of a process. A language model is used when the settings name one; nothing is called yet."""
    meter = CostMeter(settings)
    model = ModelAnswerer(ChatClient(settings, meter)) if settings.uses_model else None
    return Engine(settings, models, meter, model)
