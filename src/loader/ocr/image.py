"""An image read as well as the engine can: the right way up, straightened, junk dropped.

A first reading tells most of what is needed: how sure the engine is, in which direction its lines run, how they
lean. Only where it found little, the image is turned and straightened and read again, and the better reading stays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, hypot, radians, sin

import numpy as np
from PIL import Image

from src.loader.ocr.engines import Gray, OcrEngine, OcrError, OcrWord

SURE = 0.75  # mean confidence (by characters) over which a reading needs no second try
FEW_CHARACTERS = 15
WORD_FLOOR = 0.30  # words below are noise; tesseract gives 0.9 and more to clean print
LINE_FLOOR = 0.45
MARK_FLOOR = 0.75  # for "words" of one or two characters, as specks and the lines of a drawing give
LEAN = 0.4  # degrees; less shifts the end of a line by less than half its height
MAX_SKEW = 15.0
SHARP = 4.0  # level print gives 9 to 40, print that runs upwards or a picture 1 to 2
INK = 80  # of 255, against the ground
SPARSE_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class ImageWord:
    """A word in pixels of the image as given: ``turn`` is its direction (0, 90 downwards, 180, 270 upwards)."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    line: int
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """Words of an image, and ``skew``: degrees by which its lines lean against their direction (positive: clockwise)."""

    words: tuple[ImageWord, ...] = ()
    skew: float = 0.0

    @property
    def characters(self) -> int:
        """Number of characters read."""
        return sum(len(word.text) for word in self.words)

    @property
    def confidence(self) -> float:
        """Mean confidence by characters; 0 without words."""
        return sum(len(w.text) * w.confidence for w in self.words) / max(self.characters, 1)

    @property
    def score(self) -> float:
        """What readings of one image are compared by: characters, weighed so that guesses count for little."""
        return sum(len(w.text) * max(0.0, w.confidence - 0.4) for w in self.words)


def read_image(
    image: Gray,
    engine: OcrEngine,
    *,
    dpi: int,
    languages: tuple[str, ...],
    seconds: float,
    sparse: bool = False,
) -> Reading:
    """Read ``image`` (height, width; dark on light or light on dark).

    ``sparse`` is for figures: scattered labels. Raises OcrError when the first reading fails; ``seconds`` bound all
    tries together.
    """
    deadline = time.monotonic() + seconds
    if is_blank(image):
        return Reading()

    def read(angle: float, scattered: bool) -> Reading:
        left = deadline - time.monotonic()
        if left < seconds / 10:
            raise OcrError(f"OCR of the page took over {seconds:g} seconds.")
        turned = rotate(image, angle) if angle else image
        words = engine.read(turned, dpi=dpi, languages=languages, seconds=left, sparse=scattered)
        return _back(_reading(words), angle, image.shape, turned.shape) if angle else _reading(words)

    start = lie_of_text(image)
    best = read(start, sparse)
    try:
        for angle, scattered in _second_tries(image, engine, start, best, sparse, deadline):
            again = read(angle, scattered)
            if again.score > 1.1 * best.score:
                best = again
            if _is_good(best):
                break
    except OcrError:
        return best  # what the first try found stays
    return best


def _is_good(reading: Reading) -> bool:
    return reading.characters >= FEW_CHARACTERS and reading.confidence >= SURE


def _second_tries(
    image: Gray, engine: OcrEngine, start: float, first: Reading, sparse: bool, deadline: float
) -> Iterator[tuple[float, bool]]:
    """Clockwise turns (and whether to look for scattered words) worth another reading, the likeliest first."""
    if not sparse and first.characters < SPARSE_CHARACTERS and first.confidence >= 0.5:
        yield start, True  # a chart or a title page: few words far apart
    if _is_good(first) or (sparse and first.confidence >= 0.5):
        return
    told = engine.orientation(rotate(image, start), max(1.0, (deadline - time.monotonic()) / 3))
    if told:
        yield (start + told) % 360, sparse
    if start % 360:
        yield 0.0, sparse
    if not sparse:
        yield from (((start + turn) % 360, False) for turn in (180, 90, 270) if turn != told)


def is_blank(image: Gray) -> bool:
    """Whether an image holds nothing that could be text: all its pixels are nearly alike."""
    small = image[:: max(1, image.shape[0] // 800), :: max(1, image.shape[1] // 800)]
    low, middle, high = np.percentile(small, [0.05, 50, 99.95])
    return bool(min(high - low, max(high - middle, middle - low)) < 24)


def rotate(image: Gray, angle: float) -> Gray:
    """``image`` turned clockwise by ``angle`` degrees on a white ground, grown to hold it all."""
    if angle % 90 == 0:
        return np.ascontiguousarray(np.rot90(image, k=-int(angle // 90)))
    turned = Image.fromarray(image).rotate(-angle, Image.Resampling.BILINEAR, expand=True, fillcolor=255)
    return np.asarray(turned, dtype=np.uint8)


def lie_of_text(image: Gray) -> float:
    """Degrees by which to turn ``image`` clockwise so that its lines run level: a skew, a quarter turn, or 0.

    Upside down is as level as upright; which of the two it is only reading tells.
    """
    skew, sharp = _skew(image)
    turned, turned_sharp = _skew(rotate(image, 90))
    if max(sharp, turned_sharp) < SHARP:
        return 0.0
    return 90.0 - turned if turned_sharp > 1.5 * sharp else -skew


def _skew(image: Gray) -> tuple[float, float]:
    """Degrees (up to MAX_SKEW) by which lines lean, 0 for less than LEAN, and how sharply the rows of ink part
    there, against other angles."""
    step = max(1, round((image.size / 1_000_000) ** 0.5))
    small = image[::step, ::step].astype(np.int16)
    ys, xs = np.nonzero(np.abs(small - int(np.median(small))) > INK)
    if len(ys) < 200:
        return 0.0, 0.0
    chosen = np.linspace(0, len(ys) - 1, min(len(ys), 30_000)).astype(np.int64)
    ys, xs = ys[chosen].astype(np.float64), xs[chosen].astype(np.float64)

    def sharpness(angle: float) -> float:
        rows = np.round(ys - xs * np.tan(radians(angle))).astype(np.int64)
        counts = np.bincount(rows - rows.min()).astype(np.float64)
        return float(np.square(np.diff(counts)).sum())

    coarse = np.arange(-MAX_SKEW, MAX_SKEW + 0.1, 1.0)
    values = [sharpness(angle) for angle in coarse]
    around = float(coarse[int(np.argmax(values))])
    fine = np.arange(around - 1, around + 1.01, 0.2)
    best = float(fine[int(np.argmax([sharpness(angle) for angle in fine]))])
    sharp = sharpness(best) / max(float(np.median(values)), 1.0)
    if abs(best) < LEAN or sharpness(best) < 1.3 * sharpness(0.0):
        return 0.0, sharp
    return best, sharp


def _reading(found: list[OcrWord]) -> Reading:
    """Words without the noise, each with the direction of its line, and the lean of the upright lines."""
    lines: dict[int, list[OcrWord]] = {}
    for word in found:
        if word.confidence >= WORD_FLOOR:
            lines.setdefault(word.line, []).append(word)
    kept = [line for line in lines.values() if _is_text(line)]
    upright = [_is_level(line) for line in kept]
    skews = [
        slope
        for line, level in zip(kept, upright, strict=True)
        if level and (slope := _slope(line)) is not None
    ]
    words = [
        ImageWord(w.text, w.x0, w.y0, w.x1, w.y1, w.confidence, w.line, turn)
        for line in kept
        for turn in [_direction(line)]
        for w in line
        if len(w.text) > 2 or w.confidence >= MARK_FLOOR or _is_text_like(line, w)
    ]
    return Reading(tuple(words), float(np.median(skews)) if len(skews) >= 3 else 0.0)


def _is_text(line: list[OcrWord]) -> bool:
    characters = sum(len(w.text) for w in line)
    mean = sum(len(w.text) * w.confidence for w in line) / characters
    letters = sum(c.isalnum() for w in line for c in w.text)
    floor = LINE_FLOOR if characters > 3 else MARK_FLOOR
    return mean >= floor and letters > 0


def _is_text_like(line: list[OcrWord], word: OcrWord) -> bool:
    """A short unsure word is kept inside a line of sure ones ("a", "of", "81")."""
    others = [w.confidence for w in line if w is not word and len(w.text) > 2]
    return bool(others) and sum(others) / len(others) >= (
        SURE if len(others) > 1 or word.confidence < 0.5 else 0.6
    )


def _direction(line: list[OcrWord]) -> int:
    """Direction of reading from where the words of a line follow each other, or from a long word's shape."""
    if len(line) > 1:
        first, last = line[0], line[-1]
        dx = (last.x0 + last.x1) - (first.x0 + first.x1)
        dy = (last.y0 + last.y1) - (first.y0 + first.y1)
        if abs(dy) > 2 * abs(dx):
            return 90 if dy > 0 else 270
        return 180 if dx < 0 and not _is_right_to_left(line) else 0
    (word,) = line
    tall = len(word.text) > 3 and word.y1 - word.y0 > 2 * (word.x1 - word.x0)
    return 270 if tall else 0  # a lone upright label beside an axis is nearly always read upwards


def _is_right_to_left(line: list[OcrWord]) -> bool:
    letters = [c for w in line for c in w.text if c.isalpha()]
    return sum("\u0590" <= c <= "\u08ff" for c in letters) * 2 > len(letters)


def _is_level(line: list[OcrWord]) -> bool:
    return len(line) >= 4 and _direction(line) == 0


def _slope(line: list[OcrWord]) -> float | None:
    """Lean of a line in degrees from the lower edges of its words; None for a short line."""
    if line[-1].x1 - line[0].x0 < 12 * (line[0].y1 - line[0].y0):
        return None
    xs, ys = np.array([(w.x0 + w.x1) / 2 for w in line]), np.array([w.y1 for w in line])
    return degrees(atan2(float(np.polyfit(xs, ys, 1)[0]), 1.0))


def _back(reading: Reading, angle: float, shape: tuple[int, ...], turned: tuple[int, ...]) -> Reading:
    """A reading of ``rotate(image, angle)`` in the pixels of the image itself."""
    quarter = round(angle / 90) * 90
    words = []
    for w in reading.words:
        # the centre is turned exactly; the box keeps its size, for a word leaning by a few degrees is still level
        x, y = _turn_point((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2, angle, shape, turned)
        wide, high = w.x1 - w.x0, w.y1 - w.y0
        if quarter % 180:
            wide, high = high, wide
        turn = (w.turn - quarter) % 360
        words.append(
            replace(w, x0=x - wide / 2, y0=y - high / 2, x1=x + wide / 2, y1=y + high / 2, turn=turn)
        )
    return Reading(tuple(words), reading.skew - (angle - quarter))


def _turn_point(
    x: float, y: float, angle: float, shape: tuple[int, ...], turned: tuple[int, ...]
) -> tuple[float, float]:
    """Where a point of the turned image lies in the image itself."""
    dx, dy = x - turned[1] / 2, y - turned[0] / 2
    radius, direction = hypot(dx, dy), atan2(dy, dx) - radians(angle)
    return shape[1] / 2 + radius * cos(direction), shape[0] / 2 + radius * sin(direction)
