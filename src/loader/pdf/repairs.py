"""Repairs of damaged files: PDFium's own, which it makes in silence, and a new end for files that were cut off."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress

REPAIRED = (
    "This file is damaged: its table of contents of objects does not fit. It was repaired as far as possible, "
    "but parts of it may be missing."
)
BROKEN_OFF = (
    "This file breaks off while changes were being saved: it is shown as it was before, and what was added then may be "
    "missing."
)
_START = re.compile(rb"startxref\s+(\d{1,12})")
_TABLE = re.compile(rb"\s*(?:xref\b|\d{1,10}\s+\d{1,5}\s+obj\b)")
_OBJECT = re.compile(rb"(?<![\d.])(\d{1,9})\s+(\d{1,5})\s+obj\b")
_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_PAGE = re.compile(rb"/Type\s*/Page\b(?!s)")
_PART, _PARENT = re.compile(rb"/Type\s*/Pages?\b"), re.compile(rb"/Parent\s+(\d{1,9})")
_HOLDER = re.compile(rb"/Type\s*/ObjStm\b")
_FIRST, _COUNT = re.compile(rb"/First\s+(\d{1,9})"), re.compile(rb"/N\s+(\d{1,9})")
_TREE = re.compile(rb"/Pages\s+(\d{1,9})")
_MOST_PAGES = 5000
_MOST_OBJECTS = 1_000_000
_MOST_BYTES = 16 * 2**20  # of one object stream
_TAIL = 4096
_HEADER = 1024
_SLACK = 4  # bytes before the offset: some programs count the line break


def was_repaired(data: bytes) -> bool:
    """Whether the end of ``data`` does not lead to a cross-reference table, so that objects had to be searched for."""
    table = last_table(data)
    if table is None:
        return True
    header = max(data[:_HEADER].find(b"%PDF-"), 0)
    return not any(_TABLE.match(data, place) for start in {0, header} for place in _near(table + start))


def breaks_off(data: bytes) -> bool:
    """Whether whole objects stand behind the end of ``data``: a last revision of which the table is lost."""
    behind = data[data.rfind(b"%%EOF") :]
    return any(behind.find(b"endobj", match.end()) > 0 for match in _OBJECT.finditer(behind))


def last_table(data: bytes) -> int | None:
    """Where the file says that its last cross-reference table begins, None when it says nothing."""
    found = _START.findall(data[-_TAIL:])
    return int(found[-1]) if found else None


def _near(place: int) -> range:
    return range(max(place - _SLACK, 0), place + 1)


def pages_written(data: bytes) -> int:
    """How many page objects ``data`` holds, those of earlier revisions and those that were deleted among them. Object
    streams that are encrypted or damaged count for nothing."""
    count = len(_PAGE.findall(data))
    for match in _HOLDER.finditer(data):
        start = data.find(b"stream", match.end(), match.end() + _TAIL) + len(b"stream")
        if start < match.end():
            continue
        content = data[start : start + _MOST_BYTES].lstrip(b"\r\n")
        with suppress(zlib.error):
            count += len(_PAGE.findall(zlib.decompressobj().decompress(content, _MOST_BYTES)))
    return count


def tree_parts(data: bytes) -> dict[int, int]:
    """Objects that are pages or nodes of a page tree, by number, each with the number of the node that it names as its
    parent, 0 when it names none."""
    _, heads, packed = _objects(data)
    parts = {}
    for number, head in ({**packed, **heads}).items():
        if _PART.search(head):
            parent = _PARENT.search(head)
            parts[number] = int(parent[1]) if parent else 0
    return parts


def with_new_end(data: bytes) -> bytes | None:
    """``data`` with a cross-reference table and a trailer behind it, made from the objects that are left; None when no
    page is among them, or they are encrypted. A download that broke off has lost its table, its trailer and often its
    catalog."""
    if b"/Encrypt" in data:
        return None
    places, heads, packed = _objects(data)
    if not places or max((*places, *packed)) > _MOST_OBJECTS:
        return None
    heads |= {number: body for number, body in packed.items() if number not in places}
    catalogs = [
        number
        for number, head in heads.items()
        if _CATALOG.search(head) and (tree := _TREE.search(head)) and int(tree[1]) in heads
    ]
    pages = [number for number, head in sorted(heads.items()) if _PAGE.search(head)][:_MOST_PAGES]
    root = catalogs[-1] if catalogs else max(heads) + 2
    if not catalogs:
        if not pages:
            return None
        kids = b" ".join(b"%d 0 R" % number for number in pages)
        packed[root - 1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages))
        packed[root] = b"<< /Type /Catalog /Pages %d 0 R >>" % (root - 1)
    out = bytearray(data + b"\n")
    for number, body in packed.items():
        if number not in places:
            places[number] = len(out)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return bytes(out) + _table(places, len(out), root, max(data[:_HEADER].find(b"%PDF-"), 0))


def _objects(data: bytes) -> tuple[dict[int, int], dict[int, bytes], dict[int, bytes]]:
    """Where each whole object begins, how it begins, and the objects inside object streams; later ones count."""
    places: dict[int, int] = {}
    heads: dict[int, bytes] = {}
    packed: dict[int, bytes] = {}
    found = list(_OBJECT.finditer(data))
    for match, following in zip(found, [*found[1:], None], strict=True) if found else ():
        end = following.start() if following else len(data)
        if data.find(b"endobj", match.end(), end) < 0:
            continue
        number = int(match[1])
        head, _, rest = data[match.end() : min(end, match.end() + _TAIL)].partition(b"stream")
        places[number], heads[number] = match.start(), head
        if _HOLDER.search(head):
            start = match.end() + len(head) + len(b"stream") + (2 if rest[:2] == b"\r\n" else 1)
            packed |= _unpacked(head, data[start:end])
    return places, heads, packed


def _unpacked(head: bytes, content: bytes) -> dict[int, bytes]:
    """The objects of an object stream, {} when it cannot be unpacked."""
    first, count = _FIRST.search(head), _COUNT.search(head)
    if first is None or count is None:
        return {}
    try:
        text = zlib.decompressobj().decompress(content, _MOST_BYTES)
    except zlib.error:
        return {}
    numbers = [int(word) for word in text[: int(first[1])].split()[: 2 * int(count[1])] if word.isdigit()]
    starts = [int(first[1]) + place for place in numbers[1::2]]
    if not starts:
        return {}
    bodies = (text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True))
    return dict(zip(numbers[::2], bodies, strict=False))


def _table(places: dict[int, int], start: int, root: int, header: int) -> bytes:
    """Cross-reference table and trailer that stand at ``start``; places count from the file's ``header``."""
    size = max(places) + 1
    entries = b"".join(
        b"%010d 00000 n \n" % (places[number] - header) if number in places else b"0000000000 65535 f \n"
        for number in range(size)
    )
    end = b"trailer\n<< /Root %d 0 R /Size %d >>\nstartxref\n%d\n%%%%EOF\n" % (root, size, start - header)
    return b"xref\n0 %d\n%s%s" % (size, entries, end)
