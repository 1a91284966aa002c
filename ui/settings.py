"""Settings from environment variables: paths, limits and secrets, read once when a command starts.

They are plain dataclasses, because every command reads some, and importing pydantic takes longer than an answer.
"""

import os
from collections.abc import Callable, Mapping
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


def _number(kind: type[float], above: float, maximum: float, requirement: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = above
        # Written so that "nan", too, is refused.
        if not above < number <= maximum:
            raise ValueError(f"must be {requirement}")
        return number

    return read


def _whole(minimum: int, maximum: int) -> Callable[[str], float]:
    return _number(int, minimum - 1, maximum, f"a whole number from {minimum} to {maximum}")


def _seconds(maximum: float) -> Callable[[str], float]:
    return _number(float, 0, maximum, f"a number over 0, at most {maximum:g}")


def _yes_or_no(text: str) -> bool:
    word = text.strip().lower()
    if word not in _TRUE | _FALSE:
        raise ValueError("must be true or false")
    return word in _TRUE


def _channel_products(text: str) -> Mapping[str, str]:
    pairs = [pair.partition("=") for pair in text.split(",")]
    products = {channel.strip(): product.strip() for channel, _, product in pairs}
    if not all(channel and product for channel, product in products.items()):
        raise ValueError("must be CHANNEL=PRODUCT, several separated by commas")
    return products


def _setting(
    default: Any = None, read: Callable[[str], object] = str, *, variable: str | None = None, is_secret: bool = False
) -> Any:
    """Define a field that `read` parses from a variable's text, or raises ValueError. `variable` is the name of the
    environment variable if it isn't RELNOTES_ and the field's name."""
    return field(default=default, repr=not is_secret, metadata={"read": read, "variable": variable})


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """The settings of every command; loaded by `load_settings`."""

    index: Path = field(
        default_factory=lambda: platformdirs.user_data_path("relnotes", appauthor=False) / "index",
        metadata={"read": Path},
    )
    """Directory of the index."""
    cache_dir: Path = field(default_factory=cache_folder, metadata={"read": Path})
    """Directory of all caches: digests of the model's files, temporary files of the page."""
    model: str | None = _setting()  # A sentence-transformers model by name or folder; None: the built-in model.


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchingSettings(IndexSettings):
    """Settings of the commands that fetch sources: `ingest` and `sync`."""

    allow_private_hosts: str = _setting("")  # Hosts that may be private, as `host` or `host:port`, separated by commas.
    github_api_url: str = _setting("https://api.github.com")
    """Where GitHub's REST API is served: GitHub Enterprise has it at `https://HOST/api/v3`."""
    github_token: str | None = _setting(variable="GITHUB_TOKEN", is_secret=True)  # Sent to GitHub.
    store: str | None = _setting()
    """The store that searches the index: `embedded`, or the address of a Milvus; None: the current one."""

    @property
    def store_choice(self) -> StoreChoice | None:
        """Return `store`, parsed; None if it isn't set.

        Raises:
            UsageError: `store` isn't the address of a store.
        """
        return StoreChoice.parse(self.store) if self.store else None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingSettings(IndexSettings):
    """Settings of the commands that answer questions: the language model of `retrieval.llm`."""

    llm_base_url: str | None = _setting()
    """An OpenAI-compatible endpoint whose model reads the passages found; None: no language model."""
    llm_model: str | None = _setting()  # The name of the model at `llm_base_url`.
    llm_api_key: str | None = _setting(is_secret=True)  # The bearer token of that endpoint, if it needs one.
    llm_timeout_s: float = _setting(20.0, _seconds(300))  # Seconds after which the answer is made without the model.


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(AskingSettings):
    """All settings, for `serve`; other commands don't read its own, so a wrong one can't stop them."""

    host: str = _setting("127.0.0.1")
    port: int = _setting(7860, _whole(0, 65535))  # TCP port; 0 picks a free one.
    token: str | None = _setting(is_secret=True)
    """The token that clients must send; needed for any address but loopback."""
    max_questions: int = _setting(2, _whole(1, 256))  # Questions answered at once.
    max_waiting: int = _setting(64, _whole(0, 1024))  # Questions that wait for a place; one more is refused with 503.
    question_timeout_s: float = _setting(30.0, _seconds(600))
    """Seconds after which a question is given up, waiting included."""
    log_questions: bool = _setting(False, _yes_or_no)  # Whether the server's log contains the questions.

    slack_bot_token: str | None = _setting(variable="SLACK_BOT_TOKEN", is_secret=True)
    """`xoxb-…`: the token of the Slack bot."""
    slack_signing_secret: str | None = _setting(variable="SLACK_SIGNING_SECRET", is_secret=True)
    """The secret that Slack signs its HTTP requests with."""
    slack_app_token: str | None = _setting(variable="SLACK_APP_TOKEN", is_secret=True)
    """`xapp-…`: the token for Socket Mode."""
    slack_api_url: str = _setting("https://slack.com/api/")  # Base address of the Web API.
    slack_products: Mapping[str, str] = field(default_factory=dict, metadata={"read": _channel_products})
    """The product that a Slack channel asks about, by the channel's id; channels without one ask about all."""


_Kind = TypeVar("_Kind", bound=IndexSettings)


def _load(kind: type[_Kind], /, **given: str | int | Path | None) -> _Kind:
    """Read settings from the environment, where empty counts as unset; values in `given` but None override it.

    Raises:
        UsageError: a value is invalid; the message names every wrong variable.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    for setting in fields(kind):
        variable = setting.metadata.get("variable") or f"RELNOTES_{setting.name.upper()}"
        option = given.get(setting.name)
        # An empty variable counts as unset.
        text = str(option) if option is not None else os.environ.get(variable) or None
        if text is None:
            continue
        try:
            values[setting.name] = setting.metadata["read"](text)
        except ValueError as error:
            # The message leaves out the value, which may be a secret.
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
