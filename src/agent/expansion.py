"""Other ways to say a question, by the model, searched beside it: the words a document uses are seldom the reader's.

One call, only where ``DOCENGINE_QUERY_EXPANSION`` is on. Finding does not depend on it: when the call fails the
question is searched as it stands, and what the reader is told about the model comes from the call that answers.
"""

from __future__ import annotations

import re
import time

from src.agent.run import Run
from src.answerer.client import CapReachedError, ModelError, StoppedError
from src.answerer.prompts import expansion_messages
from src.answerer.reply import readable
from src.languages import fold

MOST = 3
TOKENS = 400  # reasoning models think before they write
SECONDS = 20.0
LONGEST = 400  # characters; what is longer is no phrasing

_LABEL = re.compile(r"^\W*(?:\d+\W+)?(?:(?:query|question|answer|phrasing)\s*\d*\s*:)?\s*", re.IGNORECASE)


def phrasings(run: Run, question: str) -> tuple[str, ...]:
    """At most ``MOST`` texts to search beside ``question``, the last a possible answer; none without a model."""
    if run.model is None or not run.settings.query_expansion:
        return ()
    with run.step("expand", "Finding other words for the question") as say:
        try:
            reply = run.model.client.complete(
                expansion_messages(question),
                max_tokens=TOKENS,
                cancel=run.cancel,
                deadline=min(run.model_deadline, time.monotonic() + SECONDS),
                session=run.request.session,
            )
        except StoppedError as stopped:
            run.usage += stopped.reply.usage
            return ()
        except (ModelError, CapReachedError) as error:
            say(getattr(error, "kind", "cap"))
            return ()
        run.usage += reply.usage
        found = read_phrasings(reply.text, question)
        say("; ".join(found) if run.settings.log_text else f"{len(found)} phrasings")
    return found


def read_phrasings(text: str, question: str) -> tuple[str, ...]:
    """The lines of a reply without numbers, labels and quotation marks, less what repeats another or ``question``."""
    known = {_words(question)}
    found: list[str] = []
    for line in readable(text).splitlines():
        phrasing = _LABEL.sub("", line, count=1).strip(" \"'`*“”")
        words = _words(phrasing)
        if words and len(phrasing) <= LONGEST and words not in known:
            known.add(words)
            found.append(phrasing)
    return tuple(found[:MOST])


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", fold(text)))
