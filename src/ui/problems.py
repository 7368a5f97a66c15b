"""Unexpected errors: logged with an id, and shown as one sentence with the same id."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

log = logging.getLogger(__name__)
P = ParamSpec("P")


def incident() -> str:
    """A new id under which an error is logged and shown."""
    return uuid.uuid4().hex[:8]


def guarded(action: Callable[P, object]) -> Callable[P, None]:
    """A widget's callback that ends in one sentence when it fails: Streamlit runs callbacks before the page's own code."""

    @wraps(action)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            action(*args, **kwargs)
        except Exception:
            id = incident()
            log.exception("the action %s ended unexpectedly (incident %s)", action.__name__, id)
            st.session_state["problem"] = f"That did not work (error {id}). Please try again."

    return run
