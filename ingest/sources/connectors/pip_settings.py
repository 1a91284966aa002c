"""What the user's pip is set to: indexes, certificates, proxy.

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
    """Without a user's name and password, with a final slash."""
    authorization: str = field(default="", repr=False)
    """The value of the header that the index wants; empty for none."""


@dataclass(frozen=True, slots=True)
class PipSettings:
    """Where packages come from."""

    indexes: tuple[PackageIndex, ...]
    """In pip's order; a version may come from any of them."""
    ca_bundle: str = ""
    proxy: str = field(default="", repr=False)


def read_pip_settings(environment: Mapping[str, str]) -> PipSettings:
    """The settings of the user's pip; `environment` is the process's."""
    # pip tells its environment too, but not where it is missing.
    stated = parse_pip_settings(_ask_pip(environment)) | {
        name[4:].lower().replace("_", "-"): value
        for name, value in environment.items()
        if name.startswith("PIP_") and value
    }
    urls = [stated.get("index-url", _DEFAULT_INDEX), *stated.get("extra-index-url", "").split()]
    if stated.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        urls = []
    indexes = tuple(_index(url, environment) for url in dict.fromkeys(urls))
    return PipSettings(indexes, stated.get("cert", ""), stated.get("proxy", ""))


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
        for key, _, value in lines:
            if key.startswith(f"{scope}."):
                try:
                    found[key.removeprefix(f"{scope}.")] = str(ast.literal_eval(value))
                except (ValueError, SyntaxError, MemoryError, RecursionError):
                    continue
    return found


def _index(url: str, environment: Mapping[str, str]) -> PackageIndex:
    parts = urlsplit(url)
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/") + "/"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.username is None:
        user, password = _of_netrc(parts.hostname or "", environment)
    credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
    return PackageIndex(plain, f"Basic {credentials}" if user or parts.username is not None else "")


def _of_netrc(host: str, environment: Mapping[str, str]) -> tuple[str, str]:
    file = environment.get("NETRC") or str(Path(environment.get("HOME", "~")).expanduser() / ".netrc")
    try:
        found = netrc.netrc(file).authenticators(host) if host else None
    except (OSError, netrc.NetrcParseError, UnicodeError):
        return "", ""
    return (found[0], found[2] or "") if found else ("", "")
