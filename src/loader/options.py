"""The settings a worker reads with, in a record of its own: building ``Settings`` takes a third of a worker's start."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from src.settings import Settings


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The settings that reading depends on, by their names in ``Settings`` and with their meaning there."""

    x_tolerance: float = 1.5
    max_file_mb: int = 200
    max_pages: int = 5000
    page_seconds: float = 20.0
    load_seconds: float = 600.0
    worker_memory_mb: int = 2048
    max_image_megapixels: int = 60
    ocr: str = "auto"
    ocr_pages: str = "needed"
    ocr_languages: str = "auto"
    ocr_seconds: float = 120.0
    tables: bool = True


def option_fields(settings: Settings) -> dict[str, Any]:
    """The values of ``settings`` that ``ReadingOptions`` takes, ready for JSON."""
    return {option.name: getattr(settings, option.name) for option in fields(ReadingOptions)}
