"""What each channel may see, as a TOML file says it."""

import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.errors import UsageError


class ChannelRules(BaseModel):
    """What one channel sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    product: Annotated[str | None, Field(min_length=1)] = None
    """Only this product, by its name or an alias; nobody in the channel can ask past it."""
    version: Annotated[str | None, Field(min_length=1)] = None
    """Only this version's notes, where a question names no other."""
    answers: bool = True  # False: the bot says that it doesn't answer here.


class ChannelFile(BaseModel):
    """The whole file: rules by channel id, and for all others."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    default: ChannelRules = ChannelRules()
    channels: dict[Annotated[str, Field(pattern=r"^[CDG][A-Z0-9]{2,}$")], ChannelRules] = {}

    def rules_for(self, channel: str) -> ChannelRules:
        """Return the rules of one channel; where it isn't named, the default's, and nothing is mixed."""
        return self.channels.get(channel, self.default)


def load_channels(path: Path | None) -> ChannelFile:
    """Read the file; without one every channel sees everything.

    Raises:
        UsageError: it can't be read, isn't TOML, or says something it can't; the message names every fault.
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
    except (ValueError, RecursionError) as error:  # not TOML, or arrays and numbers of any depth and length
        raise UsageError(f"RELNOTES_SLACK_CHANNELS {str(path)!r} is not valid TOML: {error}. Correct it.") from None
