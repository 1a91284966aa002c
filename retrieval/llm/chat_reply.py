"""The bytes of a chat completion as text: server-sent events or one JSON document, whichever the endpoint sends.

Bounded while it is read: an endpoint that never ends costs a fixed amount of memory. Nothing of what it sends goes into
a message, for it may hold anything, the key that it was sent included.
"""

import json
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.llm.writer import WriterError

MAX_BYTES = 1024 * 1024
"""Of a whole response; events are wordy, some hundred bytes for a word."""
MAX_CHARACTERS = 8_000
"""Of the text in it."""


class _Words(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    content: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    message: _Words | None = None
    delta: _Words | None = None


class _Completion(BaseModel):
    """A completion, or a piece of one in a stream; everything but its text is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    choices: tuple[_Choice, ...]

    @property
    def text(self) -> str:
        first = self.choices[0] if self.choices else _Choice()
        words = first.message or first.delta or _Words()
        return words.content or ""


@dataclass(slots=True)
class ReplyReader:
    """Collects one response; mutable, for one reader."""

    is_stream: bool
    """Whether the body is server-sent events."""
    ended: bool = False
    """The stream said that it is done: what follows needn't be read."""
    _bytes: int = 0
    _pending: bytearray = field(default_factory=bytearray)
    _text: list[str] = field(default_factory=list)
    _characters: int = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            WriterError: the response is too long, or isn't a chat completion.
        """
        self._bytes += len(chunk)
        if self._bytes > MAX_BYTES:
            raise WriterError("sent more than an answer can hold")
        self._pending += chunk
        while self.is_stream and not self.ended and (end := self._pending.find(b"\n")) >= 0:
            line = bytes(self._pending[:end])
            del self._pending[: end + 1]
            self._take_line(line)

    def finish(self) -> str:
        """The text, after the last bytes.

        Raises:
            WriterError: there is none, or the response isn't a chat completion.
        """
        if self.is_stream and not self.ended:
            self._take_line(bytes(self._pending))
        elif not self.is_stream:
            self._take_json(bytes(self._pending))
        text = "".join(self._text)
        if not text.strip():
            raise WriterError("sent an empty answer")
        return text

    def _take_line(self, line: bytes) -> None:
        name, _, value = line.strip().partition(b":")
        if name != b"data":
            return
        if value.strip() == b"[DONE]":
            self.ended = True
        else:
            self._take_json(value)

    def _take_json(self, body: bytes) -> None:
        try:
            words = _Completion.model_validate(json.loads(body.decode("utf-8"))).text
        except (ValueError, ValidationError, RecursionError):
            raise WriterError("sent something that isn't a chat completion") from None
        self._characters += len(words)
        if self._characters > MAX_CHARACTERS:
            raise WriterError("sent more than an answer can hold")
        self._text.append(words)
