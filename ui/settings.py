"""What the environment decides: places, limits and secrets, read once where a command begins.

Plain dataclasses: every command reads some of these first, and pydantic alone takes longer to import than an answer.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import platformdirs

from corpus.cache_folder import cache_folder
from corpus.errors import UsageError
from corpus.stores.choice import StoreChoice

_TRUE = frozenset({"1", "true", "t", "yes", "y", "on"})
_FALSE = frozenset({"0", "false", "f", "no", "n", "off"})


def _number(kind: type[float], over: float, most: float, requirement: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = over
        # So that "nan", too, is outside.
        if not over < number <= most:
            raise ValueError(f"must be {requirement}")
        return number

    return read


def _whole(least: int, most: int) -> Callable[[str], float]:
    return _number(int, least - 1, most, f"a whole number from {least} to {most}")


def _seconds(most: float) -> Callable[[str], float]:
    return _number(float, 0, most, f"a number over 0, at most {most:g}")


def _yes_or_no(text: str) -> bool:
    word = text.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("must be true or false")
    return word in _TRUE


def _setting(
    default: Any = None, read: Callable[[str], object] = str, *, variable: str | None = None, is_secret: bool = False
) -> Any:
    """A field that `read` makes from a text, or raises ValueError; of `variable` where that isn't its own name."""
    return field(default=default, repr=not is_secret, metadata={"read": read, "variable": variable})


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """The settings that every command reads; `load_settings` is the way to get them."""

    index: Path = field(
        default_factory=lambda: platformdirs.user_data_path("relnotes", appauthor=False) / "index",
        metadata={"read": Path},
    )
    """Directory of the index."""
    cache_dir: Path = field(default_factory=cache_folder, metadata={"read": Path})
    """Where every cache goes: vectors, the page's temporary files."""
    model: str | None = _setting()  # A sentence-transformers model by name or folder; None: the built-in model.


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchingSettings(IndexSettings):
    """And those of the commands that fetch sources: `ingest` and `sync`."""

    allow_private_hosts: str = _setting("")  # Hosts that may be private, as `host` or `host:port`, separated by commas.
    github_api_url: str = _setting("https://api.github.com")
    """Where GitHub's REST API is served: GitHub Enterprise has it at `https://HOST/api/v3`."""
    github_token: str | None = _setting(variable="GITHUB_TOKEN", is_secret=True)  # What GitHub is asked with.
    store: str | None = _setting()
    """What shall search the index: `embedded`, or the address of a Milvus; None: what searches it now."""

    @property
    def store_choice(self) -> StoreChoice | None:
        """`store`, read.

        Raises:
            UsageError: it is no store's address.
        """
        return StoreChoice.parse(self.store) if self.store else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingSettings(IndexSettings):
    """And those of the commands that answer questions; `retrieval.llm` is what they are for."""

    llm_base_url: str | None = _setting()
    """An OpenAI-compatible endpoint whose model reads what is found; None: none does."""
    llm_model: str | None = _setting()  # The model to name there; goes with `llm_base_url`.
    llm_api_key: str | None = _setting(is_secret=True)  # What that endpoint wants as a bearer token, if anything.
    llm_timeout_s: float = _setting(20.0, _seconds(300))  # Seconds after which an answer goes out without it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(AskingSettings):
    """All settings, as `serve` needs them: what it alone reads can't stop another command."""

    host: str = _setting("127.0.0.1")
    port: int = _setting(7860, _whole(0, 65535))  # TCP port; 0 picks a free one.
    token: str | None = _setting(is_secret=True)
    """What clients must present; it or a file of tokens is needed for any address but loopback."""
    tokens_file: Path | None = field(default=None, metadata={"read": Path})
    """More tokens, a line `NAME TOKEN` each; the log tells whose was used."""
    max_questions: int = _setting(4, _whole(1, 256))  # Questions answered at once.
    max_waiting: int = _setting(64, _whole(0, 1024))  # Questions that wait for a place; one more is refused with 503.
    question_timeout_s: float = _setting(30.0, _seconds(600))
    """Seconds after which a question is given up, waiting included."""
    log_questions: bool = _setting(False, _yes_or_no)  # Whether the server's log tells the questions.
    keep_days: int = _setting(90, _whole(1, 3650))  # Days after which verdicts are deleted.

    slack_bot_token: str | None = _setting(variable="SLACK_BOT_TOKEN", is_secret=True)
    """`xoxb-…`: what the Slack bot speaks with."""
    slack_signing_secret: str | None = _setting(variable="SLACK_SIGNING_SECRET", is_secret=True)
    """What Slack signs its HTTP requests with."""
    slack_app_token: str | None = _setting(variable="SLACK_APP_TOKEN", is_secret=True)
    """`xapp-…`: what opens Socket Mode."""
    slack_api_url: str = _setting("https://slack.com/api/")  # Base address of the Web API.
    slack_channels: Path | None = field(default=None, metadata={"read": Path})
    """A TOML file that says what each channel sees; None: every channel sees everything."""
    slack_log_questions: bool = _setting(False, _yes_or_no)
    """Whether feedback from Slack is stored with the question it is about."""


_Kind = TypeVar("_Kind", bound=IndexSettings)


def _load(kind: type[_Kind], /, **given: str | int | Path | None) -> _Kind:
    """Read settings from the environment; those of `given` that aren't None win.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    for setting in fields(kind):
        variable = setting.metadata.get("variable") or f"RELNOTES_{setting.name.upper()}"
        stated = given.get(setting.name)
        # A variable that is empty is as good as none.
        text = str(stated) if stated is not None else os.environ.get(variable) or None
        if text is None:
            continue
        try:
            values[setting.name] = setting.metadata["read"](text)
        except ValueError as error:
            # The value itself is left out: one of them is a secret.
            faults.append(f"{variable}: {error}")
    if faults:
        raise UsageError(
            f"Cannot use the settings: {'; '.join(faults)}. Correct them in the environment or the options."
        )
    return kind(**values)


load_settings = partial(_load, IndexSettings)
load_fetching_settings = partial(_load, FetchingSettings)
load_asking_settings = partial(_load, AskingSettings)
load_server_settings = partial(_load, Settings)
