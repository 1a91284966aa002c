"""`pypi:name[==version]`: the changelog in a package's source archive, from the index that pip is configured to use.

pip itself doesn't download it, because it would run the source archive's build; nothing in an archive is run here.
Source: the simple repository API, PEP 503 (HTML), PEP 592 (yanked) and PEP 691 (JSON).
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from email.parser import BytesHeaderParser
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urlsplit

from lxml import etree, html  # type: ignore[import-untyped]  # lxml has no type hints
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from corpus.errors import SourceError, UsageError
from corpus.versions import Version as ReleaseVersion
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.connectors.archives import MAX_ARCHIVE_BYTES, Member, read_package
from ingest.sources.connectors.changelog_files import as_documents, read_notes
from ingest.sources.connectors.registry_clients import PipSettings, read_pip_settings
from ingest.sources.web import WebError
from ingest.sources.web.client import WebClient
from ingest.sources.web.connecting import host_and_port
from ingest.web_addresses import is_web_address, join_url

_NAME = re.compile(
    r"pypi:(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]{0,200}[A-Za-z0-9])?)(?:==(?P<version>[\w.!+-]{1,80}))?", re.ASCII
)
_ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"
_ARCHIVE_SECONDS = 300.0
_MAX_PAGE_BYTES = 32 * 1024 * 1024
_OF_CHANGES = re.compile(r"(?i)change|release|history|news|what")
_METADATA = frozenset({"PKG-INFO", "METADATA"})


class PackageFile(NamedTuple):
    """One archive of a package."""

    url: str
    version: Version
    is_sdist: bool
    is_yanked: bool = False
    sha256: str = ""  # Empty if the index states none.


class PypiConnector:
    """Fetches packages from pip's configured indexes."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._web = settings.web

    def name(self, argument: str) -> str:
        """See `Connector`."""
        match = _NAME.fullmatch("pypi:" + "".join(argument.partition(":")[2].split()))
        if match is None:
            raise UsageError(f"Cannot ingest {argument!r}: write pypi:name or pypi:name==1.2.3.")
        version = f"=={match['version']}" if match["version"] else ""
        return f"pypi:{canonicalize_name(match['name'])}{version}"

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """See `Connector`."""
        name, _, version = uri.removeprefix("pypi:").partition("==")
        file = choose_file(self._files(name), version=version or None)
        if file is None:
            raise SourceGone(f"the index that pip is set to has no {uri.removeprefix('pypi:')}; check name and version")
        now = json.dumps([str(file.version), file.sha256 or file.url])
        if state == now:
            return None
        content = self._download(file)
        notes, remark = read_notes(content)
        metadata = read_package(content, lambda path: path.rpartition("/")[2] in _METADATA)
        changes, home = _metadata_links(metadata)
        if notes:
            archive = ReleaseVersion.try_parse(str(file.version))
            documents = as_documents(notes, uri=uri, product=name, url=changes, version=archive)
            return Fetched(documents, now, remark)
        kind = "source archive" if file.is_sdist else "wheel"
        elsewhere = f"its metadata names {changes or home}" if changes or home else ""
        problem = f"the {kind} of {name} {file.version} holds no changelog"
        return Fetched((), now, "; ".join(filter(None, (problem, elsewhere, remark))))

    def read_source_files(self, package: str, version: str, paths: Collection[str]) -> tuple[Member, ...]:
        """Return the existing ones of the files at `paths`, relative to the one folder in a version's source archive.

        Raises:
            SourceGone: the index has no source archive of that version.
            SourceError: the index or the archive can't be read.
        """
        file = choose_file(self._files(canonicalize_name(package)), version=version)
        if file is None or not file.is_sdist:
            raise SourceGone(f"the index that pip is set to has no source archive of {package} {version}")
        return read_package(self._download(file), frozenset(paths).__contains__)

    @cached_property
    def _pip(self) -> PipSettings:
        return read_pip_settings(self._web.environment)

    @cached_property
    def _client(self) -> WebClient:
        """A client that treats the indexes as the user's own servers."""
        web, pip = self._web, self._pip
        hosts = tuple(host for index in pip.indexes if (host := host_and_port(index.url)))
        proxies = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY"), pip.proxy) if pip.proxy else {}
        return WebClient(
            replace(
                web,
                allowed_hosts=(*web.allowed_hosts, *hosts),
                neighbours=hosts,
                ca_bundle=pip.ca_bundle,
                environment={**web.environment, **proxies},
                max_bytes=MAX_ARCHIVE_BYTES,
                seconds=_ARCHIVE_SECONDS,
            )
        )

    def _files(self, name: str) -> tuple[PackageFile, ...]:
        """Return every archive of a package, from all indexes.

        Raises:
            SourceError: an index can't be read, and no other has the package.
        """
        files: list[PackageFile] = []
        failures: list[SourceError] = []
        for index in self._pip.indexes:
            headers = {"Accept": _ACCEPT, **index.headers}
            try:
                answer = self._client.get(f"{index.url}{name}/", headers=headers, max_bytes=_MAX_PAGE_BYTES)
                files += read_package_page(answer.content, answer.media_type, url=answer.url, name=name)
            except WebError as error:
                if not error.is_gone:
                    failures.append(error)
        if failures and not files:
            raise SourceError(f"the index that pip is set to can't be asked: {failures[0]}")
        return tuple(files)

    def _download(self, file: PackageFile) -> bytes:
        host = urlsplit(file.url).netloc
        headers = next((index.headers for index in self._pip.indexes if urlsplit(index.url).netloc == host), {})
        content = self._client.get(file.url, headers=headers).content
        if file.sha256 and hashlib.sha256(content).hexdigest() != file.sha256:
            raise SourceError("what was downloaded isn't the file that the index names: its SHA-256 differs")
        return content


def _metadata_links(metadata: tuple[Member, ...]) -> tuple[str | None, str | None]:
    """Return two addresses in a package's metadata: its changelog's, and the first."""
    outermost = min(metadata, key=lambda member: member.path.count("/"), default=Member("", b""))
    headers = BytesHeaderParser().parsebytes(outermost.content[:200_000])
    lines = (*map(str, headers.get_all("Project-URL", [])), f"home,{headers.get('Home-page', '')}")
    links = [(label, link.strip()) for label, _, link in (line.partition(",") for line in lines)]
    addresses = (link for _, link in links if is_web_address(link))
    changes = (link for label, link in links if _OF_CHANGES.search(label) and is_web_address(link))
    return next(changes, None), next(addresses, None)


def read_package_page(content: bytes, media_type: str, *, url: str, name: str) -> tuple[PackageFile, ...]:
    """Return the source archives and wheels of `name` that an index's page lists, by their file names.

    Raises:
        SourceError: it isn't such a page.
    """
    try:
        links = _json_links(content) if media_type.endswith(("+json", "/json")) else _html_links(content, url)
        files = (_package_file(join_url(url, link), name, is_yanked, digest) for link, is_yanked, digest in links)
        return tuple(filter(None, files))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceError("the index answers what can't be read; check that it is a package index") from error


def _json_links(content: bytes) -> Iterator[tuple[str, bool, str]]:
    """Yield each file's address, whether it is yanked, and its SHA-256, empty if not stated."""
    for file in json.loads(content)["files"]:
        yield str(file["url"]), bool(file.get("yanked")), str(file.get("hashes", {}).get("sha256", ""))


def _html_links(content: bytes, url: str) -> Iterator[tuple[str, bool, str]]:
    try:
        page = html.document_fromstring(content)
    except (etree.ParserError, ValueError):  # nothing in it
        return
    # Only the first `base` counts, by HTML's rules.
    stated = next((base.get("href") for base in page.iter("base") if base.get("href")), "")
    base = join_url(url, stated) or url
    for link in page.iter("a"):
        address, _, digest = join_url(base, link.get("href") or "").partition("#sha256=")
        yield address, "data-yanked" in link.attrib, digest


def _package_file(link: str, name: str, is_yanked: bool, sha256: str) -> PackageFile | None:
    address = urldefrag(link).url
    filename = unquote(urlsplit(address).path.rpartition("/")[2])
    is_sdist = not filename.endswith(".whl")
    try:
        package, version = parse_sdist_filename(filename) if is_sdist else parse_wheel_filename(filename)[:2]
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return None
    return PackageFile(address, version, is_sdist, is_yanked, sha256) if package == canonicalize_name(name) else None


def choose_file(files: tuple[PackageFile, ...], *, version: str | None) -> PackageFile | None:
    """Return the archive to read: of `version`, or if that is None of the newest, final and not yanked if possible.

    Source archives go before wheels, which seldom contain changelogs. None if there is no such archive.
    """
    try:
        wanted = Version(version) if version else None
    except InvalidVersion:
        return None
    return max(
        (file for file in files if wanted is None or file.version == wanted),
        key=lambda file: (not file.is_yanked, not file.version.is_prerelease, file.version, file.is_sdist, file.url),
        default=None,
    )
