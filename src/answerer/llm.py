"""The answerer that a language model writes, on any OpenAI-compatible server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from src.answerer.client import ChatClient, ModelError, Reply, StoppedError
from src.answerer.prompts import answer_messages
from src.answerer.reply import parse_reply
from src.records import Draft, Passage, Turn


class ModelAnswerer:
    """Drafts answers with the model behind ``client``; failures are raised as ModelError, never hidden."""

    def __init__(self, client: ChatClient) -> None:
        self.client = client

    def draft(
        self,
        question: str,
        passages: Sequence[Passage],
        *,
        history: Sequence[Turn] = (),
        on_text: Callable[[str], None] | None = None,
        cancel: threading.Event | None = None,
        deadline: float | None = None,
        session: str = "",
    ) -> Draft:
        """The model's draft. ``history`` is unused: the question is standalone by the time it comes here.

        ``on_text`` gets each sentence once it is finished. Raises ModelError and CapReachedError; when ``cancel``
        is set, what was written until then is returned.
        """
        given = list(passages)
        while True:
            several = len({passage.document_id for passage in given}) > 1
            messages = answer_messages(question, given, name_documents=several)
            shown = _Sentences(given, on_text) if on_text else None
            try:
                reply = self.client.complete(
                    messages, on_text=shown, cancel=cancel, deadline=deadline, session=session
                )
            except StoppedError as stopped:
                return draft_from(stopped.reply, given)
            except ModelError as error:
                if error.kind == "context" and len(given) > 1:
                    given = given[: len(given) // 2]
                    continue
                raise
            return draft_from(reply, given)


class _Sentences:
    """Passes finished sentences on while the text is still growing."""

    def __init__(self, passages: Sequence[Passage], on_text: Callable[[str], None]) -> None:
        self._passages = passages
        self._on_text = on_text
        self._shown = 0

    def __call__(self, text: str) -> None:
        claims, _ = parse_reply(text, self._passages)
        # The last sentence may still grow, or get its citation.
        for claim in claims[self._shown : -1]:
            self._on_text(claim.text + " ")
        self._shown = max(self._shown, len(claims) - 1)


def draft_from(reply: Reply, passages: Sequence[Passage]) -> Draft:
    """``reply`` as a draft of tier "direct"."""
    claims, refused = parse_reply(reply.text, passages)
    return Draft(claims, refused, reply.usage, tier="direct")
