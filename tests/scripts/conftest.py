"""A small project of the same shape, so that the set-up scripts run for real without installing DocEngine."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from src.settings import ROOT

sys.path.insert(0, str(ROOT / "scripts"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the real scripts, a one-line app and an empty requirements file."""
    root = tmp_path / "project with a space"
    (root / "scripts").mkdir(parents=True)
    for script in (ROOT / "scripts").glob("*.py"):
        shutil.copy(script, root / "scripts")
    (root / ".streamlit").mkdir()
    shutil.copy(ROOT / ".streamlit" / "config.toml", root / ".streamlit")
    (root / "requirements.txt").write_text("")
    (root / "requirements-test.txt").write_text("-r requirements.txt\n")
    (root / "serve.py").write_text("import streamlit as st\nst.write('hello')\n")
    return root


@pytest.fixture
def ready_project(project: Path) -> Path:
    """The small project with a virtual environment that sees the packages of the running one."""
    import installation

    base = getattr(sys, "_base_executable", sys.executable)
    subprocess.run([base, "-m", "venv", "--without-pip", str(project / ".venv")], check=True)
    python = installation.venv_python(project)
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    folder = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    (Path(folder) / "running.pth").write_text(sysconfig.get_path("purelib"))
    stamp = {
        name: installation.fingerprint(name, project)
        for name in ("requirements.txt", "requirements-test.txt")
    }
    installation.write_stamp(stamp, project)
    return project


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A real wheel of one module, ``tinypart``, that pip can install without a network."""
    path = tmp_path / "tinypart-1.0-py3-none-any.whl"
    members = {
        "tinypart.py": b"VALUE = 41\n",
        "tinypart-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: tinypart\nVersion: 1.0\n",
        "tinypart-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in members.items()
    )
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
        archive.writestr("tinypart-1.0.dist-info/RECORD", record + "tinypart-1.0.dist-info/RECORD,,\n")
    return path


@pytest.fixture
def no_index(monkeypatch: pytest.MonkeyPatch) -> None:
    """Point pip at an address of this machine where nothing listens."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
