"""`sources.toml`: what is known of documents from outside their text; and what it has in common with `relnotes.toml`.

Both are written by hand, so all the faults of a file are told at once.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeGuard

from corpus.catalogue import product_fault
from corpus.errors import UsageError
from corpus.file_digests import file_sha256
from corpus.model import Authority
from corpus.toml_text import load_toml
from corpus.versions import Version
from ingest.releases.identity import MAX_TITLE_CHARACTERS, Hints
from ingest.web_addresses import address_fault

SOURCES_FILE = "sources.toml"
_MAX_BYTES = 1024 * 1024
_SHOWN_CHARACTERS = 100
_TOLD = 50  # Faults of one file.
_MAX_PATH_CHARACTERS = 1_000
_MAX_ALIASES = 50
_HINT_KEYS = frozenset("product version authority title url".split())
_DOCUMENT_KEYS = frozenset("path aliases date sha256".split())
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Description:
    """One `[[document]]` of a sources.toml; `base` is the folder that its path is relative to."""

    base: Path
    pattern: str
    hints: Hints
    sha256: str | None = None
    """Of the one content that it describes (hex); None where it describes any."""

    def matches(self, file: Path) -> bool:
        """Whether it is about the file at a path."""
        return file.is_relative_to(self.base) and fnmatchcase(file.relative_to(self.base).as_posix(), self.pattern)

    def is_of_content(self, file: Path) -> bool:
        """Whether it is about what the file holds."""
        try:
            return self.sha256 is None or (file.is_file() and file_sha256(file) == self.sha256)
        except OSError:
            # Reading it says so.
            return False


def read_descriptions(file: Path, *, root: Path, siblings: Sequence[Path] | None = None) -> list[Description]:
    """The entries of a sources.toml in or below the folder `root`, none where there is no such file.

    Each must match one of `siblings`, where they are told.

    Raises:
        UsageError: it can't be read, is over 1 MiB, leads out of `root`, or anything in it is wrong (all its faults in
            one message).
    """
    if not file.is_file():
        return []
    if not file.resolve().is_relative_to(root):
        raise UsageError(f"{str(file)!r} is a link out of the folder. Put the file itself there, or remove the link.")
    raw, faults = read_tables(file, "document", remedy="Use globs in its paths to make it shorter.")
    entries: list[Description] = []
    for number, document in enumerate(raw, start=1):
        wrong = list(_document_faults(document))
        if not wrong:
            hints = read_hints(document, aliases=tuple(document.get("aliases", ())), day=_day(document.get("date")))
            entry = Description(file.parent, document["path"], hints, document.get("sha256"))
            entries.append(entry)
            if siblings is not None and not any(map(entry.matches, siblings)):
                wrong = [f"path {_shown(entry.pattern)} matches no file"]
        faults += [f"document {number}: {fault}" for fault in wrong]
    if faults:
        more = f"; and {len(faults) - _TOLD:,} more" if len(faults) > _TOLD else ""
        raise UsageError(f"{str(file)!r}: {'; '.join(faults[:_TOLD])}{more}. Mend it and ingest again.")
    return entries


def hints_for(file: Path, entries: Sequence[Description], *, flags: Hints, folder: str | None) -> Hints:
    """Flags first, then the first entry that matches the path and is of that content, then the folder."""
    told = next((entry.hints for entry in entries if entry.matches(file) and entry.is_of_content(file)), Hints())
    return replace(flags.before(told), folder=folder)


def _document_faults(document: Any) -> Iterator[str]:
    if not isinstance(document, dict):
        yield "must be a table"
        return
    path = document.get("path")
    if not is_filled(path):
        yield "needs a path"
    elif len(path) > _MAX_PATH_CHARACTERS:
        yield f"path must be at most {_MAX_PATH_CHARACTERS:,} characters"
    yield from hint_faults(document, also=_DOCUMENT_KEYS)
    aliases = document.get("aliases", [])
    if not (isinstance(aliases, list) and all(map(is_filled, aliases))):
        yield "aliases must be a list of strings"
    elif len(aliases) > _MAX_ALIASES:
        yield f"aliases must be at most {_MAX_ALIASES}"
    else:
        yield from (f"alias {_shown(alias)} {fault}" for alias in aliases if (fault := product_fault(alias)))
    if "date" in document and _day(document["date"]) is None:
        yield f"date {_shown(str(document['date']))} must be like 2024-12-31"
    digest = document.get("sha256")
    if digest is not None and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        yield "sha256 must be 64 hexadecimal digits in lower case"


def _day(value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


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
        table = load_toml(content.decode("utf-8").replace("\r\n", "\n"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{str(file)!r} can't be read: {error}. Mend it or remove it.") from error
    faults = [f"unknown key {_shown(name)} (only [[{key}]] tables are allowed)" for name in table if name != key]
    tables = table.get(key, [])
    if not isinstance(tables, list):
        return [], [*faults, f"{key!r} must be written [[{key}]]"]
    return tables, faults


def hint_faults(table: dict[str, Any], *, also: frozenset[str]) -> Iterator[str]:
    """All that is wrong with what a table says of product, version, authority, title and url, and with its keys.

    Keys other than these and `also` are unknown.
    """
    known = _HINT_KEYS | also
    for key in sorted(set(table) - known):
        yield f"unknown key {_shown(key)}; known are {', '.join(sorted(known))}"
    for key in ("product", "title", "url", "authority"):
        if key in table and not is_filled(table[key]):
            yield f"{key} must be a string that isn't empty"
    product = table.get("product")
    if is_filled(product) and (fault := product_fault(product)):
        yield f"product {_shown(product)} {fault}"
    title = table.get("title")
    if is_filled(title) and len(title) > MAX_TITLE_CHARACTERS:
        yield f"title must be at most {MAX_TITLE_CHARACTERS} characters"
    version = table.get("version")
    if version is not None and not isinstance(version, str):
        yield f'version {_shown(version)} must be in quotes, as version = "3.10"'
    elif version is not None and Version.try_parse(version) is None:
        yield f"version {_shown(version)} must be numbers joined by dots, like 2.9 or 8.0.0rc1"
    url = table.get("url")
    if is_filled(url) and (fault := address_fault(url)):
        # A password stands before an @, and messages end in logs.
        shown = "" if "@" in url else f" {_shown(url)}"
        yield f"url{shown} {fault}"
    authority = table.get("authority")
    if is_filled(authority) and authority not in set(Authority):
        yield f"authority {_shown(authority)} must be one of {', '.join(Authority)}"


def _shown(value: object) -> str:
    """A value as it is written, the beginning of one that is long."""
    written = repr(value)
    return written if len(written) <= _SHOWN_CHARACTERS else f"{written[:_SHOWN_CHARACTERS]}…"


def read_hints(table: dict[str, Any], *, aliases: tuple[str, ...] = (), day: date | None = None) -> Hints:
    """What a table without faults says of product, version, authority, title and url."""
    version, authority = table.get("version"), table.get("authority")
    return Hints(
        product=table.get("product"),
        aliases=aliases,
        version=Version.parse(version) if version else None,
        title=table.get("title"),
        url=table.get("url"),
        day=day,
        authority=Authority(authority) if authority else None,
    )


def is_filled(value: Any) -> TypeGuard[str]:
    """Whether a value is a string with something in it."""
    return isinstance(value, str) and bool(value.strip())
