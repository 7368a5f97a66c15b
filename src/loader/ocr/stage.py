"""OCR of pages: scans, pages whose text layer cannot be trusted, pictures with text on digital pages."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from src.loader.layout import PageLayout, Style, Word, without_words
from src.loader.notes import EMPTY
from src.loader.ocr.engines import OcrEngine, OcrError, choose_engine
from src.loader.ocr.image import Reading, is_blank, read_image
from src.loader.ocr.languages import chosen_languages, language_of
from src.loader.ocr.words import add_reading
from src.loader.options import ReadingOptions
from src.loader.pdf.pdfium import PageSource, PdfSource
from src.loader.pdf.raster import RasterError, Rect, draw_gray, fit_scale
from src.records import PageState

DPI = 200
FINE_DPI = 300
SMALL_PIXELS = 20  # high words at DPI are small print: unsure ones are read again at FINE_DPI
UNSURE = 0.85
MAX_PIXELS = 10_000_000  # A4 at 300 dpi is 8.7; a poster in larger letters is read at fewer
FEW_CHARACTERS = 40  # a page number or a stamp on a scan is no text layer
STAMP_CHARACTERS = 160  # a line that an archive has printed over each scan
WHOLE_PAGE = 0.85
PAGE_PART = 0.5  # of the page that a picture covers when it is a scan
PICTURE_PART = 0.015
PICTURE_SIDES = (70.0, 24.0)  # points; smaller pictures are logos and icons
MAX_PICTURES = 12
TIME_PART = 0.85  # of the page's time limit, so that what was read is handed over before the worker is ended
_LOOK_DPI = 72
_SECOND = "A second reader (pdfplumber) could read it."
SAMPLE_WORDS = 60
CONTRADICTION = 0.3  # under it the layer is no reading of the picture but hidden text
AGREEMENT = 0.85  # of the words seen; a poor layer ("Eeairing" for "Desiring") still has six in ten right


@dataclass(frozen=True, slots=True, eq=False)
class OcrPage:
    """What OCR made of a page.

    ``layout`` holds the words that count now: recognised ones added (``layout.with_words``), untrusted ones taken
    out (``layout.without_words``), ``garbled`` emptied when it no longer holds. ``state`` is OCR, MIXED, TEXT (there
    was nothing more to read), EMPTY or UNREADABLE, with ``reason`` in words.
    """

    layout: PageLayout
    state: PageState
    reason: str = ""


_languages: WeakKeyDictionary[PdfSource, str] = WeakKeyDictionary()


def missing(options: ReadingOptions) -> str:
    """ "" when OCR can run, else one sentence with the command that makes it run."""
    engine, reason = choose_engine(options.ocr)
    return "" if engine else reason


def is_doubtful(layout: PageLayout) -> bool:
    """Whether PDFium's reading is of no use, so that a page is worth a second one whether or not OCR can run."""
    return bool(layout.garbled or layout.failed)


def wants(layout: PageLayout, options: ReadingOptions) -> bool:
    """Whether to look at a page again: PDFium could not read it, it has no text, an invisible layer, pictures that may
    hold text."""
    if is_doubtful(layout):
        return True
    if options.ocr == "off":
        return False
    if options.ocr_pages == "all":
        return True
    if not len(layout.images):
        return False
    return _is_scan(layout) or bool(_layer(layout)) or bool(_pictures(layout))


def read_page(layout: PageLayout, source: PdfSource, options: ReadingOptions) -> OcrPage:
    """A page read by pdfplumber where PDFium could not, and by OCR. Raises LoadError when the page can no longer be
    opened."""
    if is_doubtful(layout):
        from src.loader.pdf.second_reading import second_reading  # dear to import, and few files need it

        second = second_reading(layout, source, options.x_tolerance)
        # where PDFium has characters, too few of the second reader's to be judged as garbled must be of a language
        if second is not None and (not layout.glyphs or language_of(" ".join(second.texts()))):
            return OcrPage(second, PageState.TEXT, f"{layout.garbled or layout.failed} {_SECOND}")
        if layout.failed:
            return OcrPage(layout, PageState.UNREADABLE, layout.failed)
    engine, reason = choose_engine(options.ocr)
    page = source.open_page(layout.number)
    if engine is None:
        blank = not layout.glyphs and _shows_nothing(page)
        page.close()
        if blank:
            return OcrPage(replace(layout, garbled=""), PageState.EMPTY, EMPTY)
        return OcrPage(layout, PageState.UNREADABLE, f"{layout.garbled} {reason}".strip())
    try:
        return _PageReader(layout, source, page, engine, options).read()
    except (OcrError, RasterError) as error:
        if _visible(layout) and not layout.garbled:
            return OcrPage(layout, PageState.TEXT, f"Pictures on the page could not be read: {error}")
        return OcrPage(layout, PageState.UNREADABLE, str(error))
    finally:
        page.close()


class _PageReader:
    """One page, its engine, and the time that is left for it."""

    def __init__(
        self,
        layout: PageLayout,
        source: PdfSource,
        page: PageSource,
        engine: OcrEngine,
        options: ReadingOptions,
    ) -> None:
        self.layout, self.source, self.page, self.engine, self.options = (
            layout,
            source,
            page,
            engine,
            options,
        )
        self.deadline = time.monotonic() + TIME_PART * options.ocr_seconds
        self.max_pixels = min(MAX_PIXELS, options.max_image_megapixels * 1_000_000)

    def read(self) -> OcrPage:
        if self.layout.garbled:
            return self._read_garbled()
        if self.options.ocr_pages == "all":
            return self._read_anew()
        if not _is_scan(self.layout):
            return self._read_pictures()
        if _layer(self.layout):
            agreed = self._agreement()
            if agreed >= AGREEMENT:
                text = replace(self.layout, styles=self.layout.styles & ~Style.OCR_LAYER)
                return OcrPage(text, PageState.OCR, "The scan has a text layer that agrees with its picture.")
            self.layout = (
                _hide(self.layout)
                if agreed < CONTRADICTION
                else without_words(self.layout, _bits(self.layout))
            )
        return self._read_scan()

    def _read_scan(self) -> OcrPage:
        reading, scale = self._read_region(None)
        kept = _visible(self.layout)
        grown = add_reading(self.layout, _apart(reading, kept, scale), scale)
        if not reading.words:
            if kept:
                return OcrPage(self.layout, PageState.TEXT)
            return OcrPage(self.layout, PageState.EMPTY, "The page is a picture in which no text was found.")
        state = PageState.MIXED if kept else PageState.OCR
        return OcrPage(grown, state, f"Read by OCR ({self.engine.name}), {reading.confidence:.0%} sure.")

    def _read_garbled(self) -> OcrPage:
        reading, scale = self._read_region(None)
        if not reading.words:
            if not self.layout.glyphs and _shows_nothing(self.page):
                return OcrPage(replace(self.layout, garbled=""), PageState.EMPTY, EMPTY)
            return OcrPage(
                self.layout, PageState.UNREADABLE, f"{self.layout.garbled} OCR found no text on it."
            )
        bare = without_words(self.layout, np.ones(len(self.layout.spans), np.bool_))
        grown = add_reading(replace(bare, garbled=""), reading, scale)
        return OcrPage(
            grown, PageState.OCR, f"{self.layout.garbled} It was read by OCR ({self.engine.name})."
        )

    def _read_anew(self) -> OcrPage:
        """The page as its picture shows it, whatever its text layer says; that stands where OCR finds nothing."""
        reading, scale = self._read_region(None)
        if not reading.words:
            if _visible(self.layout):
                return OcrPage(self.layout, PageState.TEXT)
            return OcrPage(self.layout, PageState.EMPTY, "No text was found on the page.")
        bare = without_words(self.layout, (self.layout.styles & Style.HIDDEN) == 0)
        grown = add_reading(bare, reading, scale)
        return OcrPage(grown, PageState.OCR, f"Read by OCR ({self.engine.name}), as was asked.")

    def _read_pictures(self) -> OcrPage:
        layout, read = self.layout, 0
        for region in _pictures(layout)[:MAX_PICTURES]:
            if time.monotonic() > self.deadline:
                break
            try:
                reading, scale = self._read_region(region)
            except (OcrError, RasterError):
                continue  # the page's own text stands, with the pictures that could be read
            under = [word for word in _layer(layout) if _inside(word, region)]
            if under and _shared(reading, under) < CONTRADICTION:
                layout, under = _hide(layout, {word.start for word in under}), []
            inside = _apart(reading, [*_visible(self.layout), *under], scale, region)
            if inside.words:
                layout = add_reading(layout, inside, scale, (region[0], region[1]))
                read += 1
        layout = replace(layout, styles=layout.styles & ~Style.OCR_LAYER)
        if not read:
            return OcrPage(layout, PageState.TEXT)
        pictures = "A picture" if read == 1 else f"{read} pictures"
        return OcrPage(
            layout, PageState.MIXED, f"{pictures} on the page: text read by OCR ({self.engine.name})."
        )

    def _read_region(self, region: Rect | None) -> tuple[Reading, float]:
        """Words of ``region`` (the whole page when None), and pixels per point; small print twice as fine."""
        sparse = region is not None
        reading, scale = self._read_at(DPI, region, sparse)
        heights = sorted(min(w.y1 - w.y0, w.x1 - w.x0) for w in reading.words)
        if heights and heights[len(heights) // 2] < SMALL_PIXELS and reading.confidence < UNSURE:
            try:
                finer, fine_scale = self._read_at(FINE_DPI, region, sparse)
            except OcrError:
                return reading, scale
            if finer.score > reading.score:
                return finer, fine_scale
        return reading, scale

    def _read_at(self, dpi: int, region: Rect | None, sparse: bool) -> tuple[Reading, float]:
        x0, y0, x1, y1 = region or (0.0, 0.0, self.page.width, self.page.height)
        scale = fit_scale(x1 - x0, y1 - y0, dpi, self.max_pixels)
        image = draw_gray(self.page.page, self.page.width, self.page.height, scale, region)
        if is_blank(image):
            return Reading(), scale
        known = self._known_language()
        installed = self.engine.languages()
        languages = chosen_languages(self.options.ocr_languages, known, installed)

        def read(chosen: tuple[str, ...]) -> Reading:
            left = max(self.deadline - time.monotonic(), 1.0)
            return read_image(
                image, self.engine, dpi=round(72 * scale), languages=chosen, seconds=left, sparse=sparse
            )

        reading = read(languages)
        if self.options.ocr_languages == "auto" and not known:
            found = language_of(" ".join(word.text for word in reading.words))
            if found:
                _languages[self.source] = found
            if found and found != "en" and found in installed and found not in languages:
                # an English reading shows that a page is French; French accents need the French pack
                return read(chosen_languages("auto", found, installed)), scale
        return reading, scale

    def _known_language(self) -> str:
        own = (
            language_of(" ".join(word.text for word in _visible(self.layout)))
            if not self.layout.garbled
            else ""
        )
        return own or _languages.get(self.source, "")

    def _agreement(self) -> float:
        """Part of the sure words in a strip of the picture that the invisible layer has as well."""
        words = sorted(_layer(self.layout), key=lambda word: word.y0)
        start = max(0, (len(words) - SAMPLE_WORDS) // 2)
        sample = words[start : start + SAMPLE_WORDS]
        top, bottom = min(w.y0 for w in sample) - 6, max(w.y1 for w in sample) + 6
        strip = (0.0, max(top, 0.0), self.page.width, min(bottom, self.page.height))
        if strip[3] - strip[1] < 4:
            return 0.0
        reading, _ = self._read_at(DPI, strip, sparse=False)
        return _shared(reading, [w for w in words if w.y1 > strip[1] and w.y0 < strip[3]])


def _shows_nothing(page: PageSource) -> bool:
    """Whether the page as drawn is blank."""
    scale = fit_scale(page.width, page.height, _LOOK_DPI, MAX_PIXELS)
    return is_blank(draw_gray(page.page, page.width, page.height, scale, None))


def _shared(reading: Reading, words: list[Word]) -> float:
    """Part of the sure words of ``reading`` that are among ``words``; 0 when there are too few to tell."""
    seen = [_plain(w.text) for w in reading.words if w.confidence >= UNSURE and len(_plain(w.text)) > 2]
    told = {_plain(word.text) for word in words}
    return sum(word in told for word in seen) / len(seen) if len(seen) >= 3 else 0.0


def _hide(layout: PageLayout, only: set[int] | None = None) -> PageLayout:
    """The layout with its invisible layer hidden for good; ``only`` are starts of the words to hide."""
    chosen = _bits(layout)
    if only is not None:
        chosen &= np.isin(layout.spans[:, 0], sorted(only))
    styles = np.where(chosen, (layout.styles | Style.HIDDEN) & ~Style.OCR_LAYER, layout.styles)
    return replace(layout, styles=styles.astype(np.int32))


def _bits(layout: PageLayout) -> npt.NDArray[np.bool_]:
    """Which words are of the invisible layer."""
    chosen: npt.NDArray[np.bool_] = (layout.styles & Style.OCR_LAYER) != 0
    return chosen


def _plain(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def _visible(layout: PageLayout) -> list[Word]:
    return [word for word in layout.words() if not word.style & Style.OCR_LAYER]


def _layer(layout: PageLayout) -> list[Word]:
    return [word for word in layout.words() if word.style & Style.OCR_LAYER]


def _inside(word: Word, region: Rect) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return region[0] <= x <= region[2] and region[1] <= y <= region[3]


def _is_scan(layout: PageLayout) -> bool:
    """Whether the page is one large picture with at most a stamp, a page number or an invisible layer over it."""
    if not len(layout.images):
        return False
    own = sum(len(word.text) for word in _visible(layout))
    x0, y0, x1, y1 = layout.images.T
    largest = float(((x1 - x0) * (y1 - y0)).max()) / max(layout.width * layout.height, 1.0)
    if own == 0 or (own <= FEW_CHARACTERS and largest >= PAGE_PART):
        return True
    unseen = sum(len(word.text) for word in _layer(layout))
    return largest >= WHOLE_PAGE and (own <= STAMP_CHARACTERS or unseen > own)


def _pictures(layout: PageLayout) -> list[Rect]:
    """Pictures of a digital page that are large enough to hold text and hold none of the page's own, largest first."""
    words = np.array([word[1:5] for word in _visible(layout)], np.float32).reshape(-1, 4)
    centers = (words[:, :2] + words[:, 2:]) / 2
    found: list[Rect] = []
    for x0, y0, x1, y1 in sorted(layout.images.tolist(), key=lambda b: (b[0] - b[2]) * (b[3] - b[1])):
        wide, high = x1 - x0, y1 - y0
        small = max(wide, high) < PICTURE_SIDES[0] or min(wide, high) < PICTURE_SIDES[1]
        if small or wide * high < PICTURE_PART * layout.width * layout.height:
            continue
        inside = (centers >= (x0, y0)).all(axis=1) & (centers <= (x1, y1)).all(axis=1)
        if inside.sum() > 0.5 * len(words) and wide * high > PAGE_PART * layout.width * layout.height:
            continue  # the background of a slide, under its own text
        if any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in found):
            continue  # a picture in strips or with a mask: its place is read once
        found.append((x0, y0, x1, y1))
    return found


def _apart(reading: Reading, words: list[Word], scale: float, region: Rect | None = None) -> Reading:
    """The reading without words that the page already has at the same place."""
    if not words:
        return reading
    left, top = (region[0], region[1]) if region else (0.0, 0.0)
    own = np.array([word[1:5] for word in words], np.float32)
    kept = []
    for word in reading.words:
        x, y = (word.x0 + word.x1) / 2 / scale + left, (word.y0 + word.y1) / 2 / scale + top
        if not ((own[:, 0] <= x) & (own[:, 2] >= x) & (own[:, 1] <= y) & (own[:, 3] >= y)).any():
            kept.append(word)
    return replace(reading, words=tuple(kept))
