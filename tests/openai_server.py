"""A real HTTP server on 127.0.0.1 that speaks the OpenAI protocol, its failures included.

What it answers is a list of replies, one a request, the last one repeated; a reply is a text, a function of the
request's JSON body that returns one, or a ``Mode``.
"""

from __future__ import annotations

import json
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Mode:
    """How a request is answered when not with a plain text.

    ``refuses`` names parameters that get a 400 when present; ``pause`` is slept before every piece of the stream
    (``pause_first`` only before the first), ``cut`` ends the connection after so many pieces (``reset``: by a
    TCP reset).
    """

    text: str | Callable[[Body], str] = ""
    status: int = 200
    error: str = ""
    code: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    refuses: tuple[str, ...] = ()
    html: str = ""
    raw: str = ""
    usage: bool = True
    stream: bool = True
    finish: str = "stop"
    pause: float = 0.0
    pause_first: float = 0.0
    cut: int | None = None
    reset: bool = False
    piece: int = 12
    reasoning: str = ""
    tool_calls: tuple[tuple[str, str], ...] = ()
    tool_calls_for: Callable[[Body], tuple[tuple[str, str], ...]] | None = None
    error_in_stream: str = ""


Reply = str | Mode | Callable[[Body], str]


@dataclass
class OpenAIServer:
    """The running server: its address, the requests it got, and how many streams it was writing when cut off."""

    replies: list[Reply]
    url: str = ""
    requests: list[Body] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    broken_off: threading.Event = field(default_factory=threading.Event)
    pieces_sent: int = 0

    def next_reply(self) -> Reply:
        """The reply of the request that was just recorded."""
        return self.replies[min(len(self.requests), len(self.replies)) - 1]


@contextmanager
def openai_server(*replies: Reply, tls: ssl.SSLContext | None = None) -> Iterator[OpenAIServer]:
    """A server that gives ``replies`` in order, over https with ``tls``; its ``url`` ends in /v1."""
    state = OpenAIServer(list(replies))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with lock:
                state.requests.append(body)
                state.keys.append(self.headers.get("authorization", ""))
                reply = state.next_reply()
            mode = reply if isinstance(reply, Mode) else Mode(text=reply)
            try:
                if self.path != "/v1/chat/completions":
                    _send(self, 404, json.dumps({"detail": "Not Found"}))
                else:
                    _answer(self, mode, body, state)
            except (BrokenPipeError, ConnectionResetError):
                state.broken_off.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    state.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def last_user_text(body: Body) -> str:
    """The text of the last user message."""
    content = [m for m in body["messages"] if m["role"] == "user"][-1]["content"]
    if isinstance(content, list):
        return "\n".join(part["text"] for part in content if part["type"] == "text")
    return str(content)


def _answer(handler: BaseHTTPRequestHandler, mode: Mode, body: Body, state: OpenAIServer) -> None:
    for name in mode.refuses:
        if name in body or (name == "image" and "image_url" in json.dumps(body)):
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            _send(handler, 400, json.dumps({"error": {"message": message, "param": name, "code": None}}))
            return
    if mode.html:
        _send(handler, mode.status, mode.html, kind="text/html; charset=utf-8")
    elif mode.status != 200:
        error = {"message": mode.error or "no", "type": "error", "code": mode.code or None}
        _send(handler, mode.status, json.dumps({"error": error}), headers=mode.headers)
    elif mode.raw:
        _send(handler, 200, mode.raw)
    elif not body.get("stream") or not mode.stream:
        time.sleep(mode.pause_first)
        _send(handler, 200, json.dumps(_completion(mode, body)))
    else:
        _stream(handler, mode, body, state)


def _text(mode: Mode, body: Body) -> str:
    return mode.text(body) if callable(mode.text) else mode.text


def _tools(mode: Mode, body: Body) -> list[Body]:
    calls = mode.tool_calls_for(body) if mode.tool_calls_for else mode.tool_calls
    return [
        {
            "index": i,
            "id": f"call-{i}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for i, (name, arguments) in enumerate(calls)
    ]


def _usage(mode: Mode, body: Body) -> Body:
    return {"prompt_tokens": len(json.dumps(body)) // 4, "completion_tokens": 20, "total_tokens": 0}


def _completion(mode: Mode, body: Body) -> Body:
    calls = _tools(mode, body)
    message: Body = {"role": "assistant", "content": "" if calls else _text(mode, body)}
    if calls:
        message["tool_calls"] = calls
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": mode.finish}],
        **({"usage": _usage(mode, body)} if mode.usage else {}),
    }


def _stream(handler: BaseHTTPRequestHandler, mode: Mode, body: Body, state: OpenAIServer) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    handler.close_connection = True

    def send(delta: Body, finish: str | None = None, **more: Any) -> None:
        choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        event(chunk | {"choices": choices} | more)

    def event(value: Body) -> None:
        handler.wfile.write(f"data: {json.dumps(value)}\n\n".encode())
        handler.wfile.flush()
        state.pieces_sent += 1

    time.sleep(mode.pause_first)
    if mode.error_in_stream:
        event({"error": {"message": mode.error_in_stream}})
        return
    send({"role": "assistant", "content": ""})
    if mode.reasoning:
        send({"reasoning_content": mode.reasoning})
    calls = _tools(mode, body)
    text = "" if calls else _text(mode, body)
    for number, start in enumerate(range(0, len(text), mode.piece)):
        if mode.cut is not None and number >= mode.cut:
            if mode.reset:
                handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                handler.connection.close()
            return
        time.sleep(mode.pause)
        send({"content": text[start : start + mode.piece]})
    if calls:
        send({"tool_calls": calls})
    send({}, mode.finish)
    if mode.usage and body.get("stream_options", {}).get("include_usage"):
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}
        event(chunk | {"choices": [], "usage": _usage(mode, body)})
    handler.wfile.write(b"data: [DONE]\n\n")


def _send(
    handler: BaseHTTPRequestHandler,
    status: int,
    text: str,
    *,
    kind: str = "application/json",
    headers: Sequence[tuple[str, str]] = (),
) -> None:
    data = text.encode()
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(data)))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)
