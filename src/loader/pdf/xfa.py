"""What an XFA form says: its pages are drawn by Adobe programs alone, but its texts and values are XML inside the file."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, fromstring

import pypdfium2.raw as raw

from src.loader.pdf.pdfium import PdfSource
from src.loader.repair import clean

__all__ = ["xfa_lines"]

_MOST_PACKETS = 64
_MOST_BYTES = 8 * 2**20
_MOST_LINES = 2000
_DEEPEST = 100  # subforms inside each other
_UNSEEN = ("hidden", "invisible", "inactive")


def xfa_lines(source: PdfSource) -> list[str]:
    """Texts of the form from top to bottom, a field as "caption: value"; empty when there are none to be read."""
    xml = b"".join(_packets(source))
    start = xml.find(b"<")
    # no form needs entities of its own, and a few of them can grow to gigabytes
    if start < 0 or b"<!DOCTYPE" in xml or b"<!ENTITY" in xml:
        return []
    try:
        root = fromstring(b"<packets>" + _without_declaration(xml[start:]) + b"</packets>")
    except ParseError:
        return []
    values = {
        _local(item): " ".join((item.text or "").split())
        for data in root.iter()
        if _local(data) == "datasets"
        for item in data.iter()
        if not len(item)
    }
    lines = [
        line
        for template in root.iter()
        if _local(template) == "template"
        for line in _lines(template, values, _DEEPEST)
    ]
    return [clean(line) for line in lines[:_MOST_LINES]]


def _packets(source: PdfSource) -> Iterator[bytes]:
    left = _MOST_BYTES
    for index in range(min(raw.FPDF_GetXFAPacketCount(source.document), _MOST_PACKETS)):
        size = ctypes.c_ulong()
        if not raw.FPDF_GetXFAPacketContent(source.document, index, None, 0, size) or size.value > left:
            continue
        left -= size.value
        buffer = ctypes.create_string_buffer(max(size.value, 1))
        if raw.FPDF_GetXFAPacketContent(source.document, index, buffer, size.value, size):
            yield buffer.raw[: size.value]


def _without_declaration(xml: bytes) -> bytes:
    return xml.partition(b"?>")[2] if xml.startswith(b"<?xml") else xml


def _local(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _lines(element: Element, values: dict[str, str], deeper: int) -> Iterator[str]:
    """Texts and fields inside ``element`` that are shown."""
    for child in element:
        kind = _local(child)
        if child.get("presence") in _UNSEEN:
            continue
        if kind == "draw":
            if text := _text(child, "value"):
                yield text
        elif kind == "field":
            name = child.get("name", "")
            caption = _text(child, "caption").rstrip(":") or name
            value = values.get(name) or _text(child, "value") or "(empty)"
            if caption:
                yield f"{caption}: {value}"
        elif deeper:
            yield from _lines(child, values, deeper - 1)


def _text(element: Element, part: str) -> str:
    """Words of the direct child ``part`` of ``element``; pictures inside it are none."""
    for child in element:
        if _local(child) == part and not any(_local(item) == "image" for item in child.iter()):
            return " ".join(" ".join(child.itertext()).split())
    return ""
