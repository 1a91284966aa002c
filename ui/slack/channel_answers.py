"""What a request is answered with: the assistant's answer under the channel's rules, as Slack messages."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus.errors import UsageError
from retrieval.assistant import Assistant
from retrieval.model import MAX_QUESTION_CHARACTERS, Answer, Status
from ui.rendering.slack import (
    SlackMessage,
    render_slack_answer,
    render_slack_claims,
    render_slack_passages,
    render_slack_text,
)
from ui.server.live_assistant import LiveAssistant
from ui.slack.controls import answer_controls, uncited_passages
from ui.slack.request_queue import RequestKind, SlackRequest
from ui.web.ask.questions import OFFERS, KeptByIndex, proven_questions

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
_SUGGESTED = 4


class ChannelRules(BaseModel):
    """What one channel sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    product: Annotated[str | None, Field(min_length=1)] = None
    """Only this product, by its name or an alias; nobody in the channel can ask past it."""
    version: Annotated[str | None, Field(min_length=1)] = None
    """Only this version's notes, where neither a question nor a filter names another."""
    index: Path | None = None  # Another index than the server's; relative to the file.
    answers: bool = True  # False: the bot says that it doesn't answer here.


class ChannelFile(BaseModel):
    """The whole file: rules by channel id, and for all others."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    default: ChannelRules = ChannelRules()
    channels: dict[Annotated[str, Field(pattern=r"^[CDG][A-Z0-9]{2,}$")], ChannelRules] = {}

    def rules_for(self, channel: str) -> ChannelRules:
        """The rules of one channel; where it isn't named, the default's, and nothing is mixed."""
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
    """What is said to a request, nothing if it is best left to people; and the answer that this shows, if it does."""

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
        self._suggestions = {
            (product, version): KeptByIndex(
                partial(proven_questions, product=product, version=version, most=_SUGGESTED)
            )
            for product, version in {(rules.product, rules.version) for rules in all_rules} - {(None, None)}
        }

    def reply(self, request: SlackRequest) -> SlackReply:
        """What answers `request`, whose history is complete."""
        if not self._channels.rules_for(request.channel).answers:
            return SlackReply(() if request.is_aside else render_slack_text(_SILENT))
        if request.text.strip(" !.?").casefold() in ("", *_NO_QUESTION):
            # With questions that the channel's own index answers.
            questions = self.suggestions(request.channel)
            examples = f" For example: “{questions[0]}” or “{questions[-1]}”" if questions else ""
            return SlackReply(render_slack_text(_HELP + examples))
        history = [asked for asked in request.history if 0 < len(asked) <= MAX_QUESTION_CHARACTERS]
        try:
            with self._assistant(request.channel).borrow() as assistant:
                if request.kind is RequestKind.FIND_NOTE:
                    product, version = self._filters(request, assistant)
                    check = assistant.cite(request.text, product=product, version=version)
                    if any(checked.citations for checked in check.claims):
                        return SlackReply(render_slack_claims(check))
                product, version = self._filters(request, assistant, history)
                answer = assistant.ask(request.text, history=history, product=product, version=version, limit=_LISTED)
        except UsageError as error:
            return SlackReply(render_slack_text(str(error)))
        if request.kind is RequestKind.MORE:
            return SlackReply(render_slack_passages(uncited_passages(answer)[:_MORE]))
        if request.is_aside and answer.status is Status.NOT_FOUND:
            # People talk to each other in that thread; that the notes hold nothing of it is no news to them.
            return SlackReply(())
        return SlackReply(render_slack_answer(answer, answer_controls(answer, request)), answer)

    def warm_up(self) -> None:
        """Load what the first question would wait for."""
        with self._main.borrow() as assistant:
            assistant.search("release notes", limit=1)

    def suggestions(self, channel: str) -> tuple[str, ...]:
        """Questions to begin with in a channel, each of which has an answer; none where it may ask nothing."""
        rules = self._channels.rules_for(channel)
        if not rules.answers:
            return ()
        with self._assistant(channel).borrow() as assistant:
            if kept := self._suggestions.get((rules.product, rules.version)):
                return kept.of(assistant)
            return OFFERS.of(assistant).questions[:_SUGGESTED]

    def products(self, channel: str) -> tuple[str, ...]:
        """The products that somebody in a channel can choose from; none where there is no choice."""
        rules = self._channels.rules_for(channel)
        if rules.product is not None or not rules.answers:
            return ()
        with self._assistant(channel).borrow() as assistant:
            return tuple(product.name for product in assistant.catalogue())

    def _filters(
        self, request: SlackRequest, assistant: Assistant, history: Sequence[str] = ()
    ) -> tuple[str | None, str | None]:
        """The product and the version to keep to: the channel's version where nothing else names one."""
        rules = self._channels.rules_for(request.channel)
        product = _product(rules, assistant, wished=request.product)
        understood = assistant.understand(request.text, history=history, product=product)
        return product, request.version or (rules.version if understood.constraint is None else None)

    def check_filters(self, request: SlackRequest) -> None:
        """See that a request's filters can be used; raises UsageError where they can't, and says why."""
        rules = self._channels.rules_for(request.channel)
        with self._assistant(request.channel).borrow() as assistant:
            product = _product(rules, assistant, wished=request.product)
            assistant.understand(request.text, product=product, version=request.version)

    def close(self) -> None:
        for assistant in self._others.values():
            assistant.close()

    def _assistant(self, channel: str) -> LiveAssistant:
        index = self._channels.rules_for(channel).index
        return self._main if index is None else self._others[index]


def _product(rules: ChannelRules, assistant: Assistant, *, wished: str | None) -> str | None:
    """The product to answer for: a channel's isn't a wish, and holds whatever a button or a modal says.

    Raises:
        UsageError: the channel's product isn't indexed; what is, the channel isn't told.
    """
    if rules.product is None:
        return wished
    if not any(product.is_called(rules.product) for product in assistant.catalogue()):
        raise UsageError(_NOT_INDEXED)
    return rules.product
