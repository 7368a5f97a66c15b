"""Question files: JSON lines with ``id``, ``doc``, ``question`` and, where known, what a right answer holds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.build_gold import NOT_QUESTIONS
from evaluation.independent_text import squeeze
from src.records import Turn

EVIDENCE_CHARS = 1000  # evidence counts in the first so many characters of a passage


class QuestionFileError(Exception):
    """A line that is no question; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. ``pages`` are 1-based and physical; ``doc`` is the PDF's file stem.

    ``evidence`` holds short exact strings, any of which marks a passage as right. ``history`` holds earlier
    (question, answer) pairs of the conversation, oldest first.
    """

    id: str
    doc: str
    question: str
    kind: str = ""
    pages: frozenset[int] = frozenset()
    evidence: tuple[str, ...] = ()
    answer: str = ""
    language: str = ""
    split: str = ""
    history: tuple[tuple[str, str], ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the document holds an answer, as far as the file says."""
        return self.kind != "unanswerable"

    def shown_in(self, text: str) -> bool:
        """Whether one of the evidence strings stands in ``text`` (NFKC, dashes folded, no white space)."""
        squeezed = squeeze(text)
        return any(squeeze(each) in squeezed for each in self.evidence)

    def is_evidence(self, passage: str) -> bool:
        """Whether ``passage`` shows the evidence within its first ``EVIDENCE_CHARS`` characters."""
        return self.shown_in(passage[:EVIDENCE_CHARS])


def turns(question: Question) -> tuple[Turn, ...]:
    """The earlier exchanges of a follow-up question as memory keeps them."""
    return tuple(Turn(asked, asked, answer) for asked, answer in question.history)


def read_questions(path: Path, *, split: str = "") -> tuple[Question, ...]:
    """The questions of a JSON-lines file, or of every such file of a folder, in ``split`` if one is named."""
    found = (file for file in path.glob("*.jsonl") if file.name not in NOT_QUESTIONS)
    files = sorted(found) if path.is_dir() else [path]
    read = [question for file in files for question in _read_file(file)]
    return tuple(q for q in read if not split or q.split == split)


def _read_file(path: Path) -> Iterable[Question]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                fields = json.loads(line)
                yield _question(fields)
            except (ValueError, KeyError, TypeError) as error:
                raise QuestionFileError(f"{path}, line {number}: {error!r}") from error


def _question(fields: dict[str, Any]) -> Question:
    return Question(
        id=str(fields["id"]),
        doc=str(fields["doc"]),
        question=str(fields["question"]),
        kind=str(fields.get("kind") or fields.get("type") or ""),
        pages=frozenset(int(page) for page in fields.get("pages") or ()),
        evidence=tuple(str(each) for each in fields.get("evidence") or ()),
        answer=str(fields.get("answer") or ""),
        language=str(fields.get("language") or ""),
        split=str(fields.get("split") or ""),
        history=tuple((str(t["question"]), str(t["answer"])) for t in fields.get("history") or ()),
    )
