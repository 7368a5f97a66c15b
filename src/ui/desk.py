"""What lives as long as the process: the documents, the visitors, the engine that answers, the page images.

It is a plain module-level object and not a Streamlit cache, so that nothing a visitor can press empties it.
"""

from __future__ import annotations

import logging
import threading
import uuid
from functools import lru_cache

from src.agent import Activity, Engine, Event, PartialText, Request, answer, make_engine
from src.library import Library
from src.models import load_models
from src.records import Step
from src.settings import Settings, settings
from src.ui.images import PageImages
from src.ui.visitors import Exchange, Visitor, Visitors

log = logging.getLogger(__name__)


class Desk:
    """The process's side of the page. ``engine`` loads weights at its first use, in whichever thread asks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.visitors = Visitors(settings.hold_minutes)
        self.images = PageImages(settings)
        self._engine: Engine | None = None
        self._engine_lock = threading.Lock()
        self.library = Library(settings, lambda: self.engine.models, on_remove=self._forget)
        threading.Thread(target=lambda: self.engine, name="engine", daemon=True).start()

    @property
    def engine(self) -> Engine:
        """The engine, with its models loaded."""
        with self._engine_lock:
            if self._engine is None:
                self._engine = make_engine(self.settings, load_models(self.settings))
            return self._engine

    def ask(
        self,
        visitor: Visitor,
        question: str,
        keys: tuple[str, ...],
        *,
        web: bool = False,
        fresh: bool = False,
    ) -> Exchange:
        """Begin to answer a question from the documents with ``keys``, in a thread of its own."""
        exchange = visitor.begin(question, keys)
        threading.Thread(
            target=self._answer,
            args=(visitor, exchange, web, fresh),
            name=f"answer-{exchange.id}",
            daemon=True,
        ).start()
        return exchange

    def rate(self, visitor: Visitor, exchange: Exchange, feedback: str) -> None:
        """Keep what the reader thought of an answer ("helpful", "unhelpful" or ""), and log it without its text."""
        exchange.feedback = feedback
        log.info(
            "feedback: %s on a %s answer", feedback or "withdrawn", exchange.answer and exchange.answer.status
        )
        visitor.changed()

    def remove(self, visitor: Visitor, key: str) -> None:
        """Let a document go: its pages, index, images, cached answers and the exchanges that quote it."""
        holding = self.library.get(key)
        if holding is None or holding.owner != visitor.id:
            return
        visitor.forget(holding.digest, key)
        self.images.forget(key)
        self.library.remove(key)
        visitor.changed()

    def _forget(self, document_id: str) -> None:
        if self._engine is not None:
            self._engine.forget(document_id)

    def _answer(self, visitor: Visitor, exchange: Exchange, web: bool, fresh: bool) -> None:
        def on_event(event: Event) -> None:
            match event:
                case Step():
                    exchange.steps.append(event)
                case Activity():
                    exchange.doing = event.text
                case PartialText():
                    exchange.text = event.text

        try:
            indexes = tuple(
                holding.index
                for key in exchange.documents
                if (holding := self.library.get(key)) is not None and holding.index is not None
            )
            request = Request(
                exchange.question,
                indexes,
                visitor.history(exchange.documents),
                web=web,
                session=visitor.id,
                fresh=fresh,
            )
            with self.library.asking():
                exchange.answer = answer(request, self.engine, on_event=on_event, cancel=exchange.cancel)
        except Exception:
            incident = uuid.uuid4().hex[:8]
            log.exception("a question ended unexpectedly (incident %s)", incident)
            exchange.failure = f"Something went wrong while answering (error {incident}). Please ask again."
        finally:
            # The page polls until this is set: it must be, whatever happened.
            exchange.done.set()
            visitor.changed()


@lru_cache(maxsize=1)
def desk() -> Desk:
    """The process's desk."""
    return Desk(settings())
