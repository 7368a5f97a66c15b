"""Units of measure and scales: what they are called and what they are one of."""

from __future__ import annotations

import re
from decimal import Decimal

SCALES: dict[str, int] = {
    "thousands": 10**3,
    "thousand": 10**3,
    "millions": 10**6,
    "million": 10**6,
    "billions": 10**9,
    "billion": 10**9,
    "trillions": 10**12,
    "trillion": 10**12,
    "mln": 10**6,
    "mio": 10**6,
    "bln": 10**9,
    "bn": 10**9,
    "mn": 10**6,
    "k": 10**3,
    "m": 10**6,
    "b": 10**9,
}

SCALES_IN_FULL = tuple(name for name in SCALES if len(name) > 3)

CURRENCY_SIGNS = {"$": "usd", "US$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr"}

# Canonical unit -> (dimension, factor to the dimension's base, names).
_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("second", "time", "1", "second seconds sec secs s sekunde sekunden seconde secondes segundo segundos"),
    ("minute", "time", "60", "minute minutes min mins minuten minuto minutos minuti"),
    ("hour", "time", "3600", "hour hours hr hrs h stunde stunden std heure heures hora horas"),
    ("day", "time", "86400", "day days tag tage tagen jour jours día días dia dias giorno giorni"),
    (
        "working day",
        "workday",
        "1",
        "workday workdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen",
    ),
    ("week", "time", "604800", "week weeks woche wochen semaine semaines semana semanas settimana settimane"),
    ("month", "month", "1", "month months monat monate monaten mois mes meses mese mesi"),
    ("quarter", "month", "3", "quarter quarters quartal quartale quartalen trimestre trimestres"),
    ("year", "month", "12", "year years yr yrs annum jahr jahre jahren ans année années año años anno anni"),
    ("decade", "month", "120", "decade decades"),
    ("millisecond", "time", "0.001", "millisecond milliseconds ms"),
    (
        "millimetre",
        "length",
        "0.001",
        "millimetre millimetres millimeter millimeters mm millimètre millimètres milímetros",
    ),
    (
        "centimetre",
        "length",
        "0.01",
        "centimetre centimetres centimeter centimeters cm zentimeter zentimetern centimètre centimètres centímetros",
    ),
    ("metre", "length", "1", "metre metres meter meters m metern mètre mètres metro metros"),
    (
        "kilometre",
        "length",
        "1000",
        "kilometre kilometres kilometer kilometers km kilometern kilomètre kilomètres kilómetros",
    ),
    ("inch", "length", "0.0254", "inch inches"),
    ("foot", "length", "0.3048", "foot feet ft"),
    ("yard", "length", "0.9144", "yard yards yd"),
    ("mile", "length", "1609.344", "mile miles"),
    ("gram", "mass", "0.001", "gram grams g gramm gramme grammes gramos"),
    (
        "kilogram",
        "mass",
        "1",
        "kilogram kilograms kilo kilos kg kgs kilogramm kilogramme kilogrammes kilogramos",
    ),
    ("tonne", "mass", "1000", "tonne tonnes ton tons tonnen toneladas t"),
    ("milligram", "mass", "0.000001", "milligram milligrams mg"),
    ("pound mass", "mass", "0.45359237", "lb lbs"),
    ("ounce", "mass", "0.0283495", "ounce ounces oz"),
    ("litre", "volume", "1", "litre litres liter liters l litern litro litros"),
    ("cup", "volume", "0.24", "cup cups tasse tassen"),
    (
        "tablespoon",
        "volume",
        "0.015",
        "tablespoon tablespoons tbsp esslöffel cuillère cuillères cucharada cucharadas",
    ),
    ("teaspoon", "volume", "0.005", "teaspoon teaspoons tsp teelöffel cucharadita cucharaditas"),
    ("millilitre", "volume", "0.001", "millilitre millilitres milliliter ml"),
    ("gallon", "volume", "3.785411784", "gallon gallons"),
    ("cubic metre", "volume", "1000", "m³ m3"),
    ("barrel", "volume", "158.987", "barrel barrels bbl"),
    ("square metre", "area", "1", "m² m2 sqm"),
    ("hectare", "area", "10000", "hectare hectares ha"),
    ("acre", "area", "4046.86", "acre acres"),
    ("bar", "pressure", "100000", "bar bars"),
    ("pascal", "pressure", "1", "pascal pascals pa"),
    ("kilopascal", "pressure", "1000", "kpa"),
    ("psi", "pressure", "6894.76", "psi"),
    ("watt", "power", "1", "watt watts w"),
    ("kilowatt", "power", "1000", "kilowatt kilowatts kw"),
    ("megawatt", "power", "1000000", "megawatt megawatts mw"),
    ("kilowatt hour", "energy", "1", "kwh"),
    ("megawatt hour", "energy", "1000", "mwh"),
    ("decibel", "loudness", "1", "decibel decibels dezibel décibels db"),
    ("volt", "voltage", "1", "volt volts v"),
    ("kilovolt", "voltage", "1000", "kv"),
    ("ampere", "current", "1", "ampere amperes amp amps"),
    ("hertz", "frequency", "1", "hertz hz"),
    ("kilohertz", "frequency", "1000", "khz"),
    ("megahertz", "frequency", "1000000", "mhz"),
    ("gigahertz", "frequency", "1000000000", "ghz"),
    ("kilobyte", "data", "1", "kilobyte kilobytes kb"),
    ("megabyte", "data", "1000", "megabyte megabytes mb"),
    ("gigabyte", "data", "1000000", "gigabyte gigabytes gb"),
    ("terabyte", "data", "1000000000", "terabyte terabytes tb"),
    ("degree", "angle", "1", "degree degrees °"),
    ("celsius", "celsius", "1", "celsius °c"),
    ("fahrenheit", "fahrenheit", "1", "fahrenheit °f"),
    ("knot", "speed", "0.514444", "knot knots"),
    ("km/h", "speed", "0.277778", "km/h kph"),
    ("mph", "speed", "0.44704", "mph"),
    ("m/s", "speed", "1", "m/s"),
    ("%", "share", "0.01", "% percent pct prozent"),
    ("percentage point", "points", "1", "pp"),
    ("basis point", "points", "0.01", "bps bp"),
    ("usd", "usd", "1", "dollar dollars usd"),
    ("cent", "cent", "1", "cent cents"),
    ("eur", "eur", "1", "euro euros eur €"),
    ("gbp", "gbp", "1", "gbp sterling"),
    ("jpy", "jpy", "1", "yen jpy"),
    ("chf", "chf", "1", "franc francs chf"),
    ("inr", "inr", "1", "rupee rupees inr"),
    ("crown", "crown", "1", "crown crowns krona kronor krone kroner sek nok dkk"),
    ("shekel", "shekel", "1", "shekel shekels"),
    ("yuan", "yuan", "1", "yuan rmb cny"),
)

UNITS: dict[str, str] = {name: unit for unit, _, _, names in _TABLE for name in names.split()}
DIMENSIONS: dict[str, str] = {unit: dimension for unit, dimension, _, _ in _TABLE} | {
    "share": "share",
    "clock": "clock",
}
FACTORS: dict[str, Decimal] = {unit: Decimal(factor) for unit, _, factor, _ in _TABLE} | {
    "share": Decimal(1),
    "clock": Decimal(1),
}
MONEY = frozenset({"usd", "cent", "eur", "gbp", "jpy", "chf", "inr", "crown", "shekel", "yuan"})


def canonical_unit(name: str) -> str:
    """The canonical name of a unit as written ("km", "Kilometres" -> "kilometre"), empty when it is none."""
    key = re.sub(r"\s+", " ", name.strip().lower()).removesuffix(".")
    if key.startswith("per") and "cent" in key:
        return "percentage point" if "point" in key else "%"
    if key.startswith("basis point"):
        return "basis point"
    if key.startswith("°"):
        key = key.replace(" ", "")
    if key.startswith("degree") and " " in key:
        return "celsius" if key.split(" ")[1].startswith("c") else "fahrenheit"
    if " " in key:
        first, second = key.split(" ", 1)
        if first in ("square", "sq", "cubic") and second in UNITS:
            return {"square": "square", "sq": "square", "cubic": "cubic"}[first] + " " + UNITS[second]
        if first in ("working", "business", "calendar") and UNITS.get(second):
            return UNITS[second] if first == "calendar" else f"working {UNITS[second]}"
        return ""
    return UNITS.get(key, "")


def unit_scale(description: str) -> tuple[Decimal, str]:
    """Scale and unit that a table's description gives to its values: "(in thousands of crowns)" -> 1000, "crown"."""
    text = description.lower()
    scale = Decimal(1)
    for name in (*SCALES_IN_FULL, "000s", "'000"):
        if re.search(rf"(?<!\w){re.escape(name)}\b", text):
            scale = Decimal(SCALES.get(name, 1000))
            break
    unit = ""
    for sign, code in CURRENCY_SIGNS.items():
        if sign.lower() in text:
            unit = code
    for word in re.findall(r"[a-z%°²³/]+", text):
        if not unit and UNITS.get(word) and len(word) > 1:
            unit = UNITS[word]
    return scale, unit
