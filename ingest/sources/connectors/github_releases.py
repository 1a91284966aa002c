"""Reads the releases of GitHub's API: each release's text below its name."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.releases.subjects import letters
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


class Release(BaseModel):
    """A release as its maintainers wrote it, with the fields of the API."""

    model_config = ConfigDict(frozen=True)

    tag_name: _Short
    name: _Short | None = None
    body: str | None = None  # Markdown.
    draft: bool = False
    prerelease: bool = False
    html_url: str = ""
    created_at: datetime | None = None
    published_at: datetime | None = None


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
