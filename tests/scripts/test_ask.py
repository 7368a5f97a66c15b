"""``scripts/ask.py`` as other programs call it: JSON on standard output, exit status, one sentence for what fails."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from src.settings import ROOT

PDFS = ROOT / "tests" / "cases" / "pdfs"

pytestmark = pytest.mark.weights


def _ask(*arguments: str | Path, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    command = [python, str(ROOT / "scripts" / "ask.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=110, cwd=ROOT.parent)


def test_the_json_is_the_contract() -> None:
    run = _ask(
        PDFS / "roman_front_matter.pdf", "How often are the fender chains at berth 3 inspected?", "--json"
    )
    assert run.returncode == 0, run.stderr
    entry = json.loads(run.stdout)
    assert {
        "id",
        "answer",
        "status",
        "support",
        "route",
        "cached",
        "citations",
        "ms",
        "usage",
        "passages",
    } <= set(entry)
    assert (entry["status"], entry["route"], entry["cached"]) == ("answered", "document", False)
    assert "45 days" in entry["answer"]
    (citation,) = entry["citations"]
    assert {"doc", "pages", "page", "label", "quote", "verified", "url"} <= set(citation)
    assert (citation["doc"], citation["page"], citation["verified"]) == ("roman_front_matter", 7, True)
    assert citation["label"] == "p. 7 (printed 3)"
    assert entry["passages"][0]["pages"]


def test_plain_output_is_the_answer_and_its_quotes() -> None:
    run = _ask(PDFS / "roman_front_matter.pdf", "Which revision is this handbook?")
    assert run.returncode == 0, run.stderr
    assert "Revision 7" in run.stdout.splitlines()[0]
    assert "[p. 2 (printed ii)]" in run.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a Unix shell")
def test_a_reader_that_stops_early_is_no_error() -> None:
    command = f"'{sys.executable}' '{ROOT / 'scripts' / 'ask.py'}' '{PDFS / 'roman_front_matter.pdf'}' 'Which revision is this?' --json | true"
    run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=110)
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("name", "options", "status"),
    [
        ("needs_password", [], "needs_password"),
        ("needs_password", ["--password", "wrong"], "needs_password"),
        ("zero_pages", [], "empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_status_2_with_its_outcome(
    name: str, options: list[str], status: str
) -> None:
    run = _ask(PDFS / f"{name}.pdf", "How many lockers are in row F?", "--json", *options)
    assert run.returncode == 2
    entry = json.loads(run.stdout)
    assert entry["status"] == status
    assert entry["message"].endswith(".")
    assert "Traceback" not in run.stderr


def test_a_file_that_is_no_pdf_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "notes.pdf"
    path.write_text("just some notes")
    run = _ask(path, "What?")
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.strip().splitlines()) == 1


def test_a_path_that_is_not_there_is_status_1(tmp_path: Path) -> None:
    run = _ask(tmp_path / "gone.pdf", "What?")
    assert run.returncode == 1
    assert "gone.pdf" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_right_password_opens_the_file() -> None:
    run = _ask(
        PDFS / "needs_password.pdf", "How many lockers are in row F?", "--json", "--password", "heron-41"
    )
    assert run.returncode == 0, run.stderr
    assert "26" in json.loads(run.stdout)["answer"]


def test_it_finds_the_environment_by_itself() -> None:
    base = getattr(sys, "_base_executable", sys.executable)
    run = _ask(PDFS / "zero_pages.pdf", "What?", "--json", python=base)
    assert run.returncode == 2, run.stderr
    assert json.loads(run.stdout)["status"] == "empty"
