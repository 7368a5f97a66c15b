"""Page images on demand, kept within a cap of megabytes, the least recently seen going first."""

from __future__ import annotations

import threading
from collections import OrderedDict

from src.holding import Holding
from src.library import MB
from src.loader.render import PageImage, render_page
from src.settings import Settings

CAP_MB = 96
DPI = 150
THUMBNAIL_DPI = 20


class PageImages:
    """JPEG images of pages by holding, page and resolution."""

    def __init__(self, settings: Settings, cap_mb: float = CAP_MB) -> None:
        self._settings = settings
        self._cap = cap_mb * MB
        self._lock = threading.Lock()
        self._images: OrderedDict[tuple[str, int, int], PageImage] = OrderedDict()
        self._size = 0

    def image(self, holding: Holding, page: int, dpi: int = DPI) -> PageImage:
        """The image of one page; raises RenderError when the page cannot be drawn."""
        place = (holding.key, page, dpi)
        with self._lock:
            if place in self._images:
                self._images.move_to_end(place)
                return self._images[place]
        image = render_page(
            holding.data,
            page,
            dpi=dpi,
            password=holding.password,
            settings=self._settings,
            document_id=holding.digest,
        )
        with self._lock:
            if place not in self._images and not holding.cancelled.is_set():
                self._images[place] = image
                self._size += len(image.jpeg)
                while self._size > self._cap and len(self._images) > 1:
                    self._size -= len(self._images.popitem(last=False)[1].jpeg)
        return image

    def has(self, holding: Holding, page: int, dpi: int = DPI) -> bool:
        """Whether the image of a page is here already."""
        with self._lock:
            return (holding.key, page, dpi) in self._images

    def forget(self, key: str) -> None:
        """Drop every image of a holding."""
        with self._lock:
            for place in [p for p in self._images if p[0] == key]:
                self._size -= len(self._images.pop(place).jpeg)
