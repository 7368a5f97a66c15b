from evaluation.questions import Question
from evaluation.train_answering import example, read, report
from tests.answerer.made import passages_of
from tests.factories import document_from_text
from tests.fakes import word_models

DOCUMENT = document_from_text(
    "# Travel\n\nThe limit for a hotel is 120 euros a night. Trains are booked early.",
    "# Pay\n\nSalaries are paid on the last working day. Bonuses follow in spring.",
)
ASKED = (
    Question("q1", "days", "What is the limit for a hotel?", evidence=("120 euros",), kind="lexical"),
    Question("q2", "pay", "When are salaries paid?", evidence=("last working day",), kind="lexical"),
    Question("q3", "pay", "Who paints the submarine?", kind="unanswerable"),
)


def test_the_weights_in_use_are_told_beside_learned_ones(capsys) -> None:  # type: ignore[no-untyped-def]
    known = [read(q, passages_of(DOCUMENT), DOCUMENT, word_models()) for q in ASKED]
    weights = report(known)
    told = capsys.readouterr().out

    assert example(known[0]).right.sum() == 1
    assert weights["own"] > 0
    assert "cross-validated, evidence in the first / first three: all (2)" in told
    assert "refusals among 1 unanswerable / 2 answerable questions" in told
