"""Chats: going back to what was asked before, and what goes with a document."""

from __future__ import annotations

from src.records import Answer, Sentence
from src.ui.bridge import not_taken
from src.ui.visitors import Exchange, Visitor, Visitors


def answered(visitor: Visitor, question: str, key: str = "k", digest: str = "d") -> Exchange:
    exchange = visitor.begin(question, (key,))
    exchange.answer = Answer(question, (Sentence("Six weeks."),), "answered", snapshots=((digest, 0),))
    exchange.done.set()
    return exchange


def test_one_goes_back_to_the_earlier_exchange_and_forth_again() -> None:
    visitor = Visitor("v")
    first = answered(visitor, "How long?")
    visitor.drop(first)
    second = answered(visitor, "How long is it?")
    second.earlier = first
    visitor.go_back(second)
    assert visitor.chat == (first,)
    visitor.go_back(first)
    assert visitor.chat == (second,)
    second.earlier = None
    visitor.go_back(second)
    assert visitor.chat == (second,)


def test_what_rests_on_a_document_goes_with_it_even_where_one_could_go_back_to_it() -> None:
    visitor = Visitor("v")
    first = answered(visitor, "How long?")
    visitor.drop(first)
    second = answered(visitor, "How wide?", "other", "o")
    second.earlier = first
    visitor.forget("d", "k")
    assert visitor.chat == (second,)
    assert second.earlier is None
    visitor.forget("o", "other")
    assert visitor.chat == ()


def test_a_visitor_who_is_swept_out_is_told_of() -> None:
    gone: list[str] = []
    visitors = Visitors(0.0, gone.append)
    first = visitors.new()
    visitors.new()
    assert gone == [first.id]
    assert visitors.get(first.id) is None


def test_files_that_were_not_taken_are_named() -> None:
    assert not_taken("refused", ["notes.txt"]) == "notes.txt was not added: only PDFs can be read here."
    assert not_taken("lost", ["a.pdf", "b.pdf"]) == "a.pdf, b.pdf did not arrive. Please choose them again."
    assert not_taken("refused", list("abcde")).startswith("a, b, c and 2 more were not added")
