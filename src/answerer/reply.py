"""A model's reply, however it is written, to claims with citations.

Asked for is ``sentence [2: "exact words"].``; models also write ``[2]``, ``[2, 3]``, ``[p. 4]``, ``【2†source】``,
quotes without marks, bullets, code fences, ``<think>`` blocks, and reasoning before a line "Answer:".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from src.answerer.prompts import WIDE
from src.answerer.sentences import sentence_bounds
from src.answerer.terms import is_function_word
from src.citations.lookup import find_quote
from src.records import NOT_FOUND, Claim, Passage

THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
CHANNEL = re.compile(r"\A.*<\|channel\|>final<\|message\|>", re.DOTALL)
TEMPLATE_MARK = re.compile(r"<\|[^|<>]{1,40}\|>")
FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.MULTILINE)
ANSWER_LABEL = re.compile(r"^[#*\s]*(?:final answer|answer)[*\s]*:[*\s]*", re.IGNORECASE | re.MULTILINE)
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^\]\n]{1,200})\]\(\s*<?(?:[a-z][a-z0-9+.-]*:|//|www\.|/|#)[^)]*\)", re.IGNORECASE)
HTML_TAG = re.compile(r"</?[a-z][^<>\n]{0,200}>", re.IGNORECASE)
LINE_MARK = re.compile(r"^\s*(?:[-*•–]\s+|#{1,6}\s+|>\s+|\d{1,2}[.)]\s+(?=\D))")
EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")

_QUOTED = (
    r"\"(?:[^\"\\\n]|\\.){0,800}\"|“[^”\n]{0,800}”|„[^“”\n]{0,800}[“”]|«[^»\n]{0,800}»|'[^'\n\]]{0,800}'"
)
_SOURCE = r"(?:(?:passages?|sources?|no\.|nr\.)\s?)?\#?\d{1,3}(?!\d)|(?:pp?\.|pages?|S\.|Seite)\s?\d{1,4}"
# Atomic groups: a reply of unclosed brackets and dashes once took minutes of going back and forth.
MARKER = re.compile(
    rf"\s?(?:\^?[\[【]\s?(?:{_SOURCE})(?=\s?[-–,;†:|\]】])(?>(?:{_QUOTED}|[^\[\]【】\n]){{0,1500}})[\]】]"
    rf"|\((?:pp?\.|pages?|passages?|sources?)\s?\d{{1,4}}\))",
    re.IGNORECASE,
)
ITEM = re.compile(
    rf"(?P<page>pp?\.|pages?|S\.|Seite)?\s*(?:(?:passages?|sources?|no\.|nr\.)\s*)?\#?"
    rf"(?P<number>\d{{1,4}})(?:\s*[-–]\s*(?P<last>\d{{1,4}}))?(?:\s*:\s*(?P<words>{_QUOTED}|[^;\]】]+))?",
    re.IGNORECASE,
)
QUOTE_MARKS = "\"'“”„«»‘’ "
ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Nr|Fig|Figs|Eq|Sec|Art|Vol|Inc|Ltd|Co|Corp|vs|approx|ca|cf|al|etc|e\.g|i\.e"
    r"|U\.S|U\.K|p|pp|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)|\b[A-Z])\.$"
)
SENTENCE_END = re.compile(r"[.!?。！？]+[\"'”’)»]*[\ue000-\uf8ff]*(?=\s|$)|[。！？]")
NEAREST = 0.4  # share of a claim's words that its sentence must hold to be pointed at
HOLDER = 0xE000  # a citation while sentences are cut: one private-use character


def readable(text: str) -> str:
    """``text`` without thoughts, template marks, code fences and what stands before "Answer:"."""
    text = CHANNEL.sub("", text)
    text = THOUGHT.sub("", text)
    text = THOUGHT_END.sub("", text)
    text = TEMPLATE_MARK.sub("", text)
    text = FENCE_LINE.sub("", text)
    labels = list(ANSWER_LABEL.finditer(text))
    return (text[labels[-1].end() :] if labels else text).strip()


def parse_reply(text: str, passages: Sequence[Passage]) -> tuple[tuple[Claim, ...], bool]:
    """Claims of a model's ``text`` and whether it is a refusal. Citations keep the numbers the model wrote."""
    text = "".join(c for c in readable(text) if not HOLDER <= ord(c) <= 0xF8FF)
    for plain, wide in WIDE.items():
        text = text.replace(wide, plain)
    text = IMAGE.sub("", text)
    found: list[str] = []

    def hold(match: re.Match[str]) -> str:
        found.append(match.group())
        return chr(HOLDER + len(found) - 1)

    held = MARKER.sub(hold, text) if len(text) < 200_000 else ""
    claims: list[Claim] = []
    refused = False
    for sentence in _sentences(held):
        marks = [found[ord(c) - HOLDER] for c in sentence if ord(c) >= HOLDER and ord(c) <= 0xF8FF]
        words = _plain("".join(c for c in sentence if not HOLDER <= ord(c) <= 0xF8FF))
        if _is_refusal(words):
            refused = refused or not claims
        elif any(c.isalnum() for c in words):
            cites = tuple(dict.fromkeys(cite for mark in marks for cite in _cites(mark, words, passages)))
            claims.append(Claim(words, cites))
        elif marks and claims:
            more = tuple(cite for mark in marks for cite in _cites(mark, claims[-1].text, passages))
            claims[-1] = Claim(claims[-1].text, tuple(dict.fromkeys(claims[-1].cites + more)))
    refused = refused and not any(claim.cites for claim in claims)
    return ((), True) if refused else (tuple(claims), not claims)


def _sentences(text: str) -> list[str]:
    """Sentences of ``text``; citation characters right after the end belong to the sentence before."""
    result: list[str] = []
    for line in text.split("\n"):
        line = LINE_MARK.sub("", line).strip()
        start = 0
        for match in SENTENCE_END.finditer(line):
            if ABBREVIATION.search(line[max(start, match.end() - 12) : match.end()]) and match.end() < len(
                line
            ):
                continue
            result.append(line[start : match.end()])
            start = match.end()
        result.append(line[start:])
    merged: list[str] = []
    for part in result:
        part = part.strip()
        if part and merged and HOLDER <= ord(part[0]) <= 0xF8FF:
            lead = len(part) - len(part.lstrip("".join(map(chr, range(HOLDER, HOLDER + 400))) + " "))
            merged[-1] += part[:lead]
            part = part[lead:].strip()
        if part:
            merged.append(part)
    return merged


def _plain(text: str) -> str:
    """A sentence without Markdown and HTML; the address of a link is dropped, its words stay."""
    text = HTML_TAG.sub("", LINK.sub(r"\1", text))
    text = EMPHASIS.sub(r"\2", EMPHASIS.sub(r"\2", text))
    text = re.sub(r"\s+([.,;!?])(?=\s|$)", r"\1", text)
    return " ".join(text.split()).strip("|").strip()


def _is_refusal(text: str) -> bool:
    return text.strip(" .*\"'").casefold() == NOT_FOUND.strip(".").casefold()


def _cites(mark: str, sentence: str, passages: Sequence[Passage]) -> list[tuple[int, str]]:
    """(passage number, quoted words) of one marker; a page stands for its passage nearest to the sentence."""
    inner = mark.strip().strip("^").strip("[]【】()")
    result = []
    by_page = False
    for item in ITEM.finditer(inner):
        by_page = bool(item["page"]) or (by_page and item["words"] is None)
        words = (item["words"] or "").strip(QUOTE_MARKS).replace('\\"', '"')
        first = int(item["number"])
        last = int(item["last"] or first)
        for number in range(first, min(last, first + 8) + 1):
            if by_page:
                nearest = _passage_on(number, sentence, passages)
                if nearest is not None:
                    result.append((nearest, words))
            else:
                result.append((number, words))
        if item["words"] and not item["words"].lstrip().startswith(tuple('"“„«')):
            break  # unquoted words run to the end of the marker; numbers in them are not passages
    return result


def _passage_on(page: int, sentence: str, passages: Sequence[Passage]) -> int | None:
    """The passage on ``page`` (physical, else as printed) that shares most words with ``sentence``."""
    on_page = [i for i, p in enumerate(passages, start=1) if page in p.pages]
    on_page = on_page or [i for i, p in enumerate(passages, start=1) if str(page) in p.labels]
    words = _words(sentence)
    return max(on_page, key=lambda i: len(words & _words(passages[i - 1].text)), default=None)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def with_words(claim: Claim, passages: Sequence[Passage]) -> tuple[tuple[int, str], ...]:
    """The citations of ``claim`` with words for each.

    A citation without words, or with words that stand nowhere in its passage, points at the sentence of that passage
    which holds most of the claim's words; the check then holds the claim against it. Where none is near, the
    citation stays as the model wrote it.
    """
    return tuple(dict.fromkeys((n, _words_for(claim, n, quote, passages)) for n, quote in claim.cites))


def _words_for(claim: Claim, number: int, quote: str, passages: Sequence[Passage]) -> str:
    if not 1 <= number <= len(passages):
        return quote
    text = passages[number - 1].text
    if quote and find_quote(quote, text):
        return quote
    wanted = {word for word in _words(quote or claim.text) if not is_function_word(word)}
    numbers = {word for word in wanted if word[0].isdigit()}
    best, best_share = "", NEAREST
    for start, end in sentence_bounds(text):
        words = _words(text[start:end])
        share = len(wanted & words) / max(1, len(wanted))
        if share > best_share and numbers <= words:
            best, best_share = text[start:end].strip(), share
    return best or quote
