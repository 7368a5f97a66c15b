"""Words read on an image into a page's layout: places as a page straight and level would have them, boxes where the
words are printed."""

from __future__ import annotations

from collections.abc import Sequence
from math import radians, tan

import numpy as np

from src.loader.layout import PageLayout, ReadWord, Style, reading_frame, with_words
from src.loader.ocr.image import ImageWord, Reading
from src.records import FloatArray

ASCENDERS = frozenset("bdfhklit0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
DESCENDERS = frozenset("gjpqyQ,;()[]{}|/_")
CAP_HEIGHT = 0.70  # of the font size, as most text faces have it
X_HEIGHT = 0.50
LINE_HEIGHT = 1.12  # from the top of "h" to the foot of "p"
SAME_SIZE = 0.22  # sizes that differ by less are one size, misread by a pixel or two
LEAN = 0.2  # degrees


def add_reading(
    layout: PageLayout, reading: Reading, scale: float, origin: tuple[float, float] = (0.0, 0.0)
) -> PageLayout:
    """``layout`` with the words of ``reading``, an image drawn at ``scale`` pixels a point from the point ``origin``."""
    if not reading.words:
        return layout
    boxes = np.array([(w.x0, w.y0, w.x1, w.y1) for w in reading.words], np.float32) / scale
    boxes += np.array([*origin, *origin], np.float32)
    places = _places(reading.words, boxes, reading.skew)
    added = [
        ReadWord(word.text, x0, y0, x1, y1, float(place[4]), Style.OCR, word.turn)
        for word, (x0, y0, x1, y1), place in zip(reading.words, boxes.tolist(), places, strict=True)
    ]
    before = len(layout.places)
    grown = with_words(layout, added)
    if len(grown.places) - before == len(places):  # no word was emptied by the cleaning of its text
        grown.places[before:] = places
    return grown


def _places(words: Sequence[ImageWord], boxes: FloatArray, skew: float) -> FloatArray:
    """x0, y0, x1, y1, size and baseline of each word, levelled, lines sharing one size and one baseline."""
    places = np.concatenate([boxes, np.zeros((len(boxes), 2), np.float32)], axis=1)
    slope = tan(radians(skew)) if abs(skew) > LEAN else 0.0
    for turn in {word.turn for word in words}:
        chosen = [index for index, word in enumerate(words) if word.turn == turn]
        framed = reading_frame(boxes[chosen], turn)
        centers = (framed[:, 0] + framed[:, 2]) / 2
        framed[:, [1, 3]] -= (slope * (centers - centers.mean()))[:, None]
        sign = -1 if turn in (90, 180) else 1
        for line in {words[index].line for index in chosen}:
            members = [i for i, index in enumerate(chosen) if words[index].line == line]
            size, baseline = line_metrics([words[chosen[i]].text for i in members], framed[members])
            places[[chosen[i] for i in members], 4:] = size, sign * baseline
        places[chosen, :4] = reading_frame(framed, (360 - turn) % 360)
    _settle(places)
    return places


def _settle(places: FloatArray) -> None:
    """Lines about as large as the page's main size get that size, so that they count as one text."""
    main = float(np.median(places[:, 4]))
    near = np.abs(places[:, 4] - main) <= SAME_SIZE * main
    places[near, 4] = main


def line_metrics(texts: Sequence[str], boxes: FloatArray) -> tuple[float, float]:
    """Font size and baseline of a line from the ink boxes of its words, by what their letters reach."""
    high = boxes[:, 3] - boxes[:, 1]
    tall = np.array([bool(ASCENDERS & set(text)) for text in texts])
    deep = np.array([bool(DESCENDERS & set(text)) for text in texts])
    low = ~tall & ~deep
    # tesseract gives words of blurred print the box of their whole line, which low words ("were") show
    if low.any() and (high[low] > 0.85 * high.max()).mean() > 0.5 and tall.any():
        line = float(np.median(high))
        return max(line / LINE_HEIGHT, 1.0), float(np.median(boxes[:, 3])) - 0.2 * line
    baseline = (
        float(np.median(boxes[~deep, 3])) if (~deep).any() else float(np.median(boxes[:, 3] - 0.2 * high))
    )
    if tall.any():
        return max(float(np.median(baseline - boxes[tall, 1])) / CAP_HEIGHT, 1.0), baseline
    return max(float(np.median(baseline - boxes[:, 1])) / X_HEIGHT, 1.0), baseline
