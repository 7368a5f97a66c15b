"""The real worker, which what is known of the whole document kills."""

from __future__ import annotations

import os

from src.loader import worker
from src.loader.wire import Frame


class BadFacts(worker.Session):
    """A session that any fact of a page ends."""

    def _take_facts(self, request: Frame) -> Frame:
        if request.blob("facts"):
            os._exit(11)
        return super()._take_facts(request)


if __name__ == "__main__":
    worker.Session = BadFacts  # type: ignore[misc]
    worker.main()
