"""A model that looks into the document itself: search(query) and read_page(n), within limits."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from src.agent.run import Run
from src.answerer.client import CapReachedError, ModelError, Reply, StoppedError, ToolCall
from src.answerer.llm import ModelAnswerer, draft_from
from src.answerer.prompts import Message, answer_messages, fenced
from src.index import DocumentIndex
from src.records import Draft, Json, Passage, Usage
from src.retriever import retrieve
from src.summary import page_passages

MOST_CALLS = 5
MOST_PASSAGES = 24
SEARCH_PASSAGES = 4
MOST_TOKENS = 24_000
SECONDS = 60.0

TOOLS: tuple[Json, ...] = (
    {
        "type": "function",
        "function": {
            "name": "search",
            "description": "Find passages of the document by keywords or a question.",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}},
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "read_page",
            "description": "Read a page of the document by its number.",
            "parameters": {
                "type": "object",
                "properties": {"n": {"type": "integer"}},
                "required": ["n"],
            },
        },
    },
)


def draft_with_tools(
    run: Run, question: str, passages: Sequence[Passage], indexes: Sequence[DocumentIndex]
) -> tuple[Draft, tuple[Passage, ...]] | None:
    """A draft after the model looked by itself, with all passages it was shown; None when it called no tool."""
    model = run.model
    if model is None or not model.client.takes_tools:
        return None
    shown = list(passages)
    messages: list[Message] = answer_messages(question, model.shown(shown, question), tools=True)
    usage, calls = Usage(), 0
    end = min(run.model_deadline, time.monotonic() + SECONDS)
    with run.step("tools", "Letting the model search") as say:
        try:
            while True:
                over = calls >= MOST_CALLS or usage.prompt_tokens > MOST_TOKENS
                reply = model.client.complete(
                    messages,
                    cancel=run.cancel,
                    deadline=end,
                    session=run.request.session,
                    tools=() if over else TOOLS,
                )
                usage += reply.usage
                if not reply.tool_calls or over:
                    break
                messages.append(_asked(reply))
                for call in reply.tool_calls:
                    calls += 1
                    messages.append(_result(run, model, question, call, shown, indexes))
        except (ModelError, CapReachedError, StoppedError) as error:
            say(getattr(error, "kind", "stopped"))
            run.usage += usage
            return None
        say(f"{calls} calls, {len(shown) - len(passages)} further passages")
    run.usage += usage
    if not calls:
        return None
    return draft_from(reply, shown, tier="loop"), tuple(shown)


def _asked(reply: Reply) -> Message:
    return {
        "role": "assistant",
        "content": reply.text or None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ],
    }


def _result(
    run: Run,
    model: ModelAnswerer,
    question: str,
    call: ToolCall,
    shown: list[Passage],
    indexes: Sequence[DocumentIndex],
) -> Message:
    """What a tool call brings: new passages, numbered on from those already shown."""
    room = MOST_PASSAGES - len(shown)
    try:
        arguments: Any = json.loads(call.arguments or "{}")
    except ValueError:
        arguments = {}
    found: Sequence[Passage] = ()
    if not isinstance(arguments, dict):
        arguments = {}
    if call.name == "search" and isinstance(arguments.get("query"), str) and room > 0:
        query = arguments["query"][:300]
        found = run.wait(
            lambda: retrieve(query, indexes, run.engine.models, run.settings, k=SEARCH_PASSAGES)
        ).passages
    elif call.name == "read_page" and str(arguments.get("n", "")).isdigit() and room > 0:
        page = int(arguments["n"])
        found = [p for index in indexes for p in page_passages(index, page)]
    known = {(p.document_id, p.spans) for p in shown}
    new = [p for p in found if (p.document_id, p.spans) not in known][: max(room, 0)]
    first = len(shown) + 1
    shown.extend(new)
    content = fenced(model.shown(new, question), first=first) if new else "Nothing new was found."
    return {"role": "tool", "tool_call_id": call.id, "content": content}
