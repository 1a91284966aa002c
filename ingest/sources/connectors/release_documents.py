"""Releases of a repository as documents: each one's text below its name, as a page shows it."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

from corpus.errors import SourceError
from corpus.model import Authority
from corpus.versions import Version
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.releases.names import name_by_place
from ingest.sources.connectors.github_answers import ApiRelease, check_releases
from ingest.sources.connectors.model import FetchedDocument

_TAG_OF_PACKAGE = re.compile(
    r"(?P<package>@?[\w.-]*[A-Za-z][\w.-]*?(?:/[\w.-]+?)?)(?:@|[-_/](?=v\d)|/)v?(?P<version>\d.*)"
)
_MAX_TAG_CHARACTERS = 200
_MAX_RELEASES = 20_000
_BLANK = re.compile(r"[\s,]*")


def release_document(release: ApiRelease, *, source: str, repo: str) -> FetchedDocument:
    """One release with a text; `source` is what citations call it."""
    of_package = _TAG_OF_PACKAGE.fullmatch(release.tag_name[:_MAX_TAG_CHARACTERS])
    version = Version.try_parse(release.tag_name)
    product = repo
    if version is None and of_package:
        version = Version.try_parse(of_package["version"])
        product = of_package["package"]
    title = " ".join((release.name or release.tag_name).split())
    is_named = any(name.casefold() in title.casefold() for name in (product, repo))
    day = release.published_at or release.created_at
    return FetchedDocument(
        source=source,
        place="release.md",
        home=repo,
        content=f"# {title}\n\n{release.body}\n".encode(errors="replace"),
        hints=Hints(
            product=product,
            version=version,
            title=title if is_named else f"{product} {title}",
            url=release.html_url or None,
            day=day.date() if day else None,
            authority=Authority.OFFICIAL,
        ),
    )


def read_releases_file(content: bytes, *, source: str, place: str) -> tuple[FetchedDocument, ...]:
    """The releases of a file that holds what `gh api` or `gh release view --json` prints, newest first as it is.

    Several answers one after another (`gh api --paginate`), arrays of arrays (`--slurp`), one release alone and a line
    for each are all read. Drafts and releases without a text are left out. `place`, a path, names the product where
    no address of a repository does.

    Raises:
        SourceError: it isn't such JSON, or none of its releases has a text.
    """
    releases = check_releases(list(_values(decode(content))))
    told = [one for one in releases if not one.draft and (one.body or "").strip()]
    if not told:
        raise SourceError(
            "lists releases without their notes, as `gh release list` does; "
            "save what `gh api --paginate repos/OWNER/REPO/releases` prints"
        )
    documents = {}
    for one in reversed(told):
        repo = _repository(one.html_url) or name_by_place("index.json", root=place)
        found = release_document(one, source=f"{source}#{''.join(one.tag_name.split())}", repo=repo)
        documents[found.source] = found if _repository(one.html_url) else _named_by_place(found)
    return tuple(reversed(documents.values()))


def _named_by_place(document: FetchedDocument) -> FetchedDocument:
    """A release whose repository nobody names: its own title may name the product."""
    hints = document.hints
    if hints.product != document.home:
        return document
    return replace(document, hints=replace(hints, product=None, title=None))


def _repository(url: str) -> str:
    """The repository of a release's address (`https://github.com/owner/repo/releases/tag/v1`); empty for another."""
    parts = urlsplit(url).path.strip("/").split("/")
    return parts[1] if len(parts) > 3 and "releases" in parts[2:4] else ""


def _values(text: str) -> Iterator[object]:
    """The releases in JSON values that stand one after another, arrays unfolded."""
    decoder = json.JSONDecoder()
    at = _end_of_blank(text, 1 if text.startswith("\ufeff") else 0)
    seen = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            at = _end_of_blank(text, at)
            for one in _unfolded(value):
                seen += 1
                if seen > _MAX_RELEASES:
                    raise SourceError(f"holds more than {_MAX_RELEASES:,} releases; split it")
                yield one
    except (ValueError, RecursionError) as error:
        reason = str(error)[:100] if isinstance(error, json.JSONDecodeError) else "it is nested too deep or malformed"
        raise SourceError(f"is JSON of releases that can't be read ({reason}); save it anew") from error


def _unfolded(value: object) -> Iterator[object]:
    if not isinstance(value, list):
        yield value
        return
    for one in value:
        yield from one if isinstance(one, list) else (one,)


def _end_of_blank(text: str, start: int) -> int:
    blank = _BLANK.match(text, start)
    return blank.end() if blank else start
