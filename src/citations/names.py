"""Do the names of a claim stand in the words it cites, in the place the claim gives them?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from src.answerer.numerals import MONTHS
from src.answerer.pins import find_pins
from src.answerer.terms import Term, all_terms
from src.answerer.units import UNITS
from src.citations.binding import Place, exchanged, marker, repeats, rival, roles
from src.citations.grounds import Grounds
from src.citations.support import OPENING
from src.citations.verdicts import Verdict
from src.records import Support

# "C'est", "Qu'est-ce": elided words that open French sentences
_ELIDED = re.compile(r"(?:[cdjlmnstCDJLMNST]|[Qq]u)['’][a-zà-ÿ]")
# one country, as a name and as an adjective
_DEMONYMS = tuple(
    frozenset(line.split())
    for line in (
        "uk british britain kingdom united",
        "us usa american america united states",
        "eu european europe",
        "german germany",
        "french france",
        "dutch netherlands holland",
        "chinese china",
        "swiss switzerland",
        "spanish spain",
        "danish denmark",
        "greek greece",
        "polish poland",
        "swedish sweden",
        "finnish finland",
        "turkish turkey",
        "welsh wales",
        "irish ireland",
        "scottish scotland",
    )
)
_ACRONYM = re.compile(r"\b(?:[A-Z]\.?){2,6}(?![a-z])")
_VERBAL = re.compile(r"(?:ing|ly)$")  # "Revising the list costs ..."
_LONG_NAME = re.compile(r"\b[A-Z]\w+(?:[\s-]+(?:(?:and|of|for|the|&|on|in)\s+)*[A-Z]\w+)+")
NOUNS_IN_CAPITALS = ("de",)  # where every noun looks like a name
SHARED_ROOT = 4  # letters that make "German" and "Germany" the same name


@dataclass(frozen=True, slots=True)
class Name:
    """A run of capitalised words at [start, end) of a text."""

    start: int
    end: int
    words: tuple[str, ...]
    surface: str
    sure: bool


def names_of(text: str, language: str = "en") -> tuple[Name, ...]:
    """The names of ``text``; ``sure`` is False for a lone word that only opens its sentence."""
    runs: list[list[Term]] = []
    for term in all_terms(text, language):
        if not _is_capital(term) or term.word in MONTHS or term.word in UNITS or _ELIDED.match(term.surface):
            continue
        last = runs[-1][-1] if runs else None
        if last and re.fullmatch(
            r"[\s.&'’-]{1,2}|\s(?:of|the|of the|de|van|von|der)\s", text[last.end : term.start]
        ):
            runs[-1].append(term)
        else:
            runs.append([term])
    found = []
    for run in runs:
        opens = _opens(text, run[0].start)
        if opens and len(run) > 1 and re.search(r"[a-z]", text[run[0].end : run[1].start]):
            found += _lone(text, run[0])  # "Revising the MEL"
            run = run[1:]
            opens = False
        acronym = len(run[0].surface) > 1 and run[0].surface.isupper()
        if opens and run[0].is_function:
            run = run[1:]
            opens = False
            if not run:
                continue
        words = tuple(t.word for t in run if not t.is_function and len(t.word) > 1 and t.word.isalpha())
        if words:
            found.append(
                Name(
                    run[0].start,
                    run[-1].end,
                    words,
                    text[run[0].start : run[-1].end],
                    not opens or acronym or len(run) > 1,
                )
            )
    return tuple(found)


def _lone(text: str, term: Term) -> list[Name]:
    """The word that opens a sentence before a small one: it may be no name."""
    words = () if term.is_function or len(term.word) < 2 or not term.word.isalpha() else (term.word,)
    return [Name(term.start, term.end, words, text[term.start : term.end], False)] if words else []


def _is_capital(term: Term) -> bool:
    return term.surface[:1].isupper() and not term.surface[:1].isdigit()


def _opens(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in '.!?:;"“”‘(—–•' or "\n" in text[len(before) : start]


def check_names(claim: str, grounds: Grounds) -> Verdict | None:
    """The first name of ``claim`` that is not there or stands in another's place; None when all are right."""
    language = grounds.language
    if language in NOUNS_IN_CAPITALS:
        return _label_problem(claim, grounds)
    cited = {t.word for t in all_terms(grounds.cited, language)}
    near = {t.word for t in all_terms(f"{grounds.near}\n{grounds.asked}", language)}
    around = {t.word for t in all_terms(grounds.around, language)}
    stated = names_of(claim, language)
    there = [(s, n) for s in grounds.sentences for n in names_of(s, language)]
    for name in stated:
        capitals = name.surface.isupper()
        missing = [w for w in name.words if not _known(w, cited, grounds.cited, capitals)]
        if missing and _spelt_out(
            name, claim, f"{grounds.cited}\n{grounds.near}\n{grounds.around}\n{grounds.asked}"
        ):
            continue
        if missing and not name.sure and not _only_capital(name.words[0], grounds):
            if _new_subject(claim, name, stated, there, grounds):
                # "Currency movements helped": it may be a word and no name
                return Verdict(Support.PARTIAL, f"{name.surface!r} is not on {grounds.label}")
            continue
        far = [
            w
            for w in missing
            if not _known(w, near | around, f"{grounds.near}\n{grounds.around}\n{grounds.asked}", capitals)
        ]
        if far and name.sure:
            return Verdict(Support.NONE, f"the name {name.surface!r} is not on {grounds.label}")
    return _exchange_problem(claim, stated, there, grounds) or _label_problem(claim, grounds)


def _known(word: str, words: set[str], text: str, capitals: bool = False) -> bool:
    """Whether the name's word stands there: as it is, in another form, or as an abbreviation or its expansion.

    What is written in ``capitals`` throughout has no other form: ALLOBJ is not "allows".
    """
    if word in words or any(word in group and group & words for group in _DEMONYMS):
        return True
    if capitals and len(word) > SHARED_ROOT:
        return False
    root = word[: max(SHARED_ROOT, len(word) - 3)]
    if len(word) >= SHARED_ROOT and any(w.startswith(root) and abs(len(w) - len(word)) <= 4 for w in words):
        return True
    if len(word) in (2, 3, 4, 5, 6) and word.isalpha():
        initials = "".join(w[0] for w in re.findall(r"\b[A-Z][a-z]+", text)).casefold()
        every = "".join(w[0] for w in re.findall(r"[^\W\d_]{2,}", text)).casefold()
        return word in initials or (len(word) > 2 and word in every)  # CEO for "chief executive officer"
    return False


def long_name(name: Name, claim: str) -> str:
    """``name`` with what "and" joins to it: "Securities and Exchange Commission"."""
    whole = next((m for m in _LONG_NAME.finditer(claim) if m.start() <= name.start < m.end()), None)
    return re.sub(r"^The\s+", "", whole.group()) if whole else name.surface


def _spelt_out(name: Name, claim: str, text: str) -> bool:
    """Whether ``text`` has the initials of ``name``: SEC for the Securities and Exchange Commission."""
    told = {c.replace(".", "") for c in _ACRONYM.findall(text)}
    words = re.findall(r"[^\W\d_]{2,}", long_name(name, claim))
    short = {"".join(w[0] for w in some) for some in (words, [w for w in words if w[0].isupper()])}
    return any(len(s) > 1 and s.upper() in told for s in short)


def _only_capital(word: str, grounds: Grounds) -> bool:
    """Whether the passages write ``word`` with a capital inside a sentence, and never small."""
    forms = [t for t in all_terms(grounds.around, grounds.language) if t.word == word]
    return (
        bool(forms)
        and all(_is_capital(t) for t in forms)
        and any(not _opens(grounds.around, t.start) for t in forms)
    )


def _new_subject(
    claim: str, name: Name, stated: Sequence[Name], there: Sequence[tuple[str, Name]], grounds: Grounds
) -> bool:
    """Whether the word that opens the claim, found nowhere, stands where the page has a name ("Oslo chaired ...")."""
    known = {
        t.word for t in all_terms(f"{grounds.around}\n{grounds.near}\n{grounds.asked}", grounds.language)
    }
    if name.words[0] in known or name.words[0] in OPENING or _VERBAL.search(name.words[0]):
        return False
    return _in_place_of_another(claim, name, stated, there, grounds.language)


def _in_place_of_another(
    claim: str, name: Name, stated: Sequence[Name], there: Sequence[tuple[str, Name]], language: str
) -> bool:
    """Whether a name that the claim lacks stands on the page where the claim has ``name``."""
    unused = [
        (s, n.start, n.end)
        for s, n in there
        if n.sure and not any(set(n.words) & set(m.words) for m in stated)
    ]
    return rival((claim, name.start, name.end), [], unused, language)


def _exchange_problem(
    claim: str, stated: Sequence[Name], there: Sequence[tuple[str, Name]], grounds: Grounds
) -> Verdict | None:
    """Two names that changed places."""
    language = grounds.language
    ignored = frozenset(
        marker(t)
        for text, names in ((claim, stated), *((s, [n]) for s, n in there))
        for t in all_terms(text, language)
        if any(n.start <= t.start < n.end for n in names)
    )
    firm = any(repeats(claim, sentence, language) for sentence in grounds.sentences)
    found = [(n, [(s, m.start, m.end) for s, m in there if set(m.words) & set(n.words)]) for n in stated]
    for (one, ones), (other, others) in combinations([f for f in found if f[1]], 2):
        if set(one.words) & set(other.words):
            continue
        first, second = (claim, one.start, one.end), (claim, other.start, other.end)
        acting = _acting(first, second, ones, others, language)
        if acting is not None and not acting:
            return Verdict(
                Support.NONE if firm else Support.PARTIAL,
                f"{one.surface!r} and {other.surface!r} changed roles against {grounds.label}",
            )
        turned = any(
            a[0] == b[0] and (a[1] > b[1]) != (one.start > other.start) for a in ones for b in others
        )
        if acting is None and firm and turned and exchanged(first, second, ones, others, language, ignored):
            return Verdict(
                Support.PARTIAL,
                f"{one.surface!r} and {other.surface!r} changed places against {grounds.label}",
            )
    return None


def _acting(
    first: Place, second: Place, ones: Sequence[Place], others: Sequence[Place], language: str
) -> bool | None:
    """Whether two names have the same roles about the same verb on the page; None when no verb joins them there."""
    mine = roles(first[0], first[1:], second[1:], language)
    if mine is None:
        return None
    for one in ones:
        for other in others:
            if one[0] != other[0]:
                continue
            turned = one[1] > other[1]
            a, b = (other, one) if turned else (one, other)
            theirs = roles(a[0], a[1:], b[1:], language)
            if theirs and theirs[0] == mine[0]:
                return (theirs[1] != turned) == mine[1]
    return None


def _label_problem(claim: str, grounds: Grounds) -> Verdict | None:
    """ "Dock B" where the cited words say "Dock C"."""
    cited = [p for s in grounds.sentences for p in find_pins(" " + s) if p.kind == "label"]
    near = [p for p in find_pins(" " + grounds.near) if p.kind == "label"]
    mine = [p for p in find_pins(" " + claim) if p.kind == "label"]
    for pin in mine:
        if any((p.head, p.value) == (pin.head, pin.value) for p in cited):
            continue
        rivals = [
            p
            for p in cited
            if p.head == pin.head and not any((m.head, m.value) == (p.head, p.value) for m in mine)
        ]
        known = any((p.head, p.value) == (pin.head, pin.value) for p in near)
        if rivals:
            return Verdict(Support.NONE, f"{pin.surface!r} is {rivals[0].surface!r} on {grounds.label}")
        if not known and any(p.head == pin.head for p in cited):
            return Verdict(Support.NONE, f"{pin.surface!r} is not on {grounds.label}")
    return None
