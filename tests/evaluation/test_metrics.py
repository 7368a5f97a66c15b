"""Metrics worked out by hand on small examples."""

from __future__ import annotations

import pytest

from evaluation.metrics import Ratio, answer_values, compare, retrieval_values, rouge_l, summarise
from evaluation.questions import Question

QUESTION = Question(
    "a", "doc", "How much?", pages=frozenset({3, 4}), evidence=("the fee is 40",), answer="40 crowns"
)


def _answer(
    text: str, *citations: tuple[list[int], str, bool], status: str = "answered"
) -> dict[str, object]:
    return {
        "status": status,
        "answer": text,
        "citations": [
            {"pages": pages, "quote": quote, "verified": verified} for pages, quote, verified in citations
        ],
    }


def test_retrieval_counts_pages_any_and_all_and_evidence() -> None:
    ranked = [([1], "nothing"), ([3], "here: The fee is 40"), ([4, 5], "the fee is\n40 crowns")]
    values = {name: ratio.above for name, ratio in retrieval_values(QUESTION, ranked).items()}
    assert values == {
        "page_hit@1": 0,
        "page_hit@3": 1,
        "page_hit@8": 1,
        "page_mrr": 0.5,
        "all_pages_hit@1": 0,
        "all_pages_hit@3": 1,
        "all_pages_hit@8": 1,
        "evidence_hit@1": 0,
        "evidence_hit@3": 1,
        "evidence_hit@8": 1,
        "evidence_mrr": pytest.approx(1 / 3),  # "The" is not "the"
    }


def test_evidence_counts_in_the_first_thousand_characters_only() -> None:
    text = "the fee is 40"
    assert QUESTION.is_evidence("x" * 987 + text)
    assert not QUESTION.is_evidence("x" * 988 + text)


def test_evidence_is_compared_without_white_space_carets_and_kinds_of_dashes() -> None:
    question = Question("a", "doc", "?", evidence=("10^-8 of the ﬁrst",))
    assert question.shown_in("about 10−8  of\nthe first kind")
    assert not question.shown_in("about 10-9 of the first kind")


def test_unanswerable_questions_have_no_retrieval_metrics() -> None:
    assert retrieval_values(Question("a", "d", "?", kind="unanswerable"), [([1], "x")]) == {}


def test_answer_metrics_of_an_answer_with_one_wrong_citation() -> None:
    answer = _answer("It is 40 [p. 3].", ([3], "the fee is 40", True), ([9, 10], "other", False))
    values = answer_values(QUESTION, answer)
    assert values["wrong_refusals"] == Ratio(0)
    assert values["evidence_shown"] == Ratio(1), "the quote shows it"
    assert values["cites_right_page"] == Ratio(1)
    assert values["citation_precision"] == Ratio(1, 2)
    assert values["verified"] == Ratio(1, 2)
    assert values["numbers_kept"] == Ratio(1, 1)


def test_answer_metrics_of_refusals() -> None:
    wrong = answer_values(QUESTION, _answer("Not found in the document.", status="not_found"))
    assert wrong["wrong_refusals"] == Ratio(1)
    assert wrong["evidence_shown"] == wrong["cites_right_page"] == Ratio(0)
    assert wrong["rouge_l"] == Ratio(0)
    right = answer_values(
        Question("b", "d", "?", kind="unanswerable"),
        _answer("Not found in the document.", status="not_found"),
    )
    assert right == {"right_refusals": Ratio(1)}


def test_rouge_l_is_the_longest_common_subsequence() -> None:
    assert rouge_l("the cat sat on the mat", "the cat lay on a mat") == pytest.approx(2 * 4 / 12)
    assert rouge_l("40 crowns", "40 crowns [p. 3]") == 1
    assert rouge_l("40 crowns", "fifty") == 0


def test_summary_is_a_ratio_of_sums_by_kind_and_in_all_with_a_fixed_interval() -> None:
    results = [("table", {"m": Ratio(1, 1)}), ("table", {"m": Ratio(0, 3)}), ("lexical", {"m": Ratio(2, 2)})]
    summary = summarise(results)
    assert summary["all"]["m"]["value"] == 0.5
    assert summary["table"]["m"]["value"] == 0.25
    assert summary["lexical"]["m"] == {"value": 1.0, "low": 1.0, "high": 1.0, "n": 1.0}
    assert summary["all"]["m"]["low"] < 0.5 < summary["all"]["m"]["high"]
    assert summarise(results) == summary


def test_bootstrap_interval_of_a_coin_has_the_width_of_the_normal_one() -> None:
    summary = summarise([("", {"m": Ratio(i % 2)}) for i in range(400)])["all"]["m"]
    assert summary["low"] == pytest.approx(0.5 - 1.96 * 0.025, abs=0.006)
    assert summary["high"] == pytest.approx(0.5 + 1.96 * 0.025, abs=0.006)


def test_comparison_is_paired() -> None:
    first = {str(i): {"m": Ratio(i % 2)} for i in range(100)}
    second = {str(i): {"m": Ratio(1 if i < 10 else i % 2)} for i in range(100)}
    entry = compare(first, second)["m"]
    assert entry["difference"] == pytest.approx(0.05)
    assert entry["low"] > 0, "an unpaired interval of 100 coins would be about 0.2 wide"
    assert entry["n"] == 100
    assert compare(first, first)["m"]["p"] == 1
