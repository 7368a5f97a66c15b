"""Figures and names that stand on the page, but not with what the claim says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.answerer.numbers import Quantity, quantities
from src.answerer.sentences import sentence_bounds
from src.answerer.terms import all_terms
from src.citations.agreement import agrees
from src.citations.grounds import Grounds
from src.citations.placement import Part, displaced, parts


def sentences_around(grounds: Grounds) -> tuple[str, ...]:
    """The sentences of the cited passages, the cited ones first."""
    around = (
        " ".join(grounds.around[a:b].split())
        for a, b in sentence_bounds(grounds.around, grounds.language)
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
            else:
                rivals.append(part)
    rival = displaced(claimed, homes, rivals, grounds.language)
    return rival.text[slice(*rival.item)] if rival else ""


def _same_kind(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and one.unit == other.unit


def _part_of(quantity: Quantity, claim: str, told: Sequence[Quantity], language: str) -> Part:
    cut = parts(claim, [(q.start, q.whole_end) for q in told], language)
    return next(part for part in cut if part.item[0] == quantity.start)
