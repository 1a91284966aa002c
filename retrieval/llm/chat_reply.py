"""The bytes of a chat completion as text: server-sent events or one JSON document, whichever the endpoint sends.

Bounded while it is read: an endpoint that never ends costs a fixed amount of memory. Nothing of what it sends goes into
a message, for it may hold anything, the key that it was sent included.
"""

import json
import re
from dataclasses import dataclass, field
from itertools import takewhile

from pydantic import BaseModel, ConfigDict, ValidationError

from retrieval.llm.writer import WriterError

MAX_BYTES = 1024 * 1024
"""Of a whole response; events are wordy, some hundred bytes for a word."""
MAX_CHARACTERS = 8_000
"""Of the text in it."""
_END = re.compile(rb"^[ \t]*data:[ \t]*\[DONE\]", re.MULTILINE)
_LONGEST_END = 32


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
    _body: bytearray = field(default_factory=bytearray)

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes.

        Raises:
            WriterError: the response is too long.
        """
        self._body += chunk
        if len(self._body) > MAX_BYTES:
            raise WriterError("sent more than an answer can hold")
        before = max(0, len(self._body) - len(chunk) - _LONGEST_END)
        self.ended = self.is_stream and _END.search(self._body, before) is not None

    def finish(self) -> str:
        """The text, after the last bytes.

        Raises:
            WriterError: there is none, it is too long, or the response isn't a chat completion.
        """
        lines = (line.strip().partition(b":") for line in bytes(self._body).split(b"\n"))
        events = (value.strip() for name, _, value in lines if name == b"data")
        parts = takewhile(lambda event: event != b"[DONE]", events) if self.is_stream else (bytes(self._body),)
        text = "".join(map(_text_of, parts))
        if len(text) > MAX_CHARACTERS:
            raise WriterError("sent more than an answer can hold")
        if not text.strip():
            raise WriterError("sent an empty answer")
        return text


def _text_of(body: bytes) -> str:
    try:
        return _Completion.model_validate(json.loads(body.decode("utf-8"))).text
    except (ValueError, ValidationError, RecursionError):
        raise WriterError("sent something that isn't a chat completion") from None
