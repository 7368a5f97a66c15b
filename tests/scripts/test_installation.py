"""The set-up: a virtual environment made, kept, mended; faults told in a sentence."""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

import installation
import pytest
from installation import SetUpError, ensure, is_ready, venv_python

from src.settings import ROOT


def _imports(root: Path, module: str) -> bool:
    return subprocess.run([venv_python(root), "-c", f"import {module}"], capture_output=True).returncode == 0


@pytest.mark.setup
def test_ensure_installs_then_is_quick_then_follows_changes_and_mends(
    project: Path, wheel: Path, no_index: None
) -> None:
    elsewhere = (
        project / "elsewhere"
    )  # a link to an environment that does not run: the link goes, nothing else
    elsewhere.mkdir()
    (elsewhere / "keep").touch()
    (project / ".venv").symlink_to(elsewhere)
    ensure("requirements.txt", project)
    assert not (project / ".venv").is_symlink()
    assert (elsewhere / "keep").exists()
    assert is_ready("requirements.txt", project)
    assert not _imports(project, "tinypart")

    start = time.perf_counter()
    ensure("requirements.txt", project)
    assert time.perf_counter() - start < 2

    (project / "requirements.txt").write_text(f"tinypart @ {wheel.as_uri()}\n")
    assert not is_ready("requirements.txt", project)
    ensure("requirements-test.txt", project)
    assert _imports(project, "tinypart")
    assert is_ready("requirements.txt", project), "the test requirements take in the app's"

    (project / ".venv" / "installing").touch()  # an installation cut off may leave half a package
    (project / "requirements.txt").write_text("")
    ensure("requirements.txt", project)
    assert is_ready("requirements.txt", project)
    assert not _imports(project, "tinypart"), "the environment was made anew"


def test_ensure_says_that_the_index_is_out_of_reach(ready_project: Path, no_index: None) -> None:
    (ready_project / "requirements.txt").write_text("no-such-package-of-docengine==1.0\n")
    with pytest.raises(SetUpError, match="package index could not be reached"):
        ensure("requirements.txt", ready_project)
    assert not (ready_project / ".venv" / "installing").exists(), (
        "nothing was installed: the environment is whole"
    )


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
        ),
        ("WARNING: Retrying after connection broken by 'NewConnectionError(...)'", "could not be reached"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "certificate"),
        ("ERROR: No matching distribution found for onnxruntime>=1.23", "onnxruntime>=1.23"),
        ("The virtual environment was not created because ensurepip is not available.", "venv module"),
        ("error: [Errno 13] Permission denied: '/x/.venv'", "cannot be written"),
        ("Something nobody has seen", "Something nobody has seen"),
    ],
)
def test_explain_turns_output_into_a_sentence(output: str, sentence: str) -> None:
    explained = installation.explain("Collecting streamlit\n" + output + "\n")
    assert sentence in explained
    assert "\n" not in explained


def test_find_python_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "candidates", lambda: [["old"]])
    monkeypatch.setattr(installation, "probe", lambda command: ((3, 9), []))
    with pytest.raises(SetUpError, match=r"needs Python 3\.11, 3\.12 or 3\.13"):
        installation.find_python()
    monkeypatch.setattr(installation, "_system", lambda: "debian")
    monkeypatch.setattr(installation, "probe", lambda command: ((3, 12), ["ensurepip"]))
    with pytest.raises(SetUpError, match=r"sudo apt install python3\.12-venv"):
        installation.find_python()


def test_find_python_passes_over_one_that_lacks_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"bare": ((3, 12), ["ensurepip"]), "new": ((3, 14), []), "whole": ((3, 13), [])}
    monkeypatch.setattr(installation, "candidates", lambda: [[name] for name in found])
    monkeypatch.setattr(installation, "probe", lambda command: found[command[0]])
    assert installation.find_python() == ["whole"]


def test_probe_reads_the_running_python() -> None:
    assert installation.probe([sys.executable]) == (sys.version_info[:2], [])
    assert installation.probe(["/no/such/python"]) is None


@pytest.mark.parametrize("script", ["installation.py", "run.py", "test.py", "ask.py"])
def test_scripts_parse_on_old_pythons_and_use_the_standard_library(script: str) -> None:
    tree = ast.parse((ROOT / "scripts" / script).read_text(encoding="utf-8"), feature_version=(3, 6))
    names = {
        name.split(".")[0]
        for node in tree.body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert names <= sys.stdlib_module_names | {"installation"}
