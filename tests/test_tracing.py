"""What is kept of an answer: no text unless asked for, spans only where an endpoint is set."""

from __future__ import annotations

import json
import logging
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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


def test_spans_reach_a_collector_with_its_headers_and_without_text() -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    posted: list[tuple[str, str | None, bytes]] = []
    arrived = threading.Event()

    class Collector(BaseHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            posted.append((self.path, self.headers["authorization"], body))
            self.send_response(200)
            self.end_headers()
            arrived.set()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        options = Settings(
            otlp_endpoint=f"http://127.0.0.1:{server.server_port}/otel/",
            otlp_headers="Authorization=Basic%20abc",  # type: ignore[arg-type]
        )
        trace(ANSWER, ((ANSWER.steps[0], time.time()),), options)
        assert arrived.wait(20)
    finally:
        server.shutdown()
        server.server_close()
    ((path, authorization, body),) = posted
    assert (path, authorization) == ("/otel/v1/traces", "Basic abc")
    assert b"Borealis" not in body
    spans = ExportTraceServiceRequest.FromString(body).resource_spans[0].scope_spans[0].spans
    step, root = sorted(spans, key=lambda span: span.name == "answer")
    assert (root.name, step.name, step.parent_span_id) == ("answer", "retrieve", root.span_id)
    kept = {a.key: a.value for a in root.attributes}
    assert kept["gen_ai.usage.input_tokens"].int_value == 10
