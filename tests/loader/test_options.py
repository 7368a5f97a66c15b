import subprocess
import sys
from dataclasses import asdict

from src.loader.options import ReadingOptions, option_fields
from src.settings import ROOT, Settings


def test_defaults_are_those_of_the_settings() -> None:
    assert option_fields(Settings()) == asdict(ReadingOptions())


def test_options_are_those_that_were_set() -> None:
    settings = Settings(ocr="off", tables=False, x_tolerance=3)
    options = ReadingOptions(**option_fields(settings))
    assert (options.ocr, options.tables, options.x_tolerance) == ("off", False, 3.0)


def test_a_worker_starts_without_what_it_does_not_need() -> None:
    """Pydantic alone is a third of the CPU of a start, and a document costs two starts before anyone can ask."""
    code = "import sys, src.loader.worker; print([m for m in ('pydantic', 'pdfplumber', 'onnxruntime') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
