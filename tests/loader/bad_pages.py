"""The real worker on a file whose second page kills it and whose third never ends."""

from __future__ import annotations

import os
import time

from src.loader import worker
from src.loader.layout import PageLayout


class BadPages(worker.Session):
    """A session that page 2 ends and page 3 holds up."""

    def _layout(self, number: int) -> PageLayout:
        if number == 2:
            os._exit(11)
        if number == 3:
            time.sleep(60)
        return super()._layout(number)


if __name__ == "__main__":
    worker.Session = BadPages  # type: ignore[misc]
    worker.main()
