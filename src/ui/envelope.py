"""One message with JSON and pictures for a component in the browser.

Page images could be given as addresses of Streamlit's media files, but those are let go of at the end of any
visitor's drawing of the page that does not name them anew, so a page on the screen could lose its image. What
travels inside the message cannot vanish, and reaches nobody but its visitor.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from src.records import Json

Pictures = Mapping[str, Mapping[int, bytes]]


def sealed(header: Json, pictures: Pictures | None = None) -> bytes:
    """Four bytes with the length of the JSON, big-endian; the JSON; then all pictures one after another.

    ``pictures`` maps a name to JPEGs by page; in the JSON the name then maps each page to [start, end) counted from
    the first picture's first byte.
    """
    places: dict[str, dict[int, tuple[int, int]]] = {}
    parts: list[bytes] = []
    end = 0
    for name, jpegs in (pictures or {}).items():
        places[name] = {}
        for page, jpeg in jpegs.items():
            places[name][page] = (end, end + len(jpeg))
            end += len(jpeg)
            parts.append(jpeg)
    head = json.dumps(header | places, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join([len(head).to_bytes(4, "big"), head, *parts])
