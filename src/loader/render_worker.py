"""The process that draws pages: ``python -m src.loader.render_worker MEMORY_MB``.

It reads requests from standard input and answers on standard output. It holds the last few documents open, so that
the next citation of the same document costs only the drawing, and ends when its input ends.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections import OrderedDict

import pypdfium2 as pdfium
from PIL import Image

from src.loader.pdf.opening import open_document
from src.loader.pdf.raster import RasterError, draw_page, fit_scale, mark
from src.loader.pipe import Head, read_message, write_message
from src.records import LoadError, Outcome

HELD_DOCUMENTS = 4
HELD_BYTES = 256 * 2**20
QUALITY = 82


class OpenDocuments:
    """The last few documents by key, the oldest closed first."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[pdfium.PdfDocument, bytes]] = OrderedDict()

    def open(self, key: str, data: bytes, password: str | None) -> None:
        """Open ``data`` under ``key``, repaired as it was when it was read; raises LoadError when it cannot be opened."""
        self._drop(key)
        opened = open_document(data, password)
        document = pdfium.PdfDocument(opened.document)
        with contextlib.suppress(pdfium.PdfiumError):  # a broken form does not keep the page from being drawn
            document.init_forms()
        self._held[key] = (document, opened.data)  # which pdfium reads from
        while len(self._held) > 1 and (
            len(self._held) > HELD_DOCUMENTS or sum(len(held) for _, held in self._held.values()) > HELD_BYTES
        ):
            self._drop(next(iter(self._held)))

    def get(self, key: str) -> pdfium.PdfDocument | None:
        """The open document, which becomes the youngest; None when it is not held."""
        if key not in self._held:
            return None
        self._held.move_to_end(key)
        return self._held[key][0]

    def _drop(self, key: str) -> None:
        if key in self._held:
            self._held.pop(key)[0].close()


def answer(head: Head, body: bytes, documents: OpenDocuments) -> tuple[Head, bytes]:
    """Serve one request: {"op": "open", key, password} with the file, or {"op": "draw", key, page, dpi, ...}."""
    try:
        if head["op"] == "open":
            documents.open(head["key"], body, head.get("password"))
            return {"status": "open"}, b""
        document = documents.get(head["key"])
        if document is None:
            return {"status": "missing"}, b""
        return _draw(head, document)
    except LoadError as error:
        wrong_password = error.outcome is Outcome.NEEDS_PASSWORD
        return {"status": "password" if wrong_password else "failed", "message": error.message}, b""
    except (pdfium.PdfiumError, RasterError) as error:
        return {"status": "failed", "message": str(error)}, b""
    except MemoryError:
        return {"status": "failed", "message": "The page needs more memory than a page may use."}, b""


def _draw(head: Head, document: pdfium.PdfDocument) -> tuple[Head, bytes]:
    number, count = int(head["page"]), len(document)
    if not 1 <= number <= count:
        return {"status": "failed", "message": f"There is no page {number}: the document has {count}."}, b""
    page = document[number - 1]
    try:
        scale = fit_scale(page.get_width(), page.get_height(), head["dpi"], head["max_pixels"])
        pixels = draw_page(page, scale)
    finally:
        page.close()
    mark(pixels, [tuple(rect) for rect in head["rects"]], scale)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=QUALITY)
    return {"status": "drawn", "width": pixels.shape[1], "height": pixels.shape[0]}, out.getvalue()


def limit_memory(megabytes: int) -> None:
    """Cap this process's address space where the system can (not on Windows; macOS ignores it)."""
    try:
        import resource
    except ImportError:
        return
    size = megabytes * 2**20
    try:
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ValueError, OSError):
        return


def main() -> None:
    """Serve until standard input ends."""
    limit_memory(int(sys.argv[1]))
    # pdfium and image decoders print to descriptor 1 now and then, which would break the message stream
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    documents = OpenDocuments()
    while (message := read_message(sys.stdin.buffer)) is not None:
        write_message(channel, *answer(*message, documents))


if __name__ == "__main__":
    main()
