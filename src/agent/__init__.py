"""The way from a question to a checked answer: ``answer(request, engine)``."""

from src.agent.engine import Activity, Engine, Event, OnEvent, PartialText, Request, make_engine
from src.agent.flow import answer
from src.agent.limit import within_limit

__all__ = [
    "Activity",
    "Engine",
    "Event",
    "OnEvent",
    "PartialText",
    "Request",
    "answer",
    "make_engine",
    "within_limit",
]
