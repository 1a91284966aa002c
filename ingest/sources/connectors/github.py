"""`github:owner/repo[@ref]`: the releases of a repository, else its changelog file.

Each release is a document of its own, cited as `github:owner/repo@tag`, which names that release alone when it is
ingested. Releases whose texts only point elsewhere count as none where there is a changelog.

Source: GitHub's REST API, version 2022-11-28.
"""

import json
import re
from dataclasses import dataclass, replace
from statistics import median
from urllib.parse import quote, urlsplit

from corpus.errors import SourceError, UsageError
from corpus.model import Authority
from ingest.releases.identity import Hints
from ingest.sources.connectors.archives import Member
from ingest.sources.connectors.changelog_files import choose_notes, is_notes_path
from ingest.sources.connectors.github_answers import ApiRelease, TreeEntry, parse_entries, parse_release, parse_releases
from ingest.sources.connectors.github_api import GithubApi
from ingest.sources.connectors.model import ConnectorSettings, Fetched, FetchedDocument, SourceGone, Unchanged
from ingest.sources.connectors.release_documents import release_document
from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient

_NAME = re.compile(
    r"github:(?P<owner>[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))/(?P<repo>[\w.-]{1,100}?)(?:\.git)?(?:@(?P<ref>[^\s@?#][^\s?#]{0,250}))?",
    re.ASCII,
)
_FOLDERS = ("", "docs", "doc")
_MAX_FILES = 20
_POINTER_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class _Wanted:
    owner: str
    repo: str
    ref: str | None

    @property
    def path(self) -> str:
        return f"/repos/{self.owner}/{self.repo}"

    @property
    def uri(self) -> str:
        return f"github:{self.owner}/{self.repo}{f'@{self.ref}' if self.ref else ''}"


class GithubConnector:
    """Fetches releases and changelogs by GitHub's API."""

    def __init__(self, settings: ConnectorSettings) -> None:
        host = urlsplit(settings.github_api_url).netloc.lower()
        # Whoever sets the address of the API has named its host.
        web = replace(settings.web, allowed_hosts=(*settings.web.allowed_hosts, host))
        self._api = GithubApi(WebClient(web), settings.github_api_url, settings.github_token)

    def name(self, argument: str) -> str:
        """See `Connector`."""
        wanted = _parse("github:" + argument.partition(":")[2].strip().removesuffix("/"))
        if wanted is None:
            raise UsageError(f"Cannot ingest {argument!r}: write github:owner/repo or github:owner/repo@tag.")
        return wanted.uri

    def fetch(self, uri: str, *, state: str) -> Fetched | Unchanged:
        """See `Connector`."""
        wanted = _parse(uri)
        if wanted is None:
            raise SourceError("isn't a repository's name")
        known = json.loads(state) if state else {}
        if (etags := known.get("pages")) and self._api.is_unchanged(etags):
            return Unchanged(state)
        try:
            return self._fetch(wanted, known=known.get("files", ""), state=state)
        except WebError as error:
            if error.is_gone:
                hint = "" if self._api.has_token else ", or shows it only to whoever has a token (set GITHUB_TOKEN)"
                raise SourceGone(f"GitHub has no {wanted.uri.removeprefix('github:')}{hint}") from error
            raise

    def _fetch(self, wanted: _Wanted, *, known: str, state: str) -> Fetched | Unchanged:
        releases, etags = self._releases(wanted)
        told = [one for one in releases if not one.draft and (one.body or "").strip()]
        pointing = not told or median(len(one.body or "") for one in told) < _POINTER_CHARACTERS
        if pointing:
            found = self._changelog(wanted, known=known, state=state)
            if found is not None:
                return found
        if not told:
            raise SourceError("has neither releases with notes nor a changelog file; give the address of its notes")
        documents = tuple(
            release_document(one, source=f"github:{wanted.owner}/{wanted.repo}@{one.tag_name}", repo=wanted.repo)
            for one in told
        )
        unique = {one.source: one for one in reversed(documents)}
        return Fetched(tuple(reversed(unique.values())), state=json.dumps({"pages": etags}))

    def _releases(self, wanted: _Wanted) -> tuple[tuple[ApiRelease, ...], dict[str, str]]:
        """The releases, newest first, and the ETag of each page of them."""
        if wanted.ref is None:
            releases: list[ApiRelease] = []
            etags: dict[str, str] = {}
            for answer in self._api.pages(f"{wanted.path}/releases?per_page=100"):
                releases += parse_releases(answer.content)
                etags[answer.url] = answer.validators.etag
            return tuple(releases), etags if all(etags.values()) else {}
        try:
            answer = self._api.get(f"{wanted.path}/releases/tags/{quote(wanted.ref, safe='')}")
        except WebError as error:
            if error.is_gone:
                return (), {}
            raise
        return (parse_release(answer.content),), {answer.url: answer.validators.etag} if answer.validators.etag else {}

    def _changelog(self, wanted: _Wanted, *, known: str, state: str) -> Fetched | Unchanged | None:
        """The changelog files at the wanted ref, pinned to its commit; None where there are none."""
        commit = self._api.commit(wanted.path, wanted.ref or "HEAD")
        entries = self._notes_entries(wanted.path, commit)
        blobs = " ".join(f"{one.path}={one.sha}" for one in entries)
        if not entries:
            return None
        if blobs == known:
            return Unchanged(state)
        members = [Member(one.path, self._api.file(wanted.path, one.path, commit)) for one in entries[:_MAX_FILES]]
        homes = {one.path: f"{one.home}/blob/{commit}/{quote(one.path)}" for one in entries}
        notes = choose_notes(members)
        documents = tuple(
            FetchedDocument(
                source=wanted.uri if number == 0 else f"{wanted.uri}#{one.path}",
                place=one.path,
                home=wanted.repo,
                content=one.content,
                hints=Hints(product=wanted.repo, url=homes[one.path], authority=Authority.OFFICIAL),
            )
            for number, one in enumerate(notes)
        )
        left = len(entries) - len(members)
        note = f"{left} more files of notes were left out; clone it and give the folder" if left > 0 else ""
        return Fetched(documents, state=json.dumps({"files": blobs}), note=note) if documents else None

    def _notes_entries(self, path: str, commit: str) -> tuple[TreeEntry, ...]:
        for folder in _FOLDERS:
            try:
                answer = self._api.get(f"{path}/contents/{folder}?ref={commit}".replace("/?", "?"))
            except WebError as error:
                if error.is_gone:
                    continue
                raise
            files = [one for one in parse_entries(answer.content) if one.type == "file" and one.size]
            if found := tuple(one for one in files if is_notes_path(one.path)):
                return found
        return ()


def _parse(uri: str) -> _Wanted | None:
    match = _NAME.fullmatch(uri)
    if match is None or match["repo"] in (".", ".."):
        return None
    return _Wanted(match["owner"], match["repo"], match["ref"])
