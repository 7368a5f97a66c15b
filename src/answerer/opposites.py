"""Words that say the opposite of each other, and words that deny what follows."""

from __future__ import annotations

from functools import lru_cache

from src.answerer.terms import stem
from src.answerer.wordlists import words_of

# Groups "a b / c d": every word of the left side is opposite to every word of the right side.
_GROUPS = """
increase increases increased increasing rise rises rose risen rising growing climbing gaining expanding improving surging grow grows grew grown growth climb climbed gain gained higher up upward expand expanded expansion improve improved improvement surge surged more greater larger strengthen strengthened strengthening rally rallied / decrease decreases decreased decreasing fall falls fell fallen falling declining dropping shrinking reducing worsening decline declined declines drop drops dropped shrink shrank lower down downward reduce reduced reduction contract contracted worsen worsened plunge plunged deteriorate deteriorated less fewer smaller weaken weakened weakening
before prior preceding earlier previously / after following later subsequently afterwards
maximum max most highest largest greatest biggest longest upper top strongest best / minimum min least lowest smallest fewest shortest bottom weakest worst
above exceed exceeds exceeded exceeding beyond more greater larger higher longer bigger stronger faster older heavier wider / below beneath less fewer smaller lower shorter weaker slower younger lighter narrower
first initial earliest beginning begin begins began start starts started opening / last final latest end ends ended finish finishes finished closing
open opens opened opening / close closes closed closing shut
left / right
profit profits profitable gain gains surplus / loss losses lossmaking deficit
include includes included including inclusive / exclude excludes excluded excluding exclusive except
allow allows allowed permit permits permitted authorise authorised authorize authorized may / forbid forbids forbidden prohibit prohibits prohibited ban banned disallow disallowed
internal inside interior inner indoor inward / external outside exterior outer outdoor outward
buy buys bought purchase purchased acquire acquired / sell sells sold selling divest divested
asset assets / liability liabilities
mandatory compulsory obligatory required requires / optional voluntary
always / never rarely seldom
all every each entire whole / none no some few partial partly
many / few
high / low
positive positively / negative negatively
accept accepts accepted approve approves approved approval / reject rejects rejected refuse refuses refused deny denies denied rejection
hot heat heated heating warm / cold cool cooled cooling
import imports imported / export exports exported
male men man boys / female women woman girls
horizontal horizontally / vertical vertically
input / output
present / absent
pass passes passed succeed succeeds succeeded success successful / fail fails failed failure unsuccessful
win wins won / lose loses lost
front / back rear
public / private
short / long
early / late
add adds added addition attach attached insert inserted / remove removes removed removal subtract detach detached delete deleted
enable enables enabled activate activated / disable disables disabled deactivate deactivated
new / old
safe safely / unsafe dangerous
full / empty
true / false
majority / minority
wet / dry
day daytime / night nighttime
morning / evening afternoon
credit credits / debit debits
lender / borrower
employer / employee
parent / subsidiary
buyer / seller vendor
supply / demand
income revenue revenues / expense expenses expenditure cost costs
current / noncurrent former
domestic / foreign international
strong / weak
fast quick quickly / slow slowly
rough / smooth
hard / soft
thick / thin
wide / narrow
deep / shallow
heavy / light
arrive arrives arrived arrival / depart departs departed departure leave leaves left
receive receives received / send sends sent
push pushed / pull pulled
lift lifted raise raised raises / lower lowered lowers
install installed / uninstall uninstalled
manual manually hand / automatic automatically automated
temporary temporarily / permanent permanently
similar same identical equal / different unequal
support supports supported supporting supporter supporters endorse endorsed back backed favour favoured favor favored / oppose opposes opposed opposing opponent opponents
agree agrees agreed / disagree disagrees disagreed
voluntary voluntarily / involuntary mandatory
lawful legal / unlawful illegal
significant significantly / insignificant negligible
with / without
frequent frequently often / infrequent rarely seldom
better / worse
upstream / downstream
port / starboard
primary / secondary
major / minor
simple / complex
linear / nonlinear
supervised / unsupervised
encoder / decoder
encrypt encrypted / decrypt decrypted
clockwise / anticlockwise counterclockwise
converge converges converged / diverge diverges diverged
active / inactive passive
rich / poor
easy easily / difficult hard
cheap cheaper / expensive
attack / defence defense
guilty / innocent
hire hired / dismiss dismissed fire fired
married / unmarried single
odd / even
ascending / descending
"""

# Classes of which one excludes every other, apart by "|".
_CLASSES = """
north northern | south southern | east eastern | west western
monday mondays | tuesday tuesdays | wednesday wednesdays | thursday thursdays | friday fridays | saturday saturdays | sunday sundays
spring | summer | autumn | winter
red | blue | green | yellow | black | white | orange | purple | brown | grey gray
daily day | weekly week | fortnightly | monthly month | quarterly quarter | yearly annually annual year | hourly hour
once | twice | thrice
double doubled doubles doubling | triple tripled triples tripling | quadruple quadrupled | halve halved
half | third | quarter
steel | copper | aluminium aluminum | wood wooden timber | plastic | brass | bronze | concrete
"""

NEGATORS = words_of(
    """not cannot cant never no none neither nor without nobody nothing nowhere hardly scarcely isnt arent
    wasnt werent dont doesnt didnt wont wouldnt shouldnt mustnt couldnt hasnt havent hadnt neednt mightnt
    shant"""
)
EXCEPTIONS = frozenset(["unless", "except", "excepting", "excluding"])

# Verbs and adjectives that deny: "prohibited" says what "not permitted" says.
_DENYING = """prohibit prohibited forbid forbidden ban banned deny denied refuse refused lack lacks lacking lacked fail fails
failed failure exclude excluded unable impossible prevent prevents prevented void invalid omit omitted disallow disallowed
reject rejected absent missing exempt exempted cease ceased avoid avoided unavailable unticked unchecked
decline declined waive waived suspend suspended rarely seldom abstain oppose opposed neglect ignore unknown
insufficient inadequate little inability inconsistent incompatible contrary outside unaffected unresolved unchanged ineligible disclaim disclaims false wrong incorrect
withdraw withdrawn cancel cancelled discontinue discontinued closed barred restricted"""
DENYING = frozenset(stem(word) for word in _DENYING.split())

# ... of which these take what they deny as their object or subject, like a "not".
_REFUSING = """prohibit prohibited prohibits forbid forbids forbidden ban banned bans deny denied denies refuse refused refuses
exclude excluded excludes reject rejected rejects disallow disallowed prevent prevented prevents lack lacks lacked lacking
fail fails failed exempt exempted dismiss dismissed unable ineligible"""
REFUSING = frozenset(stem(word) for word in _REFUSING.split())

PREFIXES = ("un", "non", "dis", "in", "im", "ir", "il", "mis")
# "income" does not deny "come".
NOT_PREFIXED = words_of(
    """income increase inform involve disclose discount impress import index instance inside invest install
    intend display include input discover image unit under union unique until discuss distance district
    distribute incline indeed infer inner inquire inscribe insight inspect inspire intense interest interior
    internal invoice irate island issue mission mistake mister none inland intake inlet imprint immerse
    impart impact implant impose improve inset dispatch dispense displace dispose discharge disperse disarm
    inbound incase incite indent induct infamous inflame ingrain inhabit inherent insure invaluable
    irradiate universe university unify untie dismiss"""
)


def _sides() -> list[list[list[str]]]:
    """Per group its sides, each a list of words that mean much the same."""
    pairs = [[side.split() for side in line.split(" / ")] for line in _GROUPS.strip().splitlines()]
    return pairs + [[side.split() for side in line.split("|")] for line in _CLASSES.strip().splitlines()]


@lru_cache(maxsize=1)
def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sides in _sides():
        for side in sides:
            others = {word for other in sides if other is not side for word in other}
            for word in side:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


@lru_cache(maxsize=1)
def _siblings() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for sides in _sides():
        for side in sides:
            for word in side:
                found.setdefault(word, set()).update(side)
    return {word: frozenset(others) for word, others in found.items()}


def opposites_of(word: str) -> frozenset[str]:
    """Folded words that say the opposite of folded ``word``; empty when none is known."""
    return _opposites().get(word, frozenset())


def siblings_of(word: str) -> frozenset[str]:
    """Folded words that say the same as ``word`` within its group of opposites."""
    return _siblings().get(word, frozenset())


def denies(word: str, other: str) -> bool:
    """Whether ``word`` is ``other`` with a denying prefix, up to endings ("unsafe", "safe"; "undamaged", "damage")."""
    if word in NOT_PREFIXED or len(other) < 4:
        return False
    return any(
        word.startswith(prefix) and (word == prefix + other or stem(word) == prefix + stem(other))
        for prefix in PREFIXES
    )
