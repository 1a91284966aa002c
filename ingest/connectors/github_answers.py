"""What GitHub answers, checked where it enters."""

from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from corpus.errors import SourceError
from ingest.web_addresses import is_web_address


class Release(BaseModel):
    """A release as its maintainers wrote it."""

    model_config = ConfigDict(frozen=True)

    tag_name: str
    name: str | None = None
    body: str | None = None
    """Markdown."""
    draft: bool = False
    html_url: str = ""
    created_at: datetime | None = None
    published_at: datetime | None = None


class Entry(BaseModel):
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


def parse_releases(content: bytes) -> list[Release]:
    """A page of releases.

    Raises:
        SourceError: it is none.
    """
    return [_checked(one) for one in _parse(TypeAdapter(list[Release]), content)]


def parse_release(content: bytes) -> Release:
    """One release.

    Raises:
        SourceError: it is none.
    """
    return _checked(_parse(TypeAdapter(Release), content))


def parse_entries(content: bytes) -> list[Entry]:
    """The listing of a folder.

    Raises:
        SourceError: it is none.
    """
    return _parse(TypeAdapter(list[Entry]), content)


def _parse(adapter: TypeAdapter[_Answer], content: bytes) -> _Answer:
    try:
        return adapter.validate_json(content)
    except ValidationError as error:
        raise SourceError(
            "GitHub's API answers what can't be read; check RELNOTES_GITHUB_API_URL and try again"
        ) from error


def _checked(release: Release) -> Release:
    """A release whose address may become a link."""
    return release if is_web_address(release.html_url) else release.model_copy(update={"html_url": ""})
