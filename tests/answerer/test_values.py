"""The value in front of the quote is the one that was asked for, as it stands there."""

from __future__ import annotations

import pytest

from src.answerer.candidates import candidates
from src.answerer.questions import read_question
from src.answerer.values import find_value, value_in
from tests.answerer.made import passages_of
from tests.factories import document_from_text


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        (
            "How often are the chains at berth 3 inspected?",
            "The chains at berth 3 are inspected every 45 days.",
            "every 45 days",
        ),
        ("How long does descaling take?", "Descale it every two months; it takes 35 minutes.", "35 minutes"),
        ("How often is the lamp tested?", "The lamp is tested twice a year.", "twice a year"),
        ("How long is the notice period?", "The notice period is 45 days from 2 May.", "45 days"),
        (
            "What was the call-out time in the second half?",
            "The call-out time was 12.5 minutes in the first half, against 14.1 minutes in the second half.",
            "14.1 minutes",
        ),
        (
            "What was the call-out time in the first half?",
            "The call-out time was 12.5 minutes in the first half, against 14.1 minutes in the second half.",
            "12.5 minutes",
        ),
        (
            "How many 737-7 aircraft were in backlog?",
            "We had 27 737-7 and 3 737-10 aircraft in backlog.",
            "27",
        ),
        ("When did the trial end?", "The trial, begun in 2019, did end on 4 May 2021.", "4 May 2021"),
        ("What is the part number of the seal?", "The seal has the part number TR-440-B.", "TR-440-B"),
        ("What share was saved?", "A share of 40%–60% was saved.", "40%–60%"),
        ("Which class is chosen?", "Vehicle class: B", "B"),
        ("How much does the deposit cost?", "The deposit is 20 crowns for 3 days.", "20 crowns"),
        ("What was net income?", "Net income was 3,033 in 2017.", "3,033"),
        (
            "When is the deposit returned?",
            "The deposit is returned within 30 days after the end.",
            "within 30 days",
        ),
        ("When is it due?", "Bill to Tarn Date: 28 April 2025 Due: 28 May 2025", "28 May 2025"),
        ("What is the invoice number?", "Invoice no. 2025-0417 of 3 pages", "2025-0417"),
        ("What is her e-mail?", "Analyst in Lund, nora@tarn.example, +46 40 555 01 88", "nora@tarn.example"),
        (
            "What is the phone number?",
            "Analyst in Lund, nora@tarn.example, +46 40 555 01 88",
            "+46 40 555 01 88",
        ),
        ("Wie viele Tore gibt es mindestens?", "Es gibt mindestens zwei Tore.", "zwei"),
    ],
)
def test_value(question: str, text: str, value: str) -> None:
    document = document_from_text(text)
    (candidate,) = candidates(passages_of(document), {document.id: document})
    found = find_value(read_question(question), candidate, None)

    assert found is not None
    assert found.text == value


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much do the chains weigh?", "The chains are inspected every 45 days."),
        ("How long did the meeting last?", "Next meeting: 20 January 2026"),
        (
            "How much is it?",
            "It may make you drowsy the next morning: do not drive until you know how it works.",
        ),
        (
            "Which class is it?",
            "It may make you drowsy the next morning: do not drive until you know how it works.",
        ),
        ("When does the lease end?", "Notice is given at least 60 days ahead."),
        ("How much does the Alma weigh?", "The Alma is a 32 track recorder."),
        ("What is the distance between the two?", "The four genres of the two stores are shown in Figure 1."),
        ("How many vehicles are requested?", "Requests are kept for two years."),
        ("How many GPUs were used?", "The baseline was a deep network [7] trained on many cores."),
        ("How long does it last?", "It weighs 20 kg."),
        ("How long does descaling take?", "Descale the machine every two months."),
        ("How old is the fitter?", "Our fitter comes between 8:30 and 11:00."),
        ("How many cups can it make?", "Coffee is cold: warm the cups."),
        ("What is the phone number of the hotel?", "The hotel is in Quay Street 9, room 12."),
        ("How much revenue did the Alma earn?", "The Alma had over 10 million users."),
        ("How much is the fee?", "Dual registrants hold 63% of the accounts."),
    ],
)
def test_a_value_of_another_kind_is_none(question: str, text: str) -> None:
    document = document_from_text(text)
    (candidate,) = candidates(passages_of(document), {document.id: document})

    assert find_value(read_question(question), candidate, None) is None


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("When is the library open?", "The library is open from Monday to Friday.", "from Monday to Friday"),
        ("When should I take it?", "Take one tablet half an hour before going to bed.", "half an hour before going to bed"),
        ("When is rent due?", "It is due by the third working day of the month.", "by the third working day of the month"),
        ("When is the deadline?", "Applications must arrive by the end of March.", "by the end of March"),
        ("What is the deadline?", "Please reply by Friday, 12 June.", "Friday, 12 June"),
        ("When is checkout?", "Check-out is at noon.", "at noon"),
        ("when will it ship", "It ships in 3 to 5 working days.", "in 3 to 5 working days"),
        ("When does the course start?", "The course starts in the autumn term.", "in the autumn term"),
        ("Wann ist geöffnet?", "Das Büro ist Montag bis Freitag geöffnet.", "Montag bis Freitag"),
        ("How fast must the fitter come?", "4.2 The fitter must come within 45 minutes.", "45 minutes"),
        ("How hot is it for the last 30 minutes?", "Bake at 190 °C (fan 170 °C) for 30 minutes.", "190 °C"),
        ("How much rye flour is needed?", "1 1/2 cups rye flour", "1 1/2 cups"),
        ("How much salt?", "½ teaspoon salt", "½ teaspoon"),
        ("How high is the fine?", "The limit falls from 50 to 30 km/h.", None),
        ("How much is left to pay?", "Leave the motorway at exit 4.", None),
        ("How much is parking?", "Parking is free of charge.", "free of charge"),
        ("How much is the deposit?", "The deposit is two months' rent.", "two months' rent"),
        ("How long is it valid?", "It is valid until 31 May.", "until 31 May"),
        ("How old must I be?", "Guests must be 18 or over.", "18 or over"),
        ("How often do they meet?", "They meet on Mondays.", "on Mondays"),
        ("What share goes to the club?", "A third goes to the club.", "A third"),
        ("How many dogs are allowed?", "No dogs are allowed.", "No"),
        ("How many seats are there?", "There are no steps.", None),
        ("What is the phone number?", "Call 555 0142.", "555 0142"),
        ("When did he sit there?", "He sat by the sun with the others.", None),
    ],
)  # fmt: skip
def test_values_said_in_words_and_fractions(question: str, text: str, value: str | None) -> None:
    found = value_in(read_question(question), text)
    assert (found.text if found else None) == value
