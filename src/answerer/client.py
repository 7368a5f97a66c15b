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
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from src.answerer.failures import AgainError, Failures, ModelError, RefusedParameterError
from src.answerer.prompts import Message
from src.answerer.stream import Collected, Reply, ToolCall, take_chunk, take_whole
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


class StoppedError(Exception):
    """The reader stopped the call; ``reply`` holds what had come until then."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("stopped")
        self.reply = reply


@dataclass(slots=True)
class _Dialect:
    """What this server was found to refuse; learnt from its errors and kept for the process."""

    max_tokens: str = "max_tokens"
    temperature: bool = True
    stream_options: bool = True
    stream: bool = True
    images: bool = True
    tools: bool = True


class ChatClient:
    """Calls the model of ``settings``. Safe for use from several threads."""

    def __init__(self, settings: Settings, meter: CostMeter) -> None:
        self.settings = settings
        self.meter = meter
        self.dialect = _Dialect()
        address = settings.openai_base_url or OPENAI_URL
        self._failures = Failures(self.host, address, settings.model, settings.model_seconds)
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
        collected = Collected()
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
        collected: Collected,
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
            except RefusedParameterError as refused:
                adaptations += 1
                if adaptations > 6 or not self._adapt(refused):
                    raise ModelError(
                        "refused", self._failures.said_by("refused the request", refused.said)
                    ) from None
            except AgainError as again:
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

    def _empty(self, collected: Collected) -> ModelError:
        if collected.finish == "content_filter":
            return ModelError("filtered", f"The content filter of {self.host} withheld the model's answer.")
        return ModelError("empty", f"The model {self.settings.model!r} at {self.host} gave an empty answer.")

    def _adapt(self, refused: RefusedParameterError) -> bool:
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
        collected: Collected,
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
        collected: Collected,
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
                raise ModelError("wrong_path", self._failures.wrong_path())
            if not self.dialect.stream or "event-stream" not in kind:
                async with asyncio.timeout(silence):
                    take_whole(json.loads(await response.http_response.aread()), collected)
                arrived.put("")
                return
            stream: Any = response.parse()
            chunks: AsyncIterator[Any] = aiter(stream)
            while True:
                async with asyncio.timeout(silence):
                    chunk = await anext(chunks, None)
                if chunk is None:
                    break
                if take_chunk(chunk, collected):
                    arrived.put("")
            if collected.text and not collected.finish and not "".join(collected.text).endswith(WHOLE_ENDS):
                raise self._failures.broken()
        except (TimeoutError, openai.APITimeoutError):
            raise ModelError("timeout", self._failures.silent()) from None
        except openai.APIStatusError as error:
            raise self._failures.status_error(error) from None
        except httpx2.TimeoutException:
            raise ModelError("timeout", self._failures.silent()) from None
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            # Errors while the stream is read come from the transport, the package does not wrap them.
            raise self._failures.connection_error(error, bool(collected.text)) from None
        except openai.APIError as error:  # an error sent inside the stream
            raise ModelError("server", self._failures.said_by("broke off", error.message)) from None
        except (ValueError, LookupError, TypeError, AttributeError):
            # Neither JSON nor a completion: most often the page of a proxy or of another service.
            raise ModelError("wrong_path", self._failures.wrong_path()) from None

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

    def _usage(self, collected: Collected, prompt: int) -> Usage:
        if collected.usage is not None:
            return price(collected.usage, self.settings)
        written = estimate_tokens("".join(collected.text)) + round(collected.thought / 4)
        return price(Usage(prompt, written, 1, estimated=True), self.settings)


def _run_loop(runner: asyncio.AbstractEventLoop) -> None:
    try:
        runner.run_forever()
    finally:
        runner.close()


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


def _sleep(seconds: float, cancel: threading.Event | None, collected: Collected) -> None:
    if cancel is None:
        time.sleep(seconds)
    elif cancel.wait(seconds):
        raise StoppedError(collected.reply(Usage()))


__all__ = ["CapReachedError", "ChatClient", "ModelError", "Reply", "StoppedError", "ToolCall"]
