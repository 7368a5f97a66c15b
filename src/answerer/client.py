"""The edge to any OpenAI-compatible server: one streaming call, its failures as one clear sentence each.

The ``openai`` package is imported at the first call (40 MB and half a second), and its asynchronous client runs on
one event loop of its own thread: a task can be cancelled while it waits for the first byte, which a blocking read
cannot, and cancelling closes the connection, so that the server stops working too.
"""

from __future__ import annotations

import asyncio
import json
import queue
import random
import ssl
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from src.answerer.prompts import Message
from src.cost import CapReachedError, CostMeter, estimate_tokens, price
from src.records import Json, Usage
from src.settings import Settings

if TYPE_CHECKING:
    import openai

OPENAI_URL = "https://api.openai.com/v1"
POLL_SECONDS = 0.05
BACKOFF_SECONDS = 0.5  # doubled at each further try
LONGEST_WAIT = 20.0  # of one back-off, whatever Retry-After asks for
WHOLE_ENDS = (".", "!", "?", "]", ")", '"', "”", "。", "`")  # of a stream that never names a finish reason
IMAGE_TOKENS = 1100  # what a page image counts as when the server reports no usage


class ModelError(Exception):
    """A call that brought no answer; ``message`` says why in one sentence, ``kind`` in one word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class StoppedError(Exception):
    """The reader stopped the call; ``reply`` holds what had come until then."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("stopped")
        self.reply = reply


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model asks for; ``arguments`` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call brought. ``finish`` is the server's finish reason, "" when it named none."""

    text: str
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = ""


@dataclass(slots=True)
class _Dialect:
    """What this server was found to refuse; learnt from its errors and kept for the process."""

    max_tokens: str = "max_tokens"
    temperature: bool = True
    stream_options: bool = True
    stream: bool = True
    images: bool = True
    tools: bool = True


@dataclass(slots=True)
class _Collected:
    """A reply while it comes in."""

    text: list[str] = field(default_factory=list)
    thought: int = 0
    tools: dict[int, list[str]] = field(default_factory=dict)
    usage: Usage | None = None
    finish: str = ""

    def reply(self, usage: Usage) -> Reply:
        calls = tuple(ToolCall(*parts) for _, parts in sorted(self.tools.items()) if parts[1])
        return Reply("".join(self.text), usage, calls, self.finish)


class ChatClient:
    """Calls the model of ``settings``. Safe for use from several threads."""

    def __init__(self, settings: Settings, meter: CostMeter) -> None:
        self.settings = settings
        self.meter = meter
        self.dialect = _Dialect()
        self._lock = threading.Lock()
        self._runner: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: openai.AsyncOpenAI | None = None

    @property
    def host(self) -> str:
        """The server as messages name it."""
        return urlsplit(self.settings.openai_base_url or OPENAI_URL).netloc

    @property
    def takes_images(self) -> bool:
        """Whether page images may be sent: wanted by the settings and not refused by the server so far."""
        return self.settings.images != "off" and self.dialect.images

    @property
    def takes_tools(self) -> bool:
        """Whether tools may be offered: the server has not refused them so far."""
        return self.dialect.tools

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        on_text: Callable[[str], None] | None = None,
        cancel: threading.Event | None = None,
        deadline: float | None = None,
        tools: Sequence[Json] = (),
        session: str = "",
    ) -> Reply:
        """The model's reply to ``messages``; ``on_text`` gets the text so far, in the caller's thread.

        ``deadline`` is a time of ``time.monotonic()``. Raises ModelError, CapReachedError, and StoppedError within
        a tenth of a second of ``cancel``.
        """
        limit = max_tokens or self.settings.max_answer_tokens
        end = deadline if deadline is not None else time.monotonic() + self.settings.answer_seconds
        prompt = _prompt_tokens(messages)
        reserved = prompt + limit
        self.meter.reserve(reserved, session)
        collected = _Collected()
        usage = Usage()
        try:
            self._attempts(messages, limit, collected, on_text, cancel, end, tools)
            usage = self._usage(collected, prompt)
        except (ModelError, StoppedError):
            # The server counts what it wrote before the call broke off.
            usage = self._usage(collected, prompt) if collected.text or collected.thought else Usage(calls=1)
            if cancel is not None and cancel.is_set():
                raise StoppedError(collected.reply(usage)) from None
            raise
        finally:
            self.meter.settle(reserved, usage, session)
        return collected.reply(usage)

    def close(self) -> None:
        """End the event loop's thread; a later call starts a new one."""
        with self._lock:
            runner, self._runner = self._runner, None
            thread, self._thread = self._thread, None
            client, self._client = self._client, None
        if runner is None:
            return

        async def end() -> None:
            try:
                for task in asyncio.all_tasks(runner) - {asyncio.current_task(runner)}:
                    task.cancel()
                if client is not None:
                    await client.close()
                await runner.shutdown_asyncgens()
            finally:
                runner.stop()

        asyncio.run_coroutine_threadsafe(end(), runner)
        if thread is not None:
            thread.join(2.0)

    # --- attempts ----------------------------------------------------------------------------------------

    def _attempts(
        self,
        messages: Sequence[Message],
        limit: int,
        collected: _Collected,
        on_text: Callable[[str], None] | None,
        cancel: threading.Event | None,
        end: float,
        tools: Sequence[Json],
    ) -> None:
        retries = 0
        adaptations = 0
        while True:
            try:
                self._once(messages, limit, collected, on_text, cancel, end, tools)
            except _RefusedParameterError as refused:
                adaptations += 1
                if adaptations > 6 or not self._adapt(refused):
                    raise ModelError("refused", self._said("refused the request", refused.said)) from None
            except _AgainError as again:
                retries += 1
                wait = (
                    again.wait
                    if again.wait is not None
                    else BACKOFF_SECONDS * 2**retries * random.uniform(0.8, 1.2)
                )
                if retries > self.settings.model_retries or time.monotonic() + wait >= end:
                    raise again.error from None
                _sleep(min(wait, LONGEST_WAIT), cancel, collected)
            else:
                if collected.text or collected.tools:
                    return
                if collected.finish == "length" and limit < 8000:
                    # A reasoning model spent the whole limit on its thoughts.
                    limit, collected.finish = min(limit * 4, 8000), ""
                    continue
                raise self._empty(collected)

    def _empty(self, collected: _Collected) -> ModelError:
        if collected.finish == "content_filter":
            return ModelError("filtered", f"The content filter of {self.host} withheld the model's answer.")
        return ModelError("empty", f"The model {self.settings.model!r} at {self.host} gave an empty answer.")

    def _adapt(self, refused: _RefusedParameterError) -> bool:
        """Give up the parameter a server refused; False when none is left to give up."""
        said, dialect = refused.said.lower(), self.dialect
        order = ("stream_options", "temperature", "max_tokens", "image", "tool", "stream")
        named = [word for word in order if word in said.replace("max_completion_tokens", "max_tokens")]
        for word in [*named, *([] if named else order[:3])]:
            if word == "stream_options" and dialect.stream_options:
                dialect.stream_options = False
            elif word == "temperature" and dialect.temperature:
                dialect.temperature = False
            elif word == "max_tokens" and dialect.max_tokens == "max_tokens":
                dialect.max_tokens = "max_completion_tokens"
            elif word == "image" and dialect.images:
                dialect.images = False
            elif word == "tool" and dialect.tools:
                dialect.tools = False
            elif word == "stream" and dialect.stream:
                dialect.stream = False
            else:
                continue
            return True
        return False

    def _once(
        self,
        messages: Sequence[Message],
        limit: int,
        collected: _Collected,
        on_text: Callable[[str], None] | None,
        cancel: threading.Event | None,
        end: float,
        tools: Sequence[Json],
    ) -> None:
        """One request, watched from the caller's thread; what comes in is added to ``collected``."""
        arrived: queue.SimpleQueue[str] = queue.SimpleQueue()
        call = self._submit(self._request(messages, limit, collected, arrived, tools))
        try:
            while not call.done():
                if cancel is not None and cancel.is_set():
                    raise StoppedError(collected.reply(Usage()))
                if time.monotonic() >= end:
                    raise ModelError("timeout", f"The model at {self.host} did not finish in time.")
                try:
                    arrived.get(timeout=POLL_SECONDS)
                except queue.Empty:
                    continue
                if on_text is not None:
                    on_text("".join(collected.text))
            call.result()
            if on_text is not None and collected.text:
                on_text("".join(collected.text))
        finally:
            call.cancel()

    # --- on the event loop -------------------------------------------------------------------------------

    async def _request(
        self,
        messages: Sequence[Message],
        limit: int,
        collected: _Collected,
        arrived: queue.SimpleQueue[str],
        tools: Sequence[Json],
    ) -> None:
        import httpx2
        import openai

        silence = self.settings.model_seconds
        client = self._open()
        try:
            async with asyncio.timeout(silence):
                response = await client.chat.completions.with_raw_response.create(
                    **self._parameters(messages, limit, tools)
                )
            kind = response.headers.get("content-type", "")
            if "html" in kind:
                raise ModelError("wrong_path", self._wrong_path())
            if not self.dialect.stream or "event-stream" not in kind:
                async with asyncio.timeout(silence):
                    _take_whole(json.loads(await response.http_response.aread()), collected)
                arrived.put("")
                return
            stream: Any = response.parse()
            chunks: AsyncIterator[Any] = aiter(stream)
            while True:
                async with asyncio.timeout(silence):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                if _take_chunk(chunk, collected):
                    arrived.put("")
            if collected.text and not collected.finish and not "".join(collected.text).endswith(WHOLE_ENDS):
                raise self._broken()
        except (TimeoutError, openai.APITimeoutError):
            raise ModelError("timeout", self._silent()) from None
        except openai.APIStatusError as error:
            raise self._status_error(error) from None
        except httpx2.TimeoutException:
            raise ModelError("timeout", self._silent()) from None
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            # Errors while the stream is read come from the transport, the package does not wrap them.
            raise self._connection_error(error, bool(collected.text)) from None
        except openai.APIError as error:  # an error sent inside the stream
            raise ModelError("server", self._said("broke off", error.message)) from None
        except (ValueError, LookupError, TypeError, AttributeError):
            # Neither JSON nor a completion: most often the page of a proxy or of another service.
            raise ModelError("wrong_path", self._wrong_path()) from None

    def _parameters(self, messages: Sequence[Message], limit: int, tools: Sequence[Json]) -> Json:
        dialect = self.dialect
        sent: Json = {
            "model": self.settings.model,
            "messages": list(messages) if dialect.images else [_without_images(m) for m in messages],
            dialect.max_tokens: limit,
        }
        if dialect.temperature:
            sent["temperature"] = 0
        if dialect.stream:
            sent["stream"] = True
            if dialect.stream_options:
                sent["stream_options"] = {"include_usage": True}
        if tools and dialect.tools:
            sent["tools"] = list(tools)
        return sent

    def _open(self) -> openai.AsyncOpenAI:
        import openai

        if self._client is None:
            key = self.settings.openai_api_key
            self._client = openai.AsyncOpenAI(
                # Local servers need no key, but the package refuses to start without one.
                api_key=key.get_secret_value() if key else "none",
                base_url=self.settings.openai_base_url or OPENAI_URL,
                max_retries=0,
                timeout=self.settings.model_seconds,
            )
        return self._client

    def _submit(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        with self._lock:
            if self._runner is None:
                self._runner = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_run_loop, args=(self._runner,), name="model-calls", daemon=True
                )
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._runner)

    # --- failures as sentences ---------------------------------------------------------------------------

    def _status_error(self, error: openai.APIStatusError) -> Exception:
        status, said = error.status_code, _server_words(error)
        low = f"{said} {error.code or ''}".lower()
        if "html" in error.response.headers.get("content-type", "") and status not in (429, 502, 503, 504):
            return ModelError("wrong_path", self._wrong_path())
        if status in (401, 403):
            return ModelError("bad_key", f"{self.host} refused the key (OPENAI_API_KEY).")
        if status == 404:
            if "model" in low:
                return ModelError(
                    "unknown_model",
                    f"{self.host} does not know the model {self.settings.model!r} (DOCENGINE_MODEL).",
                )
            return ModelError("wrong_path", self._wrong_path())
        if status == 429:
            if "quota" in low or "billing" in low or "credit" in low:
                return ModelError("no_credit", f"The account of this key at {self.host} has no credit left.")
            limit = ModelError("rate_limit", f"{self.host} is limiting requests at the moment.")
            return _AgainError(limit, _retry_after(error))
        if status >= 500 or status in (408, 409):
            return _AgainError(ModelError("server", f"{self.host} answered with error {status}."), None)
        if "context" in low and ("length" in low or "window" in low or "exceed" in low):
            return ModelError("context", f"The passages are too long for the model {self.settings.model!r}.")
        if "content" in low and ("filter" in low or "policy" in low):
            return ModelError("filtered", f"The content filter of {self.host} refused the question.")
        if "model" in low and ("not exist" in low or "not found" in low or "unknown" in low):
            return ModelError(
                "unknown_model",
                f"{self.host} does not know the model {self.settings.model!r} (DOCENGINE_MODEL).",
            )
        return _RefusedParameterError(said)

    def _connection_error(self, error: Exception, begun: bool) -> Exception:
        causes = list(_causes(error))
        names = " ".join(f"{type(cause).__name__} {cause}" for cause in causes).lower()
        if any(isinstance(c, ssl.SSLError) for c in causes) or "certificate" in names or "ssl" in names:
            return ModelError(
                "certificate",
                f"The certificate of {self.host} is not trusted here; name the authority's file in SSL_CERT_FILE.",
            )
        if begun:
            return ModelError(
                "broken", f"The connection to {self.host} broke off in the middle of the answer."
            )
        if "name or service" in names or "getaddrinfo" in names or "name resolution" in names:
            return _AgainError(
                ModelError(
                    "no_network", f"{self.host} could not be found: no network, or a wrong OPENAI_BASE_URL."
                ),
                None,
            )
        return _AgainError(
            ModelError(
                "no_network", f"{self.host} cannot be reached: no network, or the server is not running."
            ),
            None,
        )

    def _broken(self) -> ModelError:
        return ModelError("broken", f"The connection to {self.host} broke off in the middle of the answer.")

    def _silent(self) -> str:
        return f"The model at {self.host} was silent for {self.settings.model_seconds:.0f} seconds."

    def _wrong_path(self) -> str:
        address = self.settings.openai_base_url or OPENAI_URL
        return f"{address} does not speak the OpenAI protocol (OPENAI_BASE_URL; it most often ends in /v1)."

    def _said(self, what: str, words: str) -> str:
        words = " ".join(words.split())[:160]
        return f"{self.host} {what}: {words}" if words else f"{self.host} {what}."

    def _usage(self, collected: _Collected, prompt: int) -> Usage:
        if collected.usage is not None:
            return price(collected.usage, self.settings)
        written = estimate_tokens("".join(collected.text)) + round(collected.thought / 4)
        return price(Usage(prompt, written, 1, estimated=True), self.settings)


def _run_loop(runner: asyncio.AbstractEventLoop) -> None:
    try:
        runner.run_forever()
    finally:
        runner.close()


class _RefusedParameterError(Exception):
    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class _AgainError(Exception):
    """A failure worth another try after ``wait`` seconds (None: back off)."""

    def __init__(self, error: ModelError, wait: float | None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


def _take_chunk(chunk: Any, collected: _Collected) -> bool:
    """Add a stream chunk; True when the text grew."""
    _take_usage(getattr(chunk, "usage", None), collected)
    grew = False
    for choice in getattr(chunk, "choices", None) or ():
        collected.finish = choice.finish_reason or collected.finish
        delta = choice.delta
        if delta is None:
            continue
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        if isinstance(thought, str):
            collected.thought += len(thought)
        if delta.content:
            collected.text.append(delta.content)
            grew = True
        for call in delta.tool_calls or ():
            parts = collected.tools.setdefault(call.index or 0, ["", "", ""])
            parts[0] = call.id or parts[0]
            if call.function is not None:
                parts[1] = call.function.name or parts[1]
                parts[2] += call.function.arguments or ""
    return grew


def _take_whole(body: Json, collected: _Collected) -> None:
    """Add a completion that came in one piece."""
    choice = body["choices"][0]
    message = choice["message"]
    collected.finish = choice.get("finish_reason") or ""
    if message.get("content"):
        collected.text.append(str(message["content"]))
    for i, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        collected.tools[i] = [
            call.get("id") or f"call-{i}",
            function["name"],
            function.get("arguments") or "",
        ]
    usage = body.get("usage")
    if isinstance(usage, dict):
        collected.usage = Usage(
            int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0), 1
        )


def _take_usage(usage: Any, collected: _Collected) -> None:
    if usage is not None and (usage.prompt_tokens or usage.completion_tokens):
        collected.usage = Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, 1)


def _prompt_tokens(messages: Sequence[Message]) -> int:
    total = 0
    for message in messages:
        content = message.get("content") or ""
        if isinstance(content, str):
            total += estimate_tokens(content) + 4
        else:
            for part in content:
                total += estimate_tokens(part["text"]) if part["type"] == "text" else IMAGE_TOKENS
    return total


def _without_images(message: Message) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": "\n".join(part["text"] for part in content if part["type"] == "text")}


def _server_words(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        words = inner.get("message") if isinstance(inner, dict) else inner
        return str(words or body.get("detail") or "")
    return ""


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    step: BaseException | None = error
    while step is not None and len(found) < 10:
        found.append(step)
        step = step.__cause__ or step.__context__
    return found


def _sleep(seconds: float, cancel: threading.Event | None, collected: _Collected) -> None:
    if cancel is None:
        time.sleep(seconds)
    elif cancel.wait(seconds):
        raise StoppedError(collected.reply(Usage()))


__all__ = ["CapReachedError", "ChatClient", "ModelError", "Reply", "StoppedError", "ToolCall"]
