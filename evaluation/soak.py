"""A long sitting: does the app's memory stay flat, and the page quick, over many questions of several documents?

``python -m evaluation.soak FILE... [--questions 200] [--out R.json]`` starts the app, uploads all FILEs in Chromium,
waits until they are indexed, asks the questions that their own text suggests in turn, and opens the first citation of
each answer. Every tenth question the PSS of the app's process tree is counted (the browser is not part of it) and a
redraw of the page is timed. ``growth`` is the median of the last fifth of the counts against that of the second, when
weights and caches are warm; flat means at most 10%.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from collections.abc import Sequence
from itertools import chain, cycle, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.memory import BROWSER, INDEX_SECONDS, count, running_app
from src.headless import read_document
from src.introduction.suggestions import candidates
from src.settings import read_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

EVERY = 10
OF_ONE_FILE = 25
FLAT = 0.10
ANSWER_MS = 180_000
# Each exchange once: while answers move into a group they stand on the page twice for a moment.
ANSWERS = 'new Set([...document.querySelectorAll("article.answered")].map(a => a.dataset.exchange)).size'
ANSWERED = f"n => {ANSWERS} > n && !document.querySelector('article.waiting, .de-answer.running')"
# From the press of a button to the answer drawn anew by the server; the button itself answers at once.
REDRAW = """() => new Promise(done => {
    const button = () => [...document.querySelectorAll('[data-act=helpful]')].pop();
    const before = button();
    const started = performance.now();
    const look = () => button() !== before ? done(performance.now() - started) : setTimeout(look, 2);
    before.click();
    look();
})"""


def suggested(paths: Sequence[Path], number: int) -> list[str]:
    """``number`` questions of the files in turn, over again when they run out."""
    settings = read_settings().model_copy(update={"ocr": "off"})
    of_files = [
        [c.question for c in islice(candidates(read_document(p.read_bytes(), p.name, settings)), OF_ONE_FILE)]
        for p in paths
    ]
    asked = [question for question in chain(*zip_longest(*of_files)) if question]
    return list(islice(cycle(asked or ["What is this document about?"]), number))


def ask(page: Page, question: str) -> float:
    """Ask, wait for the answer, open its first citation; seconds until the answer stood."""
    from playwright.sync_api import TimeoutError

    field = page.locator("[data-testid=stChatInputTextArea]:not([disabled])")
    field.wait_for()
    before = page.evaluate(ANSWERS)
    started = time.monotonic()
    field.fill(question)
    field.press("Enter")
    try:
        page.wait_for_function(ANSWERED, arg=before, timeout=ANSWER_MS)
    except TimeoutError as error:
        shown = page.locator("body").inner_text()[-600:]
        raise SystemExit(f"No answer to {question!r}. The page ends with: {shown}") from error
    took = time.monotonic() - started
    cites = page.locator(".de-answer").last.locator(".prose a.cite")
    if cites.count():
        cites.first.click()
    return took


def growth(counts: Sequence[float]) -> float:
    """The last fifth of ``counts`` against the second, as a part of it."""
    fifth = max(1, len(counts) // 5)
    early, late = counts[fifth : 2 * fifth] or counts[:1], counts[-fifth:]
    return statistics.median(late) / statistics.median(early) - 1


def sit(paths: Sequence[Path], questions: Sequence[str]) -> dict[str, Any]:
    """Upload, ask, count."""
    from playwright.sync_api import sync_playwright

    counts: list[float] = []
    redraws: list[float] = []
    answers: list[float] = []
    with running_app() as (address, pid), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER)
        page = browser.new_page()
        page.set_default_timeout(1000 * INDEX_SECONDS)
        page.goto(address)
        page.locator('input[type="file"]').first.set_input_files([str(path) for path in paths])
        page.wait_for_function(
            "n => [...document.querySelectorAll('.status')].filter(s => /^[\\d,]+ pages?/.test(s.textContent)).length == n",
            arg=len(paths),
        )
        indexed = count(pid)["total_mb"]
        for number, question in enumerate(questions, start=1):
            answers.append(ask(page, question))
            if number % EVERY == 0:
                page.wait_for_timeout(1000)
                redraws.append(page.evaluate(REDRAW))
                counts.append(count(pid)["total_mb"])
                print(f"{number}: {counts[-1]:.0f} MB, redraw {redraws[-1]:.0f} ms", file=sys.stderr)
        browser.close()
    change = growth(counts)
    return {
        "files": [path.name for path in paths],
        "questions": len(questions),
        "indexed_mb": indexed,
        "counts_mb": counts,
        "growth": round(change, 4),
        "flat": change <= FLAT,
        "answer_s": round(statistics.median(answers), 2),
        "redraw_ms": [round(ms) for ms in redraws],
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Sit and print; exit status 1 when memory grew."""
    parser = argparse.ArgumentParser(prog="evaluation.soak", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--out", type=Path, help="where the result is written")
    options = parser.parse_args(argv)
    if options.questions < EVERY:
        parser.error(f"--questions must be at least {EVERY}, for one count of memory")
    result = sit(options.files, suggested(options.files, options.questions))
    text = json.dumps(result, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 0 if result["flat"] else 1


if __name__ == "__main__":
    sys.exit(main())
