"""`github:owner/repo[@ref]`: the releases of a repository, each cited by its tag, else its changelog file.

Source: GitHub's REST API, version 2022-11-28.
"""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from statistics import median
from typing import TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from corpus.errors import SourceError, UsageError
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.connectors.archives import Member
from ingest.sources.connectors.changelog_files import as_documents, choose_notes, is_notes_path
from ingest.sources.connectors.github_releases import Release, name_packages, release_document, with_notes
from ingest.sources.web import WebAnswer, WebError
from ingest.sources.web.client import WebClient

_NAME = re.compile(
    r"github:(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/(?P<repo>[\w.-]{1,100}?)(?:\.git)?(?:@(?P<ref>[^\s@?#][^\s?#]{0,250}))?",
    re.ASCII,
)
_FOLDERS = ("", "docs", "doc")
_MAX_FILES = 20
_MAX_PAGES = 50
_POINTER_CHARACTERS = 120
_NEXT = re.compile(r"<(?P<url>[^<>\s]+)>[^<>,]*;\s*rel=\"?next\"?")
_COMMIT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_RAW = "application/vnd.github.raw+json"
_SHA = "application/vnd.github.sha"
_T = TypeVar("_T")


class FolderEntry(BaseModel):
    """A file or folder of a repository."""

    model_config = ConfigDict(frozen=True)

    path: str
    type: str
    sha: str  # Git's name of its content.
    size: int = 0
    html_url: str | None = None


class GithubConnector:
    """Fetches releases and changelogs by GitHub's API."""

    def __init__(self, settings: ConnectorSettings) -> None:
        host = urlsplit(settings.github_api_url).netloc.lower()
        # A configured API address is an allowed host.
        self._client = WebClient(replace(settings.web, allowed_hosts=(*settings.web.allowed_hosts, host)))
        self._base_url = settings.github_api_url.rstrip("/")
        self._token = settings.github_token

    def name(self, argument: str) -> str:
        """See `Connector`."""
        match = _NAME.fullmatch("github:" + argument.partition(":")[2].strip().removesuffix("/"))
        if match is None or match["repo"] in (".", ".."):
            raise UsageError(f"Cannot ingest {argument!r}: write github:owner/repo or github:owner/repo@tag.")
        return f"github:{match['owner']}/{match['repo']}" + (f"@{match['ref']}" if match["ref"] else "")

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """See `Connector`."""
        known = json.loads(state) if state else {}
        if (etags := known.get("pages")) and self._are_unchanged(etags):
            return None
        try:
            return self._fetch(uri, known_files=known.get("files", ""))
        except WebError as error:
            if error.is_gone:
                hint = "" if self._token else ", or shows it only to whoever has a token (set GITHUB_TOKEN)"
                raise SourceGone(f"GitHub has no {uri.removeprefix('github:')}{hint}") from error
            raise

    def _fetch(self, uri: str, *, known_files: str) -> Fetched | None:
        base, _, ref = uri.partition("@")
        repo = base.rpartition("/")[2]
        path = f"/repos/{base.removeprefix('github:')}"
        releases, etags = self._releases(path, ref)
        noted = with_notes(releases)
        if not noted or median(len(release.body or "") for release in noted) < _POINTER_CHARACTERS:
            # Pinned to the commit.
            url = f"{self._base_url}{path}/commits/{quote(ref or 'HEAD', safe='')}"
            named = self._get(url, accept=_SHA).content.strip()
            if not _COMMIT.fullmatch(named):
                raise SourceError("GitHub's API names no commit; try again later")
            commit = named.decode()
            entries = self._notes_entries(path, commit)
            blobs = " ".join(f"{entry.path}={entry.sha}" for entry in entries)
            if blobs and blobs == known_files:
                return None
            if fetched := self._changelog(entries, commit, uri=uri, path=path, repo=repo):
                return fetched._replace(state=json.dumps({"files": blobs}))
        if not noted:
            raise SourceError("has neither releases with notes nor a changelog file; give the address of its notes")
        documents, packages = {}, name_packages(noted, repo=repo)
        for release in reversed(noted):
            source = f"{base}@{release.tag_name}"
            documents[source] = release_document(release, source=source, repo=repo, packages=packages)
        return Fetched(tuple(reversed(documents.values())), state=json.dumps({"pages": etags}))

    def _releases(self, path: str, tag: str) -> tuple[list[Release], dict[str, str]]:
        """Return the releases, newest first, or only a tag's, none if it is gone; and the pages' ETags, if all have."""
        releases: list[Release] = []
        etags: dict[str, str] = {}
        url = f"{self._base_url}{path}/releases" + (f"/tags/{quote(tag, safe='')}" if tag else "?per_page=100")
        for _ in range(_MAX_PAGES):
            try:
                answer = self._get(url)
            except WebError as error:
                if tag and error.is_gone:
                    return [], {}
                raise
            releases += [parse_answer(Release, answer.content)] if tag else parse_answer(list[Release], answer.content)
            etags[answer.url] = answer.headers.get("etag", "")
            following = _NEXT.search(answer.headers.get("link", ""))
            if following is None:
                return releases, etags if all(etags.values()) else {}
            url = following["url"]
            # The token is sent along, so the address must be the API's.
            if not self._is_api_url(url):
                raise SourceError("GitHub's API continues on another host; check RELNOTES_GITHUB_API_URL")
        raise SourceError(
            f"has more than {_MAX_PAGES} pages of releases; ingest the ones you need by github:owner/repo@tag"
        )

    def _changelog(
        self, entries: tuple[FolderEntry, ...], commit: str, *, uri: str, path: str, repo: str
    ) -> Fetched | None:
        """Return the notes among the first 20 entries, and a remark about the others; None if they are no notes."""
        members = [
            Member(entry.path, self._get(self._contents_url(path, entry.path, commit), accept=_RAW).content)
            for entry in entries[:_MAX_FILES]
        ]
        homes = {entry.path: re.split("/blob/|/tree/", entry.html_url or "")[0] for entry in entries}
        pages = {place: f"{home}/blob/{commit}/{quote(place)}" for place, home in homes.items()}
        documents = as_documents(choose_notes(members), uri=uri, product=repo, pages=pages)
        left = len(entries) - len(members)
        note = f"{left} more files of notes were left out; clone it and give the folder" if left > 0 else ""
        return Fetched(documents, note=note) if documents else None

    def _notes_entries(self, path: str, commit: str) -> tuple[FolderEntry, ...]:
        """Return the files of notes in the first of the root, `docs` and `doc` that has some; () if none does."""
        for folder in _FOLDERS:
            try:
                answer = self._get(self._contents_url(path, folder, commit))
            except WebError as error:
                if error.is_gone:
                    continue
                raise
            files = (entry for entry in parse_answer(list[FolderEntry], answer.content) if entry.type == "file")
            if notes := tuple(file for file in files if file.size and is_notes_path(file.path)):
                return notes
        return ()

    def _contents_url(self, path: str, place: str, commit: str) -> str:
        return f"{self._base_url}{path}/contents/{quote(place)}".removesuffix("/") + f"?ref={commit}"

    def _are_unchanged(self, etags: dict[str, str]) -> bool:
        """Return whether no page has changed since it had this ETag; False if one is gone."""
        try:
            return all(self._is_api_url(url) and self._get(url, etag=etag).is_unchanged for url, etag in etags.items())
        except WebError as error:
            if error.is_gone:
                return False
            raise

    def _is_api_url(self, url: str) -> bool:
        requested, api = urlsplit(url), urlsplit(self._base_url)
        return (requested.scheme, requested.netloc.lower()) == (api.scheme, api.netloc.lower())

    def _get(self, url: str, *, accept: str = "application/vnd.github+json", etag: str = "") -> WebAnswer:
        """Return the API's answer.

        Raises:
            WebError: an error, or a reached limit, with the time when it ends.
        """
        headers = {"Accept": accept, "X-GitHub-Api-Version": "2022-11-28"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            return self._client.get(url, headers=headers | ({"If-None-Match": etag} if etag else {}))
        except WebError as error:
            if error.status in (403, 429):
                raise self._refusal_error(error) from error
            if error.status == 401:
                raise WebError("GitHub refuses the token; set GITHUB_TOKEN to one that is valid", status=401) from error
            raise

    def _refusal_error(self, error: WebError) -> WebError:
        """Return the error for a refusal: a limit with its end, or a lack of permission."""
        reset = error.headers.get("x-ratelimit-reset", "")
        wait = error.headers.get("retry-after", "")
        advice = "try again then" if self._token else "set GITHUB_TOKEN for a higher limit, or try again then"
        if error.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal() and len(reset) < 12:
            end = datetime.fromtimestamp(int(reset), UTC)
            return WebError(f"GitHub's rate limit is used up until {end:%Y-%m-%d %H:%M} UTC; {advice}", status=429)
        if wait.isdecimal():
            return WebError(f"GitHub asks to wait {wait} s; {advice}", status=429)
        return WebError("GitHub doesn't let it be read; check that GITHUB_TOKEN may see it", status=error.status)


def parse_answer(kind: type[_T], content: bytes) -> _T:
    """Return an answer of GitHub's API, as JSON, as checked objects of this kind.

    Raises:
        SourceError: it isn't of that kind.
    """
    try:
        return TypeAdapter(kind).validate_json(content)
    except ValidationError as error:
        raise SourceError(
            "GitHub's API answers what can't be read; check RELNOTES_GITHUB_API_URL and try again"
        ) from error
