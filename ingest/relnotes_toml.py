"""`relnotes.toml`: the sources that `relnotes sync` keeps an index in step with.

All the faults of a file are told at once, for it is written by hand.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.errors import UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.connectors import Connectors
from ingest.connectors.environments import SCHEME as ENVIRONMENT
from ingest.identity import Hints
from ingest.requests import Request
from ingest.web_addresses import address_fault

CONFIG_FILE = "relnotes.toml"
_MAX_BYTES = 1024 * 1024
_KEYS = frozenset("source product version authority title url".split())


def read_config(file: Path, *, connectors: Connectors) -> tuple[Request, ...]:
    """The sources that a relnotes.toml lists, in its order; paths in it are relative to its folder.

    Raises:
        UsageError: it can't be read, lists nothing, or anything in it is wrong (all its faults in one message).
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise UsageError(f"{str(file)!r} is over the limit of 1 MiB. List fewer sources.")
        table = tomllib.loads(content.decode("utf-8").replace("\r\n", "\n"))
    except FileNotFoundError as error:
        raise UsageError(
            f"No file {str(file)!r}. Write one with a [[source]] for each source, or name another with --config."
        ) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{str(file)!r} can't be read: {error}. Mend it.") from error
    faults = [f"unknown key {key!r} (only [[source]] tables are allowed)" for key in table if key != "source"]
    raw = table.get("source", [])
    if not isinstance(raw, list):
        faults.append("'source' must be written [[source]]")
        raw = []
    requests: list[Request] = []
    for number, entry in enumerate(raw, start=1):
        wrong = list(_faults(entry, connectors))
        faults += [f"source {number}: {fault}" for fault in wrong]
        if not wrong:
            requests.append(_request(entry, file.absolute().parent, connectors))
    if not raw and not faults:
        faults.append("it lists no [[source]]")
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and sync again.")
    return tuple(requests)


def _faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield "must be a table"
        return
    for key in sorted(set(entry) - _KEYS):
        yield f"unknown key {key!r}; known are {', '.join(sorted(_KEYS))}"
    for key in sorted(_KEYS & set(entry)):
        if not isinstance(entry[key], str) or not entry[key].strip():
            yield f"{key} must be a string that isn't empty" + (', as version = "3.10"' if key == "version" else "")
            return
    if "source" not in entry:
        yield "needs a source"
        return
    try:
        connectors.name(entry["source"])
    except UsageError as error:
        yield str(error).rstrip(".")
    if "version" in entry and Version.try_parse(entry["version"]) is None:
        yield f"version {entry['version']!r} must be numbers joined by dots, like 2.9 or 8.0.0rc1"
    if "authority" in entry and entry["authority"] not in set(Authority):
        yield f"authority {entry['authority']!r} must be one of {', '.join(Authority)}"
    if "url" in entry and (fault := address_fault(entry["url"])):
        yield f"url {fault}"


def _request(entry: dict[str, str], folder: Path, connectors: Connectors) -> Request:
    source = entry["source"]
    is_path = connectors.name(source) is None and not source.lower().startswith(ENVIRONMENT)
    flags = Hints(
        product=entry.get("product"),
        version=Version.parse(entry["version"]) if "version" in entry else None,
        authority=Authority(entry["authority"]) if "authority" in entry else None,
        title=entry.get("title"),
        url=entry.get("url"),
    )
    argument = str(folder / Path(source).expanduser()) if is_path else source
    return Request(argument, flags, may_fail=True)
