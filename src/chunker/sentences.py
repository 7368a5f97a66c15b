"""Where sentences begin and end, without a model: terminators, less the points that end no sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A terminator with its closing quotes and brackets; full-width ones need no space behind them.
_END = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$)"
    r"|[。！？｡]+[」』”’）)]*"
    r"|[؟۔]+[\"'”»)]*(?=\s|$)"
    r"|।(?=\s|$)"
)
_MARK = re.compile(
    "[.!?…。！？｡؟۔।]"
)  # one of these begins each of them: looking for it alone is much faster
_WORD_BEFORE = re.compile(r"(?:[^\W\d_]+\.)*[^\W\d_]+$")
_NUMBER_BEFORE = re.compile(r"(?<![\w.,])\d{1,3}(?:\.\d{1,3})*$")
_NEXT = re.compile(r"\s*[\"'“‘„«(\[]*(\S?)(\S*)")
_BULLET = re.compile(r"[\s•▪◦‣·*–—-]*(?:\(?[ivxlc]{1,5}\)?|\(?[a-zA-Z]\)?|\(?\d{1,3}(?:\.\d{1,3})*\)?)$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Never the end of a sentence, whatever follows.
_TITLES = _words(
    "mr mrs ms dr prof rev gen sen rep gov capt col lt sgt hon st vs e.g i.e cf viz al approx resp ed eds trans "
    "z.b d.h u.a i.d.r bzw vgl ca inkl evtl ggf sog str hr fr frau nr abs bd "
    "mme mlle mm env p.ex ex éd vol dept est"
)
# The end of a sentence only when the next word is one that opens sentences.
_OPEN_ENDED = _words(
    "inc corp co ltd llc plc jr sr etc u.s u.k u.s.a u.n e.u d.c a.m p.m ph.d b.a m.a m.d usw bros cie sa n.v s.a"
)
# Abbreviations only in front of a number: "The answer is no. We ..." ends there, "No. 5" does not.
_BEFORE_NUMBER = _words(
    "no nos fig figs eq eqs sec secs ch chap tab tbl p pp vol vols art arts para paras par app ref refs ex exh "
    "abb kap seite s nr n° ziff rn rz jan feb mar apr jun jul aug sep sept oct nov dec item note"
)
_OPENERS = _words(
    "the this that these those it its in on at as if when while we our they their he she his her i a an for from "
    "by to with however although because since there here such some many most all both each no not but and or "
    "after before during under upon according additionally moreover furthermore therefore thus "
    "der die das ein eine es wir sie er ihr im am bei mit nach für le la les un une il elle nous ils dans en "
    "ce cette ces"
)
_MONTHS_DE = _words(
    "januar februar märz april mai juni juli august september oktober november dezember quartal jahrhundert "
    "halbjahr auflage"
)


def sentence_spans(text: str, language: str = "") -> list[tuple[int, int]]:
    """Spans [start, end) of the sentences of ``text``, in order, without the white space between them."""
    spans: list[tuple[int, int]] = []
    start = _skip_space(text, 0)
    for match in _terminators(text):
        end = match.end()
        if end <= start or not _ends_sentence(text, start, match.start(), end, language):
            continue
        spans.append((start, end))
        start = _skip_space(text, end)
    tail = len(text.rstrip())
    if tail > start:
        spans.append((start, tail))
    return spans


def _terminators(text: str) -> Iterator[re.Match[str]]:
    mark = _MARK.search(text)
    while mark:
        match = _END.match(text, mark.start())
        if match:
            yield match
        mark = _MARK.search(text, match.end() if match else mark.end())


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _ends_sentence(text: str, start: int, point: int, end: int, language: str) -> bool:
    """Whether the terminator at [point, end) closes the sentence that began at ``start``."""
    mark = text[point]
    if mark in "。！？｡؟۔।":
        return True
    following = _NEXT.match(text, end)
    first, rest = (following.group(1), following.group(2)) if following else ("", "")
    if not first:
        return True
    if first.islower():  # "?" and "!" inside a quotation, abbreviations nobody listed
        return False
    if mark != "." or text[point:end].startswith(".."):
        return True
    return not _is_abbreviation(text, start, point, first + rest, language)


def _is_abbreviation(text: str, start: int, point: int, following: str, language: str) -> bool:
    before = text[max(start, point - 40) : point]
    if _BULLET.fullmatch(before) and point - start < 12:
        return True  # "1. Introduction", "a. First", "(iv). Text" at the head of a list item
    next_word = re.split(r"\W", following, maxsplit=1)[0].lower()
    if number := _NUMBER_BEFORE.search(before):
        return language == "de" and len(number.group()) <= 2 and next_word in _MONTHS_DE
    word = _WORD_BEFORE.search(before)
    if not word:
        return False
    name = word.group().lower()
    if name in _BEFORE_NUMBER and following[0].isdigit():
        return True
    if name in _TITLES:
        return True
    if name in _OPEN_ENDED or (
        len(name) > 2 and "." in name and len(name.replace(".", "")) * 2 - 1 == len(name)
    ):
        return next_word not in _OPENERS
    # An initial: "J. Smith", but "vitamin C. The".
    return len(name) == 1 and word.group().isupper() and next_word not in _OPENERS
