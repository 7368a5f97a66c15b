"""What is kept of each answer for whoever runs the app: a line of JSON in the log, spans where an endpoint is set.

Neither holds text of a document, a question or an answer unless ``settings.log_text`` asks for it.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from src.records import Answer, Json, Step
from src.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

log = logging.getLogger("docengine.answers")

INSTALL = "pip install -r requirements-extras.txt"
_telling = threading.Lock()


def trace(answer: Answer, timeline: Sequence[tuple[Step, float]], settings: Settings) -> None:
    """Log ``answer`` and, where an OTLP endpoint is set, send it as spans.

    ``timeline`` holds each step with the ``time.time()`` at which it ended.
    """
    log.info("%s", json.dumps(trace_record(answer, settings), ensure_ascii=False))
    if settings.otlp_endpoint:
        with _telling:
            headers = settings.otlp_headers.get_secret_value() if settings.otlp_headers else ""
            tracer = _tracer(settings.otlp_endpoint, headers)
        if tracer is not None:
            _send(tracer, answer, timeline, settings)


def trace_record(answer: Answer, settings: Settings) -> Json:
    """What the log keeps of an answer."""
    record: Json = {
        "event": "answer",
        "status": answer.status,
        "support": answer.support.value,
        "route": answer.route,
        "tier": answer.tier,
        "cached": answer.cached,
        "stopped": answer.stopped,
        "ms": answer.ms,
        "documents": [document_id[:12] for document_id, _ in answer.snapshots],
        "passages": len(answer.passages),
        "citations": [{"pages": list(c.pages), "verified": c.verified} for c in answer.citations],
        "struck": answer.struck,
        "notices": len(answer.notices),
        "usage": {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "calls": answer.usage.calls,
            "cost": answer.usage.cost,
            "estimated": answer.usage.estimated,
        },
        "steps": [{"name": s.name, "detail": s.detail, "ms": s.ms} for s in answer.steps],
    }
    if settings.log_text:
        record |= {
            "question": answer.question,
            "standalone": answer.standalone,
            "answer": answer.text,
            "quotes": [c.quote for c in answer.citations],
            "notice_texts": list(answer.notices),
        }
    return record


@lru_cache(maxsize=4)
def _tracer(endpoint: str, headers: str) -> Tracer | None:
    """The process's tracer for ``endpoint``; None, said once in the log, when the packages are missing.

    ``headers`` is OpenTelemetry's own notation, ``name=value,name=value`` with percent escapes.
    """
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
        from opentelemetry.util.re import parse_env_headers
    except ImportError:
        log.warning("OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for it are missing: %s", INSTALL)
        return None
    provider = TracerProvider(resource=Resource.create({"service.name": "docengine"}))
    exporter = OTLPSpanExporter(
        endpoint=endpoint.rstrip("/") + "/v1/traces",
        headers=parse_env_headers(headers, liberal=True),
        timeout=5,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1000))
    return provider.get_tracer("docengine")


def _send(tracer: Tracer, answer: Answer, timeline: Sequence[tuple[Step, float]], settings: Settings) -> None:
    from opentelemetry import trace as otel

    end = time.time()
    root = tracer.start_span("answer", start_time=_ns(end - answer.ms / 1000))
    for key, value in _attributes(answer, settings).items():
        root.set_attribute(key, value)
    inside = otel.set_span_in_context(root)
    for step, ended in timeline:
        span = tracer.start_span(step.name, context=inside, start_time=_ns(ended - step.ms / 1000))
        span.set_attribute("docengine.detail", step.detail)
        span.end(end_time=_ns(ended))
    root.end(end_time=_ns(end))


def _attributes(answer: Answer, settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = {
        "docengine.status": answer.status,
        "docengine.support": answer.support.value,
        "docengine.route": answer.route,
        "docengine.tier": answer.tier,
        "docengine.cached": answer.cached,
        "docengine.stopped": answer.stopped,
        "docengine.struck": answer.struck,
        "docengine.citations": len(answer.citations),
    }
    if answer.usage.calls:
        found |= {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": settings.model,
            "gen_ai.usage.input_tokens": answer.usage.prompt_tokens,
            "gen_ai.usage.output_tokens": answer.usage.completion_tokens,
        }
    if settings.log_text:
        found |= {"input.value": answer.standalone or answer.question, "output.value": answer.text}
    return found


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
