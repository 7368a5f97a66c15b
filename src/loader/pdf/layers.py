"""Whether a file has layers that can be switched off. PDFium draws them rightly and does not name them."""

from __future__ import annotations

import re
import zlib

_MARK = b"/OCProperties"
_STREAM = re.compile(rb"/Type\s*/ObjStm.{0,300}?stream\r?\n", re.DOTALL)
_MAX_STREAMS = 400
_MAX_BYTES = 4 * 2**20


def has_layers(data: bytes) -> bool:
    """Whether the catalog of ``data`` speaks of layers; true when the file is encrypted and cannot be searched."""
    if _MARK in data:
        return True
    for count, match in enumerate(_STREAM.finditer(data)):
        if count >= _MAX_STREAMS:
            break
        try:
            if _MARK in zlib.decompressobj().decompress(
                data[match.end() : match.end() + _MAX_BYTES], _MAX_BYTES
            ):
                return True
        except zlib.error:
            if b"/Encrypt" in data[-4096:] or b"/Encrypt" in data[:4096]:
                return True
    return False
