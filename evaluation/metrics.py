"""Figures over questions: hits, ranks, citations, refusals, likeness to a known answer, each with its interval.

Every metric is a ratio of two sums over questions (a mean is the case of ones below the line), so that one
bootstrap serves them all: questions are drawn with replacement, seed fixed, and the ratio taken anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from evaluation.questions import Question

CUTOFFS = (1, 3, 8)
DRAWS = 2000
SEED = 20
INTERVAL = (2.5, 97.5)
SIMILAR = 0.8


class Ratio(NamedTuple):
    """What one question adds to a metric, above and below the line."""

    above: float
    below: float = 1.0


Values: TypeAlias = dict[str, Ratio]


# --- what one question is worth ----------------------------------------------------------------------------


def retrieval_values(
    question: Question, ranked: Sequence[tuple[Sequence[int], str]], cutoffs: Sequence[int] = CUTOFFS
) -> Values:
    """Metrics of one question for its passages, (pages, text) from the first on; empty for unanswerable ones.

    ``page_hit@k``: a gold page is among the pages of the first k passages. ``all_pages_hit@k``: every gold page
    is. ``evidence_hit@k``: one of the first k passages shows the evidence. MRR: one over the place of the first.
    """
    values: Values = {}
    if not question.answerable:
        return values
    if question.pages:
        right = [bool(question.pages & set(pages)) for pages, _ in ranked]
        values |= _hits("page", right, cutoffs)
        for k in cutoffs:
            found = {page for pages, _ in ranked[:k] for page in pages}
            values[f"all_pages_hit@{k}"] = Ratio(question.pages <= found)
    if question.evidence:
        values |= _hits("evidence", [question.is_evidence(text) for _, text in ranked], cutoffs)
    return values


def _hits(name: str, right: Sequence[bool], cutoffs: Sequence[int]) -> Values:
    values = {f"{name}_hit@{k}": Ratio(any(right[:k])) for k in cutoffs}
    values[f"{name}_mrr"] = Ratio(1 / (right.index(True) + 1) if True in right else 0.0)
    return values


def answer_values(question: Question, answer: Mapping[str, Any]) -> Values:
    """Metrics of one answer as ``evaluation.benchmark`` writes it.

    ``evidence_shown`` looks into the answer and its quotes. ``citation_precision`` is the share of citations with
    a gold page among their pages, ``verified`` the share whose quote was found. A refusal counts as no evidence
    and no right page; it has no citations to weigh.
    """
    refused = answer["status"] == "not_found"
    if not question.answerable:
        return {"right_refusals": Ratio(refused)}
    citations = answer["citations"]
    values: Values = {"wrong_refusals": Ratio(refused)}
    if question.evidence:
        shown = " ".join([answer["answer"], *(c["quote"] for c in citations)])
        values["evidence_shown"] = Ratio(not refused and question.shown_in(shown))
    if question.pages:
        right = [bool(question.pages & set(c["pages"])) for c in citations]
        values["cites_right_page"] = Ratio(any(right))
        values["citation_precision"] = Ratio(sum(right), len(right))
    values["verified"] = Ratio(sum(bool(c["verified"]) for c in citations), len(citations))
    if question.answer:
        values["rouge_l"] = Ratio(0.0 if refused else rouge_l(question.answer, answer["answer"]))
        values["numbers_kept"] = _numbers_kept(question.answer, "" if refused else answer["answer"])
    return values


def _numbers_kept(gold: str, text: str) -> Ratio:
    wanted, given = _numbers(gold), _numbers(text)
    return Ratio(len(wanted & given), len(wanted))


def _numbers(text: str) -> set[str]:
    return {found.replace(",", "").rstrip(".") for found in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def similarity_values(similarity: float) -> Values:
    """Metrics for the cosine between the embeddings of a given and a known answer."""
    return {
        "similarity": Ratio(similarity),
        f"similarity_over_{SIMILAR}": Ratio(similarity >= SIMILAR),
    }


def rouge_l(gold: str, text: str) -> float:
    """ROUGE-L F1 over lower-case words; page labels in square brackets do not count."""
    wanted = re.findall(r"\w+", gold.lower())
    given = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", " ", text).lower())
    row = [0] * (len(given) + 1)
    for word in wanted:
        before = 0
        for i, other in enumerate(given, start=1):
            before, row[i] = row[i], before + 1 if word == other else max(row[i], row[i - 1])
    common = row[-1]
    return 2 * common / (len(wanted) + len(given)) if common else 0.0


# --- over questions ----------------------------------------------------------------------------------------


def summarise(results: Iterable[tuple[str, Values]]) -> dict[str, dict[str, dict[str, float]]]:
    """Metrics of (kind, values) pairs: group -> metric -> value, low, high, n; the group "all" comes first."""
    groups: dict[str, list[Values]] = {"all": []}
    for kind, values in results:
        groups["all"].append(values)
        if kind:
            groups.setdefault(kind, []).append(values)
    summaries = {name: _summary(group) for name, group in groups.items()}
    return {name: summary for name, summary in summaries.items() if summary}


def _summary(group: Sequence[Values]) -> dict[str, dict[str, float]]:
    names = dict.fromkeys(name for values in group for name in values)
    summary = {}
    for name in names:
        ratios = np.array([values[name] for values in group if name in values], dtype=np.float64)
        if ratios[:, 1].sum() > 0:
            low, high = np.percentile(_draws(ratios), INTERVAL)
            entry = {
                "value": ratios[:, 0].sum() / ratios[:, 1].sum(),
                "low": low,
                "high": high,
                "n": len(ratios),
            }
            summary[name] = {key: round(float(number), 4) for key, number in entry.items()}
    return summary


def quantiles(values: Sequence[float]) -> dict[str, float]:
    """The 10th, 25th, 50th, 75th and 90th percentile."""
    return (
        {f"p{p}": round(float(np.percentile(values, p)), 4) for p in (10, 25, 50, 75, 90)} if values else {}
    )


def compare(first: Mapping[str, Values], second: Mapping[str, Values]) -> dict[str, dict[str, float]]:
    """Paired differences second minus first over the questions (by id) that both have, with intervals.

    ``p`` is the two-sided bootstrap probability of a difference of the other sign.
    """
    differences = {}
    names = dict.fromkeys(name for values in first.values() for name in values)
    for name in names:
        ids = [i for i, values in first.items() if name in values and name in second.get(i, {})]
        one = np.array([first[i][name] for i in ids], dtype=np.float64)
        two = np.array([second[i][name] for i in ids], dtype=np.float64)
        if not ids or not one[:, 1].sum() or not two[:, 1].sum():
            continue
        drawn = _draws(two) - _draws(one)
        low, high = np.percentile(drawn, INTERVAL)
        entry = {
            "difference": two[:, 0].sum() / two[:, 1].sum() - one[:, 0].sum() / one[:, 1].sum(),
            "low": low,
            "high": high,
            "p": min(1.0, 2 * min((drawn <= 0).mean(), (drawn >= 0).mean())),
            "n": len(ids),
        }
        differences[name] = {key: round(float(number), 4) for key, number in entry.items()}
    return differences


def _draws(ratios: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The ratio over each of ``DRAWS`` samples of the (n, 2) rows; the same samples for every call of one n."""
    picks = np.random.default_rng(SEED).integers(0, len(ratios), size=(DRAWS, len(ratios)))
    sums = ratios[picks].sum(axis=1)
    whole = ratios[:, 0].sum() / ratios[:, 1].sum()
    return np.divide(sums[:, 0], sums[:, 1], out=np.full(DRAWS, whole), where=sums[:, 1] > 0)
