"""Drafts become answers: every claim is looked up on the pages it cites."""

from src.citations.checking import check

__all__ = ["check"]
