"""Stopwords and stemmers by ISO 639-1 code, and a guess at the language of a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import local

import snowballstemmer

ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "tr": "turkish",
}

# Negations are no stopwords: "not covered" asks for something else than "covered".
_STOPWORDS = {
    "en": "a about above after again all also am an and any are as at be because been before being below between "
    "both but by can could did do does doing down during each few for from further had has have having he her "
    "here hers him his how i if in into is it its itself just me more most my of off on once only or other our "
    "out over own per please same shall she should so some such tell than that the their theirs them then there "
    "these they this those through to too under until up us very was we were what when where which while who "
    "whom whose why will with would you your",
    "de": "aber alle als am an auch auf aus bei bin bis da damit dann das dass dem den der des die dies diese "
    "diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es für gibt hat hatte "
    "haben ich ihr ihre im in ist ja kann können man mehr mit nach noch nur ob oder seit sein seine sich sie sind "
    "so über um und uns unter vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem "
    "wen wenn wer werden wie wieso wieviel wird wo wurde wurden zu zum zur zwischen beim dürfen darf mein meine meinem "
    "meinen meiner muss müssen soll sollen unser unsere",
    "fr": "à au aux avec c ce ces cet cette comme d dans de des du elle elles en entre est et été être eux fait "
    "furent fut il ils j je l la le les leur leurs lui m ma mais me mes moi mon n nos notre nous on ont ou où peut "
    "peux puis faut doit dois combien pourquoi par plus pour qu quand que quel quelle quelles quels qui quoi s sa se ses si son sont sous sur t ta te "
    "tes toi ton tu un une vos votre vous y",
    "es": "a al como con cual cuales cuál cuáles cuando cuándo de del desde donde dónde e el ella ellas ellos en "
    "entre era es esa ese eso esta este esto fue fueron ha han hay la las le les lo los más me mi muy o para "
    "pero por porque que qué quién quien se según si sin sobre son su sus también te tiene un una uno y ya cuánto "
    "cuánta cuántos cuántas puedo puede debo debe",
    "it": "a ai al alla alle allo anche che chi ci come con cosa da dal dalla de degli dei del della delle di dove "
    "e è ed era gli ha hanno i il in la le lo ma nel nella nelle o per più perché quale quali quando quanto "
    "quella questo si sono su sul sulla tra un una uno",
    "pt": "a à ao aos as com como da das de do dos e é ela ele em entre era essa esta este eu foi há isso já mais "
    "mas na nas no nos o onde os ou para pela pelo por qual quais quando que quem se sem ser seu são sua "
    "também um uma",
    "nl": "aan als bij dat de den der deze die dit door een en er had heb heeft het hij hoe hun ik in is je kan "
    "maar met naar nog of om onder ook op over te tot uit van voor waar wanneer waren was wat we welke wie "
    "wordt worden zal ze zich zij zijn",
    "sv": "att av de den det där en ett för från hade han har hon hur i är man med men när och om på sig som "
    "till under var vad vi vilka vilken vilket",
    "da": "af at de den der det dette en er et for fra han har hun hvad hvem hvilke hvilken hvor hvordan i "
    "jeg med men når og om på sig som til var vi",
    "ru": "а без был была были было в во где да для до его ее её если есть же за и из или их к как какая какие "
    "какой ко когда который кто ли мы на но о об он она они оно от по при с со так также то только у чем что "
    "это этот я",
    "pl": "a aby ale co czy dla do gdzie i ich ile in jak jaka jaki jakie jest kiedy kto która które który lub ma "
    "na o od oraz po przez się są to w z za że",
    "ar": "من إلى الى عن على في هو هي هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف كم هل أن إن كان كانت "
    "قد و أو ثم كل بعض غير بين عند مع هم نحن أنا أنت",
    "tr": "ama bir bu da daha de en gibi her hangi ile için kaç kim mi mu mı mü nasıl ne neden nedir nerede ve veya "
    "ya",
}
STOPWORDS = {language: frozenset(words.split()) for language, words in _STOPWORDS.items()}

# Scripts written without spaces, or (Hangul) with endings glued on: matched by pairs of characters.
BIGRAM_SCRIPTS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f"
_SCRIPT_LANGUAGES = (
    (re.compile("[\uac00-\ud7af]"), "ko"),
    (re.compile("[\u3040-\u30ff]"), "ja"),
    (re.compile("[\u4e00-\u9fff]"), "zh"),
    (re.compile("[\u0600-\u06ff]"), "ar"),
    (re.compile("[\u0400-\u04ff]"), "ru"),
    (re.compile("[\u0370-\u03ff]{2}"), "el"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0590-\u05ff]"), "he"),
    (re.compile("[\u0e00-\u0e7f]"), "th"),
)
_ARABIC_MARKS = re.compile("[\u0610-\u061a\u064b-\u065f\u0670\u0640]")
_stemmers = local()  # a stemmer keeps the word it works on in itself, so each thread has its own


def stemmer(language: str) -> Callable[[str], str]:
    """The stemming function of ``language``; words of unknown languages are kept as they are."""
    algorithm = ALGORITHMS.get(language)
    if algorithm is None:
        return str
    made: dict[str, Callable[[str], str]] = _stemmers.__dict__
    if algorithm not in made:
        made[algorithm] = snowballstemmer.stemmer(algorithm).stemWord
    return made[algorithm]


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """Stem of a folded ``word``, "" for a stopword."""
    if word in STOPWORDS.get(language, ()):
        return ""
    return stemmer(language)(word)


def fold(text: str) -> str:
    """``text`` in the form in which words are compared: NFKC, case folded, Arabic vowel signs dropped."""
    return _ARABIC_MARKS.sub("", unicodedata.normalize("NFKC", text).casefold())


def guess_language(text: str, candidates: Sequence[str] = ()) -> str:
    """Language of a short ``text``: by script, else by stopwords; ``candidates`` (the document's) win a tie.

    Without any sign the first candidate, or "".
    """
    counts = [(len(pattern.findall(text)), code) for pattern, code in _SCRIPT_LANGUAGES]
    letters = sum(char.isalpha() for char in text)
    best = max(counts, key=lambda entry: entry[0])
    if "ja" in [code for count, code in counts if count] and best[1] == "zh":
        best = (best[0], "ja")
    if letters and best[0] >= 0.3 * letters:
        return best[1]
    words = re.findall(r"[^\W\d_]+", fold(text))
    order = [*candidates, *(code for code in STOPWORDS if code not in candidates)]
    hits = {code: sum(word in STOPWORDS.get(code, ()) for word in words) for code in order}
    if not hits or not max(hits.values()):
        return candidates[0] if candidates else ""
    return max(order, key=lambda code: hits[code])
