"""What readers of annual reports ask for, and the line items and statements in which it is printed.

A question about days payable outstanding names a quantity that no report prints: it has to be put together from
the cost of sales in one statement and from payables and inventories in another. Each entry gives the words that
name a quantity, and per statement the printed line items that it needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

INCOME = "income statement"
BALANCE = "balance sheet"
CASH = "cash flow statement"

TITLES = {
    INCOME: "consolidated statements of income operations earnings",
    BALANCE: "consolidated balance sheets statements of financial position condition",
    CASH: "consolidated statements of cash flows operating activities investing activities financing activities",
}

REVENUE = "net sales total revenues net revenues net operating revenues"
COST = "cost of sales cost of goods sold cost of products sold cost of revenues"
OPERATING = "operating income operating profit income from operations earnings from operations"
EARNINGS = "net income net earnings"
CAPEX = (
    "purchases of property plant and equipment capital expenditures capital spending additions to property"
)
DEPRECIATION = "depreciation and amortization"
INVENTORY = "inventories merchandise inventories"
PAYABLES = "accounts payable"
RECEIVABLES = "accounts receivable net trade receivables"
CURRENT = "total current assets total current liabilities"
ASSETS = "total assets"
EQUITY = "total equity shareholders equity stockholders equity"
PLANT = "property plant and equipment net"
DEBT = "long-term debt short-term debt notes payable current portion"


@dataclass(frozen=True, slots=True)
class Facet:
    """One place a question needs: a statement (or "") and the words printed there."""

    statement: str
    words: str

    @property
    def text(self) -> str:
        """The statement's titles and the words, for searching."""
        return f"{TITLES.get(self.statement, '')} {self.words}".strip()


def _entry(pattern: str, **items: str) -> tuple[re.Pattern[str], tuple[Facet, ...]]:
    statements = {"income": INCOME, "balance": BALANCE, "cash": CASH, "other": ""}
    facets = tuple(Facet(statements[name], words) for name, words in items.items())
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), facets


CONCEPTS = (
    _entry(r"income statements?|p\s?&\s?l|profit and loss|statements? of (?:\w+ )?(?:income|operations|earnings)", income=""),
    _entry(r"balance sheets?|statements? of financial (?:position|condition)", balance=""),
    _entry(r"cash[- ]flows? statements?|statements? of cash[- ]flows?", cash=""),
    _entry(r"capex|capital expenditures?|capital spending", cash=CAPEX),
    _entry(r"dpo|days payables? outstanding", income=COST, balance=f"{PAYABLES} {INVENTORY}"),
    _entry(r"dio|days (?:of )?inventory(?: outstanding)?|inventory turnover", income=COST, balance=INVENTORY),
    _entry(r"dso|days sales outstanding|receivables? turnover", income=REVENUE, balance=RECEIVABLES),
    _entry(r"cash conversion cycle", income=f"{COST} {REVENUE}", balance=f"{PAYABLES} {INVENTORY} {RECEIVABLES}"),
    _entry(r"quick ratio|acid test", balance=f"{CURRENT} cash and cash equivalents {RECEIVABLES} marketable securities"),
    _entry(r"current ratio|working capital", balance=CURRENT),
    _entry(r"(?:fixed asset|pp\s?&\s?e) turnover", income=REVENUE, balance=PLANT),
    _entry(r"(?<!fixed )(?:total )?asset turnover", income=REVENUE, balance=ASSETS),
    _entry(r"pp\s?&\s?e", balance=PLANT),
    _entry(r"roa|return on (?:total )?assets", income=EARNINGS, balance=ASSETS),
    _entry(r"roe|return on (?:shareholders'? |stockholders'? )?equity", income=EARNINGS, balance=EQUITY),
    _entry(r"ebitda", income=OPERATING, cash=DEPRECIATION),
    _entry(r"d\s?&\s?a", cash=DEPRECIATION),
    _entry(r"gross (?:profit|margin)s?", income=f"{REVENUE} {COST} gross profit gross margin"),
    _entry(r"operating (?:income|profit)?\s?%?\s?margins?|operating (?:income|profit)", income=f"{OPERATING} {REVENUE}"),
    _entry(r"net (?:profit|income|earnings) margins?", income=f"{EARNINGS} {REVENUE}"),
    _entry(r"free cash flows?|fcf", cash=f"net cash provided by operating activities {CAPEX}"),
    _entry(r"(?:dividend )?pay-?out ratio|retention ratio", income=EARNINGS, cash="cash dividends paid"),
    _entry(r"interest coverage", income=f"interest expense {OPERATING}"),
    _entry(r"debt[- ]to[- ]equity|leverage ratio", balance=f"{DEBT} {EQUITY}"),
    _entry(r"effective tax rates?", other="effective tax rate provision for income taxes income before income taxes"),
    _entry(r"cogs", income=COST),
    _entry(r"book value(?: per share)?|liquidat\w+", other="book value per share tangible book value"),
    _entry(r"eps", other="earnings per share diluted basic"),
    # The plain words, where they are what is asked: in other questions they name segments and products.
    _entry(r"profits?|profitable|(?:make|made|making|lose|lost) (?:any |much )?money", income=EARNINGS),
    _entry(
        r"^\W*(?:and |what (?:is|was|were) |how (?:much|high|big) (?:is|was|were) )?(?:[\w&.-]+['’]s? )?(?:the |their |its |total |net |annual )*"
        r"(?:revenues?|sales|turnover)(?! (?:to|of|from|by|per)\b)", income=REVENUE),
    _entry(r"legal (?:battles?|disputes?|proceedings)|lawsuits?", other="legal proceedings litigation contingencies lawsuits claims"),
)  # fmt: skip

# What people say, and what documents print for it. They name no place, so they only add words to the search.
SAYINGS = tuple(
    (re.compile(rf"\b(?:{said})\b", re.IGNORECASE), printed)
    for said, printed in (
        (r"employees?|staff|workers|headcount|(?:people|persons) (?:\w+ )?(?:work|works|employed|employ)", "employees employed full-time workforce headcount"),
        (r"profits?|profitable|(?:make|made|making|lose|lost|earn) (?:any |much )?money|in the (?:red|black)", "net income net loss net earnings profit"),
        (r"turnover|takings", "revenue revenues net sales"),
        (r"revenues?", "revenues net sales"),
        (r"headquarter\w*|head office|(?:located|based)", "headquarters principal executive offices located"),
        (r"ceo|boss|runs the (?:company|firm|business)", "chief executive officer president"),
        (r"cfo", "chief financial officer"),
        (r"rivals?|competitors?|competes?", "competition competitors compete"),
        (r"auditors?|audited", "independent registered public accounting firm auditor"),
        (r"buy-?backs?|bought back", "repurchases of common stock share repurchase"),
        (r"lay-?offs?|laid off|fired|job cuts", "severance reductions workforce restructuring"),
        (r"(?:takeovers?|bought|buy|price paid)", "acquired acquisition purchase"),
        (r"planes?", "airplanes aircraft"),
        (r"shoes?|sneakers?", "footwear"),
        (r"cars?", "vehicles automobiles"),
        (r"movies?", "films"),
        (r"kids?", "children"),
        (r"(?:computer|pc|machine|hardware)s?", "processor CPU GHz RAM memory"),
        (r"shortcomings?|weakness(?:es)?|drawbacks?|downsides?", "limitations disadvantage"),
        (r"email|e-mail|get in touch|contact", "contact email telephone address"),
    )
)  # fmt: skip


def printed_for(question: str) -> tuple[str, ...]:
    """Words that documents print for what ``question`` says otherwise."""
    return tuple(printed for said, printed in SAYINGS if said.search(question))


def facets_of(question: str) -> tuple[Facet, ...]:
    """The places ``question`` needs, one a statement, in the order in which it names them."""
    found: list[tuple[int, Facet]] = []
    for pattern, facets in CONCEPTS:
        if match := pattern.search(question):
            found += [(match.start(), facet) for facet in facets]
    merged: dict[str, list[str]] = {}
    for _, facet in sorted(found, key=lambda entry: entry[0]):
        merged.setdefault(facet.statement, []).append(facet.words)
    return tuple(Facet(statement, " ".join(filter(None, words))) for statement, words in merged.items())
