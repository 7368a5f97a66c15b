"""Words of several languages: which headings ask for nothing, and how questions are put in other languages than English."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Headings that stand in every document and ask for nothing, and those that only count.
COMMON = re.compile(
    r"(?i)(abstract|introduction|references|bibliography|acknowledge?ments?|(?:table of )?contents|index|appendix|"
    r"preface|foreword|summary|notes?|glossary|figures?|tables?|keywords|einleitung|inhalt(?:sverzeichnis)?|literatur(?:verzeichnis)?|"
    r"anhang|vorwort|impressum|r[ée]sum[ée]|sommaire|table des mati[èe]res|remerciements|bibliographie|conclusions?|[íi]ndice|"
    r"bibliograf[íi]a|introducci[óo]n|resumen|indice|introduzione|bibliografia|sommario|sum[áa]rio|introdu[çc][ãa]o|inhoud(?:sopgave)?|"
    r"inleiding|literatuur|samenvatting)\b.{0,12}"
)
COUNTED = re.compile(
    r"(?i)(definition|bemerkung|beispiel|satz|lemma|korollar|theorem|proposition|remark|example|proof|beweis|aufgabe|"
    r"[üu]bung|exercise|figure|abbildung|tabelle|table|exemple|th[ée]or[èe]me|d[ée]finition|remarque|esempio|ejemplo|exemplo|"
    r"voorbeeld|stelling|folgerung|(?:teil)?aufgabe|part|item|cfr|release)\b.*\d"
)
NUMBERING = re.compile(
    r"^\s*(?:(?:chapter|section|part|item|kapitel|abschnitt|teil|chapitre|partie|cap[íi]tulo|capitolo|hoofdstuk)\s+)?"
    r"(?:§\s*)?(?:[\dIVX]+(?:\.\d+)*[.):]?|[A-Z][.)])\s+",
    re.I,
)
TORN = re.compile(
    r"(?i)^(?:of|and|or|to|for|in|on|with|by|from|as|et|de|des|du|und|von|y|e|en)\b|[\[\]*|@]|\b(?:and|or|of|the|to)$"
)
# A heading that is a sentence cannot stand in the place of a noun.
CLAUSE = re.compile(r"(?i)\b(?:is|are|was|were|has|have|had|can|will|we|you|ist|sind|wird|est|sont|heißt)\b")

# Words after an indefinite article that are not what a sentence defines: "Ein Beispiel ist ...".
NO_TERM = re.compile(
    r"(?i)\b(?:beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|ander\w*|autre\w*|otr[oa]s?|altr[oiae]|outr[oa]s?|"
    r"weiter\w*|erst\w*|zweit\w*|premi\w+|prim\w+|segund\w+|second\w+|tel(?:le)?s?|solche\w*)\b"
)


@dataclass(frozen=True, slots=True)
class Wording:
    """How one language asks. ``about`` takes a heading, ``value`` a row and a year, ``meaning`` what ``definition``
    has found: its groups ``term`` and ``article``, the latter as ``articles`` turns it (with the space after it)."""

    about: str
    value: str
    meaning: str
    definition: re.Pattern[str]
    articles: dict[str, str]


def _defining(articles: str, verbs: str) -> re.Pattern[str]:
    """A sentence "A TERM is a …" with an indefinite article before the term, which keeps "the result is a …" away."""
    return re.compile(
        rf"^(?P<article>{articles})(?P<term>[\w’'-]+(?:\s+[\w’'-]+){{0,2}}?)(?:\s*\([^)]{{1,20}}\))?\s+(?:{verbs})\s"
    )


WORDINGS = {
    "de": Wording(
        "Was steht in dem Dokument zu „{}“?",
        "Welcher Wert steht bei „{}“ für {}?",
        "Was ist {}{}?",
        _defining(r"Ein |Eine ", r"ist (?:ein|eine|der|die|das)|bezeichnet|bedeutet"),
        {"Ein ": "ein ", "Eine ": "eine "},
    ),
    "fr": Wording(
        "Que dit le document sur « {} » ?",
        "Quelle est la valeur de « {} » pour {} ?",
        "Qu’est-ce qu’{}{} ?",
        _defining(r"Un |Une ", r"est (?:un|une|le|la|l’|l')|désigne|signifie"),
        {"Un ": "un ", "Une ": "une "},
    ),
    "es": Wording(
        "¿Qué dice el documento sobre «{}»?",
        "¿Cuál es el valor de «{}» en {}?",
        "¿Qué es {}{}?",
        _defining(r"Un |Una ", r"es (?:un|una|el|la)|significa"),
        {"Un ": "un ", "Una ": "una "},
    ),
    "it": Wording(
        "Che cosa dice il documento su «{}»?",
        "Qual è il valore di «{}» per il {}?",
        "Che cos’è {}{}?",
        _defining(r"Un |Uno |Una |Un’|Un'", r"è (?:un|uno|una|il|lo|la)|significa"),
        {"Un ": "un ", "Uno ": "uno ", "Una ": "una ", "Un’": "un’", "Un'": "un’"},
    ),
    "pt": Wording(
        "O que diz o documento sobre “{}”?",
        "Qual é o valor de “{}” em {}?",
        "O que é {}{}?",
        _defining(r"Um |Uma ", r"é (?:um|uma|o|a)|significa"),
        {"Um ": "um ", "Uma ": "uma "},
    ),
    "nl": Wording(
        "Wat staat er in het document over ‘{}’?",
        "Wat is de waarde van ‘{}’ in {}?",
        "Wat is {}{}?",
        _defining(r"Een ", r"is (?:een|de|het)|betekent"),
        {"Een ": "een "},
    ),
}  # fmt: skip
