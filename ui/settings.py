"""What the environment decides: places, limits and secrets, read once where a command begins.

Every variable begins with `RELNOTES_`. A command-line option that was given wins over its variable.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import platformdirs
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from corpus.errors import UsageError
from corpus.store_choice import StoreChoice

_APP = "relnotes"


def _default_index() -> Path:
    return platformdirs.user_data_path(_APP, appauthor=False) / "index"


def _default_cache_dir() -> Path:
    return platformdirs.user_cache_path(_APP, appauthor=False)


class IndexSettings(BaseSettings):
    """The settings that every command reads; `load_settings` is the way to get them."""

    model_config = SettingsConfigDict(env_prefix="RELNOTES_", env_ignore_empty=True, frozen=True, extra="ignore")

    index: Path = Field(default_factory=_default_index)
    """Directory of the index."""
    cache_dir: Path = Field(default_factory=_default_cache_dir)
    """Where every cache goes: vectors, exported models, the page's temporary files."""
    model: str | None = None
    """A sentence-transformers model by name or folder; None: the built-in model."""
    reranker: str | None = None
    """A cross-encoder by name or folder; None: passages are ranked without one."""


class FetchingSettings(IndexSettings):
    """And those of the commands that fetch sources: `ingest` and `sync`."""

    allow_private_hosts: str = ""
    """Hosts that may be private, as `host` or `host:port`, separated by commas."""
    github_api_url: str = "https://api.github.com"
    """Where GitHub's REST API is served: GitHub Enterprise has it at `https://HOST/api/v3`."""
    github_token: Annotated[SecretStr | None, Field(validation_alias="GITHUB_TOKEN")] = None
    """What GitHub is asked with."""
    store: str | None = None
    """What shall search the index: `embedded`, or the address of a Milvus; None: what searches it now."""

    @property
    def store_choice(self) -> StoreChoice | None:
        """`store`, read.

        Raises:
            UsageError: it is no store's address.
        """
        return StoreChoice.parse(self.store) if self.store else None


class AskingSettings(IndexSettings):
    """And those of the commands that answer questions; `retrieval.llm` is what they are for."""

    llm_base_url: str | None = None
    """An OpenAI-compatible endpoint that words answers; None: answers are extracts."""
    llm_model: str | None = None
    """The model to name there; goes with `llm_base_url`."""
    llm_api_key: SecretStr | None = None
    """What that endpoint wants as a bearer token, if anything."""
    llm_timeout_s: Annotated[float, Field(gt=0, le=300)] = 20.0
    """Seconds after which an answer goes out without it."""


class Settings(AskingSettings):
    """All settings, as `serve` needs them: what it alone reads can't stop another command."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 7860
    """TCP port; 0 picks a free one."""
    token: SecretStr | None = None
    """A token that opens everything; it or a tokens file is needed for any address but loopback."""
    tokens_file: Path | None = None
    """More tokens, each with its scopes, as digests; `ui.tokens` tells the form."""
    max_questions: Annotated[int, Field(ge=1, le=256)] = 8
    """Questions answered at once."""
    max_waiting: Annotated[int, Field(ge=0, le=1024)] = 64
    """Questions that wait for a place; one more is refused with 503."""
    question_timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """Seconds after which a question is given up, waiting included."""
    log_questions: bool = False
    """Whether the server's log tells the questions, and those without an answer are kept beside the index."""


_Kind = TypeVar("_Kind", bound=IndexSettings)


def load_settings(**given: str | Path | None) -> IndexSettings:
    """Read the settings of the index from the environment; those of `given` that aren't None win.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    return _load(IndexSettings, given)


def load_fetching_settings(**given: str | Path | None) -> FetchingSettings:
    """Read the settings for fetching sources likewise.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    return _load(FetchingSettings, given)


def load_asking_settings(**given: str | Path | None) -> AskingSettings:
    """Read the settings for answering questions likewise.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    return _load(AskingSettings, given)


def load_server_settings(**given: str | int | Path | None) -> Settings:
    """Read all settings likewise.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    return _load(Settings, given)


def _load(kind: type[_Kind], given: Mapping[str, str | int | Path | None]) -> _Kind:
    stated = {name: value for name, value in given.items() if value is not None}
    try:
        return kind(**stated)  # type: ignore[arg-type]  # pydantic checks what mypy can't see here
    except ValidationError as error:
        # The value itself is left out: one of them is a secret.
        faults = "; ".join(f"RELNOTES_{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors())
        raise UsageError(
            f"Cannot use the settings: {faults}. Correct them in the environment or the options."
        ) from None
