"""The extractive answer: the right sentence or cell with its value in front, and no answer from a sibling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from src.answerer.candidates import candidates
from src.answerer.extractive import CLOSEST, ExtractiveAnswerer
from src.answerer.questions import read_question
from src.answerer.scoring import score_candidates
from src.citations import check
from src.models.base import Models
from src.records import NOT_FOUND, Answer, Document, FloatArray, Passage
from src.settings import Settings
from tests.answerer.made import document_of, passage_of, passages_of, table_page, with_sections
from tests.factories import document_from_text
from tests.fakes import word_models

HANDBOOK = document_from_text(
    "# Preface\n\nThis is Revision 7 of the handbook. It replaces Revision 6 in full.",
    "# 1 Pontoons\n\nPontoon seams are checked every 90 days by the day crew. Waste is weighed once a week.",
    "# 2 Gangways\n\nGangway pins are greased every 30 days and after any storm.",
    "# 3 Fender chains\n\nThe fender chains at berth 3 are inspected every 45 days, and each shackle is tapped"
    " with a hammer. Tools are returned to the shadow board.",
)
CANAL = document_of(
    table_page(
        1,
        ["", "2022", "2023", "2024"],
        [["Dredging", "2,210", "2,480", "2,655"], ["Upkeep of locks", "3,905", "4,120", "4,318"]],
        title="Canal works, spending",
        unit="(amounts in thousands of crowns)",
    ),
    table_page(
        2,
        ["", "2025", "2026", "2027"],
        [["Dredging", "3.1", "3.4", "3.9"], ["Upkeep of locks", "5.2", "5.6", "6.3"]],
        title="Canal works, long-term plan",
        unit="(amounts in millions of crowns)",
    ),
)
RESULT = document_of(
    table_page(
        1,
        ["", "N", "2023", "2022"],
        [
            ["Freight income", "(4)", "9,640", "9,205"],
            ["Operating result", "(6)", "(1,284)", "17"],
            ["Change in stock", "", "212", "(96)"],
        ],
        unit="Amounts in thousands of crowns",
    )
)
VOYAGES = document_from_text(
    "The fourth voyage of the Alma went to Tarn. The fifth voyage of the Alma went to Lund."
)
FORM = document_from_text("Vehicle class A B C\n\nVehicle class: B\n\nColour: red")
DOCKS = document_of(
    table_page(
        1,
        ["Dock", "March", "April", "May", "June"],
        [["Dock B", "96", "101", "88", "93"], ["Dock C", "204", "219", "233", "241"]],
        title="Pallets shipped, first half",
    ),
    table_page(
        2,
        ["Dock", "July", "August", "Sept.", "Oct."],
        [["Dock B", "90", "97", "104", "99"], ["Dock C", "250", "262", "258", "270"]],
        title="Pallets shipped, second half",
    ),
)


def ask(document: Document, question: str, models: Models | None = None) -> Answer:
    """The checked extractive answer over all blocks of ``document``."""
    models = models or Models()
    documents, passages = {document.id: document}, passages_of(document)
    draft = ExtractiveAnswerer(models, documents).draft(question, passages)
    return check(draft, question, passages, documents, models, Settings())


@pytest.mark.parametrize(
    ("document", "question", "text", "page"),
    [
        (HANDBOOK, "How often are the fender chains at berth 3 inspected?", "every 45 days — “The fender", 4),
        (HANDBOOK, "Which revision is this handbook?", "7 — “This is Revision 7", 1),
        (
            CANAL,
            "How much was spent on upkeep of locks in 2024?",
            "Upkeep of locks, 2024: 4,318 (amounts in th",
            1,
        ),
        (
            CANAL,
            "How much is planned for upkeep of locks in 2026?",
            "Upkeep of locks, 2026: 5.6 (amounts in mil",
            2,
        ),
        (
            RESULT,
            "Was the operating result in 2023 a profit or a loss?",
            "A loss — Operating result, 2023: (1,284)",
            1,
        ),
        (RESULT, "What was the change in stock in 2022?", "Change in stock, 2022: (96), that is −96", 1),
        (DOCKS, "How many pallets were shipped from Dock C in May?", "Dock C, May: 233", 1),
        (DOCKS, "How many pallets were shipped from Dock B in August?", "Dock B, August: 97", 2),
        (DOCKS, "How many pallets were shipped from Dock C in September?", "Dock C, Sept.: 258", 2),
    ],
)
def test_the_answer_leads_with_its_value(document: Document, question: str, text: str, page: int) -> None:
    answer = ask(document, question)

    assert answer.sentences[0].text.startswith(text)
    assert answer.citations[0].page == page
    assert answer.citations[0].verified
    assert answer.citations[0].boxes


@pytest.mark.parametrize(
    ("document", "question"),
    [
        (HANDBOOK, "How often are the fender chains at berth 4 inspected?"),
        (HANDBOOK, "Who is the harbour master?"),
        (CANAL, "How much was spent on dredging in 2021?"),
        (CANAL, "How much was spent on painting in 2024?"),
        (DOCKS, "How many pallets were shipped from Dock B in December?"),
        (DOCKS, "How many pallets were shipped from Dock E in May?"),
        (VOYAGES, "Where did the sixth voyage of the Alma go?"),
    ],
)
def test_a_sibling_is_no_answer(document: Document, question: str) -> None:
    answer = ask(document, question)

    assert answer.text == NOT_FOUND
    assert answer.status == "not_found"
    assert answer.citations == ()
    assert answer.looked_here


def test_the_voyage_that_was_asked_for_is_told() -> None:
    assert "Lund" in ask(VOYAGES, "Where did the fifth voyage of the Alma go?").text


def test_a_filled_field_is_shown_alone() -> None:
    answer = ask(FORM, "Which vehicle class is chosen?")
    assert answer.sentences[0].text == "B — “Vehicle class: B”"
    assert len(answer.sentences) == 1


EARNINGS = document_of(
    table_page(
        1,
        ["", "2024", "2023"],
        [["Diluted EPS excluding certain items", "1.76", "1.22"], ["Diluted EPS", "1.40", "1.04"]],
        title="Results per share",
    )
)


def test_a_figure_with_something_taken_out_is_given_only_when_asked_for() -> None:
    assert ask(EARNINGS, "What was diluted EPS in 2024?").sentences[0].text == "Diluted EPS, 2024: 1.40"
    assert "1.76" in ask(EARNINGS, "What was diluted EPS excluding certain items in 2024?").text


SLUICES = document_from_text(
    "Sluices were painted in spring. The crew counted four sluices. A sluice is a gate that holds back water."
    " Comments on the plan may be sent until 21 September 2020."
)


def test_a_definition_is_preferred_to_other_mentions() -> None:
    assert "holds back water" in ask(SLUICES, "What is a sluice?", word_models()).sentences[0].text


def test_a_slip_of_the_finger_is_understood() -> None:
    assert ask(SLUICES, "When do coments end?").sentences[0].text.startswith("21 September 2020 — ")


QUARTERS = document_of(
    with_sections(
        table_page(
            1,
            ["", "Diluted EPS", "Net result"],
            [["As reported", "1.04", "1,911"], ["As reported", "1.40", "2,554"]],
            title="Results",
        ),
        ("Quarter ended December 30, 2023", "Quarter ended December 28, 2024"),
    )
)


def test_without_a_period_the_newest_comes_first() -> None:
    answer = ask(QUARTERS, "What was the diluted EPS as reported?")
    assert "1.40" in answer.sentences[0].text
    assert "2024" in answer.sentences[0].text


STAFF = document_from_text(
    "# Officers\n\nMarta Holm\nChief Executive Officer and Chairman of the Board\nOle Vik, 2025\n"
    "Owner and baker, Holm Mills, Tarn\n\nThe two met in Lund."
)


def test_a_title_is_found_by_its_abbreviation_and_quoted_with_the_name_above_it() -> None:
    answer = ask(STAFF, "Who is the CEO?", word_models())

    assert answer.status == "answered"
    assert "Marta Holm" in answer.citations[0].quote


def test_an_entry_of_a_directory_is_quoted_with_its_name() -> None:
    assert "Ole Vik" in ask(STAFF, "Which baker and owner is from Tarn?", word_models()).citations[0].quote


CHART = document_from_text(
    "# Figure 4\n\nOI OI 600 OI ESS ESS 60 ESS\n\n# References\n\n[4] G. E. Hinton, L. Deng. Acoustic ferries in harbours."
    "\n\n# Harbours\n\nFerries in harbours are loud."
)


def test_marks_of_a_chart_and_entries_of_the_references_are_no_answers() -> None:
    assert "Hinton" not in ask(CHART, "What is known of acoustic ferries in harbours?").text
    assert "OI OI" not in ask(CHART, "What does OI ESS say?").text


HEADED = document_of(
    table_page(
        1,
        ["", "2024", "2023"],
        [["Earnings per share:", "", ""], ["Basic earnings per share", "3.64", "1.63"]],
        title="Per share",
    )
)


def test_a_row_that_only_heads_others_is_no_answer() -> None:
    answer = ask(HEADED, "What were earnings per share?")
    assert len(answer.citations) == 1
    assert "3.64" in answer.text


MAKER = document_from_text(
    "The salaries at the Tarn branch were 375 crowns.",
    "Chair Powell spoke in Lund. Later Powell left the hall.",
)


def test_a_name_in_small_letters_is_a_name_where_the_document_prints_it_so() -> None:
    assert ask(MAKER, "what were the salaries at tarn").status == "answered"
    assert ask(MAKER, "what was powell's salary").status == "not_found"


class Unmoved:
    """A cross-encoder that sees nothing in anything."""

    def score(self, question: str, texts: Sequence[str]) -> FloatArray:
        return np.full(len(texts), -10.0, dtype=np.float32)


def _near(document: Document, similarity: float) -> list[Passage]:
    return [replace(p, similarity=similarity, semantic_rank=1) for p in passages_of(document)]


GREETING = document_from_text(
    "# Boots\n\nThe Boots fastener holds tight despite severe shaking. It is made of one piece.",
    "# Wings\n\nThe wing type is in two pieces.",
    "# Sale\n\n" + ("It is sold in Tarn on Mondays" + ", and by the quay" * 100 + ". ") * 20,
)


class Angles:
    """Sentence vectors at a given cosine to every question's: ``cosines`` by a word of the sentence, 0.4 for others."""

    def __init__(self, cosines: dict[str, float]) -> None:
        self._cosines = cosines

    def embed(self, texts: Sequence[str], kind: str) -> FloatArray:
        if kind == "query":
            return np.array([[1.0, 0.0]] * len(texts), np.float32)
        found = [max((c for word, c in self._cosines.items() if word in text), default=0.4) for text in texts]
        return np.array([[c, (1 - c * c) ** 0.5] for c in found], np.float32)


@pytest.mark.parametrize(("cosine", "question", "refused"), [
    (0.8, "Which part stays put even if everything trembles?", False),
    (0.45, "Which part stays put even if everything trembles?", True),  # no sentence stands out
    (0.75, "How much is it if everything trembles?", True),  # a value of something else
    (0.75, "Which part stayed put in 2022?", True),  # of another year
])  # fmt: skip
def test_in_a_small_document_what_is_nearest_in_meaning_is_shown(
    cosine: float, question: str, refused: bool
) -> None:
    small = document_from_text(
        "The fastener holds tight despite severe shaking. The case is made of one piece. The lid is blue. The wing is of two pieces. The hinge is worth 30 crowns."
    )
    models = replace(
        word_models(), embedder=Angles({"shaking": cosine, "crowns": cosine - 0.05}), reranker=Unmoved()
    )
    draft = ExtractiveAnswerer(models, {small.id: small}).draft(question, passages_of(small))

    assert draft.refused is refused
    assert (draft.notice == CLOSEST) is not refused


@pytest.mark.parametrize(("similarity", "refused"), [(0.7, False), (0.5, True)])
def test_in_a_small_document_a_near_passage_answers_in_other_words(similarity: float, refused: bool) -> None:
    small = document_from_text(
        "During this time no berth is charged for, but electricity is billed at 0.42 crowns."
    )
    answerer = ExtractiveAnswerer(replace(word_models(), reranker=Unmoved()), {small.id: small})

    assert (
        answerer.draft("What does electricity cost in winter?", _near(small, similarity)).refused is refused
    )


@pytest.mark.parametrize(("similarity", "status"), [(0.7, "answered"), (0.4, "not_found")])
def test_where_no_sentence_has_the_words_the_passages_nearest_in_meaning_are_shown(
    similarity: float, status: str
) -> None:
    question = "Which part stays put even if everything trembles?"
    passages = _near(GREETING, similarity)
    documents = {GREETING.id: GREETING}
    models = replace(word_models(), reranker=Unmoved())
    draft = ExtractiveAnswerer(models, documents).draft(question, passages)
    answer = check(draft, question, passages, documents, models, Settings())

    assert answer.status == status
    if status == "answered":
        assert answer.citations[0].quote.startswith("The Boots fastener")
        assert answer.notices == (CLOSEST,)


def test_the_nearest_passage_gives_no_value_that_it_does_not_hold() -> None:
    answerer = ExtractiveAnswerer(replace(word_models(), reranker=Unmoved()), {GREETING.id: GREETING})
    assert answerer.draft("How much did everything that stays put cost?", _near(GREETING, 0.7)).refused


SAFE = document_from_text(
    "# Definition 5\n\nThe combination of the safe is 17-4-99.\n\nThe door has shade 221."
)


@pytest.mark.parametrize(
    ("question", "value"),
    [("What is the combination of the safe?", "17-4-99"), ("Which shade has the door?", "221")],
)
def test_a_sentence_that_adds_only_a_number_to_the_question_answers_it(question: str, value: str) -> None:
    assert value in ask(SAFE, question, word_models()).text


CAPTIONS = document_from_text(
    "Figure 9 Index advice with no access control.",
    "The gate is not open at night to visitors. Guards walk by the fence once an hour.",
)


def test_no_is_said_only_by_a_sentence_that_denies_what_is_asked() -> None:
    assert ask(CAPTIONS, "Does access control work with the native index reader?").text[:2] != "No"
    assert ask(CAPTIONS, "Is the gate open at night to visitors?", word_models()).text.startswith("No — ")


CONTENTS = document_from_text(
    "Contents\n\n3.6.4 Defining gate rules . . . . . . . 24 3.6.5 Defining masks . . . . . . . 25 3.6.6 Gate tests . . . . . . 26",
    "A gate rule says who may pass.",
)


def test_a_table_of_contents_answers_where_and_nothing_else() -> None:
    assert ask(CONTENTS, "What is a gate rule?").citations[0].pages == (2,)
    assert ask(CONTENTS, "Where are gate tests defined?").status == "not_found"
    assert ask(CONTENTS, "On which page do the gate tests begin?").citations[0].pages == (1,)


STREAMS = document_of(
    table_page(
        1,
        ["", "2024", "2023"],
        [["Rivers+", "", ""], ["Domestic", "56.8", "56.0"], ["Abroad", "67.8", "69.3"]],
        title="Paid subscribers",
    )
)


def test_the_bare_name_of_a_group_of_rows_is_no_answer() -> None:
    assert all(c.quote != "Rivers+" for c in ask(STREAMS, "Did Rivers+ gain or lose subscribers?").citations)


STORES = document_from_text(
    "At year end we ran 815 membership warehouses. Our warehouses hold 118.9 million square feet of floor."
)


def test_a_count_is_the_number_that_what_is_counted_follows() -> None:
    assert ask(STORES, "How many warehouses are there?").text.startswith("815 — ")


FLAT = document_from_text(
    "# Costs\n\nThe landlord pays for water and garbage.\n\n# Yard\n\nTrailers may not be parked in the rear yard."
    " Python, SQL and Airflow are taught there. Dogs are allowed."
)


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Is water included?", "answered"),
        ("Does she know SQL?", "answered"),
        ("Does she know Cobol?", "not_found"),
        ("Is smoking allowed?", "not_found"),
    ],
)
def test_verbs_that_ask_more_than_they_say_weigh_little(question: str, status: str) -> None:
    models = replace(word_models(), embedder=None, reranker=Unmoved())
    assert ask(FLAT, question, models).status == status


MINUTES = document_from_text(
    "# Meeting of the society\n\nDate: 23 January 2025\n\nThe treasurer reports a balance of 3,412 crowns."
    "\n\nNext meeting: 27 February 2025.\n\nThe deputy chair is Anna Holm.\n\nThe chair is Ole Vik."
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When was the meeting?", "23 January 2025"),
        ("When is the next meeting?", "27 February 2025"),
        ("Who is the chair?", "“The chair is Ole Vik.”"),
    ],
)
def test_the_next_one_is_another(question: str, first: str) -> None:
    assert ask(MINUTES, question).text.startswith(first)


@pytest.mark.parametrize("question", ["Who brings the cakes?", "Who brings the tea?"])
def test_who_is_told_by_what_they_are(question: str) -> None:
    fair = document_from_text("The parents of class 2 sell cakes and make tea at the book fair on Friday.")
    assert ask(fair, question).status == "answered"


def test_is_there_is_not_denied_by_what_may_not_be_done() -> None:
    assert not ask(FLAT, "Is there parking?").text.startswith("No")


POLICY = document_from_text(
    "Policy\n\nIf you fall ill abroad\n\nCall the assistance line before you see anyone. Keep each bill.\n\nCancelling\n\n"
    "You may cancel within two weeks."
)


def test_a_heading_inside_a_passage_answers_by_what_stands_under_it() -> None:
    passages = [passage_of(POLICY, (1, 0, -1))]
    draft = ExtractiveAnswerer(Models(), {POLICY.id: POLICY}).draft(
        "What do I do if I fall ill abroad?", passages
    )
    assert draft.claims[0].cites[0][1].startswith("Call the assistance line")


@pytest.mark.parametrize(
    ("text", "typed"), [("Next meeting: 20 January", False), ("Chair of it: Nora Weeks", True)]
)
def test_a_month_is_nobody(text: str, typed: bool) -> None:
    document = document_from_text(text)
    documents, passages = {document.id: document}, passages_of(document)
    asked = read_question("Who was at the meeting?")
    (scored,) = score_candidates(asked, candidates(passages, documents), passages, documents, Models())
    assert scored.evidence.typed is typed


def test_a_correction_stands_before_what_it_takes_back() -> None:
    tender = document_from_text(
        "# Tender\n\nOffers must be received by 14 June 2024. The work begins on 2 September 2024.",
        "# Corrigendum\n\nIn place of “received by 14 June 2024” read “received by 28 June 2024”. All else stays.",
    )
    given = ask(tender, "By what date must offers be received?")
    assert given.text.startswith("28 June 2024 — “In place of")
    assert [citation.pages for citation in given.citations] == [(2,), (1,)]
    assert len(ask(tender, "When does the work begin?").citations) == 1
