"""What is kept of an answer: no text unless asked for, spans only where an endpoint is set."""

from __future__ import annotations

import json
import logging

import pytest

from src import tracing
from src.records import Answer, Citation, Sentence, Step, Usage
from src.settings import Settings
from src.tracing import trace, trace_record

SECRET = "the merger with Borealis"
ANSWER = Answer(
    f"What about {SECRET}?",
    (Sentence(f"It is {SECRET}.", (1,)),),
    "answered",
    citations=(Citation(1, "abc" * 20, "secret-file.pdf", 0, (4,), "p. 4", SECRET, True),),
    usage=Usage(10, 5, 1, 0.01),
    steps=(Step("retrieve", "8 passages", 12.0),),
    standalone=f"What about {SECRET}?",
    notices=(f"A notice on {SECRET}.",),
    snapshots=(("abc" * 20, 1),),
)


def test_a_line_of_json_without_any_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="docengine.answers"):
        trace(ANSWER, (), Settings())
    (record,) = caplog.records
    assert "Borealis" not in record.getMessage()
    assert "secret-file" not in record.getMessage()
    kept = json.loads(record.getMessage())
    assert kept["status"] == "answered"
    assert kept["steps"] == [{"name": "retrieve", "detail": "8 passages", "ms": 12.0}]
    assert kept["citations"] == [{"pages": [4], "verified": True}]
    assert kept["usage"]["cost"] == 0.01


def test_text_when_asked_for() -> None:
    kept = trace_record(ANSWER, Settings(log_text=True))
    assert kept["question"] == ANSWER.question
    assert kept["quotes"] == [SECRET]


def test_missing_packages_are_named_once_with_their_command(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    tracing._tracer.cache_clear()
    options = Settings(otlp_endpoint="http://127.0.0.1:9")
    with caplog.at_level(logging.WARNING, logger="docengine.answers"):
        trace(ANSWER, (), options)
        trace(ANSWER, (), options)
    tracing._tracer.cache_clear()
    assert [r.getMessage() for r in caplog.records].count(
        f"OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for it are missing: {tracing.INSTALL}"
    ) == 1
