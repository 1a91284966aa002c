"""Reads the rules on what each Slack channel may see from a TOML file."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.errors import UsageError


class ChannelRules(BaseModel):
    """The rules for one channel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    product: Annotated[str | None, Field(min_length=1)] = None
    """Only this product, by its name or an alias; nobody in the channel can ask past it."""
    version: Annotated[str | None, Field(min_length=1)] = None
    """Only this version's notes, unless a question names a version."""
    answers: bool = True  # False: the bot only replies that it doesn't answer in this channel.


class ChannelFile(BaseModel):
    """The file: rules by channel id, and the rules for all other channels."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    default: ChannelRules = ChannelRules()
    channels: dict[Annotated[str, Field(pattern=r"^[CDG][A-Z0-9]{2,}$")], ChannelRules] = {}

    def rules_for(self, channel: str) -> ChannelRules:
        """Return the rules of a channel, or the default rules if the file doesn't name it; never a mix of both."""
        return self.channels.get(channel, self.default)


def load_channels(path: Path | None) -> ChannelFile:
    """Read the file; without one, every channel sees everything.

    Raises:
        UsageError: the file can't be read, isn't TOML, or has invalid rules; the message names every fault.
    """
    if path is None:
        return ChannelFile()
    try:
        return ChannelFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"Cannot read RELNOTES_SLACK_CHANNELS {str(path)!r}: {error.strerror or error}.") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise UsageError(f"RELNOTES_SLACK_CHANNELS {str(path)!r} can't be used: {faults}. Correct it.") from None
    except (ValueError, RecursionError) as error:  # Not TOML, or too deep arrays or too long numbers.
        raise UsageError(f"RELNOTES_SLACK_CHANNELS {str(path)!r} is not valid TOML: {error}. Correct it.") from None
