"""What each tool takes. The models are the input schemas that clients are shown."""

import json
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from ui.question_limits import FilterText, QuestionText

MAX_CITED_CHARACTERS = 8_000
"""Less than `relnotes cite` takes: the quotes come back into the model's context."""
MAX_ID_CHARACTERS = 64


def _list_in_text(history: object) -> object:
    # Some clients hand a list over as the text of one.
    if isinstance(history, str) and history.lstrip().startswith("["):
        try:
            return json.loads(history)
        except (ValueError, RecursionError):
            return history
    return history


class _Arguments(BaseModel):
    # A misspelt filter that is silently ignored gives a wrong answer, so unknown keys are refused.
    model_config = ConfigDict(extra="forbid", frozen=True)


Product = Annotated[FilterText, Field(description="A product, by its name or an alias, in any case")]


class SearchArguments(_Arguments):
    """Of `search`."""

    query: Annotated[QuestionText, Field(description="What to look for; may name a product and versions")]


class FetchArguments(_Arguments):
    """Of `fetch`."""

    id: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_ID_CHARACTERS),
        Field(description="An `id` from `search`, or the `next` or `previous` of an earlier `fetch`"),
    ]


class AskArguments(_Arguments):
    """Of `ask`."""

    question: Annotated[QuestionText, Field(description="One question about releases, in plain words")]
    history: Annotated[
        tuple[QuestionText, ...],
        BeforeValidator(_list_in_text),
        Field(max_length=20, description="Earlier questions of the conversation, oldest first"),
    ] = ()
    product: Annotated[Product | None, Field(description="Answer from this product's notes only")] = None
    version: Annotated[FilterText | None, Field(description="Answer from this version's notes only, like 2.9")] = None


class ListVersionsArguments(_Arguments):
    """Of `list_versions`."""

    product: Annotated[
        Product | None, Field(description="List all versions of this product; default: all products")
    ] = None


class ChangesArguments(_Arguments):
    """Of `changes_between`."""

    product: Product
    start: Annotated[FilterText, Field(alias="from", description="The version in use; its own changes aren't listed")]
    end: Annotated[FilterText, Field(alias="to", description="The version to move to, or `latest`; included")]
    offset: Annotated[int, Field(ge=0, le=100_000, description="`next_offset` of the page before")] = 0


class CiteArguments(_Arguments):
    """Of `cite`."""

    text: Annotated[
        str,
        StringConstraints(min_length=1, max_length=MAX_CITED_CHARACTERS, pattern=r"\S"),
        Field(description="A claim, or a text that makes several"),
    ]
    product: Annotated[Product | None, Field(description="Check against this product's notes only")] = None
    version: Annotated[FilterText | None, Field(description="Check against this version's notes only")] = None


ToolArguments = (
    SearchArguments | FetchArguments | AskArguments | ListVersionsArguments | ChangesArguments | CiteArguments
)
