"""Frames that cross the pipe between the app and its worker: a JSON header and raw bytes.

The worker has parsed a hostile file, so what it sends is data to be checked, never objects to be loaded (no
pickle). A frame is ``magic, header length, body length`` (little-endian), a JSON header and the body. The header's
"parts" lists the body's pieces in order: ``[name, dtype, shape]`` for an array, ``[name, "bytes", length]`` for
bytes. Every length is checked against the limits before anything is allocated for it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import IO, Any

import numpy as np
import numpy.typing as npt

MAGIC = b"DEF1"
_PREFIX = struct.Struct("<4sIQ")
MAX_HEADER = 64 * 2**20
MAX_BODY = 6 * 2**30
DTYPES = {"f4": np.float32, "i4": np.int32, "u1": np.uint8, "u2": np.uint16, "u4": np.uint32}

Part = npt.NDArray[Any] | bytes


class WireError(Exception):
    """The stream is not a sequence of well-formed frames."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: ``kind``, JSON ``fields``, and ``parts`` (arrays or bytes) by name."""

    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    parts: Mapping[str, Part] = field(default_factory=dict)

    def array(self, name: str, dtype: str, columns: int | None = None) -> npt.NDArray[Any]:
        """The array ``name`` of type ``dtype``, of shape (n,) or (n, columns). Raises WireError otherwise."""
        value = self.parts.get(name)
        if not isinstance(value, np.ndarray) or value.dtype != DTYPES[dtype]:
            raise WireError(f"{self.kind}: {name} is not an array of {dtype}")
        shape_is_right = value.ndim == 1 if columns is None else value.ndim == 2 and value.shape[1] == columns
        if not shape_is_right:
            raise WireError(f"{self.kind}: {name} has the shape {value.shape}")
        return value

    def blob(self, name: str) -> bytes:
        """The bytes ``name``. Raises WireError when there are none."""
        value = self.parts.get(name)
        if not isinstance(value, bytes):
            raise WireError(f"{self.kind}: {name} is not bytes")
        return value


def encode(frame: Frame) -> bytes:
    """The frame as bytes."""
    specs: list[list[Any]] = []
    pieces: list[bytes] = []
    for name, part in frame.parts.items():
        if isinstance(part, bytes):
            specs.append([name, "bytes", len(part)])
            pieces.append(part)
        else:
            code = next((c for c, d in DTYPES.items() if part.dtype == d), None)
            if code is None:
                raise TypeError(f"{name}: arrays of {part.dtype} do not cross the wire")
            specs.append([name, code, list(part.shape)])
            pieces.append(np.ascontiguousarray(part).tobytes())
    header = json.dumps({"kind": frame.kind, "fields": dict(frame.fields), "parts": specs}).encode()
    body = b"".join(pieces)
    return _PREFIX.pack(MAGIC, len(header), len(body)) + header + body


def decode(data: bytes) -> Frame:
    """The one frame that ``data`` holds. Raises WireError."""
    if len(data) < _PREFIX.size:
        raise WireError("a frame is shorter than its prefix")
    header_length, body_length = _lengths(data[: _PREFIX.size])
    end = _PREFIX.size + header_length
    if len(data) != end + body_length:
        raise WireError("a frame has another length than it says")
    return _parse(data[_PREFIX.size : end], memoryview(data)[end:])


def write_frame(stream: IO[bytes], frame: Frame) -> None:
    """Send ``frame`` and flush."""
    stream.write(encode(frame))
    stream.flush()


def read_frame(stream: IO[bytes], max_body: int = MAX_BODY) -> Frame | None:
    """The next frame, None at the end of the stream. Raises WireError on anything malformed."""
    prefix = stream.read(_PREFIX.size)
    if not prefix:
        return None
    if len(prefix) < _PREFIX.size:
        raise WireError("the stream ends inside a frame")
    header_length, body_length = _lengths(prefix, max_body)
    header = stream.read(header_length)
    body = stream.read(body_length)
    if len(header) < header_length or len(body) < body_length:
        raise WireError("the stream ends inside a frame")
    return _parse(header, memoryview(body))


def _lengths(prefix: bytes, max_body: int = MAX_BODY) -> tuple[int, int]:
    magic, header_length, body_length = _PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise WireError("a frame does not start as one")
    if header_length > MAX_HEADER or body_length > max_body:
        raise WireError(f"a frame is too large ({header_length} + {body_length} bytes)")
    return header_length, body_length


def _parse(header: bytes, body: memoryview) -> Frame:
    try:
        head = json.loads(header)
        kind, fields, specs = head["kind"], head["fields"], head["parts"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WireError("a frame's header cannot be read") from error
    if not (isinstance(kind, str) and isinstance(fields, dict) and isinstance(specs, list)):
        raise WireError("a frame's header has the wrong types")
    parts: dict[str, Part] = {}
    offset = 0
    for spec in specs:
        name, value, offset = _part(spec, body, offset)
        parts[name] = value
    if offset != len(body):
        raise WireError("a frame's parts do not fill its body")
    return Frame(kind, fields, parts)


def _part(spec: Any, body: memoryview, offset: int) -> tuple[str, Part, int]:
    try:
        name, code, shape = spec
        dims = [int(shape)] if code == "bytes" else [int(d) for d in shape]
    except (ValueError, TypeError) as error:
        raise WireError("a frame's part cannot be read") from error
    if not isinstance(name, str) or len(dims) > 2 or any(d < 0 for d in dims):
        raise WireError("a frame's part has the wrong types")
    if code == "bytes":
        size = dims[0]
    elif code in DTYPES:
        size = prod(dims) * np.dtype(DTYPES[code]).itemsize
    else:
        raise WireError(f"a frame's part has the unknown type {code!r}")
    end = offset + size
    if end > len(body):
        raise WireError("a frame's part is longer than its body")
    piece = body[offset:end]
    if code == "bytes":
        return name, bytes(piece), end
    return name, np.frombuffer(piece, dtype=DTYPES[code]).reshape(dims).copy(), end
