"""A reply while it comes in, in pieces or whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from src.records import Json, Usage


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model asks for; ``arguments`` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call brought. ``finish`` is the server's finish reason, "" when it named none."""

    text: str
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = ""


@dataclass(slots=True)
class Collected:
    """A reply while it comes in."""

    text: list[str] = field(default_factory=list)
    thought: int = 0
    tools: dict[int, list[str]] = field(default_factory=dict)
    usage: Usage | None = None
    finish: str = ""

    def reply(self, usage: Usage) -> Reply:
        """What has come so far, as a reply."""
        calls = tuple(ToolCall(*parts) for _, parts in sorted(self.tools.items()) if parts[1])
        return Reply("".join(self.text), usage, calls, self.finish)


def take_chunk(chunk: Any, collected: Collected) -> bool:
    """Add a stream chunk; True when the text grew."""
    _take_usage(getattr(chunk, "usage", None), collected)
    grew = False
    for choice in getattr(chunk, "choices", None) or ():
        collected.finish = choice.finish_reason or collected.finish
        delta = choice.delta
        if delta is None:
            continue
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        if isinstance(thought, str):
            collected.thought += len(thought)
        if delta.content:
            collected.text.append(delta.content)
            grew = True
        for call in delta.tool_calls or ():
            parts = collected.tools.setdefault(call.index or 0, ["", "", ""])
            parts[0] = call.id or parts[0]
            if call.function is not None:
                parts[1] = call.function.name or parts[1]
                parts[2] += call.function.arguments or ""
    return grew


def take_whole(body: Json, collected: Collected) -> None:
    """Add a completion that came in one piece."""
    choice = body["choices"][0]
    message = choice["message"]
    collected.finish = choice.get("finish_reason") or ""
    if message.get("content"):
        collected.text.append(str(message["content"]))
    for i, call in enumerate(message.get("tool_calls") or ()):
        function = call["function"]
        collected.tools[i] = [
            call.get("id") or f"call-{i}",
            function["name"],
            function.get("arguments") or "",
        ]
    usage = body.get("usage")
    if isinstance(usage, dict):
        collected.usage = Usage(
            int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0), 1
        )


def _take_usage(usage: Any, collected: Collected) -> None:
    if usage is not None and (usage.prompt_tokens or usage.completion_tokens):
        collected.usage = Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, 1)
