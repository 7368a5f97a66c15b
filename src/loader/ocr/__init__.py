"""Text read from images of pages; ``stage`` is the room's door."""
