"""Small files asked end to end: ``python -m evaluation.cases FOLDER [--split dev|test] [--quiet] [--out R.json]``.

A folder holds ``pdfs/`` and ``questions.jsonl``. A case is right when its status fits, a cited page is among its pages and
none among ``must_not_pages``, what it must hold stands in the answer or its quotes, and nothing that it must not say
stands in the answer. ``--quiet`` names no case, for the half that nobody who writes rules has read.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from src.agent import Engine, Request, answer, make_engine
from src.headless import answer_json, full_index, read_document
from src.index import DocumentIndex
from src.models import Models, load_models
from src.records import LoadError
from src.settings import Settings, settings

Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A case with what was given for it and what is wrong with that ("" for nothing)."""

    case: Case
    given: dict[str, Any]
    fault: str


def read_cases(folder: Path, split: str = "") -> list[Case]:
    """The cases of ``folder`` in order, those of one ``split`` where it is named."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    cases: list[Case] = [json.loads(line) for line in lines if line.strip()]
    return [case for case in cases if not split or case.get("split") == split]


def read_index(path: Path, password: str | None, models: Models, options: Settings) -> DocumentIndex:
    """The whole index of the file at ``path``. Raises LoadError."""
    document = read_document(path.read_bytes(), path.name, options, password=password)
    return full_index(document, models, options)


def ask_cases(folder: Path, cases: Sequence[Case], engine: Engine) -> Iterator[Asked]:
    """Every case asked; each file is read once."""
    read: dict[tuple[str, str | None], DocumentIndex] = {}
    for case in cases:
        key = case["doc"], case.get("password")
        try:
            if key not in read:
                path = folder / "pdfs" / f"{case['doc']}.pdf"
                read[key] = read_index(path, key[1], engine.models, engine.settings)
            given = answer_json(case["id"], answer(Request(case["question"], (read[key],)), engine))
        except LoadError as error:
            given = {"status": error.outcome.value, "message": error.message}
        yield Asked(case, given, fault(case, given))


def fault(case: Case, given: dict[str, Any]) -> str:
    """What is wrong with an answer as ``answer_json`` gives it, "" when nothing is."""
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


def _plain(text: str) -> str:
    folded = re.sub(r"[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text).lower())
    return re.sub(r"\s+", " ", folded)


def _share(asked: Sequence[Asked]) -> str:
    right = sum(not a.fault for a in asked)
    return f"{right} of {len(asked)} ({100 * right / len(asked):.1f}%)" if asked else "none"


def main(argv: list[str] | None = None) -> int:
    """Ask, and print how many were right, of those to be answered and of those to be refused."""
    parser = argparse.ArgumentParser(description="Ask small files end to end.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", choices=("dev", "test"), default="")
    parser.add_argument("--quiet", action="store_true", help="name no case")
    parser.add_argument("--out", type=Path, metavar="R.json")
    arguments = parser.parse_args(argv)
    options = settings()
    engine = make_engine(options, load_models(options))
    asked = []
    try:
        for one in ask_cases(arguments.folder, read_cases(arguments.folder, arguments.split), engine):
            asked.append(one)
            if one.fault and not arguments.quiet:
                print(f"{one.case['id']}: {one.case['question']} {one.fault}", flush=True)
    finally:
        engine.close()
    silent = [a for a in asked if a.case["status"] == "not_found"]
    refused = [a for a in asked if a.case["status"] == "answered" and a.given["status"] == "not_found"]
    print(
        f"right {_share(asked)}; refusals right {_share(silent)}; refused though answered there {len(refused)}"
    )
    if arguments.out:
        rows = [{"id": a.case["id"], "fault": a.fault} for a in asked]
        arguments.out.write_text(json.dumps(rows, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
