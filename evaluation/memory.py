"""Memory of the running app, and which room costs what.

``python -m evaluation.memory FILE [--wait 60] [--out R.json]`` starts the app, uploads FILE in Chromium, waits until it
is indexed, waits ``--wait`` seconds more and counts the PSS of the app's process tree (the browser is not part of it);
then asks a question and counts again. ``--rooms`` instead loads one room after the other in one process and shows what
each adds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from evaluation.process_memory import process_mb, tree, watch
from src.settings import ROOT

BROWSER = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
QUESTION = "What is this document about?"
INDEX_SECONDS = 900
STILL_SECONDS = 3
LOG = ROOT / "out" / "app.log"


@contextmanager
def running_app() -> Iterator[tuple[str, int]]:
    """The app as ``scripts/run.py`` starts it: its address and the server's process id; its log goes to ``out/app.log``."""
    command = [sys.executable, str(ROOT / "scripts" / "run.py"), "--headless"]
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("wb") as log:  # not a pipe: one that nobody reads stops the server once it is full
        script = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT)
    try:
        while (found := re.search(r"http://127\.0\.0\.1:\d+", LOG.read_text(errors="replace"))) is None:
            if script.poll() is not None:
                raise SystemExit(f"The app did not start: {LOG.read_text(errors='replace')[-600:]}")
            time.sleep(0.1)
        address = found[0]
        server = tree(script.pid)[1]
        yield address, server.pid
    finally:
        script.terminate()
        script.wait(timeout=30)


def count(pid: int) -> dict[str, Any]:
    """PSS of each process of the tree and in all."""
    parts = {}
    for process in tree(pid):
        with suppress(psutil.NoSuchProcess):  # a reading process that has just ended
            parts[f"{process.pid} {' '.join(process.cmdline()[:4])[-60:]}"] = process_mb(process.pid)
    return {
        "total_mb": round(sum(parts.values()), 1),
        "processes": {k: round(v, 1) for k, v in parts.items()},
    }


def settled(pid: int) -> dict[str, Any]:
    """The count once it stands still: weights are loaded behind the first drawing of the page."""
    last = count(pid)
    while True:
        time.sleep(STILL_SECONDS)
        now = count(pid)
        if abs(now["total_mb"] - last["total_mb"]) < 1:
            return now
        last = now


def measure(path: Path, wait: float) -> dict[str, Any]:
    """Upload, index, wait, count; ask, wait, count."""
    from playwright.sync_api import sync_playwright

    with running_app() as (address, pid), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER)
        page = browser.new_page()
        page.goto(address)
        page.locator('input[type="file"]').first.wait_for(state="attached", timeout=60_000)
        result: dict[str, Any] = {"file": path.name, "empty": settled(pid)}
        with watch(pid, 0.25) as peak:
            page.locator('input[type="file"]').first.set_input_files(str(path))
            page.get_by_text(re.compile(r"^\d[\d,]* pages?( ·|$)")).first.wait_for(
                timeout=1000 * INDEX_SECONDS
            )
            result["indexing_peak_mb"] = round(peak.mb, 1)
            time.sleep(wait)
        result["indexed"] = count(pid)
        page.get_by_test_id("stChatInputTextArea").fill(QUESTION)
        page.keyboard.press("Enter")
        page.locator(".de-actions").first.wait_for(timeout=60_000)
        time.sleep(wait)
        result["asked"] = count(pid)
        browser.close()
    return result


def rooms(path: Path) -> dict[str, float]:
    """MB that each room adds to a process that loads them one after the other and asks one question."""
    shares: dict[str, float] = {}
    before = process_mb(os.getpid())
    shares["python, this script"] = before

    def note(name: str) -> None:
        nonlocal before
        gc.collect()
        now = process_mb(os.getpid())
        shares[name], before = now - before, now

    import streamlit.web.bootstrap  # noqa: F401

    note("streamlit")
    from src import agent, headless
    from src.chunker import chunk_document
    from src.index import build_index, embed_index
    from src.models import load_models
    from src.settings import read_settings

    settings = read_settings()
    note("code of all rooms, numpy, faiss, onnxruntime, openai")
    document = headless.read_document(path.read_bytes(), path.name, settings)
    note("the document: text and character boxes")
    models = load_models(settings)
    note("models loaded")
    index = build_index(document, chunk_document(document, settings), models, settings)
    note("chunks, keywords, static vectors")
    for snapshot in embed_index(index, models):
        index = snapshot
    note("sentence vectors, and the embedder's working memory")
    engine = agent.make_engine(settings, models)
    agent.answer(agent.Request(QUESTION, (index,)), engine)
    note("a question: the reranker's working memory")
    engine.close()
    return {name: round(mb, 1) for name, mb in shares.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="evaluation.memory", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--wait", type=float, default=60, help="seconds between the end of work and the count"
    )
    parser.add_argument("--rooms", action="store_true", help="what each room adds, in one process")
    parser.add_argument("--out", type=Path, help="where the result is written")
    options = parser.parse_args(argv)
    result = rooms(options.file) if options.rooms else measure(options.file, options.wait)
    text = json.dumps(result, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
