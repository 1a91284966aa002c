"""`sources.toml`: what is known of documents from outside their text.

All the faults of a file are told at once, for it is written by hand. An entry may say which content it is of: where a
file has another one, it says nothing of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from corpus.errors import UsageError
from corpus.file_digests import file_sha256
from ingest.releases.identity import Hints
from ingest.sources.toml_tables import HINT_KEYS, hint_faults, is_filled, read_hints, read_tables, unknown_keys

SOURCES_FILE = "sources.toml"
_KEYS = HINT_KEYS | {"path", "aliases", "date", "sha256"}
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Description:
    """One `[[document]]` of a sources.toml; `base` is the folder that its path is relative to."""

    base: Path
    pattern: str
    hints: Hints
    sha256: str | None = None
    """Of the one content that it describes (hex); None where it describes any."""


def read_descriptions(file: Path, *, root: Path, siblings: Sequence[Path], whole: bool) -> list[Description]:
    """The entries of a sources.toml in or below the folder `root`, none where there is no such file.

    `whole` also demands that each matches one of `siblings`.

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
        wrong = list(_entry_faults(document))
        faults += [f"document {number}: {fault}" for fault in wrong]
        if wrong:
            continue
        entry = _description(file.parent, document)
        if whole and not any(_matches(entry, sibling) for sibling in siblings):
            faults.append(f"document {number}: path {entry.pattern!r} matches no file")
        entries.append(entry)
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and ingest again.")
    return entries


def _entry_faults(document: Any) -> Iterator[str]:
    """All that is wrong with one `[[document]]` table."""
    if not isinstance(document, dict):
        yield "must be a table"
        return
    if not is_filled(document.get("path")):
        yield "needs a path"
    yield from unknown_keys(document, _KEYS)
    aliases = document.get("aliases", [])
    if not (isinstance(aliases, list) and all(map(is_filled, aliases))):
        yield "aliases must be a list of strings"
    yield from hint_faults(document)
    if "date" in document and _day(document["date"]) is None:
        yield f"date {str(document['date'])!r} must be like 2024-12-31"
    digest = document.get("sha256")
    if digest is not None and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        yield "sha256 must be 64 hexadecimal digits in lower case"


def _description(base: Path, document: dict[str, Any]) -> Description:
    """The entry of a table without faults."""
    told = replace(read_hints(document), aliases=tuple(document.get("aliases", ())), day=_day(document.get("date")))
    return Description(base, document["path"], told, document.get("sha256"))


def _day(value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def _matches(entry: Description, file: Path) -> bool:
    try:
        relative = file.relative_to(entry.base).as_posix()
    except ValueError:
        return False
    return fnmatchcase(relative, entry.pattern)


def _is_of_content(entry: Description, file: Path) -> bool:
    if entry.sha256 is None:
        return True
    try:
        return file.is_file() and file_sha256(file) == entry.sha256
    except OSError:
        # Reading it says so.
        return False


def hints_for(file: Path, entries: Sequence[Description], *, flags: Hints, folder: str | None) -> Hints:
    """Flags first, then the first entry that matches the path and is of that content, then the folder."""
    told = next((one.hints for one in entries if _matches(one, file) and _is_of_content(one, file)), Hints())
    return replace(
        told,
        product=flags.product or told.product,
        version=flags.version or told.version,
        authority=flags.authority or told.authority,
        title=flags.title or told.title,
        url=flags.url or told.url,
        folder=folder,
    )
