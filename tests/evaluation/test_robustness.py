"""The robustness run names each ending, compares words fairly, and the fuzzer repeats itself by seed."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from evaluation import fuzz, robustness
from evaluation.fuzz import WAYS, play
from evaluation.robustness import FileResult, main, read_file, shared, tokens
from src.settings import Settings
from tests.loader.pdfs import written

SETTINGS = Settings(ocr="off")
LINES = ["The harbour was closed for eleven days after the storm."] * 4


@pytest.mark.parametrize(
    ("data", "outcome"), [(b"", "empty"), (b"plain text", "not_a_pdf"), (written(LINES)[:60], "damaged")]
)
def test_endings_have_their_names(tmp_path: Path, data: bytes, outcome: str) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    result = read_file(path, SETTINGS, 60)
    assert result.outcome == outcome
    assert result.message
    assert "Traceback" not in result.message


def test_a_readable_file_is_measured(tmp_path: Path) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(written(LINES, LINES))
    result = read_file(path, SETTINGS, 60)
    assert (result.outcome, result.pages, result.words) == ("read", 2, 80)
    assert result.peak_mb > 10
    assert result.states == {"text": 2}


def test_what_escapes_the_loader_is_a_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file.pdf"
    path.write_bytes(written(LINES))

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no loader")

    monkeypatch.setattr(robustness, "load", broken)
    result = read_file(path, SETTINGS, 60)
    assert result.outcome == result.fault == "crash"
    assert "no loader" in result.message


def test_words_are_compared_whatever_the_spacing_and_hyphens() -> None:
    wanted = tokens("The temper-\nature of $1,234 is “high”.")
    assert wanted == Counter(["the", "temperature", "of", "1234", "is", "high"])
    assert shared(wanted, "the temperature of 1,234 is high") == 1
    assert shared(wanted, "of 1,234 is high") == pytest.approx(4 / 6)
    assert shared(Counter(["glued"]), "a text with glu ed words") == 1


def test_faults_are_what_a_reader_would_miss() -> None:
    def result(outcome: str, words: int | None, recall: float | None = None) -> FileResult:
        return FileResult("f.pdf", outcome, 1, 0, 0.1, 1.0, "", {}, words, recall)

    assert result("damaged", 50).fault
    assert not result("damaged", 3).fault
    assert result("read", 50, 0.5).fault
    assert not result("read", 50, 0.95).fault
    assert not result("needs_password", 50).fault


def test_the_run_writes_its_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pdf").write_bytes(b"")
    assert main([str(tmp_path), "--out", str(tmp_path / "r.json")]) == 0
    assert "1 empty" in capsys.readouterr().out
    assert '"outcome": "empty"' in (tmp_path / "r.json").read_text()


def test_a_run_goes_on_behind_the_files_of_the_last_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.json"
    (tmp_path / "a.pdf").write_bytes(b"")
    assert main([str(tmp_path), "--out", str(out)]) == 0
    (tmp_path / "a.pdf").write_bytes(b"no longer empty")
    (tmp_path / "b.pdf").write_bytes(b"plain text")
    assert main([str(tmp_path), "--out", str(out), "--minutes", "0"]) == 0
    assert main([str(tmp_path), "--out", str(out)]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if "files:" in line] == [
        "1 files: 1 empty",
        "1 files: 1 empty",
        "2 files: 1 empty, 1 not_a_pdf",
    ]


def test_runs_share_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, data in (("a", b""), ("b", b"plain text"), ("c", b"")):
        (tmp_path / f"{name}.pdf").write_bytes(data)
    assert main([str(tmp_path), "--share", "1/2"]) == 0
    assert main([str(tmp_path), "--share", "2/2"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if "files:" in line] == [
        "2 files: 2 empty",
        "1 files: 1 not_a_pdf",
    ]
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--share", "3/2"])


@pytest.mark.parametrize("way", WAYS)
def test_each_way_of_breaking_changes_the_file_and_is_repeatable(way: object) -> None:
    assert callable(way)
    data = written(LINES)
    made = way(data, random.Random(5))
    assert made == way(data, random.Random(5))
    assert made != data


def test_a_round_ends_in_a_named_outcome(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(written(LINES))
    result, data = play(3, [path], 1, 60)
    assert not result.fault
    assert data


def test_fuzzing_ends_by_the_clock_and_keeps_its_rounds(tmp_path: Path) -> None:
    (tmp_path / "file.pdf").write_bytes(written(LINES))
    out = tmp_path / "rounds.json"
    assert fuzz.main([str(tmp_path), "--count", "50", "--minutes", "0", "--out", str(out)]) == 0
    assert len(json.loads(out.read_text())["rounds"]) == 1
