"""What a language model must do for us: complete a chat with JSON of a schema."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from corpus.errors import RelnotesError


class CompletionError(RelnotesError):
    """The language model gave nothing that can be read; the answer goes on without it.

    The message is the end of a sentence that begins with "The language model": "didn't answer within 20 s".
    """


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: str  # `system`, `user` or `assistant`.
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A chat to go on with."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object]
    """The JSON Schema of the reply, for models that can be held to one; the messages say the same in words."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and what it cost: 0 if that isn't reported."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """The requests that a model answered, those that failed, and the tokens of the former, as the endpoint counts."""

    requests: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, completion: Completion) -> "Usage":
        """Return the counts with one more completion."""
        return replace(
            self,
            requests=self.requests + 1,
            tokens_in=self.tokens_in + completion.tokens_in,
            tokens_out=self.tokens_out + completion.tokens_out,
        )


class ChatModel(Protocol):
    """Completes chats. Whatever it returns is checked, so an implementation need not be honest."""

    name: str  # The model's name, for people.
    timeout_s: float  # Seconds that a whole question may take, however often the model is asked for it.

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """Go on with a chat.

        Raises:
            CompletionError: there is no reply within `within_s` seconds, or none that is text.
        """
