"""Is a table cell told under its own column, of its own row, with its own sign?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from decimal import Decimal

from src.answerer.numbers import Quantity, quantities
from src.answerer.terms import all_terms
from src.citations.agreement import Figure, agrees, cited_figures
from src.citations.grounds import Grounds
from src.citations.verdicts import Verdict
from src.records import Support

SMALL = 10
_YEARS = re.compile(r"\b(\d\d)\d\d[-–/](\d\d)\b")
GAINS = re.compile(r"\b(?:profit|gain|surplus)\b", re.IGNORECASE)
LOSSES = re.compile(
    r"\b(?:loss|losses|deficit|negative|minus|outflow|decreas\w*|declin\w*|fell|down|lower|costs?|weigh\w*|drag\w*|hurt)\b",
    re.IGNORECASE,
)
CHANGE = re.compile(r"\b(?:change|growth|variance|increase|vs\.?)\b", re.IGNORECASE)
RISING = re.compile(
    r"\b(?:more|increas\w*|rose|grew|growth|gain\w*|up|higher|better|improv\w*|above)\b", re.IGNORECASE
)
FALLING = re.compile(r"\b(?:less|fewer|worse|below|drop\w*|reduc\w*|shrank|slip\w*)\b", re.IGNORECASE)


def column_problem(
    quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds
) -> Verdict | None:
    """A cell's value told under another column's header: the right number for the wrong year."""
    found = [
        f for f in found if 2 * len(f.quantity.surface) >= len(f.text)
    ]  # not a figure in a cell of words
    if not found or any(not f.header for f in found) or quantity.kind != "number" or is_count(quantity):
        return None
    told = [q for q in quantities(claim) if q.kind in ("year", "date")]
    named = [q for q in told if not _is_told_of_another(q, quantity, claim, grounds)]
    if told and not named:
        return None
    dated = [h for h in grounds.headers if any(q.kind in ("year", "date") for q in quantities(h))]
    if named and dated:
        for figure in found:
            own = [q for q in quantities(figure.header) if q.kind in ("year", "date")]
            if not own or any(agrees(a, b) for a in named for b in own) or _ends_span(named, figure.header):
                return None
        return Verdict(
            Support.NONE,
            f"{quantity.surface} stands under {found[0].header!r} on {grounds.label}, not under {named[0].surface}",
        )
    return _header_problem(quantity, found, claim, grounds)


def _ends_span(named: Sequence[Quantity], header: str) -> bool:
    """Whether a named year is the second of a header like "2022–23"."""
    ends = {int(m[1] + m[2]) for m in _YEARS.finditer(header)}
    return any(q.kind == "year" and int(q.value) in ends for q in named)


def is_count(quantity: Quantity) -> bool:
    return quantity.in_words and abs(quantity.amount) <= SMALL


def _is_told_of_another(year: Quantity, quantity: Quantity, claim: str, grounds: Grounds) -> bool:
    """Whether ``year`` belongs to another figure of the claim: "19.2%, above the 10.7% of 2020"."""
    others = [q for q in quantities(claim) if q.kind == "number" and q.start != quantity.start]
    for other in others:
        if abs(year.start - other.start) < abs(year.start - quantity.start):
            for figure in cited_figures(grounds):
                own = [q for q in quantities(figure.header) if q.kind in ("year", "date")]
                if agrees(other, figure.quantity) and any(agrees(year, q) for q in own):
                    return True
    return False


def _header_problem(
    quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds
) -> Verdict | None:
    words = {term.stem for term in all_terms(claim)}
    headers = {h: {t.stem for t in all_terms(h)} for h in grounds.headers}
    common = set.intersection(*headers.values()) if len(headers) > 1 else set()
    mine = max((len((headers.get(f.header, set()) - common) & words) for f in found), default=0)
    # The claim may tell the values of other columns too: those headers are named for them.
    told = {q.amount for q in quantities(claim)}
    other = max(
        (
            shared
            for h, marks in headers.items()
            if all(h != f.header for f in found) and _holds_another(h, told, grounds)
            for shared in (len((marks - common) & words),)
            if 2 * shared >= len(marks - common)
        ),
        default=0,
    )
    sizes = [len(headers.get(f.header, set()) - common) for f in found]
    if not mine and other and all(sizes):
        return Verdict(
            Support.PARTIAL, f"{quantity.surface} stands under {found[0].header!r} on {grounds.label}"
        )
    return None


def _holds_another(header: str, told: Collection[Decimal], grounds: Grounds) -> bool:
    """Whether a column's cited cells hold numbers, none of them among those ``told``."""
    cells = [q for c in grounds.cells if c.header == header for q in quantities(c.text)]
    return any(q.kind == "number" for q in cells) and not any(q.amount in told for q in cells)


def sign_problem(quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds) -> Verdict | None:
    """A loss told as a profit, a minus that is dropped or added."""
    negative = all(f.quantity.value < 0 for f in found)
    positive = all(f.quantity.value > 0 for f in found)
    gain, loss = bool(GAINS.search(claim)), bool(LOSSES.search(claim))
    cited_gain = bool(GAINS.search(grounds.cited)) and not LOSSES.search(grounds.cited)
    if all(CHANGE.search(f"{f.header} {f.label}") for f in found) and not gain:
        up, down = bool(RISING.search(claim)), bool(LOSSES.search(claim) or FALLING.search(claim))
        if (negative and up and not down) or (positive and down and not up):
            way = "negative" if negative else "positive"
            return Verdict(Support.PARTIAL, f"{found[0].quantity.surface} is {way} on {grounds.label}")
    if negative and gain and not loss and not cited_gain:
        return Verdict(Support.NONE, f"{found[0].quantity.surface} is negative on {grounds.label}")
    return None


def row_problem(quantity: Quantity, found: Sequence[Figure], claim: str, grounds: Grounds) -> Verdict | None:
    """A cell's value told of another row: the right number for the wrong line."""
    if any(not f.header or not f.label for f in found) or quantity.kind != "number" or is_count(quantity):
        return None
    words = {term.stem for term in all_terms(claim, grounds.language) if not term.is_function}
    rows = {f.label.rpartition(" / ")[2] for f in found}
    named = [
        row
        for row in (*grounds.other_labels, *(c.label.rpartition(" / ")[2] for c in grounds.cells))
        if row not in rows and (own := _label_stems(row, grounds)) and own <= words
    ]
    if named and not any(_label_stems(row, grounds) & words for row in rows):
        return Verdict(Support.NONE, f"{quantity.surface} stands in the row {min(rows)!r} on {grounds.label}")
    if _of_another_year(rows, claim, grounds) or _of_another_row(rows, words, grounds):
        return Verdict(
            Support.PARTIAL, f"{quantity.surface} stands in the row {min(rows)!r} on {grounds.label}"
        )
    return None


def _of_another_year(rows: Collection[str], claim: str, grounds: Grounds) -> bool:
    """Whether the rows are years and the claim names none of theirs but that of another row."""

    def years(text: str) -> set[Decimal]:
        return {q.value for q in quantities(text) if q.kind == "year"}

    told = years(claim)
    own = [years(row) for row in rows]
    others = {year for label in grounds.other_labels for year in years(label)}
    return all(own) and bool(told & others) and not any(found & told for found in own)


def _of_another_row(rows: Collection[str], words: Collection[str], grounds: Grounds) -> bool:
    """Whether the claim has a word that only one other row is labelled with, and none of its own row's label."""
    own = {stem for row in rows for stem in _label_stems(row, grounds)}
    if not own or own & set(words):
        return False
    labels = [_label_stems(label.rpartition(" / ")[2], grounds) - own for label in grounds.other_labels]
    counts = Counter(stem for label in labels for stem in label)
    return any(counts[stem] == 1 and stem in words for label in labels for stem in label)


def _label_stems(label: str, grounds: Grounds) -> set[str]:
    return {t.stem for t in all_terms(label, grounds.language) if not t.is_function and t.word.isalpha()}
