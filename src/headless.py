"""The pipeline without a page, for scripts and evaluation: read a file to the end, index it in full, show an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from src.chunker import chunk_document
from src.index import DocumentIndex, build_index, embed_index
from src.loader import load
from src.models import Models
from src.records import Answer, Citation, Document, Json, Passage, Progress
from src.settings import Settings


def read_document(
    data: bytes,
    name: str,
    settings: Settings,
    *,
    password: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Document:
    """The last snapshot of a reading: text, tables and OCR. Raises LoadError."""
    (*_, document) = load(data, name, settings, password=password, on_progress=on_progress)
    return document


def full_index(
    document: Document,
    models: Models,
    settings: Settings,
    *,
    on_progress: Callable[[Progress], None] | None = None,
) -> DocumentIndex:
    """The index of ``document`` with all of its sentence vectors."""
    index = build_index(document, chunk_document(document, settings), models, settings)
    for snapshot in embed_index(index, models):
        index = snapshot
        if on_progress:
            on_progress(Progress("vectors", index.embedded, len(index.embeddable)))
    return index


def answer_json(identifier: str, answer: Answer) -> Json:
    """An answer as ``evaluation.benchmark`` and ``scripts/ask.py`` write it; the names are a contract."""
    return {
        "id": identifier,
        "question": answer.question,
        "answer": answer.text,
        "status": answer.status,
        "support": answer.support.value,
        "route": answer.route,
        "tier": answer.tier,
        "cached": answer.cached,
        "citations": [_citation_json(citation) for citation in answer.citations],
        "sentences": [
            {"text": s.text, "citations": list(s.citations), "support": s.support.value, "problem": s.problem}
            for s in answer.sentences
        ],
        "struck": answer.struck,
        "notices": list(answer.notices),
        "ms": round(answer.ms, 1),
        "usage": {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "calls": answer.usage.calls,
            "cost": answer.usage.cost,
            "estimated": answer.usage.estimated,
        },
    }


def _citation_json(citation: Citation) -> Json:
    return {
        "doc": PurePath(citation.document_name).stem,
        "pages": list(citation.pages),
        "page": citation.page,
        "label": citation.label,
        "quote": citation.quote,
        "verified": citation.verified,
        "url": citation.url,
        "boxes": [[box.page, box.x0, box.y0, box.x1, box.y1] for box in citation.boxes],
    }


def passage_json(passage: Passage) -> Json:
    """A passage with its place and how it was found."""
    return {
        "doc": PurePath(passage.document_name).stem,
        "pages": list(passage.pages),
        "labels": list(passage.labels),
        "headings": list(passage.headings),
        "kind": passage.kind,
        "text": passage.text,
        "score": passage.score,
        "keyword_rank": passage.keyword_rank,
        "static_rank": passage.static_rank,
        "semantic_rank": passage.semantic_rank,
        "rerank_score": passage.rerank_score,
    }
