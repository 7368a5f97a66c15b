"""What stays, and for whom: refresh, tabs, private links, two visitors, stopping, taking the chat along."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from src.ui.viewing import STATIC
from tests.browser.conftest import PATIENCE, App, Visits, ask, askable, running_app, upload
from tests.browser.pdfs import LEASE, made
from tests.openai_server import Mode, openai_server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SLOW = "The monthly rent is 840 euros and is due on the third working day. [1] " * 30


def test_a_refresh_brings_everything_back_and_the_address_holds_no_secret(page: Page, visits: Visits) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.locator(".de-answer a.cite").first.click()
    expect(page.get_by_label("Page number")).to_have_value("2")
    plain = page.url
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", plain)
    page.reload()
    expect(page.locator(".de-answer > .prose")).to_contain_text("840", timeout=PATIENCE)
    expect(page.locator(".viewer .title")).to_have_text("lease.pdf", timeout=PATIENCE)
    expect(page.get_by_label("Page number")).to_have_value("2", timeout=PATIENCE)
    assert page.url == plain


def test_two_visitors_see_nothing_of_each_other(page: Page, visits: Visits, app: App) -> None:
    upload(page, ("secret plan.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    other = visits.open(app)
    expect(other.get_by_role("button", name="Try it with a sample")).to_be_visible(timeout=PATIENCE)
    upload(other, ("mine.pdf", LEASE))
    answer = ask(other, "What is the monthly rent?")
    assert "840" in answer
    assert "secret plan" not in other.content()
    expect(page.locator(".document")).to_have_count(1)
    assert "mine.pdf" not in page.content()
    # A page image is known by the hash of what it shows, and a guessed visitor id opens nothing.
    guess = visits.open(app, path="/#private=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    expect(guess.get_by_text("This private link is no longer valid")).to_be_visible(timeout=PATIENCE)
    expect(guess.locator(".de-answer")).to_have_count(0)


def test_the_private_link_opens_the_chat_elsewhere_and_leaves_the_address_bar(
    page: Page, visits: Visits, app: App
) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.get_by_role("button", name="Chat", exact=True).click()
    page.get_by_role("button", name="Copy private link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(app.url + "/#private=")
    other = visits.open(app, path=link.removeprefix(app.url))
    expect(other.locator(".de-answer > .prose")).to_contain_text("840", timeout=PATIENCE)
    assert "private" not in other.url
    assert other.evaluate("document.querySelector('meta[name=referrer]').content") == "no-referrer"
    other.reload()
    expect(other.locator(".de-answer > .prose")).to_contain_text("840", timeout=PATIENCE)
    plain = visits.open(app)
    expect(plain.get_by_role("button", name="Try it with a sample")).to_be_visible(timeout=PATIENCE)


def test_a_second_tab_shows_the_same_chat_and_hears_of_new_answers(
    page: Page, visits: Visits, app: App
) -> None:
    upload(page, ("lease.pdf", LEASE))
    askable(page)
    second = page.context.new_page()
    visits.watch(second, app)
    second.goto(app.url)
    askable(second)
    ask(page, "What is the monthly rent?")
    expect(second.locator(".de-answer > .prose")).to_contain_text("840", timeout=PATIENCE)
    upload(second, ("more.pdf", made(["The cat is called Minka."])))
    expect(page.locator(".document")).to_have_count(2, timeout=PATIENCE)
    expect(page.locator(".de-answer > .prose")).to_contain_text("840")


def test_stop_ends_the_work_and_keeps_what_was_written(visits: Visits, tmp_path: Path) -> None:
    with (
        openai_server(Mode(text=SLOW, pause=0.15)) as server,
        running_app(tmp_path, OPENAI_BASE_URL=server.url, DOCENGINE_MODEL="slow-model") as own,
    ):
        page = visits.open(own)
        expect(page.locator(".privacy")).to_contain_text("go to slow-model at 127.0.0.1")
        upload(page, ("lease.pdf", LEASE))
        askable(page)
        page.fill("[data-testid=stChatInputTextArea]", "What is the monthly rent?")
        page.keyboard.press("Enter")
        expect(page.locator(".de-answer.running .prose")).to_contain_text("840", timeout=PATIENCE)
        visits.shoot(page, "running")
        page.reload()
        expect(page.locator(".de-answer.running .prose")).to_contain_text("840", timeout=PATIENCE)
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".de-answer .state")).to_contain_text("Stopped", timeout=10_000)
        expect(page.locator(".de-answer > .prose")).to_contain_text("840 euros")
        server.broken_off.wait(10)
        assert server.broken_off.is_set(), "the request to the model goes on"
        visits.shoot(page, "stopped")
        assert "Traceback" not in own.log
        visits.close()


def test_an_answer_is_copied_rated_asked_again_and_its_question_edited(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.get_by_role("button", name="Copy", exact=True).click()
    assert "[p. 2]" in page.evaluate("navigator.clipboard.readText()")
    helpful = page.get_by_role("button", name="Helpful", exact=True)
    helpful.click()
    expect(helpful).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    expect(page.locator(".noted")).to_have_text("Noted. Press it again to take it back.")
    page.get_by_role("button", name="Ask again").click()
    expect(helpful).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    expect(page.locator(".de-answer > .prose")).to_have_count(1)
    page.get_by_role("button", name="Earlier answer").click()
    expect(helpful).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    helpful.click()
    expect(helpful).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Later answer")).to_be_visible()
    page.get_by_role("button", name="Edit question").click()
    field = page.get_by_label("Your question")
    expect(field).to_be_focused(timeout=PATIENCE)
    expect(field).to_be_in_viewport()
    field.fill("How much is the deposit?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator(".de-answer > .prose")).to_contain_text("1,680", timeout=PATIENCE)
    expect(page.locator(".question")).to_have_text("How much is the deposit?")
    page.get_by_role("button", name="Chat", exact=True).click()
    page.get_by_role("button", name="Clear the chat").click()
    expect(page.locator(".de-answer > .prose")).to_have_count(0, timeout=PATIENCE)


@pytest.mark.parametrize("kind", ["Markdown", "HTML"])
def test_an_exported_chat_comes_back_with_its_document(
    page: Page, visits: Visits, app: App, tmp_path: Path, kind: str
) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.get_by_role("button", name="Chat", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Export as {kind}").click()
    target = tmp_path / download.value.suggested_filename
    download.value.save_as(target)
    words = target.read_text()
    assert "840 euros" in words
    assert "p. 2" in words
    assert re.search(r"SHA-256 .{0,9}[0-9a-f]{64}", words)
    other = visits.open(app)
    upload(other, ("again.pdf", LEASE))
    askable(other)
    other.get_by_role("button", name="Chat", exact=True).click()
    other.locator("[class*=st-key-import] [data-testid=stFileUploaderDropzoneInput]").set_input_files(
        str(target)
    )
    expect(other.locator(".de-answer > .prose")).to_contain_text("840 euros", timeout=PATIENCE)
    other.keyboard.press("Escape")
    other.locator(".de-answer a.cite").first.click()
    expect(other.locator('.page[data-page="2"] .mark.cited').first).to_be_visible(timeout=PATIENCE)


def test_a_file_that_is_no_pdf_is_named_and_the_pdf_beside_it_is_taken(page: Page) -> None:
    page.locator("[data-testid=stFileUploaderDropzone]").first.evaluate(
        """(zone, words) => {
            const dropped = new DataTransfer();
            dropped.items.add(new File([Uint8Array.from(atob(words), (c) => c.charCodeAt(0))], "lease.pdf",
              { type: "application/pdf" }));
            dropped.items.add(new File(["milk, bread"], "notes.txt", { type: "text/plain" }));
            zone.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
        }""",
        base64.b64encode(LEASE).decode(),
    )
    expect(page.get_by_text("notes.txt was not added: only PDFs can be read here.")).to_be_visible(
        timeout=PATIENCE
    )
    askable(page)
    expect(page.locator(".document")).to_have_count(1)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_file_that_did_not_arrive_is_sent_again_and_then_said_to_be_lost(page: Page, lost: int) -> None:
    swallowed: list[int] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def on_message(message: str | bytes) -> None:
            if isinstance(message, bytes) and b"/_stcore/upload_file/" in message and len(swallowed) < lost:
                swallowed.append(len(message))
            else:
                socket.send(message)

        server.on_message(on_message)

    page.route_web_socket("**/_stcore/stream**", through)
    page.reload()
    page.wait_for_selector("[data-testid=stFileUploader]")
    upload(page, ("lease.pdf", LEASE))
    if lost == 1:
        askable(page)
    else:
        words = page.get_by_text("lease.pdf did not arrive. Please choose it again.")
        expect(words).to_be_visible(timeout=PATIENCE)
    assert len(swallowed) == lost


def test_a_question_that_is_lost_on_its_way_is_asked_once_all_the_same(page: Page) -> None:
    swallowed: list[int] = []

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def on_message(message: str | bytes) -> None:
            if isinstance(message, bytes) and b"monthly rent" in message and not swallowed:
                swallowed.append(len(message))
            else:
                server.send(message)

        socket.on_message(on_message)

    page.route_web_socket("**/_stcore/stream**", through)
    page.reload()
    page.wait_for_selector("[data-testid=stFileUploader]")
    upload(page, ("lease.pdf", LEASE))
    assert "840" in ask(page, "What is the monthly rent?")
    assert swallowed
    assert "six weeks" in ask(page, "How long is the notice period for the tenant?")
    page.wait_for_timeout(3000)
    expect(page.locator(".question")).to_have_count(2)


def test_the_keyboard_stays_on_a_button_that_is_drawn_again(page: Page) -> None:
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    page.get_by_role("button", name="Helpful", exact=True).focus()
    page.keyboard.press("Enter")
    pressed = page.locator("[data-act=helpful][aria-pressed=true]")
    expect(pressed).to_be_focused(timeout=PATIENCE)
    page.wait_for_timeout(1500)
    expect(pressed).to_be_focused()
    menu = page.get_by_role("button", name="Rename, read again or remove")
    menu.focus()
    page.keyboard.press("Enter")
    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("Control+a")
    page.keyboard.type("Mill Street")
    page.keyboard.press("Enter")
    expect(page.locator(".document .name")).to_have_text("Mill Street", timeout=PATIENCE)
    expect(menu).to_be_focused(timeout=PATIENCE)


MOUNTED = """
async ([source, busy]) => {
  const { default: draw } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  window.asked = [];
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  const data = { cookie: "c", id: "", seconds: 1, reach: "", asked: 0, uploads: 0, acted: 0, busy, download: null, drawing: 1 };
  const end = document.createElement("i");  // of this drawing, so that it is not missed
  end.dataset.drawing = "1";
  document.body.append(end);
  window.redraw = () => draw({ parentElement, data, setTriggerValue: (name) => asked.push(name) });
  redraw();
}
"""


@pytest.mark.parametrize("busy", [True, False])
def test_a_page_that_waits_and_is_not_drawn_asks_to_be(browser: Browser, busy: bool) -> None:
    page = browser.new_page()
    try:
        page.goto("about:blank")
        page.clock.install()
        page.evaluate(MOUNTED, [(STATIC / "bridge.js").read_text(encoding="utf-8"), busy])
        page.clock.run_for(9_000)
        page.evaluate("void redraw()")
        page.clock.run_for(9_000)
        assert page.evaluate("asked") == []
        page.clock.run_for(2_000)
        assert page.evaluate("asked") == (["act"] if busy else [])
    finally:
        page.close()


def test_the_question_field_comes_back_when_the_end_of_a_drawing_is_lost(visits: Visits, app: App) -> None:
    page = visits.open(app)
    lost: list[bytes] = []

    def losing(route: WebSocketRoute) -> None:
        """Streamlit drops what is left of a drawing when a fragment asks for its own just as the drawing ends."""
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if armed and len(lost) < 2 and isinstance(message, bytes):
                field = ForwardMsg.FromString(message).delta.new_element.chat_input
                if b"data-drawing" in message if lost else (field.placeholder and not field.disabled):
                    lost.append(message)
                    return
            route.send(message)

        server.on_message(pass_on)

    armed = False
    page.route_web_socket("**/_stcore/stream", losing)
    page.reload()
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    askable(page)
    armed = True
    page.fill("[data-testid=stChatInputTextArea]", "How long is the notice period?")
    page.keyboard.press("Enter")
    expect(page.locator("article.answered")).to_have_count(2, timeout=PATIENCE)
    askable(page)
    assert lost


def test_a_page_whose_connection_is_given_up_comes_back_with_its_chat(browser: Browser, app: App) -> None:
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    routes: list[WebSocketRoute] = []

    def connected(route: WebSocketRoute) -> None:
        route.connect_to_server()
        routes.append(route)

    page.route_web_socket("**/_stcore/stream", connected)
    page.goto(app.url)
    upload(page, ("lease.pdf", LEASE))
    ask(page, "What is the monthly rent?")
    askable(page)
    routes[-1].send(b"\xff\xff\xff")  # no message of Streamlit's: it ends the connection for good
    page.wait_for_selector("[data-testid=stChatInputTextArea][disabled]")
    askable(page)
    expect(page.locator(".de-answer > .prose")).to_contain_text("840")
    context.close()


def test_a_slow_line_never_names_what_the_browser_has_let_go(visits: Visits, app: App) -> None:
    """The clock of a page asks for a drawing before it hears of the last one, with the names that it knew then."""
    page = visits.open(app)
    page.add_init_script(
        """const listen = WebSocket.prototype.addEventListener;
        WebSocket.prototype.addEventListener = function (kind, heard, ...rest) {
            const late = (event) => setTimeout(() => heard.call(this, event), 800);
            return listen.call(this, kind, kind === "message" ? late : heard, ...rest);
        };"""
    )
    page.reload()
    page.get_by_role("button", name="Try it with a sample").click()
    page.locator(".card button[data-act=suggestion]").first.wait_for()
    page.wait_for_timeout(9000)  # at rest the clock asks every two seconds, and each time counts as an age
    ask(page, "What is the document about?")
    askable(page)
