"""The answerer that a language model writes, on any OpenAI-compatible server."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from src.answerer.client import ChatClient, ModelError, Reply, StoppedError
from src.answerer.injection import without_order_text
from src.answerer.prompts import (
    Message,
    answer_messages,
    rewrite_messages,
    section_messages,
    standalone_messages,
)
from src.answerer.reply import parse_reply, readable, with_words
from src.cost import estimate_tokens
from src.records import Draft, Passage, Turn, Usage

SECTION_ANSWER_TOKENS = 220
LINE_TOKENS = 400  # of one line asked for; reasoning models think before they write it
LINE_SECONDS = 20.0
LONGEST_LINE = 400


class ModelAnswerer:
    """Drafts answers with the model behind ``client``; failures are raised as ModelError, never hidden.

    ``trusting`` shows the model even those sentences of a document that give it orders; it is there to measure what
    the lines of defence behind the prompt catch.
    """

    def __init__(self, client: ChatClient, *, trusting: bool = False) -> None:
        self.client = client
        self.trusting = trusting

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
        pictures: Sequence[bytes] = (),
    ) -> Draft:
        """The model's draft. ``history`` is unused: the question is standalone by the time it comes here.

        ``on_text`` gets each sentence once it is finished; ``pictures`` are JPEGs of pages that go along. Raises
        ModelError and CapReachedError; when ``cancel`` is set, what was written until then is returned.
        """
        given = self._fitting(passages)
        while True:
            several = len({passage.document_id for passage in given}) > 1
            messages = answer_messages(question, self.shown(given, question), name_documents=several)
            shown = _Sentences(given, on_text) if on_text else None
            try:
                reply = self.client.complete(
                    _with_pictures(messages, pictures),
                    on_text=shown,
                    cancel=cancel,
                    deadline=deadline,
                    session=session,
                )
            except StoppedError as stopped:
                return draft_from(stopped.reply, given)
            except ModelError as error:
                if error.kind == "context" and len(given) > 1:
                    given = given[: len(given) // 2]
                    continue
                raise
            return draft_from(reply, given)

    def draft_section(
        self,
        task: str,
        passages: Sequence[Passage],
        *,
        cancel: threading.Event | None = None,
        deadline: float | None = None,
        session: str = "",
    ) -> Draft:
        """One or two cited sentences of a section that serve ``task``. Raises as ``draft`` does."""
        try:
            reply = self.client.complete(
                section_messages(task, self.shown(passages, task)),
                max_tokens=SECTION_ANSWER_TOKENS,
                cancel=cancel,
                deadline=deadline,
                session=session,
            )
        except StoppedError as stopped:
            return draft_from(stopped.reply, passages)
        return draft_from(reply, passages)

    def standalone(
        self,
        question: str,
        turns: Sequence[tuple[str, str]],
        *,
        cancel: threading.Event | None = None,
        deadline: float | None = None,
        session: str = "",
    ) -> tuple[str, Usage]:
        """``question`` made whole by the (question, answer) pairs before it; "" when the model wrote no question."""
        return self._line(standalone_messages(question, turns), cancel, deadline, session)

    def rewrite(
        self,
        question: str,
        tried: Sequence[str],
        *,
        cancel: threading.Event | None = None,
        deadline: float | None = None,
        session: str = "",
    ) -> tuple[str, Usage]:
        """Another search query for ``question``; "" when the model wrote none."""
        return self._line(rewrite_messages(question, tried), cancel, deadline, session)

    def _line(
        self,
        messages: Sequence[Message],
        cancel: threading.Event | None,
        deadline: float | None,
        session: str,
    ) -> tuple[str, Usage]:
        try:
            reply = self.client.complete(
                messages, max_tokens=LINE_TOKENS, cancel=cancel, deadline=deadline, session=session
            )
        except StoppedError as stopped:
            return "", stopped.reply.usage
        lines = [line.strip(" \"'`*-") for line in readable(reply.text).splitlines() if line.strip()]
        line = lines[-1] if lines else ""
        for label in ("question:", "query:", "standalone question:", "last question:", "search query:"):
            if line.lower().startswith(label):
                line = line[len(label) :].strip()
        return (line if len(line) <= LONGEST_LINE else ""), reply.usage

    def shown(self, passages: Sequence[Passage], question: str) -> list[Passage]:
        """``passages`` as the model sees them."""
        return list(passages) if self.trusting else [without_order_text(p, question) for p in passages]

    def _fitting(self, passages: Sequence[Passage]) -> list[Passage]:
        """The best passages that fit ``settings.context_tokens``; all of them where it is 0."""
        limit = self.client.settings.context_tokens
        given: list[Passage] = []
        used = 0
        for passage in passages:
            used += estimate_tokens(passage.text) + 12
            if limit and used > limit and given:
                break
            given.append(passage)
        return given


class _Sentences:
    """Passes finished sentences on while the text is still growing."""

    def __init__(self, passages: Sequence[Passage], on_text: Callable[[str], None]) -> None:
        self._passages = passages
        self._on_text = on_text
        self._shown = 0

    def __call__(self, text: str) -> None:
        claims, _ = parse_reply(text, self._passages)
        # The last sentence may still grow, or get its citation. What cites nothing will be struck: it is thought
        # aloud, or an order obeyed, and is not shown even for a moment.
        for claim in claims[self._shown : -1]:
            if any(1 <= number <= len(self._passages) for number, _ in claim.cites):
                self._on_text(claim.text + " ")
        self._shown = max(self._shown, len(claims) - 1)


def draft_from(reply: Reply, passages: Sequence[Passage], *, tier: str = "direct") -> Draft:
    """``reply`` as a draft; citations without words get the sentence of their passage that is nearest."""
    claims, refused = parse_reply(reply.text, passages)
    claims = tuple(replace(claim, cites=with_words(claim, passages)) for claim in claims)
    return Draft(claims, refused, reply.usage, tier=tier)


def _with_pictures(messages: list[Message], pictures: Sequence[bytes]) -> list[Message]:
    if not pictures:
        return messages
    parts: list[Message] = [{"type": "text", "text": messages[-1]["content"]}]
    for picture in pictures:
        url = f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return [*messages[:-1], {**messages[-1], "content": parts}]


__all__ = ["ModelAnswerer", "ModelError", "StoppedError", "draft_from"]
