"""Narrow and wide, light and dark, left to right and right to left, by keyboard, by axe, and with hostile words."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from src.settings import ROOT
from tests.browser.conftest import PATIENCE, App, Visits, ask, askable, running_app, upload
from tests.browser.pdfs import LEASE, made
from tests.openai_server import openai_server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

AXE = ROOT / "out" / "node" / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = (
    "The rent is ![pixel](http://evil.example/x.png) <img src=http://evil.example/y.png> <script>alert(1)</script> "
    ":red[840 euros] $x^2$ [click](http://evil.example/) **bold** www.evil.example [1]"
)


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, fetched once with npm."""
    if not AXE.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not on this machine, so axe-core cannot be installed")
        subprocess.run(
            [npm, "install", "--silent", "--no-save", "--prefix", str(AXE.parents[2]), "axe-core@4.10.3"],
            check=True,
        )
    return AXE.read_text(encoding="utf-8")


def serious(page: Page, axe: str) -> list[str]:
    """What axe finds that is serious or critical, with the first place of each."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{v['id']}: {v['help']} at {v['nodes'][0]['target']} {v['nodes'][0].get('failureSummary', '')}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]


def no_sideways_scrolling(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")
    too_wide = page.evaluate(
        "[...document.querySelectorAll('.st-key-chat-pane *, .st-key-first-minute *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('blockquote.rows'))"
        ".map(e => e.className || e.tagName)"
    )
    assert too_wide == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1440])
def test_it_fits_and_axe_finds_nothing_serious(
    visits: Visits, app: App, axe: str, width: int, scheme: str
) -> None:
    page = visits.open(
        app, width=width, height=800 if width < 500 else 900, scheme=scheme, reduced_motion="reduce"
    )
    visits.shoot(page, "empty")
    assert serious(page, axe) == []
    no_sideways_scrolling(page)
    page.get_by_role("button", name="Try it with a sample").click()
    askable(page)
    expect(page.locator(".suggestions button").first).to_be_visible(timeout=PATIENCE)
    visits.shoot(page, "introduction")
    ask(page, "How many loans of audiobooks were there in 2025?")
    page.get_by_text("How this was answered").last.click()
    visits.shoot(page, "answer")
    assert serious(page, axe) == []
    no_sideways_scrolling(page)
    page.locator(".de-answer > .prose a.cite").first.click()
    expect(page.locator(".mark.cited").first).to_be_visible(timeout=PATIENCE)
    visits.shoot(page, "citation")
    assert serious(page, axe) == []
    if width < 500:
        page.get_by_role("button", name="Back to the chat").click()
        expect(page.locator("[data-testid=stChatInputTextArea]")).to_be_visible(timeout=PATIENCE)


def test_at_twice_the_size_nothing_is_cut_off(visits: Visits, app: App) -> None:
    page = visits.open(app, width=720, height=450)  # 1440 x 900 at 200%
    upload(page, ("lease.pdf", LEASE))
    assert "840" in ask(page, "What is the monthly rent?")
    no_sideways_scrolling(page)
    expect(page.locator("[data-testid=stChatInputTextArea]")).to_be_in_viewport()
    chat = page.locator(".st-key-chat-pane").bounding_box()
    assert chat
    assert chat["width"] > 650, "the pages are not beside it: the chat has the whole width"


def test_long_words_do_not_break_the_layout(visits: Visits, app: App) -> None:
    page = visits.open(app, width=400, height=800)
    word = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft" * 2
    upload(page, (f"{word}.pdf", made(["Names", f"The company is called {word[:70]} since 1950."])))
    ask(page, f"What is called {word} {word}?")
    no_sideways_scrolling(page)


@pytest.mark.corpus
@pytest.mark.parametrize("width", [400, 1440])
def test_arabic_is_read_from_right_to_left(visits: Visits, app: App, axe: str, width: int) -> None:
    corpus = os.environ.get("DOCENGINE_CORPUS")
    if not corpus:
        pytest.skip("DOCENGINE_CORPUS is not set")
    page = visits.open(app, width=width, height=850)
    upload(page, ("arabic.pdf", (Path(corpus) / "documents" / "arabic-rtl.pdf").read_bytes()))
    answer = ask(page, "ما هي المكتبة التي تستخدم في Python لإدارة البيانات بكفاءة؟")
    assert "pandas" in answer
    visits.shoot(page, "answer")
    for place in (".question", ".de-answer > .prose p"):
        assert page.locator(place).last.evaluate("e => getComputedStyle(e).direction") == "rtl", place
    no_sideways_scrolling(page)
    assert serious(page, axe) == []
    page.locator(".de-answer > .prose a.cite").first.click()
    expect(page.locator(".mark.cited").first).to_be_visible(timeout=PATIENCE)
    assert page.locator(".citation .quote").evaluate("e => getComputedStyle(e).direction") == "rtl"
    page.get_by_role("button", name="Text of the page").click()
    words = page.get_by_label("Text of page 1")
    expect(words).to_contain_text("pandas", timeout=PATIENCE)
    assert words.evaluate("e => getComputedStyle(e).direction") == "rtl"
    visits.shoot(page, "page")


def test_hostile_words_of_a_model_stay_words(visits: Visits, tmp_path: Path) -> None:
    with (
        openai_server(HOSTILE) as server,
        running_app(
            tmp_path, OPENAI_BASE_URL=server.url, DOCENGINE_MODEL="m", DOCENGINE_UNSUPPORTED="mark"
        ) as own,
    ):
        page = visits.open(own)
        upload(page, ("![x](http:--evil.example-z.png) :red[a].pdf", LEASE))
        askable(page)
        page.fill(
            "[data-testid=stChatInputTextArea]", "What is the rent? ![q](http://evil.example/q.png) <b>x</b>"
        )
        page.keyboard.press("Enter")
        page.wait_for_selector(".de-actions")
        main = page.locator("[data-testid=stApp]")
        assert main.locator("img[src*='evil']").count() == 0
        assert main.locator("a[href*='evil']").count() == 0
        assert main.locator(".katex").count() == 0
        assert page.locator(".question b").count() == 0
        expect(page.locator(".question")).to_contain_text("<b>x</b>")
        visits.close()
    assert visits.outside == []


def test_the_keyboard_reaches_an_answer_and_its_page(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.locator("[data-testid=stChatInputTextArea]").focus()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.de-answer > .prose a.cite')"):
            break
    else:
        pytest.fail("the citation cannot be reached with the keyboard")
    page.keyboard.press("Enter")
    expect(page.locator('.page[data-page="2"] .mark.cited').first).to_be_visible(timeout=PATIENCE)
