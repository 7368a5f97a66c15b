"""Layers that can be switched off: whether a file has any, and which text of a page they hide.

PDFium draws layers rightly and does not say which are off. Text that stands alone shows itself off by its blank place;
where two layers hold text at one place (the issues or languages of a drawing), each is painted without the others.
"""

from __future__ import annotations

import ctypes
import re
import zlib

import numpy as np

from src.loader.pdf.drawings import Drawings, object_boxes
from src.loader.pdf.hidden import NO_INK, SCALE, render
from src.loader.pdf.pdfium import PageSource, function, objects_of, shown_boxes, text_mode
from src.records import FloatArray

_set_active = function("FPDFPageObj_SetIsActive", ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_count_marks = function("FPDFPageObj_CountMarks", ctypes.c_int, ctypes.c_void_p)

_MARK = b"/OCProperties"
_HOLDER = b"/ObjStm"
_STREAM = re.compile(rb"stream\r?\n")
_HEADER_BYTES = 320
_MAX_STREAMS = 400
_MAX_BYTES = 4 * 2**20
_SHARED = 0.3  # of the smaller box: text that shares less with other text does not lie upon it
_MAX_TEXTS = 4000
_MAX_TURNS = 8  # times that a page is drawn: layers that lie upon each other are few


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


def switched_off(source: PageSource, drawings: Drawings) -> frozenset[int]:
    """Addresses of the text objects of a page that lie upon other text and are not drawn, whatever switches them off
    (the default view, membership, usage, a layer around the whole form)."""
    texts = [address for address in drawings.order if text_mode(address) not in NO_INK]
    if not any(_count_marks(address) or address in drawings.forms for address in texts):
        return frozenset()
    edges = [
        object_boxes([address], *([drawings.forms[address].matrix] if address in drawings.forms else []))[0]
        for address in texts[:_MAX_TEXTS]
    ]
    known = [place for place, edge in enumerate(edges) if edge is not None]
    if len(known) < 2:
        return frozenset()
    boxes = shown_boxes(source.matrix, np.array([edges[place] for place in known], np.float64))
    turns = _turns(boxes)
    if not turns:
        return frozenset()
    addresses = [texts[place] for place in known]
    unseen = _unseen(source, list(drawings.order), addresses, boxes, turns)
    return unseen - _only_ones(source, addresses, boxes, unseen)


def _turns(boxes: FloatArray) -> list[list[int]]:
    """The places of ``boxes`` (n, 4) that lie upon others, in groups of which none lies upon another."""
    sizes = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    turns: list[list[int]] = []
    for place, box in enumerate(boxes):
        sides = np.minimum(boxes[:, 2:], box[2:]) - np.maximum(boxes[:, :2], box[:2])
        upon = np.prod(np.maximum(sides, 0), axis=1) > _SHARED * np.minimum(sizes, sizes[place])
        upon[place] = False
        if not upon.any():
            continue
        free = next((turn for turn in turns if not upon[turn].any()), None)
        if free is not None:
            free.append(place)
        elif len(turns) < _MAX_TURNS:
            turns.append([place])
    return turns


def _unseen(
    source: PageSource, every: list[int], addresses: list[int], boxes: FloatArray, turns: list[list[int]]
) -> frozenset[int]:
    """Those of ``addresses`` in ``turns`` that change nothing on a page without other text. ``every`` names all text
    objects of the page."""
    unseen: set[int] = set()
    try:
        _activate(every, False)
        bare = render(source, SCALE)
        for turn in turns:
            _activate([addresses[place] for place in turn], True)
            drawn = render(source, SCALE)
            _activate([addresses[place] for place in turn], False)
            if bare is None or drawn is None:
                return frozenset()
            changed = (bare != drawn).any(axis=2)
            across, down = changed.shape[1] / source.width, changed.shape[0] / source.height
            for place in turn:
                x0, y0, x1, y1 = boxes[place].tolist()
                rows = slice(max(0, int(y0 * down)), int(y1 * down) + 1)
                if not changed[rows, max(0, int(x0 * across)) : int(x1 * across) + 1].any():
                    unseen.add(addresses[place])
    finally:
        _activate(every, True)
    return frozenset(unseen)


def _activate(addresses: list[int], active: bool) -> None:
    for address in addresses:
        _set_active(address, active)


def _only_ones(
    source: PageSource, addresses: list[int], boxes: FloatArray, unseen: frozenset[int]
) -> frozenset[int]:
    """Those of ``unseen`` that PDFium gives in place of the same text in a layer that is on: it takes the later of two
    alike for a second stroke of fake bold and leaves it out."""
    if not unseen:
        return frozenset()
    given = set(objects_of(source, np.arange(source.count)).tolist())
    left_out = np.array([address not in given and address not in unseen for address in addresses])
    twins = boxes[left_out]
    return frozenset(
        address
        for address, box in zip(addresses, boxes, strict=True)
        if address in unseen and len(twins) and (np.abs(twins - box).max(axis=1) < 1).any()
    )
