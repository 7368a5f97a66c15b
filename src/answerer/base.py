"""What every answerer is: passages in, a draft out. Nothing here is checked yet; ``src.citations`` does that."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from src.records import Draft, Passage, Turn

OnText = Callable[[str], None]


class Answerer(Protocol):
    """Writes a draft from passages; claims cite them by their 1-based number."""

    def draft(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        history: Sequence[Turn] = (),
        on_text: OnText | None = None,
        cancel: threading.Event | None = None,
    ) -> Draft:
        """A draft for the standalone ``question``.

        ``on_text`` is called with each further piece of text as it is written; once ``cancel`` is set the work
        stops soon and what there is so far is returned.
        """
        ...
