"""What a superlative compares: "the quietest" is the least noise, "the fastest" the most speed or the shortest time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from src.answerer.terms import stem
from src.answerer.units import DIMENSIONS, MONEY


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing that a superlative may compare.

    ``most`` says whether it asks for the greatest value; ``stems`` are the words by which a header or a row's label names
    it, the plainest first, ``dimensions`` those of the units that its values may have.
    """

    most: bool
    stems: tuple[str, ...]
    dimensions: frozenset[str]

    def suits(self, dimension: str) -> bool:
        """Whether values of ``dimension`` may be what a header names; bare numbers are no dates, and dates nothing else."""
        if dimension in ("", "date", "clock"):
            dated = "date" in self.dimensions
            return {"": not dated, "date": dated, "clock": dated or "time" in self.dimensions}[dimension]
        return not self.dimensions or dimension in self.dimensions


# A line has the superlatives, then for each sense "+" or "-" for the most or the least, the words of headers, and after
# "~" the dimensions of units. The likeliest sense comes first.
_LINES = """
cheapest cheap / - total amount price cost fee fare rent tariff premium charge rate ~ money
dearest priciest expensive costliest / + total amount price cost fee fare rent tariff premium charge rate ~ money
longest / + duration running journey ~ time / + length distance ~ length
shortest / - duration running journey ~ time / - length distance ~ length
fastest quickest / + speed velocity ~ speed / - duration delivery journey ~ time
slowest / - speed velocity ~ speed / + duration delivery journey ~ time
quietest / - noise sound loudness acoustic decibel db ~ loudness
loudest noisiest / + noise sound loudness acoustic decibel db ~ loudness
heaviest / + weight mass ~ mass
lightest / - weight mass ~ mass
tallest / + height ~ length
highest / + height altitude elevation
lowest / - height altitude elevation
deepest / + depth
shallowest / - depth
widest broadest / + width breadth
narrowest / - width breadth
thickest / + thickness gauge
thinnest / - thickness gauge
biggest largest / + size area floor capacity volume population inhabitants surface ~ area volume
smallest / - size area floor capacity volume population inhabitants surface ~ area volume
roomiest / + capacity volume area ~ volume area
oldest / + age / - built founded established opened born year since construction ~ date
youngest / - age / + born birth ~ date
newest latest / + year date built founded established opened released release published since ~ date / - age
earliest / - year date built founded established opened released release published since start ~ date
hottest warmest / + temperature ~ celsius fahrenheit
coldest coolest / - temperature ~ celsius fahrenheit
wettest rainiest / + rain rainfall precipitation
driest / - rain rainfall precipitation humidity
sunniest / + sun sunshine
windiest / + wind
snowiest / + snow snowfall
strongest / + strength power load force output ~ power
weakest / - strength power load force output ~ power
powerful / + power output performance ~ power
nearest closest / - distance ~ length
farthest furthest remotest / + distance ~ length
steepest / + gradient slope incline
brightest / + brightness luminance lumen
busiest / + visitor passenger traffic user
sweetest / + sugar
economical thriftiest / - consumption energy fuel ~ energy
efficient / + efficiency
"""
_DIMENSIONS = {"money": frozenset(DIMENSIONS[unit] for unit in MONEY)}
SUPERLATIVES: frozenset[str] = frozenset(
    word for line in _LINES.strip().splitlines() for word in line.split(" / ")[0].split() if word != "cheap"
)
# What stands side by side in a table of properties, whose header does not say so.
VARIANTS = frozenset(
    map(
        stem,
        ["model", "version", "variant", "type", "plan", "option", "package", "tariff", "product", "device"],
    )
)
# What a bill or a list calls what it lists.
ITEMS = frozenset(
    map(
        stem,
        [
            "item",
            "article",
            "product",
            "position",
            "description",
            "details",
            "service",
            "work",
            "goods",
            "thing",
        ],
    )
)
# Adjectives that have no ending for it: "the most expensive", "the least powerful".
ADJECTIVES = frozenset(["cheap", "expensive", "powerful", "economical", "efficient"])


@lru_cache(maxsize=128)
def senses(word: str, *, least: bool = False) -> tuple[Sense, ...]:
    """What folded ``word`` compares, likeliest first; ``least`` of the adjective of "the least expensive"."""
    return tuple(
        Sense(sense.most is not least, sense.stems, sense.dimensions) for sense in _table().get(word, ())
    )


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[Sense, ...]]:
    found: dict[str, tuple[Sense, ...]] = {}
    for line in _LINES.strip().splitlines():
        words, *told = line.split(" / ")
        found |= dict.fromkeys(words.split(), tuple(map(_sense, told)))
    return found


def _sense(told: str) -> Sense:
    names, _, dimensions = told.partition("~")
    sign, *words = names.split()
    kinds = {kind for name in dimensions.split() for kind in _DIMENSIONS.get(name, frozenset([name]))}
    return Sense(sign == "+", tuple(stem(word) for word in words), frozenset(kinds))
