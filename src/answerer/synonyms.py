"""What people say and what their papers print: "can I bring my cat" is answered by "pets are not accepted".

A plain thesaurus of home and office, for words that a reader changes as a matter of course. Word vectors know many of
these, but not where a word has another main sense ("leave" a room) or where the paper's word is rare ("sublet").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from src.answerer.terms import fold_word, stem
from src.answerer.wordlists import word_list

SAME = 0.75  # credit for a word of the same meaning

# All words of a line mean much the same.
_ALIKE = """
car vehicle automobile
kid child children
phone telephone mobile
flat apartment
landlord landlady lessor
tenant lessee renter
sublet sublease sublets
buy purchase
start begin commence commencement
end finish expire terminate termination
cancel cancellation terminate withdraw withdrawal
pay payable payment paid settle
late overdue delay delayed
price fee charge tariff fare
salary wage pay remuneration
holiday vacation leave
sick ill illness sickness unwell
doctor physician practitioner
medicine medication drug
dose dosage
pregnant pregnancy
breastfeed breastfeeding lactation
drink beverage
broken damaged defective faulty
fix repair mend
guarantee warranty
refund reimburse reimbursement repay
complain complaint
boss manager supervisor
employee staff worker personnel
company firm business employer
job position role post
hire recruit
fire dismiss dismissal
meeting session assembly
chair chairman chairwoman chairperson
decide decision resolve resolved agreed approve approved
teacher tutor instructor lecturer
pupil student
exam examination
homework assignment coursework
lesson class lecture
wifi internet wlan
luggage baggage suitcase
trip journey travel
discount reduction rebate
delivery shipping shipment dispatch
hazard hazardous danger dangerous risk
forbid forbidden prohibited banned
allow allowed permit permitted permissible
emergency urgent
fault error malfunction problem
install installation fit fitted mount mounting
fund funding grant
goal aim objective purpose
result finding outcome
limitation shortcoming drawback weakness
increase rise grow growth
decrease fall decline drop
clothes clothing dress attire wear
reply respond response rsvp
garbage rubbish trash waste refuse
lift elevator
bike bicycle
probation trial
pension retirement
injury hurt injure
theft steal stolen stolen
tired tiredness drowsy drowsiness sleepy sleepiness
nausea vomit vomiting
allergy allergic
treat treatment therapy
surgery operation
appointment visit
helper volunteer
near close nearby
hour time
store storage keep
wash clean cleaning
author write written wrote
address located location
rule regulation
annual yearly year
monthly month
weekly week
daily day
"""

# The word before the colon stands for each of the others, which do not stand for one another.
_KINDS = """
leave: checkout departure depart vacate quit
arrive: checkin arrival
cost: price fee charge tariff fare premium
rent: let sublet sublease tenancy
money: cash fund funds balance budget
pet: dog cat animal
animal: dog cat horse
alcohol: wine beer spirits liquor whisky
meal: breakfast lunch dinner supper
food: meal breakfast lunch dinner catering
contact: phone telephone email call reach
call: phone telephone
deadline: due latest closing expiry
expire: valid validity expiry
resign: quit leave notice
absent: apologies excused
insurance: cover coverage insured
excess: deductible
deposit: bond
electricity: power energy current
use: usage consumption used
bill: invoice
tax: vat levy duty
weigh: weight
big: size large area dimension square
wide: width
tall: height
high: height
deep: depth
fast: speed
hot: temperature heat
cold: temperature
loud: noise
old: age
smoke: smoking tobacco cigarette
glove: protective
goggles: protective eyewear
poisonous: toxic poison
flammable: fire ignite
weekend: saturday sunday
wedding: marriage ceremony
gift: present
stay: accommodation
key: keys
furniture: furnished
bonus: premium
secret: confidential confidentiality secrecy
tablet: medicine pill capsule
pill: tablet capsule
break: interruption pause
broken: repair repairs fault
team: staff crew
people: person persons member members staff employees team adults
person: member employee adult
bathroom: bath shower toilet
window: windows
borrow: loan lend
lend: loan borrow
sign: signature signed
girlfriend: partner adult household
boyfriend: partner adult household
partner: spouse husband wife
friend: guest visitor companion
guest: visitor
suitcase: bag baggage luggage checked
bag: baggage luggage
kitty: balance fund reserve
savings: reserve fund balance
fight: appeal object objection challenge contest
appeal: objection complaint
drive: driving driver vehicle
swim: swimming bathing pool
hobby: interest leisure pastime
chatgpt: ai generative
cheat: misconduct plagiarism
backup: save copy
save: backup
bug: error defect issue
crash: error failure
sleep: overnight accommodation hotel
hotel: accommodation lodging overnight
eat: food meal dining
lunch: meal catering
party: reception celebration event
ceremony: service mass
church: ceremony service
send: submit dispatch post
fill: complete
need: require required requirement necessary
wages: salary
income: salary earnings pay
raise: increase
promotion: advancement
overtime: extra additional
sacked: dismissal dismissed termination
strike: industrial
illness: condition disease
drug: medicine substance
painkiller: paracetamol ibuprofen aspirin analgesic
stomach: gastric abdominal
kidney: renal
liver: hepatic
skin: rash dermatitis
headache: migraine
fever: temperature
cough: respiratory
blood: bleeding
operation: surgery procedure
checkup: appointment examination review
jab: vaccination injection
vaccine: vaccination immunisation
glasses: spectacles eyewear
plug: socket mains
switch: button
screen: display
noise: sound decibel
manual: instructions guide
password: code pin login
router: modem wifi
internet: broadband online
website: online url
app: application
toilet: lavatory wc bathroom
rubbish: refuse disposal
recycle: recycling disposal
heating: radiator boiler
leak: water escape damp
burglary: theft break
hail: storm weather
accident: injury collision
lawyer: solicitor attorney legal
court: tribunal judge
law: statute legislation act
police: officer
witness: testimony
contract: agreement
agreement: contract
lease: tenancy agreement
buyer: purchaser
seller: vendor
mortgage: loan
loan: credit
debt: owed outstanding liability
owe: outstanding due balance
bank: account
account: iban
instalment: payment
voucher: coupon
coupon: voucher
ticket: admission entry
entry: admission
film: movie screening
band: music
dance: dancing
child: minor dependant
adult: grown
senior: pensioner elderly retired
student: reduced concession
discount: concession
baby: infant newborn
toddler: child infant
grandparent: family
wheelchair: accessible disability step
disabled: disability accessible
stairs: steps
ramp: accessible
bus: coach shuttle transport
train: rail railway
taxi: cab
plane: flight aircraft
airport: terminal
gate: boarding
read: reading literature textbook
recommend: recommendation suggest advise
"""

# German, French and Spanish, all words of a line alike.
_OTHERS = {
    "de": """
zahlen gezahlt bezahlen bezahlt zahlbar Zahlung fällig überweisen
kosten kostet Preis Gebühr Entgelt Kosten
kündigen Kündigung gekündigt
Wohnung Mietwohnung
Miete Mietzins
Vermieter Vermieterin
Arzt Ärztin
Handy Telefon
Auto Fahrzeug PKW
Hund Tier Haustier Haustiere Hunde Katze
beginnen beginnt Beginn
enden endet Ende
Urlaub Urlaubstage Ferien
Arbeitgeber Firma Unternehmen
Frist Termin spätestens
reparieren Reparatur
liefern Lieferung geliefert
anrufen Telefon erreichen
""",
    "fr": """
payer paiement réglé règlement payable
prix coût tarif montant
résilier résiliation
logement appartement
loyer bail
propriétaire bailleur
locataire preneur
voiture véhicule
médecin docteur
congé congés vacances
commencer début commence
chien animal animaux chat
""",
    "es": """
pagar pago abonar
precio coste importe tarifa
alquiler renta arrendamiento
casero arrendador propietario
inquilino arrendatario
piso vivienda apartamento
coche vehículo automóvil
perro mascota mascotas animales gato
empezar comenzar inicio
rescindir rescisión cancelar terminar
""",
}

# Phrases, and words of the lists above that mean the same.
_PHRASES = (
    (r"check(?:ing)?[\s-]?out\b|mov(?:e|ing) out|be out of", "checkout departure vacate leave"),
    (r"check(?:ing)?[\s-]?in\b|mov(?:e|ing) in\b", "checkin arrival arrive"),
    (r"(?:24|twenty-four) hours", "day"),
    (r"(?:7|seven) days", "week"),
    (r"(?:12|twelve) months", "year"),
    (r"(?:annual|paid) leave|days? off|time off|days of leave", "holiday vacation"),
    (r"adverse (?:reactions?|effects?)|undesirable effects?", "side effects"),
    (r"no later than|at the latest|closing date|due (?:date|by|on)|by when", "deadline due latest"),
    (r"(?:work(?:ing)?|works) from home|home[\s-]?office|telework\w*|remote work\w*", "homeoffice"),
    (r"(?:best|use)[\s-](?:before|by)", "expire"),
    (r"free of charge|no (?:extra |additional )?charge|at no cost|complimentary", "free cost"),
    (r"(?:not|never|nor) (?:be )?(?:allowed|permitted|accepted)", "forbidden"),
    (r"(?:money|cash) back|(?:get|give) (?:\w+ ){0,2}back", "refund"),
    (r"(?:kind|best|warm) regards|yours (?:sincerely|faithfully|truly)", "sign"),
    (
        r"(?:rent|let|lend|give) (?:\w+ ){0,4}to (?:some|any)(?:one|body)(?: else)?|(?:rent|let)(?:ting|ing)? out",
        "sublet sublease",
    ),
    (
        r"pay\w* (?:\w+ ){0,3}(?:too )?late|late payments?|(?:miss|forget)\w* (?:\w+ ){0,2}pay\w*|(?:don't|do not|not) pay",
        "interest overdue arrears default",
    ),
    (r"behind the wheel", "drive driving"),
    (r"(?:free|spare) time", "hobby hobbies interest leisure"),
    (
        r"left to (?:pay|be paid)|still (?:to pay|to be paid|owed?|due)|(?:do|does) \w+ (?:still )?owe",
        "outstanding balance remaining due",
    ),
    (r"(?:say|tell \w+|let \w+ know) (?:if|whether) \w+ (?:am|is|are|can) com\w+", "reply rsvp respond"),
    (
        r"let (?:\w+ ){1,2}know|(?:tell|inform) (?:you|them|us|him|her|the \w+)",
        "inform tell notify notification report",
    ),
    (r"hand(?:ing)? (?:\w+ )?in|turn(?:ing)? (?:\w+ )?in", "submit submission return deadline"),
    (r"get (?:\w+ ){0,2}(?:fixed|repaired)", "repair"),
    (r"second job|side job|moonlight\w*|another job", "secondary employment outside"),
    (r"sick (?:leave|pay|note|day)s?|call(?:ing)? in sick", "illness incapacity unfit"),
    (r"give (?:\w+ )?notice|hand in (?:\w+ )?notice", "terminate termination resign"),
    (r"(?:how|where) (?:do|can) (?:i|we) (?:get|go) (?:there|to)", "directions bus train car parking"),
    (r"paid for|included", "included inclusive covered"),
    (r"side effects?", "adverse undesirable"),
    (r"throw (?:away|out)", "dispose disposal waste"),
)
_COMPILED = tuple(
    (re.compile(rf"\b(?:{said})", re.IGNORECASE), tuple(words.split())) for said, words in _PHRASES
)


def synonyms(words: Mapping[str, str], text: str, language: str) -> dict[str, dict[str, float]]:
    """For each stem of a question the stems of the same meaning, with the credit (0 to 1) that each is worth; a phrase
    without a word that counts adds a stem.

    ``words`` maps the question's stems to its words, ``text`` is the question, in which phrases are looked for.
    """
    known = _thesaurus(language)
    found = {s: dict.fromkeys(known[s], SAME) for s in words if s in known}
    for said, meant in _phrases_in(text, language):
        # "be out of" has no word that counts: it is asked for under one of those that it means
        for s in [s for s, word in words.items() if word in said] or [min(meant)]:
            found.setdefault(s, {}).update(dict.fromkeys(meant, SAME))
    return found


def spelled_out(text: str, language: str) -> frozenset[str]:
    """Stems that the phrases of ``text`` mean: "check-out until 11:00" speaks of leaving."""
    return frozenset(s for _, meant in _phrases_in(text, language) for s in meant)


def _phrases_in(text: str, language: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """For each phrase of ``text`` its folded words, and the stems that it means."""
    if language != "en":
        return []
    return [
        (
            frozenset(fold_word(word) for word in re.findall(r"[^\W_]+", match.group())),
            frozenset(stem(word) for word in meant),
        )
        for pattern, meant in _COMPILED
        for match in pattern.finditer(text)
    ]


@lru_cache(maxsize=8)
def _thesaurus(language: str) -> dict[str, frozenset[str]]:
    """For each stem of the lists the stems that mean the same."""
    found: dict[str, set[str]] = {}
    lines = (_ALIKE if language == "en" else _OTHERS.get(language, "")).strip().splitlines()
    for line in lines:
        group = {stem(fold_word(word), language) for word in word_list(line)}
        for one in group:
            found.setdefault(one, set()).update(group - {one})
    if language == "en":
        for line in _KINDS.strip().splitlines():
            head, _, kinds = line.partition(":")
            one = stem(fold_word(head))
            for other in {stem(fold_word(word)) for word in word_list(kinds)} - {one}:
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return {one: frozenset(others) for one, others in found.items()}
