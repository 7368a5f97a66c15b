"""Whether a file has layers that can be switched off. PDFium draws them rightly and does not name them."""

from __future__ import annotations

import re
import zlib

_MARK = b"/OCProperties"
_HOLDER = b"/ObjStm"
_STREAM = re.compile(rb"stream\r?\n")
_HEADER_BYTES = 320
_MAX_STREAMS = 400
_MAX_BYTES = 4 * 2**20


def has_layers(data: bytes) -> bool:
    """Whether the catalog of ``data`` speaks of layers; true when the file is encrypted and cannot be searched."""
    if _MARK in data:
        return True
    place = -1
    for _ in range(_MAX_STREAMS):
        place = data.find(_HOLDER, place + 1)
        if place < 0:
            break
        match = _STREAM.search(data, place, place + _HEADER_BYTES)
        if match is None:
            continue
        begin = match.end()
        try:
            if _MARK in zlib.decompressobj().decompress(data[begin : begin + _MAX_BYTES], _MAX_BYTES):
                return True
        except zlib.error:
            if b"/Encrypt" in data[-4096:] or b"/Encrypt" in data[:4096]:
                return True
    return False
