"""The tables of a page; ``stage`` is the room's door."""
