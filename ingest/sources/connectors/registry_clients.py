"""Runs the user's own clients of registries (pip, npm) so that they only read, and reads pip's settings.

pip itself is asked for its settings, so that its files, their order and `PIP_CONFIG_FILE` count as they do for pip;
`PIP_*` of the environment win. Without pip, only the environment counts.
"""

import ast
import base64
import netrc
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from corpus.children import run_child
from corpus.errors import SourceError

Environment = Mapping[str, str]
_SECONDS = 180
_DEFAULT_INDEX = "https://pypi.org/simple"
_SCOPES = ("global", "install", "download", ":env:")  # Later ones win.


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """An index of packages, as described by PEP 503."""

    url: str  # Without a user's name and password, with a final slash.
    headers: Environment = field(default_factory=dict, repr=False)
    """With the user's name and password, if the index needs them."""


class PipSettings(NamedTuple):
    """The indexes that packages come from, and how to reach them."""

    indexes: tuple[PackageIndex, ...]  # In pip's order; a version may come from any of them.
    ca_bundle: str = ""
    proxy: str = field(default="", repr=False)


def read_pip_settings(environment: Environment) -> PipSettings:
    """Return the settings of the user's pip; `environment` is the process's. With `no-index` there are no indexes."""
    # pip lists its environment's settings as well, but it may not be installed.
    stated = parse_pip_settings(_ask_pip(environment)) | {
        name[4:].lower().replace("_", "-"): value
        for name, value in environment.items()
        if name.startswith("PIP_") and value
    }
    urls = [stated.get("index-url", _DEFAULT_INDEX), *stated.get("extra-index-url", "").split()]
    if stated.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        urls = []
    indexes = tuple(_package_index(url, environment) for url in dict.fromkeys(urls))
    return PipSettings(indexes, stated.get("cert", ""), stated.get("proxy", ""))


def _ask_pip(environment: Environment) -> str:
    """Return the output of `pip config list`, of our own environment's pip, else of that on the path; empty without."""
    for program in ((sys.executable, "-m", "pip"), ("pip",)):
        try:
            printed = run_client(
                (*program, "config", "list"), environment=environment, keeps=("PIP_*",), install="install pip"
            )
        except SourceError:
            continue
        if printed.strip():
            return printed
    return ""


def parse_pip_settings(printed: str) -> dict[str, str]:
    """Return the settings in the output of `pip config list`, as `{'index-url': '…'}`; the strongest scope wins."""
    settings: dict[str, str] = {}
    lines = [line.partition("=") for line in printed.splitlines()]
    for scope in _SCOPES:
        for key, _, value in lines:
            if key.startswith(f"{scope}."):
                try:
                    settings[key.removeprefix(f"{scope}.")] = str(ast.literal_eval(value))
                except (ValueError, SyntaxError, MemoryError, RecursionError):
                    continue
    return settings


def _package_index(url: str, environment: Environment) -> PackageIndex:
    """Return an index with the login of its address, else of the user's netrc."""
    parts = urlsplit(url)
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl().rstrip("/") + "/"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.username is None:
        file = environment.get("NETRC") or str(Path(environment.get("HOME", "~")).expanduser() / ".netrc")
        with suppress(OSError, netrc.NetrcParseError, UnicodeError):
            login = netrc.netrc(file).authenticators(parts.hostname) if parts.hostname else None
            user, password = (login[0], login[2] or "") if login else ("", "")
    if not user and parts.username is None:
        return PackageIndex(plain)
    return PackageIndex(plain, {"Authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"})


def run_client(arguments: Sequence[str], *, environment: Environment, keeps: Sequence[str], install: str) -> str:
    """Run a client and return its stdout, whether or not it succeeds; its arguments must be safe.

    It gets the part of `environment` that any child process gets, and variables that match patterns in `keeps`.

    Raises:
        SourceError: it isn't installed (`install` says how), can't be run, or takes too long.
    """
    name = arguments[0]
    try:
        ran = run_child(arguments, environment=environment, keeps=keeps, seconds=_SECONDS)
    except FileNotFoundError:
        raise SourceError(f"needs the program {name!r}, which isn't installed; {install}") from None
    except TimeoutError as error:
        raise SourceError(f"{name} took longer than {_SECONDS} s; try again later") from error
    except OSError as error:
        raise SourceError(f"{name} can't be run ({error.strerror}); {install}") from error
    return ran.stdout.decode(errors="replace")
