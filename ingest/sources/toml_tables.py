"""What the files that people write for ingest have in common: a `sources.toml` beside documents, a `relnotes.toml`.

Both are a list of tables, each of which tells of documents what their text doesn't. All the faults of a file are told
at once, for it is written by hand.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

from corpus.errors import UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.sources.web_addresses import address_fault

_MAX_BYTES = 1024 * 1024
_SHOWN_CHARACTERS = 100
HINT_KEYS = frozenset("product version authority title url".split())
"""The keys that `hint_faults` and `read_hints` know."""


def read_tables(file: Path, key: str, *, remedy: str) -> tuple[list[Any], list[str]]:
    """The `[[key]]` tables of a file, as they are written, and the faults beside them; `remedy` is for one too long.

    Raises:
        FileNotFoundError: there is none.
        UsageError: it can't be read, or is over 1 MiB.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise UsageError(f"{str(file)!r} is over the limit of 1 MiB. {remedy}")
        table = tomllib.loads(content.decode("utf-8").replace("\r\n", "\n"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{str(file)!r} can't be read: {error}. Mend it or remove it.") from error
    faults = [f"unknown key {name!r} (only [[{key}]] tables are allowed)" for name in table if name != key]
    tables = table.get(key, [])
    if not isinstance(tables, list):
        return [], [*faults, f"{key!r} must be written [[{key}]]"]
    return tables, faults


def unknown_keys(table: dict[str, Any], known: frozenset[str]) -> Iterator[str]:
    """A fault for each key of a table that isn't `known`."""
    for key in sorted(set(table) - known):
        yield f"unknown key {key!r}; known are {', '.join(sorted(known))}"


def hint_faults(table: dict[str, Any]) -> Iterator[str]:
    """All that is wrong with what a table says of product, version, authority, title and url."""
    for key in ("product", "title", "url", "authority"):
        if key in table and not is_filled(table[key]):
            yield f"{key} must be a string that isn't empty"
    version = table.get("version")
    if version is not None and not isinstance(version, str):
        yield f'version {version!r} must be in quotes, as version = "3.10"'
    elif version is not None and Version.try_parse(version) is None:
        yield f"version {version!r} must be numbers joined by dots, like 2.9 or 8.0.0rc1"
    url = table.get("url")
    if is_filled(url) and (fault := address_fault(url)):
        # A password stands before an @, and messages end in logs.
        shown = "" if "@" in url else f" {url[:_SHOWN_CHARACTERS]!r}"
        yield f"url{shown} {fault}"
    authority = table.get("authority")
    if is_filled(authority) and authority not in set(Authority):
        yield f"authority {authority!r} must be one of {', '.join(Authority)}"


def read_hints(table: dict[str, Any]) -> Hints:
    """What a table without faults says of product, version, authority, title and url."""
    version, authority = table.get("version"), table.get("authority")
    return Hints(
        product=table.get("product"),
        version=Version.parse(version) if version else None,
        authority=Authority(authority) if authority else None,
        title=table.get("title"),
        url=table.get("url"),
    )


def is_filled(value: Any) -> TypeGuard[str]:
    """Whether a value is a string with something in it."""
    return isinstance(value, str) and bool(value.strip())
