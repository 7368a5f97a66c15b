"""Follow-ups in other languages than English, by what they open with: "Und 2022?", "¿Y el beneficio?", "2022년은요?".

Their questions are told from English ones by the opening alone, so that a complete question of any language stays as
it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from src.memory.periods import YEAR, counted_on, relative

LONGEST = 8  # words after the opening; more make a question of their own


@dataclass(frozen=True, slots=True)
class Habits:
    """How a language opens a follow-up, and its articles (regular expressions)."""

    also: str
    about: str
    why: str
    articles: str
    inner: str = r"(?!)"  # words by which a noun goes on: "chiffre d'affaires"


@dataclass(frozen=True, slots=True)
class Opening:
    """What stands after a follow-up's opening, in the language of ``habits``; "" asks for the same again."""

    habits: Habits
    rest: str


_HABITS = (
    Habits(
        r"und|oder|aber",
        r"(?:und\s+)?(?:was\s+ist\s+(?:denn\s+)?mit|wie\s+(?:ist|sieht|steht)\s+es\s+(?:mit|bei))",
        r"(?:und\s+)?(?:warum|wieso|weshalb)",
        r"der|die|das|den|dem|des|ein|eine|einen|einem|einer",
    ),
    Habits(
        r"et|ou|mais",
        r"(?:et\s+)?(?:qu['’]en\s+est-il\s+(?:de|du|des)|quid\s+(?:de|du|des))|et\s+pour",
        r"(?:et\s+)?pourquoi",
        r"le|la|les|l['’]|un|une|du|des",
        r"d['’]|de\s+|du\s+|des\s+",
    ),
    Habits(
        r"y|e|o|pero",
        r"(?:y\s+)?qué\s+(?:pasa|hay|tal)\s+(?:con|de|en)|y\s+para",
        r"(?:y\s+)?por\s+qué",
        r"el|la|los|las|un|una|al|del",
        r"de\s+(?:la\s+|los\s+)?",
    ),
    Habits(
        r"e|ed|o|ma",
        r"(?:e\s+)?(?:che\s+ne\s+è\s+di|e\s+per)",
        r"(?:e\s+)?perché",
        r"il|lo|la|i|gli|le|l['’]|un|uno|una",
        r"di\s+|del\s+|della\s+|d['’]",
    ),
    Habits(
        r"e|ou|mas",
        r"e\s+(?:quanto\s+(?:a|ao|à|aos|às)|para)",
        r"(?:e\s+)?(?:por\s+qu[eê]|porqu[eê])",
        r"o|a|os|as|um|uma",
        r"de\s+|do\s+|da\s+",
    ),
    Habits(
        r"en|of|maar",
        r"(?:en\s+)?(?:hoe\s+zit\s+het\s+met|wat\s+betreft)",
        r"(?:en\s+)?waarom",
        r"de|het|een",
    ),
)
# a topic mark with a question mark and nothing else: "2022年は?", "2022年呢?", "2022년은요?"
_TOPIC = re.compile(
    r"(?:(?:では|じゃあ|それでは|那么?|그럼|그러면|그리고)[、,\s]*)?(?P<rest>.{1,24}?)(?:は|呢|은|는|은요|는요)\s*[?？]"
)
_TOPIC_HABITS = Habits("", "", "", r"(?!)")


_ASKS = re.compile(
    r"\W*(?:wer|was|wie|wo|wann|warum|wieso|welche[rsmn]?|wessen|wem|wen|woher|wohin|ist|sind|hat|haben|gibt|qui|que|quoi"
    r"|quel(?:le)?s?|où|comment|combien|quand|pourquoi|est-ce|qu['’]est|qué|quién(?:es)?|cuál(?:es)?|cuánt[oa]s?|dónde|cómo"
    r"|cuándo|hay|chi|che|cosa|quale|quali|quant[oaie]|dove|come|quando|perché|quem|qual|quais|onde|wat|hoe|waar|wanneer"
    r"|welke?|waarom)(?!\w)",
    re.IGNORECASE,
)
_OTHER_SCRIPT = re.compile(r"[^\W\d_A-Za-zÀ-ɏ]")


def is_question(text: str) -> bool:
    """Whether ``text`` asks in a language that English rules must not touch: "¿Qué es?", "매출은 얼마였습니까?"."""
    return bool(_OTHER_SCRIPT.search(text) or _ASKS.match(text))


def opening(text: str) -> Opening | None:
    """How ``text`` opens as a follow-up in a language other than English; None when it does not."""
    bare = text.strip(" ¿?!.？\u00a0")
    found = None
    for habits in _HABITS:
        if re.fullmatch(habits.why, bare, re.IGNORECASE):
            return Opening(habits, "")
        for pattern in (habits.about, habits.also):
            match = re.match(rf"(?:{pattern})\s+(?P<rest>\S.*)", bare, re.IGNORECASE)
            if match and len(match["rest"].split()) <= LONGEST and _is_phrase(match["rest"], habits):
                # "E nel 2022?" opens alike in several languages: the one whose article follows is meant
                own = Opening(habits, match["rest"])
                if re.match(rf"(?:{habits.articles})(?!\w)", match["rest"], re.IGNORECASE):
                    return own
                found = found or own
    if found is None and (match := _TOPIC.fullmatch(text)):
        found = Opening(_TOPIC_HABITS, match["rest"].strip())
    return found


def _is_phrase(rest: str, habits: Habits) -> bool:
    """Whether ``rest`` is a piece to put in ("2022", "im Vorjahr", "der Gewinn") and no question of its own."""
    if YEAR.search(rest) or relative(rest):
        return True
    words = rest.split()
    return bool(re.match(rf"(?:{habits.articles})(?!\w)", rest, re.IGNORECASE)) and len(words) <= 5


def made_whole(opening: Opening, text: str, before: str) -> str:
    """The last question ``before`` with what follows ``opening`` put in its place; ``text`` when nothing fits."""
    rest = opening.rest
    if not rest:
        return before
    if count := relative(rest):
        return counted_on(before, count[1], count[2]) or text
    new, old = YEAR.search(rest), YEAR.search(before)
    if new and old:
        return before[: old.start()] + new.group() + before[old.end() :]
    return _swapped_noun(opening.habits, rest, before) or text


def _swapped_noun(habits: Habits, rest: str, before: str) -> str | None:
    """``before`` with its first noun that has an article replaced by ``rest``."""
    noun = re.compile(
        rf"(?<!\w)(?:{habits.articles})(?:(?<=['’])|\s+)\w[\w-]*(?:\s+(?:{habits.inner})\w[\w-]*)*",
        re.IGNORECASE,
    )
    match = noun.search(before)
    return before[: match.start()] + rest + before[match.end() :] if match else None
