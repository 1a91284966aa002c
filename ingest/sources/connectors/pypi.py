"""`pypi:name[==version]`: the changelog in a package's source archive, from the index that pip is set to.

Archives are opened in memory and nothing in them runs, which is why pip doesn't download them: for a source archive it
would run the package's own build.
"""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import replace
from email.parser import BytesHeaderParser
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.utils import canonicalize_name

from corpus.errors import SourceError, UsageError
from ingest.sources.connectors.archives import MAX_ARCHIVE_BYTES, Member, read_members
from ingest.sources.connectors.changelog_files import as_documents, choose_notes, is_notes_path
from ingest.sources.connectors.model import ConnectorSettings, Fetched, NoNotes, SourceGone, Unchanged
from ingest.sources.connectors.package_pages import ACCEPT, PackageFile, choose_file, package_file, read_package_page
from ingest.sources.connectors.pip_settings import PackageIndex, PipSettings, read_pip_settings
from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient
from ingest.sources.web_addresses import is_web_address

_NAME = re.compile(
    r"pypi:(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,200}[A-Za-z0-9])?)(?:==(?P<version>[\w.!+-]{1,80}))?", re.ASCII
)
_ARCHIVE_SECONDS = 300.0
_MAX_PAGE_BYTES = 32 * 1024 * 1024
_METADATA = frozenset({"PKG-INFO", "METADATA"})
_CHANGES_LABEL = re.compile(r"change|release|history|news|what", re.IGNORECASE)


class PypiConnector:
    """Fetches packages from the indexes that pip is set to."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._settings = settings

    def name(self, argument: str) -> str:
        """See `Connector`."""
        match = _NAME.fullmatch("pypi:" + "".join(argument.partition(":")[2].split()))
        if match is None:
            raise UsageError(f"Cannot ingest {argument!r}: write pypi:name or pypi:name==1.2.3.")
        version = f"=={match['version']}" if match["version"] else ""
        return f"pypi:{canonicalize_name(match['name'])}{version}"

    def fetch(self, uri: str, *, state: str) -> Fetched | Unchanged:
        """See `Connector`."""
        match = _NAME.fullmatch(uri)
        if match is None:
            raise SourceError("isn't a package's name")
        name = match["name"]
        file = choose_file(self._files(name), version=match["version"])
        if file is None:
            raise SourceGone(f"the index that pip is set to has no {uri.removeprefix('pypi:')}; check name and version")
        now = json.dumps([str(file.version), file.seal])
        if state == now:
            return Unchanged(state)
        members = read_members(self._download(file), wanted=_is_wanted)
        notes = choose_notes(members)
        changes, link = _links(members)
        if not notes:
            kind = "source archive" if file.is_sdist else "wheel"
            elsewhere = f"; its metadata names {link}" if link else ""
            raise NoNotes(f"the {kind} of {name} {file.version} holds no changelog{elsewhere}", state=now)
        return Fetched(as_documents(notes, uri=uri, product=name, url=changes or None), state=now)

    def read_source_files(self, package: str, version: str, paths: Collection[str]) -> tuple[Member, ...]:
        """The files at `paths` of one version's source archive, below its one folder; those it lacks are left out.

        Raises:
            SourceGone: the index has no source archive of that version.
            SourceError: the index or the archive can't be read.
        """
        file = choose_file(self._files(canonicalize_name(package)), version=version)
        if file is None or not file.is_sdist:
            raise SourceGone(f"the index that pip is set to has no source archive of {package} {version}")
        return read_members(self._download(file), wanted=frozenset(paths).__contains__)

    @cached_property
    def _pip(self) -> PipSettings:
        return read_pip_settings(self._settings.environment)

    @cached_property
    def _client(self) -> WebClient:
        """A client for which the indexes are the user's own servers."""
        parts = [urlsplit(index.url) for index in self._pip.indexes]
        hosts = tuple(part.hostname for part in parts if part.hostname)
        web = self._settings.web
        proxies = {"HTTPS_PROXY": self._pip.proxy, "HTTP_PROXY": self._pip.proxy} if self._pip.proxy else {}
        return WebClient(
            replace(
                web,
                allowed_hosts=(*web.allowed_hosts, *(part.netloc.rpartition("@")[2].lower() for part in parts), *hosts),
                neighbours=hosts,
                ca_bundle=self._pip.ca_bundle,
                environment={**web.environment, **proxies},
                max_bytes=MAX_ARCHIVE_BYTES,
                seconds=_ARCHIVE_SECONDS,
            )
        )

    def _files(self, name: str) -> tuple[PackageFile, ...]:
        """Every archive of a package, of all indexes and folders.

        Raises:
            SourceError: an index can't be read, and no other has the package.
        """
        found: list[PackageFile] = []
        failures: list[SourceError] = []
        for index in self._pip.indexes:
            try:
                found += self._listed(index, name)
            except WebError as error:
                if not error.is_gone:
                    failures.append(error)
        for folder in map(Path, self._pip.folders):
            links = [file.absolute().as_uri() for file in folder.iterdir()] if folder.is_dir() else []
            found += [file for link in links if (file := package_file(link, name))]
        if failures and not found:
            raise SourceError(f"the index that pip is set to can't be asked: {failures[0]}")
        return tuple(found)

    def _listed(self, index: PackageIndex, name: str) -> tuple[PackageFile, ...]:
        url = f"{index.url}{name}/"
        if urlsplit(index.url).scheme == "file":
            page = Path(unquote(urlsplit(url).path)) / "index.html"
            return read_package_page(page.read_bytes(), "text/html", url=url, name=name) if page.is_file() else ()
        headers = {"Accept": ACCEPT} | ({"Authorization": index.authorization} if index.authorization else {})
        answer = self._client.get(url, headers=headers, max_bytes=_MAX_PAGE_BYTES)
        files = read_package_page(answer.content, answer.media_type, url=answer.url, name=name)
        # A page from the network mustn't name files of this machine.
        return tuple(file for file in files if not file.url.lower().startswith("file:"))

    def _download(self, file: PackageFile) -> bytes:
        parts = urlsplit(file.url)
        if parts.scheme == "file":
            content = _read_local(Path(unquote(parts.path)))
        else:
            index = next((one for one in self._pip.indexes if urlsplit(one.url).netloc == parts.netloc), None)
            headers = {"Authorization": index.authorization} if index and index.authorization else {}
            content = self._client.get(file.url, headers=headers).content
        if file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
            raise SourceError("what was downloaded isn't the file that the index names: its SHA-256 differs")
        return content


def _read_local(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_ARCHIVE_BYTES:
            raise SourceError(f"is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path.name!r} can't be read ({error.strerror}); check pip's settings") from error


def _is_wanted(path: str) -> bool:
    return path in _METADATA or is_notes_path(path)


def _links(members: tuple[Member, ...]) -> tuple[str, str]:
    """From the package's metadata, the address of its changelog, and the best to send a reader to; empty for none."""
    stated = next((one.content for one in members if one.path.rpartition("/")[2] in _METADATA), b"")
    headers = BytesHeaderParser().parsebytes(stated[:200_000])
    labelled = [one.partition(",") for one in map(str, headers.get_all("Project-URL", []))]
    links = [(label, link.strip()) for label, _, link in labelled if is_web_address(link.strip())]
    changes = next((link for label, link in links if _CHANGES_LABEL.search(label)), "")
    home = str(headers.get("Home-page", ""))
    return changes, changes or next((link for _, link in links), home if is_web_address(home) else "")
