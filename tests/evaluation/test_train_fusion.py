import numpy as np
import pytest

from evaluation import train_fusion
from evaluation.questions import Question
from evaluation.train_fusion import Example, cross_validate, fit, place, right_chunks, without
from src.chunker import chunk_document
from src.index import build_index, embed_index
from src.settings import Settings
from tests.factories import document_from_text
from tests.fakes import word_models

DOCUMENT = document_from_text(
    "# Travel\n\nThe limit for a hotel is 120 euros a night.",
    "# Pay\n\nSalaries are paid on the last working day.",
)
QUESTION = Question("q1", "made", "What is the hotel limit?", pages=frozenset({1}), evidence=("120 euros",))


def made_examples(docs: int) -> list[Example]:
    """Questions whose right candidate is the one with the highest first feature; the second is noise."""
    generator = np.random.default_rng(1)
    examples = []
    for number in range(docs):
        features = generator.standard_normal((8, 2)).astype(np.float32)
        right = np.arange(8) == features[:, 0].argmax()
        examples.append(Example(Question(f"q{number}", f"doc{number}", "?"), features, right, False))
    return examples


def test_training_finds_the_feature_that_tells() -> None:
    weights = fit(made_examples(40))
    assert weights[0] > 1
    assert abs(weights[1]) < 0.3 * weights[0]


def test_every_question_is_judged_once_by_weights_of_other_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []
    examples = made_examples(20)
    monkeypatch.setattr(
        train_fusion, "fit", lambda used: seen.append({e.question.doc for e in used}) or fit(used)
    )
    judged = {question.id: found for question, found in cross_validate(examples)}
    assert len(judged) == 20
    assert np.mean([found == 1 for found in judged.values()]) > 0.8
    left_out = [{e.question.doc for e in examples} - docs for docs in seen]
    assert set.union(*left_out) == {e.question.doc for e in examples}
    assert sum(map(len, left_out)) == 20


def test_a_chunk_is_right_when_its_passage_shows_the_evidence_or_stands_on_the_page() -> None:
    models, settings = word_models(), Settings()
    index = build_index(DOCUMENT, chunk_document(DOCUMENT, settings), models, settings)
    assert right_chunks(QUESTION, index, 1000).tolist() == [True, False]
    by_page = Question("q2", "made", "?", pages=frozenset({2}))
    assert right_chunks(by_page, index, 1000).tolist() == [False, True]


def test_masked_signals_are_unknown() -> None:
    models, settings = word_models(), Settings()
    index = build_index(DOCUMENT, chunk_document(DOCUMENT, settings), models, settings)
    index = [index, *embed_index(index, models)][-1]
    signals = train_fusion.signals_of(QUESTION, index, models)
    assert not np.isnan(signals.semantic).any()
    assert np.isnan(without(signals, ["semantic"]).semantic).all()


def test_places() -> None:
    scores = np.array([0.1, 0.9, 0.5], dtype=np.float32)
    assert place(scores, np.array([True, False, True])) == 2
    assert place(scores, np.zeros(3, dtype=np.bool_)) == 0
