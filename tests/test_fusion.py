import numpy as np

from src.fusion import FEATURES, FIRST, places, second_scores


def test_places_count_from_one_in_reading_order_on_ties() -> None:
    scores = np.array([1.0, 3.0, 3.0, np.nan], dtype=np.float32)
    assert places(scores, ~np.isnan(scores)).tolist() == [3, 1, 2, 0]


def test_every_weight_belongs_to_a_feature() -> None:
    for row in FIRST.values():
        assert set(row) <= set(FEATURES)


def test_the_cross_encoder_moves_what_it_read_and_leaves_tables_where_they_were() -> None:
    first = np.array([3.0, 2.9, 2.8], dtype=np.float32)
    logits = np.array([-9.0, np.nan, 6.0], dtype=np.float32)
    assert np.argsort(-second_scores(first, logits)).tolist() == [2, 1, 0]
    unread = np.full(3, np.nan, dtype=np.float32)
    assert second_scores(first, unread).tolist() == first.tolist()


def test_an_empty_pool() -> None:
    empty = np.zeros(0, dtype=np.float32)
    assert second_scores(empty, empty).shape == (0,)
