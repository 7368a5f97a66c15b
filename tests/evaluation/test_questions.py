"""Question files are read whole, and a bad line is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.questions import QuestionFileError, read_questions


def test_reads_fields_kinds_and_history(tmp_path: Path) -> None:
    lines = [
        {"id": 1, "doc": "d", "question": "q", "type": "domain", "pages": [2], "split": "dev"},
        {
            "id": "b",
            "doc": "d",
            "question": "q",
            "kind": "follow-up",
            "history": [{"question": "x", "answer": "y"}],
        },
    ]
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n\n")
    first, second = read_questions(path)
    assert (first.id, first.kind, first.pages, first.answerable) == ("1", "domain", {2}, True)
    assert second.history == (("x", "y"),)
    assert read_questions(path, split="dev") == (first,)


def test_a_folder_is_read_whole_but_for_its_tables(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl"):
        (tmp_path / name).write_text(json.dumps({"id": name, "doc": "d", "question": "q"}))
    (tmp_path / "tables.jsonl").write_text(json.dumps({"doc": "d", "cells": []}))
    assert [q.id for q in read_questions(tmp_path)] == ["a.jsonl", "b.jsonl"]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "a", "doc": "d", "question": "q"}\n{"id": "b"}\n')
    with pytest.raises(QuestionFileError, match=r"q\.jsonl, line 2: KeyError\('doc'\)"):
        read_questions(path)
