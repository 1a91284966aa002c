"""What a request is answered with: the assistant's answer under the channel's rules, as Slack messages."""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.errors import UsageError
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer
from ui.rendering.slack import SlackMessage, render_slack_answer, render_slack_passages, render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.slack.controls import answer_controls, uncited_passages
from ui.slack.request_queue import RequestKind, SlackRequest

_HELP = "Ask me what changed in a release. It helps to name the product and the version."
_NO_QUESTION = frozenset(("help", "hi", "hello", "hey", "thanks", "thank you"))
"""What people say to a bot without asking anything; a search for it finds nonsense."""
_SILENT = "I'm not set up to answer in this channel. Whoever runs me can change that."
_NOT_INDEXED = (
    "I have no release notes yet of the product that this channel is for. Whoever runs me can see which one it is with"
    " `relnotes slack --check`."
)
_LISTED = 20
_MORE = 5
_NAMED = 5


class ChannelRules(BaseModel):
    """What one channel sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    product: Annotated[str | None, Field(min_length=1)] = None
    """Only this product, by its name or an alias; nobody in the channel can ask past it."""
    version: Annotated[str | None, Field(min_length=1)] = None
    """Only this version's notes, where a question names no other."""
    index: Path | None = None  # Another index than the server's; relative to the file.
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
        parsed = ChannelFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"Cannot read RELNOTES_SLACK_CHANNELS {str(path)!r}: {error.strerror or error}.") from None
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise UsageError(f"RELNOTES_SLACK_CHANNELS {str(path)!r} can't be used: {faults}. Correct it.") from None
    except (ValueError, RecursionError) as error:  # not TOML, or arrays and numbers of any depth and length
        raise UsageError(f"RELNOTES_SLACK_CHANNELS {str(path)!r} is not valid TOML: {error}. Correct it.") from None

    def anchored(rules: ChannelRules) -> ChannelRules:
        return rules if rules.index is None else rules.model_copy(update={"index": path.parent / rules.index})

    return ChannelFile(
        default=anchored(parsed.default),
        channels={channel: anchored(rules) for channel, rules in parsed.channels.items()},
    )


@dataclass(frozen=True, slots=True)
class SlackReply:
    """What is said to a request, and the answer that this shows, if it does."""

    messages: tuple[SlackMessage, ...]
    answer: Answer | None = None


class SlackAnswers:
    """Answers requests from the index that their channel may see; blocking, and safe to share between threads. Each
    method raises IndexUnavailable or ModelError where the index can't say."""

    def __init__(
        self, channels: ChannelFile, *, main: LiveAssistant, open_index: Callable[[Path], LiveAssistant]
    ) -> None:
        """`open_index` opens the indexes that channels have beside that of `main`."""
        self._channels = channels
        self._main = main
        all_rules = (channels.default, *channels.channels.values())
        indexes = {rules.index for rules in all_rules if rules.index is not None}
        self._others = {index: open_index(index) for index in sorted(indexes)}

    def reply(self, request: SlackRequest) -> SlackReply:
        """Return what answers `request`, whose history is complete."""
        rules = self._channels.rules_for(request.channel)
        if not rules.answers:
            return SlackReply(render_slack_text(_SILENT))
        history = [asked for asked in request.history if 0 < len(asked) <= MAX_QUESTION_CHARACTERS]
        live = self._main if rules.index is None else self._others[rules.index]
        try:
            with live.borrow() as assistant:
                if rules.product and not any(product.is_called(rules.product) for product in assistant.catalogue()):
                    # The channel isn't told what is.
                    return SlackReply(render_slack_text(_NOT_INDEXED))
                if request.text.strip(" !.?").casefold() in ("", *_NO_QUESTION):
                    return SlackReply(render_slack_text(_help(rules, assistant)))
                understood = assistant.understand(request.text, history=history, product=rules.product)
                version = rules.version if understood.constraint is None else None
                answer = assistant.ask(
                    request.text, history=history, product=rules.product, version=version, limit=_LISTED
                )
        except UsageError as error:
            return SlackReply(render_slack_text(str(error)))
        if request.kind is RequestKind.MORE:
            return SlackReply(render_slack_passages(uncited_passages(answer)[:_MORE]))
        return SlackReply(render_slack_answer(answer, answer_controls(answer, request)), answer)

    def warm_up(self) -> None:
        """Load what the first question would wait for."""
        with self._main.borrow() as assistant:
            assistant.search("release notes", limit=1)

    def close(self) -> None:
        for assistant in self._others.values():
            assistant.close()


def _help(rules: ChannelRules, assistant: Assistant) -> str:
    names = [rules.product] if rules.product else [product.name for product in assistant.catalogue()]
    more = " and others" if len(names) > _NAMED else ""
    return f"{_HELP} I have notes of {', '.join(names[:_NAMED])}{more}." if names else _HELP
