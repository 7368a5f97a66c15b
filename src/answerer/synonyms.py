"""What people say and what their papers print: "can I bring my cat" is answered by "pets are not accepted".

A plain thesaurus of home and office, for words that a reader changes as a matter of course. Word vectors know many of
these, but not where a word has another main sense ("leave" a room) or where the paper's word is rare ("sublet").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from src.answerer.terms import fold_word, stem
from src.answerer.thesaurus import ALIKE, KINDS, OTHERS
from src.answerer.wordlists import word_list

SAME = 0.75  # credit for a word of the same meaning

# Phrases, and words of the lists that mean the same.
_PHRASES = (
    (r"check(?:ing)?[\s-]?out\b|mov(?:e|ing) out|be out of", "checkout departure vacate leave"),
    (r"check(?:ing)?[\s-]?in\b|mov(?:e|ing) in\b", "checkin arrival arrive"),
    (r"(?:24|twenty-four) hours", "day"),
    (r"(?:7|seven) days", "week"),
    (r"(?:12|twelve) months", "year"),
    (r"(?:annual|paid) leave|days? off|time off|days of leave", "holiday vacation"),
    (r"adverse (?:reactions?|effects?)|undesirable effects?", "side effects"),
    (r"no later than|at the latest|closing date|due (?:date|by|on)|by when", "deadline due latest"),
    (r"(?:work(?:ing)?|works) from home|home[\s-]?office|telework\w*|remote work\w*", "homeoffice"),
    (r"(?:best|use)[\s-](?:before|by)", "expire"),
    (r"free of charge|no (?:extra |additional )?charge|at no cost|complimentary", "free cost"),
    (r"(?:not|never|nor) (?:be )?(?:allowed|permitted|accepted)", "forbidden"),
    (r"(?:money|cash) back|(?:get|give) (?:\w+ ){0,2}back", "refund"),
    (r"(?:kind|best|warm) regards|yours (?:sincerely|faithfully|truly)", "sign"),
    (
        r"(?:rent|let|lend|give) (?:\w+ ){0,4}to (?:some|any)(?:one|body)(?: else)?|(?:rent|let)(?:ting|ing)? out",
        "sublet sublease",
    ),
    (
        r"pay\w* (?:\w+ ){0,3}(?:too )?late|late payments?|(?:miss|forget)\w* (?:\w+ ){0,2}pay\w*|(?:don't|do not|not) pay",
        "interest overdue arrears default",
    ),
    (r"behind the wheel", "drive driving"),
    (r"(?:free|spare) time", "hobby hobbies interest leisure"),
    (
        r"left to (?:pay|be paid)|still (?:to pay|to be paid|owed?|due)|(?:do|does) \w+ (?:still )?owe",
        "outstanding balance remaining due",
    ),
    (r"(?:say|tell \w+|let \w+ know) (?:if|whether) \w+ (?:am|is|are|can) com\w+", "reply rsvp respond"),
    (
        r"let (?:\w+ ){1,2}know|(?:tell|inform) (?:you|them|us|him|her|the \w+)",
        "inform tell notify notification report",
    ),
    (r"hand(?:ing)? (?:\w+ )?in|turn(?:ing)? (?:\w+ )?in", "submit submission return deadline"),
    (r"get (?:\w+ ){0,2}(?:fixed|repaired)", "repair"),
    (r"second job|side job|moonlight\w*|another job", "secondary employment outside"),
    (r"sick (?:leave|pay|note|day)s?|call(?:ing)? in sick", "illness incapacity unfit"),
    (r"give (?:\w+ )?notice|hand in (?:\w+ )?notice", "terminate termination resign"),
    (r"(?:how|where) (?:do|can) (?:i|we) (?:get|go) (?:there|to)", "directions bus train car parking"),
    (r"paid for|included", "included inclusive covered"),
    (r"side effects?", "adverse undesirable"),
    (r"throw (?:away|out)", "dispose disposal waste"),
)
_COMPILED = tuple(
    (re.compile(rf"\b(?:{said})", re.IGNORECASE), tuple(words.split())) for said, words in _PHRASES
)


def synonyms(words: Mapping[str, str], text: str, language: str) -> dict[str, dict[str, float]]:
    """For each stem of a question the stems of the same meaning, with the credit (0 to 1) that each is worth; a phrase
    without a word that counts adds a stem.

    ``words`` maps the question's stems to its words, ``text`` is the question, in which phrases are looked for.
    """
    known = _thesaurus(language)
    found = {s: dict.fromkeys(known[s], SAME) for s in words if s in known}
    for said, meant in _phrases_in(text, language):
        # "be out of" has no word that counts: it is asked for under one of those that it means
        for s in [s for s, word in words.items() if word in said] or [min(meant)]:
            found.setdefault(s, {}).update(dict.fromkeys(meant, SAME))
    return found


def spelled_out(text: str, language: str) -> frozenset[str]:
    """Stems that the phrases of ``text`` mean: "check-out until 11:00" speaks of leaving."""
    return frozenset(s for _, meant in _phrases_in(text, language) for s in meant)


def _phrases_in(text: str, language: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each phrase of ``text`` its folded words, and the stems that it means."""
    if language != "en":
        return []
    return [
        (
            frozenset(fold_word(word) for word in re.findall(r"[^\W_]+", match.group())),
            frozenset(stem(word) for word in meant),
        )
        for pattern, meant in _COMPILED
        for match in pattern.finditer(text)
    ]


@lru_cache(maxsize=8)
def _thesaurus(language: str) -> dict[str, frozenset[str]]:
    """For each stem of the lists the stems that mean the same."""
    found: dict[str, set[str]] = {}
    lines = (ALIKE if language == "en" else OTHERS.get(language, "")).strip().splitlines()
    for line in lines:
        group = {stem(fold_word(word), language) for word in word_list(line)}
        for one in group:
            found.setdefault(one, set()).update(group - {one})
    if language == "en":
        for line in KINDS.strip().splitlines():
            head, _, kinds = line.partition(":")
            one = stem(fold_word(head))
            for other in {stem(fold_word(word)) for word in word_list(kinds)} - {one}:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in found.items()}
