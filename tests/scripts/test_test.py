"""``scripts/test.py`` hands its arguments to pytest and gives pytest's status back."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def _run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = project / "scripts" / "test.py"
    return subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, timeout=60)


def test_arguments_and_status_pass_through(ready_project: Path) -> None:
    (ready_project / "test_it.py").write_text("def test_a(): pass\n\ndef test_b(): assert False\n")
    both = _run(ready_project)
    assert both.returncode == 1
    assert "1 failed, 1 passed" in both.stdout
    one = _run(ready_project, "-q", "-k", "test_a")
    assert one.returncode == 0
    assert "1 passed, 1 deselected" in one.stdout


def test_all_adds_the_groups_that_the_default_leaves_out(ready_project: Path) -> None:
    (ready_project / "pytest.ini").write_text(
        "[pytest]\naddopts = -m 'not weights'\nmarkers =\n  weights: w\n  browser: b\n  corpus: c\n"
    )
    (ready_project / "test_it.py").write_text(
        "import pytest\n\n@pytest.mark.weights\ndef test_a(): pass\n\ndef test_b(): pass\n"
    )
    assert "1 passed, 1 deselected" in _run(ready_project).stdout
    assert "2 passed" in _run(ready_project, "--all").stdout
