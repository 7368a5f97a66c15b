"""PDFs made for the loader's tests."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Sequence

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas


def drawn(*pages: Callable[[Canvas], None], size: tuple[float, float] = A4) -> bytes:
    """A PDF whose pages are drawn by the given functions."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=size, invariant=1)
    for draw in pages:
        canvas.setFont("Helvetica", 10)
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def written(*pages: Sequence[str], leading: float = 13) -> bytes:
    """A PDF with one line of text a string, from the top of the page down."""

    def drawer(lines: Sequence[str]) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for place, line in enumerate(lines):
                canvas.drawString(60, 780 - leading * place, line)

        return draw

    return drawn(*[drawer(lines) for lines in pages])


def raw_pdf(objects: Sequence[bytes], *, root: int = 1, trailer: bytes = b"") -> bytes:
    """A PDF of ``objects`` (numbered from 1) with a right cross-reference table."""
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for offset in offsets:
        out += b"%010d 00000 n \n" % offset
    out += b"trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        root,
        trailer,
        start,
    )
    return bytes(out)


def stream_object(content: bytes, extra: bytes = b"") -> bytes:
    """A stream object's body."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), extra, content)


def content_pdf(
    *contents: bytes, resources: bytes = b"", box: str = "0 0 595 842", page: bytes = b""
) -> bytes:
    """A PDF with a page for each content stream; fonts /F1 Helvetica and /F2 Helvetica-Bold are there."""
    count = len(contents)
    kids = b" ".join(b"%d 0 R" % (5 + 2 * n) for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for n, content in enumerate(contents):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [%s] /Contents %d 0 R %s"
            b" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> %s >> >>"
            % (box.encode(), 6 + 2 * n, page, resources)
        )
        objects.append(stream_object(content))
    return raw_pdf(objects)


def packed_pdf(objects: Sequence[bytes], *, trailer: bytes = b"") -> bytes:
    """A PDF of ``objects`` (numbered from 1, the catalog first) of which those that are no streams lie in an object
    stream, with a cross-reference stream."""
    out = bytearray(b"%PDF-1.7\n")
    rows: dict[int, tuple[int, int, int]] = {0: (0, 0, 65535)}
    holder, table = len(objects) + 1, len(objects) + 2
    head, bodies, place = b"", b"", 0
    for number, body in enumerate(objects, 1):
        if b"stream" in body:
            rows[number] = (1, len(out), 0)
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        else:
            rows[number] = (2, holder, place)
            place += 1
            head += b"%d %d " % (number, len(bodies))
            bodies += body + b"\n"
    rows[holder] = (1, len(out), 0)
    extra = b"/Type /ObjStm /N %d /First %d /Filter /FlateDecode" % (place, len(head))
    out += b"%d 0 obj\n%s\nendobj\n" % (holder, stream_object(zlib.compress(head + bodies), extra))
    start = rows[table] = (1, len(out), 0)
    content = b"".join(struct.pack(">BIH", *rows[number]) for number in range(table + 1))
    extra = b"/Type /XRef /Size %d /W [1 4 2] /Root 1 0 R %s" % (table + 1, trailer)
    out += b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (
        table,
        stream_object(content, extra),
        start[1],
    )
    return bytes(out)
