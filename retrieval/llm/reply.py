"""A language model's reply as a value, whatever it wrote around its JSON."""

import json
import unicodedata
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from retrieval.llm.chat import CompletionError

_MOST_PIECES, _MOST_WORDS = 24, 4_000
_MOST_OBJECTS = 100
"""How many opening braces of a text are tried."""

_Text = Annotated[str, StringConstraints(max_length=_MOST_WORDS)]


class Piece(BaseModel):
    """Words that are said to stand in the passage of this number."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    passage: int
    words: _Text


class Reply(BaseModel):
    """What a model made of a request; nothing of it is checked but its form."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    standalone_question: _Text = ""
    found: bool
    answer: Annotated[tuple[Piece, ...], Field(max_length=_MOST_PIECES)] = ()
    search: _Text = ""


class ClaimReply(BaseModel):
    """What a model made of a claim; nothing of it is checked but its form."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    verdict: Literal["supported", "contradicted", "not_found"]
    answer: Annotated[tuple[Piece, ...], Field(max_length=_MOST_PIECES)] = ()


_Parsed = TypeVar("_Parsed", Reply, ClaimReply)


def parse_reply(text: str) -> Reply:
    """The last reply that stands in a text as JSON; thoughts and code fences around it are passed by.

    Raises:
        CompletionError: there is none.
    """
    return _parse(text, Reply)


def parse_claim_reply(text: str) -> ClaimReply:
    """Likewise as a reply on a claim.

    Raises:
        CompletionError: there is none.
    """
    return _parse(text, ClaimReply)


def _parse(text: str, kind: type[_Parsed]) -> _Parsed:
    """The last object of a text that is of this kind: before it there may be thoughts, with objects of their own."""
    said = unicodedata.normalize("NFC", text)
    decoder = json.JSONDecoder(strict=False)
    found: _Parsed | None = None
    start = said.find("{")
    for _ in range(_MOST_OBJECTS):
        if start < 0:
            break
        try:
            value, end = decoder.raw_decode(said, start)
            found = kind.model_validate(value)
        except ValidationError:
            pass
        except (ValueError, RecursionError):
            end = start + 1
        start = said.find("{", end)
    if found is None:
        raise CompletionError("didn't write the JSON that was asked for")
    return found
