"""The sample report in the repository is the one that its generator makes."""

from pathlib import Path

from assets.make_sample import TARGET, make


def test_the_sample_is_what_its_generator_writes(tmp_path: Path) -> None:
    make(tmp_path / "made.pdf")
    assert (tmp_path / "made.pdf").read_bytes() == TARGET.read_bytes()
