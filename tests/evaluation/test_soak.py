"""The sitting's questions come from the files in turn, and growth is measured against warmed-up memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.soak import FLAT, growth, suggested
from src.settings import ROOT


def test_growth_leaves_the_warming_up_out() -> None:
    flat = [300, 360, 400, 401, 402, 400, 403, 401, 402, 400]
    assert growth(flat) == pytest.approx(0.0, abs=0.01)
    leaking = [400 + 20 * i for i in range(20)]
    assert growth(leaking) > FLAT


def test_questions_of_the_files_are_asked_over_again() -> None:
    sample = ROOT / "assets" / "harbour-library-report.pdf"
    asked = suggested([sample, Path(sample)], 40)
    assert len(asked) == 40
    assert asked[0] == asked[1], "each file is asked in turn"
    assert len(set(asked)) >= 5
