"""The words of a text as the answerer and the claim check compare them: folded, stemmed, without function words."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:[-.,/&][^\W_]+)*")
CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")

FUNCTION_WORDS = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "some",
        "any",
        "each",
        "every",
        "either",
        "neither",
        "both",
        "all",
        "such",
        "own",
        "same",
        "other",
        "another",
        "i",
        "you",
        "he",
        "she",
        "it",
        "we",
        "they",
        "me",
        "him",
        "her",
        "us",
        "them",
        "my",
        "your",
        "his",
        "its",
        "our",
        "their",
        "mine",
        "yours",
        "ours",
        "theirs",
        "who",
        "whom",
        "whose",
        "which",
        "what",
        "when",
        "where",
        "why",
        "how",
        "whether",
        "there",
        "here",
        "is",
        "am",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "doing",
        "done",
        "have",
        "has",
        "had",
        "having",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "ought",
        "need",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "to",
        "into",
        "onto",
        "upon",
        "about",
        "against",
        "between",
        "among",
        "through",
        "during",
        "within",
        "without",
        "over",
        "under",
        "above",
        "below",
        "up",
        "down",
        "out",
        "off",
        "again",
        "further",
        "then",
        "once",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "if",
        "than",
        "as",
        "because",
        "while",
        "until",
        "although",
        "though",
        "since",
        "per",
        "via",
        "also",
        "too",
        "very",
        "just",
        "only",
        "not",
        "no",
        "yes",
        "please",
        "tell",
        "give",
        "say",
        "says",
        "said",
        "state",
        "stated",
        "mention",
        "mentioned",
        "according",
        "document",
        "page",
        "file",
        "text",
        "pdf",
        "let",
        "me",
        "s",
        "t",
        "re",
        "ve",
        "ll",
        "d",
        "m",
    ]
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word at [start, end) of its text: as printed, folded, and its stem."""

    start: int
    end: int
    surface: str
    word: str
    stem: str

    @property
    def is_function(self) -> bool:
        """Whether it carries no content of its own; a single capital ("Dock D") names something."""
        if len(self.surface) == 1 and self.surface.isupper() and self.surface not in "AI":
            return False
        return self.word in FUNCTION_WORDS


_STEMMER = snowballstemmer.stemmer("english")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a folded word; words with digits stay as they are, without thousands separators."""
    if any(c.isdigit() for c in word):
        return word.replace(",", "")
    return str(_STEMMER.stemWord(word))


def fold_word(surface: str) -> str:
    """Caseless, without accents, quotation marks and possessive s."""
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", surface.casefold()) if not unicodedata.combining(c)
    )
    plain = plain.replace("’", "'")
    return plain.removesuffix("'s").replace("'", "")


@lru_cache(maxsize=4096)
def all_terms(text: str) -> tuple[Term, ...]:
    """Every word of ``text`` in order; a compound ("two-stage") also as its parts, Chinese and the like in bigrams."""
    found: list[Term] = []
    for match in WORD.finditer(text):
        surface = match.group()
        if CJK.search(surface):
            found.extend(_bigrams(surface, match.start()))
            continue
        pieces = [(match.start(), surface)]
        if re.search(r"[-/&]", surface) and not any(c.isdigit() for c in surface):
            pieces = [(match.start() + m.start(), m.group()) for m in re.finditer(r"[^-/&]+", surface)]
        for start, piece in pieces:
            word = fold_word(piece)
            found.append(Term(start, start + len(piece), piece, word, stem(word)))
    return tuple(found)


def content_terms(text: str) -> tuple[Term, ...]:
    """The words of ``text`` that carry content, in order."""
    return tuple(term for term in all_terms(text) if not term.is_function)


def stems(text: str) -> tuple[str, ...]:
    """Stems of the content words, in order, repeated where they are."""
    return tuple(term.stem for term in content_terms(text))


def _bigrams(surface: str, offset: int) -> list[Term]:
    if len(surface) == 1:
        return [Term(offset, offset + 1, surface, surface, surface)]
    return [
        Term(offset + i, offset + i + 2, surface[i : i + 2], surface[i : i + 2], surface[i : i + 2])
        for i in range(len(surface) - 1)
    ]
