"""Tick boxes that are drawn, not typed: their state is text, and what only looks like one is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.loader.pdfs import drawn
from tests.loader.reading import read_text


def cross(canvas: Canvas, x: float) -> None:
    canvas.line(x + 1, 701, x + 9, 709)
    canvas.line(x + 1, 709, x + 9, 701)


def corner_to_corner(canvas: Canvas, x: float) -> None:
    path = canvas.beginPath()
    for start, end in (((0, 0), (10, 10)), ((0, 10), (10, 0))):
        path.moveTo(x + start[0], 700 + start[1])
        path.lineTo(x + end[0], 700 + end[1])
    canvas.drawPath(path)


def tick(canvas: Canvas, x: float) -> None:
    canvas.line(x + 2, 705, x + 4, 702)
    canvas.line(x + 4, 702, x + 12, 712)


def block(canvas: Canvas, x: float) -> None:
    canvas.rect(x + 2.5, 702.5, 5, 5, stroke=0, fill=1)


def typed(canvas: Canvas, x: float) -> None:
    canvas.drawString(x + 1.8, 701.6, "X")


def frame(canvas: Canvas, x: float) -> None:
    canvas.rect(x, 700, 10, 10)


def white_frame(canvas: Canvas, x: float) -> None:
    canvas.setFillGray(1)
    canvas.rect(x, 700, 10, 10, stroke=0, fill=1)
    canvas.setFillGray(0)
    canvas.rect(x, 700, 10, 10)


def circle(canvas: Canvas, x: float) -> None:
    canvas.circle(x + 5, 705, 5)


Draw = Callable[[Canvas, float], None]


def form(box: Draw, mark: Draw, *, ticked: int) -> str:
    """Text of a page with three boxes and their words, one of them ticked."""

    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 740, "Kind of permit")
        for place, word in enumerate(("New", "Renewed", "Replaced")):
            x = 60.0 + 120 * place
            box(canvas, x)
            if place == ticked:
                mark(canvas, x)
            canvas.drawString(x + 16, 702, word)

    return read_text(drawn(draw)).split("\n\n", 1)[1].replace("\t", " ")


@pytest.mark.parametrize("box", [frame, white_frame, circle])
@pytest.mark.parametrize("mark", [cross, tick, block, typed])
def test_the_state_of_a_drawn_box_is_read(box: Draw, mark: Draw) -> None:
    assert form(box, mark, ticked=1) == "☐ New ☒ Renewed ☐ Replaced"


def test_a_cross_from_corner_to_corner_ticks() -> None:
    assert form(frame, corner_to_corner, ticked=0) == "☒ New ☐ Renewed ☐ Replaced"


def test_boxes_behind_their_words() -> None:
    def draw(canvas: Canvas) -> None:
        for place, (word, on) in enumerate((("Yes", False), ("No", True))):
            x = 120.0 + 120 * place
            frame(canvas, x)
            if on:
                cross(canvas, x)
            canvas.drawRightString(x - 5, 702, word)

    assert read_text(drawn(draw)).replace("\t", " ") == "Yes ☐ No ☒"


def test_boxes_close_under_each_other() -> None:
    def draw(canvas: Canvas) -> None:
        for place, word in enumerate(("Resident", "Visitor", "Guest")):
            canvas.rect(60, 700 - 11 * place, 10, 10)
            canvas.drawString(76, 702 - 11 * place, word)
        cross(canvas, 60)

    assert read_text(drawn(draw)).split() == ["☒", "Resident", "☐", "Visitor", "☐", "Guest"]


def map_of_places(canvas: Canvas) -> None:
    for place, word in enumerate(("Lyon", "Nice", "Brest")):
        canvas.circle(100 + 90 * place, 700 - 60 * place, 4, fill=place % 2)
        canvas.drawString(108 + 90 * place, 697 - 60 * place, word)


def test_on_a_turned_page() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.translate(500, 60)
        canvas.rotate(90)
        for place, word in enumerate(("Yes", "No")):
            canvas.rect(120 * place, 0, 10, 10)
            canvas.drawString(120 * place + 16, 2, word)
        canvas.line(1, 1, 9, 9)

    assert read_text(drawn(draw)).replace("\t", " ") == "☒ Yes ☐ No"


def comb(canvas: Canvas) -> None:
    for place, letter in enumerate("KELLER"):
        canvas.rect(60 + 12 * place, 700, 12, 12)
        canvas.drawString(63 + 12 * place, 703, letter)
    canvas.drawString(140, 703, "surname")


def numbered(canvas: Canvas) -> None:
    canvas.rect(60, 700, 12, 12)
    canvas.drawString(63, 703, "4")
    canvas.drawString(78, 703, "Wages")


def legend(canvas: Canvas) -> None:
    for place, (word, colour) in enumerate((("North", (0.8, 0.1, 0.1)), ("South", (0.1, 0.1, 0.8)))):
        canvas.setFillColorRGB(*colour)
        canvas.rect(60, 700 - 20 * place, 10, 10, fill=1)
        canvas.setFillGray(0)
        canvas.drawString(75, 702 - 20 * place, word)


def unlabelled(canvas: Canvas) -> None:
    canvas.rect(60, 700, 10, 10)
    canvas.drawString(200, 702, "Words far off")


@pytest.mark.parametrize("draw", [comb, numbered, legend, unlabelled, map_of_places])
def test_what_is_no_tick_box_gets_no_sign(draw: Callable[[Canvas], None]) -> None:
    text = read_text(drawn(draw))
    assert text
    assert not set(text) & set("☐☒")
