import pytest

from evaluation import growth
from src.chunker import chunk_document
from src.settings import Settings
from tests.fakes import word_models


def test_made_documents_are_the_same_for_the_same_seed_and_longer_for_more_pages() -> None:
    texts = [[page.text for page in growth.made_document(pages).pages] for pages in (3, 3, 6)]
    assert texts[0] == texts[1]
    assert len(texts[2]) == 6
    kinds = {chunk.kind for chunk in chunk_document(growth.made_document(3), Settings())}
    assert kinds == {"prose", "table"}


def test_a_row_counts_what_was_built_and_asked() -> None:
    small, large = (growth.measure(pages, word_models(), Settings()) for pages in (4, 12))
    assert (small.pages, large.pages) == (4, 12)
    assert large.chunks > 2 * small.chunks
    assert large.p95_ms >= large.p50_ms >= large.search_ms > 0


def test_the_table_has_a_line_a_size(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "load_models", lambda settings: word_models())
    assert growth.main(["--pages", "2", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("| 2 |")
