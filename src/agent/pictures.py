"""Pictures of the pages that passages stand on, for models that take images: few, small, and only where they help."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from src.agent.engine import Source
from src.loader.render import PageImage, RenderError, render_page
from src.records import Passage
from src.settings import Settings

MOST = 2
DPI = 80
MOST_BYTES = 600_000
PICTURED = frozenset({"table", "figure", "form"})


def page_pictures(
    passages: Sequence[Passage],
    source: Source,
    settings: Settings,
    wait: Callable[[Callable[[], PageImage]], PageImage],
) -> tuple[bytes, ...]:
    """At most two JPEGs of the best passages' pages; with ``images`` "auto" only of tables, figures and forms."""
    wanted: dict[tuple[str, int], None] = {}
    for passage in passages:
        if settings.images == "on" or passage.kind in PICTURED:
            wanted.setdefault((passage.document_id, passage.pages[0]))
    pictures = []
    for document_id, page in list(wanted)[:MOST]:
        found = source(document_id)
        if found is None:
            continue
        data, password = found
        try:
            image = wait(_renderer(data, page, password, settings))
        except RenderError:
            continue  # the text of the page is in the prompt all the same
        if len(image.jpeg) <= MOST_BYTES:
            pictures.append(image.jpeg)
    return tuple(pictures)


def _renderer(data: bytes, page: int, password: str | None, settings: Settings) -> Callable[[], PageImage]:
    return lambda: render_page(data, page, dpi=DPI, password=password, settings=settings)
