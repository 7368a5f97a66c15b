"""Failures of a model call, each as one sentence for the reader."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import openai


class ModelError(Exception):
    """A call that brought no answer; ``message`` says why in one sentence, ``kind`` in one word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class RefusedParameterError(Exception):
    """The server takes the request but for a parameter; ``said`` is its message."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class AgainError(Exception):
    """A failure worth another try after ``wait`` seconds (None: back off)."""

    def __init__(self, error: ModelError, wait: float | None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


@dataclass(frozen=True, slots=True)
class Failures:
    """Tells what went wrong at ``host`` (as messages name it), ``address`` and ``model``; ``silence`` in seconds."""

    host: str
    address: str
    model: str
    silence: float

    def status_error(self, error: openai.APIStatusError) -> Exception:
        """What an HTTP error means: a ModelError, an AgainError or a RefusedParameterError."""
        status, said = error.status_code, _server_words(error)
        low = f"{said} {error.code or ''}".lower()
        if "html" in error.response.headers.get("content-type", "") and status not in (429, 502, 503, 504):
            return ModelError("wrong_path", self.wrong_path())
        if status in (401, 403):
            return ModelError("bad_key", f"{self.host} refused the key (OPENAI_API_KEY).")
        if status == 404:
            if "model" in low:
                return ModelError(
                    "unknown_model",
                    f"{self.host} does not know the model {self.model!r} (DOCENGINE_MODEL).",
                )
            return ModelError("wrong_path", self.wrong_path())
        if status == 429:
            if "quota" in low or "billing" in low or "credit" in low:
                return ModelError("no_credit", f"The account of this key at {self.host} has no credit left.")
            limit = ModelError("rate_limit", f"{self.host} is limiting requests at the moment.")
            return AgainError(limit, _retry_after(error))
        if status >= 500 or status in (408, 409):
            return AgainError(ModelError("server", f"{self.host} answered with error {status}."), None)
        if "context" in low and ("length" in low or "window" in low or "exceed" in low):
            return ModelError("context", f"The passages are too long for the model {self.model!r}.")
        if "content" in low and ("filter" in low or "policy" in low):
            return ModelError("filtered", f"The content filter of {self.host} refused the question.")
        if "model" in low and ("not exist" in low or "not found" in low or "unknown" in low):
            return ModelError(
                "unknown_model",
                f"{self.host} does not know the model {self.model!r} (DOCENGINE_MODEL).",
            )
        return RefusedParameterError(said)

    def connection_error(self, error: Exception, begun: bool) -> Exception:
        """Why no connection came about, or, when the answer had ``begun``, why it ended."""
        causes = list(_causes(error))
        names = " ".join(f"{type(cause).__name__} {cause}" for cause in causes).lower()
        if "wrong_version_number" in names or "record layer failure" in names:
            return ModelError(
                "wrong_path", f"{self.host} does not speak https: begin OPENAI_BASE_URL with http:// instead."
            )
        if any(isinstance(c, ssl.SSLError) for c in causes) or "certificate" in names or "ssl" in names:
            return ModelError(
                "certificate",
                f"The certificate of {self.host} is not trusted here; name the authority's file in SSL_CERT_FILE.",
            )
        if begun:
            return self.broken()
        if "name or service" in names or "getaddrinfo" in names or "name resolution" in names:
            return AgainError(
                ModelError(
                    "no_network", f"{self.host} could not be found: no network, or a wrong OPENAI_BASE_URL."
                ),
                None,
            )
        return AgainError(
            ModelError(
                "no_network", f"{self.host} cannot be reached: no network, or the server is not running."
            ),
            None,
        )

    def broken(self) -> ModelError:
        """The connection ended before the answer did."""
        return ModelError("broken", f"The connection to {self.host} broke off in the middle of the answer.")

    def silent(self) -> str:
        """Nothing came for as long as the settings allow."""
        return (
            f"The model at {self.host} was too slow: it was silent for {self.silence:g} seconds "
            "(whoever runs this app can give it more with DOCENGINE_MODEL_SECONDS and DOCENGINE_ANSWER_SECONDS)."
        )

    def wrong_path(self) -> str:
        """Something else than a model answered."""
        return (
            f"{self.address} does not speak the OpenAI protocol (OPENAI_BASE_URL; it most often ends in /v1)."
        )

    def said_by(self, what: str, words: str) -> str:
        """The server's own words, cut short."""
        words = " ".join(words.split())[:160]
        return f"{self.host} {what}: {words}" if words else f"{self.host} {what}."


def _server_words(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        words = inner.get("message") if isinstance(inner, dict) else inner
        return str(words or body.get("detail") or "")
    return ""


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    step: BaseException | None = error
    while step is not None and len(found) < 10:
        found.append(step)
        step = step.__cause__ or step.__context__
    return found
