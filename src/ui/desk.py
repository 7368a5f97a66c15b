"""What lives as long as the process: the documents, the visitors, the engine that answers, the page images.

It is a plain module-level object and not a Streamlit cache, so that nothing a visitor can press empties it.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import suppress
from functools import lru_cache
from queue import SimpleQueue

from src.agent import Activity, Engine, Event, PartialText, Request, answer, make_engine, within_limit
from src.api import Service
from src.holding import Holding
from src.index import DocumentIndex
from src.introduction import Introduction, introduce
from src.library import Library
from src.loader.render import RenderError
from src.models import load_models
from src.records import Answer, Step
from src.settings import Settings, settings
from src.ui.images import PageImages
from src.ui.problems import incident
from src.ui.visitors import Exchange, Visitor, Visitors

DRAWN_AHEAD = 4

log = logging.getLogger(__name__)


class Desk:
    """The process's side of the page. ``engine`` loads weights at its first use, in whichever thread asks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.visitors = Visitors(settings.hold_minutes, self._forget_visitor)
        self.images = PageImages(settings)
        self._engine: Engine | None = None
        self._engine_lock = threading.Lock()
        self.library = Library(
            settings, lambda: self.engine.models, on_remove=self._forget, on_gone=self._gone
        )
        self._introductions: dict[str, Introduction] = {}
        self._contents: dict[str, tuple[str, int]] = {}
        self._introducing: SimpleQueue[Holding] = SimpleQueue()
        self._queued: dict[str, tuple[int, tuple[str, ...]]] = {}
        threading.Thread(target=self._introduce, name="introductions", daemon=True).start()

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
        thread = threading.Thread(
            target=self._answer,
            args=(visitor, exchange, web, fresh),
            name=f"answer-{exchange.id}",
            daemon=True,
        )
        try:
            thread.start()
        except RuntimeError:  # the system gives no more threads; the exchange would be waited for ever
            log.exception("a question could not be begun")
            exchange.failure = (
                "This question could not be begun, because the machine is too busy. Please ask again."
            )
            exchange.done.set()
            visitor.changed()
        return exchange

    def introduction(self, holding: Holding) -> Introduction | None:
        """The introduction of a document; None until it is made, which begins with the first call."""
        document, made = holding.document, self._introductions.get(holding.key)
        if document is None or holding.again:
            return made
        stage = (holding.readings, document.pending)
        begun = self._queued.get(holding.key)
        if begun != stage and not (made and made.complete and begun and begun[0] == holding.readings):
            self._queued[holding.key] = stage
            self._introducing.put(holding)
        return made

    def introduced(self, key: str) -> Introduction | None:
        """The introduction of a document as it stands."""
        return self._introductions.get(key)

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
        self.library.remove(key)
        visitor.changed()

    def clear(self, visitor: Visitor) -> None:
        """Empty a chat, and let go of the answers that were kept for asking the same again."""
        visitor.clear()
        self._forget_visitor(visitor.id)

    def _forget_visitor(self, id: str) -> None:
        if self._engine is not None:
            self._engine.cache.forget_session(id)

    def _gone(self, key: str) -> None:
        self.images.forget(key)
        self._introductions.pop(key, None)
        self._queued.pop(key, None)
        self._contents.pop(key, None)

    def _introduce(self) -> None:
        """Make introductions one after another, with the engine that calls no paid model, between questions."""
        engine = self.engine
        free = make_engine(
            self.settings.model_copy(
                update={"answerer": "extractive", "web_search": False, "cache_minutes": 0.0}
            ),
            engine.models,
        )
        while True:
            holding = self._introducing.get()
            index = holding.index
            if index is None or holding.cancelled.is_set():
                continue
            if same := self._introduced_before(holding):
                early = "tables" in index.document.pending  # its questions are not answered here yet
                self._introductions[holding.key] = (
                    Introduction(same.summary, complete=False) if early else same
                )
                continue

            def ask(question: str, index: DocumentIndex = index) -> Answer:
                while engine.answering:
                    time.sleep(0.1)
                return answer(Request(question, (index,)), free)

            try:
                made = introduce(index, engine.models.static, ask, holding.cancelled.is_set)
            except Exception:
                log.exception("a document could not be introduced")
                made = Introduction()
            if not holding.cancelled.is_set():
                self._introductions[holding.key] = made
                self._contents[holding.key] = (holding.digest, holding.readings)

    def _introduced_before(self, holding: Holding) -> Introduction | None:
        """What was made of the same file, read as often, that another visitor holds: of the sample nearly always."""
        content = (holding.digest, holding.readings)
        keys = [
            key for key, known in list(self._contents.items()) if known == content and holding.readings == 1
        ]
        return next((m for key in keys if (m := self._introductions.get(key)) and m.complete), None)

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
            asked = [h for key in exchange.documents if (h := self.library.get(key)) is not None]
            files = {h.digest: (h.data, h.password) for h in asked}
            request = Request(
                exchange.question,
                tuple(h.index for h in asked if h.index is not None),
                visitor.history(exchange.documents),
                web=web,
                session=visitor.id,
                fresh=fresh,
                source=files.get,
            )
            with self.library.asking():
                exchange.answer = within_limit(
                    lambda: answer(request, self.engine, on_event=on_event, cancel=exchange.cancel),
                    exchange.question,
                    self.settings,
                    exchange.cancel,
                )
        except Exception:
            id = incident()
            log.exception("a question ended unexpectedly (incident %s)", id)
            exchange.failure = f"Something went wrong while answering (error {id}). Please ask again."
        finally:
            # The page polls until this is set: it must be, whatever happened.
            exchange.done.set()
            visitor.changed()
        self._draw_ahead(visitor, exchange)

    def _draw_ahead(self, visitor: Visitor, exchange: Exchange) -> None:
        """Draw the first cited pages before anybody clicks, so that a click only has to show them."""
        held = {h.digest: h for h in self.library.of(visitor.id)}
        cited = exchange.answer.citations if exchange.answer else ()
        places = dict.fromkeys((c.document_id, page) for c in cited for page in c.pages)
        for document_id, page in list(places)[:DRAWN_AHEAD]:
            if document_id in held:
                with suppress(RenderError):  # it is said in place of the page when the reader opens it
                    self.images.image(held[document_id], page)


def service() -> Service:
    """The process's desk as the API works with it: one set of models and one limit of memory for both."""
    own = desk()
    return Service(own.settings, lambda: own.engine, own.library)


@lru_cache(maxsize=1)
def desk() -> Desk:
    """The process's desk."""
    return Desk(settings())
