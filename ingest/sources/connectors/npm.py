"""`npm:name[@version]`: the changelog in a package's archive, fetched by the user's npm with its registry and tokens.

No script of a package runs: npm only downloads, and the archive is opened in memory.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus.errors import SourceError, UsageError
from corpus.versions import Version
from ingest.sources.connectors import ConnectorSettings, Fetched, SourceGone
from ingest.sources.connectors.archives import MAX_ARCHIVE_BYTES, MAX_UNFOLDED_BYTES, Member
from ingest.sources.connectors.changelog_files import as_documents, read_notes
from ingest.sources.connectors.registry_clients import run_client
from ingest.web_addresses import is_web_address

_NAME = re.compile(
    r"npm:(?P<name>(?:@[a-z0-9~][\w.~-]*/)?[A-Za-z0-9~_][\w.~-]*)(?:@(?P<version>[A-Za-z0-9][\w.+-]*))?", re.ASCII
)
_MAX_NAME = 214
_QUIET = ("--json", "--ignore-scripts", "--loglevel=silent", "--no-update-notifier", "--fetch-retries=1")
_INSTALL = "install Node.js with npm, or give the notes as a file"
_SETTINGS = ("NPM_CONFIG_*", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA")
_REFERENCE = re.compile(r"\$\{(\w+)")


class NpmConnector:
    """Fetches packages by the user's npm."""

    def __init__(self, settings: ConnectorSettings) -> None:
        self._environment = settings.web.environment

    def name(self, argument: str) -> str:
        """See `Connector`."""
        match = _NAME.fullmatch(f"npm:{argument.partition(':')[2].strip()}")
        if match is None or len(match["name"]) > _MAX_NAME:
            raise UsageError(f"Cannot ingest {argument!r}: write npm:name, npm:@scope/name or npm:name@1.2.3.")
        return match.group()

    def fetch(self, uri: str, *, state: str) -> Fetched | None:
        """See `Connector`."""
        match = _NAME.fullmatch(uri)
        if match is None:
            raise SourceError("isn't a package's name")
        name, wanted = match["name"], match["version"]
        spec = f"{name}@{wanted}" if wanted else name
        package = self._run_npm("view", spec, "name", "version", "dist", "repository", "homepage")
        if isinstance(package, list):  # a tag or a version that several packages fit
            package = package[-1] if package else {}
        if not isinstance(package, dict) or "version" not in package:
            raise _refusal_error(package, spec)
        dist = package["dist"] if isinstance(package.get("dist"), dict) else {}
        version = str(package["version"])
        now = json.dumps([version, str(dist.get("integrity") or dist.get("shasum") or "")])
        if state == now:
            return None
        link = next(iter(_project_links(package)), "")
        size = dist.get("unpackedSize", 0)
        if isinstance(size, int) and size > MAX_UNFOLDED_BYTES:
            raise SourceError(f"{name} {version} is {size / 2**20:,.0f} MiB, over the limit; give its notes as a file")
        notes, remark = self._read_notes(name, version)
        note = "" if notes else f"{name} {version} ships no changelog"
        if not notes and link:
            note += f"; its project is at {link}"
        documents = as_documents(notes, uri=uri, product=name, version=Version.try_parse(version))
        return Fetched(documents, now, "; ".join(filter(None, (note, remark))))

    def _read_notes(self, name: str, version: str) -> tuple[tuple[Member, ...], str]:
        """Return a version's notes and the remark on them, as `read_notes` does."""
        with tempfile.TemporaryDirectory(prefix="relnotes-") as folder:
            packed = self._run_npm("pack", f"{name}@{version}", f"--pack-destination={folder}")
            files = list(Path(folder).iterdir())
            if not files:
                raise _refusal_error(packed, name)
            if files[0].stat().st_size > MAX_ARCHIVE_BYTES:
                raise SourceError(f"{name} {version} is an archive over the limit of {MAX_ARCHIVE_BYTES // 2**20} MiB")
            content = files[0].read_bytes()
        return read_notes(content)

    def _run_npm(self, *words: str) -> Any:
        keeps = (*_SETTINGS, *_variables_in_settings(self._environment))
        printed = run_client(("npm", *words, *_QUIET), environment=self._environment, keeps=keeps, install=_INSTALL)
        try:
            return json.loads(printed) if printed.strip() else {}
        except (ValueError, RecursionError) as error:
            raise SourceError("npm answers what can't be read; try `npm view` yourself") from error


def _variables_in_settings(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that the user's npmrc refers to, `NPM_TOKEN` for `${NPM_TOKEN}`; () if it can't be read."""
    stated = environment.get("npm_config_userconfig") or environment.get("NPM_CONFIG_USERCONFIG")
    try:
        text = Path(stated or Path(environment.get("HOME", "~"), ".npmrc")).expanduser().read_text(errors="replace")
    except (OSError, RuntimeError):
        return ()
    return tuple(_REFERENCE.findall(text))


def _refusal_error(answer: Any, spec: str) -> SourceError:
    """Return the error for npm's account of a failure: SourceGone if there is no such package, or no account."""
    error = answer.get("error", {}) if isinstance(answer, dict) else {}
    code = str(error.get("code", "")) if isinstance(error, dict) else ""
    if code in ("E404", "ETARGET") or not answer:
        return SourceGone(f"the registry that npm is set to has no {spec}; check the name and the version")
    reply = " ".join(str(error.get("summary", "")).split())[:200] if isinstance(error, dict) else ""
    return SourceError(f"npm can't fetch {spec} ({code or 'no reason given'}{f': {reply}' if reply else ''})")


def _project_links(package: dict[str, Any]) -> list[str]:
    """Return the addresses of a package's repository and home page, those that it states."""
    repository = package.get("repository", "")
    stated = repository.get("url", "") if isinstance(repository, dict) else repository
    link = re.sub(r"^git\+|\.git$", "", str(stated)).replace("git://", "https://")
    if short := re.fullmatch(r"(?:github:)?([\w.-]+/[\w.-]+)", link):
        link = f"https://github.com/{short[1]}"
    return [address for address in (link, str(package.get("homepage", ""))) if is_web_address(address)]
