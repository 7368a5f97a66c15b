"""Which languages to read a scan in: those that are set, else what the text and its script say."""

from __future__ import annotations

import re
from collections import Counter

# the commonest short words of each language that few of the others have
_COMMON = {
    "en": "the of and to in is that for it with as was on be by this are from at which or have not",
    "de": "der die und das ist von den mit zu des auf für nicht ein eine dem im sich auch wird sind bei",
    "fr": "le la les des et est une dans pour que qui sur pas au du par avec ce il sont plus aux ces",
    "es": "el la los las de que y en un una por con para es del se al como más su lo no son",
    "it": "il la di che e un una per con del della non sono gli nel alla è da si le dei come",
    "pt": "o os as de que e em um uma para com não por do da no na dos das ao mais como é",
    "nl": "de het een en van is dat op te in voor met niet zijn aan er door ook maar bij",
    "pl": "i w na z do nie się że jest to od za przez dla oraz po jak ale przy",
    "cs": "a v na se že je to s z do o k pro za jako byl podle ale není jsou které",
    "sv": "och i att det som en på är av för med till den har inte om ett var de",
    "da": "og i at det som en på er af for med til den har ikke om et var de",
    "fi": "ja on ei se että oli en mutta ovat kun niin hän myös tai joka",
    "tr": "ve bir bu için ile da de olarak daha olan gibi çok en kadar",
    "hu": "a az és hogy nem is egy van volt meg de ez csak már",
    "ro": "de și în la cu pe care nu este din mai pentru o un sau",
}
COMMON = {language: frozenset(words.split()) for language, words in _COMMON.items()}

_SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7a3\u1100-\u11ff]")),
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
# languages of a script as tesseract names it, the likeliest first
SCRIPT_LANGUAGES = {
    "Latin": (),
    "Cyrillic": ("ru", "uk", "bg", "sr", "mk"),
    "Han": ("zh", "chi_tra", "ja"),
    "HanS": ("zh",),
    "HanT": ("chi_tra",),
    "Japanese": ("ja",),
    "Hangul": ("ko",),
    "Korean": ("ko",),
    "Arabic": ("ar", "fa", "ur"),
    "Hebrew": ("he",),
    "Greek": ("el",),
    "Devanagari": ("hi", "mr"),
    "Thai": ("th",),
    "Bengali": ("bn",),
    "Tamil": ("ta",),
    "Telugu": ("te",),
    "Georgian": ("ka",),
    "Armenian": ("hy",),
}
_LEAST_WORDS = 4


def language_of(text: str) -> str:
    """ISO 639-1 code of the language of ``text``, "" when it is too short to tell."""
    for language, script in _SCRIPTS:
        if len(script.findall(text)) > 0.25 * max(len(re.sub(r"\W", "", text)), 1):
            return language
    counts: Counter[str] = Counter()
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        for language, common in COMMON.items():
            counts[language] += word in common
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < _LEAST_WORDS or ranked[0][1] < 1.3 * ranked[1][1]:
        return ""
    return ranked[0][0]


def chosen_languages(setting: str, known: str, installed: tuple[str, ...]) -> tuple[str, ...]:
    """Languages to read in: the setting ("deu+eng" or "de,en"), else the known one and English as far as installed."""
    if setting != "auto":
        return tuple(part for part in re.split(r"[+,;\s]+", setting) if part)
    wanted = [code for code in dict.fromkeys((known, "en")) if code and code in installed]
    return tuple(wanted or installed[:1])
