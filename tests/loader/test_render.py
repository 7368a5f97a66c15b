"""Page images: marks where the boxes are, hostile pages, many threads, memory given back."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import psutil
import pytest
from PIL import Image
from reportlab.pdfgen import canvas

from src.loader import render
from src.loader.pdf.raster import RasterError, fit_scale, mark
from src.loader.render import PageImage, RenderError, close_workers, render_page
from src.records import Box
from src.settings import ROOT, Settings

SETTINGS = Settings()


@pytest.fixture(autouse=True)
def _no_workers_left() -> Iterator[None]:
    yield
    close_workers()


def make_pdf(size: tuple[float, float] = (300, 400), pages: int = 1) -> bytes:
    """Pages with a black square of 20 points whose upper left corner is 50 right of and 80 below the page's."""
    out = io.BytesIO()
    pdf = canvas.Canvas(out, pagesize=size)
    for _ in range(pages):
        pdf.rect(50, size[1] - 100, 20, 20, fill=1, stroke=0)
        pdf.showPage()
    pdf.save()
    return out.getvalue()


def raw_pdf(page: str, content: str = "") -> bytes:
    """A one-page file with the given page entries; its missing cross-reference table is rebuilt by pdfium."""
    return (
        f"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        f"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R {page}>>endobj\n"
        f"4 0 obj<</Length {len(content)}>>stream\n{content}\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    ).encode()


def pixels(image: PageImage) -> npt.NDArray[np.int64]:
    array = np.asarray(Image.open(io.BytesIO(image.jpeg)).convert("RGB")).astype(np.int64)
    assert array.shape == (image.height, image.width, 3)
    return array


def yellow(array: npt.NDArray[np.int64]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the yellow pixels."""
    rows, columns = np.nonzero((array[:, :, 0] > 200) & (array[:, :, 2] < 140))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def test_marks_stand_where_the_boxes_are() -> None:
    image = render_page(make_pdf(), 1, boxes=[Box(1, 40, 70, 160, 110)], dpi=72, settings=SETTINGS)
    assert (image.width, image.height) == (300, 400)
    array = pixels(image)
    assert np.abs(np.array(yellow(array)) - (39, 69, 161, 111)).max() <= 2
    assert array[90, 60].max() < 60  # ink under the mark stays black
    assert array[200, 200].min() > 240  # paper elsewhere stays white


def test_boxes_of_other_pages_are_not_drawn() -> None:
    data = make_pdf(pages=2)
    plain = render_page(data, 2, dpi=72, settings=SETTINGS)
    assert render_page(data, 2, boxes=[Box(1, 40, 70, 160, 110)], dpi=72, settings=SETTINGS) == plain


def test_overlapping_marks_are_coloured_once() -> None:
    once, twice = np.full((50, 50, 3), 255, np.uint8), np.full((50, 50, 3), 255, np.uint8)
    mark(once, [(10, 10, 40, 20)], 1)
    mark(twice, [(10, 10, 30, 20), (20, 10, 40, 20)], 1)
    assert (once == twice).all()
    assert (once != 255).any()


def test_a_mark_on_a_dark_ground_can_be_seen() -> None:
    dark = np.full((50, 50, 3), 20, np.uint8)
    mark(dark, [(10, 10, 40, 20)], 1)
    assert dark[15, 20, 0] > 60
    assert dark[40, 40, 0] == 20


@pytest.mark.parametrize(
    "rect", [(float("nan"), 0, 5, 5), (-1e9, -1e9, 1e9, 1e9), (40, 40, 10, 10), (900, 900, 990, 990)]
)
def test_any_box_can_be_marked(rect: tuple[float, float, float, float]) -> None:
    mark(np.full((50, 50, 3), 255, np.uint8), [rect], 2.0)


@pytest.mark.parametrize(
    ("rotate", "size", "square"),
    [
        (0, (300, 400), (60, 90)),
        (90, (400, 300), (400 - 90, 60)),
        (180, (300, 400), (300 - 60, 400 - 90)),
        (270, (400, 300), (90, 300 - 60)),
    ],
)
def test_a_rotated_page_is_shown_as_a_reader_sees_it(
    rotate: int, size: tuple[int, int], square: tuple[int, int]
) -> None:
    page = f"/MediaBox[0 0 300 400]/Rotate {rotate}"
    image = render_page(raw_pdf(page, "50 300 20 20 re f"), 1, dpi=72, settings=SETTINGS)
    assert (image.width, image.height) == size
    assert pixels(image)[square[1], square[0]].max() < 60


def test_the_crop_box_is_the_page() -> None:
    page = "/MediaBox[0 0 300 400]/CropBox[40 250 140 350]"
    image = render_page(raw_pdf(page, "50 300 20 20 re f"), 1, dpi=72, settings=SETTINGS)
    assert (image.width, image.height) == (100, 100)
    array = pixels(image)
    assert array[40, 20].max() < 60
    assert array[70, 20].min() > 200


def test_annotations_are_drawn() -> None:
    annotation = (
        "/MediaBox[0 0 300 400]/Annots[<</Type/Annot/Subtype/Square/Rect[100 100 200 200]/C[1 0 0]/IC[1 0 0]"
        "/F 4/AP<</N 5 0 R>>>>]"
    )
    content = "1 0 0 rg 0 0 100 100 re f"
    data = raw_pdf(annotation).replace(
        b"trailer",
        b"5 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 100 100]/Length %d>>stream\n%s\nendstream endobj\ntrailer"
        % (len(content), content.encode()),
    )
    red = pixels(render_page(data, 1, dpi=72, settings=SETTINGS))[250, 150]
    assert red[0] > 200
    assert red[1] < 80


@pytest.mark.parametrize(
    "box", ["0 0 200000 200000", "0 0 14400 14400", "0 0 1000000 1", "-1e9 -1e9 1e9 1e9"]
)
def test_hostile_page_sizes_stay_small(box: str) -> None:
    try:
        image = render_page(raw_pdf(f"/MediaBox[{box}]"), 1, dpi=150, settings=SETTINGS)
    except RenderError as error:
        message = str(error)
    else:
        message = (
            "Page 1 cannot be shown"
            if image.width * image.height <= render.VIEW_PIXELS * 1.01
            else "too large"
        )
    assert message.startswith("Page 1 cannot be shown")


@pytest.mark.parametrize("size", [(0.0, 10.0), (float("inf"), 10.0), (-5.0, 10.0), (float("nan"), 1.0)])
def test_a_page_without_area_has_no_scale(size: tuple[float, float]) -> None:
    with pytest.raises(RasterError):
        fit_scale(*size, 150, 10**6)


def test_what_cannot_be_drawn_is_one_sentence() -> None:
    for data, page in ((b"nonsense", 1), (b"", 1), (make_pdf(), 0), (make_pdf(), 2)):
        with pytest.raises(RenderError, match=r"Page \d cannot be shown") as caught:
            render_page(data, page, settings=SETTINGS)
        assert "\n" not in str(caught.value)


def test_a_password_opens_for_those_who_have_it_only() -> None:
    out = io.BytesIO()
    pdf = canvas.Canvas(out, pagesize=(300, 400), encrypt="secret")
    pdf.showPage()
    pdf.save()
    assert render_page(out.getvalue(), 1, dpi=36, password="secret", settings=SETTINGS).width == 150
    for wrong in (None, "", "other"):
        with pytest.raises(RenderError, match="needs a password"):
            render_page(out.getvalue(), 1, password=wrong, settings=SETTINGS)


def test_many_threads_share_two_workers() -> None:
    documents = [make_pdf(size=(100 + i, 200), pages=3) for i in range(8)]
    parent = psutil.Process()

    def draw(i: int) -> tuple[int, int]:
        image = render_page(documents[i % 8], 1 + i % 3, dpi=72, settings=SETTINGS)
        return image.width, len(parent.children())

    with ThreadPoolExecutor(12) as threads:
        drawn = list(threads.map(draw, range(60)))
    assert [width for width, _ in drawn] == [100 + i % 8 for i in range(60)]
    assert max(children for _, children in drawn) <= render.WORKERS


def test_a_page_that_hangs_is_killed_and_the_next_one_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    data = make_pdf()
    render_page(data, 1, settings=SETTINGS)
    (worker,) = render._pool._idle
    if not hasattr(signal, "SIGSTOP"):
        pytest.skip("this system cannot stop a process")
    os.kill(worker.process.pid, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(RenderError, match=r"took over 0\.5 seconds"):
        render_page(data, 1, settings=Settings(page_seconds=0.5))
    assert time.monotonic() - started < 5
    assert not worker.alive
    assert render_page(data, 1, dpi=72, settings=SETTINGS).width == 300


def test_a_worker_that_eats_memory_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = psutil.Process.memory_info

    class Hungry:
        rss = 10**12

    render_page(make_pdf(), 1, settings=SETTINGS)
    (worker,) = render._pool._idle
    monkeypatch.setattr(
        psutil.Process, "memory_info", lambda self: Hungry() if self.pid == worker.process.pid else real(self)
    )
    if hasattr(signal, "SIGSTOP"):
        os.kill(worker.process.pid, signal.SIGSTOP)
    with pytest.raises(RenderError, match="took over 2048 MB"):
        render_page(make_pdf(), 1, settings=SETTINGS)


def test_a_dead_worker_is_replaced() -> None:
    data = make_pdf()
    render_page(data, 1, settings=SETTINGS)
    (worker,) = render._pool._idle
    worker.process.kill()
    worker.process.wait()
    assert render_page(data, 1, dpi=72, settings=SETTINGS).width == 300


def test_idle_workers_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "IDLE_SECONDS", 0.2)
    render_page(make_pdf(), 1, settings=SETTINGS)
    (worker,) = render._pool._idle
    deadline = time.monotonic() + 10
    while worker.alive and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not worker.alive
    assert render_page(make_pdf(), 1, dpi=72, settings=SETTINGS).width == 300


def test_the_worker_ends_with_its_parent_and_sees_no_secrets() -> None:
    os.environ["OPENAI_API_KEY"] = "sk-test"
    try:
        render_page(make_pdf(), 1, settings=SETTINGS)
        (worker,) = render._pool._idle
        assert "OPENAI_API_KEY" not in psutil.Process(worker.process.pid).environ()
    finally:
        del os.environ["OPENAI_API_KEY"]
    process = subprocess.Popen(
        [sys.executable, "-m", "src.loader.render_worker", "1024"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdin
    process.stdin.close()
    assert process.wait(20) == 0


def test_the_app_process_loads_no_pdf_library() -> None:
    code = "import sys, src.loader.render, src.library; print([m for m in sys.modules if 'pdf' in m.lower()])"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_waiting_for_a_worker_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "WORKERS", 1)
    hurried = Settings(page_seconds=0.1)
    taken = render._pool.take("k", SETTINGS)
    try:
        with pytest.raises(RenderError, match="Try again"):
            render_page(make_pdf(), 1, settings=hurried)
    finally:
        render._pool.give_back(taken)
    assert threading.active_count() < 20
