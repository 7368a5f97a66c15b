"""Small files asked end to end with the real weights: with one fault each, and such as people have at home.

``tests/cases`` holds twenty kinds of faults, ``tests/everyday`` other kinds of pages and letters, leases, leaflets, bills;
``evaluation/cases.py`` says when a case is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.cases import Case, fault, read_cases, read_index
from src.agent import Engine, Request, answer, make_engine
from src.headless import answer_json
from src.index import DocumentIndex
from src.models import load_models
from src.records import LoadError
from src.settings import Settings

FOLDERS = tuple(Path(__file__).parent / name for name in ("cases", "everyday"))
# What is ``open`` is not answered rightly yet; ``evaluation/ACCURACY.md`` counts it.
ENTRIES: list[tuple[Path, Case]] = [
    (folder, case) for folder in FOLDERS for case in read_cases(folder) if not case.get("open")
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


@pytest.mark.parametrize(("folder", "case"), ENTRIES, ids=[case["id"] for _, case in ENTRIES])
def test_case(
    folder: Path, case: Case, engine: Engine, read: dict[tuple[Path, str | None], DocumentIndex]
) -> None:
    password = None if case["id"] == LOCKED else case.get("password")
    key = (folder / "pdfs" / f"{case['doc']}.pdf", password)
    try:
        if key not in read:
            read[key] = read_index(*key, engine.models, engine.settings)
        given = answer_json(case["id"], answer(Request(case["question"], (read[key],)), engine))
    except LoadError as error:
        given = {"status": error.outcome.value, "message": error.message}
    if wrong := fault(case, given):
        pytest.fail(f"{case['question']} {wrong}", pytrace=False)
