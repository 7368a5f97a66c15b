"""The last guard of an answer: whatever holds it up, whoever waits for it hears of its end."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

from src.records import Answer, Sentence
from src.settings import Settings

GRACE_SECONDS = 15.0  # an answer ends itself at ``answer_seconds``, and its check may take five more

log = logging.getLogger(__name__)


def hard_limit(settings: Settings) -> float:
    """Seconds after which an answer that has not ended is given up."""
    return settings.answer_seconds + GRACE_SECONDS


def within_limit(
    work: Callable[[], Answer], question: str, settings: Settings, cancel: threading.Event
) -> Answer:
    """``work()`` on a thread of its own; past the hard limit it is left behind, and one sentence says so.

    An answer watches its own clock between its steps, but not inside them: a lock that is never given back or native
    code that never returns would keep it for ever. ``cancel`` is set then, so that it ends where it still can. Errors
    of ``work`` are raised here.
    """
    ended: queue.SimpleQueue[Answer | BaseException] = queue.SimpleQueue()

    def body() -> None:
        try:
            ended.put(work())
        except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
            ended.put(error)

    threading.Thread(target=body, name="answer-within-limit", daemon=True).start()
    try:
        result = ended.get(timeout=hard_limit(settings))
    except queue.Empty:
        cancel.set()
        log.error("an answer did not end within %g s and was given up", hard_limit(settings))
        words = f"This answer did not end within {hard_limit(settings):.0f} seconds and was given up: please ask again."
        return Answer(question, (Sentence(words),), "not_found")
    if isinstance(result, BaseException):
        raise result
    return result
