import numpy as np

from src.retriever.fusion import FEATURES, HINT, OF_ALL, Places, places, rrf_scores, second_scores
from src.retriever.signals import LATER, Signals
from src.retriever.weights import CHOICE, ORDER


def test_places_count_from_one_in_reading_order_on_ties() -> None:
    scores = np.array([1.0, 3.0, 3.0, np.nan], dtype=np.float32)
    assert places(scores, ~np.isnan(scores)).tolist() == [3, 1, 2, 0]


def test_every_weight_belongs_to_a_feature() -> None:
    for row in CHOICE.values():
        assert set(row) <= set(OF_ALL)
    for row in ORDER.values():
        assert set(row) <= set(FEATURES)


def test_the_cross_encoder_moves_what_it_read_and_leaves_tables_where_they_were() -> None:
    first = np.array([3.0, 2.9, 2.8], dtype=np.float32)
    logits = np.array([-9.0, np.nan, 6.0], dtype=np.float32)
    assert np.argsort(-second_scores(first, logits)).tolist() == [2, 1, 0]
    unread = np.full(3, np.nan, dtype=np.float32)
    assert second_scores(first, unread).tolist() == first.tolist()


def test_reciprocal_rank_fusion_adds_one_over_sixty_and_the_place() -> None:
    zeros = np.zeros(3, dtype=np.float32)
    hint = np.array([0, 0, 1], dtype=np.float32)
    numbers = dict.fromkeys(
        ("keyword", "shared", "static", "semantic", "card", "card_static", "facet", *LATER), zeros
    )
    signals = Signals(offsets=(0,), hint=hint, table=zeros.astype(bool), **numbers)
    ranked = Places(np.array([1, 2, 0]), np.array([2, 1, 3]), np.array([0, 1, 0]))
    wanted = [1 / 61 + 1 / 62, 1 / 62 + 2 / 61, 1 / 63 + HINT]
    np.testing.assert_allclose(rrf_scores(signals, ranked), wanted, rtol=1e-6)


def test_an_empty_pool() -> None:
    empty = np.zeros(0, dtype=np.float32)
    assert second_scores(empty, empty).shape == (0,)
