"""Small files asked end to end with the real weights: with one fault each, and such as people have at home.

``tests/cases`` holds twenty kinds of faults, ``tests/everyday`` other kinds of pages and letters, leases, leaflets, bills.
A case is right when its status fits, a cited page is among its pages and none among ``must_not_pages``, what it must
hold stands in the answer or its quotes, and nothing that it must not say stands in the answer.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from src.agent import Engine, Request, answer, make_engine
from src.headless import answer_json, full_index, read_document
from src.index import DocumentIndex
from src.models import Models, load_models
from src.records import LoadError
from src.settings import Settings

FOLDERS = tuple(Path(__file__).parent / name for name in ("cases", "everyday"))
# What is ``open`` is not answered rightly yet; ``evaluation/ACCURACY.md`` counts it.
ENTRIES: list[tuple[Path, dict[str, Any]]] = [
    (folder, entry)
    for folder in FOLDERS
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    if not (entry := json.loads(line)).get("open")
]
LOCKED = "lock-1"  # asks what is said while no password has been given

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    settings = Settings(answerer="extractive")
    made = make_engine(settings, load_models(settings))
    yield made
    made.close()


@pytest.fixture(scope="module")
def read() -> dict[tuple[Path, str | None], DocumentIndex]:
    """Indexes by file and password, each made once."""
    return {}


def _index(path: Path, password: str | None, models: Models, settings: Settings) -> DocumentIndex:
    document = read_document(path.read_bytes(), path.name, settings, password=password)
    return full_index(document, models, settings)


def _plain(text: str) -> str:
    folded = re.sub(r"[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text).lower())
    return re.sub(r"\s+", " ", folded)


def _fault(case: dict[str, Any], given: dict[str, Any]) -> str:
    """What is wrong with an answer, "" when nothing is."""
    if given["status"] not in [case["status"], *case.get("accept_status", [])]:
        return f"status {given['status']}, expected {case['status']}: {given.get('answer', '')}"
    if given["status"] != "answered":
        return ""
    text = _plain(given["answer"])
    shown = text + " " + _plain(" ".join(citation["quote"] for citation in given["citations"]))
    cited = {page for citation in given["citations"] for page in citation["pages"]}
    if case["pages"] and not cited & {*case["pages"], *case.get("also_pages", [])}:
        return f"cites {sorted(cited)}, expected one of {case['pages']}: {given['answer']}"
    if wrong := cited & set(case.get("must_not_pages", [])):
        return f"cites {sorted(wrong)}: {given['answer']}"
    if missing := [words for words in case.get("must_have", []) if _plain(words) not in shown]:
        return f"lacks {missing}: {given['answer']}"
    some = case.get("must_have_any", [])
    if some and not any(_plain(words) in shown for words in some):
        return f"has none of {some}: {given['answer']}"
    if said := [words for words in case.get("must_not", []) if _plain(words) in text]:
        return f"says {said}: {given['answer']}"
    return ""


@pytest.mark.parametrize(("folder", "case"), ENTRIES, ids=[case["id"] for _, case in ENTRIES])
def test_case(
    folder: Path, case: dict[str, Any], engine: Engine, read: dict[tuple[Path, str | None], DocumentIndex]
) -> None:
    password = None if case["id"] == LOCKED else case.get("password")
    key = (folder / "pdfs" / f"{case['doc']}.pdf", password)
    try:
        if key not in read:
            read[key] = _index(*key, engine.models, engine.settings)
        given = answer_json(case["id"], answer(Request(case["question"], (read[key],)), engine))
    except LoadError as error:
        given = {"status": error.outcome.value, "message": error.message}
    if fault := _fault(case, given):
        pytest.fail(f"{case['question']} {fault}", pytrace=False)
