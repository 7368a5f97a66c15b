"""The real app in a process of its own, driven in Chromium. Nothing outside 127.0.0.1 may be asked for anything.

Screenshots go to out/screenshots. Every test fails on an error in the browser's console or in the app's log.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from evaluation.soak import ANSWERED, ANSWERS
from src.settings import ROOT

SCREENSHOTS = ROOT / "out" / "screenshots"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000


@dataclass
class App:
    """A running app: its address and what it has logged."""

    url: str
    process: subprocess.Popen[bytes]
    log_file: Path

    @property
    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace")


@contextmanager
def running_app(folder: Path, script: str = "app.py", **environment: str) -> Iterator[App]:
    """The app on a free port, with nothing of the caller's own settings."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DOCENGINE_", "OPENAI_", "TAVILY_"))}
    log_file = folder / f"app-{port}.log"
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true"]
    command += ["--server.port", str(port), "--server.address", "127.0.0.1"]
    with log_file.open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT, env=kept | environment, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(lambda: _healthy(url), 60)
        yield App(url, process, log_file)
    finally:
        process.terminate()
        process.wait(timeout=20)


def chromium() -> str | None:
    """The Chromium of this machine."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _wait(condition: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the app did not start"
        time.sleep(0.1)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with running_app(tmp_path_factory.mktemp("app")) as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, headless=True, args=ARGUMENTS)
        yield browser
        browser.close()


class Visits:
    """Opens pages for a test and watches them."""

    def __init__(self, browser: Browser, name: str) -> None:
        self.browser = browser
        self.name = name
        self.contexts: list[BrowserContext] = []
        self.pages: list[Page] = []
        self.problems: list[str] = []
        self.outside: list[str] = []

    def open(
        self,
        app: App,
        *,
        width: int = 1440,
        height: int = 900,
        scheme: str = "light",
        path: str = "/",
        **options: Any,
    ) -> Page:
        """A fresh browser (no cookies) on the app's page."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True, **options
        )
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app.url)
        self.contexts.append(context)
        page = context.new_page()
        self.watch(page, app)
        page.goto(app.url + path)
        page.wait_for_selector("[data-testid=stFileUploader], [data-testid=stChatInput]")
        return page

    def watch(self, page: Page, app: App) -> None:
        """Keep errors of the console, and stop what goes elsewhere."""
        host = urlsplit(app.url).netloc

        def guard(route: Route) -> None:
            if urlsplit(route.request.url).netloc not in (host, ""):
                self.outside.append(route.request.url)
                route.abort()
            else:
                route.continue_()

        page.route("**/*", guard)
        page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        page.on(
            "console",
            lambda message: self.problems.append(message.text) if message.type == "error" else None,
        )
        self.pages.append(page)

    def shoot(self, page: Page, title: str = "") -> Path:
        """A screenshot for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        target = SCREENSHOTS / f"{self.name}{'-' + title if title else ''}.png"
        page.screenshot(path=str(target))
        return target

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def visits(browser: Browser, app: App, request: pytest.FixtureRequest) -> Iterator[Visits]:
    name = request.node.name.removeprefix("test_").replace("[", "-").replace("]", "")
    opened = Visits(browser, name)
    before = len(app.log)
    yield opened
    if opened.pages and not opened.pages[-1].is_closed():
        opened.shoot(opened.pages[-1], "end")
    opened.close()
    assert opened.outside == [], "the page asked another host for something"
    assert opened.problems == []
    assert "Traceback" not in app.log[before:], app.log[before:]


@pytest.fixture
def page(visits: Visits, app: App) -> Page:
    return visits.open(app)


# --- what a reader does ---------------------------------------------------------------------------------------


def upload(page: Page, *files: tuple[str, bytes]) -> None:
    """Choose files in the uploader that is shown."""
    page.locator("[data-testid=stFileUploaderDropzoneInput]").first.set_input_files(
        [{"name": name, "mimeType": "application/pdf", "buffer": data} for name, data in files]
    )


def askable(page: Page) -> None:
    """Wait until a question can be typed."""
    page.wait_for_selector("[data-testid=stChatInputTextArea]:not([disabled])")


def ask(page: Page, question: str) -> str:
    """Ask and wait for the finished answer; its text."""
    askable(page)
    before = page.evaluate(ANSWERS)
    page.fill("[data-testid=stChatInputTextArea]", question)
    page.keyboard.press("Enter")
    page.wait_for_function(ANSWERED, arg=before)
    answer = page.locator(".de-answer > .prose").last
    expect(answer).to_have_text(re.compile(r"\S"))
    return str(answer.inner_text())
