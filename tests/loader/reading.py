"""Pages read in the test's own process: what the worker does, without the process."""

from __future__ import annotations

from src.loader.transfer import page_from
from src.loader.wire import Frame, Part
from src.loader.worker import Session
from src.records import Page


def read_pages(data: bytes, password: str | None = None) -> list[Page]:
    """Pages of the first snapshot."""
    session = Session()
    opened = list(session.answer(Frame("open", {"settings": {}, "password": password}, {"data": data})))
    assert opened[-1].kind == "done", opened[-1].fields
    numbers = list(range(1, opened[0].fields["pages"] + 1))
    layouts = list(session.answer(Frame("read", {"pages": numbers})))[:-1]
    facts = b"\n".join(frame.blob("facts") for frame in layouts)
    list(session.answer(Frame("facts", opened[0].fields, {"facts": facts})))
    parts: dict[str, Part] = {f"layout {n}": f.blob("layout") for n, f in zip(numbers, layouts, strict=True)}
    frames = list(session.answer(Frame("assemble", {"pages": numbers}, parts)))[:-1]
    assert [frame.kind for frame in frames] == ["page"] * len(numbers), frames
    return [page_from(frame) for frame in frames]


def read_text(data: bytes) -> str:
    """Text of the first page."""
    return read_pages(data)[0].text
