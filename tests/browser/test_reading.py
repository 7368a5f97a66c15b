"""From a dropped PDF to a marked page, in the real browser."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, App, Visits, ask, askable, running_app, upload
from tests.browser.pdfs import LEASE, LINE, TOP, made, scanned

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def yellow_band(page: Page, number: int) -> tuple[float, float, float, float]:
    """Where the yellow of the mark stands on the image of a page: left, top, right, bottom as shares of it."""
    sheet = page.locator(f'.page[data-page="{number}"] .sheet')
    expect(sheet.locator(".mark.cited").first).to_be_visible(timeout=PATIENCE)
    sheet.locator("img").evaluate("image => image.decode()")
    image = Image.open(io.BytesIO(sheet.screenshot())).convert("RGB")
    places = [
        (x, y)
        for y in range(image.height)
        for x in range(image.width)
        if (p := image.getpixel((x, y))) and p[0] > 230 and p[1] > 190 and p[2] < 110
    ]
    assert places, "nothing on the page is yellow"
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs) / image.width, min(ys) / image.height, max(xs) / image.width, max(ys) / image.height


def test_a_dropped_pdf_is_asked_and_the_quoted_sentence_is_yellow_on_its_page(
    page: Page, visits: Visits
) -> None:
    upload(page, ("lease.pdf", LEASE))
    answer = ask(page, "How long is the notice period for the tenant?")
    assert "six weeks" in answer
    assert "[p. 3]" in answer
    visits.shoot(page, "answer")
    page.locator(".de-answer a.cite").first.click()
    left, top, right, bottom = yellow_band(page, 3)
    baseline = (TOP + LINE) / 842  # the second line of the page
    assert top < baseline < bottom + 0.01
    assert bottom - top < 0.04, "one line is marked, not a region"
    assert left == pytest.approx(70 / 595, abs=0.02)
    assert 0.5 < right < 0.85
    expect(page.get_by_label("Page number")).to_have_value("3")
    # Each passage says how it was found.
    page.get_by_text(re.compile("passages? it was answered from")).click()
    found = page.locator(".passages .found").first
    expect(found).to_be_visible()
    assert re.search(r"keywords: 1st", found.inner_text())
    assert "reranker:" in found.inner_text()


def test_an_answer_that_is_not_there_is_refused_without_sources(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    assert ask(page, "Who won the football world cup in 1990?") == "Not found in the document."
    expect(page.locator(".de-answer .prose a.cite")).to_have_count(0)
    expect(page.get_by_text("passages it was answered from")).to_have_count(0)


def test_unreadable_files_get_one_sentence_each_and_the_app_goes_on(page: Page, visits: Visits) -> None:
    upload(
        page,
        ("empty.pdf", b""),
        ("letter.pdf", b"Dear Sir, this is no PDF."),
        ("broken.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 8),
    )
    rows = page.locator(".status.error")
    expect(rows).to_have_count(3, timeout=PATIENCE)
    for words in rows.all_inner_texts():
        assert words.endswith(".")
        assert "Traceback" not in words
        assert "Error" not in words
    visits.shoot(page, "errors")
    upload(page, ("lease.pdf", LEASE))
    assert "840" in ask(page, "What is the monthly rent?")


def test_a_password_is_asked_for_and_a_wrong_one_is_said_so(page: Page) -> None:
    upload(page, ("vault.pdf", made(["The combination of the safe is 17-4-99."], password="sesame")))
    field = page.get_by_label("Password", exact=True)
    expect(field).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".status.error")).to_contain_text("password")
    field.fill("wrong")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.locator(".status.error")).to_contain_text("does not open", timeout=PATIENCE)
    page.get_by_label("Password", exact=True).fill("sesame")
    page.get_by_role("button", name="Open", exact=True).click()
    assert "17-4-99" in ask(page, "What is the combination of the safe?")


def test_reading_a_scan_is_ended_and_the_rest_is_read_later(page: Page, visits: Visits) -> None:
    upload(page, ("register.pdf", scanned(14)))
    line = page.locator(".reading")
    expect(line).to_contain_text("Still reading pages", timeout=PATIENCE)
    expect(line).to_contain_text("Answers do not know them yet")
    visits.shoot(page, "going-on")
    page.get_by_role("button", name="Stop reading", exact=True).click()
    expect(line).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".facts-line")).to_contain_text("not read", timeout=PATIENCE)
    expect(page.locator(".card .notes")).to_contain_text("were not read, because reading was stopped")
    visits.shoot(page, "stopped")
    page.get_by_role("button", name="Read the missing pages").click()
    expect(page.locator(".facts-line")).to_have_text(
        "14 pages; pages 1–14 read by OCR.", timeout=4 * PATIENCE
    )
    assert "1400" in ask(page, "Who is the pilot on duty of sheet 14?")


def test_a_document_is_read_again_with_ocr(page: Page, visits: Visits) -> None:
    upload(page, ("lease.pdf", LEASE))
    expect(page.locator(".facts-line")).to_have_text("3 pages; every page was read.", timeout=PATIENCE)
    page.get_by_role("button", name="Rename, read again or remove").click()
    visits.shoot(page, "menu")
    page.get_by_role("button", name="Read it again with OCR").click()
    page.keyboard.press("Escape")
    expect(page.locator(".facts-line")).to_have_text("3 pages; pages 1–3 read by OCR.", timeout=2 * PATIENCE)
    assert "840" in ask(page, "What is the monthly rent?")
    page.locator(".de-answer a.cite").first.click()
    yellow_band(page, 2)


def test_twenty_documents_at_once_can_be_asked_together_or_alone(page: Page) -> None:
    files = [
        (
            f"house-{n}.pdf",
            made([f"House number {n}", f"The front door of house {n} has the colour shade {n * 13}."]),
        )
        for n in range(1, 21)
    ]
    upload(page, *files)
    expect(page.locator(".document")).to_have_count(20, timeout=PATIENCE)
    page.wait_for_function(
        "[...document.querySelectorAll('.status')].filter(s => s.textContent.startsWith('1 page')).length == 20",
        timeout=2 * PATIENCE,
    )
    answer = ask(page, "Which colour shade has the front door of house 17?")
    assert "221" in answer
    assert "house-17.pdf" in answer, "with several documents an answer names the one it quotes"
    page.locator("[data-testid=stSelectbox] input").click()
    page.get_by_role("option", name="house-3.pdf").click()
    assert "39" in ask(page, "Which colour shade has the front door?")
    upload(page, ("one more.pdf", made(["One more."])))
    expect(page.get_by_text("20 documents are held already")).to_be_visible(timeout=PATIENCE)


def test_a_document_is_recognised_renamed_and_removed_with_its_answers(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    upload(page, ("the same again.pdf", LEASE))
    expect(page.get_by_text("is here already, as lease.pdf")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".document")).to_have_count(1)
    page.get_by_role("button", name="Rename, read again or remove").click()
    page.get_by_label("Name", exact=True).fill("Mill Street 7")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.locator(".document .name")).to_contain_text("Mill Street 7", timeout=PATIENCE)
    expect(page.locator(".viewer .title")).to_have_text("Mill Street 7")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Rename, read again or remove").click()
    page.get_by_role("button", name="Remove it and its answers").click()
    expect(page.get_by_role("button", name="Try it with a sample")).to_be_visible(timeout=PATIENCE)
    page.reload()
    expect(page.get_by_role("button", name="Try it with a sample")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".de-answer")).to_have_count(0)


def test_the_sample_introduces_itself_and_answers_what_it_suggests(
    page: Page, visits: Visits, app: App
) -> None:
    page.get_by_role("button", name="Try it with a sample").click()
    askable(page)
    suggestions = page.locator(".suggestions button")
    expect(suggestions.first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".card h2")).to_have_text("Harbour Library: Annual Report 2025")
    expect(page.locator(".facts-line")).to_have_text("4 pages; every page was read.")
    expect(page.locator(".card .prose p")).to_have_count(3, timeout=PATIENCE)
    expect(suggestions).to_have_count(4, timeout=PATIENCE)  # the first come before the tables are read
    visits.shoot(page, "introduction")
    for number in range(4):
        before = page.locator(".de-actions").count()
        suggestions.nth(number).click()
        page.wait_for_function(f"document.querySelectorAll('.de-actions').length > {before}")
        assert page.locator(".de-answer .state.quoted").count() == before + 1, (
            "a suggested question has an answer"
        )
    page.locator(".card a.cite").first.click()
    expect(page.locator(".mark.cited").first).to_be_visible(timeout=PATIENCE)


def test_the_api_answers_beside_the_page_from_the_same_process(visits: Visits, tmp_path: Path) -> None:
    with running_app(tmp_path, "serve.py", DOCENGINE_API_TOKEN="secret") as own:
        page = visits.open(own)
        expect(page.get_by_role("button", name="Try it with a sample")).to_be_visible(timeout=PATIENCE)
        upload(page, ("lease.pdf", LEASE))
        assert "840" in ask(page, "What is the monthly rent?")
        page.locator(".de-answer a.cite").first.click()
        yellow_band(page, 2)
        file = {"name": "lease.pdf", "mimeType": "application/pdf", "buffer": LEASE}
        form = {"question": "How much is the deposit?", "file": file}
        assert page.request.post(f"{own.url}/api/ask", multipart=form).status == 401
        reply = page.request.post(
            f"{own.url}/api/ask", multipart=form, headers={"Authorization": "Bearer secret"}
        )
        assert "1,680 euros" in reply.json()["answer"]
        visits.close()
