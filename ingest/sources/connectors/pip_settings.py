"""What the user's pip is set to: indexes, folders of archives, certificates, proxy.

Asked of pip itself, so that its files, their order and `PIP_CONFIG_FILE` are pip's affair; `PIP_*` of the environment
win. Without pip, the environment alone counts.
"""

import ast
import base64
import netrc
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from corpus.errors import SourceError
from ingest.sources.connectors.programs import run_client

_DEFAULT_INDEX = "https://pypi.org/simple"
_SCOPES = ("global", "install", "download", ":env:")
"""Later ones win."""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """An index of packages, as PEP 503 describes one."""

    url: str
    """Without a user's name and password, with a final slash; http, https or file."""
    authorization: str = field(default="", repr=False)
    """The value of the header that the index wants; empty for none."""


@dataclass(frozen=True, slots=True)
class PipSettings:
    """Where packages come from."""

    indexes: tuple[PackageIndex, ...]
    """In pip's order; a version may come from any of them."""
    folders: tuple[str, ...] = ()
    """Local folders of archives (`find-links`)."""
    ca_bundle: str = ""
    proxy: str = field(default="", repr=False)


def read_pip_settings(environment: Mapping[str, str]) -> PipSettings:
    """The settings of the user's pip; `environment` is the process's."""
    stated = parse_pip_settings(_ask_pip(environment))
    # pip tells its environment too, but not where it is missing.
    stated |= {
        name[4:].lower().replace("_", "-"): value
        for name, value in environment.items()
        if name.startswith("PIP_") and value
    }
    urls = [] if stated.get("no-index", "").lower() in ("1", "true", "yes", "on") else [
        stated.get("index-url", _DEFAULT_INDEX), *stated.get("extra-index-url", "").split()
    ]  # fmt: skip
    links = stated.get("find-links", "").split()
    return PipSettings(
        indexes=tuple(_index(url, environment) for url in dict.fromkeys(urls)),
        folders=tuple(folder for link in links if (folder := local_folder(link))),
        ca_bundle=stated.get("cert", ""),
        proxy=stated.get("proxy", ""),
    )


def _ask_pip(environment: Mapping[str, str]) -> str:
    """What pip tells of its settings: our own environment's, else the one on the path; empty without any."""
    for program in ((sys.executable, "-m", "pip"), ("pip",)):
        try:
            printed = run_client((*program, "config", "list"), environment=environment, install="install pip")
        except SourceError:
            continue
        if printed.strip():
            return printed
    return ""


def parse_pip_settings(printed: str) -> dict[str, str]:
    """The settings that `pip config list` prints, by name without scope; the strongest scope's value each."""
    found: dict[str, str] = {}
    lines = [line.partition("=") for line in printed.splitlines()]
    for scope in _SCOPES:
        for key, equals, value in lines:
            if equals and key.startswith(f"{scope}."):
                try:
                    told = ast.literal_eval(value)
                except (ValueError, SyntaxError, MemoryError, RecursionError):
                    continue
                found[key.removeprefix(f"{scope}.")] = str(told)
    return found


def local_folder(link: str) -> str | None:
    """The folder that a path or a file: address names; None for any other address."""
    parts = urlsplit(link)
    if parts.scheme == "file":
        return unquote(parts.path)
    return None if "://" in link else str(Path(link).expanduser())


def _index(url: str, environment: Mapping[str, str]) -> PackageIndex:
    parts = urlsplit(url if "://" in url else f"file://{Path(url).expanduser().absolute()}")
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/") + "/"
    if parts.username is not None:
        return PackageIndex(plain, _basic(unquote(parts.username), unquote(parts.password or "")))
    known = _of_netrc(parts.hostname or "", environment)
    return PackageIndex(plain, _basic(*known) if known else "")


def _of_netrc(host: str, environment: Mapping[str, str]) -> tuple[str, str] | None:
    file = environment.get("NETRC") or str(Path(environment.get("HOME", "~")).expanduser() / ".netrc")
    try:
        found = netrc.netrc(file).authenticators(host) if host else None
    except (OSError, netrc.NetrcParseError, UnicodeError):
        return None
    return (found[0], found[2] or "") if found and found[0] else None


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
