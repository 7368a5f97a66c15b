"""Follow-up questions made whole: "and in 2022?" after a question about 2021 becomes that question about 2022.

The rules are cautious: a question that can be understood alone stays as it is, and what no rule can make whole
stays too. With a language model the model rewrites, but only what a rule found incomplete, so that complete
questions cost no call.
"""

from __future__ import annotations

from collections.abc import Sequence

from src.memory import english, foreign
from src.records import Turn

__all__ = ["is_complete", "standalone"]


def is_complete(question: str) -> bool:
    """Whether ``question`` can be understood without what was asked before it."""
    text = " ".join(question.split())
    return foreign.opening(text) is None and (foreign.is_question(text) or english.is_complete(text))


def standalone(question: str, history: Sequence[Turn], turns: int = 6) -> str:
    """``question`` made whole by rule from the last of ``history``; unchanged when it is complete or no rule fits."""
    text = " ".join(question.split())
    past = [turn for turn in history[-turns:] if turn.question] if turns else []
    if not past:
        return text
    before = past[-1].standalone or past[-1].question
    if opening := foreign.opening(text):
        return foreign.made_whole(opening, text, before)
    return text if is_complete(text) else english.made_whole(text, before, past[-1].answer)
