"""Follow-ups in English: whether a question leans on the one before it, and that question made whole."""

from __future__ import annotations

import re

from src.answerer.pins import find_pins
from src.memory.periods import QUARTER, YEAR, counted_on, relative
from src.records import NOT_FOUND

LONGEST = 400  # characters; who writes more says what is meant
_LEAD = r"(?:(?:and|but|so|or|also|then|ok|okay|well|now|yes|no|thanks?|great)[,.!]?\s+)*"
_ABOUT = re.compile(
    rf"^{_LEAD}(?:what|how)\s+about\s+(?P<rest>.+?)\s*\??$|^{_LEAD}(?:the\s+)?same\s+(?:question\s+)?for\s+(?P<same>.+?)\s*\??$",
    re.IGNORECASE,
)
_AND = re.compile(r"^(?:and|or|but|so)[,]?\s+(?P<rest>.+?)\s*\??$", re.IGNORECASE)
_BARE = re.compile(
    rf"^{_LEAD}(?P<word>why(?:\s+not)?|how(?:\s+so|\s+come)?|when|where|who|since when|until when|by whom|how (?:much|many|often|long))"
    r"(?:\s+(?:exactly|precisely|is that|was that|that))?\s*[?.!]*$",
    re.IGNORECASE,
)
_ITS = re.compile(
    rf"^{_LEAD}(?:(?:what|how)\s+about\s+)?(?:its|their)\s+(?P<noun>[\w -]+?)\s*\??$", re.IGNORECASE
)
_MORE = re.compile(
    rf"^{_LEAD}(?:(?:please\s+)?(?:tell me more|more details?|more|go on|continue|elaborate|explain(?: (?:that|this|it))?"
    r"|(?:can|could) you (?:explain|elaborate)(?: (?:on )?(?:that|this|it))?|what else|anything else|are you sure|really|in more detail)"
    r"(?: please| about (?:that|this|it))?)\s*[?.!]*$",
    re.IGNORECASE,
)
_SAME_FOR = re.compile(
    rf"^{_LEAD}(?:is|are|was|were|does|do)\s+(?:it|that|this|they)\s+(?:also\s+)?(?:the\s+same|apply|true|so)\s+(?P<rest>(?:for|to|in|with|at)\s+.+?)\s*\?*$",
    re.IGNORECASE,
)
_THERE = re.compile(
    rf"^{_LEAD}(?:(?:are|is|were|was)\s+there\s+)?(?:any|some)?\s*(?:other\s+)?(?P<noun>exceptions?|limits?|limitations?|conditions?|restrictions?)\s*\?*$",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"^{_LEAD}(?P<word>how (?:many|much))(?=\s+(?:is|are|was|were|do|does|did|has|have|had|can|will)\b)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:\s|[?.!,]|\b(?:and|but|so|then|what|how|about|was|is|were|are|it|that|this|in|for|of|happened|did|look|like|compare|with|to)\b)*",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|may|might|must|should|shall|will|would|says?|said"
    r"|list|name|show|give|tell|describe|explain|define|compare|summari[sz]e|find|state|what|which|who|whom|whose|when|where|why|how)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?P<own>its|their|his|her(?=\s+[a-z]))\b|\b(?P<it>it|they|them|he|she|him|her|this one|that one|these|those"
    r"|this|that)\b(?!\s+(?:document|paper|report|file|pdf|page|section|chapter|table|book|text|manual|article|agreement"
    r"|contract|year|case)\b)",
    re.IGNORECASE,
)
_DEMONSTRATIVE_USE = re.compile(
    r"^(?:this|that|these|those)$",
    re.IGNORECASE,
)
_SELF_VERB = re.compile(
    r"\s*(?:$|[?.!,]|(?:is|are|was|were|means?|do|does|did|has|have|had|can|may|apply|applies|compare|work|happen|change"
    r"|affect|differ|cost|take|include|come|relate|matter|imply|involve|\w+ed)\b|\w+\s*\?*$)"
)
_EXPLETIVE = re.compile(
    r"\bit\s+(?:\w+\s+){0,3}?(?:to\s+\w+|that\s+\w+|when\s+\w+|if\s+\w+)|\b(?:is|was)\s+it\s+(?:\w+\s+){1,3}?(?:to|that|for)\s+\w+"
    r"|\bhow (?:long|much|many \w+) (?:does|did|will|would) it (?:take|cost) (?:to|for|before|until)\b",
    re.IGNORECASE,
)
_ANTECEDENT = re.compile(
    r"\b(?:the|a|an|each|every|any|all|our|your|my)\s+(?!same\b|first\b|last\b|most\b)[a-z][\w-]+",
    re.IGNORECASE,
)
_PERSON = re.compile(r"^(?:he|she|him|her|his)$", re.IGNORECASE)
_QUESTION_OPENING = re.compile(
    r"^(?:(?:please|can you|could you|tell me|show me|do you know|does the (?:document|paper|report) say)\s+)*"
    r"(?:(?:on|in|at|by|for|from|to|of|with|under|since|until)\s+)?"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b(?:\s+(?:much|many|often|long|far|high|deep|old|large|big|soon|fast|wide))?",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|should|shall|will|would)"
_OPENING_AUX = re.compile(rf"^{_AUXILIARY}\b", re.IGNORECASE)
_WORD = r"[\w&'’/-]+"
_PHRASE_END = (
    r"of|for|in|at|on|from|to|by|with|under|and|or|per|is|are|was|were|be|been|do|does|did|has|have|had|can|could|may"
    r"|might|must|should|shall|will|would|after|before|during|when|if|while|that|which|who|as|than|not|about|between"
    r"|over|into|through|costs?|takes?|says?|means?|apply|applies|works?|happens?|lasts?|needs?|requires?|contains?|uses?"
    r"|starts?|ends?|begins?|opens?|closes?|lifts?|gets?|gives?|controls?|leads?|allows?|makes?|increases?|decreases?"
    r"|includes?|\w+ed"
)
_SIMPLE = rf"\b(?:the|an?|each|every|any|our|its|their)\s+{_WORD}(?:\s+(?!(?:{_PHRASE_END})\b){_WORD})*"
_SIMPLE_PHRASE = re.compile(_SIMPLE, re.IGNORECASE)
_NOUN_PHRASE = re.compile(
    rf"{_SIMPLE}(?:\s+(?:of|for)\s+(?:(?:the|an?|all|its|our)\s+)?(?!what|which){_WORD}"
    rf"(?:\s+(?!(?:{_PHRASE_END})\b){_WORD})*|\s+(?:at|in|on)\s+(?:the\s+)?[A-Za-z]+\s+\d+\b)*",
    re.IGNORECASE,
)
_LAST_OBJECT = re.compile(r"\b(?:for|of|in|at|by|with|from|on|to)\s+(?:(?:the|an?)\s+)?([\w-]+)(?=\s*\??$)")
_PLURAL = re.compile(r"^(?:they|them|their|these|those)$", re.IGNORECASE)
_NAME = re.compile(
    r"(?<!^)(?<![.?!]\s)\b[A-Z][\w&'’-]+(?:\s+(?:(?:of|the|and|de|van|von)\s+)?[A-Z0-9][\w&'’-]*)*"
)
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?:\s+\d{4})?"
)
_LABELLED = re.compile(r"\b([A-Za-z]{3,})\s+((?:No\.\s*)?\d{1,4}[a-z]?|[A-Z]|[IVX]{1,4})\b(?!\s*%)")
_TRAILING = re.compile(
    rf"^{_LEAD}(?P<rest>(?:with|without|under|in|on|at|for|from|by|during|per)\s+(?!{_AUXILIARY}\b)[^,;]+?)\s*\?*$",
    re.IGNORECASE,
)
_OWNED = re.compile(
    rf"\b(?P<owner>[\w&/-]+(?:['’]s|s['’])\s+)(?:(?!(?:{_PHRASE_END})(?![\w-])){_WORD}\s+)*(?!(?:{_PHRASE_END})(?![\w-])){_WORD}",
    re.IGNORECASE,
)
_PREPOSITIONAL = re.compile(
    r"^(?P<preposition>in|on|at|for|from|to|by|with|under|during|after|before|since|until|without|about|of|between|over)\s+(?P<object>.+)$",
    re.IGNORECASE,
)


def is_complete(question: str) -> bool:
    """Whether ``question`` can be understood without what was asked before it."""
    text = " ".join(question.split())
    if len(text) > LONGEST:
        return True
    if any(lean.match(text) for lean in (_ABOUT, _BARE, _MORE, _SAME_FOR, _THERE)):
        return False
    if (count := relative(text)) and not _says_more(text, count[0]):
        return False
    if _TRAILING.match(text) and not re.search(rf"\b{_AUXILIARY}\b", text, re.IGNORECASE):
        return False
    if len(text.split()) <= 5 and not _VERB.search(text):
        # "mooring fees" is a search in itself; "in 2022", "Dock C?" or "2021" lean on the last question.
        bare = text.rstrip("?!. ")
        leaning = (
            _PREPOSITIONAL.match(bare) or _AND.match(bare) or not re.search(r"[a-z]{3,} [a-z]{3,}", bare)
        )
        return not leaning
    if _AND.match(text) and len(text.split()) <= 6 and not _OPENING_AUX.match(_AND.sub(r"\g<rest>", text)):
        rest = _AND.sub(r"\g<rest>", text)
        if not _QUESTION_OPENING.match(rest) or _hanging_pronoun(rest):
            return False
    return _hanging_pronoun(text) is None


def made_whole(text: str, before: str, answer: str) -> str:
    """``text``, which is not complete, made whole from the question ``before`` it and that one's answer."""
    if match := _BARE.match(text):
        return _asked_again(match["word"].lower(), before)
    if _MORE.match(text):
        return before
    if count := relative(text):
        moved = counted_on(before, count[1], count[2])
        if moved and not _says_more(text, count[0]):
            return moved
        text = _with_period(text, count[0], moved)
    if match := _ITS.match(text):
        return _of_the_same(before, match["noun"])
    if match := _ABOUT.match(text):
        return _replaced(before, match["rest"] or match["same"])
    if match := _SAME_FOR.match(text):
        return _replaced(before, match["rest"])
    if match := _THERE.match(text):
        return _of_the_topic(match["noun"], before)
    if match := _HOW_MANY.match(text):
        text = _counted_things(text, match, before)
    if pronoun := _hanging_pronoun(text):
        return _named(text, pronoun, before, answer)
    if _HOW_MANY.match(text):
        return text
    match = _TRAILING.match(text) or _AND.match(text)
    return _replaced(before, match["rest"] if match else text.rstrip("?!. "))


def _says_more(text: str, period: re.Match[str]) -> bool:
    """Whether a follow-up holds more than its ``period``: "and what happened the year before that?" does not."""
    return not _EMPTY.fullmatch(text[: period.start()] + " " + text[period.end() :])


def _with_period(text: str, period: re.Match[str], moved: str | None) -> str:
    """``text`` with "the year before" replaced by the year that ``moved`` names."""
    year = YEAR.search(moved) if moved else None
    if year is None:
        return text
    head = "in " if re.match(r"in\s", period.group(), re.IGNORECASE) else ""
    return text[: period.start()] + head + year.group() + text[period.end() :]


def _of_the_topic(noun: str, before: str) -> str:
    """ "Any exceptions?" after a question about the notice period."""
    subject = topic(before)
    return f"Are there any {noun} to {subject}?" if subject else f"Are there any {noun}?"


def _counted_things(text: str, match: re.Match[str], before: str) -> str:
    """ "How many did they get back?" with the things that the question before counted."""
    counted = re.search(rf"\bhow (?:many|much)\s+(?P<noun>{_WORD})\s", before, re.IGNORECASE)
    if counted is None or re.match(rf"{_AUXILIARY}$", counted["noun"], re.IGNORECASE):
        return text
    return text[: match.end("word")] + " " + counted["noun"] + text[match.end("word") :]


def _hanging_pronoun(text: str) -> re.Match[str] | None:
    """The pronoun of ``text`` that nothing in it stands for."""
    for match in _PRONOUN.finditer(text):
        word = match.group()
        if (
            word.lower() in ("it",)
            and (e := _EXPLETIVE.search(text))
            and e.start() <= match.start() < e.end()
        ):
            continue
        if _DEMONSTRATIVE_USE.match(word) and not _SELF_VERB.match(text, match.end()):
            continue  # "that" as a conjunction, "these fees" with its noun
        if word.lower() == "that" and re.search(
            r"\b(?:say|says|said|state|states|show|shows|mean|know)\s+$", text[: match.start()]
        ):
            continue
        head = text[: match.start()]
        if _ANTECEDENT.search(head) or _NAME.search(head):
            continue
        return match
    return None


def _named(text: str, pronoun: re.Match[str], before: str, answer: str) -> str:
    """``text`` with its pronoun replaced by what the last question was about."""
    subject = _person(answer) if _PERSON.match(pronoun.group()) else ""
    subject = subject or (_PLURAL.match(pronoun.group()) and _plural_name(before)) or topic(before)
    if not subject or (_PLURAL.match(pronoun.group()) and not _is_plural(subject, before)):
        return text
    owned = f"{subject}'s" if not subject.endswith("s") else f"{subject}'"
    return text[: pronoun.start()] + (owned if pronoun["own"] else subject) + text[pronoun.end() :]


def _plural_name(before: str) -> str:
    """The first name of ``before`` in the plural, with its article: "the Reserve Banks"."""
    for name in _NAME.finditer(" " + before):
        if len(name.group().split()) > 1 and name.group().endswith("s") and "’" not in name.group():
            return ("the " if re.search(r"\bthe $", (" " + before)[: name.start()]) else "") + name.group()
    return ""


def _is_plural(subject: str, before: str) -> bool:
    head = re.split(r"\s(?:of|for|at|in|on)\s", subject)[0]
    return head.endswith("s") or " and " in subject or bool(re.match(r"who\b", before, re.IGNORECASE))


def topic(question: str) -> str:
    """The thing a question is about: its last noun phrase with an article, else its last name; "" when none."""
    body = _QUESTION_OPENING.sub("", question).rstrip("?!. ")
    phrases = [m.group().strip() for m in _NOUN_PHRASE.finditer(body)]
    names = [m.group().strip() for m in _NAME.finditer(" " + body)]
    if phrases:
        first = phrases[0]
        return re.sub(r"^(?:an?|each|every|any)\s+", "the ", first, flags=re.IGNORECASE)
    return names[0] if names else _bare_subject(body)


def _bare_subject(body: str) -> str:
    named = re.match(rf"\s*(?P<subject>{_WORD}(?:\s+{_WORD})?)\s+{_AUXILIARY}\b", body, re.IGNORECASE)
    if named and not _OPENING_AUX.match(body.strip()):
        return f"the {named['subject']}"
    match = re.match(
        rf"\s*{_AUXILIARY}\s+(?P<subject>[\w-]+(?:\s+(?:of|for|at|in)\s+[\w-]+(?:\s+\d+)?|\s+\d+)?)(?=\s|$)",
        body,
        re.IGNORECASE,
    )
    subject = match["subject"] if match else ""
    return (
        "" if re.match(r"(?:i|you|we|it|they|he|she|there|this|that)$", subject, re.IGNORECASE) else subject
    )


def _person(answer: str) -> str:
    """The first name of two or more words in an answer."""
    for match in _NAME.finditer(" " + answer):
        if len(match.group().split()) > 1 and NOT_FOUND not in match.group():
            return match.group()
    return ""


def _asked_again(word: str, before: str) -> str:
    """``before`` asked with another question word: "why" after "Does the crane stop?"."""
    word = {"how so": "why", "how come": "why"}.get(word, word)
    body = _QUESTION_OPENING.sub("", before).strip()
    if _OPENING_AUX.match(before):
        body = before
    if word == "why not":
        word = "why"
    single = re.match(r"^(?:is|are|was|were)\s+((?:the|an?|its|our)\s+.+?|[A-Z].+?)\s*\?*$", body)
    if (
        word == "why"
        and single
        and not _OPENING_AUX.match(before)
        and not re.search(r"\b\w+(?:ed|ing)\b", single[1])
    ):
        return f"What is the reason for {single[1]}?"
    if not _OPENING_AUX.match(body):
        turned = re.match(rf"(?P<noun>.+?)\s+(?P<aux>{_AUXILIARY})\s+(?P<rest>.+)", body, re.IGNORECASE)
        if turned is None:
            return f"{word.capitalize()}: {before}"
        article = "" if re.match(r"(?:the|an?|its|our)\s", turned["noun"], re.IGNORECASE) else "the "
        noun, rest = article + turned["noun"], turned["rest"].rstrip("?!. ")
        if turned["aux"].lower() in ("do", "does", "did"):  # the noun was what the verb did something to
            noun, rest = rest, noun
        return f"{word.capitalize()} {turned['aux'].lower()} {noun} {rest}?"
    return f"{word.capitalize()} {body[0].lower()}{body[1:]}"


def _of_the_same(before: str, noun: str) -> str:
    """Another property of the thing ``before`` asked about: "its density" after "the boiling point of water"."""
    subject = topic(before)
    owner = re.search(r"\b(?:of|for)\s+(.+)$", subject)
    return f"What is the {noun} of {owner[1] if owner else subject}?" if subject else before


def _replaced(before: str, piece: str) -> str:
    """``before`` with what is like ``piece`` replaced by it: year for year, berth for berth, name for name."""
    piece = piece.strip().rstrip("?!. ")
    match = _PREPOSITIONAL.match(piece)
    if match:
        piece = f"{match['preposition'].lower()} {match['object']}"
    core = match["object"] if match else piece
    for kind in (YEAR, QUARTER, _MONTH):
        new, old = kind.search(core), kind.search(before)
        if new and old and len(core.split()) <= 4:
            before = _question(before[: old.start()] + new.group() + before[old.end() :])
            rest = re.sub(r"\s+(?:in|for|of|at|on|the)*\s*$", "", core[: new.start()])
            return before if match or not rest[:1].isupper() else _replaced(before, rest)
    if label := _LABELLED.search(core):
        for old in _LABELLED.finditer(before):
            if old[1].casefold() == label[1].casefold():
                return _question(before[: old.start()] + core + before[old.end() :])
    if match:
        same = re.compile(
            rf"\b{match['preposition']}\s+(?:(?:the|an?)\s+)?[\w&'’.-]+(?:\s+(?:[A-Z0-9][\w&'’.-]*|\d+))*",
            re.IGNORECASE,
        )
        if old := _last(same, before):
            return _question(before[: old.start()] + piece + before[old.end() :])
        return _question(f"{before.rstrip('?!. ')} {piece}")
    new_names = [pin for pin in find_pins(f"- {core}") if pin.kind == "name"] or (core[:1].isupper())
    if new_names and (old := _last(_NAME, " " + before)):
        shifted = " " + before
        owned = "" if core.endswith(("'s", "’s")) else "".join(re.findall(r"['’]s$", old.group()))
        return _question((shifted[: old.start()] + core + owned + shifted[old.end() :]).strip())
    return _swapped_noun(before, core)


def _swapped_noun(before: str, core: str) -> str:
    """``before`` with the noun phrase that is most like ``core`` replaced by it: the same head noun, else the last."""
    bare = re.sub(r"^(?:the|an?)\s+", "", core, flags=re.IGNORECASE)
    offset = len(before) - len(_QUESTION_OPENING.sub("", before))
    phrases = list(_SIMPLE_PHRASE.finditer(before, offset))
    alike = [p for p in phrases if p.group().split()[-1].casefold() == core.split()[-1].casefold()]
    if alike or (bare != core and phrases):
        old = (alike or phrases)[-1]
        return _question(before[: old.start()] + f"the {bare}" + before[old.end() :])
    # "How much is the deposit for canoes?" - "what about kayaks?"
    if (last := _last(_LAST_OBJECT, before)) and not YEAR.fullmatch(last[1]):
        return _question(before[: last.start(1)] + bare + before[last.end(1) :])
    if owned := _OWNED.search(before):
        return _question(before[: owned.end("owner")] + bare + before[owned.end() :])
    ending = re.search(r"[\w-]+(?=[?!. ]*$)", before)
    if _OPENING_AUX.match(before) and ending and not _in_short_phrase(phrases, ending.end()):
        return _question(before[: ending.start()] + bare)
    subject = _bare_subject(before[offset:])
    if subject and subject in before:
        return _question(before.replace(subject, bare, 1))
    if phrases:
        return _question(before[: phrases[-1].start()] + f"the {bare}" + before[phrases[-1].end() :])
    return _question(f"{before.rstrip('?!. ')} for {core}")


def _in_short_phrase(phrases: list[re.Match[str]], end: int) -> bool:
    """Whether a phrase reaches ``end``. A phrase of four words has a verb in it: "the policy cover floods"."""
    return any(phrase.end() >= end and len(phrase.group().split()) <= 3 for phrase in phrases)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return max(pattern.finditer(text), key=lambda m: m.start(), default=None)


def _question(text: str) -> str:
    return " ".join(text.split()).rstrip("?!. ") + "?"
