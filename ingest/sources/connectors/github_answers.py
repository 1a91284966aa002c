"""What GitHub answers, checked where it enters."""

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from corpus.errors import SourceError
from ingest.sources.web_addresses import is_web_address


class ApiRelease(BaseModel):
    """A release as its maintainers wrote it, in the words of the API or of `gh release view --json`."""

    model_config = ConfigDict(frozen=True)

    tag_name: str = Field(validation_alias=AliasChoices("tag_name", "tagName"))
    name: str | None = None
    body: str | None = None
    """Markdown."""
    draft: bool = Field(default=False, validation_alias=AliasChoices("draft", "isDraft"))
    # The API's own `url` is no page: it comes last.
    html_url: str = Field(default="", validation_alias=AliasChoices("html_url", "url"))
    created_at: datetime | None = Field(default=None, validation_alias=AliasChoices("created_at", "createdAt"))
    published_at: datetime | None = Field(default=None, validation_alias=AliasChoices("published_at", "publishedAt"))


class TreeEntry(BaseModel):
    """A file or folder of a repository."""

    model_config = ConfigDict(frozen=True)

    path: str
    type: str
    sha: str
    """Git's name of its content."""
    size: int = 0
    html_url: str | None = None

    @property
    def home(self) -> str:
        """The address of the repository's page."""
        return (self.html_url or "").partition("/blob/")[0].partition("/tree/")[0]


_Answer = TypeVar("_Answer")


def parse_releases(content: bytes) -> list[ApiRelease]:
    """A page of releases.

    Raises:
        SourceError: it is none.
    """
    return [_checked(one) for one in _parse(TypeAdapter(list[ApiRelease]), content)]


def parse_release(content: bytes) -> ApiRelease:
    """One release.

    Raises:
        SourceError: it is none.
    """
    return _checked(_parse(TypeAdapter(ApiRelease), content))


def check_releases(values: Sequence[object]) -> list[ApiRelease]:
    """Releases of JSON that was read elsewhere.

    Raises:
        SourceError: one of them is none.
    """
    try:
        return [_checked(one) for one in TypeAdapter(list[ApiRelease]).validate_python(values)]
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise SourceError(
            f"is no JSON of releases ({where}: {first['msg'][:80]}); "
            "save what `gh api --paginate repos/OWNER/REPO/releases` prints"
        ) from error


def parse_entries(content: bytes) -> list[TreeEntry]:
    """The listing of a folder.

    Raises:
        SourceError: it is none.
    """
    return _parse(TypeAdapter(list[TreeEntry]), content)


def _parse(adapter: TypeAdapter[_Answer], content: bytes) -> _Answer:
    try:
        return adapter.validate_json(content)
    except ValidationError as error:
        raise SourceError(
            "GitHub's API answers what can't be read; check RELNOTES_GITHUB_API_URL and try again"
        ) from error


def _checked(release: ApiRelease) -> ApiRelease:
    """A release whose address may become a link."""
    return release if is_web_address(release.html_url) else release.model_copy(update={"html_url": ""})
