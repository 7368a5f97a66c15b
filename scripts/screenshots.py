"""Take the README's screenshots from the real page: ``python scripts/screenshots.py``.

It needs what the tests need (requirements-test.txt, and Chromium on the machine) and writes docs/screenshots/*.png.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tests.browser.conftest import ARGUMENTS, PATIENCE, ask, chromium, running_app  # noqa: E402

TARGET = ROOT / "docs" / "screenshots"
QUESTION = "How many loans of audiobooks were there in 2025?"


def shoot(page: Page, name: str) -> None:
    """One picture, once fonts and page images have settled."""
    page.wait_for_timeout(1200)
    page.mouse.move(5, 5)
    page.screenshot(path=str(TARGET / f"{name}.png"))


def visit(browser: Browser, url: str, scheme: str, width: int, height: int) -> Page:
    """The sample, asked, with the cited row marked."""
    page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url)
    page.get_by_role("button", name="Try it with a sample").click()
    page.wait_for_selector(".suggestions button")
    ask(page, QUESTION)
    page.locator(".de-answer > .prose a.cite").first.click()
    page.wait_for_selector(".mark.cited", state="attached")
    return page


def main() -> None:
    """Start the app, take the pictures, stop it."""
    TARGET.mkdir(parents=True, exist_ok=True)
    executable = chromium()
    if executable is None:
        sys.exit("No Chromium on this machine: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder)) as app,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable, headless=True, args=ARGUMENTS)
        shoot(visit(browser, app.url, "light", 1280, 760), "answer-light")
        shoot(visit(browser, app.url, "dark", 1280, 760), "answer-dark")
        shoot(visit(browser, app.url, "light", 400, 760), "phone")
        browser.close()


if __name__ == "__main__":
    main()
