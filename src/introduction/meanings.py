"""Questions that one English sentence answers: what a word means, when something was done, what for, and why."""

from __future__ import annotations

import re

ENGLISH_DEFINITION = re.compile(
    r"^(?P<article>An?\s+|The\s+)?[“\"']?(?P<term>[A-Za-z][\w-]*(?:\s+[\w-]+){0,3}?)[”\"']?(?:\s*\([^)]{1,20}\))?\s+"
    r"(?P<verb>is\s+an?|are|means?|refers\s+to|is\s+defined\s+as)\s(?P<rest>\w+(?:\s\w+){0,3})"
)
_THING = r"(?P<thing>(?:The\s+|An?\s+)?[A-Z]?[\w’'-]+(?:\s+(?!that\b|which\b|who\b|and\b|or\b|but\b)[\w’'-]+){0,3}?)"
DATED = re.compile(
    rf"^(?!(?:It|This|That|These|Those|They|He|She|We|There|Here|What|As|In|If)\b){_THING}\s+(?P<be>was|were)\s+(?:first\s+)?"
    r"(?P<done>founded|established|created|adopted|signed|enacted|launched|opened|published|introduced|invented|built|completed|"
    r"incorporated|formed|acquired|approved|released|renewed|renovated|closed)\b[^.;]{0,40}?\b(?:in|on)\s+(?:[A-Z][a-z]+\s+(?:\d{1,2},?\s+)?|"
    r"\d{1,2}\s+[A-Z][a-z]+\s+)?(?:1[5-9]|20)\d\d\b"
)
PURPOSE = re.compile(
    r"^(?:The|Our|Its)\s+(?P<noun>(?:main |primary |key |chief |overall |central )?(?:purpose|goal|aim|objective|mission|role|function|task|"
    r"advantage|disadvantage|drawback|benefit|difference|reason|cause|challenge|limitation|idea))\s+"
    r"(?P<of>(?:of|behind|for|between)\s+[\w’' -]{3,60}?)\s+(?P<be>is|was|are|were)\s(?!not\b)"
)
REASON = re.compile(
    rf"^(?!(?:It|This|That|These|Those|They|He|She|We|There|Here|What|Such)\b){_THING}\s+(?P<be>is|are|was|were)\s+"
    r"(?P<state>(?!that\b)[\w’'-]+(?:\s+(?!that\b|when\b|which\b|who\b|and\b|but\b)[\w’'-]+){0,5}?),?\s+because\s+(?!of\b)"
)
# "Opposite every temple is a pool" defines nothing.
PLACED = re.compile(
    r"(?:opposite|near|behind|beside|beneath|inside|outside|within|among|between|under|over|on|in|at|by|from|with|before|after|during"
    r"|since|through|across|around|along|against|beyond|despite|like|unlike|until|upon)\b",
    re.IGNORECASE,
)
LEANING = re.compile(r"\b(?:this|that|these|those|it|so|such|there)\b", re.IGNORECASE)
# One word with a capital and no article is a name ("Nancy was afraid"), unless it is a thing made of a verb or property.
BARE_NAME = re.compile(r"[A-Z][a-z]+(?<!ing)(?<!tion)(?<!sion)(?<!ment)(?<!ness)(?<!ity)(?<!ism)")
NAMED = re.compile(
    r"(?:which|that|what)\s+(?:is|are|we|they)\s+(?:call|called|known as|term|termed|referred to as)\s+[“\"](?P<term>[a-z][\w’' -]{3,30})[”\"]"
)
# "The result is a …" says what came out, not what a word means.
NO_TERM = frozenset(
    [
        "it",
        "this",
        "that",
        "these",
        "those",
        "there",
        "he",
        "she",
        "they",
        "we",
        "you",
        "which",
        "what",
        "here",
        "one",
        "all",
        "some",
        "many",
        "most",
        "such",
        "any",
        "each",
        "every",
        "when",
        "if",
        "while",
        "because",
        "although",
        "so",
        "then",
        "thus",
        "however",
        "also",
        "another",
        "other",
        "both",
        "several",
        "no",
        "not",
        "section",
        "figure",
        "table",
        "chapter",
        "part",
        "page",
        "step",
        "example",
        "result",
        "results",
        "reason",
        "goal",
        "aim",
        "purpose",
        "problem",
        "question",
        "idea",
        "difference",
        "advantage",
        "answer",
        "first",
        "second",
        "third",
        "next",
        "last",
        "main",
        "key",
        "best",
        "worst",
        "following",
        "above",
        "below",
    ]
)
PERSONS = frozenset(
    [
        "consultant",
        "manager",
        "director",
        "engineer",
        "professor",
        "lecturer",
        "author",
        "editor",
        "architect",
        "lawyer",
        "analyst",
        "researcher",
        "specialist",
        "member",
        "partner",
        "president",
        "officer",
        "scientist",
        "developer",
    ]
)


def sentence_question(sentence: str) -> str:
    """What one asks to be told ``sentence``; "" where no question people would ask fits it."""
    if match := DATED.match(sentence):
        return f"When {match['be']} {lowered(match['thing'])} {match['done']}?"
    if match := PURPOSE.match(sentence):
        return f"What {match['be']} the {match['noun'].lower()} {match['of']}?"
    if match := REASON.match(sentence):
        if LEANING.search(match["state"]):
            return ""
        thing = match["thing"]
        named = BARE_NAME.fullmatch(thing) and match["be"] in ("is", "was")
        return f"Why {match['be']} {thing if named else lowered(thing)} {match['state']}?"
    if match := NAMED.search(sentence):
        return f"What is {match['term'].strip()}?"
    return ""


def meaning_question(match: re.Match[str]) -> str:
    """What one asks for a definition, given as a match of ENGLISH_DEFINITION; "" where it is none."""
    article, term, verb = (match["article"] or "").strip().lower(), match["term"], match["verb"]
    words = term.split()
    named = term[0].isupper()
    if (
        words[0].lower() in NO_TERM
        or PLACED.match(term)
        or words[-1].lower().endswith("ly")
        or words[-1].lower() in NO_TERM | {"just", "still"}
    ):
        return ""
    if re.search(r"ing$", words[0]) or (not article and not named):
        return ""
    explains = verb.startswith(("mean", "refer", "is def"))
    if (article == "the" or verb == "are") and not explains:
        return ""
    if not article and PERSONS & set(match["rest"].lower().split()):
        return f"Who is {term}?"
    if explains and not article and not named:
        return ""
    return f"What is {article + ' ' if article else ''}{term if not article or not named else lowered(term)}?"


def kept(sentence: str) -> str:
    """The first words of a sentence: enough to know it by, and what a quote that is cut short still has."""
    return " ".join(sentence.split()[:6])


def lowered(words: str) -> str:
    """Words as they stand inside a sentence: a capital that only opens them goes, names and acronyms stay."""
    first, *rest = words.split(" ")
    if words.isupper():
        return words.lower() if len(words) > 12 else words
    keep = not first[1:].islower() or any(w[:1].isupper() for w in rest)
    return words if keep else words[0].lower() + words[1:]
