"""What a language model must do for us: complete a chat with JSON of a schema."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from corpus.errors import RelnotesError

_MOST_FAILURES, _ALONE_S = 3, 30.0
"""After so many failures in a row a model is left alone for so long: a dead one costs each question its time."""


class CompletionError(RelnotesError):
    """The language model gave nothing that can be read; the answer goes on without it.

    The message is the end of a sentence that begins with "The language model": "didn't answer within 20 s".
    """


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat; `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A chat to go on with."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object]
    """The JSON Schema of the reply, for models that can be held to one; the messages say the same in words."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and what it cost: 0 where that isn't told."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model was asked and what that cost, as it is counted there; failures aren't among the requests."""

    requests: int = 0
    failures: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, completion: Completion) -> "Usage":
        """With one more completion."""
        return replace(
            self,
            requests=self.requests + 1,
            tokens_in=self.tokens_in + completion.tokens_in,
            tokens_out=self.tokens_out + completion.tokens_out,
        )


class ChatModel(Protocol):
    """Completes chats. Whatever it returns is checked, so an implementation need not be honest."""

    name: str
    """The model's name, for people."""
    timeout_s: float
    """Seconds that a whole question may take, however often the model is asked for it."""

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """Go on with a chat.

        Raises:
            CompletionError: there is no reply within `within_s` seconds, or none that is text.
        """


class WatchedModel(ABC):
    """A `ChatModel` that counts what it is asked, and is left alone for a while after it failed again and again; safe
    to share between threads."""

    def __init__(self, name: str, timeout_s: float, *, now: Callable[[], float] = time.monotonic) -> None:
        """`now` gives seconds."""
        self.name = name
        self.timeout_s = timeout_s
        self._now = now
        self._watching = threading.Lock()
        self._failures = 0
        self._alone_until = 0.0
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """What it was asked, and what that cost, since it was opened."""
        with self._watching:
            return self._usage

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """See `ChatModel`."""
        with self._watching:
            if self._now() < self._alone_until:
                raise CompletionError(
                    f"is left alone for {_ALONE_S:g} s, because it failed {_MOST_FAILURES} times in a row"
                )
        try:
            completion = self._complete(prompt, within_s)
        except CompletionError:
            with self._watching:
                self._failures += 1
                self._usage = replace(self._usage, failures=self._usage.failures + 1)
                # What fails once more after its time alone is left alone again at once.
                if self._failures >= _MOST_FAILURES:
                    self._alone_until = self._now() + _ALONE_S
            raise
        with self._watching:
            self._failures = 0
            self._usage = self._usage.plus(completion)
        return completion

    @abstractmethod
    def _complete(self, prompt: Prompt, within_s: float) -> Completion: ...

    def _late(self) -> CompletionError:
        return CompletionError(f"didn't answer within {self.timeout_s:g} s")
