"""Every fault of a gold question is found and named, on small PDFs made here."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from evaluation import build_gold, independent_text

PAGES = (
    ("The harbour master counted nineteen barges", "before noon. Gulls were not counted."),
    ("Tolls for a barge rose to 14.50 crowns.", "Nobody com-", "plained about it."),
)


@pytest.fixture(autouse=True, params=["poppler", "pdfplumber"])
def extractor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pdfplumber":
        monkeypatch.setattr(independent_text.shutil, "which", lambda _: None)
    elif independent_text.shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not on this machine: apt-get install poppler-utils")


@pytest.fixture
def pdfs(tmp_path: Path) -> Path:
    folder = tmp_path / "pdfs" / "inner"
    folder.mkdir(parents=True)
    canvas = Canvas(str(folder / "harbour.pdf"), pagesize=A5)
    for lines in PAGES:
        for i, line in enumerate(lines):
            canvas.drawString(40, 500 - 14 * i, line)
        canvas.showPage()
    canvas.save()
    return tmp_path / "pdfs"


def question(**changes: Any) -> dict[str, Any]:
    made = {
        "id": "harbour-barges",
        "doc": "harbour",
        "question": "How many barges were counted?",
        "kind": "lexical",
        "pages": [1],
        "evidence": ["nineteen barges"],
        "answer": "19",
        "language": "en",
    } | changes
    return {"split": build_gold.split_of(made["id"])} | made


def unanswerable(**changes: Any) -> dict[str, Any]:
    empty = {"kind": "unanswerable", "pages": [], "evidence": [], "answer": "", "absent": ["ferry"]}
    return question(**(empty | changes))


def faults_of(pdfs: Path, *questions: dict[str, Any]) -> list[str]:
    gold = pdfs.parent / "gold"
    gold.mkdir(exist_ok=True)
    (gold / "made.jsonl").write_text("".join(json.dumps(q) + "\n" for q in questions), encoding="utf-8")
    return build_gold.check(gold, [pdfs])[1]


def test_good_questions_pass(pdfs: Path) -> None:
    history = [{"question": "What is counted?", "answer": "Barges."}]
    assert (
        faults_of(
            pdfs,
            question(),
            question(
                id="b", kind="paraphrase", question="How much traffic did the port official tally by midday?"
            ),
            question(id="c", kind="table", pages=[2], evidence=["14.50  crowns"]),
            question(id="d", pages=[2], evidence=["Nobody complained about"]),
            question(id="e", kind="multi", pages=[1, 2], evidence=["nineteen barges", "14.50"]),
            question(id="f", kind="follow-up", history=history),
            question(id="g", kind="everyday"),
            unanswerable(id="i"),
            question(id="h", scan=True, evidence=["words of an image"]),
        )
        == []
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"evidence": ["twenty barges"]}, "evidence 'twenty barges' is not on pages [1], it is on []"),
        ({"evidence": ["14.50 crowns"]}, "evidence '14.50 crowns' is not on pages [1], it is on [2]"),
        ({"evidence": ["barge"]}, "evidence 'barge' is also on pages [2], which are not listed"),
        ({"pages": [1, 2]}, "pages [2] hold none of the evidence"),
        ({"pages": [3]}, "pages [3] lie beyond the last page, 2"),
        ({"pages": [0]}, "pages are [0], expected physical pages from 1"),
        ({"pages": [2, 1]}, "pages are [2, 1], expected them in order and once each"),
        ({"pages": []}, "pages is empty"),
        ({"evidence": [" "]}, "evidence ' ' is not a string with text"),
        ({"evidence": ["a " * 15]}, "has 15 words, at most 14 are quoted"),
        ({"answer": ""}, "answer is empty"),
        ({"question": " "}, "the question is empty"),
        ({"kind": "hard"}, "kind is 'hard', expected one of everyday, follow-up, lexical"),
        ({"language": "it"}, "language is 'it', expected one of ar, de"),
        ({"split": "train"}, "split is 'train', the hash of the id says"),
        ({"page": 1}, "field 'page' is unknown"),
        ({"pages": "1"}, "field 'pages' is str, expected list"),
        ({"absent": ["ferry"]}, "'absent' belongs to unanswerable questions only"),
        ({"kind": "follow-up"}, "a follow-up needs 'history'"),
        ({"kind": "follow-up", "history": [{"question": "x"}]}, "a follow-up needs 'history'"),
        ({"kind": "multi"}, "a multi question needs evidence from at least two places"),
        ({"doc": "port"}, "no port.pdf in or below"),
        (
            {"kind": "paraphrase", "question": "How many barges did the harbour master see?"},
            "the paraphrase shares 3 of 4 content words (barg, harbour, master)",
        ),
    ],
)
def test_a_fault_is_named(pdfs: Path, changes: dict[str, Any], fault: str) -> None:
    found = faults_of(pdfs, question(**changes))
    assert len(found) == 1
    assert found[0].startswith("made.jsonl:1 harbour-barges: ")
    assert fault in found[0]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"absent": ["BARGE", "toll"]}, "page 2 holds all of ['BARGE', 'toll']"),
        ({"absent": []}, "needs 'absent'"),
        ({"pages": [1]}, "an unanswerable question has pages [1], expected none"),
        ({"answer": "none"}, "an unanswerable question has answer 'none', expected none"),
    ],
)
def test_an_answerable_one_is_not_unanswerable(pdfs: Path, changes: dict[str, Any], fault: str) -> None:
    assert [fault in found for found in faults_of(pdfs, unanswerable(**changes))] == [True]


def test_a_missing_field_and_a_second_use_of_an_id_are_named(pdfs: Path) -> None:
    without = question(id="x")
    del without["language"]
    found = faults_of(pdfs, question(), question(), without)
    assert found == [
        "made.jsonl:2 harbour-barges: the id is taken by made.jsonl:1",
        "made.jsonl:3 x: field 'language' is missing",
    ]


def test_broken_lines_are_named(pdfs: Path) -> None:
    gold = pdfs.parent / "gold"
    gold.mkdir()
    (gold / "made.jsonl").write_text('{"id": \n[1]\n', encoding="utf-8")
    (gold / "tables.jsonl").write_text("not a question file\n", encoding="utf-8")
    entries, found = build_gold.check(gold, [pdfs])
    assert entries == []
    assert found[0].startswith("made.jsonl:1: not JSON (")
    assert found[1] == "made.jsonl:2: a question is a JSON object, this is list"


def test_the_command_refuses_with_status_1(pdfs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faults_of(pdfs, question())
    command = ["--pdfs", str(pdfs), "--gold", str(pdfs.parent / "gold")]
    assert build_gold.main(command) == 0
    assert "1 questions over 1 documents" in capsys.readouterr().out
    faults_of(pdfs, question(pages=[2]))
    assert build_gold.main(command) == 1
    assert "is not on pages [2], it is on [1]" in capsys.readouterr().out


def test_the_split_is_two_fifths_test() -> None:
    share = sum(build_gold.split_of(f"question-{n}") == "test" for n in range(2000)) / 2000
    assert 0.37 < share < 0.43


def test_the_committed_questions_are_well_formed() -> None:
    faults, ids = [], []
    for entry in build_gold.read_entries(build_gold.GOLD):
        assert isinstance(entry, build_gold.Entry)
        faults += [entry.fault(text) for text in build_gold.form_faults(entry)]
        ids.append(entry.fields["id"])
    assert faults == []
    assert len(ids) == len(set(ids)) > 0


@pytest.mark.corpus
@pytest.mark.timeout(400)
@pytest.mark.parametrize("extractor", ["poppler"], indirect=True)
def test_the_committed_questions_stand_in_their_documents() -> None:
    folder = os.environ.get("DOCENGINE_CORPUS")
    if not folder:
        pytest.skip("DOCENGINE_CORPUS names no folder of PDFs")
    assert build_gold.check(build_gold.GOLD, [Path(folder)])[1] == []
