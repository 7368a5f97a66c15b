"""The words of the thesaurus of home and office, which ``synonyms.py`` reads."""

from __future__ import annotations

# All words of a line mean much the same.
ALIKE = """
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
theft steal stolen
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
KINDS = """
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
stairs: step
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
OTHERS = {
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
