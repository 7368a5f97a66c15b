"""OCR engines behind one contract: pixels in, words with boxes out.

``choose_engine`` takes tesseract when it is on the machine, else rapidocr (its models are inside its wheel), else
nothing, and then says which command would help.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

Gray = npt.NDArray[np.uint8]

INSTALL_HINT = {
    "linux": "sudo apt-get install tesseract-ocr",
    "darwin": "brew install tesseract",
    "win32": "winget install UB-Mannheim.TesseractOCR",
}


class OcrError(Exception):
    """An image that an engine could not read; the message says why in one sentence."""


@dataclass(frozen=True, slots=True)
class OcrWord:
    """A word on an image: its box in pixels (origin top left), the engine's confidence (0 to 1), its line.

    Words of one line follow each other in reading order, so that two of them tell the direction of the text.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    line: int


class OcrEngine(Protocol):
    """What reads images."""

    name: str

    def read(
        self, image: Gray, *, dpi: int, languages: tuple[str, ...], seconds: float, sparse: bool = False
    ) -> list[OcrWord]:
        """Words of ``image`` (height, width), those of a line one after the other in reading order.

        ``languages`` are ISO 639-1 codes, ``sparse`` says that the image is a figure with scattered labels. Raises
        OcrError when ``seconds`` are over or the engine fails.
        """

    def orientation(self, image: Gray, seconds: float) -> int | None:
        """Degrees (0, 90, 180, 270) by which to turn ``image`` clockwise to read it; None when it cannot tell."""

    def languages(self) -> tuple[str, ...]:
        """ISO 639-1 codes (or the engine's own names) that it can read."""


def choose_engine(choice: str) -> tuple[OcrEngine | None, str]:
    """The engine for the setting ``choice`` ("auto", "tesseract", "rapidocr", "off"), or None and the reason."""
    if choice == "off":
        return None, "OCR is switched off (DOCENGINE_OCR=off)."
    if choice in ("auto", "tesseract") and (found := _tesseract()):
        return found, ""
    if choice in ("auto", "rapidocr") and importlib.util.find_spec("rapidocr") is not None:
        return _rapidocr(), ""
    if choice == "rapidocr":
        return None, f"rapidocr is not installed: {sys.executable} -m pip install rapidocr onnxruntime"
    command = next(
        (c for system, c in INSTALL_HINT.items() if sys.platform.startswith(system)), INSTALL_HINT["linux"]
    )
    return None, f"No OCR engine is installed: {command}"


@lru_cache(maxsize=1)
def _tesseract() -> Tesseract | None:
    path = shutil.which("tesseract")
    if path is None:
        return None
    engine = Tesseract(path)
    return engine if engine.packs() else None


@lru_cache(maxsize=1)
def _rapidocr() -> RapidOcr:
    return RapidOcr()


# --- tesseract -------------------------------------------------------------------------------------------

# ISO 639-1 to the names of tesseract's packs
PACKS = {
    "af": "afr", "ar": "ara", "bg": "bul", "bn": "ben", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu",
    "el": "ell", "en": "eng", "es": "spa", "et": "est", "eu": "eus", "fa": "fas", "fi": "fin", "fr": "fra",
    "ga": "gle", "gl": "glg", "gu": "guj", "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "hy": "hye",
    "id": "ind", "is": "isl", "it": "ita", "ja": "jpn", "ka": "kat", "kk": "kaz", "kn": "kan", "ko": "kor",
    "la": "lat", "lt": "lit", "lv": "lav", "mk": "mkd", "ml": "mal", "mr": "mar", "ms": "msa", "nb": "nor",
    "nl": "nld", "no": "nor", "pa": "pan", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk",
    "sl": "slv", "sq": "sqi", "sr": "srp", "sv": "swe", "ta": "tam", "te": "tel", "th": "tha", "tr": "tur",
    "uk": "ukr", "ur": "urd", "vi": "vie", "zh": "chi_sim",
}  # fmt: skip
CODES = {pack: code for code, pack in PACKS.items()} | {"chi_tra": "zh"}
PROBE_PIXELS = 2_000_000  # orientation is seen on a small image as well


class Tesseract:
    """The command line program; one thread a call, so that calls can run side by side."""

    name = "tesseract"

    def __init__(self, path: str) -> None:
        self._path = path

    @lru_cache(maxsize=1)  # noqa: B019 - one engine lives as long as the process
    def packs(self) -> tuple[str, ...]:
        """Installed language packs by tesseract's names, without "osd"; empty when the program does not run."""
        try:
            run = subprocess.run(
                [self._path, "--list-langs"], capture_output=True, text=True, timeout=20, check=True
            )
        except (OSError, subprocess.SubprocessError):
            return ()
        names = [line.strip() for line in run.stdout.splitlines()[1:]]
        self._has_osd = "osd" in names
        return tuple(name for name in names if name and name != "osd" and "/" not in name)

    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(CODES.get(pack, pack) for pack in self.packs()))

    def read(
        self, image: Gray, *, dpi: int, languages: tuple[str, ...], seconds: float, sparse: bool = False
    ) -> list[OcrWord]:
        installed = self.packs()
        wanted = [pack for code in languages if (pack := PACKS.get(code, code)) in installed]
        packs = wanted or [pack for pack in ("eng", *installed) if pack in installed][:1]
        table = self._run(
            image,
            ["-l", "+".join(packs), "--dpi", str(dpi), "--psm", "11" if sparse else "3", "tsv"],
            seconds,
        )
        return parse_tsv(table)

    def orientation(self, image: Gray, seconds: float) -> int | None:
        self.packs()
        if not self._has_osd:
            return None
        step = max(1, round((image.size / PROBE_PIXELS) ** 0.5))
        try:
            found = self._run(
                image[::step, ::step], ["--psm", "0", "-l", "osd", "--dpi", str(200 // step)], seconds
            )
        except OcrError:
            return None  # "too few characters" is an error to tesseract
        fields = dict(line.split(": ", 1) for line in found.splitlines() if ": " in line)
        if float(fields.get("Orientation confidence", 0)) < 1.0:
            return None
        return int(fields["Rotate"]) % 360

    def _run(self, image: Gray, options: list[str], seconds: float) -> str:
        """Feed ``image`` to the program and return what it prints. Raises OcrError."""
        height, width = image.shape
        pgm = f"P5 {width} {height} 255\n".encode() + np.ascontiguousarray(image).tobytes()
        try:
            run = subprocess.run(
                [self._path, "stdin", "stdout", *options],
                input=pgm,
                capture_output=True,
                timeout=seconds,
                env=_single_thread(),
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise OcrError(f"OCR of the page took over {seconds:g} seconds.") from None
        except OSError as error:
            raise OcrError(f"tesseract could not be started ({error}).") from error
        if run.returncode != 0:
            last = run.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no message"]
            raise OcrError(f"tesseract failed: {last[0]}.")
        return run.stdout.decode(errors="replace")


def _single_thread() -> dict[str, str]:
    return dict(os.environ) | {"OMP_THREAD_LIMIT": "1"}


def parse_tsv(table: str) -> list[OcrWord]:
    """Words of tesseract's TSV output."""
    words = []
    lines: dict[tuple[str, ...], int] = {}
    # QUOTE_NONE: a quotation mark read on the page is not CSV syntax, and swallowed the rest of the page
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row.get("level") != "5" or not text:
            continue
        x, y, w, h = (float(row[name]) for name in ("left", "top", "width", "height"))
        line = lines.setdefault((row["block_num"], row["par_num"], row["line_num"]), len(lines))
        words.append(OcrWord(text, x, y, x + w, y + h, max(float(row["conf"]), 0.0) / 100, line))
    return words


# --- rapidocr --------------------------------------------------------------------------------------------


class RapidOcr:
    """PP-OCR models on onnxruntime, inside this process; one call at a time."""

    name = "rapidocr"

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reader: object | None = None

    def languages(self) -> tuple[str, ...]:
        return ("en", "zh")

    def orientation(self, image: Gray, seconds: float) -> int | None:
        return None

    def read(
        self, image: Gray, *, dpi: int, languages: tuple[str, ...], seconds: float, sparse: bool = False
    ) -> list[OcrWord]:
        del dpi, languages, sparse
        started = time.monotonic()
        with self._lock:
            if time.monotonic() - started > seconds:
                raise OcrError(f"OCR of the page took over {seconds:g} seconds.")
            return self._read(image)

    def _read(self, image: Gray) -> list[OcrWord]:
        import logging

        from rapidocr import RapidOCR

        if self._reader is None:
            self._reader = RapidOCR(params={"Global.log_level": "error"})
            logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        result = self._reader(np.repeat(image[:, :, None], 3, axis=2), return_word_box=True)  # type: ignore[operator]
        words: list[OcrWord] = []
        for number, line in enumerate(result.word_results or ()):
            for text, score, corners in line:
                xs, ys = [p[0] for p in corners], [p[1] for p in corners]
                if text.strip():
                    words.append(
                        OcrWord(text.strip(), min(xs), min(ys), max(xs), max(ys), float(score), number)
                    )
        return words
