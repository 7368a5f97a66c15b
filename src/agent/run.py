"""One answer while it is being made: its steps, its clock and the reader's stop button."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from src.agent.engine import Activity, Engine, OnEvent, PartialText, Request
from src.agent.pictures import page_pictures
from src.answerer.llm import ModelAnswerer
from src.records import Answer, Document, Passage, Sentence, Step, Usage

T = TypeVar("T")

POLL_SECONDS = 0.05
CHECK_SECONDS = 5.0  # kept back for the check and the extractive answer when the model has used its time
STOPPED_CHECK_SECONDS = 0.35  # what the check of a stopped answer may take, so that stop is felt at once


class StoppedError(Exception):
    """The reader pressed stop."""


class OutOfTimeError(Exception):
    """``settings.answer_seconds`` have passed."""


class Run:
    """State of one answer; used by one thread."""

    def __init__(
        self, request: Request, engine: Engine, on_event: OnEvent | None, cancel: threading.Event | None
    ) -> None:
        self.request = request
        self.engine = engine
        self.settings = engine.settings
        self.documents: dict[str, Document] = {i.document.id: i.document for i in request.indexes}
        self.cancel = cancel or threading.Event()
        self.model: ModelAnswerer | None = engine.model
        self.usage = Usage()
        self.notices: list[str] = []
        self._on_event = on_event
        self.timeline: list[tuple[Step, float]] = []  # each step with the time at which it ended
        self._started = time.monotonic()
        self.deadline = self._started + self.settings.answer_seconds

    @property
    def model_deadline(self) -> float:
        """Until when a model call may run, so that an answer can still be given without it."""
        return self.deadline - min(CHECK_SECONDS, self.settings.answer_seconds / 3)

    @property
    def model_tier(self) -> str:
        """The tier of what the model writes."""
        return self.settings.agent

    def give_up_model(self, reason: str) -> None:
        """Go on without the model; ``reason`` is kept for the reader."""
        self.model = None
        self.notice(reason)

    @contextmanager
    def step(self, name: str, activity: str = "") -> Iterator[Callable[[str], None]]:
        """Times a step; the yielded function sets its detail. The step is told and kept however it ends."""
        detail: list[str] = [""]
        if activity and self._on_event:
            self._on_event(Activity(activity))
        started = time.monotonic()
        try:
            yield lambda text: detail.__setitem__(0, text)
        finally:
            self.add(Step(name, detail[0], round((time.monotonic() - started) * 1000, 1)))

    def add(self, step: Step) -> None:
        """Tell and keep a step."""
        self.timeline.append((step, time.time()))
        if self._on_event:
            self._on_event(step)

    def show(self, text: str) -> None:
        """Tell the reader the answer as far as it is written."""
        if self._on_event:
            self._on_event(PartialText(text))

    def notice(self, sentence: str) -> None:
        """Keep a sentence for the reader, once."""
        if sentence and sentence not in self.notices:
            self.notices.append(sentence)

    def pictures(self, passages: Sequence[Passage]) -> tuple[bytes, ...]:
        """JPEGs of the pages that ``passages`` stand on, as the settings want them; few, and small."""
        model = self.model
        if model is None or not model.client.takes_images or self.request.source is None:
            return ()
        with self.step("pictures", "Drawing pages") as say:
            found = page_pictures(passages, self.request.source, self.settings, self.wait)
            say(f"{len(found)} pages")
        return found

    def wait(self, work: Callable[[], T]) -> T:
        """``work()`` on a thread of its own, left behind when the reader stops or the time is over.

        Models run for some hundred milliseconds inside native code that cannot be interrupted; the answer does not
        wait for them. Errors of ``work`` are raised here.
        """
        self.check_time()
        return self._watched(work, self.check_time)

    def finish(self, work: Callable[[], T]) -> T:
        """Like ``wait``, for the last step: after a stop it still gets a moment, so that what there is is checked."""
        stopped_at: list[float] = []

        def watch() -> None:
            if self.cancel.is_set():
                stopped_at.append(time.monotonic())
                if time.monotonic() - stopped_at[0] > STOPPED_CHECK_SECONDS:
                    raise StoppedError
            elif time.monotonic() >= self.deadline + CHECK_SECONDS:
                raise OutOfTimeError

        return self._watched(work, watch)

    def _watched(self, work: Callable[[], T], watch: Callable[[], None]) -> T:
        results: list[T] = []
        errors: list[BaseException] = []

        def body() -> None:
            try:
                results.append(work())
            except BaseException as error:  # noqa: BLE001 - raised again below, in the caller's thread
                errors.append(error)

        thread = threading.Thread(target=body, name="answer-step", daemon=True)
        thread.start()
        while thread.is_alive():
            thread.join(POLL_SECONDS)
            if thread.is_alive():
                watch()
        if errors:
            raise errors[0]
        return results[0]

    def check_time(self) -> None:
        """Raises StoppedError or OutOfTimeError when it is time to end."""
        if self.cancel.is_set():
            raise StoppedError
        if time.monotonic() >= self.deadline:
            raise OutOfTimeError

    @property
    def out_of_time(self) -> bool:
        """Whether another round would pass the deadline."""
        return time.monotonic() >= self.model_deadline

    def close(self, answer: Answer, standalone: str, *, stopped: bool = False) -> Answer:
        """``answer`` with what the run knows: steps, usage, notices, time, snapshots."""
        return replace(
            answer,
            question=self.request.question,
            standalone=standalone,
            steps=tuple(step for step, _ in self.timeline),
            usage=self.usage,
            notices=tuple(dict.fromkeys((*answer.notices, *self.notices))),
            ms=round((time.monotonic() - self._started) * 1000, 1),
            stopped=stopped,
            snapshots=tuple(sorted((d.id, d.revision) for d in self.documents.values())),
        )

    def plain(self, text: str, *, route: str = "document", status: str = "not_found") -> Answer:
        """An answer of one sentence that cites nothing."""
        return Answer(self.request.question, (Sentence(text),), status, route=route)
