"""The page viewer: turning, zooming, searching, text, thumbnails, outline, citations in turn; fast on long files."""

from __future__ import annotations

import base64
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from src.ui.envelope import sealed
from src.ui.viewing import PARTS, STATIC
from tests.browser.conftest import PATIENCE, App, Visits, ask, askable, upload
from tests.browser.pdfs import LEASE, long, made

LINES = ["More rules", *["Nothing is said here about money."] * 3]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def shown(page: Page, number: int) -> None:
    expect(page.get_by_label("Page number")).to_have_value(str(number), timeout=PATIENCE)
    expect(page.locator(f'.page[data-page="{number}"] img')).to_be_visible(timeout=PATIENCE)


def test_pages_turn_zoom_and_show_their_text(page: Page, visits: Visits) -> None:
    upload(page, ("lease.pdf", LEASE))
    shown(page, 1)
    page.get_by_role("button", name="Next page").click()
    shown(page, 2)
    page.get_by_label("Page number").fill("3")
    page.get_by_label("Page number").press("Enter")
    shown(page, 3)
    page.get_by_role("button", name="Previous page").click()
    shown(page, 2)
    sheet = page.locator('.page[data-page="2"] .sheet')
    fitted = sheet.bounding_box()
    page.get_by_role("button", name="Larger").click()
    larger = sheet.bounding_box()
    assert fitted
    assert larger
    assert larger["width"] > fitted["width"] * 1.05
    shown(page, 2)
    page.get_by_role("button", name="Fit the width").click()
    again = sheet.bounding_box()
    assert again
    assert again["width"] == pytest.approx(fitted["width"], abs=2)
    page.get_by_role("button", name="Text of the page").click()
    expect(page.get_by_label("Text of page 2")).to_contain_text(
        "The monthly rent is 840 euros", timeout=PATIENCE
    )
    visits.shoot(page, "text")


def test_the_keyboard_alone_turns_pages_and_searches(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    shown(page, 1)
    page.get_by_label("Pages of the document").focus()
    page.keyboard.press("ArrowRight")
    shown(page, 2)
    page.keyboard.press("End")
    shown(page, 3)
    page.keyboard.press("/")
    page.keyboard.type("DEPOSIT")
    page.keyboard.press("Enter")
    expect(page.locator(".mark.hit.now")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".search .found")).to_have_text("1 of 2")
    shown(page, 2)
    page.keyboard.press("Enter")
    expect(page.locator(".search .found")).to_have_text("2 of 2")
    page.keyboard.press("Escape")
    expect(page.locator(".mark.hit")).to_have_count(0, timeout=PATIENCE)


def test_a_long_document_scrolls_and_is_jumped_in_by_outline_and_thumbnails(
    page: Page, visits: Visits
) -> None:
    upload(page, ("long.pdf", long(600)))
    askable(page)
    shown(page, 1)
    page.get_by_role("button", name="Thumbnails and outline").click()
    page.locator(".entry", has_text="Part 300").first.click()
    shown(page, 300)
    expect(page.locator(".thumb").first).to_be_hidden()
    page.get_by_role("button", name="Thumbnails", exact=True).click()
    expect(page.locator(".entry").first).to_be_hidden()
    page.locator('.thumb[data-page="301"]').click()
    shown(page, 301)
    expect(page.locator('.thumb[data-page="301"] img[src]')).to_be_visible(timeout=PATIENCE)
    visits.shoot(page, "thumbnails")
    page.locator(".viewer .scroll").evaluate("scroll => { scroll.scrollTop = scroll.scrollHeight }")
    shown(page, 600)
    assert page.locator(".page.drawn").count() < 12, "only pages near the eye are kept drawn"


def test_the_page_of_a_quote_near_its_end_is_the_current_one(page: Page) -> None:
    filler = [f"Remark {n} concerns the garden and its trees." for n in range(36)]
    upload(
        page,
        (
            "rules.pdf",
            made(
                ["Rules", *filler, "The monthly rent is 840 euros and is due on the third working day."],
                LINES,
                LINES,
            ),
        ),
    )
    assert "840" in ask(page, "What is the monthly rent?")
    page.locator(".de-answer > .prose a.cite").first.click()
    expect(page.locator('.page[data-page="1"] .mark.cited').first).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(500)
    shown(page, 1)
    page.get_by_label("Pages of the document").evaluate("scroll => scroll.scrollBy(0, 150)")
    shown(page, 2)


def test_marks_of_a_search_go_as_soon_as_another_word_is_asked(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    shown(page, 1)
    page.get_by_label("Pages of the document").focus()
    page.keyboard.press("/")
    page.keyboard.type("DEPOSIT")
    page.keyboard.press("Enter")
    expect(page.locator(".mark.hit.now")).to_be_visible(timeout=PATIENCE)
    left = page.evaluate(
        """() => {
            const root = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.viewer')).shadowRoot;
            root.querySelector('.query').value = 'rent';
            root.querySelector('.search').requestSubmit();
            return root.querySelectorAll('.mark.hit').length;
        }"""
    )
    assert left == 0
    expect(page.locator(".mark.hit.now")).to_be_visible(timeout=PATIENCE)


def test_citations_are_walked_through_and_open_fast(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    ask(page, "How long is the notice period for the tenant?")
    links = page.locator(".de-answer > .prose a.cite")
    times = []
    for turn in range(6):
        page.locator(".viewer .scroll").evaluate("scroll => { scroll.scrollTop = 0 }")
        page.evaluate(
            """number => {
                const root = [...document.querySelectorAll('*')].find(e => e.shadowRoot?.querySelector('.viewer')).shadowRoot;
                const started = performance.now();
                window.took = 0;
                const look = () => {
                    const mark = root.querySelector(`.page[data-page="${number}"] .mark.cited`);
                    const image = root.querySelector(`.page[data-page="${number}"] img`);
                    if (mark && image?.complete) window.took = performance.now() - started;
                    else requestAnimationFrame(look);
                };
                document.querySelectorAll('.de-answer > .prose a.cite')[number === 2 ? 0 : 1].click();
                look();
            }""",
            2 if turn % 2 == 0 else 3,
        )
        page.wait_for_function("window.took > 0")
        times.append(page.evaluate("window.took"))
        time.sleep(0.3)
    assert links.count() >= 2
    print("citation click, ms:", [round(t) for t in times])
    assert min(times) < 300, times


def test_the_page_is_there_in_two_seconds_of_its_own_time(page: Page, visits: Visits, app: App) -> None:
    # The first page of the process loads its code; what counts is a visit to a running app.
    second = visits.open(app)
    took = second.evaluate("performance.now()")
    print("interactive, ms:", round(took))
    assert took < 6000, "three times the aim, for a loaded machine"


def cited(words: str) -> bytes:
    """What Python tells the viewer of a page with one citation that is ready to be shown."""
    citation = {"place": "p. 1", "words": words, "links": ["cite-m1-1"], "position": 0, "count": 1}
    return sealed(
        {
            "document": "d",
            "handled": 0,
            "raised": False,
            "name": "lease.pdf",
            "sizes": [[595, 842]],
            "labels": [""],
            "states": {},
            "outline": [],
            "failed": {},
            "thumbless": [],
            "texts": {},
            "target": {"nonce": 1, "page": 1, "link": ""},
            "marks": [],
            "citation": None,
            "ready": {"cite-m1-1": {"page": 1, "marks": [[1, 10, 10, 90, 20]], "citation": citation}},
            "search": None,
        },
        {"images": {}, "thumbs": {}},
    )


REMOUNTED = """
async ([source, packed]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: draw } = await import(url);
  const data = () => Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const asked = [];
  const mount = () => {
    const parentElement = document.createElement("div");
    document.body.append(parentElement);
    const end = draw({ parentElement, data: data(), setTriggerValue: (name, value) => asked.push(value) });
    return { parentElement, end };
  };
  const first = mount();
  const link = Object.assign(document.createElement("a"), { href: "#cite-m1-1", textContent: "[p. 1]" });
  document.body.append(link);
  link.click();
  first.end();
  const heard = asked.length;
  const second = mount();
  const strip = second.parentElement.querySelector(".citation");
  return {
    hidden: strip.hidden, words: strip.querySelector(".quote").textContent,
    again: asked.slice(heard).flatMap((a) => a.requests.map((r) => r.name)),
  };
}
"""


def test_a_citation_survives_a_viewer_that_is_taken_out_before_the_server_heard_of_it(
    browser: Browser,
) -> None:
    message = cited("Rent is due.")
    source = "\n".join((STATIC / "viewer" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    page = browser.new_page()
    try:
        page.goto("about:blank")
        found = page.evaluate(REMOUNTED, [source, base64.b64encode(message).decode()])
    finally:
        page.close()
    assert found["words"] == "Rent is due."
    assert not found["hidden"]
    assert "open" in found["again"]


UNFOLDED = """
async ([source, style, packed]) => {
  const { default: draw } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  document.body.append(Object.assign(document.createElement("style"), { textContent: style }));
  document.body.style.width = "480px";
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  draw({ parentElement, data: Uint8Array.from(atob(packed), (c) => c.charCodeAt(0)), setTriggerValue: () => {} });
  const link = Object.assign(document.createElement("a"), { href: "#cite-m1-1", textContent: "[p. 1]" });
  document.body.append(link);
  link.click();
  const quote = document.querySelector(".quote"), all = document.querySelector(".all");
  const hides = () => quote.scrollHeight - quote.clientHeight > 2;
  const folded = { hides: hides(), offered: all.checkVisibility() };
  if (folded.offered) all.click();
  return { folded, hidesAfter: hides() };
}
"""


@pytest.mark.parametrize("sentences", [1, 12])
def test_a_quote_that_does_not_fit_fades_and_can_be_unfolded(browser: Browser, sentences: int) -> None:
    source = "\n".join((STATIC / "viewer" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    style = (STATIC / "viewer.css").read_text(encoding="utf-8")
    page = browser.new_page()
    try:
        page.goto("about:blank")
        message = cited("The rent is due on the third day. " * sentences)
        found = page.evaluate(UNFOLDED, [source, style, base64.b64encode(message).decode()])
    finally:
        page.close()
    assert found["folded"] == {"hides": sentences > 1, "offered": sentences > 1}
    assert not found["hidesAfter"]


THUMBLESS = """
async ([source, style, packed]) => {
  const { default: draw } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  document.body.append(Object.assign(document.createElement("style"), { textContent: style }));
  const parentElement = document.createElement("div");
  parentElement.style.height = "400px";
  document.body.append(parentElement);
  const asked = [];
  const message = (changes) => {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4)));
    const head = new TextEncoder().encode(JSON.stringify({ ...header, ...changes }));
    const whole = new Uint8Array(4 + head.length);
    new DataView(whole.buffer).setUint32(0, head.length);
    whole.set(head, 4);
    return whole;
  };
  const redraw = (changes) =>
    draw({ parentElement, data: message(changes), setTriggerValue: (name, value) => asked.push(...value.requests) });
  const wanted = async (from) => {
    for (let i = 0; i < 200; i++) {
      const found = asked.slice(from).findLast((r) => r.name === "want" && r.value.thumbs.length);
      if (found) return found;
      await new Promise((done) => setTimeout(done, 10));
    }
  };
  redraw({});
  document.querySelector(".tool[aria-label^=Thumbnails]").click();
  const first = await wanted(0);
  const from = asked.length;
  redraw({ handled: first.nonce });
  const second = await wanted(from);
  redraw({ handled: second?.nonce, thumbless: [1] });
  const rest = asked.length;
  await new Promise((done) => setTimeout(done, 300));
  const third = asked.slice(rest).filter((r) => r.name === "want" && r.value.thumbs.length);
  return { first: first.value.thumbs, second: second?.value.thumbs, third };
}
"""


def test_thumbnails_that_did_not_arrive_are_asked_for_again_and_those_that_cannot_be_are_not(
    browser: Browser,
) -> None:
    source = "\n".join((STATIC / "viewer" / f"{part}.js").read_text(encoding="utf-8") for part in PARTS)
    style = (STATIC / "viewer.css").read_text(encoding="utf-8")
    page = browser.new_page()
    try:
        page.goto("about:blank")
        found = page.evaluate(THUMBLESS, [source, style, base64.b64encode(cited("Rent.")).decode()])
    finally:
        page.close()
    assert found == {"first": [1], "second": [1], "third": []}
