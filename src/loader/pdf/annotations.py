"""What stands on a page beside its content: form fields with their values, notes, free text, links."""

from __future__ import annotations

import ctypes
import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw

from src.loader.layout import FormLine, PageLayout, ReadWord, Remark, Style, Word, with_words
from src.loader.pdf.attachments import is_xfa
from src.loader.pdf.hidden import blank_places
from src.loader.pdf.pdfium import PageSource, PdfSource, shown_boxes
from src.loader.pdf.xfa import xfa_lines
from src.loader.repair import clean

_MAX_ANNOTATIONS = 3000
_MAX_TEXT = 20_000
_HIDDEN_FLAGS = 0x2 | 0x20  # hidden, no view
_REMARKS = (raw.FPDF_ANNOT_TEXT, raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_STAMP, raw.FPDF_ANNOT_CARET)
_MARKINGS = (raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE, raw.FPDF_ANNOT_SQUIGGLY)
_COVERS = (
    raw.FPDF_ANNOT_SQUARE, raw.FPDF_ANNOT_CIRCLE, raw.FPDF_ANNOT_POLYGON, raw.FPDF_ANNOT_INK, raw.FPDF_ANNOT_STAMP,
    raw.FPDF_ANNOT_FREETEXT, raw.FPDF_ANNOT_REDACT,
)  # fmt: skip
_TEXT_FIELDS = (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
_MAX_LINKS = 40
_MAX_OPTIONS = 60
_PARAGRAPH = re.compile(r"</p\s*>|<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_FAR = 160.0  # points: a label does not stand further from its field

BoxEdges = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Field:
    """A form field on a page: PDFium's field type, name, value, whether ticked, box on the page as shown."""

    kind: int
    name: str
    title: str
    value: str
    export: str
    ticked: bool
    box: BoxEdges


def with_annotations(layout: PageLayout, source: PdfSource, page: PageSource) -> PageLayout:
    """The layout with the page's form fields, remarks and links; words under a strike-out mark are struck."""
    fields: list[Field] = []
    remarks: list[Remark] = []
    links: list[tuple[str, BoxEdges]] = []
    struck: list[BoxEdges] = []
    covers: list[BoxEdges] = []
    for annotation, kind, box in _annotations(page):
        if kind in _COVERS:
            covers.append(box)
        if kind == raw.FPDF_ANNOT_WIDGET:
            if source.form and (found := _field(source.form, annotation, box)) is not None:
                fields.append(found)
        elif kind == raw.FPDF_ANNOT_STRIKEOUT:
            struck += _quads(page, annotation) or [box]
        elif kind == raw.FPDF_ANNOT_LINK:
            if len(links) < _MAX_LINKS and (url := _url(source, annotation)):
                links.append((url, box))
        elif kind in _REMARKS or kind in _MARKINGS:
            text = clean(_string(annotation, b"Contents") or _plain(_string(annotation, b"RC")))
            if text.strip():
                remarks.append(Remark(text.strip(), *box))
    if page.number == 1 and is_xfa(source):
        remarks += [Remark(line, 0.0, 0.0, 0.0, 0.0) for line in xfa_lines(source)]
    if struck:
        layout = replace(
            layout, styles=np.where(_within(layout, struck), layout.styles | Style.STRUCK, layout.styles)
        )
    if covers:
        layout = _covered(layout, page, covers)
    if not fields and not remarks and not links:
        return layout
    words = layout.words()
    remarks += _link_remarks(links, words)
    return _with_fields(replace(layout, remarks=tuple(remarks)), fields, words)


def _annotations(page: PageSource) -> Iterator[tuple[Any, int, BoxEdges]]:
    """Visible annotations with their kind and box; each is given back to PDFium after its turn."""
    for index in range(min(raw.FPDFPage_GetAnnotCount(page.page), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.page, index)
        if not annotation:
            continue
        try:
            if raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN_FLAGS:
                continue
            rectangle = raw.FS_RECTF()
            if raw.FPDFAnnot_GetRect(annotation, rectangle):
                edges = np.array([[rectangle.left, rectangle.bottom, rectangle.right, rectangle.top]])
                x0, y0, x1, y1 = shown_boxes(page.matrix, edges)[0].tolist()
                yield annotation, int(raw.FPDFAnnot_GetSubtype(annotation)), (x0, y0, x1, y1)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _field(form: Any, annotation: Any, box: BoxEdges) -> Field | None:
    kind = int(raw.FPDFAnnot_GetFormFieldType(form, annotation))
    if kind not in (*_TEXT_FIELDS, raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON):
        return None
    return Field(
        kind,
        _utf16(partial(raw.FPDFAnnot_GetFormFieldName, form, annotation)),
        _utf16(partial(raw.FPDFAnnot_GetFormFieldAlternateName, form, annotation)),
        _options(form, annotation)
        if kind == raw.FPDF_FORMFIELD_LISTBOX
        else clean(_utf16(partial(raw.FPDFAnnot_GetFormFieldValue, form, annotation))),
        _utf16(partial(raw.FPDFAnnot_GetFormFieldExportValue, form, annotation)),
        bool(raw.FPDFAnnot_IsChecked(form, annotation)),
        box,
    )


def _options(form: Any, annotation: Any) -> str:
    """What a list shows: the chosen lines, and in brackets all of them."""
    count = min(int(raw.FPDFAnnot_GetOptionCount(form, annotation)), _MAX_OPTIONS)
    labels = [
        clean(_utf16(partial(raw.FPDFAnnot_GetOptionLabel, form, annotation, index)))
        for index in range(count)
    ]
    chosen = [
        label for index, label in enumerate(labels) if raw.FPDFAnnot_IsOptionSelected(form, annotation, index)
    ]
    return f"{', '.join(chosen) or '(none chosen)'} (of {', '.join(labels)})" if labels else ""


def _with_fields(layout: PageLayout, fields: Sequence[Field], words: Sequence[Word]) -> PageLayout:
    lines: list[FormLine] = []
    added: list[ReadWord] = []
    radios: dict[str, list[Field]] = {}
    for field in fields:
        if field.kind == raw.FPDF_FORMFIELD_RADIOBUTTON:
            radios.setdefault(field.name, []).append(field)
            if len(radios[field.name]) > 1:
                continue
            lines.append(FormLine(field.name, 0))  # filled below, when all of its buttons are known
            continue
        label, value = _label(field, words), _value(field)
        if label or field.value:
            made = _value_words(value, field.box)
            lines.append(FormLine(label, len(made)))
            added += made
    ordered: list[FormLine] = []
    at = 0
    final: list[ReadWord] = []
    for line in lines:
        if line.words or line.label not in radios:
            ordered.append(line)
            final += added[at : at + line.words]
            at += line.words
        else:
            label, made = _radio_group(radios[line.label], words)
            ordered.append(FormLine(label, len(made)))
            final += made
    return replace(with_words(layout, final), form=tuple(ordered))


def _value(field: Field) -> str:
    if field.kind == raw.FPDF_FORMFIELD_CHECKBOX:
        return "yes (ticked)" if field.ticked else "no (not ticked)"
    return field.value[:_MAX_TEXT] if field.value.strip() else "(empty)"


def _radio_group(group: Sequence[Field], words: Sequence[Word]) -> tuple[str, list[ReadWord]]:
    """Label of a group of buttons and the words for the one that is chosen."""
    first = min(group, key=lambda f: (round(f.box[1] / 8), f.box[0]))
    names = {id(field): _button_name(field, words) for field in group}
    taken = set(names.values())
    label = first.title or _text_left(first.box, words, skip=taken) or first.name
    chosen = next((field for field in group if field.ticked), None)
    if chosen is None:
        return label, _value_words("(none chosen)", first.box)
    return label, _value_words(names[id(chosen)] or chosen.export or chosen.value, chosen.box)


def _button_name(field: Field, words: Sequence[Word]) -> str:
    """The word or words right beside a radio button, on the side where they stand nearer."""
    x0, y0, x1, y1 = field.box
    level = [w for w in words if w.y0 < (y0 + y1) / 2 < w.y1]
    right = min((w for w in level if w.x0 >= x1 - 1), key=lambda w: w.x0, default=None)
    left = max((w for w in level if w.x1 <= x0 + 1), key=lambda w: w.x1, default=None)
    to_right = right.x0 - x1 if right else _FAR
    to_left = x0 - left.x1 if left else _FAR
    if min(to_right, to_left) > 40:
        return field.export
    if right is not None and to_right < to_left:
        return _phrase_right(right, level)
    return left.text if left is not None else field.export


def _phrase_right(first: Word, level: Sequence[Word]) -> str:
    phrase = [first]
    for word in sorted((w for w in level if w.x0 > first.x0), key=lambda w: w.x0):
        if word.x0 - phrase[-1].x1 > 0.6 * first.size:
            break
        phrase.append(word)
    return " ".join(w.text for w in phrase)


def _label(field: Field, words: Sequence[Word]) -> str:
    """What a field is called: its title, the text left of it, right of a tick box, above it, or its name."""
    if field.title.strip():
        return clean(field.title.strip())
    left = _text_left(field.box, words)
    if left:
        return left
    x0, y0, x1, y1 = field.box
    if field.kind == raw.FPDF_FORMFIELD_CHECKBOX:
        level = [w for w in words if w.y0 < (y0 + y1) / 2 < w.y1 and x1 - 1 <= w.x0 < x1 + 40]
        if level:
            first = min(level, key=lambda w: w.x0)
            return _phrase_right(first, [w for w in words if w.y0 < (y0 + y1) / 2 < w.y1])
    above = [w for w in words if y0 - 16 < w.y1 <= y0 + 3 and w.x0 >= x0 - 6 and w.x0 < x1]
    if above:
        return " ".join(w.text for w in sorted(above, key=lambda w: w.x0)).rstrip(":")
    return field.name.rpartition(".")[2]


def _text_left(box: BoxEdges, words: Sequence[Word], skip: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """The phrase that ends left of a field on its line."""
    x0, y0, _, y1 = box
    level = sorted(
        (w for w in words if w.y0 < (y0 + y1) / 2 < w.y1 and w.x1 <= x0 + 3 and w.text not in skip),
        key=lambda w: -w.x1,
    )
    phrase: list[Word] = []
    for word in level:
        edge = phrase[-1].x0 if phrase else x0
        if edge - word.x1 > (_FAR if not phrase else 1.6 * word.size):
            break
        phrase.append(word)
    return " ".join(w.text for w in reversed(phrase)).rstrip(":")


def _value_words(value: str, box: BoxEdges) -> list[ReadWord]:
    """Words of a value laid out over its field; which character stands where inside it is not known."""
    x0, y0, x1, y1 = box
    parts = value.split()
    if not parts:
        return []
    total = sum(len(part) for part in parts) + len(parts) - 1
    width = min(x1 - x0, max(total * 0.55 * min(y1 - y0, 12.0), 4.0))
    made, at = [], 0
    for part in parts:
        left, right = x0 + width * at / total, x0 + width * (at + len(part)) / total
        made.append(ReadWord(part, left, y0, right, y1, min(y1 - y0, 10.0), Style.FIELD))
        at += len(part) + 1
    return made


def _link_remarks(links: Sequence[tuple[str, BoxEdges]], words: Sequence[Word]) -> list[Remark]:
    """Where links lead, with the words they stand on, when these do not say it themselves."""
    found: dict[str, Remark] = {}
    for url, box in links:
        x0, y0, x1, y1 = box
        on = [w for w in words if x0 - 1 < (w.x0 + w.x1) / 2 < x1 + 1 and y0 - 1 < (w.y0 + w.y1) / 2 < y1 + 1]
        text = " ".join(w.text for w in on)
        bare = url.split("://")[-1].rstrip("/").lower()
        if text and bare[:30] not in text.replace(" ", "").lower():
            found.setdefault(url, Remark(f"{text}: {url}", *box))
    return list(found.values())


def _url(source: PdfSource, annotation: Any) -> str:
    link = raw.FPDFAnnot_GetLink(annotation)
    action = raw.FPDFLink_GetAction(link) if link else None
    if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
        return ""
    size = min(int(raw.FPDFAction_GetURIPath(source.document, action, None, 0)), 2048)
    if size < 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAction_GetURIPath(source.document, action, buffer, size)
    url = buffer.value.decode("utf-8", "ignore").strip()
    return url if url.lower().startswith(("http://", "https://", "mailto:")) else ""


def _quads(page: PageSource, annotation: Any) -> list[BoxEdges]:
    count = int(raw.FPDFAnnot_CountAttachmentPoints(annotation))
    boxes: list[BoxEdges] = []
    for index in range(min(count, 200)):
        quad = raw.FS_QUADPOINTSF()
        if raw.FPDFAnnot_GetAttachmentPoints(annotation, index, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            edges = np.array([[min(xs), min(ys), max(xs), max(ys)]])
            x0, y0, x1, y1 = shown_boxes(page.matrix, edges)[0].tolist()
            boxes.append((x0, y0, x1, y1))
    return boxes


def _within(layout: PageLayout, boxes: Sequence[BoxEdges]) -> npt.NDArray[np.bool_]:
    """Words whose middle lies in one of ``boxes``."""
    x = (layout.places[:, 0] + layout.places[:, 2]) / 2
    y = (layout.places[:, 1] + layout.places[:, 3]) / 2
    inside = np.zeros(len(layout.places), np.bool_)
    for x0, y0, x1, y1 in boxes:
        inside |= (x > x0) & (x < x1) & (y > y0) & (y < y1)
    return inside


def _covered(layout: PageLayout, page: PageSource, boxes: Sequence[BoxEdges]) -> PageLayout:
    """The layout with the words hidden of which an annotation leaves nothing to be seen: a black square over a name."""
    suspects = _within(layout, boxes)
    if not suspects.any():
        return layout
    unseen = suspects & blank_places(page, layout.places[:, :4], suspects, annotated=True)
    return replace(layout, styles=np.where(unseen, layout.styles | Style.HIDDEN, layout.styles))


def _plain(rich: str) -> str:
    """Text of a note that is kept as XHTML alone, its paragraphs apart by line breaks."""
    return html.unescape(_TAG.sub("", _PARAGRAPH.sub("\n", rich))).strip()


def _string(annotation: Any, key: bytes) -> str:
    return _utf16(partial(raw.FPDFAnnot_GetStringValue, annotation, key))


def _utf16(read: Callable[[Any, int], int]) -> str:
    size = min(int(read(None, 0)), 2 * _MAX_TEXT)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    read(buffer, size)
    text = bytes(buffer)[:size].decode("utf-16-le", "ignore").split("\0")[0]
    return text.replace("\r\n", "\n").replace("\r", "\n")  # the lines of a field end in carriage returns
