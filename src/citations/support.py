"""Is a claim supported at all? Words of the claim that the page does not have, and the cross-encoder's view."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from src.answerer.irregular import base
from src.answerer.numerals import MULTIPLES, WORDS
from src.answerer.opposites import siblings_of
from src.answerer.terms import Term, all_terms
from src.answerer.wordlists import words_of
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.models import Models
from src.records import Support

LIKE = 0.38  # cosine of two words' static vectors from which one may stand for the other
STRANGE = 0.22  # ... below which a replaced word is another word
VERBATIM = 0.75  # share of the claim's content words, in order, that makes it a repetition of the page
PARAPHRASED = 0.5  # share of the content words that must stand on the page for full support
UNKNOWN = 0.3  # ... where no model knows the language, and paraphrases go unseen
RERANK_FLOOR = -6.0
RERANK_SURE = 3.0

# Words that open a sentence and are no names.
OPENING = words_of(
    """around approximately some close more less fewer over under up half even almost nearly practically essentially substantially about every each both one two three four five roughly virtually most many several few only
    overall together among apart except besides beyond beginning measured compared based given according unlike like
    whoever anyone everyone readers users people companies"""
)

# Words an answer brings along by itself.
TELLING = words_of(
    """according passage document text states says section page pages report reports table note notes mentioned
    described describes given gives shown shows listed lists provides provided specifies specified indicates
    indicated amount amounted total totalled totaled equals means refers called namely answer value number
    figure yes take takes took taken make makes made get gets go goes run runs put keep come become apply applies
    use used happen happens occur occurs carry carried need needs needed require requires required"""
)


def check_support(claim: str, grounds: Grounds, models: Models) -> Verdict | None:
    """A verdict below full when too little of ``claim`` stands in its ``grounds``."""
    language = grounds.language
    known = _known_stems(grounds)
    terms = [
        t
        for t in all_terms(claim, language)
        if not t.is_function and t.word not in TELLING and not any(c.isdigit() for c in t.word)
    ]
    if not terms:
        return None
    strange = [t for t in terms if not stands(t, known) and t.word not in WORDS and t.word not in MULTIPLES]
    strange = unlike(strange, grounds, models)
    if verdict := _replaced(claim, strange, grounds):
        return verdict
    share = 1 - len(strange) / len(terms)
    logit = _logit(claim, grounds, models) if share < 0.8 else None
    least = PARAPHRASED if models.knows(grounds.language) else UNKNOWN
    return _judged(share, least, logit, strange, grounds)


def _judged(
    share: float, least: float, logit: float | None, strange: Sequence[Term], grounds: Grounds
) -> Verdict | None:
    told = ", ".join(dict.fromkeys(t.surface for t in strange[:4]))
    problem = f"little of it stands on {grounds.label} ({told})"
    if logit is not None and logit <= RERANK_FLOOR and share < 0.7:
        return Verdict(Support.NONE, problem)
    if share < 0.3 and (logit is None or logit < 0.0):
        return Verdict(Support.NONE, problem)
    if share < least and (logit is None or logit < RERANK_SURE):
        return Verdict(Support.PARTIAL, problem)
    return None


def _known_stems(grounds: Grounds) -> set[str]:
    text = f"{grounds.cited}\n{grounds.near}\n{grounds.asked}"
    words = set(all_terms(text, grounds.language))
    known = {t.stem for t in words} | {t.word for t in words} | {base(t) for t in words}
    return known | {s for t in words for s in siblings_of(t.word)}


def stands(term: Term, known: set[str]) -> bool:
    """Whether ``known`` has the word, or one of its root."""
    if {term.stem, term.word, base(term)} & known:
        return True
    root = term.word[: max(4, len(term.word) - 4)]
    return len(term.word) > 4 and any(k.startswith(root) for k in known if abs(len(k) - len(term.word)) <= 5)


def unlike(strange: Sequence[Term], grounds: Grounds, models: Models) -> list[Term]:
    """Of the words that do not stand on the page those that no word of it resembles."""
    if models.static is None or not strange:
        return list(strange)
    words = list(dict.fromkeys(t.word for t in all_terms(grounds.cited, grounds.language) if len(t.word) > 2))
    if not words:
        return list(strange)
    mine = models.static.embed([t.word for t in strange], "passage")
    theirs = models.static.embed(words, "passage")
    best = np.max(mine @ theirs.T, axis=1)
    return [t for t, cosine in zip(strange, best, strict=True) if cosine < LIKE]


def _replaced(claim: str, strange: Sequence[Term], grounds: Grounds) -> Verdict | None:
    """A claim that repeats a sentence of the page with one word exchanged for another."""
    if not strange:
        return None
    language = grounds.language
    mine = [t for t in all_terms(claim, language) if not t.is_function]
    odd = {t.start for t in strange}
    for sentence in grounds.sentences:
        theirs = [t for t in all_terms(sentence, language) if not t.is_function]
        matcher = SequenceMatcher(None, [t.stem for t in mine], [t.stem for t in theirs], autojunk=False)
        blocks = matcher.get_matching_blocks()
        if sum(b.size for b in blocks) < VERBATIM * len(mine) or len(mine) < 4:
            continue
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag != "replace" or b - a != d - c or any(c.isdigit() for t in mine[a:b] for c in t.word):
                continue  # numbers are compared as figures
            if {t.word for t in (*mine[a:b], *theirs[c:d])} <= OPENING:
                continue  # "almost all" for "virtually all"
            if not any(t.surface[:1].isupper() for t in (*mine[a:b], *theirs[c:d])):
                continue  # "completed" for "finalized": which small words say the same is not known here
            if min(len(t.word) for t in (*mine[a:b], *theirs[c:d])) < 3:
                continue
            if any(t.start in odd for t in mine[a:b]):
                return Verdict(
                    Support.PARTIAL,
                    f"{claim[mine[a].start : mine[b - 1].end]!r} is"
                    f" {sentence[theirs[c].start : theirs[d - 1].end]!r} on {grounds.label}",
                )
    return None


def _logit(claim: str, grounds: Grounds, models: Models) -> float | None:
    if models.reranker is None or not models.knows(grounds.language):
        return None
    return float(models.reranker.score(claim, [f"{grounds.cited}"[:1200]])[0])
