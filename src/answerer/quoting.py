"""How much of a passage is quoted: whole sentences around the one that answers, so that a reader sees it stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.answerer.candidates import Candidate
from src.answerer.questions import Question
from src.answerer.sentences import heads, is_item, sentence_bounds
from src.answerer.terms import content_terms
from src.records import Passage

LONGEST = 700  # characters of a quote
_OPEN_END = re.compile(r"[.!?;。！？؟][\"”’)\]]*\s*\S{0,3}$")

Stretch = tuple[int, int]


def stretch(question: Question, candidate: Candidate, passage: Passage, room: int) -> Stretch:
    """The characters [start, end) of the passage's text to quote for ``candidate``.

    A sentence that opens a list or a command with ":", that is broken off, or that begins in the middle takes the
    neighbour it needs. Then neighbours of the same paragraph are taken, those with more of the question's words first, as
    long as no more than ``room`` characters are quoted.
    """
    bounds = sentence_bounds(passage.text, passage.language)
    here = [i for i, (start, end) in enumerate(bounds) if start < candidate.end and candidate.start < end]
    if candidate.kind not in ("sentence", "heading") or not here:
        return candidate.start, candidate.end
    first, last = here[0], here[-1]
    if candidate.lead_in and first:
        first -= 1
    last = _ended(passage, bounds, first, last, opens=candidate.text.endswith(":"))
    if first and passage.text[bounds[first][0]].islower():
        first -= bounds[last][1] - bounds[first - 1][0] <= LONGEST
    wanted = {term.stem for term in question.terms}
    while True:
        sides = []
        below = last + 1 < len(bounds) and _is_joined(passage, bounds[last], bounds[last + 1])
        if below and bounds[last + 1][1] - bounds[first][0] <= room:
            sides.append((_shared(wanted, passage, bounds[last + 1], question.language), 1))
        above = (
            first
            and _is_joined(passage, bounds[first - 1], bounds[first])
            and not heads(passage, bounds[first - 1])
        )
        if above and bounds[last][1] - bounds[first - 1][0] <= room:
            sides.append((_shared(wanted, passage, bounds[first - 1], question.language), 0))
        if not sides:
            break
        _, behind = max(sides)
        first, last = (first, last + 1) if behind else (first - 1, last)
    return bounds[first][0], bounds[_ended(passage, bounds, first, last)][1]


def _ended(passage: Passage, bounds: Sequence[Stretch], first: int, last: int, *, opens: bool = False) -> int:
    """The sentence with which a quote from ``first`` to ``last`` can end; ``opens`` takes the items of a list as well."""
    while last + 1 < len(bounds) and bounds[last + 1][1] - bounds[first][0] <= LONGEST:
        after = passage.text[slice(*bounds[last + 1])]
        if not _hangs(passage.text[slice(*bounds[last])]) and not (opens and is_item(after)):
            break
        last += 1
    return last


def _is_joined(passage: Passage, one: Stretch, other: Stretch) -> bool:
    """Whether two sentences that follow each other stand in one paragraph."""
    return "\n\n" not in passage.text[one[1] : other[0]]


def _hangs(sentence: str) -> bool:
    """Whether a sentence says nothing without what follows: it ends in a colon or without an end.

    An item of a list ends as it likes.
    """
    return sentence.endswith(":") if is_item(sentence) else not _OPEN_END.search(sentence)


def _shared(wanted: set[str], passage: Passage, bounds: Stretch, language: str) -> int:
    return len(wanted & {term.stem for term in content_terms(passage.text[slice(*bounds)], language)})
