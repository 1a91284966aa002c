"""`sources.toml`: what is known of documents from outside their text.

All the faults of a file are told at once, for it is written by hand.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from corpus.errors import UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.identity import Hints
from ingest.web_addresses import address_fault

SOURCES_FILE = "sources.toml"
_MAX_BYTES = 1024 * 1024
_SHOWN_CHARACTERS = 100
_KEYS = frozenset("path product aliases version title url date authority".split())


@dataclass(frozen=True, slots=True)
class Description:
    """One `[[document]]` of a sources.toml; `base` is the folder that its path is relative to."""

    base: Path
    pattern: str
    hints: Hints


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
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise UsageError(f"{str(file)!r} is over the limit of 1 MiB. Use globs in its paths to make it shorter.")
        table = tomllib.loads(content.decode("utf-8").replace("\r\n", "\n"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{str(file)!r} can't be read: {error}. Mend it or remove it.") from error
    faults = [f"unknown key {key!r} (only [[document]] tables are allowed)" for key in table if key != "document"]
    raw = table.get("document", [])
    if not isinstance(raw, list):
        faults.append("'document' must be written [[document]]")
        raw = []
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
    if not _is_name(document.get("path")):
        yield "needs a path"
    for key in sorted(set(document) - _KEYS):
        yield f"unknown key {key!r}; known are {', '.join(sorted(_KEYS))}"
    aliases = document.get("aliases", [])
    if not (isinstance(aliases, list) and all(_is_name(alias) for alias in aliases)):
        yield "aliases must be a list of strings"
    for key in ("product", "title", "url", "authority"):
        if key in document and not _is_name(document[key]):
            yield f"{key} must be a string that isn't empty"
    version = document.get("version")
    if version is not None and not isinstance(version, str):
        yield f'version {version!r} must be in quotes, as version = "3.10"'
    elif version is not None and Version.try_parse(version) is None:
        yield f"version {version!r} must be numbers joined by dots, like 2.9 or 8.0.0rc1"
    if "date" in document and _day(document["date"]) is None:
        yield f"date {str(document['date'])!r} must be like 2024-12-31"
    url = document.get("url")
    if isinstance(url, str) and url.strip() and (fault := address_fault(url)):
        # A password stands before an @, and messages end in logs.
        shown = "" if "@" in url else f" {url[:_SHOWN_CHARACTERS]!r}"
        yield f"url{shown} {fault}"
    authority = document.get("authority")
    if _is_name(authority) and authority not in set(Authority):
        yield f"authority {authority!r} must be one of {', '.join(Authority)}"


def _description(base: Path, document: dict[str, Any]) -> Description:
    """The entry of a table without faults."""
    version, authority = document.get("version"), document.get("authority")
    return Description(
        base,
        document["path"],
        Hints(
            product=document.get("product"),
            aliases=tuple(document.get("aliases", ())),
            version=Version.parse(version) if version else None,
            title=document.get("title"),
            url=document.get("url"),
            day=_day(document.get("date")),
            authority=Authority(authority) if authority else None,
        ),
    )


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


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


def hints_for(file: Path, entries: Sequence[Description], *, flags: Hints, folder: str | None) -> Hints:
    """Flags first, then the first matching entry, then the folder."""
    told = next((entry.hints for entry in entries if _matches(entry, file)), Hints())
    return replace(
        told,
        product=flags.product or told.product,
        version=flags.version or told.version,
        authority=flags.authority or told.authority,
        title=flags.title or told.title,
        url=flags.url or told.url,
        folder=folder,
    )
