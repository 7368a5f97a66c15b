"""The text of a PDF by poppler, which the product does not read with, so that gold data cannot flatter it; where poppler
is missing by pdfplumber, which the product asks only where PDFium fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pdfplumber

# Each layout loses something else: -layout cuts columns, reading order cuts table rows, -raw follows the file.
POPPLER_LAYOUTS: tuple[tuple[str, ...], ...] = ((), ("-layout",), ("-raw",))

_DASHES = re.compile(r"[‐‑‒–—―−﹣-]")
_DROPPED = re.compile(r"[\s^\u00ad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_HYPHENATED = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*\n\s*(?=\w)")


def squeeze(text: str) -> str:
    """``text`` as evidence is compared: NFKC, dashes folded, no carets, white space or direction marks."""
    return _DROPPED.sub("", _DASHES.sub("-", unicodedata.normalize("NFKC", text)))


def find_pdf(doc: str, folders: Iterable[Path]) -> Path:
    """The PDF whose file stem is ``doc`` in or below ``folders``; FileNotFoundError when there is none."""
    listed = list(folders)
    for folder in listed:
        hits = sorted(folder.rglob(f"{doc}.pdf"), key=lambda path: (len(path.parts), path))
        if hits:
            return hits[0]
    raise FileNotFoundError(f"no {doc}.pdf in or below {', '.join(map(str, listed))}")


def page_views(pdf: Path) -> tuple[tuple[str, ...], ...]:
    """For each page its text in several layouts, by poppler's pdftotext, or by pdfplumber where that is missing."""
    if shutil.which("pdftotext") is None:
        with pdfplumber.open(pdf) as opened:
            return tuple((page.extract_text() or "",) for page in opened.pages)
    views = [_poppler_pages(pdf, layout) for layout in POPPLER_LAYOUTS]
    return tuple(zip(*views, strict=True))


def _poppler_pages(pdf: Path, layout: tuple[str, ...]) -> list[str]:
    run = subprocess.run(
        ["pdftotext", *layout, "-enc", "UTF-8", str(pdf), "-"], capture_output=True, check=True, timeout=300
    )
    return run.stdout.decode("utf-8", errors="replace").removesuffix("\f").split("\f")


class IndependentDocument:
    """A PDF as pdftotext reads it, page by page; pages are 1-based."""

    def __init__(self, pdf: Path) -> None:
        self.views = page_views(pdf)
        self._squeezed = tuple(tuple(_squeezed_forms(views)) for views in self.views)
        self._folded = tuple(squeeze("".join(views)).casefold() for views in self.views)

    def __len__(self) -> int:
        return len(self.views)

    def pages_with(self, evidence: str) -> tuple[int, ...]:
        """Pages on which ``evidence`` stands, compared as ``squeeze`` does."""
        wanted = squeeze(evidence)
        return tuple(n for n, forms in enumerate(self._squeezed, 1) if any(wanted in form for form in forms))

    def pages_with_all(self, words: Iterable[str]) -> tuple[int, ...]:
        """Pages that hold every one of ``words``, whatever the case."""
        wanted = [squeeze(word).casefold() for word in words]
        return tuple(n for n, text in enumerate(self._folded, 1) if all(word in text for word in wanted))

    def sentence_around(self, page: int, evidence: str, reach: int = 250) -> str:
        """The sentence on ``page`` in which ``evidence`` stands, at most ``reach`` characters either way."""
        wanted = squeeze(evidence)
        for view in self.views[page - 1]:
            text = _HYPHENATED.sub("", view)
            places = [i for i, char in enumerate(text) for _ in squeeze(char)]
            start = squeeze_pieces(text).find(wanted)
            if start >= 0:
                first, last = places[start], places[start + len(wanted) - 1]
                before = re.split(r"[.!?]\s", text[max(0, first - reach) : first])[-1]
                after = re.split(r"[.!?]\s", text[last + 1 : last + 1 + reach])[0]
                return before + text[first : last + 1] + after
        return evidence


def squeeze_pieces(text: str) -> str:
    """``squeeze`` character by character, so that places in the result can be led back to ``text``."""
    return "".join(squeeze(char) for char in text)


def _squeezed_forms(views: tuple[str, ...]) -> Iterable[str]:
    for view in views:
        yield squeeze(view)
        yield squeeze(_HYPHENATED.sub("", view))
