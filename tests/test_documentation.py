"""What the documents say is true of the code: settings, commands, files."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from src.settings import ROOT, Settings, environment_names

README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "evaluation/ACCURACY.md", "docs/ARCHITECTURE.md")
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")


def _default(field: str) -> str:
    value = Settings.model_fields[field].default
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize(("field", "name"), environment_names().items())
def test_each_setting_stands_in_the_example_file_with_its_default(field: str, name: str) -> None:
    found = re.search(rf"^# (.+)\n{name}=(.*)$", EXAMPLE, re.MULTILINE)
    assert found, f"add to .env.example: a comment that ends with the default in brackets, then {name}="
    assert found[2] == "", "a value here would hide a later change of the default"
    shown = re.search(r" \[([^\]]+)\]$", found[1])
    assert (shown[1] if shown else "") == _default(field)


@pytest.mark.parametrize(("field", "name"), environment_names().items())
def test_each_setting_stands_in_the_readme_with_its_default(field: str, name: str) -> None:
    found = re.search(rf"^\| `{name}` \| (.*?) \| .+ \|$", README, re.MULTILINE)
    assert found, f"add a row for {name} to the README's table of options"
    assert found[1].strip("` ") == _default(field)


def test_no_setting_is_documented_that_does_not_exist() -> None:
    known = set(environment_names().values())
    assert set(re.findall(r"^([A-Z_]+)=", EXAMPLE, re.MULTILINE)) == known
    for document in DOCUMENTS:
        named = set(re.findall(r"\bDOCENGINE_[A-Z_]+\b", (ROOT / document).read_text(encoding="utf-8")))
        assert named <= known | {"DOCENGINE_CORPUS"}, document


def _commands() -> list[tuple[str, str]]:
    found = []
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
            joined = block.replace("\\\n", " ")
            found += [
                (document, line.split("  #")[0].strip()) for line in joined.splitlines() if line.strip()
            ]
    return found


@pytest.mark.parametrize(("document", "command"), _commands())
def test_commands_name_files_and_options_that_exist(document: str, command: str) -> None:
    words = [word for word in shlex.split(command, comments=True) if "=" not in word or word.startswith("-")]
    if re.match(r"(\S*/)?(python3?|py)$", words[0]):
        if words[1] == "-m":
            target = ROOT / (words[2].replace(".", "/") + ".py")
            assert target.is_file() or words[2] in ("pip", "venv", "pytest"), command
            subcommand, options = words[3:4], words[3:]
        else:
            target, subcommand, options = ROOT / words[1], words[2:3], words[2:]
        if target.is_file():
            _assert_options(target, subcommand, options)
    elif words[0] == "bash" or words[0] == "cp":
        assert (ROOT / words[1]).is_file(), command
    elif words[:2] == ["streamlit", "run"]:
        assert (ROOT / words[2]).is_file(), command
    elif words[0] == "curl":
        assert words[-1].endswith(":8501/api/ask"), command
    else:
        assert words[0] in ("docker", "pip", "sudo", "brew", "git", "cd"), command


def _assert_options(script: Path, subcommand: list[str], options: list[str]) -> None:
    source = script.read_text(encoding="utf-8")
    strings = {n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)}
    passes_on = script.name == "test.py"
    for option in options:
        if option.startswith("--"):
            assert option.split("=")[0] in strings or passes_on, f"{script.name} has no {option}"
    if subcommand and "add_parser" in source:
        assert subcommand[0] in strings, f"{script.name} has no {subcommand[0]}"


def test_files_that_documents_link_to_exist() -> None:
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            if not target.startswith(("http://", "https://")):
                assert ((ROOT / document).parent / target).exists(), f"{document} links to {target}"


def test_the_ask_script_explains_itself() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "scripts" / "ask.py", "--help"], capture_output=True, text=True, timeout=60
    )
    assert run.returncode == 0, run.stderr
    assert {"--json", "--password"} <= set(re.findall(r"--\w+", run.stdout))


def test_the_image_holds_what_the_app_needs() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {"app.py", "src", "scripts", "requirements.txt", ".streamlit/config.toml"} <= kept
    dockerfile = (ROOT / "Dockerfile").read_text()
    started = re.findall(r'"run", "([\w/]+\.py)"', dockerfile)
    assert started
    assert set(started) <= kept, "the image would not hold what it starts"
    debian = set(re.findall(r"\btesseract-ocr[a-z-]*", dockerfile))
    assert debian == set((ROOT / "packages.txt").read_text().split()), "the hosted app would lack a language"
