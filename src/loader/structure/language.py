"""The language of a text, told by its script and, for Latin letters, by its most common small words."""

from __future__ import annotations

import re
from collections import Counter

_SCRIPTS = (
    ("ko", "\u1100-\u11ff\uac00-\ud7af"),
    ("ja", "\u3040-\u30ff"),
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc"),
    ("el", "\u0370-\u03ff"),
    ("ru", "\u0400-\u04ff"),
    ("th", "\u0e00-\u0e7f"),
    ("hi", "\u0900-\u097f"),
    ("hy", "\u0530-\u058f"),
    ("ka", "\u10a0-\u10ff"),
)
_PATTERNS = tuple((code, re.compile(f"[{span}]")) for code, span in _SCRIPTS)
_OTHER = re.compile("[" + "".join(span for _, span in _SCRIPTS) + "]")
_SMALL = {
    "en": "the of and to in is that for it was on with as be by this are or from at which have not an has its will their were been",
    "de": "der die und das den von ist mit für auf des dem ein eine nicht im zu sich als auch werden wird bei oder nach einer aus durch sind",
    "fr": "le la les des et du une est dans que pour qui par sur pas au avec sont plus ce cette aux ne se ou nous vous ont être leur",
    "es": "el los las del que una para con por se su al como más este esta son lo no fue entre sobre también sus ha pero muy desde",
    "it": "il di che la per un una del della con non sono dei delle nel alla da più come si gli anche ha questo dal nella essere",
    "pt": "o os da do que em um uma para com não por mais dos das no na se ao como foi são pelo pela também seu sua entre",
    "nl": "de het een van en dat niet voor met zijn op te aan er ook als door bij naar worden wordt uit om over heeft maar deze",
    "sv": "och att det som en är på för med av till den inte har de om ett men var sig från eller kan ska vid så hade",
    "da": "og at det som en er på for med af til den ikke har de om et men var sig fra eller kan skal ved så blev",
    "no": "og at det som en er på for med av til den ikke har de om et men var seg fra eller kan skal ved så ble",
    "fi": "ja on ei se että oli joka tai hän ovat sen kun mutta myös niin kuin voi ole mukaan tämä vuoden sekä ovat",
    "pl": "w i na z nie się do to jest że o za od po przez jak oraz dla są przy był tym co może lub tego które",
    "cs": "a v se na je že s z do o to k i ve pro jako po jsou byl od které nebo za při by tak jeho být",
    "hu": "a az és hogy nem is egy ez meg volt de csak már el vagy mint kell még van szerint azt ha ki lesz",
    "tr": "ve bir bu da de için ile olarak çok daha olan gibi kadar ne o en sonra var ise her göre olduğu",
    "ro": "și de la în cu a pe că nu este din un o pentru care sau mai prin au fost al ale se fi",
    "id": "yang dan di dari untuk dengan pada ini dalam tidak adalah itu akan oleh atau sebagai juga dapat telah ke",
}
_WORDS = {code: frozenset(text.split()) for code, text in _SMALL.items()}
_LANGUAGES_OF = {
    word: tuple(code for code, small in _WORDS.items() if word in small)
    for word in frozenset().union(*_WORDS.values())
}
_TOKEN = re.compile(r"[^\W\d_]+")
_SAMPLE = 4000
_LEAST_LETTERS = 12
_FEW = 200  # characters, which mostly hold as many
_LEAST_WORDS = 5
_LEAST_SHARE = 0.08


def language_of(text: str) -> str:
    """ISO 639-1 code of the language of ``text``, "" when too little of it tells."""
    sample = text[:_SAMPLE]
    if sum(map(str.isalpha, sample[:_FEW])) < _LEAST_LETTERS > sum(map(str.isalpha, sample)):
        return ""
    if _OTHER.search(sample) and (code := _by_script(sample, sum(map(str.isalpha, sample)))):
        return code
    tokens = Counter(_TOKEN.findall(sample.lower()))
    total = sum(tokens.values())
    scores = dict.fromkeys(_WORDS, 0)
    for word, count in tokens.items():
        for code in _LANGUAGES_OF.get(word, ()):
            scores[code] += count
    best = max(scores, key=lambda c: scores[c])
    return best if scores[best] >= _LEAST_WORDS and scores[best] >= _LEAST_SHARE * total else ""


def _by_script(sample: str, letters: int) -> str:
    """The language whose script many of ``letters`` belong to, "" when there is none."""
    counts = {code: len(pattern.findall(sample)) for code, pattern in _PATTERNS}
    if counts["ja"] > 0.03 * letters:
        return "ja"
    code = max(counts, key=lambda c: counts[c])
    return code if counts[code] > 0.35 * letters else ""
