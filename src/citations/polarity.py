"""Does the claim say yes where the page says no? Negations, exceptions, opposites, yes and no."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from src.answerer.denials import CLAUSE_END, SUBJECTS, Denial, denials
from src.answerer.denials import REACH as DENIED
from src.answerer.irregular import base
from src.answerer.opposites import (
    DENYING,
    NEGATORS,
    denies,
    opposites_of,
    siblings_of,
)
from src.answerer.questions import read_question
from src.answerer.terms import Term, all_terms
from src.citations.binding import repeats, rival
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

_ANSWER = re.compile(r"^\W*(yes|no)\b\s*(?:[,.:;—–-]+\s*|$)", re.IGNORECASE)
_REQUIRES = re.compile(
    r"\b(?:requir\w+|only|needs?|needed|must|if|subject to|provided|condition\w*|consent|unless|with|has to|have to)\b",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:excepted|excluding|exclusive of|not counting|not including|leaving out|barring|save|apart from|aside from|other than"
    r"|outside|with the exception of)\b",
    re.IGNORECASE,
)
_PLACES = frozenset(["above", "below", "beneath"])
_POINTING = re.compile(
    r"\b(?:above|below)\s*(?:[.,;:)]|$)|\b(?:listed|described|shown|discussed|noted|see|set forth|given|mentioned|stated)"
    r"\s+(?:above|below)\b",
    re.IGNORECASE,
)
FOLLOWED = 0.5  # share of a claim's content words that a sentence it is held against firmly must have
_NON = re.compile(r"\bnon-((?:[A-Z]\.){2,}|[A-Za-z]{4,}(?![\w-]))", re.IGNORECASE)
_OUTSIDE = re.compile(
    r"\b(?:non|not|no|never|without|outside|other than|except\w*|foreign|international|abroad|overseas|beyond)\b",
    re.IGNORECASE,
)
_SOFTLY = re.compile(
    r"\b(?:instead of|rather than|as opposed to|unlike|only|alone|solely|exclusively|stop\w*|ceas\w*|end(?:s|ed|ing)|exempt\w*"
    r"|lack\w*|hardly|barely|far from|short of|free (?:of|from)|until|too|differ\w*|absence|withdr\w+|discontinu\w*|los[et]s?)\b",
    re.IGNORECASE,
)
# What both of two sentences may well have in different places: "revenue" beside "costs", "first" beside "last".
_STANDING = frozenset(word for one in ("first", "revenue") for word in siblings_of(one) | opposites_of(one))
_LIMIT = re.compile(r"\b(?:at most|up to|maximum|limit\w*|at least|minimum|only)\b", re.IGNORECASE)
_LIMITED = re.compile(
    r"\b(?:more|less|fewer|longer|later|higher|lower|earlier) than\b|\bexceed", re.IGNORECASE
)


def check_polarity(claim: str, grounds: Grounds) -> Verdict | None:
    """The first place where ``claim`` and its ``grounds`` say opposite things; None when there is none."""
    body = _ANSWER.sub("", claim, count=1) or claim
    return (
        _yes_or_no(claim, grounds)
        or _negation_problem(body, grounds)
        or _opposite_problem(body, grounds)
        or _prefix_problem(body, grounds)
    )


def _prefix_problem(claim: str, grounds: Grounds) -> Verdict | None:
    """ "U.S. airlines" where the page has "non-U.S. airlines" alone."""
    for match in _NON.finditer("" if grounds.cells else grounds.cited):
        plain = re.compile(rf"(?<![\w-]){re.escape(match[1])}(?!\w)")
        if plain.search(claim) and not plain.search(grounds.cited) and not _OUTSIDE.search(claim):
            return Verdict(Support.PARTIAL, f"{match[1]!r} is {match.group()!r} on {grounds.label}")
    return None


def _negation_problem(claim: str, grounds: Grounds) -> Verdict | None:
    language = grounds.language
    mine = denials(claim, language)
    for sentence in _aligned(claim, grounds):
        theirs = denials(sentence, language)
        if _conditional(theirs) and not mine and _REQUIRES.search(claim):
            continue
        for denial in theirs:
            if _LIMIT.search(claim) and _LIMITED.search(_clause_at(sentence, denial.start)):
                continue  # "no more than ten may ..." told as "at most ten"
            if denial.kind == "exception" and _EXCEPTED.search(claim):
                continue
            if _untold(denial, claim, mine, sentence, theirs, language):
                firm = denial.kind == "negation" and _follows(claim, sentence, language)
                support = Support.NONE if firm or repeats(claim, sentence, language) else Support.PARTIAL
                return Verdict(support, f"the {denial.kind} {denial.word!r} on {grounds.label} is missing")
        for denial in theirs:
            if denial.kind == "exception" and _left_out(denial, claim, mine, sentence, language):
                return Verdict(
                    Support.PARTIAL, f"the exception {denial.word!r} on {grounds.label} is left out"
                )
    theirs = tuple(d for s in grounds.sentences for d in denials(s, language))
    paired = any(d.word == "neither" for d in mine)
    for denial in mine:
        if paired and denial.word == "nor":
            continue  # "neither A nor B" denies once
        if denial.kind == "exception" and _EXCEPTED.search(grounds.cited):
            continue
        if denial.kind == "negation" and _denied_nearby(denial, claim, grounds.cited, language):
            continue
        if _untold(denial, grounds.cited, theirs, claim, mine, language):
            firm = any(_follows(claim, s, language) for s in grounds.sentences)
            softly = any(_SOFTLY.search(s) for s in _aligned(claim, grounds))
            if softly and not firm:
                continue  # "instead of", "only", "ceased": the page denies in words that are not compared
            return Verdict(
                Support.NONE if firm and not softly else Support.PARTIAL,
                f"{denial.word!r} does not stand on {grounds.label}",
            )
    return None


def _follows(claim: str, sentence: str, language: str) -> bool:
    """Whether ``claim`` keeps to the words of ``sentence``: loosely retold, it may deny in words not known here."""
    mine = _content(claim, language)
    return len(mine & _content(sentence, language)) >= FOLLOWED * len(mine)


def _conditional(found: Sequence[Denial]) -> bool:
    """Whether a sentence denies twice ("not ... without consent", "never ... unless asked"): it names a condition."""
    return any(d.kind == "negation" and d.word != "without" for d in found) and any(
        d.word in ("without", "unless", "except") for d in found
    )


def _aligned(claim: str, grounds: Grounds) -> list[str]:
    """The cited sentences that the claim shares a good part of its words with."""
    wanted = _content(claim, grounds.language)
    if not wanted:
        return []
    shares = [(len(wanted & _content(s, grounds.language)) / len(wanted), s) for s in grounds.sentences]
    top = max((share for share, _ in shares), default=0.0)
    return [s for share, s in shares if share >= 0.3 and share >= 0.6 * top]


def _content(text: str, language: str) -> set[str]:
    return {base(t) for t in all_terms(text, language) if not t.is_function}


def _untold(
    denial: Denial,
    text: str,
    known: Sequence[Denial],
    source: str,
    others: Sequence[Denial],
    language: str,
) -> bool:
    """Whether ``text`` tells what ``denial`` of ``source`` denies, without denying it.

    ``known`` are the denials of ``text``, ``others`` those of ``source``. What is denied in other words counts as
    denied as long as the text has denials to spare.
    """
    words = _content(text, language)
    first = (
        denial.heads[:1]
        if denial.kind == "negation" and denial.heads[:1] and denial.heads[0] in words
        else ()
    )
    if denial.word in SUBJECTS and not first and set(denial.heads[:2]) & words:
        first = tuple(h for h in denial.heads[:2] if h in words)  # "none of those activities were regulated"
    present = list(first) or [h for h in denial.heads[:2] if h in words]
    governed = {h for d in known for h in d.heads}
    wide = denial.heads if len(denial.heads) > DENIED else ()
    if any(h in governed for h in (*present, *wide)):
        return False
    if _denied(text, source, denial.heads, language):
        return False
    if denial.kind == "exception":
        return bool(present) and not any(d.kind == "exception" for d in known)
    spare = len(known) >= len(others)
    if present:
        return not spare or (
            (first or len(present) == len(denial.heads[:2])) and not _reworded(denial, known, words)
        )
    if not denial.heads or denial.kind == "refusal":
        return False
    # The words behind the negation are paraphrased: is there any denial at all in a text about the same thing?
    clause = _content(_clause_at(source, denial.start), language)
    shared = len(clause & words) / max(1, len(clause))
    return shared >= 0.6 and not known


def _denied_nearby(denial: Denial, claim: str, text: str, language: str) -> bool:
    """Whether ``text`` denies in a clause of much the same words: "are not available for" for "cannot add"."""
    clause = _content(_clause_at(claim, denial.start), language)
    return len(clause) > 2 and any(
        d.kind == "negation"
        and d.word != "without"
        and 2 * len(clause & _content(_clause_at(text, d.start), language)) > len(clause)
        for d in denials(text, language)
    )


def _reworded(denial: Denial, known: Sequence[Denial], words: set[str]) -> bool:
    """Whether a denial of the other text governs words that are not the first ones but of the same clause."""
    return any(set(d.heads) & set(denial.heads) for d in known) or any(
        d.kind != "exception" and not set(d.heads[:2]) & words for d in known
    )


def _left_out(denial: Denial, claim: str, mine: Sequence[Denial], sentence: str, language: str) -> bool:
    """Whether the claim repeats the rule and leaves its exception away."""
    if any(d.kind == "exception" for d in mine) or _denied(claim, sentence, denial.heads, language):
        return False
    words = _content(claim, language)
    if any(h in words for h in denial.heads):
        return False
    rule = _content(sentence[: denial.start], language) - set(denial.heads)
    return len(rule) >= 3 and len(rule & words) >= 0.7 * len(rule)


def _denied(text: str, other: str, heads: Sequence[str], language: str) -> bool:
    """Whether ``text`` denies by a word of its own ("prohibited", "unsafe", an opposite of one of ``heads``)."""
    theirs = all_terms(other, language)
    words = {t.word for t in theirs}
    governed = {t.word for t in theirs if base(t) in heads}
    for term in all_terms(text, language):
        if term.word in words:
            continue
        if term.stem in DENYING or any(denies(term.word, word) for word in words):
            return True
        if opposites_of(term.word) & governed:
            return True
    return False


def _clause_at(sentence: str, position: int) -> str:
    start = max((m.end() for m in CLAUSE_END.finditer(sentence, 0, position)), default=0)
    match = CLAUSE_END.search(sentence, position)
    return sentence[start : match.start() if match else len(sentence)]


def _opposite_problem(claim: str, grounds: Grounds) -> Verdict | None:
    """A word of the claim whose opposite, and not itself, stands in the cited words."""
    language = grounds.language
    mine = denials(claim, language)
    theirs = [d for s in grounds.sentences for d in denials(s, language)]
    cited = all_terms(grounds.cited, language)
    words = {t.word for t in cited}
    stems = {t.stem for t in cited}
    near = {t.stem for t in all_terms(grounds.near, language)}
    claimed = {t.word for t in all_terms(claim, language)}
    for term in all_terms(claim, language):
        prefixed = {w for w in words if denies(term.word, w) or denies(w, term.word)}
        if term.word in NEGATORS and theirs:
            continue  # "no" is compared as a negation, not as the opposite of "each"
        against = (opposites_of(term.word) & words) | prefixed
        if _POINTING.search(grounds.cited):
            against -= _PLACES  # "the officers are listed below"
        if not against:
            continue
        if _doubled(term, claim, against, grounds):
            return Verdict(Support.NONE, f"{term.surface!r} stands for its opposite on {grounds.label}")
        if term.stem in stems or siblings_of(term.word) & words - against:
            firm = any(repeats(claim, sentence, language) for sentence in grounds.sentences)
            if term.word not in _STANDING and firm and _misplaced(term, claim, against, grounds):
                return Verdict(Support.PARTIAL, f"{term.surface!r} stands elsewhere on {grounds.label}")
            continue
        if against <= claimed or term.stem in near:
            continue
        turned = (bool(prefixed) and len(mine) != len(theirs)) or any(
            base(term) in d.heads for d in mine
        ) != any(base(t) in d.heads for d in theirs for t in cited if t.word in against)
        place = (claim, term.start, term.end)
        others = [
            (s, t.start, t.end)
            for s in grounds.sentences
            for t in all_terms(s, language)
            if t.word in against
        ]
        if not turned and rival(place, [], others, language):
            opposite = sorted(against)[0]
            firm = any(_follows(claim, sentence, language) for sentence in grounds.sentences)
            return Verdict(
                Support.NONE if firm else Support.PARTIAL,
                f"{term.surface!r} stands against {opposite!r} on {grounds.label}",
            )
    return None


def _doubled(term: Term, claim: str, against: frozenset[str], grounds: Grounds) -> bool:
    """Whether the claim repeats a word where the page has it and its opposite ("from the lower to the lower")."""

    def count(text: str, wanted: Collection[str]) -> int:
        return sum(t.word in wanted for t in all_terms(text, grounds.language))

    return (
        count(claim, {term.word}) > count(grounds.cited, {term.word}) > 0
        and count(claim, {term.word}) > 1
        and not count(claim, against)
    )


def _misplaced(term: Term, claim: str, against: frozenset[str], grounds: Grounds) -> bool:
    """Both opposites stand on the page: does the claim use the one where the page has the other?"""
    place = (claim, term.start, term.end)
    same, others = [], []
    for sentence in grounds.sentences:
        for other in all_terms(sentence, grounds.language):
            if other.stem == term.stem or other.word in siblings_of(term.word) - against:
                same.append((sentence, other.start, other.end))
            elif other.word in against:
                others.append((sentence, other.start, other.end))
    return rival(place, same, others, grounds.language)


def _yes_or_no(claim: str, grounds: Grounds) -> Verdict | None:
    """A bare yes or no against what the page denies or affirms of the question's own words."""
    match = _ANSWER.match(claim)
    question = read_question(grounds.asked)
    if not match or not question.yes_no:
        return None
    wanted = set(question.stems)
    denied = _question_denied(wanted, grounds)
    turned = any(set(d.heads) & wanted for d in denials(grounds.asked, grounds.language))
    if (match[1].lower() == "yes") and denied != turned:
        return Verdict(Support.NONE, f"{grounds.label} denies or excludes what was asked")
    if match[1].lower() == "no" and denied == turned:
        share = len(wanted & _content(grounds.cited, grounds.language)) / max(1, len(wanted))
        support = Support.NONE if share >= 0.75 else Support.PARTIAL
        return Verdict(support, f"{grounds.label} does not deny what was asked")
    return None


def _question_denied(wanted: set[str], grounds: Grounds) -> bool:
    """Whether the sentences nearest to the question deny one of its words, or except it."""
    language = grounds.language
    sentences = [s for s in grounds.sentences if wanted & _content(s, language)] or list(grounds.sentences)
    for sentence in sentences:
        if any(set(d.heads) & wanted for d in denials(sentence, language)):
            return True
        if _denied(sentence, grounds.asked, tuple(wanted), language):
            return True
    return False
