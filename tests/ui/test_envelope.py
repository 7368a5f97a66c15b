"""A message to the viewer holds its JSON and each picture where the JSON says."""

from __future__ import annotations

import json

from src.ui.envelope import sealed


def test_each_picture_stands_where_the_json_says() -> None:
    pictures = {"images": {3: b"\xff\xd8three", 4: b"\xff\xd8four"}, "thumbs": {9: b"\xff\xd8nine"}}
    message = sealed({"name": "Jahresbericht – 2025"}, pictures)
    start = 4 + int.from_bytes(message[:4], "big")
    header = json.loads(message[4:start])
    assert header["name"] == "Jahresbericht – 2025"
    found = {
        name: {int(page): message[start + a : start + b] for page, (a, b) in header[name].items()}
        for name in pictures
    }
    assert found == pictures


def test_without_pictures_it_is_the_json_alone() -> None:
    message = sealed({"document": ""})
    assert json.loads(message[4:]) == {"document": ""}
