"""The user's own clients of registries: pip's settings, and programs (npm, pip) run so that they only read.

pip is asked itself, so that its files, their order and `PIP_CONFIG_FILE` are pip's affair; `PIP_*` of the environment
win. Without pip, the environment alone counts.
"""

import ast
import base64
import netrc
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from corpus.children import run_child
from corpus.errors import SourceError

_SECONDS = 180
_DEFAULT_INDEX = "https://pypi.org/simple"
_SCOPES = ("global", "install", "download", ":env:")  # Later ones win.


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """An index of packages, as PEP 503 describes one."""

    url: str  # Without a user's name and password, with a final slash.
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """With the user's name and password, where the index wants them."""


@dataclass(frozen=True, slots=True)
class PipSettings:
    """Where packages come from."""

    indexes: tuple[PackageIndex, ...]  # In pip's order; a version may come from any of them.
    ca_bundle: str = ""
    proxy: str = field(default="", repr=False)


def read_pip_settings(environment: Mapping[str, str]) -> PipSettings:
    """Return the settings of the user's pip; `environment` is the process's."""
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
    """Return what pip tells of its settings: our own environment's, else the one on the path; empty without any."""
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
    """Return the settings that `pip config list` prints, by name without scope; the strongest scope's value each."""
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
        file = environment.get("NETRC") or str(Path(environment.get("HOME", "~")).expanduser() / ".netrc")
        with suppress(OSError, netrc.NetrcParseError, UnicodeError):
            found = netrc.netrc(file).authenticators(parts.hostname) if parts.hostname else None
            user, password = (found[0], found[2] or "") if found else ("", "")
    if not user and parts.username is None:
        return PackageIndex(plain)
    return PackageIndex(plain, {"Authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"})


def run_client(arguments: Sequence[str], *, environment: Mapping[str, str], keeps: Sequence[str], install: str) -> str:
    """What a client prints on stdout, whether or not it succeeded; its words never come from a stranger unchecked.

    Of `environment` it gets what any child does, and what `keeps` names by patterns.

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
