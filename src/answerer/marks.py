"""Marks in cells that affirm or deny what their row or column names: ticks, crosses, "yes" and "no"."""

from __future__ import annotations

import re
from collections.abc import Iterable

_AFFIRMS = re.compile(
    r"\W*(?:yes|included|incl\.?|standard|ja|oui|sí|inbegriffen|inklusive|compris|incluido)\W*|[✓✔☑●⬤•■✅]",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\W*(?:no|not included|none|nein|non|not available|n/a)\W*|[✗✘✕✖☐○❌–—-]", re.IGNORECASE
)
_CROSS = re.compile(r"[xX×☒]")  # crossed out, or ticked with a cross


def is_mark(text: str) -> bool:
    """Whether a cell holds nothing but such a mark."""
    plain = text.strip()
    return any(rule.fullmatch(plain) for rule in (_AFFIRMS, _DENIES, _CROSS))


def affirmed(text: str, others: Iterable[str]) -> bool:
    """Whether the mark ``text`` affirms, ``others`` being the marks of its table: among ticks a cross denies."""
    plain = text.strip()
    if _CROSS.fullmatch(plain):
        return not any(_AFFIRMS.fullmatch(other.strip()) for other in others)
    return bool(_AFFIRMS.fullmatch(plain))
