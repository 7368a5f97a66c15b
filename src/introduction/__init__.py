"""What a reader sees of a new document before asking: a few of its own sentences, and questions it can answer."""

from src.introduction.opening import Excerpt, Introduction, introduce, titled

__all__ = ["Excerpt", "Introduction", "introduce", "titled"]
