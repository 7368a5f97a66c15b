"""An answer: the draft with its claims, and the checked sentences with their citations."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from src.records.document import Box
from src.records.passage import Passage

NOT_FOUND = "Not found in the document."


class Support(StrEnum):
    """What the check found for one sentence of an answer."""

    FULL = "full"
    PARTIAL = "partial"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a draft with the passages it cites: pairs of (1-based passage number, quoted words)."""

    text: str
    cites: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money of model calls; ``cost`` in US dollars, None where no price is known."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    cost: float | None = None
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        costs = [c for c in (self.cost, other.cost) if c is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            sum(costs) if costs else None,
            self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """What an answerer wrote, before any check. ``refused`` means that it found no answer in the passages."""

    claims: tuple[Claim, ...]
    refused: bool = False
    usage: Usage = Usage()
    tier: str = "extractive"  # "extractive", "direct" or "loop"
    notice: str = ""  # one sentence when a fallback answered ("The model could not be reached: ...")


@dataclass(frozen=True, slots=True)
class Citation:
    """A checked citation. ``boxes`` are the marks on the page images, one or more a line, possibly on two pages.

    ``number`` counts from 1 within the answer; ``label`` is what the reader sees ("p. 4", "p. 12 (printed iv)").
    ``verified`` is False when the quote was not found on its page (then ``boxes`` is empty). ``url`` is set for
    web sources only.
    """

    number: int
    document_id: str
    document_name: str
    revision: int
    pages: tuple[int, ...]
    label: str
    quote: str
    verified: bool
    boxes: tuple[Box, ...] = ()
    passage: int | None = None
    url: str = ""

    @property
    def page(self) -> int | None:
        """The first page, None for a web source."""
        return self.pages[0] if self.pages else None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer with the numbers of its citations and what the check said of it.

    ``problem`` says in words what did not agree ("the number 85% is not on page 4").
    """

    text: str
    citations: tuple[int, ...] = ()
    support: Support = Support.FULL
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way to an answer, for the trace: name, what came of it, milliseconds."""

    name: str
    detail: str = ""
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """A checked answer. ``sentences`` is what is shown; struck ones are counted in ``struck`` and not in it.

    ``status`` is "answered" or "not_found"; ``support`` "full" or "partial"; ``route`` "document", "summary",
    "compare", "web" or "chat". Under a refusal ``citations`` is empty and ``looked_here`` holds the nearest
    passages. ``snapshots`` maps document id to the revision it was answered from.
    """

    question: str
    sentences: tuple[Sentence, ...]
    status: str
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    looked_here: tuple[Passage, ...] = ()
    support: Support = Support.FULL
    route: str = "document"
    tier: str = "extractive"
    struck: int = 0
    notices: tuple[str, ...] = ()
    usage: Usage = Usage()
    steps: tuple[Step, ...] = ()
    ms: float = 0.0
    cached: bool = False
    stopped: bool = False
    standalone: str = ""
    snapshots: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """Plain text of the answer with its page labels, as ``scripts/ask.py`` prints it."""
        labels = {c.number: c.label for c in self.citations}
        parts = [
            " ".join([s.text, *dict.fromkeys(f"[{labels[n]}]" for n in s.citations if n in labels)])
            for s in self.sentences
        ]
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange, as memory keeps it."""

    question: str
    standalone: str
    answer: str
    document_ids: tuple[str, ...] = ()
