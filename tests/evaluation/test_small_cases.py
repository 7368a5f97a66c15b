"""When a case over a small file is right, and which half of the cases is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.cases import ask_cases, fault, read_cases
from src.agent import make_engine
from src.settings import Settings
from tests.fakes import word_models
from tests.loader.pdfs import written

CASE = {
    "id": "a-1", "doc": "a", "question": "How many lockers?", "pages": [2], "status": "answered",
    "must_have": ["26"], "must_have_any": ["row F", "Row G"], "must_not": ["27 —"], "must_not_pages": [1],
}  # fmt: skip


def given(text: str, quote: str = "Row F holds 26 lockers.", pages: tuple[int, ...] = (2,)) -> dict[str, Any]:
    return {"status": "answered", "answer": text, "citations": [{"quote": quote, "pages": list(pages)}]}


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (given("26 — “Row F holds 26 lockers.”"), ""),
        (given("26"), ""),  # what the quote holds counts
        ({"status": "not_found", "answer": "Not found in the document."}, "status not_found"),
        (given("26", pages=(3,)), "cites [3]"),
        (given("26", pages=(1, 2)), "cites [1]"),
        (given("many", "Row F holds lockers."), "lacks ['26']"),
        (given("26", "26 lockers"), "has none of"),
        (given("27 — 26"), "says ['27 —']"),
    ],
)
def test_when_a_case_is_right(answer: dict[str, Any], wrong: str) -> None:
    found = fault(CASE, answer)
    assert found.startswith(wrong) if wrong else not found


def test_the_cases_of_one_half_are_asked_and_a_locked_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "a.pdf").write_bytes(written(["Nothing to see."], ["Row F holds 26 lockers."]))
    (tmp_path / "pdfs" / "b.pdf").write_bytes(b"no PDF")
    rows = [CASE | {"split": "dev"}, {"id": "b-1", "doc": "b", "question": "?", "pages": [], "status": "not_a_pdf", "split": "dev"},
            CASE | {"split": "test", "id": "a-2"}]  # fmt: skip
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    engine = make_engine(Settings(answerer="extractive"), word_models())
    try:
        asked = list(ask_cases(tmp_path, read_cases(tmp_path, "dev"), engine))
    finally:
        engine.close()
    assert [(one.case["id"], one.fault) for one in asked] == [("a-1", ""), ("b-1", "")]
    assert len(read_cases(tmp_path)) == 3
