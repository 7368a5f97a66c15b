"""How much of a question's words a text has: by stem, and by word vectors where another word is used."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from src.answerer.questions import Question
from src.answerer.synonyms import spelled_out, synonyms
from src.answerer.terms import content_terms
from src.answerer.terms import stem as stem_of
from src.answerer.wordlists import words_of
from src.models import Embedder
from src.records import Document

LIKE = 0.40  # cosine of two words' static vectors from which one is taken for the other, in part
CONTEXT = 0.7  # credit for a word that stands in the heading, the table title, the sentence before
AROUND = 0.25  # ... elsewhere in the passage
DERIVED = 0.8  # ... made from it: "complaint" for "complain"
ROOT = 4  # letters that a word and one made from it share at least
# What words are made with, as far as stemming leaves it.
_ENDINGS = frozenset(
    [
        "",
        "t",
        "th",
        "al",
        "er",
        "or",
        "ion",
        "ation",
        "ment",
        "ur",
        "ure",
        "anc",
        "enc",
        "ant",
        "ent",
        "iti",
        "ity",
    ]
)
MISSPELT = 0.9  # credit for a word that is the question's but for a slip
SLIP, SLIP_LETTERS = 0.88, 6  # likeness of letters, and letters, from which two words may be one
LIGHT = 0.2  # weight of a word that asks more than it says: "does she know SQL?", "is water included?"
_LIGHT = words_of(
    """know knows knew work works worked working allow allows allowed permit permits permitted include includes included
    cover covers covered use uses used have has need needs able available possible go goes put puts keep keeps offer offers
    offered speak speaks live lives cost costs like want wants say says supply supplied provide provides provided accept accepts
    accepted bring brings brought take takes come comes"""
)
_LIGHTEST = words_of(
    "work works worked working bring brings brought take takes took come comes came"
)  # in any question
_NUMBER_SIGN = re.compile(r"\b(?:no|nr)\.\s?(?=[#\w/-]*\d)", re.IGNORECASE)  # "Invoice no. 2025-0417"
# What a limit is called where it is asked for, and how it is printed.
_SAID = (
    (
        re.compile(
            r"\b(?:no more than|(?:not|never) (?:\w+ ){0,3}more than|at most|up to|(?:not|never) (?:to )?exceed)\b",
            re.IGNORECASE,
        ),
        "maximum max most",
    ),
    (re.compile(r"\b(?:at least|(?:no|not) (?:less|fewer) than)\b", re.IGNORECASE), "minimum min least"),
)
NAMED = 0.15  # weight of a word of the documents' own names
# What no document spells out, as everybody knows it.
KNOWN = {
    "ceo": "chief executive officer",
    "cfo": "chief financial officer",
    "coo": "chief operating officer",
    "cto": "chief technology officer",
    "eps": "earnings per share",
}
TOPIC = 0.3  # share of a document's pages from which a word is its topic


class Matcher:
    """The words of one question against the texts of its candidates.

    ``abbreviations`` are those that the texts spell out. ``weights`` holds the weight of each stem: rare words of the
    documents weigh more. ``absent`` is the weighted share of the question's words that stand nowhere in the documents, in
    no form.
    """

    def __init__(
        self,
        question: Question,
        texts: Iterable[str],
        documents: Mapping[str, Document],
        static: Embedder | None,
        abbreviations: dict[str, str] | None = None,
    ) -> None:
        self._language = question.language
        self._words = {term.stem: term.word for term in question.terms}
        pages = [page.text.casefold() for document in documents.values() for page in document.pages]
        names = " ".join(f"{d.name} {d.title}" for d in documents.values()).casefold()
        self.weights, self.absent, self.topics = _weights(question.stems, pages, names)
        light = _LIGHT if question.yes_no else _LIGHTEST
        heavy = [s for s, word in self._words.items() if word not in light]
        if heavy:
            self.weights = {s: w * (1.0 if s in heavy else LIGHT) for s, w in self.weights.items()}
        vocabulary = self._vocabulary(texts)
        self._like = _likeness(self._words, vocabulary, static)
        self._spelled = _spelled(self._words, abbreviations or {}, self._language)
        for stem, made in derived(self._words, vocabulary):
            given = self._like.setdefault(stem, {})
            given[made] = max(given.get(made, 0.0), DERIVED)
        for stem, meant in synonyms(self._words, question.text, self._language).items():
            self.weights.setdefault(stem, max(self.weights.values(), default=1.0))
            given = self._like.setdefault(stem, {})
            given |= {other: max(given.get(other, 0.0), credit) for other, credit in meant.items()}
        for wrong, right in misspelt(self._words, vocabulary):
            self._like.setdefault(wrong, {})[right] = MISSPELT

    def _vocabulary(self, texts: Iterable[str]) -> dict[str, str]:
        return {term.stem: term.word for text in texts for term in content_terms(text, self._language)}

    def shares(self, own: str, context: str, around: str) -> dict[str, tuple[float, float]]:
        """For each stem of the question how far ``own`` has it, and how far it is given at all (both 0 to 1)."""
        mine, near = self._stems(own), self._stems(context)
        far = self._stems(around)
        found = {}
        for stem in self.weights:
            here = self._share(stem, mine)
            beside = max(CONTEXT * self._share(stem, near), AROUND * (stem in far))
            found[stem] = (here, max(here, beside, CONTEXT if stem in self.topics else 0.0))
        return found

    def touches(self, text: str) -> bool:
        """Whether ``text`` has any word of the question, or one that means much the same."""
        stems = self._stems(text)
        return any(self._share(stem, stems) for stem in self.weights)

    def _stems(self, text: str) -> set[str]:
        plain = _NUMBER_SIGN.sub("number ", text)
        for phrase, words in _SAID:
            plain = phrase.sub(rf"\g<0> {words}", plain)
        stems = {term.stem for term in content_terms(plain, self._language)} | spelled_out(
            plain, self._language
        )
        for short, long in self._spelled:
            if short in stems:
                stems |= long
            elif long <= stems:
                stems.add(short)
        return stems

    def _share(self, stem: str, stems: set[str]) -> float:
        if stem in stems:
            return 1.0
        like = self._like.get(stem, {})
        return max((cosine for other, cosine in like.items() if other in stems), default=0.0)

    def rarest(self, shares: Mapping[str, tuple[float, float]]) -> float:
        """How far the question's rarest word is given."""
        rare = max(self.weights, key=lambda s: self.weights[s], default="")
        return shares[rare][1] if rare else 1.0

    def total(self, shares: Mapping[str, float]) -> float:
        """The weighted mean of ``shares`` by stem."""
        weight = sum(self.weights.values())
        return sum(self.weights[s] * share for s, share in shares.items()) / weight if weight else 0.0


def _spelled(
    words: Mapping[str, str], abbreviations: dict[str, str], language: str
) -> tuple[tuple[str, frozenset[str]], ...]:
    """(stem of an abbreviation, stems of what it stands for) of those that the question has in either form."""
    found = []
    for short, long in (KNOWN | abbreviations).items():
        pair = stem_of(short, language), frozenset(term.stem for term in content_terms(long, language))
        if pair[0] in words or (pair[1] and pair[1] <= words.keys()):
            found.append(pair)
    return tuple(found)


def derived(words: Mapping[str, str], vocabulary: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of (stem of the question, stem of the texts) of which one is made from the other: complain, complaint."""
    return [
        (stem, other)
        for stem in words
        for other in vocabulary
        if stem != other
        and stem[:ROOT] == other[:ROOT]
        and (other.startswith(stem) or stem.startswith(other))
        and {stem[len(other) :], other[len(stem) :]} <= _ENDINGS
        and stem.isalpha()
    ]


def misspelt(words: Mapping[str, str], vocabulary: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of (stem of the question, stem of the texts) that are one word but for a slip of the finger.

    ``words`` and ``vocabulary`` map a stem to a word as it is written.
    """
    known = {word: stem for stem, word in vocabulary.items() if len(word) >= SLIP_LETTERS}
    found = []
    for stem, word in words.items():
        if stem in vocabulary or not word.isalpha() or len(word) < SLIP_LETTERS:
            continue
        near = [w for w in get_close_matches(word, known, n=2, cutoff=SLIP) if w[0] == word[0]]
        found += [(stem, known[other]) for other in near]
    return found


def _weights(
    stems: Sequence[str], pages: Sequence[str], names: str
) -> tuple[dict[str, float], float, frozenset[str]]:
    """Weight by stem, the weighted share of absent stems, and the stems that are the documents' topic."""
    total = len(pages)
    counts = {stem: sum(_prefix(stem) in page for page in pages) for stem in stems}
    weights = {s: math.log(1 + (total + 1) / (n + 0.5)) for s, n in counts.items() if n}
    rarest = max(weights.values(), default=1.0)
    absent = {s for s, n in counts.items() if not n and _prefix(s) not in names}
    # What the documents are called ("Costco") tells none of their sentences from another.
    weights = {s: weights.get(s, rarest) * (NAMED if _prefix(s) in names else 1.0) for s in stems}
    topics = {s for s, n in counts.items() if _prefix(s) in names or (total > 3 and n > TOPIC * total)}
    share = sum(weights[s] for s in absent) / (sum(weights.values()) or 1.0)
    return weights, share, frozenset(topics)


def _prefix(stem: str) -> str:
    # A stem is nearly always a prefix of its words as printed ("inspect" of "inspected", "suppli" of "supply").
    return stem if len(stem) < 5 else stem[:-1]


def _likeness(
    words: Mapping[str, str], vocabulary: Mapping[str, str], static: Embedder | None
) -> dict[str, dict[str, float]]:
    """For each stem of the question the stems of the texts that mean much the same, with their cosine."""
    wanted = {s: w for s, w in words.items() if w.isalpha() and len(w) > 2}
    others = {s: w for s, w in vocabulary.items() if w.isalpha() and len(w) > 2}
    if static is None or not wanted or not others:
        return {}
    mine = static.embed(list(wanted.values()), "passage")
    theirs = static.embed(list(others.values()), "passage")
    cosines = np.asarray(mine @ theirs.T)
    names = list(others)
    return {
        stem: {names[i]: float(row[i]) for i in np.flatnonzero(row >= LIKE)}
        for stem, row in zip(wanted, cosines, strict=True)
    }
