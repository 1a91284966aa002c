"""Reads GitHub's releases, from its API or from the output of its tools: each release's text below its name."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from corpus.errors import SourceError
from corpus.model import Authority
from corpus.versions import Version
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.releases.subjects import letters, name_by_place
from ingest.sources.files import FetchedDocument
from ingest.web_addresses import is_web_address

_TAG_OF_PACKAGE = re.compile(
    r"(?P<package>@?[\d_.-]*+[A-Za-z][\w.-]*(?:/[\w.-]+?)?)(?:@|[-_/](?=v\d)|/)v?(?P<version>\d.*)"
)
_NAMED_TAG = re.compile(r"(?P<package>[A-Za-z][\w.]*?(?:-[A-Za-z][\w.]*?)*)[-_](?P<version>\d+[._]\d.*)")
"""Names a package if the repository's tags name several ("tokio-util-0.7.11" beside "tokio-1.37.0")."""
_VERSION_AT_END = re.compile(r"(?<![\s:-])[\s:-]*+\bv?\d+[._]\d\S*\Z")
_Short = Annotated[str, AfterValidator(lambda text: text[:_MAX_CHARACTERS])]
_MAX_CHARACTERS = 255  # Of a tag, as in git, and of a title; both are in every source and heading.
_MAX_RELEASES = 20_000
_BLANK = re.compile(r"[\s,\ufeff]*")


class Release(BaseModel):
    """A release as its maintainers wrote it, with the fields of the API or of `gh release view --json`."""

    model_config = ConfigDict(frozen=True)

    tag_name: _Short = Field(validation_alias=AliasChoices("tag_name", "tagName"))
    name: _Short | None = None
    body: str | None = None  # Markdown.
    draft: bool = Field(default=False, validation_alias=AliasChoices("draft", "isDraft"))
    prerelease: bool = Field(default=False, validation_alias=AliasChoices("prerelease", "isPrerelease"))
    # The API's own `url` isn't a page, so it comes last.
    html_url: str = Field(default="", validation_alias=AliasChoices("html_url", "url"))
    created_at: datetime | None = Field(default=None, validation_alias=AliasChoices("created_at", "createdAt"))
    published_at: datetime | None = Field(default=None, validation_alias=AliasChoices("published_at", "publishedAt"))

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, release: object) -> object:
        """Leave out nulls, so that their fields have defaults."""
        return (
            {key: value for key, value in release.items() if value is not None}
            if isinstance(release, dict)
            else release
        )


def with_notes(releases: Sequence[Release]) -> tuple[Release, ...]:
    """Return the releases that have a text and aren't drafts, in order."""
    return tuple(release for release in releases if not release.draft and (release.body or "").strip())


def release_document(release: Release, *, source: str, repo: str, packages: Mapping[str, str]) -> FetchedDocument:
    """Return a release as a document of `repo` or its tag's package, cited as `source`; see `name_packages`."""
    tag, product, aliases = release.tag_name, repo, tuple[str, ...]()
    version = Version.try_parse(tag)
    if version is None and (match := _TAG_OF_PACKAGE.fullmatch(tag)):
        version, product = Version.try_parse(match["version"]), match["package"]
    elif version is None and (match := _NAMED_TAG.fullmatch(tag)):
        version, product = Version.try_parse(match["version"]), packages.get(match["package"].casefold(), repo)
        aliases = (match["package"],) if packages else ()
    title = " ".join((release.name or tag).split())
    is_named = any(name.casefold() in title.casefold() for name in (product, repo))
    day = release.published_at or release.created_at
    hints = Hints(
        product=product,
        aliases=aliases,
        version=version,
        title=title if is_named else f"{product} {title}",
        url=release.html_url if is_web_address(release.html_url) else None,
        day=day.date() if day else None,
        authority=Authority.OFFICIAL,
        is_prerelease=release.prerelease,
    )
    content = f"# {title}\n\n{release.body or ''}\n".encode(errors="replace")
    return FetchedDocument(source, "release.md", repo, content, hints)


def name_packages(releases: Sequence[Release], *, repo: str) -> dict[str, str]:
    """Return the product's name for each package in a repository's tags ("tokio-1.37.0", "tokio-util-0.7.11"), by the
    package's name in lower case; empty if the tags name only one.

    A name that titles most of a package's releases and contains the repository's is used ("Python Polars" for "py").
    """
    titles: dict[str, list[str]] = {}
    for release in releases:
        if tag := _NAMED_TAG.fullmatch(release.tag_name):
            name = _VERSION_AT_END.sub("", (release.name or "").strip())
            titles.setdefault(tag["package"].casefold(), []).append(name)
    products: dict[str, str] = {}
    for package, names in titles.items():
        name, count = Counter(names).most_common(1)[0]
        words, wanted = (set(re.findall(r"[^\W_]+", text.casefold())) for text in (name, package))
        is_own = 2 * count > len(names) and letters(repo) in letters(name) and not wanted <= words
        products[package] = name if is_own else package
    return products if len(products) > 1 else {}


def read_releases_file(content: bytes, *, source: str, place: str) -> tuple[FetchedDocument, ...]:
    """Return the releases in the output of `gh api` or `gh release view --json` as documents, in the file's order.

    Several answers one after another (`gh api --paginate`), arrays of arrays (`--slurp`), one release alone and a line
    for each are all read. Drafts are left out. `place`, a path, names the product if no address of a repository does.

    Raises:
        SourceError: it isn't such JSON, or none of its releases has a text.
    """
    try:
        listed = TypeAdapter(list[Release]).validate_python(list(_json_releases(decode(content))))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise SourceError(
            f"is no JSON of releases ({where}: {first['msg'][:80]}); "
            "save what `gh api --paginate repos/OWNER/REPO/releases` prints"
        ) from error
    # Releases without a text stay, because the newest may have none.
    releases = [release for release in listed if not release.draft]
    if not with_notes(releases):
        raise SourceError(
            "lists releases without their notes, as `gh release list` does; "
            "save what `gh api --paginate repos/OWNER/REPO/releases` prints"
        )
    documents = {}
    home = name_by_place("index.json", root=place)
    packages = name_packages(releases, repo=_repository(releases[0].html_url) or home)
    for release in reversed(releases):
        repo = _repository(release.html_url)
        name = f"{source}#{''.join(release.tag_name.split())}"
        document = release_document(release, source=name, repo=repo or home, packages=packages)
        if not repo and document.hints.product == document.home:
            # Without its repository, the title may name the product.
            document = replace(document, hints=replace(document.hints, product=None, title=None))
        documents[name] = document
    return tuple(reversed(documents.values()))


def _repository(url: str) -> str:
    """Return the repository's name in a release's address (`repo` in `…/owner/repo/releases/tag/v1`), else ""."""
    parts = urlsplit(url).path.strip("/").split("/") if is_web_address(url) else []
    return parts[1] if len(parts) > 3 and "releases" in parts[2:4] else ""


def _json_releases(text: str) -> Iterator[object]:
    """Yield the releases in consecutive JSON values, arrays flattened; raise SourceError if malformed or too many."""
    decoder = json.JSONDecoder()
    at = seen = 0
    try:
        while (at := _BLANK.match(text, at).end()) < len(text):  # type: ignore[union-attr]  # it matches nothing, too
            value, at = decoder.raw_decode(text, at)
            for page in value if isinstance(value, list) else [value]:
                for release in page if isinstance(page, list) else [page]:
                    seen += 1
                    if seen > _MAX_RELEASES:
                        raise SourceError(f"holds more than {_MAX_RELEASES:,} releases; split it")
                    yield release
    except (ValueError, RecursionError) as error:
        reason = str(error)[:100] if isinstance(error, json.JSONDecodeError) else "it is nested too deep or malformed"
        raise SourceError(f"is JSON of releases that can't be read ({reason}); save it anew") from error
