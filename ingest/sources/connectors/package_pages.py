"""What an index says of a package: its files.

Source: the simple repository API, PEP 503 (HTML), PEP 592 (yanked) and PEP 691 (JSON).
"""

import json
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml import etree, html  # type: ignore[import-untyped]  # lxml has no type hints
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

from corpus.errors import SourceError
from ingest.sources.web_addresses import joined

ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.5"


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One archive of a package."""

    url: str
    version: Version
    is_sdist: bool
    is_yanked: bool = False
    sha256: str = ""
    """Empty where the index tells none."""

    @property
    def seal(self) -> str:
        """What is the same as long as the file is."""
        return self.sha256 or self.url


def read_package_page(content: bytes, media_type: str, *, url: str, name: str) -> tuple[PackageFile, ...]:
    """The archives of `name` that a page of an index lists.

    Raises:
        SourceError: it isn't such a page.
    """
    is_json = media_type.endswith("+json") or media_type == "application/json"
    return _read_json(content, url, name) if is_json else _read_html(content, url, name)


def package_file(link: str, name: str, *, is_yanked: bool = False, sha256: str = "") -> PackageFile | None:
    """The archive that an address leads to, told by its name; None where it is no sdist or wheel of `name`."""
    address, fragment = urldefrag(link)
    filename = unquote(urlsplit(address).path.rpartition("/")[2])
    is_sdist = not filename.endswith(".whl")
    try:
        found = parse_sdist_filename(filename)[:2] if is_sdist else parse_wheel_filename(filename)[:2]
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return None
    if found[0] != canonicalize_name(name):
        return None
    told = fragment.removeprefix("sha256=") if fragment.startswith("sha256=") else ""
    return PackageFile(address, found[1], is_sdist, is_yanked, sha256 or told)


def choose_file(files: tuple[PackageFile, ...], *, version: str | None) -> PackageFile | None:
    """The archive to read: of `version`, else of the newest final version that isn't yanked, else of the newest at all.

    A source archive before a wheel: changelogs are seldom in wheels.
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


def _read_json(content: bytes, url: str, name: str) -> tuple[PackageFile, ...]:
    try:
        found = [
            package_file(
                urljoin(url, str(file["url"])),
                name,
                is_yanked=bool(file.get("yanked", False)),
                sha256=str(file.get("hashes", {}).get("sha256", "")),
            )
            for file in json.loads(content)["files"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceError("the index answers what can't be read; check that it is a package index") from error
    return tuple(file for file in found if file is not None)


def _read_html(content: bytes, url: str, name: str) -> tuple[PackageFile, ...]:
    try:
        page = html.document_fromstring(content)
    except (etree.ParserError, ValueError):  # nothing in it
        return ()
    # As HTML has it, only the first counts.
    stated = next((base.get("href") for base in page.iter("base") if base.get("href")), "")
    base = joined(url, stated) or url
    links = [(joined(base, link.get("href") or ""), "data-yanked" in link.attrib) for link in page.iter("a")]
    found = (package_file(link, name, is_yanked=is_yanked) for link, is_yanked in links)
    return tuple(file for file in found if file is not None)
