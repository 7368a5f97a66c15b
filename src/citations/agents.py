"""Who does it and to whom it is done: "we sold the brand to Halden" against "Halden sold the brand"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.answerer.irregular import base
from src.answerer.terms import Term, all_terms
from src.answerer.wordlists import words_of
from src.citations.binding import marker
from src.citations.grounds import Grounds
from src.citations.names import Name, names_of
from src.citations.verdicts import Verdict
from src.records import Support

_BE = words_of("is are was were be been being gets got")
_HELPING = words_of(
    "has have had also then later first now would will may can which who that itself themselves"
)
_SUBJECTS = words_of("we i he she it they you company")
_BREAK = re.compile(r"[;:()]|\.(?=\s)")
_GOVERNED = re.compile(r"\b(?:of|to|from|with|by|in|for)\s+(?:the\s+)?$")
CLOSE = 3  # words between a name and its verb
WITHIN = 12  # words between a name and the verb it goes with


def check_agents(claim: str, grounds: Grounds) -> Verdict | None:
    """A name that acts in ``claim`` and is acted on in a cited sentence, or the other way round."""
    if grounds.language != "en" or grounds.cells:
        return None
    for name in names_of(claim):
        mine = _verb_of(claim, name)
        if mine is None or not name.words:
            continue
        verb, acts = mine
        found = [
            role
            for sentence in grounds.sentences
            for other in names_of(sentence)
            if other.words[-len(name.words) :] == name.words
            for role in _roles(sentence, other, verb)
        ]
        if found and all(role != acts for role in found):
            return Verdict(
                Support.PARTIAL, f"{name.surface!r} has another part in what is told on {grounds.label}"
            )
    return None


def _verb_of(claim: str, name: Name) -> tuple[str, bool] | None:
    """The verb right behind ``name`` and whether the name acts: "Halden sold", "Halden was sold", "sold by Halden"."""
    terms = all_terms(claim)
    if _before(terms, name, claim) == "by":
        i = max(i for i, t in enumerate(terms) if t.end <= name.start)
        verb = next((t for t in reversed(terms[max(0, i - 4) : i]) if _is_past(t)), None)
        return (marker(verb), True) if verb else None
    passive = bool(re.match(r",\s+(?!which|who|that)", claim[name.end :]))  # "Halden, bought by Brevik"
    for term in [t for t in terms if t.start >= name.end][:5]:
        if _BREAK.search(claim[name.end : term.start]) or re.match(r"['’]s?\b", claim[name.end :]):
            return None
        if term.word in _BE:
            passive = True
        elif term.word not in _HELPING and not term.word.endswith("ly"):
            if not (_is_past(term) or (term.word[-1:] == "s" and not passive)):
                return None
            return marker(term), not (
                passive or bool(re.match(r"\s+by\s+(?:the\s+)?[A-Z]", claim[term.end :]))
            )
    return None


def _before(terms: Sequence[Term], name: Name, text: str) -> str:
    words = [t for t in terms if t.end <= name.start and not _BREAK.search(text[t.end : name.start])]
    words = [t for t in words if t.word != "the"]
    return words[-1].word if words else ""


def _is_past(term: Term) -> bool:
    return term.surface[:1].islower() and (term.word.endswith("ed") or base(term) != term.stem)


def _roles(sentence: str, name: Name, verb: str) -> list[bool]:
    """Whether ``name`` acts, for each place of ``verb`` near it in its clause; nothing where it cannot be told."""
    terms = all_terms(sentence)
    found = []
    for i, term in enumerate(terms):
        if marker(term) != verb or name.start <= term.start < name.end:
            continue
        between = sentence[min(term.end, name.end) : max(term.start, name.start)]
        if _BREAK.search(between) or len(between.split()) > WITHIN:
            continue
        previous = terms[i - 1].word if i else ""
        passive = previous in _BE or (i > 1 and terms[i - 2].word in _BE and previous.endswith("ly"))
        if term.start < name.start:
            slot = _before(terms, name, sentence)
            if slot == "by":
                found.append(True)
            elif slot in ("to", "from") or not between.strip():
                found.append(False)
        elif previous in _SUBJECTS or passive:
            found.append(False)
        elif len(between.split()) <= CLOSE and not _GOVERNED.search(sentence[: name.start]):
            found.append(True)
    return found
