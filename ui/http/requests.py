"""The bodies of requests to the HTTP API."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from corpus.errors import NotIndexed
from corpus.versions import Version
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from ui.question_lengths import FilterText, QuestionText

_DIFF_FORM = r"(?:^\ufeff?|\n)(?:diff --(?:git|cc|combined) [^\r\n]+(?:\r?\n|$)|--- [^\n]*\n\+\+\+ )"
"""The form of a diff for the schema; `read_diff` does the checking."""

ClaimText = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT_CHARACTERS, pattern=r"\S")]
"""Not stripped, because offsets count in it."""

_MAX_FIELDS = 100
_VERSION_CHARACTER = r"[0-9A-Za-z.*_+~-]"
_VERSION = f"{_VERSION_CHARACTER}*[0-9]{_VERSION_CHARACTER}*"
_LATEST = "latest"


def _check_version(text: str) -> str:
    # Raised as NotIndexed (404) and not as a fault of validation: the text has the form of a version, but isn't one.
    if text != _LATEST and Version.try_parse(text.removesuffix(".x").removesuffix(".*")) is None:
        raise NotIndexed(f"Not a version: {text!r}. No release can be called that; write it like 2.9, v5 or 8.0.0rc1.")
    return text


VersionText = Annotated[str, StringConstraints(max_length=64, pattern=f"^{_VERSION}$"), AfterValidator(_check_version)]
VersionOrLatestText = Annotated[
    str, StringConstraints(max_length=64, pattern=f"^(?:{_LATEST}|{_VERSION})$"), AfterValidator(_check_version)
]
Limit = Annotated[
    int,
    Field(strict=True, ge=1, le=50, description="Ranked passages to return"),
    # JSON has one type of number, so 10.0 is accepted as a whole number.
    BeforeValidator(lambda value: int(value) if isinstance(value, float) and value.is_integer() else value),
]


class _Request(BaseModel):
    # A misspelt filter that is silently ignored gives a wrong answer, so unknown keys are refused.
    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_many_fields(cls, body: object) -> object:
        # Pydantic reports each unknown field as a fault: a megabyte of them blocked the server for seconds.
        if isinstance(body, dict) and len(body) > _MAX_FIELDS:
            raise ValueError(f"must have at most {_MAX_FIELDS} fields, got {len(body)}")
        return body


class _FilteredRequest(_Request):
    product: Annotated[FilterText | None, Field(description="Only this product, by its name or an alias")] = None
    version: Annotated[VersionText | None, Field(description="Only this version's notes")] = None

    @property
    def filters(self) -> dict[str, Any]:
        return {"product": self.product, "version": self.version}


class AskRequest(_FilteredRequest):
    """A question, with the filters and the earlier questions of its conversation."""

    k: Limit = 10
    question: QuestionText
    history: Annotated[
        tuple[QuestionText, ...], Field(max_length=20, description="Earlier questions, oldest first")
    ] = ()


class SearchRequest(_FilteredRequest):
    """A query for passages."""

    k: Limit = 10
    query: QuestionText


class CiteRequest(_FilteredRequest):
    """A claim, or a text that makes several, with filters."""

    text: ClaimText


class ReviewRequest(_Request):
    """A diff to review."""

    diff: Annotated[
        str,
        StringConstraints(min_length=1),
        Field(description="Unified, as `git diff` or `diff -u` writes it", json_schema_extra={"pattern": _DIFF_FORM}),
    ]


class VersionsRequest(_Request):
    """The product whose versions to list; all products if none is named."""

    product: Annotated[FilterText | None, Field(description="By its name or an alias")] = None


class UpgradeRequest(_Request):
    """The parameters of an upgrade."""

    product: Annotated[FilterText, Field(description="By its name or an alias")]
    start: Annotated[VersionText, Field(alias="from", description="The version in use; excluded")]
    end: Annotated[VersionOrLatestText, Field(alias="to", description="The version to move to, or `latest`; included")]
    every: Annotated[bool, Field(alias="all", description="List fixes, additions and housekeeping, too")] = False
