"""Sentences of a passage: where they begin and end."""

from __future__ import annotations

import re
from functools import lru_cache

# A full stop after one of these does not end a sentence.
ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "jr",
        "sr",
        "vs",
        "etc",
        "no",
        "nos",
        "fig",
        "figs",
        "eq",
        "eqs",
        "sec",
        "ch",
        "vol",
        "pp",
        "p",
        "ed",
        "eds",
        "cf",
        "al",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "est",
        "approx",
        "ca",
        "resp",
        "ref",
        "refs",
        "tab",
        "app",
        "art",
        "i.e",
        "e.g",
        "u.s",
        "u.k",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "rev",
        "max",
        "min",
        "temp",
        "gen",
        "gov",
        "sen",
        "rep",
    ]
)
END = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$)|[。！？]+")
OPENERS = re.compile(r"\s+[\"'“‘(\[]*[^\Wa-z_]")


@lru_cache(maxsize=1024)
def sentence_bounds(text: str) -> tuple[tuple[int, int], ...]:
    """[start, end) of each sentence of ``text``, white space trimmed; a blank line always ends one."""
    bounds: list[tuple[int, int]] = []
    position = 0
    for paragraph in re.finditer(r"(?:(?!\n\s*\n).)+", text, re.DOTALL):
        position = paragraph.start()
        for match in END.finditer(text, paragraph.start(), paragraph.end()):
            if _ends(text, position, match, paragraph.end()):
                bounds.append((position, match.end()))
                position = match.end()
        bounds.append((position, paragraph.end()))
    trimmed = []
    for start, end in bounds:
        piece = text[start:end]
        left = len(piece) - len(piece.lstrip())
        if piece.strip():
            trimmed.append((start + left, start + len(piece.rstrip())))
    return tuple(trimmed)


def _ends(text: str, start: int, match: re.Match[str], stop: int) -> bool:
    if match.group()[0] != ".":
        return True
    before = text[start : match.start()]
    word = re.search(r"[\w.]+$", before)
    token = word.group().lower() if word else ""
    if token in ABBREVIATIONS or (len(token) == 1 and token.isalpha() and not token.isdigit()):
        return False
    if re.fullmatch(r"\d{1,3}|[ivxlc]{1,5}", token) and not before[: -len(token)].strip():
        return False  # "1. Pontoons": a list number, not a sentence
    return (
        match.end() >= stop
        or OPENERS.match(text, match.end()) is not None
        or "\n" in text[match.end() : match.end() + 2]
    )
