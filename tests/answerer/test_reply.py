"""What models write, and what is read from it."""

from __future__ import annotations

import pytest

from src.answerer.reply import parse_reply, readable, with_words
from src.records import NOT_FOUND, Claim, Passage, Span


def passage(text: str, page: int = 1, label: str = "") -> Passage:
    return Passage(
        "d",
        "d.pdf",
        0,
        text,
        (Span(page, 0, len(text)),),
        (label,),
        (),
        "",
        "prose",
        "en",
        0.0,
        (0,),
        (0, len(text)),
    )


PASSAGES = (
    passage("The crane at berth 2 lifts up to 40 tonnes. It may not be used above wind force 7.", 3),
    passage("Mooring costs 120 euros a day; vessels under 10 metres pay half.", 5, "iv"),
    passage("The harbour office opens at 7:30.", 5),
)


def cites(text: str) -> list[tuple[str, tuple[tuple[int, str], ...]]]:
    claims, refused = parse_reply(text, PASSAGES)
    assert not refused
    return [(c.text, c.cites) for c in claims]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Mooring costs 120 euros [2: "Mooring costs 120 euros"].', ((2, "Mooring costs 120 euros"),)),
        ('Mooring costs 120 euros. [2: "Mooring costs 120 euros"]', ((2, "Mooring costs 120 euros"),)),
        ("Mooring costs 120 euros [2: “Mooring costs 120 euros”].", ((2, "Mooring costs 120 euros"),)),
        ("Mooring costs 120 euros [2: Mooring costs 120 euros].", ((2, "Mooring costs 120 euros"),)),
        ("Mooring costs 120 euros [2: 'costs 120 euros'].", ((2, "costs 120 euros"),)),
        ("Mooring costs 120 euros [2].", ((2, ""),)),
        ("Mooring costs 120 euros [2, 3].", ((2, ""), (3, ""))),
        ("Mooring costs 120 euros [1-3].", ((1, ""), (2, ""), (3, ""))),
        ("Mooring costs 120 euros [2][3].", ((2, ""), (3, ""))),
        ("Mooring costs 120 euros【2†source】.", ((2, ""),)),
        ("Mooring costs 120 euros [Passage 2].", ((2, ""),)),
        ("Mooring costs 120 euros [#2].", ((2, ""),)),
        ("Mooring costs 120 euros [p. 5].", ((2, ""),)),
        ("Mooring costs 120 euros (page 5).", ((2, ""),)),
        ("The crane lifts 40 tonnes [p. 3].", ((1, ""),)),
        ('Both hold [1: "40 tonnes"; 2: "120 euros"].', ((1, "40 tonnes"), (2, "120 euros"))),
        ('Both hold [1: "40 tonnes", 2: "120 euros"].', ((1, "40 tonnes"), (2, "120 euros"))),
        ('It says so [1: "a [sic] word"].', ((1, "a [sic] word"),)),
        ('It says so [1: "he said \\"no\\" twice"].', ((1, 'he said "no" twice'),)),
        ("It says so [99].", ((99, ""),)),
        ("Nothing is cited.", ()),
    ],
)
def test_citations_however_they_are_written(text: str, expected: tuple[tuple[int, str], ...]) -> None:
    ((_, found),) = cites(text)
    assert found == expected


@pytest.mark.parametrize(
    "text",
    [
        "<think>Passage 2 says [2]. Hm.</think>Mooring costs 120 euros [2].",
        "some thoughts that never opened</think>\n\nMooring costs 120 euros [2].",
        "Let me look. Passage 1 is about cranes.\nAnswer: Mooring costs 120 euros [2].",
        "**Answer:** Mooring costs 120 euros [2].",
        "```\nMooring costs 120 euros [2].\n```",
        "- **Mooring** costs `120` euros [2].",
        "1. Mooring costs 120 euros [2].",
        "## Mooring costs 120 euros [2].",
        "<|channel|>analysis<|message|>hm [1]<|end|><|channel|>final<|message|>Mooring costs 120 euros [2].",
        "Mooring costs 120 euros [2].<|im_end|>",
        "Mooring costs 120 euros ![x](http://evil.example/?q=1) [2].",
        "[Mooring](http://evil.example/?q=1) costs 120 euros [2].",
        "<b>Mooring</b> costs 120 euros [2]. " + NOT_FOUND,
    ],
)
def test_what_stands_around_the_answer_goes(text: str) -> None:
    assert cites(text) == [("Mooring costs 120 euros.", ((2, ""),))]


@pytest.mark.parametrize(
    "text",
    [
        NOT_FOUND,
        NOT_FOUND.rstrip("."),
        f"**{NOT_FOUND}**",
        f"<think>hm</think>\n{NOT_FOUND}",
        "",
        "<think>no end",
    ],
)
def test_refusals(text: str) -> None:
    assert parse_reply(text, PASSAGES) == ((), True)


def test_sentences_are_cut_where_they_end() -> None:
    text = (
        'Dr. Smith moors at No. 5 for approx. 3.5 hours [1: "a"]. The U.S. fleet pays 1,200.50 euros [2]! Why? '
        "Because [3]."
    )
    assert [c for c, _ in cites(text)] == [
        "Dr. Smith moors at No. 5 for approx. 3.5 hours.",
        "The U.S. fleet pays 1,200.50 euros!",
        "Why?",
        "Because.",
    ]


def test_private_characters_of_a_model_do_not_confuse() -> None:
    assert cites("Moor\ue000ing costs\uf8ff 120 euros [2].") == [("Mooring costs 120 euros.", ((2, ""),))]


def test_wide_brackets_of_the_prompt_are_turned_back() -> None:
    assert cites('The tag is \uff1cb>x [1: "\uff1cb>x"].')[0][1] == ((1, "<b>x"),)


def test_a_very_long_reply_is_read_in_time() -> None:
    import time

    started = time.perf_counter()
    parse_reply("[" * 5000 + '[1: "' * 2000 + "word " * 5000, PASSAGES)
    parse_reply("a. " * 20_000, PASSAGES)
    assert time.perf_counter() - started < 5


def test_readable_keeps_plain_text() -> None:
    assert readable("  Just text.  ") == "Just text."


def test_missing_words_point_at_the_nearest_sentence() -> None:
    claim = Claim("The crane lifts up to 40 tonnes.", ((1, ""),))
    assert with_words(claim, PASSAGES) == ((1, "The crane at berth 2 lifts up to 40 tonnes."),)


def test_words_that_stand_nowhere_point_at_the_nearest_sentence() -> None:
    claim = Claim("The crane lifts 40 tonnes.", ((1, "crane at berth 2 can lift up to 40 tonnes"),))
    assert with_words(claim, PASSAGES) == ((1, "The crane at berth 2 lifts up to 40 tonnes."),)


def test_words_with_another_number_are_not_mended() -> None:
    claim = Claim("The crane lifts 50 tonnes.", ((1, "crane at berth 2 lifts up to 50 tonnes"),))
    assert with_words(claim, PASSAGES) == claim.cites


def test_exact_words_stay() -> None:
    claim = Claim("Mooring costs 120 euros.", ((2, "costs 120 euros a day"), (9, "x")))
    assert with_words(claim, PASSAGES) == claim.cites
