"""PDF bytes to pages. ``load`` is the room's door; parsing happens in a worker process."""

from __future__ import annotations

from src.loader.load import load
from src.records import LoadError

__all__ = ["LoadError", "load"]
