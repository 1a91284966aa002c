"""A language model's reply as a value, whatever it wrote around its JSON."""

import json
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints, ValidationError

from retrieval.llm.chat import CompletionError

_MOST_OBJECTS = 100  # How many opening braces of a text are tried.

_Text = Annotated[str, StringConstraints(max_length=4_000)]
_Numbers = Annotated[tuple[StrictInt, ...], Field(max_length=24)]


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Reply(_Lenient):
    """A model's reply to a question; only its form is checked."""

    answer: _Numbers  # The numbers of what answers, the most important first; empty where nothing does.
    breaks: _Numbers = ()  # Of a list, of those the ones that break something for who asks.
    search: _Text | None = None


class PartReply(_Lenient):
    """A model's verdict on a part of a claim, and the number of the entry that decides it; 0 for none."""

    verdict: Literal["supported", "contradicted", "not_found"]
    entry: int = 0


class ClaimReply(_Lenient):
    """A model's reply to a claim, a verdict for each part; only its form is checked."""

    parts: Annotated[tuple[PartReply, ...], Field(max_length=24)]


Parsed = TypeVar("Parsed", Reply, ClaimReply)


def parse_reply(text: str, kind: type[Parsed]) -> Parsed:
    """Return the last reply of this kind in a text, as JSON; thoughts with other objects may come before it, and code
    fences around it.

    Raises:
        CompletionError: there is none.
    """
    decoder = json.JSONDecoder(strict=False)
    reply: Parsed | None = None
    start = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(text, start)
            reply = kind.model_validate(value)
        except ValidationError:
            pass
        except (ValueError, RecursionError):
            end = start + 1
        start = text.find("{", end)
    if reply is None:
        raise CompletionError("didn't write the JSON that was asked for (does it know response_format json_schema?)")
    return reply
