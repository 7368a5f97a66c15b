"""What the check of one sentence finds."""

from __future__ import annotations

from dataclasses import dataclass

from src.records import Support


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a sentence is supported and, in words for the reader, what does not agree."""

    support: Support
    problem: str = ""
