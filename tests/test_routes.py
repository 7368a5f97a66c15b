"""Which way a question goes."""

from __future__ import annotations

import pytest

from src.records import Document
from src.routes import Route, chat_answer, chat_topic, choose_way, documents_named, single_question
from src.settings import Settings
from tests.factories import document_from_text

REPORT = document_from_text(
    "# Risk Factors\n\nMany.", "# 3 Methods\n\nSome.", name="report-2022.pdf", title="Annual Report"
)
LATER = document_from_text("Other.", name="report-2023.pdf")


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this document",
        "summary",
        "What is this about?",
        "what's this paper about",
        "Give me a short summary of the report",
        "tl;dr",
        "What are the key takeaways?",
        "Summarize the main points in 3 bullets",
        "Can you summarize it for me?",
        "Summarise report-2022",
        "Worum geht es in diesem Dokument?",
        "Résume ce document",
        "De qué trata este documento?",
        "¿De qué trata?",
        "¿De qué trata este documento?",
        "Worum geht es?",
        "Worum geht's hier?",
        "De quoi parle ce document ?",
    ],
)
def test_whole_document_questions(question: str) -> None:
    assert choose_way(question, [REPORT]).route is Route.SUMMARY


@pytest.mark.parametrize(
    "question",
    [
        "What does the summary say about pay?",
        "What is the summary judgment standard?",
        "What is the main contribution of the paper?",
        "What are the main exclusions of the policy?",
        "What does the document say about fees?",
        "What is in the box?",
        "How does this work?",
        "What can I do if it rains?",
        "Who are you allowed to bring on board?",
        "Is my data stored for longer than 30 days under this policy?",
        "Compare revenue in 2022 and 2023",
        "Summarise the dispute between Acme and Borg",
        "12",
    ],
)
def test_questions_to_the_document(question: str) -> None:
    assert choose_way(question, [REPORT]).route is Route.DOCUMENT


def test_a_section_or_pages_can_be_summarised() -> None:
    assert choose_way("Summarise the risk factors", [REPORT]).topic == "the risk factors"
    assert choose_way("Summarise section 3", [REPORT]).topic == "section 3"
    assert choose_way("Give me an overview of pages 4 to 7", [REPORT]).pages == (4, 5, 6, 7)
    assert choose_way("Summarise section 9", [REPORT]).route is Route.DOCUMENT


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is the conclusion?", "Conclusion and Outlook"),
        ("whats the conclusion of this paper", "Conclusion and Outlook"),
        ("limitations?", "Limitations"),
        ("What are the main limitations of the study?", "Limitations"),
        ("Was ist das Fazit?", ""),
        ("What are the limitations of liability?", ""),
        ("What is the purpose of the crane?", ""),
        ("What is the abstract?", ""),
    ],
)
def test_a_question_that_only_names_a_section(question: str, topic: str) -> None:
    paper = document_from_text(
        "# Limitation of Liens\n\nNone.", "# 5 Limitations\n\nFew.", "# VI. Conclusion and Outlook\n\nGood."
    )
    way = choose_way(question, [paper])
    assert way.topic == topic
    assert (way.route is Route.SUMMARY) == bool(topic)


def test_a_discussion_closes_a_paper_without_conclusions() -> None:
    paper = document_from_text("# Summary\n\nShort.", "# 8 Discussion\n\nLong.")
    assert choose_way("What is the conclusion?", [paper]).topic == "Discussion"


@pytest.mark.parametrize(
    "question", ["List all authors", "What are all the fees?", "name every colour of the buoys"]
)
def test_lists(question: str) -> None:
    assert choose_way(question, [REPORT]).listing


def test_comparing_needs_several_documents() -> None:
    for question in (
        "Compare the revenue",
        "Which document mentions cranes?",
        "What differs in both reports?",
    ):
        assert choose_way(question, [REPORT]).route is Route.DOCUMENT
        assert choose_way(question, [REPORT, LATER]).route is Route.COMPARE


def test_a_longer_number_or_word_does_not_name_a_document() -> None:
    house, lodge = document_from_text("A.", name="house-1.pdf"), document_from_text("B.", name="lodge.pdf")
    for question in ("How many rooms has house 17?", "Who keeps warehouse-1?", "Which lodgers stay?"):
        assert documents_named(question, [house, lodge]) == ()
    assert documents_named("How many rooms has house 1?", [house, lodge]) == (house.id,)
    assert documents_named("What is in house_1.pdf and the lodge?", [house, lodge]) == (house.id, lodge.id)
    assert documents_named("lodge的房间有多少?", [house, lodge]) == (lodge.id,)
    assert (
        single_question("Compare the rooms of house 17 in both documents", [house, lodge])
        == "rooms of house 17"
    )


def test_documents_named_in_the_question() -> None:
    assert documents_named("What is the revenue in report-2023?", [REPORT, LATER]) == (LATER.id,)
    assert documents_named("What does the Annual Report say?", [REPORT, LATER]) == (REPORT.id,)
    assert documents_named("What is the revenue in report-2023?", [LATER]) == ()
    way = choose_way("What is the difference between report-2022.pdf and report-2023.pdf?", [REPORT, LATER])
    assert (way.route, len(way.documents)) == (Route.COMPARE, 2)


@pytest.mark.parametrize(
    ("question", "single"),
    [
        ("Compare the datasets used in each paper", "datasets used"),
        ("Compare what the crane lifts in both documents", "what the crane lifts"),
        ("What is the difference in revenue between report-2022 and report-2023?", "revenue?"),
        ("What is the difference between report-2022 and report-2023?", ""),
    ],
)
def test_what_a_comparison_asks_of_each_document(question: str, single: str) -> None:
    assert single_question(question, [REPORT, LATER]) == single


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Hello", "greeting"),
        ("hi there!", "greeting"),
        ("Guten Tag", "greeting"),
        ("thanks", "thanks"),
        ("ok great, thank you so much", "thanks"),
        ("bye", "bye"),
        ("how are you?", "wellbeing"),
        ("Who are you?", "what"),
        ("what can you do?", "what"),
        ("What model do you use?", "model"),
        ("Is my data private?", "privacy"),
        ("Can you read scans?", "files"),
        ("How do I upload a document?", "upload"),
        ("Can I trust the answers?", "check"),
        ("What does mooring cost?", ""),
        ("Hello Kitty was founded when?", ""),
        ("?", ""),
    ],
)
def test_small_talk_and_questions_about_the_app(question: str, about: str) -> None:
    assert chat_topic(question) == about


def test_what_is_said_about_the_app_is_true_for_its_settings() -> None:
    documents: list[Document] = []
    assert "nothing leaves this machine" in chat_answer("privacy", documents, Settings())
    assert "127.0.0.1" in chat_answer("privacy", documents, Settings(openai_base_url="http://127.0.0.1:1/v1"))
    assert "No language model" in chat_answer("model", documents, Settings())
    assert "tiny-1" in chat_answer(
        "model", documents, Settings(openai_base_url="http://h/v1", model="tiny-1")
    )
    for topic in ("greeting", "wellbeing", "thanks", "bye", "upload", "files", "check", "what"):
        assert chat_answer(topic, documents, Settings()).endswith(".")
