"""The pipeline over HTTP: ``POST /api/ask`` with PDFs and a question, answered in one JSON or as JSON lines.

``serve.py`` mounts ``routes(service)`` beside the page; or serve it alone with
``uvicorn --factory src.api:create_app``. It is off until ``DOCENGINE_API_TOKEN`` is set; the token is asked for in
the ``Authorization`` header, which a browser never sends by itself, so that no other site can ask in its user's name.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import threading
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from src.agent import Activity, Engine, Event, PartialText, answer, make_engine, within_limit
from src.agent import Request as Asked
from src.headless import answer_json
from src.holding import Holding
from src.library import Library, LibraryFullError
from src.models import load_models
from src.records import Json, Step, Turn
from src.settings import Settings, settings

if TYPE_CHECKING:
    from starlette.types import Message

log = logging.getLogger(__name__)

OWNER = "api"
MB = 2**20
FORM_BYTES = MB  # what a request may hold beside its files
MOST_ASKED_AT_ONCE = 4
POLL_SECONDS = 0.05
GONE_SECONDS = 0.25  # between looks whether the client is still there
LONGEST_FIELD = 64 * 1024


class RequestError(Exception):
    """A request that cannot be served: HTTP status and one sentence."""

    def __init__(self, status: int, message: str, outcome: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.outcome = outcome


@dataclass(frozen=True)
class Service:
    """What the routes work with; ``engine`` is asked when first needed, so that starting loads no weights."""

    settings: Settings
    make_engine: Callable[[], Engine]
    library: Library

    @cached_property
    def places(self) -> threading.BoundedSemaphore:
        """One for each question that may be answered at the same time."""
        return threading.BoundedSemaphore(MOST_ASKED_AT_ONCE)


@dataclass(frozen=True)
class _Form:
    question: str
    files: tuple[tuple[bytes, str], ...]
    password: str | None
    web: bool
    stream: bool
    history: tuple[Turn, ...]


class _MemoryParser(MultiPartParser):
    """Keeps uploads in memory: documents never touch the disk. The size of the body is limited before."""

    spool_max_size = 4096 * MB


def make_service(options: Settings) -> Service:
    """A service with an engine and a library of its own."""
    lock = threading.Lock()
    made: list[Engine] = []

    def engine() -> Engine:
        with lock:
            if not made:
                made.append(make_engine(options, load_models(options)))
            return made[0]

    def forget(document_id: str) -> None:
        if made:
            made[0].forget(document_id)

    return Service(options, engine, Library(options, lambda: engine().models, on_remove=forget))


def routes(service: Service) -> list[Route]:
    """The routes to mount."""

    async def ask(request: Request) -> Response:
        try:
            _authorise(request, service.settings)
            form = await _read_form(request, service.settings)
            return await _serve(request, service, form)
        except RequestError as error:
            body: Json = {"message": error.message} | ({"status": error.outcome} if error.outcome else {})
            return JSONResponse(body, error.status)

    async def health(_: Request) -> Response:
        return JSONResponse({"ok": True})

    return [
        Route("/api/ask", ask, methods=["POST"]),
        Route("/api/health", health, methods=["GET"]),
    ]


def create_app() -> Starlette:
    """The service alone, for ``uvicorn --factory src.api:create_app``."""
    service = make_service(settings())

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        service.library.close()

    return Starlette(routes=routes(service), lifespan=lifespan)


# --- the request -------------------------------------------------------------------------------------------


def _authorise(request: Request, options: Settings) -> None:
    if options.api_token is None:
        raise RequestError(404, "This address is switched off: set DOCENGINE_API_TOKEN to use it.")
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    wanted = options.api_token.get_secret_value()
    same = hmac.compare_digest(given.strip().encode(), wanted.encode())
    if scheme.lower() != "bearer" or not same:
        raise RequestError(401, "Send the token in the header Authorization: Bearer ...")


async def _read_form(request: Request, options: Settings) -> _Form:
    limit = options.max_file_mb * MB + FORM_BYTES
    too_large = RequestError(
        413, f"The request is larger than {options.max_file_mb:,} MB (DOCENGINE_MAX_FILE_MB)."
    )
    if int(request.headers.get("content-length") or 0) > limit:
        raise too_large
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise RequestError(415, "Send multipart/form-data with the fields question and file.")
    received = 0

    async def receive() -> Message:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise too_large
        return message

    limited = Request(request.scope, receive)
    try:
        parser = _MemoryParser(
            limited.headers,
            limited.stream(),
            max_files=options.max_documents,
            max_fields=20,
            max_part_size=LONGEST_FIELD,
        )
        form = await parser.parse()
    except MultiPartException as error:
        raise RequestError(400, error.message) from None
    except ClientDisconnect:
        raise RequestError(400, "The request broke off.") from None
    try:
        return await _form(form)
    finally:
        await form.close()


async def _form(form: FormData) -> _Form:
    files = [
        (await f.read(), f.filename or "document.pdf")
        for f in form.getlist("file")
        if isinstance(f, UploadFile)
    ]
    question = str(form.get("question") or "").strip()
    if not question:
        raise RequestError(422, "The field question is missing.")
    if not files:
        raise RequestError(422, "The field file is missing: send at least one PDF.")
    password = form.get("password")
    return _Form(
        question,
        tuple(files),
        str(password) if password else None,
        _is_yes(form.get("web")),
        _is_yes(form.get("stream")),
        _history(str(form.get("history") or "")),
    )


def _is_yes(value: object) -> bool:
    return str(value or "").lower() in ("1", "true", "yes", "on")


def _history(text: str) -> tuple[Turn, ...]:
    """Earlier exchanges: a JSON list of objects with "question" and "answer", and "standalone" where known."""
    if not text:
        return ()
    try:
        turns = json.loads(text)
        return tuple(
            Turn(str(t["question"]), str(t.get("standalone") or t["question"]), str(t.get("answer") or ""))
            for t in turns
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        raise RequestError(
            422, 'The field history must be a JSON list of {"question": ..., "answer": ...}.'
        ) from None


# --- the answer --------------------------------------------------------------------------------------------


async def _serve(request: Request, service: Service, form: _Form) -> Response:
    try:
        holdings = tuple(
            service.library.add(data, name, form.password, owner=OWNER) for data, name in form.files
        )
    except LibraryFullError as error:
        raise RequestError(507, str(error)) from None
    if not service.places.acquire(blocking=False):
        raise RequestError(429, f"{MOST_ASKED_AT_ONCE} questions are being answered already: try again soon.")
    work = _Work(service, form, holdings)
    try:
        work.start(asyncio.get_running_loop())
    except RuntimeError:  # the system gives no more threads; the place would be taken for good
        service.places.release()
        raise RequestError(503, "The machine is too busy to begin: try again soon.") from None
    if form.stream:
        return StreamingResponse(
            work.lines(), media_type="application/x-ndjson", headers={"cache-control": "no-store"}
        )
    last: Json = {}
    try:
        async for event in work.events(request.is_disconnected):
            last = event
    finally:
        work.cancel.set()
    status = int(last.pop("http", 200))
    last.pop("event", None)
    return JSONResponse(last, status, headers={"cache-control": "no-store"})


class _Work:
    """One question on a thread of its own, its events handed over to the event loop."""

    def __init__(self, service: Service, form: _Form, holdings: tuple[Holding, ...]) -> None:
        self._service = service
        self._form = form
        self._holdings = holdings
        self._queue: asyncio.Queue[Json | None] = asyncio.Queue()
        self.cancel = threading.Event()

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        def put(event: Json | None) -> None:
            loop.call_soon_threadsafe(self._queue.put_nowait, event)

        threading.Thread(target=self._run, args=(put,), name="api-answer", daemon=True).start()

    async def events(self, gone: Callable[[], Awaitable[bool]] | None = None) -> AsyncIterator[Json]:
        """Everything that happens, the answer or the error last; ends early once ``gone`` says so."""
        while True:
            try:
                event = await asyncio.wait_for(self._queue.get(), GONE_SECONDS)
            except TimeoutError:
                if gone is not None and await gone():
                    return
                continue
            if event is None:
                return
            yield event

    async def lines(self) -> AsyncIterator[str]:
        try:
            async for event in self.events():
                event.pop("http", None)
                yield json.dumps(event, ensure_ascii=False) + "\n"
        finally:
            self.cancel.set()  # the client has gone, or everything is said

    def _run(self, put: Callable[[Json | None], None]) -> None:
        try:
            put(self._answer(put))
        except RequestError as error:
            put({"event": "error", "http": error.status, "status": error.outcome, "message": error.message})
        except Exception:
            incident = uuid.uuid4().hex[:8]
            log.exception("a question over HTTP ended unexpectedly (incident %s)", incident)
            message = f"Something went wrong while answering (error {incident})."
            put({"event": "error", "http": 500, "status": "crash", "message": message})
        finally:
            self._service.places.release()
            put(None)

    def _answer(self, put: Callable[[Json | None], None]) -> Json:
        self._wait_until_read(put)
        indexes = tuple(h.index for h in self._holdings if h.index is not None)
        asked = Asked(
            self._form.question,
            indexes,
            self._form.history,
            web=self._form.web,
            session=OWNER,
            source=self._source,
        )
        with self._service.library.asking():
            found = within_limit(
                lambda: answer(
                    asked, self._service.make_engine(), on_event=lambda e: put(_event(e)), cancel=self.cancel
                ),
                asked.question,
                self._service.settings,
                self.cancel,
            )
        return {
            "event": "answer",
            **answer_json("", found),
            "standalone": found.standalone,
            "stopped": found.stopped,
        }

    def _wait_until_read(self, put: Callable[[Json | None], None]) -> None:
        """Wait for the text, tables and OCR of every document. Raises RequestError for one that cannot be read."""
        told = None
        for holding in self._holdings:
            while holding.error is None and not holding.complete:
                if self.cancel.wait(POLL_SECONDS):
                    raise RequestError(499, "The client has gone.")
                if holding.cancelled.is_set():
                    raise RequestError(410, f"{holding.name} was removed while it was read.")
                progress = holding.progress
                if progress is not None and progress != told:
                    told = progress
                    put({"event": "reading", "file": holding.name, **asdict(progress)})
            if holding.error is not None:
                raise RequestError(
                    422, f"{holding.name}: {holding.error.message}", holding.error.outcome.value
                )

    def _source(self, document_id: str) -> tuple[bytes, str | None] | None:
        return next(((h.data, h.password) for h in self._holdings if h.digest == document_id), None)


def _event(event: Event) -> Json:
    match event:
        case Step():
            return {"event": "step", **asdict(event)}
        case Activity():
            return {"event": "doing", "text": event.text}
        case PartialText():
            return {"event": "text", "text": event.text}


__all__ = ["Service", "create_app", "make_service", "routes"]
