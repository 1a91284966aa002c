"""What the environment decides about Slack: its tokens, under the names Slack gives them, and our own settings."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from corpus.errors import UsageError

SLACK_API_URL = "https://slack.com/api/"


class SlackSettings(BaseSettings):
    """The settings of the Slack bot; `load_slack_settings` is the way to get them."""

    model_config = SettingsConfigDict(env_ignore_empty=True, frozen=True, extra="ignore", populate_by_name=True)

    bot_token: Annotated[SecretStr | None, Field(alias="SLACK_BOT_TOKEN")] = None
    """`xoxb-…`: what the bot speaks with."""
    signing_secret: Annotated[SecretStr | None, Field(alias="SLACK_SIGNING_SECRET")] = None
    """What Slack signs its HTTP requests with."""
    app_token: Annotated[SecretStr | None, Field(alias="SLACK_APP_TOKEN")] = None
    """`xapp-…`: what opens Socket Mode."""
    api_url: Annotated[str, Field(alias="RELNOTES_SLACK_API_URL")] = SLACK_API_URL
    """Base address of the Web API."""
    channels: Annotated[Path | None, Field(alias="RELNOTES_SLACK_CHANNELS")] = None
    """A TOML file that says what each channel sees; None: every channel sees everything."""
    folder: Annotated[Path | None, Field(alias="RELNOTES_SLACK_DIR")] = None
    """Where the bot remembers events and feedback; None: `slack` in the index."""
    workers: Annotated[int, Field(alias="RELNOTES_SLACK_WORKERS", ge=1, le=64)] = 4
    """Requests from Slack that are worked on at once; the others wait."""
    log_questions: Annotated[bool, Field(alias="RELNOTES_SLACK_LOG_QUESTIONS")] = False
    """Whether feedback is stored with the question it is about."""


def load_slack_settings(**given: object) -> SlackSettings:
    """Read the settings from the environment; those of `given` win.

    Raises:
        UsageError: a value doesn't fit; the message names every wrong variable.
    """
    try:
        return SlackSettings(**given)  # type: ignore[arg-type]  # pydantic checks what mypy can't see here
    except ValidationError as error:
        # The value itself is left out: most of them are secrets.
        faults = "; ".join(f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors())
        raise UsageError(f"Cannot use the settings: {faults}. Correct them in the environment.") from None


def api_base(url: str) -> str:
    """The address as the SDK wants it, with a slash at its end."""
    return url if url.endswith("/") else f"{url}/"
