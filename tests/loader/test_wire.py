from __future__ import annotations

import io
import json
import struct

import numpy as np
import pytest

from src.loader.wire import Frame, WireError, decode, encode, read_frame


def test_a_frame_comes_back_as_it_was() -> None:
    boxes = np.arange(8, dtype=np.float32).reshape(2, 4)
    sent = Frame(
        "layout",
        {"page": 3, "note": "é"},
        {"boxes": boxes, "data": b"\0\1", "none": np.empty((0, 4), np.float32)},
    )
    got = decode(encode(sent))
    assert (got.kind, dict(got.fields)) == ("layout", {"page": 3, "note": "é"})
    assert np.array_equal(got.array("boxes", "f4", 4), boxes)
    assert got.blob("data") == b"\0\1"
    assert got.array("none", "f4", 4).shape == (0, 4)


def test_frames_follow_each_other_in_a_stream() -> None:
    stream = io.BytesIO(encode(Frame("a")) + encode(Frame("b")))
    frames = [read_frame(stream), read_frame(stream), read_frame(stream)]
    assert [frame.kind if frame else None for frame in frames] == ["a", "b", None]


def _bytes(header: object, body: bytes = b"", *, body_length: int | None = None) -> bytes:
    head = json.dumps(header).encode()
    return (
        struct.pack("<4sIQ", b"DEF1", len(head), len(body) if body_length is None else body_length)
        + head
        + body
    )


@pytest.mark.parametrize(
    "data",
    [
        b"DEF1",
        b"XXXX" + b"\0" * 12,
        struct.pack("<4sIQ", b"DEF1", 2**31, 0),
        struct.pack("<4sIQ", b"DEF1", 0, 2**60),
        _bytes({"kind": "a", "fields": {}, "parts": []}, b"left over"),
        _bytes({"kind": "a", "fields": {}, "parts": [["x", "f4", [2**40]]]}),
        _bytes({"kind": "a", "fields": {}, "parts": [["x", "f4", [-1]]]}),
        _bytes({"kind": "a", "fields": {}, "parts": [["x", "O", [1]]]}, b"12345678"),
        _bytes({"kind": "a", "fields": {}, "parts": [["x", "bytes", 9]]}, b"1"),
        _bytes({"kind": "a", "fields": [], "parts": []}),
        _bytes(["kind"]),
        _bytes({"kind": "a", "fields": {}, "parts": []}, b"", body_length=5),
    ],
)
def test_malformed_frames_are_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        read_frame(io.BytesIO(data))


def test_an_array_of_another_type_or_shape_is_refused() -> None:
    frame = Frame("page", {}, {"boxes": np.zeros((2, 3), np.float32)})
    with pytest.raises(WireError, match="shape"):
        frame.array("boxes", "f4", 4)
    with pytest.raises(WireError, match="not an array"):
        frame.array("boxes", "u1", 3)
