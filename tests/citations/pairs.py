"""Sentences of made documents with faithful retellings, and alterations planted into them by kind.

Each line of PAIRS is "words of the page || what a careful writer says of them". The retellings are true: reworded,
shortened, reordered, numbers in words or rounded, active for passive.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from src.answerer.wordlists import word_list, words_of

PAIRS = """
The fender chains at berth 3 are inspected every 45 days, and each shackle is tapped with a hammer. || At berth 3 the fender chains are checked every 45 days.
Gangway pins are greased every 30 days and after any storm. || Pins of the gangway get grease every thirty days, and also after a storm.
The warranty period is 24 months from the day of hand-over and does not cover wear of the seals. || The warranty runs for 24 months from hand-over and excludes seal wear.
The north hoist may lift 2,750 kg, provided that two operators are present. || The north hoist can lift 2,750 kg if two operators are present.
Visitors must not enter the boiler room unless accompanied by the duty engineer. || Visitors may enter the boiler room only when the duty engineer accompanies them.
Night access is not permitted on weekends. || Access at night is prohibited on weekends.
Net sales rose by 12.4% to $4.32 billion in 2023, from $3.84 billion in 2022. || In 2023 net sales increased 12.4% to $4.32 billion.
Total operating expenses were $1,284 million in 2022 and $1,311 million in 2023. || Operating expenses totalled $1,311 million in 2023.
The committee, chaired by Ingrid Solheim, met seven times during the year. || Ingrid Solheim chaired the committee, which met seven times in the year.
Marcus Webb was appointed chief engineer on 14 March 2021, succeeding Lena Ortiz. || On 14 March 2021 Marcus Webb succeeded Lena Ortiz as chief engineer.
The lower gate is opened as soon as the water level rises above 83 centimetres over the sill. || When the water rises above 83 cm over the sill, the lower gate is opened.
Deliveries are accepted daily except on Sundays and public holidays. || Deliveries are taken every day, except Sundays and public holidays.
The pump must be switched off before the cover is removed. || Before the cover is removed the pump has to be switched off.
The contract may be terminated by either party with at least 60 days' written notice. || Either party may end the contract by giving at least 60 days' written notice.
No refund is given for tickets returned less than 24 hours before departure. || Tickets returned less than 24 hours before departure are not refunded.
The survey covered 1,284 households in 17 districts, of which 87% answered. || Of the 1,284 households surveyed in 17 districts, 87% responded.
Norvik handled 7,315 tonnes, while Tarn handled 11,205 tonnes. || Norvik handled 7,315 tonnes and Tarn 11,205 tonnes.
The Brackley bore is 410 m long and was completed in 1988. || Completed in 1988, the Brackley bore measures 410 m.
The fuel tank holds 1,100 litres, enough for about nine hours at full load. || The tank holds 1,100 litres of fuel, which lasts around nine hours at full load.
In 2019, Halvorsen Marine acquired Tidewater Docks for 38 million euros. || Tidewater Docks was acquired by Halvorsen Marine in 2019 for 38 million euros.
The minimum staffing level is four guards during the day and two at night. || At least four guards are required by day, and two at night.
Unemployment fell from 6.2 percent in June to 5.8 percent in December. || Unemployment declined from 6.2% in June to 5.8% in December.
The operating result was a loss of 1,284 thousand crowns, after a profit of 17 thousand crowns a year earlier. || The operating loss amounted to 1,284 thousand crowns.
The dam was built between 1931 and 1936 by the Bureau of Reclamation. || The Bureau of Reclamation built the dam from 1931 to 1936.
Employees who have worked fewer than 12 months are not eligible for the bonus. || Staff with fewer than 12 months of service cannot receive the bonus.
The sensor measures temperatures between -40 and 125 degrees Celsius with an accuracy of 0.5 degrees. || The sensor's range is -40 to 125 degrees Celsius, accurate to 0.5 degrees.
Dr. Amara Okafor led the trial at the Lagos centre, and Dr. Peter Lindqvist led it in Uppsala. || Dr. Peter Lindqvist led the trial in Uppsala.
Of the 400 samples, 312 were taken in spring and 88 in autumn. || 312 of the 400 samples were taken in spring.
The deposit of 20 crowns is returned when the key is handed back undamaged. || The 20-crown deposit is returned once the key is given back without damage.
The valve opens automatically when the pressure exceeds 44 bar. || Above 44 bar the valve opens automatically.
Members of the board serve for three years and may be re-elected once. || Board members serve three-year terms and can be re-elected once.
Smoking is allowed only in the marked area behind hall B. || Smoking is permitted only in the marked area behind hall B.
The museum is closed on Mondays from October to March. || From October to March the museum is closed on Mondays.
Each train has 8 coaches and 412 seats, 60 of them in first class. || Every train has eight coaches with 412 seats, including 60 in first class.
The court dismissed the claim of Redfern Mills against the town of Ashby. || The claim brought by Redfern Mills against the town of Ashby was dismissed by the court.
Exports to Germany increased by 9 percent, whereas exports to France decreased by 4 percent. || Exports to Germany grew 9% while those to France fell 4%.
The algorithm converged after 2,000 iterations on the MNIST data set. || On MNIST the algorithm converged after 2,000 iterations.
Distillation reduced the number of test errors from 146 to 74. || With distillation, test errors went down from 146 to 74.
The second edition, published in May 2017, adds a chapter on tides. || Published in May 2017, the second edition has an additional chapter on tides.
Payments received after 5 p.m. are credited on the next business day. || A payment received after 5 p.m. is credited the following business day.
The applicant did not provide evidence that the noise had been measured. || The applicant failed to provide evidence of noise measurements.
Neither the mayor nor the council had approved the plan. || The plan had been approved neither by the mayor nor by the council.
The ferry never sails when the wind exceeds 20 metres per second. || In winds over 20 metres per second the ferry does not sail.
The policy excludes damage caused by frost. || Frost damage is not covered by the policy.
Harbour dues are payable by the owner and not by the charterer. || The owner, not the charterer, pays the harbour dues.
The north quay is deeper than the south quay by 2.5 metres. || The north quay is 2.5 metres deeper than the south quay.
The bridge can carry vehicles weighing up to 40 tonnes. || Vehicles of up to 40 tonnes can cross the bridge.
The maximum stay at the guest berth is 14 nights. || Guests may stay at the guest berth for at most 14 nights.
Interest is charged at 3.5% a year on amounts overdue by more than 30 days. || Amounts more than 30 days overdue bear interest of 3.5% per year.
The company employed 2,318 people at the end of 2022, of whom 41% were women. || At the end of 2022 the company had 2,318 employees, 41% of them women.
Revenue from services was $912 million, about one third of total revenue. || Services brought in $912 million, roughly a third of total revenue.
The Arctic station is staffed from April to September by a crew of twelve. || A crew of twelve staffs the Arctic station between April and September.
Bernard Achterberg wrote the first report and Sofia Marchetti wrote the second. || The first report was written by Bernard Achterberg.
The lift was out of service for three weeks in July because a cable had to be replaced. || In July the lift did not run for three weeks because a cable needed replacing.
Applications must be submitted to the registry by 31 January. || The deadline for submitting applications to the registry is 31 January.
All valves were tested except valve 7, which was under repair. || Every valve except valve 7 was tested.
Water from the upper basin flows through the east tunnel into the lower basin. || Water flows from the upper basin to the lower basin through the east tunnel.
The fee is 3.5 percent of the purchase price, with a minimum of 200 crowns. || A fee of 3.5% of the purchase price applies, at least 200 crowns.
The committee approved the budget without changes on 9 June 2020. || On 9 June 2020 the budget was approved by the committee without any change.
The library lends up to six books for a period of four weeks. || Up to 6 books can be borrowed from the library for four weeks.
A heart rate above 110 beats per minute was recorded in 9 of 52 patients. || Nine of the 52 patients had a heart rate above 110 beats per minute.
Carbon dioxide emissions declined to 4.1 tonnes per person, the lowest value since 1990. || Emissions of carbon dioxide fell to 4.1 tonnes per person, the lowest since 1990.
The drum seal of this winch has the part number TR-440-B. || The part number of the winch's drum seal is TR-440-B.
The upgrade to version 7.2 added row and column access control. || Row and column access control was added with version 7.2.
The reserve fund holds 4,318 thousand crowns. || The reserve fund holds about 4.3 million crowns.
Rainfall in the valley averages 612 mm a year, most of it between May and August. || The valley gets 612 mm of rain a year on average, mostly from May to August.
The tower is 64 metres high and 9 metres wide at its base. || At 64 metres, the tower is 9 metres wide at the base.
The guarantee lapses if the seal is broken by anyone other than an authorised dealer. || If anyone other than an authorised dealer breaks the seal, the guarantee lapses.
The crew reported that the left engine had failed after take-off. || According to the crew, the left engine failed after take-off.
The treaty was signed in Geneva by Norway, Chile and Kenya. || Norway, Chile and Kenya signed the treaty in Geneva.
The trainees spend two days in the workshop and three days at sea. || Trainees are two days in the workshop and three at sea.
Inspections are carried out at least twice a year by an independent surveyor. || An independent surveyor inspects at least twice a year.
The loan is repaid in 48 equal monthly instalments starting in January 2025. || Repayment of the loan takes 48 equal monthly instalments from January 2025.
Steel plates thicker than 12 mm must be preheated to 150 degrees. || Preheating to 150 degrees is required for steel plates more than 12 mm thick.
The west wing was added in 1904 and the east wing in 1921. || The east wing was added in 1921.
The ministry rejected the appeal because it had been filed too late. || The appeal was rejected by the ministry since it was filed too late.
Shareholders' equity increased by $86 million, mainly due to retained earnings. || Equity of shareholders rose by $86 million, chiefly because of retained earnings.
The engine must not be started while the hatch is open. || While the hatch is open, the engine must not be started.
The clinic treats patients from 8:30 to 16:00, Monday to Friday. || Patients are treated Monday to Friday between 8:30 and 16:00.
The share of renewable power reached 52 percent in 2022, up from 47 percent in 2021. || Renewable power's share was 52% in 2022, compared with 47% in 2021.
""".strip()


@dataclass(frozen=True, slots=True)
class Pair:
    """Words of a page and a faithful retelling."""

    page: str
    claim: str


@dataclass(frozen=True, slots=True)
class Planted:
    """An altered claim: its kind, what it says now, and the page it was true of."""

    kind: str
    claim: str
    pair: Pair


def pairs() -> list[Pair]:
    """All pairs; every page sentence is a claim about itself as well."""
    made = []
    for line in PAIRS.splitlines():
        page, claim = line.split(" || ")
        made += [Pair(page, claim), Pair(page, page)]
    return made


SPELLED = word_list("""one two three four five six seven eight nine ten eleven twelve""")
MONTHS = word_list(
    """January February March April May June July August September October November December"""
)
NEIGHBOURS = {
    "day": "week", "week": "month", "month": "year", "hour": "minute", "metre": "kilometre", "tonne": "kilogram",
    "litre": "gallon", "million": "billion", "thousand": "million", "billion": "million", "percent": "percentage points",
    "kg": "tonnes", "mm": "cm", "cm": "m", "crown": "euro", "euro": "dollar", "degrees": "bar",
}  # fmt: skip
CONTRARY = (
    "rose fell; increased decreased; grew shrank; fell rose; declined increased; decreased increased; before after; "
    "after before; minimum maximum; maximum minimum; above below; at\u00a0least at\u00a0most; at\u00a0most at\u00a0least; upper lower; "
    "lower upper; lowest highest; open closed; opened closed; closed open; loss profit; profit loss; left right; east west; "
    "west east; north south; south north; deeper shallower; permitted forbidden; allowed forbidden; prohibited allowed; "
    "approved rejected; rejected approved; excludes includes; failed succeeded; first second; Mondays Tuesdays; spring autumn; "
    "more\u00a0than less\u00a0than; fewer\u00a0than more\u00a0than; up\u00a0to at\u00a0least; increase decrease; every no; accepted refused"
)  # fmt: skip
OTHER_NAMES = ("Kestrel", "Oslo", "Marlowe", "Hendrik", "Bolivia", "Petrov")
COMMON = words_of(
    """The At Pins Each In On When Night Access Net Total Operating Of A An Before Either No Tickets
    Unemployment Visitors Deliveries Members Board Smoking Exports Payments Neither Harbour Interest Revenue
    Services Applications All Every Water Up Rainfall If According Trainees Inspections Repayment Steel
    Preheating Shareholders Equity While Patients Renewable Dr Employees Staff From Distillation With Above
    Guests Amounts Vehicles Frost Carbon Emissions Row Nine Completed Published Celsius"""
)


def planted(pair: Pair, dice: random.Random) -> Iterator[Planted]:
    """One alteration of each kind that fits ``pair``."""
    makers: dict[str, Callable[[str, random.Random], str | None]] = {
        "number": _other_number,
        "spelled": _other_spelled,
        "unit": _other_unit,
        "month": _other_month,
        "name": _other_name,
        "names exchanged": _names_exchanged,
        "numbers exchanged": _numbers_exchanged,
        "negation dropped": _negation_dropped,
        "negation added": _negation_added,
        "opposite": _opposite,
    }
    for kind, make in makers.items():
        altered = make(pair.claim, dice)
        if altered and altered != pair.claim:
            yield Planted(kind, altered, pair)


def _other_number(claim: str, dice: random.Random) -> str | None:
    spots = list(re.finditer(r"(?<![\w-])\d[\d,.]*\d|(?<![\w-])\d(?![\w])", claim))
    if not spots:
        return None
    spot = dice.choice(spots)
    digits = [i for i, c in enumerate(spot.group()) if c.isdigit()]
    place = dice.choice(digits)
    old = spot.group()[place]
    low = "123456789" if place == 0 else "0123456789"
    new = dice.choice([d for d in low if d != old])
    return (
        claim[: spot.start()] + spot.group()[:place] + new + spot.group()[place + 1 :] + claim[spot.end() :]
    )


def _other_spelled(claim: str, dice: random.Random) -> str | None:
    spots = [m for m in re.finditer(r"\b[a-zA-Z]+\b", claim) if m.group().lower() in SPELLED[1:]]
    if not spots:
        return None
    spot = dice.choice(spots)
    new = dice.choice([w for w in SPELLED[1:] if w != spot.group().lower()])
    return (
        claim[: spot.start()] + (new.capitalize() if spot.group()[0].isupper() else new) + claim[spot.end() :]
    )


def _other_unit(claim: str, dice: random.Random) -> str | None:
    spots = [(m, name) for name in NEIGHBOURS for m in re.finditer(rf"(?<=\d\s){name}(?=s?\b)", claim)]
    if not spots:
        return None
    spot, name = dice.choice(spots)
    return claim[: spot.start()] + NEIGHBOURS[name] + claim[spot.end() :]


def _other_month(claim: str, dice: random.Random) -> str | None:
    spots = [m for m in re.finditer(r"\b[A-Z][a-z]+\b", claim) if m.group() in MONTHS]
    if not spots:
        return None
    spot = dice.choice(spots)
    new = dice.choice([m for m in MONTHS if m not in claim])
    return claim[: spot.start()] + new + claim[spot.end() :]


def _names(claim: str) -> list[re.Match[str]]:
    return [
        m
        for m in re.finditer(r"\b[A-Z][a-z]{3,}(?: [A-Z][a-z]+)*\b", claim)
        if m.group() not in MONTHS and m.group().split()[0] not in COMMON and not m.group().endswith("days")
    ]


def _other_name(claim: str, dice: random.Random) -> str | None:
    spots = _names(claim)
    if not spots:
        return None
    spot = dice.choice(spots)
    return claim[: spot.start()] + dice.choice(OTHER_NAMES) + claim[spot.end() :]


def _names_exchanged(claim: str, dice: random.Random) -> str | None:
    spots = _names(claim)
    if len(spots) < 2 or re.search(rf"{spots[0].group()}(?:, | and ){spots[1].group()}", claim):
        return None  # "Norway, Chile and Kenya" means the same in any order
    a, b = spots[0], spots[1]
    return claim[: a.start()] + b.group() + claim[a.end() : b.start()] + a.group() + claim[b.end() :]


def _numbers_exchanged(claim: str, dice: random.Random) -> str | None:
    spots = list(re.finditer(r"(?<![\w-])\$?\d[\d,.]*\d(?:%| percent)?", claim))
    same = [
        (a, b)
        for i, a in enumerate(spots)
        for b in spots[i + 1 :]
        if a.group()[-1].isdigit() == b.group()[-1].isdigit()
        and a.group() != b.group()
        and len(a.group()) == len(b.group())
        and not re.search(r"^\s*(?:-|to|and)\s*$", claim[a.end() : b.start()])
    ]
    if not same:
        return None
    a, b = dice.choice(same)
    return claim[: a.start()] + b.group() + claim[a.end() : b.start()] + a.group() + claim[b.end() :]


def _negation_dropped(claim: str, dice: random.Random) -> str | None:
    for old, new in (
        (r"\b(do|does|did) not (\w+)", r"\2"), (r"\bcannot\b", "can"), (r"\bnot (?!only)", ""), (r"\bunless\b", "if"),
        (r"\bexcept(?: on)?\b", "including"), (r"^No (\w)", r"A \1"), (r"\bnever\b", "always"), (r"\bwithout\b", "with"),
        (r"\bNeither (.+?) nor\b", r"Both \1 and"), (r"\bneither by (.+?) nor\b", r"both by \1 and"),
        (r"\bother than\b", "including"),
    ):  # fmt: skip
        altered = re.sub(old, new, claim, count=1)
        if altered != claim:
            return altered
    return None


def _negation_added(claim: str, dice: random.Random) -> str | None:
    if re.search(r"\b(?:not|no|never|cannot|neither|except|unless|without|only)\b", claim, re.IGNORECASE):
        return None
    for old, new in (
        (r"\b(is|are|was|were|has|had|must|may|can)\b", r"\1 not"),
        (r"\b(holds|runs|covers|measures|opens|serves|lends|treats)\b", r"never \1"),
    ):
        altered = re.sub(old, new, claim, count=1)
        if altered != claim:
            return altered
    return None


def _opposite(claim: str, dice: random.Random) -> str | None:
    options = []
    for line in CONTRARY.split("; "):
        old, new = (word.replace("\u00a0", " ") for word in line.split(" "))
        options += [(m, new) for m in re.finditer(rf"\b{old}\b", claim)]
    if not options:
        return None
    spot, new = dice.choice(options)
    return claim[: spot.start()] + new + claim[spot.end() :]
