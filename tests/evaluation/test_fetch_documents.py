"""PDFs are taken only with the right content."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.fetch_documents import Listed, fetch, from_address, from_folder, is_right, read_manifest

DATA = b"%PDF-1.4 made"


def _listed(url: str = "", data: bytes = DATA) -> Listed:
    return Listed("made", hashlib.sha256(data).hexdigest(), len(data), url)


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    served = tmp_path / "served"
    served.mkdir()
    (served / "made.pdf").write_bytes(DATA)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object, **more: object) -> None:
            super().__init__(*args, directory=str(served), **more)  # type: ignore[arg-type]

        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_manifest_names_every_document_of_the_gold_questions() -> None:
    from evaluation.questions import read_questions

    listed = {each.name for each in read_manifest()}
    gold = Path(__file__).parents[2] / "evaluation" / "gold"
    assert {question.doc for question in read_questions(gold)} <= listed
    assert all(len(each.sha256) == 64 and each.url for each in read_manifest())


def test_takes_the_right_one_of_two_files_of_a_name(tmp_path: Path) -> None:
    for name, data in (("a", b"other"), ("b", DATA)):
        (tmp_path / "from" / name).mkdir(parents=True)
        (tmp_path / "from" / name / "made.pdf").write_bytes(data)
    there, faults = fetch([_listed()], tmp_path / "to", from_folder(tmp_path / "from"))
    assert (there, faults) == (["made"], [])
    assert is_right(tmp_path / "to" / "made.pdf", _listed())


def test_another_content_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "made.pdf").write_bytes(b"other")
    there, faults = fetch([_listed()], tmp_path / "to", from_folder(tmp_path))
    assert there == []
    assert "another content under that name" in faults[0]
    assert list((tmp_path / "to").iterdir()) == []


def test_fetches_from_the_public_address(tmp_path: Path, address: str) -> None:
    there, faults = fetch([_listed(f"{address}/made.pdf")], tmp_path / "to", from_address)
    assert (there, faults) == (["made"], [])
    wrong = _listed(f"{address}/made.pdf", b"expected otherwise")
    assert "now serves another content" in fetch([wrong], tmp_path / "to2", from_address)[1][0]
    missing = _listed(f"{address}/no.pdf")
    assert "404" in fetch([missing], tmp_path / "to3", from_address)[1][0]
