"""Reads `sources.toml`, which has hints about documents, and the tables that it shares with `relnotes.toml`.

Both are written by hand, so that all faults of a file are reported at once.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

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
_MAX_REPORTED = 50  # Faults of one file.
_MAX_PATH_CHARACTERS = 1_000
_MAX_ALIASES = 50
_SHA256 = re.compile("[0-9a-f]{64}")

Check = Callable[[Any], str | None]  # Returns the fault of a value, as the end of a sentence.


class Description(NamedTuple):
    """One `[[document]]` of a sources.toml; `base` is the folder that its path is relative to."""

    base: Path
    pattern: str
    hints: Hints
    sha256: str | None = None  # Hex digest of the only content that it describes; None for any.

    def matches(self, file: Path) -> bool:
        """Return whether the path is below `base` and fits `pattern`; nothing is read."""
        return file.is_relative_to(self.base) and fnmatchcase(file.relative_to(self.base).as_posix(), self.pattern)

    def is_of_content(self, file: Path) -> bool:
        """Return whether its `sha256`, if stated, is that of the file; False if that can't be read."""
        try:
            return self.sha256 is None or (file.is_file() and file_sha256(file) == self.sha256)
        except OSError:
            # Reading the file reports it.
            return False


def read_descriptions(file: Path, *, root: Path, siblings: Sequence[Path] | None = None) -> list[Description]:
    """Return the entries of a sources.toml in or below the folder `root`; none if there is no such file.

    If `siblings` are given, each entry must match one of them.

    Raises:
        UsageError: it can't be read, is over 1 MiB, leads out of `root`, or anything in it is wrong (all its faults in
            one message).
    """
    if not file.is_file():
        return []
    if not file.resolve().is_relative_to(root):
        raise UsageError(f"{str(file)!r} is a link out of the folder. Put the file itself there, or remove the link.")
    tables, faults = read_tables(file, "document", remedy="Use globs in its paths to make it shorter.")
    entries: list[Description] = []
    for number, document in enumerate(tables, start=1):
        entry_faults = list(table_faults(document, _DOCUMENT_CHECKS, needed="path"))
        if not entry_faults:
            hints = read_hints(document, aliases=tuple(document.get("aliases", ())), day=_day(document.get("date")))
            entry = Description(file.parent, document["path"], hints, document.get("sha256"))
            entries.append(entry)
            if siblings is not None and not any(map(entry.matches, siblings)):
                entry_faults = [f"path {_brief(entry.pattern)} matches no file"]
        faults += [f"document {number}: {fault}" for fault in entry_faults]
    if faults:
        more = f"; and {len(faults) - _MAX_REPORTED:,} more" if len(faults) > _MAX_REPORTED else ""
        raise UsageError(f"{str(file)!r}: {'; '.join(faults[:_MAX_REPORTED])}{more}. Mend it and ingest again.")
    return entries


def hints_for(file: Path, entries: Sequence[Description], *, flags: Hints, folder: str | None) -> Hints:
    """Return a file's hints: flags first, then the first entry that describes its path and content, and the folder."""
    described = next((entry.hints for entry in entries if entry.matches(file) and entry.is_of_content(file)), Hints())
    return replace(flags.filled_from(described), folder=folder)


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
    """Return the `[[key]]` tables of a file as written, and its other faults; `remedy` is advice for a file too long.

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
    faults = [f"unknown key {_brief(name)} (only [[{key}]] tables are allowed)" for name in table if name != key]
    tables = table.get(key, [])
    if not isinstance(tables, list):
        return [], [*faults, f"{key!r} must be written [[{key}]]"]
    return tables, faults


def table_faults(table: Any, checks: Mapping[str, Check], *, needed: str) -> Iterator[str]:
    """Yield all faults of a table: it is none, lacks `needed`, has keys that aren't in `checks`, or wrong values."""
    if not isinstance(table, dict):
        yield "must be a table"
        return
    if needed not in table:
        yield f"needs a {needed}"
    for key, value in table.items():
        if key not in checks:
            yield f"unknown key {_brief(key)}; known are {', '.join(sorted(checks))}"
        elif fault := checks[key](value):
            # Before an @ may be a password, and messages end in logs.
            yield f"{key} {fault}" if "@" in str(value) else f"{key} {_brief(value)} {fault}"


def _brief(value: object) -> str:
    """Return a value as written, only the beginning of a long one."""
    written = repr(value)
    return written if len(written) <= _SHOWN_CHARACTERS else f"{written[:_SHOWN_CHARACTERS]}…"


def read_hints(table: dict[str, Any], *, aliases: tuple[str, ...] = (), day: date | None = None) -> Hints:
    """Return the hints in a table without faults, with these aliases and this day; absent keys give None."""
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
    """Return whether a value is a string that isn't blank."""
    return isinstance(value, str) and bool(value.strip())


def filled_check(fault: Callable[[str], str | None] = lambda _: None) -> Check:
    """Return a check for a string that isn't blank and has no `fault`."""
    return lambda value: fault(value) if is_filled(value) else "must be a string that isn't empty"


def _length_check(characters: int) -> Check:
    return filled_check(lambda text: f"must be at most {characters:,} characters" if len(text) > characters else None)


def _version_fault(value: Any) -> str | None:
    if not isinstance(value, str):
        return 'must be in quotes, as version = "3.10"'
    return None if Version.try_parse(value) else "must be numbers joined by dots, like 2.9 or 8.0.0rc1"


def _aliases_fault(value: Any) -> str | None:
    if not (isinstance(value, list) and all(map(is_filled, value))):
        return "must be a list of strings"
    if len(value) > _MAX_ALIASES:
        return f"must be at most {_MAX_ALIASES}"
    return next((f"has one, {_brief(alias)}, that {fault}" for alias in value if (fault := product_fault(alias))), None)


HINT_CHECKS: dict[str, Check] = {
    "product": filled_check(product_fault),
    "version": _version_fault,
    "authority": lambda value: None if value in list(Authority) else f"must be one of {', '.join(Authority)}",
    "title": _length_check(MAX_TITLE_CHARACTERS),
    "url": filled_check(address_fault),
}
"""Checks of the hints that any source may have."""
_DOCUMENT_CHECKS = HINT_CHECKS | {
    "path": _length_check(_MAX_PATH_CHARACTERS),
    "aliases": _aliases_fault,
    "date": lambda value: None if _day(value) else "must be like 2024-12-31",
    "sha256": lambda value: None if _SHA256.fullmatch(str(value)) else "must be 64 hexadecimal digits in lower case",
}
