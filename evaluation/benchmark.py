"""Measures finding and answering over question files.

``python -m evaluation.benchmark retrieval --questions Q.jsonl --pdfs DIR [--k 8] [--out R.json]``
``python -m evaluation.benchmark answers --questions Q.jsonl --pdfs DIR --answerer extractive|llm [--budget USD]``

``--questions`` may be a folder of such files, ``--split dev`` takes a part of them, ``--cache DIR`` keeps sentence
vectors between runs, ``--compare OTHER.json`` adds the paired difference to an earlier result. Everything else is
configured as the app is, by environment variables; those in force are noted in the result.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.answering import Answering, BudgetError
from evaluation.collection import Collection
from evaluation.metrics import CUTOFFS, Ratio, Values, compare, quantiles, retrieval_values, summarise
from evaluation.questions import Question, QuestionFileError, read_questions, turns
from src.index import DocumentIndex
from src.memory import standalone
from src.models import load_models
from src.retriever import retrieve
from src.settings import Settings, SettingsError, environment_names, read_settings

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Result:
    """One question's entry of the result file and what it adds to the metrics."""

    question: Question
    entry: dict[str, Any]
    values: Values


def by_document(
    questions: Sequence[Question], collection: Collection, ask: Callable[[Question, DocumentIndex], Result]
) -> Iterator[Result]:
    """Results of ``ask``, document by document, so that one index is in memory at a time."""
    for index, asked in collection.each(questions):
        for question in asked:
            yield ask(question, index)


def find_passages(
    question: Question, index: DocumentIndex, *, collection: Collection, settings: Settings, k: int
) -> Result:
    """Ranked passages for one question; no model of language is called."""
    start = time.perf_counter()
    asked = standalone(question.question, turns(question))
    passages = retrieve(asked, [index], collection.models, settings, k=k).passages
    ms = 1000 * (time.perf_counter() - start)
    ranked = [{"pages": list(p.pages), "text": p.text, "score": float(p.score)} for p in passages]
    values = retrieval_values(question, [(p.pages, p.text) for p in passages], sorted({*CUTOFFS, k}))
    return Result(question, {"ranked": ranked, "ms": round(ms, 2)}, values)


def report(results: Iterable[Result], settings: Settings) -> dict[str, Any]:
    """The result file: questions, metrics by kind and in all, timings, the settings that differ from the default."""
    kept = list(results)
    if not kept:
        raise QuestionFileError("no question could be asked: see the messages above")
    times = [result.entry["ms"] for result in kept]
    return {
        "questions": [
            {
                "id": r.question.id,
                "doc": r.question.doc,
                "kind": r.question.kind,
                **r.entry,
                "values": {name: list(map(float, ratio)) for name, ratio in r.values.items()},
            }
            for r in kept
        ],
        "metrics": summarise((r.question.kind, r.values) for r in kept),
        "timings": {
            "p50_ms": _percentile(times, 50),
            "p95_ms": _percentile(times, 95),
            "questions": len(times),
        },
        "settings": changed_settings(settings),
    }


def _percentile(times: Sequence[float], percent: float) -> float:
    return round(float(np.percentile(times, percent)), 1)


def changed_settings(settings: Settings) -> dict[str, Any]:
    """Environment name -> value of what is not the default; secrets are left out."""
    defaults = Settings()
    return {
        name: getattr(settings, field)
        for field, name in environment_names().items()
        if getattr(settings, field) != getattr(defaults, field) and not name.endswith("_KEY")
    }


def difference(result: dict[str, Any], other: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Paired difference of two results, this one minus ``other``."""
    both = [
        {q["id"]: {name: Ratio(*pair) for name, pair in q["values"].items()} for q in each["questions"]}
        for each in (other, result)
    ]
    return compare(*both)


def table(groups: dict[str, dict[str, dict[str, float]]]) -> str:
    """Metrics as a Markdown table, groups as columns: value, interval, number of questions."""
    names = dict.fromkeys(name for group in groups.values() for name in group)
    lines = ["| metric | " + " | ".join(groups) + " |", "|---" * (len(groups) + 1) + "|"]
    for name in names:
        cells = [_cell(group[name]) if name in group else "-" for group in groups.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(entry: dict[str, float]) -> str:
    value = entry.get("value", entry.get("difference", 0.0))
    return f"{value:.3f} ({entry['low']:.3f} to {entry['high']:.3f}, n={entry['n']:.0f})"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line; a mistake in it ends the program with status 2."""
    parser = argparse.ArgumentParser(
        prog="evaluation.benchmark", description=(__doc__ or "").split("\n\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--questions", type=Path, required=True, help="a JSON-lines file, or a folder of them"
    )
    common.add_argument("--pdfs", type=Path, required=True, nargs="+", help="folders that hold the PDFs")
    common.add_argument("--split", default="", help="only questions of this split (dev, test)")
    common.add_argument("--out", type=Path, help="where the result is written")
    common.add_argument("--cache", type=Path, help="folder that keeps sentence vectors between runs")
    common.add_argument("--compare", type=Path, help="an earlier result to compare with")
    retrieval = commands.add_parser("retrieval", parents=[common], help="ranked passages; no language model")
    retrieval.add_argument("--k", type=int, default=8, help="passages a question")
    answers = commands.add_parser("answers", parents=[common], help="checked answers")
    answers.add_argument("--answerer", choices=["extractive", "llm"], default="extractive")
    answers.add_argument("--budget", type=float, metavar="USD", help="ask no more once so much is spent")
    return parser.parse_args(argv)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run what the command line asks for; returns the result."""
    settings = read_settings()
    if options.command == "answers":
        settings = settings.model_copy(update={"answerer": options.answerer})
    questions = read_questions(options.questions, split=options.split)
    collection = Collection(options.pdfs, load_models(settings), settings, options.cache)
    if options.command == "retrieval":
        ask = partial(find_passages, collection=collection, settings=settings, k=options.k)
        return report(by_document(questions, collection, ask), settings)
    answering = Answering(collection.models, settings, options.budget)
    try:
        results = list(
            until_spent(by_document(questions, collection, partial(give_answer, answering=answering)))
        )
    finally:
        answering.close()
    return report(results, settings) | {"spent_usd": answering.spent, "likeness": likeness(results)}


def give_answer(question: Question, index: DocumentIndex, *, answering: Answering) -> Result:
    """A checked answer to one question."""
    return Result(question, *answering.ask(question, index))


def until_spent(results: Iterator[Result]) -> Iterator[Result]:
    """The results up to the end of the budget."""
    try:
        yield from results
    except BudgetError as error:
        log.error("%s The figures are of the questions asked until then.", error)


def likeness(results: Iterable[Result]) -> dict[str, dict[str, float]]:
    """Quantiles of ROUGE-L and of semantic similarity to the known answer."""
    kept = list(results)
    return {
        name: quantiles([r.values[name].above for r in kept if name in r.values])
        for name in ("rouge_l", "similarity")
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the metrics as a table, write the result; returns the exit status."""
    options = parse(argv)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    logging.getLogger("evaluation").setLevel(logging.INFO)
    try:
        result = measure(options)
        if options.compare:
            result["difference"] = difference(result, json.loads(options.compare.read_text(encoding="utf-8")))
    except (BudgetError, QuestionFileError, SettingsError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if options.out:
        options.out.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    print(table(result["metrics"]))
    print(json.dumps(result["timings"]))
    if options.compare:
        print("\nDifference to", options.compare)
        print(table({"all": result["difference"]}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
