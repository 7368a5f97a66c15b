"""Messages between the app and its worker processes, over pipes.

A message is four bytes (big-endian length), a JSON head of that length, and ``head["size"]`` bytes of body.
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any

MAX_HEAD = 16 * 2**20

Head = dict[str, Any]


def read_message(stream: IO[bytes]) -> tuple[Head, bytes] | None:
    """The next message, None at the end of the stream (or in the middle of a message cut short)."""
    prefix = stream.read(4)
    if len(prefix) < 4:
        return None
    (length,) = struct.unpack(">I", prefix)
    if length > MAX_HEAD:
        return None
    raw = stream.read(length)
    if len(raw) < length:
        return None
    head: Head = json.loads(raw)
    size = int(head.get("size", 0))
    body = stream.read(size) if size else b""
    return (head, body) if len(body) == size else None


def write_message(stream: IO[bytes], head: Head, body: bytes = b"") -> None:
    """Send one message and flush it."""
    raw = json.dumps(head | {"size": len(body)}).encode()
    stream.write(struct.pack(">I", len(raw)) + raw)
    stream.write(body)
    stream.flush()
