"""Sentences for the reader about what was hidden or lost on the pages."""

from __future__ import annotations

from collections.abc import Sequence

from src.loader.reading import FINISHED
from src.records import Page, PageState

EMPTY = "The page is empty."
UNSEEN = "All text of the page is hidden, or lies outside the part of the page that is shown."


def page_notes(pages: Sequence[Page]) -> tuple[str, ...]:
    """One sentence each for pages with hidden text and for pages that could not be read."""
    notes = []
    hidden = [page.number for page in pages if page.hidden.strip()]
    if hidden:
        notes.append(f"Hidden or struck-out text on {page_list(hidden)} was left out.")
    unreadable = [page for page in pages if page.state is PageState.UNREADABLE]
    if passed := [page.number for page in unreadable if page.reason == FINISHED]:
        notes.append(passed_note(passed))
    lost = [page.number for page in unreadable if page.reason != FINISHED]
    if lost:
        reason = next(page.reason for page in pages if page.number == lost[0])
        notes.append(f"{page_list(lost).capitalize()} could not be read. {reason}".strip())
    return tuple(notes)


def passed_note(numbers: Sequence[int]) -> str:
    """What is said of pages that a reading did not come to because it was ended."""
    was = "was" if len(numbers) == 1 else "were"
    return f"{page_list(numbers).capitalize()} {was} not read, because reading was stopped."


def page_list(numbers: Sequence[int]) -> str:
    """Pages as a reader writes them: "page 3", "pages 3, 7-9"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    shown = ", ".join(parts[:8]) + (f" and {len(parts) - 8} more places" if len(parts) > 8 else "")
    return f"page {shown}" if len(numbers) == 1 else f"pages {shown}"
