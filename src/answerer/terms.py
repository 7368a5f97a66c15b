"""The words of a text with their places, as the answerer and the claim check compare them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from src import languages
from src.answerer.wordlists import words_of
from src.index.keywords import normal_number
from src.languages import BIGRAM_SCRIPTS, STOPWORDS

_WORD = re.compile(
    rf"(?P<pairs>[{BIGRAM_SCRIPTS}]+)|(?:(?![{BIGRAM_SCRIPTS}])[^\W_])+(?:['’][^\W_\d]+)*(?:[.,]\d+)*"
)

# Words that carry no content in a question or an answer, beyond the stopwords of the index.
_FUNCTION_WORDS = words_of(
    """every either neither own another i us him mine yours ours hers being been doing done may might must
    ought need upon against among within without onto since via also too yes not no nor say says said state
    states stated mention mentions mentioned according document page file text pdf whether though although
    while until let s t re ve ll d m im ive youre youve weve theyre theyve dont doesnt didnt cant couldnt wont wouldnt shouldnt
    isnt arent wasnt werent havent hasnt hadnt mustnt youll theyll itll thatll"""
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word at [start, end) of its text: as printed, folded, and its stem."""

    start: int
    end: int
    surface: str
    word: str
    stem: str
    is_function: bool


def is_function_word(word: str, language: str = "en") -> bool:
    """Whether a folded word carries no content of its own."""
    return word in _stopwords(language) or (language == "en" and word in _FUNCTION_WORDS)


@lru_cache(maxsize=64)
def _stopwords(language: str) -> frozenset[str]:
    return frozenset(fold_word(word) for word in STOPWORDS.get(language, ()))


@lru_cache(maxsize=100_000)
def stem(word: str, language: str = "en") -> str:
    """The stem of a folded word; numbers in one form, other words with digits as they are."""
    if word[:1].isdigit():
        return normal_number(word)
    if any(c.isdigit() for c in word):
        return word
    return languages.stemmer(language)(word)


def fold_word(surface: str) -> str:
    """Caseless, without accents, apostrophes and possessive s."""
    plain = unicodedata.normalize("NFKD", languages.fold(surface).replace("’", "'"))
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return plain.removesuffix("'s").replace("'", "")


@lru_cache(maxsize=8192)
def all_terms(text: str, language: str = "en") -> tuple[Term, ...]:
    """Every word of ``text`` in order, compounds as their parts; Chinese and the like in pairs of characters."""
    found: list[Term] = []
    for match in _WORD.finditer(text):
        surface = match.group()
        if match["pairs"]:
            places = range(max(1, len(surface) - 1))
            for i in places:
                pair = surface[i : i + 2]
                found.append(Term(match.start() + i, match.start() + i + len(pair), pair, pair, pair, False))
            continue
        word = fold_word(surface)
        # A single capital ("Dock D", "class A") names something, whatever it is in small letters.
        lone = len(surface) == 1 and surface.isupper() and surface not in "AI"
        function = not lone and is_function_word(word, language)
        found.append(Term(match.start(), match.end(), surface, word, stem(word, language), function))
    return tuple(found)


def content_terms(text: str, language: str = "en") -> tuple[Term, ...]:
    """The words of ``text`` that carry content, in order."""
    return tuple(term for term in all_terms(text, language) if not term.is_function)


def stems(text: str, language: str = "en") -> tuple[str, ...]:
    """Stems of the content words, in order, repeated where they are."""
    return tuple(term.stem for term in content_terms(text, language))
