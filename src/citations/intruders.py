"""Figures and names that stand on the page, but not with what the claim says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from src.answerer.numbers import Quantity, quantities
from src.answerer.sentences import sentence_bounds
from src.answerer.terms import all_terms
from src.citations.agreement import agrees
from src.citations.binding import marker
from src.citations.grounds import Grounds
from src.citations.names import NOUNS_IN_CAPITALS, Name, long_name, names_of
from src.citations.placement import FAR, Part, displaced, elsewhere, parts
from src.citations.verdicts import Verdict
from src.records import Support

# Its subject is named before, so another name in it is no rival.
_PRONOUN = re.compile(r"\b(?:he|she|they|it|his|her|their|its|who)\b", re.IGNORECASE)
_ITEM_END = re.compile(r"[,;](?=\s)|\b(?:while|whereas|but)\b", re.IGNORECASE)
_CLAUSE = re.compile(r";|\b(?:while|whereas|but|although|though)\b", re.IGNORECASE)


def sentences_around(grounds: Grounds) -> tuple[str, ...]:
    """The sentences of the cited passages, the cited ones first."""
    around = (
        " ".join(grounds.around[a:b].split()) for a, b in sentence_bounds(grounds.around, grounds.language)
    )
    return tuple(dict.fromkeys((*(grounds.prose or grounds.sentences), *around)))


def displaced_figure(quantity: Quantity, claim: str, grounds: Grounds) -> str:
    """The figure of the page in whose place the claim has ``quantity``; empty when there is none."""
    if quantity.kind != "number":
        return ""
    told = [q for q in quantities(claim) if _same_kind(quantity, q)]
    claimed = _part_of(quantity, claim, told, grounds.language)
    homes: list[Part] = []
    rivals: list[Part] = []
    for sentence in sentences_around(grounds):
        figures = [q for q in quantities(sentence) if _same_kind(quantity, q)]
        cut = parts(sentence, [(q.start, q.whole_end) for q in figures], grounds.language)
        for figure, part in zip(figures, cut, strict=True):
            if agrees(quantity, figure):
                homes.append(part)
            elif part.alone or not any(agrees(q, figure) for q in told):
                rivals.append(part)
    if quantity.in_words and not quantity.unit:
        # "two of which" counts anything: only its own sentence tells what
        rivals = [r for r in rivals if any(r.text == home.text for home in homes)]
    rival = displaced(claimed, homes, rivals, grounds.language)
    return rival.text[slice(*rival.item)] if rival else ""


def _same_kind(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and one.unit == other.unit


def _part_of(quantity: Quantity, claim: str, told: Sequence[Quantity], language: str) -> Part:
    cut = parts(claim, [(q.start, q.whole_end) for q in told], language)
    return next(part for part in cut if part.item[0] == quantity.start)


def displaced_name(name: Name, claim: str, grounds: Grounds) -> str:
    """The name of the page in whose place the claim has ``name``; empty when there is none."""
    language = grounds.language
    mine = _words(name.surface, language)
    whole = _words(long_name(name, claim), language)
    if any(whole <= _words(sentence, language) for sentence in sentences_around(grounds)):
        mine = whole
    if language in NOUNS_IN_CAPITALS or mine <= _words(f"{grounds.titles}\n{grounds.asked}", language):
        return ""
    told = _words(claim, language)
    homes: list[Part] = []
    rivals: list[Part] = []
    beside: list[tuple[Part, Part]] = []
    for sentence in sentences_around(grounds):
        if mine <= _words(sentence, language):
            homes.append(_whole(sentence, name, language))
            beside += _beside(sentence, mine, told, language)
        elif not _PRONOUN.search(sentence):
            rivals += [
                _whole(sentence, other, language)
                for other in names_of(sentence, language)
                if other.sure and _words(other.surface, language) - told
            ]
    claimed = _whole(claim, name, language, *_clause(claim, name))
    claimed = replace(
        claimed, own=claimed.own - {marker(t) for t in all_terms(claim, language) if t.word in mine}
    )
    named = {marker(t) for n in names_of(claim, language) for t in all_terms(n.surface, language)}
    if not claimed.own - named:
        return ""  # "A and B are with C": a list of names tells nothing of who is where
    for home, rival in beside:
        if len(homes) == 1 and _in_its_clause(claimed, home, rival):
            return rival.text[slice(*rival.item)]
    for rival in rivals:
        if homes and all(elsewhere(claimed, rival, home, language) for home in homes):
            return rival.text[slice(*rival.item)]
    return ""


def _beside(
    sentence: str, mine: frozenset[str], told: frozenset[str], language: str
) -> list[tuple[Part, Part]]:
    """Pairs of the name with the words ``mine`` and one that the claim lacks, in clauses of one sentence.

    Both stand behind the same word or bracket: "PAC-3 (Missiles), CH-53K (Rotary)".
    """
    names = [(n, _part_in_clause(sentence, n, language)) for n in names_of(sentence, language)]
    homes = [(n, part) for n, part in names if _words(n.surface, language) <= mine]
    others = [(n, part) for n, part in names if _words(n.surface, language) - told]
    return [
        (home, other)
        for n, home in homes
        for m, other in others
        if _slot(sentence, n) == _slot(sentence, m) and home.item != other.item
    ]


def _part_in_clause(sentence: str, name: Name, language: str) -> Part:
    borders = [m.start() for m in _ITEM_END.finditer(sentence)]
    start = max((b for b in borders if b <= name.start), default=0)
    end = min((b for b in borders if b >= name.end), default=len(sentence))
    return replace(_whole(sentence, name, language, start, end), item=(name.start, name.end))


def _slot(sentence: str, name: Name) -> str:
    """The bracket before ``name``; the start of the name itself where it has none."""
    return "(" if sentence[: name.start].endswith("(") else f"@{name.start}"


def _in_its_clause(claimed: Part, home: Part, rival: Part) -> bool:
    mine, theirs = claimed.own & (home.own - rival.own), claimed.own & (rival.own - home.own)
    return bool(home.own - rival.own) and not mine and len(theirs) >= FAR


def _clause(claim: str, name: Name) -> tuple[int, int]:
    """[start, end) of the clause of ``claim`` that ``name`` stands in."""
    borders = [m.start() for m in _CLAUSE.finditer(claim)]
    start = max((b for b in borders if b <= name.start), default=0)
    return start, min((b for b in borders if b >= name.end), default=len(claim))


@lru_cache(maxsize=4096)
def _words(text: str, language: str) -> frozenset[str]:
    """Words that carry content, the letter of "Class B" among them."""
    return frozenset(t.word for t in all_terms(text, language) if not t.is_function)


def _whole(text: str, name: Name, language: str, start: int = 0, end: int | None = None) -> Part:
    """All of ``text[start:end]`` as what goes with ``name``."""
    own = _words(name.surface, language)
    words = {
        marker(t) for t in all_terms(text[start:end], language) if not t.is_function and t.word not in own
    }
    return Part(text, (name.start, name.end), frozenset(words), frozenset(), True)


def check_places(claim: str, grounds: Grounds) -> Verdict | None:
    """The first name of ``claim`` that its passages tell something else of; None when there is none."""
    if grounds.cells:
        return None
    for name in names_of(claim, grounds.language):
        if other := displaced_name(name, claim, grounds) if name.sure else "":
            return Verdict(
                Support.PARTIAL, f"what is told of {name.surface!r} is told of {other!r} on {grounds.label}"
            )
    return None
