"""The benchmark's result files, over a made PDF read by the real loader; no weights."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from evaluation import benchmark, speed
from src.models import Models
from tests.evaluation.made_pdf import make_pdf

QUESTIONS = [
    {
        "id": "pump",
        "doc": "manual",
        "question": "How long is the warranty of the pump?",
        "kind": "lexical",
        "pages": [1],
        "evidence": ["warranty of the pump is 27 months"],
        "answer": "27 months",
    },
    {
        "id": "valve",
        "doc": "manual",
        "question": "What happens at 14 bar?",
        "kind": "table",
        "pages": [2],
        "evidence": ["opens at 14 bar"],
    },
    {
        "id": "moon",
        "doc": "manual",
        "question": "Which whale sang loudest?",
        "kind": "unanswerable",
        "pages": [],
    },
    {"id": "gone", "doc": "no-such-file", "question": "Anything?", "pages": [1]},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("DOCENGINE_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr(benchmark, "load_models", lambda settings: Models())
    make_pdf(
        tmp_path / "manual.pdf",
        [
            [
                "The warranty of the pump is 27 months from the day of hand-over.",
                "The pump is oiled in spring.",
            ],
            ["The safety valve opens at 14 bar and closes again by itself.", "It is tested every year."],
        ],
    )
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)))
    return tmp_path


def _run(folder: Path, *arguments: str) -> dict[str, Any]:
    out = folder / "r.json"
    common = ["--questions", str(folder / "q.jsonl"), "--pdfs", str(folder), "--out", str(out)]
    assert benchmark.main([arguments[0], *common, *arguments[1:]]) == 0
    result: dict[str, Any] = json.loads(out.read_text())
    return result


def test_retrieval_writes_the_contract(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = _run(folder, "retrieval", "--k", "5")
    assert {"questions", "metrics", "timings"} <= set(result)
    assert [q["id"] for q in result["questions"]] == ["pump", "valve", "moon"], (
        "a missing PDF costs its questions"
    )
    first = result["questions"][0]
    assert {"id", "ranked", "ms"} <= set(first)
    assert set(first["ranked"][0]) == {"pages", "text", "score"}
    assert first["ranked"][0]["pages"][0] == 1
    every = result["metrics"]["all"]
    assert every["evidence_hit@8"]["value"] == every["page_hit@8"]["value"] == 1
    assert every["page_hit@5"]["n"] == 2, "unanswerable questions have no right page"
    assert set(result["metrics"]) == {"all", "lexical", "table"}
    assert "page_mrr" in capsys.readouterr().out


def test_comparing_a_result_with_itself_gives_no_difference(folder: Path) -> None:
    _run(folder, "retrieval")
    (folder / "r.json").rename(folder / "before.json")
    result = _run(folder, "retrieval", "--compare", str(folder / "before.json"))
    assert {entry["difference"] for entry in result["difference"].values()} == {0}


def test_answers_write_the_contract(folder: Path) -> None:
    result = _run(folder, "answers", "--answerer", "extractive")
    first = result["questions"][0]
    assert {"id", "answer", "status", "support", "route", "cached", "citations", "ms", "usage"} <= set(first)
    assert {"doc", "pages", "page", "label", "quote", "verified", "url"} <= set(first["citations"][0])
    assert (first["status"], first["citations"][0]["page"]) == ("answered", 1)
    assert "27 months" in first["answer"]
    every = result["metrics"]["all"]
    for name in (
        "evidence_shown",
        "cites_right_page",
        "citation_precision",
        "wrong_refusals",
        "right_refusals",
    ):
        assert name in every
    assert result["questions"][2]["status"] == "not_found"
    assert every["right_refusals"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 1.0}


def test_settings_in_force_are_noted_and_keys_are_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCENGINE_POOL", "5")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert _run(folder, "retrieval")["settings"] == {"DOCENGINE_POOL": 5}


def test_a_budget_without_prices_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--questions", str(folder / "q.jsonl"), "--pdfs", str(folder)]
    assert benchmark.main(["answers", *common, "--answerer", "llm", "--budget", "1"]) == 1
    assert "DOCENGINE_PRICE_PROMPT" in capsys.readouterr().err


def test_speed_measures_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "load_models", lambda settings: Models())
    entry = speed.measure(folder / "manual.pdf", 3)
    assert {
        "file",
        "pages",
        "chunks",
        "askable_s",
        "indexed_s",
        "p50_ms",
        "p95_ms",
        "peak_mb",
        "reference_s",
    } <= set(entry)
    assert entry["pages"] == 2
    assert 0 < entry["askable_s"] <= entry["indexed_s"]
    assert entry["p50_ms"] <= entry["p95_ms"]
    assert 20 < entry["peak_mb"] < 5000
