"""The page tree read for itself, and put right where it would lose pages.

PDFium believes the /Count at the root of the tree: of a file that counts too few pages it shows the first ones and
says nothing, of one that counts too many it shows pages that are not there; a null or a lost object among the /Kids
moves the pages behind it and costs the last one, a loop all of them. This is asked only of a file in which the number of pages looks wrong.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfexceptions import PDFException
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import PDFObjRef, resolve1
from pdfminer.psexceptions import PSException
from pdfminer.psparser import PSLiteral

from src.loader.pdf.repairs import last_table, tree_parts, was_repaired, with_new_end

log = logging.getLogger(__name__)

# What pdfminer meets in a file that is not as it expects
PDFMINER_ERRORS = (
    PDFException, PSException, ValueError, LookupError, ArithmeticError, TypeError, AttributeError, AssertionError,
    RecursionError, struct.error, zlib.error,
)  # fmt: skip
_MOST_PAGES = 100_000
_DEEPEST = 100
_EMPTY_PAGE: dict[str, Any] = {"Type": PSLiteral("Page"), "MediaBox": [0, 0, 612, 792]}
_NAME_ESCAPED = re.compile(rb"[^!-~]|[#/()<>\[\]{}%]")


@dataclass(frozen=True, slots=True)
class PageTree:
    """What the page tree leads to: ``said`` pages by its own count, 0 when it has none; ``pages`` in truth, ``found``
    of which hung on a part of the tree that is lost; ``left`` are pages of a damaged file that are not in it. The pages
    ``lost`` (1-based) are no longer in the file. ``data`` is the file with the tree put right, in which empty pages hold
    their places; None when it is right as it is."""

    said: int
    pages: int
    found: int
    left: int
    lost: frozenset[int]
    data: bytes | None


def read_tree(data: bytes, password: str | None, *, damaged: bool) -> PageTree | None:
    """The page tree of ``data``, None when it cannot be read. Of a ``damaged`` file the pages beside it are counted."""
    if was_repaired(data):  # pdfminer's own search for objects ends with the first revision
        data = with_new_end(data) or data
    try:
        document = PDFDocument(PDFParser(io.BytesIO(data)), password=password or "")
        return _Walk(document, data).tree(damaged)
    except PDFMINER_ERRORS as error:
        log.warning("page tree: %r", error)
        return None


@dataclass(slots=True)
class _Walk:
    document: PDFDocument
    data: bytes
    changed: dict[int, bytes] = field(default_factory=dict)
    reached: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    pages: int = 0
    found: int = 0
    parts: dict[int, int] | None = None

    def tree(self, damaged: bool) -> PageTree:
        root = self.document.catalog.get("Pages")
        if not isinstance(root, PDFObjRef):
            raise ValueError("the page tree is no object of its own")
        node = self._object(root.objid)
        if node is None or "Kids" not in node:
            self._adopt_all(root.objid, node or {})
        else:
            self._node(root.objid, node, ())
        said = resolve1(node.get("Count")) if node else 0
        return PageTree(
            max(said, 0) if isinstance(said, int) else 0,
            self.pages,
            self.found,
            self._left() if damaged else 0,
            frozenset(self.lost),
            self._updated() if self.changed else None,
        )

    def _object(self, number: int) -> dict[str, Any] | None:
        """The dictionary that is object ``number``, None when it is lost."""
        try:
            value = self.document.getobj(number)
        except PDFMINER_ERRORS:
            return None
        return value if isinstance(value, dict) else None

    def _node(self, number: int, node: dict[str, Any], above: tuple[int, ...]) -> int:
        """Count the pages under ``node``, and note it as changed where its kids or its count are wrong."""
        if len(above) > _DEEPEST:
            raise ValueError("the page tree is too deep")
        above = (*above, number)
        self.reached.add(number)
        held = resolve1(node["Kids"])
        listed = held if isinstance(held, list) else [node["Kids"]]
        kids: list[PDFObjRef] = []
        count = 0
        for kid in listed:
            for reference in self._references(kid, above):
                kids.append(reference)
                count += self._kid(reference.objid, above)
                if self.pages > _MOST_PAGES:
                    raise ValueError("the page tree has too many pages")
        numbers = [kid.objid for kid in kids]
        as_it_is = isinstance(held, list) and numbers == [getattr(kid, "objid", None) for kid in held]
        if not as_it_is or resolve1(node.get("Count")) != count:
            self._change(number, node, kids, count)
        return count

    def _references(self, kid: object, above: tuple[int, ...]) -> Iterator[PDFObjRef]:
        """What an entry of the kids stands for: itself, nothing (null, a loop), the pages of a node that is lost, or a
        page that is lost."""
        if isinstance(kid, dict):
            yield self._added(kid)
        elif isinstance(kid, PDFObjRef) and kid.objid not in above:
            if self._object(kid.objid) is not None:
                yield kid
            elif orphans := self._orphans(kid.objid):
                yield from (PDFObjRef(self.document, number) for number in orphans)
            else:
                self.lost.add(self.pages + 1)
                yield self._added(_EMPTY_PAGE)

    def _added(self, page: dict[str, Any]) -> PDFObjRef:
        number = self._next_number()
        self.changed[number] = _written(page)
        return PDFObjRef(self.document, number)

    def _kid(self, number: int, above: tuple[int, ...]) -> int:
        node = self._object(number)
        if node is not None and "Kids" in node:
            return self._node(number, node, above)
        self.reached.add(number)
        self.pages += 1
        return 1

    def _orphans(self, lost: int) -> list[int]:
        """Parts of the tree that name the lost object ``lost`` as their parent."""
        if self.parts is None:
            self.parts = tree_parts(self.data)
        orphans = [number for number, parent in sorted(self.parts.items()) if parent == lost]
        orphans = [number for number in orphans if number not in self.reached]
        before = self.pages
        self.found += sum(self._kid(number, (lost,)) for number in orphans)
        self.pages = before
        return orphans

    def _left(self) -> int:
        """How many pages of the file the tree does not lead to."""
        beside = (self._object(number) for number in tree_parts(self.data).keys() - self.reached)
        return sum(node is not None and "Kids" not in node for node in beside)

    def _adopt_all(self, root: int, node: dict[str, Any]) -> None:
        """A root that is lost gets all pages that the file holds, in the order of their numbers."""
        numbers = sorted(tree_parts(self.data).keys() - {root})
        kids = [number for number in numbers if "Kids" not in (self._object(number) or {"Kids": ()})]
        self.reached.update(kids)
        self.pages = self.found = len(kids)
        self._change(
            root, {"Type": PSLiteral("Pages"), **node}, [PDFObjRef(self.document, n) for n in kids], len(kids)
        )

    def _change(self, number: int, node: dict[str, Any], kids: list[PDFObjRef], count: int) -> None:
        self.changed[number] = _written({**node, "Kids": kids, "Count": count})

    def _next_number(self) -> int:
        known = (max(xref.get_objids(), default=0) for xref in self.document.xrefs)
        return max((*known, *self.changed)) + 1

    def _updated(self) -> bytes:
        """The file with the changed objects behind it, as a program that saves changes adds them."""
        trailer = next((t for x in self.document.xrefs if "Root" in (t := x.get_trailer())), None)
        if trailer is None:
            raise ValueError("no trailer names a catalog")
        out = bytearray(self.data + b"\n")
        entries = bytearray(b"xref\n")
        header = max(self.data[:1024].find(b"%PDF-"), 0)
        for number, body in sorted(self.changed.items()):
            entries += b"%d 1\n%010d 00000 n \n" % (number, len(out) - header)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out) - header
        kept: dict[str, Any] = {name: trailer[name] for name in ("Root", "Encrypt", "ID") if name in trailer}
        if (before := last_table(self.data)) is not None:
            kept["Prev"] = before
        kept["Size"] = self._next_number()
        return bytes(out + entries) + b"trailer\n%s\nstartxref\n%d\n%%%%EOF\n" % (
            _written(kept, strings=True),
            start,
        )


def _written(value: Any, *, strings: bool = False) -> bytes:
    """A value in PDF's own writing. Entries of dictionaries that are strings are left out unless ``strings``: in an
    encrypted file they would have to be encrypted again, and nothing in a page tree needs them."""
    if isinstance(value, PDFObjRef):
        return b"%d 0 R" % value.objid
    if isinstance(value, PSLiteral):
        name = value.name.encode() if isinstance(value.name, str) else value.name
        return b"/" + _NAME_ESCAPED.sub(lambda match: b"#%02x" % match[0][0], name)
    if isinstance(value, dict):
        kept = {k: v for k, v in value.items() if strings or not isinstance(v, bytes)}
        entries = (
            _written(PSLiteral(name)) + b" " + _written(v, strings=strings) for name, v in kept.items()
        )
        return b"<< %s >>" % b" ".join(entries)
    if isinstance(value, list):
        return b"[%s]" % b" ".join(_written(v, strings=strings) for v in value)
    if isinstance(value, bytes):
        return b"<%s>" % value.hex().encode()
    if isinstance(value, bool):
        return b"true" if value else b"false"
    return b"null" if value is None else str(value).encode()
