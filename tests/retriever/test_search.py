import pytest

from src.chunker import chunk_document
from src.index import DocumentIndex, build_index, embed_index
from src.models import Models
from src.records import Document, span_text
from src.retriever import retrieve
from src.settings import Settings
from tests.factories import document_from_text
from tests.fakes import word_models

HANDBOOK = document_from_text(
    "# Leave\n\nEmployees get 25 days of paid leave a year. Leave not taken lapses in March.\n\n"
    "# Travel\n\nFlights are booked in economy class. The limit for a hotel is 120 euros a night.",
    "# Pay\n\nSalaries are paid on the last working day. A bonus of up to 10% is possible.",
    name="handbook.pdf",
)
NOVEL = document_from_text(
    *(
        " ".join(
            f"On day {p}{i} the captain of the ship wrote line {p * 100 + i} about the weather."
            for i in range(60)
        )
        for p in range(1, 6)
    ),
    name="novel.pdf",
)
SETTINGS = Settings()


def indexed(document: Document, models: Models, settings: Settings = SETTINGS) -> DocumentIndex:
    index = build_index(document, chunk_document(document, settings), models, settings)
    return [index, *embed_index(index, models)][-1]


@pytest.mark.parametrize("models", [word_models(), Models()], ids=["models", "keywords"])
def test_the_right_passage_comes_first(models: Models) -> None:
    found = retrieve("What is the hotel limit?", [indexed(HANDBOOK, models)], models, SETTINGS).passages
    assert "120 euros" in found[0].text
    assert found[0].pages == (1,)
    assert found[0].headings == ("Travel",)
    assert found[0].keyword_rank == 1


@pytest.mark.parametrize("models", [word_models(), Models()], ids=["models", "keywords"])
def test_what_matches_nothing_is_not_returned(models: Models) -> None:
    assert retrieve("zebra?", [indexed(NOVEL, models)], models, SETTINGS).passages == ()


@pytest.mark.parametrize("models", [word_models(), Models()], ids=["models", "keywords"])
def test_a_short_document_is_handed_over_whole(models: Models) -> None:
    found = retrieve("zebra?", [indexed(HANDBOOK, models)], models, SETTINGS).passages
    assert {page for passage in found for page in passage.pages} == {1, 2}


@pytest.mark.parametrize(("sections", "handed"), [(20, 8), (60, 0)])
def test_no_floor_keeps_passages_of_a_document_of_few_back(sections: int, handed: int) -> None:
    pages = [f"# Part {n}\n\n" + f"The quay of harbour {n} is swept by hand. " * 12 for n in range(sections)]
    index = indexed(document_from_text(*pages), Models())
    assert len(index.chunks) >= sections
    assert len(retrieve("zebra?", [index], Models(), SETTINGS).passages) == handed


@pytest.mark.parametrize(
    "pages", [("One sentence about hotels.",), ("# One\n\nAbout hotels.", "# Two\n\nAbout trains.")]
)
def test_documents_of_one_and_two_chunks_answer(pages: tuple[str, ...]) -> None:
    found = retrieve("hotels", [indexed(document_from_text(*pages), Models())], Models(), SETTINGS).passages
    assert found[0].text == pages[0].removeprefix("# ")


def test_passages_are_at_most_eight_distinct_and_at_most_as_long_as_set() -> None:
    models = word_models()
    found = retrieve(
        "What did the captain write about the weather?", [indexed(NOVEL, models)], models, SETTINGS
    )
    assert 2 <= len(found.passages) <= 8
    for number, passage in enumerate(found.passages):
        assert len(passage.text) <= 1000
        assert passage.text == span_text(NOVEL.pages, passage.spans)
        assert passage.text[slice(*passage.core)] in passage.text
        for other in found.passages[:number]:
            assert passage.text not in other.text
    assert max(len(passage.text) for passage in found.passages) > 700  # grown beyond a chunk of 600


def test_passages_of_several_documents_say_where_they_come_from() -> None:
    models = word_models()
    indexes = [indexed(NOVEL, models), indexed(HANDBOOK, models)]
    found = retrieve("What is the bonus paid with salaries?", indexes, models, SETTINGS).passages
    assert (found[0].document_name, found[0].pages) == ("handbook.pdf", (2,))


def test_pages_limit_the_search() -> None:
    models = word_models()
    found = retrieve("captain weather", [indexed(NOVEL, models)], models, SETTINGS, pages=[3]).passages
    assert found
    assert all(3 in passage.pages for passage in found)


def test_the_same_question_gives_the_same_passages() -> None:
    runs = [
        retrieve("captain wrote line 207", [indexed(NOVEL, models)], models, SETTINGS).passages
        for models in (word_models(), word_models())
    ]
    assert runs[0] == runs[1]


def test_no_documents_and_an_empty_one() -> None:
    models = word_models()
    assert retrieve("anything", [], models, SETTINGS).passages == ()
    assert retrieve("anything", [indexed(document_from_text(""), models)], models, SETTINGS).passages == ()


def test_other_phrasings_find_what_the_question_does_not_say() -> None:
    models = Models()
    question, phrasing = "What may a night away cost?", "limit for a hotel"
    alone = retrieve(question, [indexed(HANDBOOK, models)], models, SETTINGS).passages
    helped = retrieve(
        question, [indexed(HANDBOOK, models)], models, SETTINGS, phrasings=[phrasing, "room rate"]
    )
    assert "120 euros" in helped.passages[0].text
    assert helped.passages[0].score > max((p.score for p in alone), default=0.0)
    assert helped.query.text == question


def test_a_page_that_is_named_comes_first() -> None:
    models = word_models()
    found = retrieve("What is said on page 2?", [indexed(HANDBOOK, models)], models, SETTINGS).passages
    assert found[0].pages == (2,)


@pytest.mark.parametrize("models", [word_models(), Models()], ids=["models", "keywords"])
def test_reciprocal_rank_fusion_is_an_option(models: Models) -> None:
    settings = Settings(fusion="rrf")
    found = retrieve("What is the hotel limit?", [indexed(HANDBOOK, models)], models, settings).passages
    assert "120 euros" in found[0].text
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert retrieve("zebra?", [indexed(NOVEL, models)], models, settings).passages == ()


def test_scores_fall_from_first_to_last() -> None:
    models = word_models()
    found = retrieve("captain weather line", [indexed(NOVEL, models)], models, SETTINGS).passages
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


def test_a_chunk_that_is_mostly_shown_gives_its_place_to_another() -> None:
    settings = SETTINGS.model_copy(update={"chunk_overlap": 300, "passage_chars": 750})
    text = "The harbour dues rose in spring. " + " ".join(
        f"Line {i} of the harbour log speaks of dues and ropes." for i in range(40)
    )
    index = indexed(document_from_text(text), Models(), settings)
    found = retrieve("What did the harbour log say of dues?", [index], Models(), settings).passages
    assert len(found) > 1
    for place, passage in enumerate(found):
        (core,) = [
            chunk.spans[0] for chunk in index.chunks if chunk.text == passage.text[slice(*passage.core)]
        ]
        before = {at for other in found[:place] for span in other.spans for at in range(span.start, span.end)}
        assert len(before & set(range(core.start, core.end))) <= 0.5 * (core.end - core.start)
