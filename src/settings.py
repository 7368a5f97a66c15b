"""Every option of DocEngine, read once from the environment and ``.env``, checked, with its environment name.

A blank or placeholder value means unset. Unknown ``DOCENGINE_`` names are refused, so that a typing mistake does
not silently leave a default in force.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

ROOT = Path(__file__).resolve().parent.parent
PREFIX = "DOCENGINE_"
PLACEHOLDERS = ("your-", "your_", "<", "changeme", "replace-", "sk-...", "sk-xxx")


class SettingsError(Exception):
    """A setting that cannot be used; the message names it, the value it has and what it may be."""


def _env(name: str, default: Any, **limits: Any) -> Any:
    """A field read from ``name`` as it stands in the environment."""
    return Field(default=default, validation_alias=AliasChoices(name), **limits)


class Settings(BaseModel):
    """The options. Each field's alias is its environment name; sizes in MB are 2**20 bytes, times in seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, protected_namespaces=())

    # Reading
    x_tolerance: float = _env("DOCENGINE_X_TOLERANCE", 1.5, gt=0, le=20)
    max_file_mb: int = _env("DOCENGINE_MAX_FILE_MB", 200, ge=1, le=4096)
    max_pages: int = _env("DOCENGINE_MAX_PAGES", 5000, ge=1, le=100_000)
    page_seconds: float = _env("DOCENGINE_PAGE_SECONDS", 20.0, gt=0, le=600)
    load_seconds: float = _env("DOCENGINE_LOAD_SECONDS", 600.0, gt=0, le=86_400)
    worker_memory_mb: int = _env("DOCENGINE_WORKER_MEMORY_MB", 2048, ge=256, le=65_536)
    max_image_megapixels: int = _env("DOCENGINE_MAX_IMAGE_MEGAPIXELS", 60, ge=1, le=1000)
    ocr: Literal["auto", "tesseract", "rapidocr", "off"] = _env("DOCENGINE_OCR", "auto")
    ocr_pages: Literal["needed", "all"] = _env("DOCENGINE_OCR_PAGES", "needed")
    ocr_languages: str = _env("DOCENGINE_OCR_LANGUAGES", "auto")
    ocr_seconds: float = _env("DOCENGINE_OCR_SECONDS", 120.0, gt=0, le=600)
    tables: bool = _env("DOCENGINE_TABLES", True)

    # Chunks
    chunk_mode: Literal["sentence", "paragraph"] = _env("DOCENGINE_CHUNK_MODE", "sentence")
    chunk_chars: int = _env("DOCENGINE_CHUNK_CHARS", 600, ge=100, le=4000)
    chunk_overlap: int = _env("DOCENGINE_CHUNK_OVERLAP", 1, ge=0, le=5)

    # Models
    model_dir: str = _env("DOCENGINE_MODEL_DIR", "")
    model_backend: Literal["onnx", "sentence-transformers", "off"] = _env("DOCENGINE_MODEL_BACKEND", "onnx")
    embedding_model: str = _env("DOCENGINE_EMBEDDING_MODEL", "")
    reranker_model: str = _env("DOCENGINE_RERANKER_MODEL", "")
    threads: int = _env("DOCENGINE_THREADS", 0, ge=0, le=256)

    # Finding
    top_k: int = _env("DOCENGINE_TOP_K", 8, ge=1, le=20)
    fusion: Literal["learned", "rrf"] = _env("DOCENGINE_FUSION", "learned")
    pool: int = _env("DOCENGINE_POOL", 8, ge=1, le=100)
    passage_chars: int = _env("DOCENGINE_PASSAGE_CHARS", 1000, ge=200, le=8000)
    context_tokens: int = _env("DOCENGINE_CONTEXT_TOKENS", 0, ge=0, le=1_000_000)
    similarity_floor: float = _env("DOCENGINE_SIMILARITY_FLOOR", 0.55, ge=0, le=1)
    hnsw_above: int = _env("DOCENGINE_HNSW_ABOVE", 50_000, ge=0)

    # Answering
    openai_api_key: SecretStr | None = _env("OPENAI_API_KEY", None)
    openai_base_url: str = _env("OPENAI_BASE_URL", "")
    model: str = _env("DOCENGINE_MODEL", "gpt-4o-mini")
    answerer: Literal["auto", "extractive", "llm"] = _env("DOCENGINE_ANSWERER", "auto")
    model_seconds: float = _env("DOCENGINE_MODEL_SECONDS", 120.0, gt=0, le=3600)
    model_retries: int = _env("DOCENGINE_MODEL_RETRIES", 2, ge=0, le=10)
    max_answer_tokens: int = _env("DOCENGINE_MAX_ANSWER_TOKENS", 700, ge=16, le=32_000)
    images: Literal["auto", "on", "off"] = _env("DOCENGINE_IMAGES", "off")
    unsupported: Literal["strike", "mark"] = _env("DOCENGINE_UNSUPPORTED", "strike")
    agent: Literal["loop", "direct"] = _env("DOCENGINE_AGENT", "loop")
    query_expansion: bool = _env("DOCENGINE_QUERY_EXPANSION", False)
    agent_retries: int = _env("DOCENGINE_AGENT_RETRIES", 2, ge=0, le=5)
    answer_seconds: float = _env("DOCENGINE_ANSWER_SECONDS", 180.0, gt=0, le=3600)
    web_search: bool = _env("DOCENGINE_WEB_SEARCH", False)
    tavily_api_key: SecretStr | None = _env("TAVILY_API_KEY", None)
    tavily_url: str = _env("TAVILY_URL", "")
    memory_turns: int = _env("DOCENGINE_MEMORY_TURNS", 6, ge=0, le=50)
    cache_minutes: float = _env("DOCENGINE_CACHE_MINUTES", 60.0, ge=0, le=10_080)

    # The service over HTTP
    api_token: SecretStr | None = _env("DOCENGINE_API_TOKEN", None)

    # Cost (US dollars per million tokens)
    price_prompt: float | None = _env("DOCENGINE_PRICE_PROMPT", None, ge=0)
    price_completion: float | None = _env("DOCENGINE_PRICE_COMPLETION", None, ge=0)
    daily_tokens: int = _env("DOCENGINE_DAILY_TOKENS", 1_000_000, ge=0)
    session_usd: float = _env("DOCENGINE_SESSION_USD", 0.0, ge=0)

    # Documents held
    max_documents: int = _env("DOCENGINE_MAX_DOCUMENTS", 20, ge=1, le=1000)
    hold_minutes: float = _env("DOCENGINE_HOLD_MINUTES", 120.0, gt=0, le=43_200)
    hold_mb: int = _env("DOCENGINE_HOLD_MB", 1024, ge=16, le=65_536)

    # Observing
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = _env("DOCENGINE_LOG_LEVEL", "INFO")
    log_text: bool = _env("DOCENGINE_LOG_TEXT", False)
    otlp_endpoint: str = _env("OTEL_EXPORTER_OTLP_ENDPOINT", "")
    otlp_headers: SecretStr | None = _env("OTEL_EXPORTER_OTLP_HEADERS", None)

    @field_validator("openai_base_url", "tavily_url")
    @classmethod
    def _address(cls, value: str) -> str:
        if value and not value.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return value.rstrip("/")

    @property
    def uses_model(self) -> bool:
        """Whether a language model writes the answers: a key or an address is set, unless switched off."""
        if self.answerer == "extractive":
            return False
        return self.answerer == "llm" or self.openai_api_key is not None or bool(self.openai_base_url)


def environment_names() -> dict[str, str]:
    """Field name -> environment name, for documentation and its test."""
    names = {}
    for name, info in Settings.model_fields.items():
        assert isinstance(info.validation_alias, AliasChoices)
        names[name] = str(info.validation_alias.choices[0])
    return names


def read_settings(environ: dict[str, str] | None = None, env_file: Path | None = ROOT / ".env") -> Settings:
    """Settings from ``environ`` (default: the process environment) over ``env_file``.

    Raises SettingsError with one sentence that names the setting, its value and what it may be.
    """
    from_file = dotenv_values(env_file) if env_file and env_file.is_file() else {}
    merged = {k: v for k, v in from_file.items() if v is not None} | dict(
        os.environ if environ is None else environ
    )
    known = set(environment_names().values())
    unknown = sorted(k for k in merged if k.startswith(PREFIX) and k not in known and k != "DOCENGINE_CORPUS")
    if unknown:
        raise SettingsError(f"Unknown setting {unknown[0]}: see .env.example for the names there are.")
    values = {k: v.strip() for k, v in merged.items() if k in known and _is_set(v)}
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        shown = "(secret)" if name.endswith(("KEY", "TOKEN", "HEADERS")) else repr(values.get(name))
        raise SettingsError(f"{name} is {shown}: {first['msg'].removeprefix('Value error, ')}.") from None


def _is_set(value: str) -> bool:
    text = value.strip().lower()
    return bool(text) and not text.startswith(PLACEHOLDERS)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings, read at the first call."""
    return read_settings()
