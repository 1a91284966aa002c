"""What a user asks to ingest, told apart: files and folders here, sources elsewhere, and what lists other sources.

A `relnotes.toml` lists those that `relnotes sync` keeps an index in step with.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corpus.dependencies.model import Ecosystem, Line
from corpus.dependencies.reading import read_dependencies
from corpus.errors import SourceError, UsageError
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors
from ingest.sources.connectors.environments import SCHEME as ENVIRONMENT
from ingest.sources.connectors.environments import read_environment
from ingest.sources.containers import open_containers
from ingest.sources.files import FailedSource, Source, SourceListing, list_sources, read_source
from ingest.sources.sources_toml import hint_faults, is_filled, read_hints, read_tables

CONFIG_FILE = "relnotes.toml"
_MANIFEST = re.compile(
    r"(?:[\w.-]*[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)|pyproject\.toml|pipfile(?:\.lock)?"
    r"|(?:uv|poetry|pdm)\.lock|pylock(?:\.[\w-]+)?\.toml|package\.json|(?:package-lock|npm-shrinkwrap)\.json"
    r"|yarn\.lock|pnpm-lock\.ya?ml|bun\.lock",
    re.IGNORECASE,
)
_SCHEMES = {Ecosystem.PYPI: "pypi", Ecosystem.NPM: "npm"}
_NO_PACKAGES = frozenset({"pypi:python", "npm:node", "npm:npm", "npm:vscode"})
"""What stands among dependencies but is what they run on."""


@dataclass(frozen=True, slots=True)
class Request:
    """One SOURCE of a command, or one entry of a relnotes.toml, with what the user says of its documents."""

    argument: str
    """As it is written, or the URI of a source elsewhere."""
    flags: Hints
    may_fail: bool = False
    """Whether a path or an environment that isn't there is a failure among others, and not wrong usage."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What several requests come to; each root and each URI once, with the flags of the first request for it."""

    listings: tuple[SourceListing, ...] = ()
    """What was listed on this machine."""
    wanted: tuple[Request, ...] = ()
    """What is to be fetched."""


def plan_requests(requests: Sequence[Request], *, connectors: Connectors) -> Plan:
    """Tell the requests apart; nothing is fetched yet.

    Raises:
        UsageError: one names nothing that can be ingested.
    """
    listings: dict[str, SourceListing] = {}
    wanted: dict[str, Request] = {}
    for request in requests:
        try:
            plan = _plan(request, connectors)
        except UsageError as error:
            if not request.may_fail:
                raise
            plan = _failing(request.argument, str(error))
        for listing in plan.listings:
            # One folder under two spellings, or behind a link, is one root.
            listings.setdefault(listing.root, listing)
        for source in plan.wanted:
            wanted.setdefault(source.argument, source)
    return Plan(tuple(listings.values()), tuple(wanted.values()))


def read_config(file: Path, *, connectors: Connectors) -> tuple[Request, ...]:
    """The sources that a relnotes.toml lists, in its order; paths in it are relative to its folder.

    Raises:
        UsageError: it can't be read, lists nothing, or anything in it is wrong (all its faults in one message).
    """
    try:
        raw, faults = read_tables(file, "source", remedy="List fewer sources.")
    except FileNotFoundError as error:
        raise UsageError(
            f"No file {str(file)!r}. Write one with a [[source]] for each source, or name another with --config."
        ) from error
    for number, entry in enumerate(raw, start=1):
        faults += [f"source {number}: {fault}" for fault in _config_faults(entry, connectors)]
    if not raw and not faults:
        faults.append("it lists no [[source]]")
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and sync again.")
    folder = file.absolute().parent
    requests = []
    for entry in raw:
        source = entry["source"]
        is_elsewhere = connectors.name(source) is not None or source.lower().startswith(ENVIRONMENT)
        argument = source if is_elsewhere else str(folder / Path(source).expanduser())
        requests.append(Request(argument, read_hints(entry), may_fail=True))
    return tuple(requests)


def is_path(argument: str) -> bool:
    """Whether there is a file or folder of that name; what can't be a name is none."""
    try:
        return Path(argument).exists()
    except (OSError, ValueError):
        return False


def is_manifest(file: Path) -> bool:
    """Whether a file lists dependencies, told by its name."""
    return _MANIFEST.fullmatch(file.name) is not None


def read_manifest(file: Path) -> tuple[str, ...]:
    """The sources of a file's dependencies, as `pypi:name` and `npm:name`, each once, in the file's order.

    Whatever version the file asks for: the newest changelog tells of the older ones too.

    Raises:
        SourceError: it can't be read, or states none.
    """
    content = decode(read_source(Source(file, str(file.parent), file.name, Hints())))
    lines = [Line(number, text) for number, text in enumerate(content.splitlines(), start=1)]
    found = dict.fromkeys(
        f"{_SCHEMES[dependency.ecosystem]}:{dependency.name}"
        for dependency in read_dependencies(file.name, lines)
        if dependency.ecosystem in _SCHEMES
    )
    named = tuple(name for name in found if name.lower() not in _NO_PACKAGES)
    if not named:
        raise SourceError(
            "states no dependency of PyPI or npm; give a file with notes, or another list of dependencies"
        )
    return named


def _plan(request: Request, connectors: Connectors) -> Plan:
    argument, flags = request.argument, request.flags
    # A file may be called like a source.
    if is_path(argument):
        path = Path(argument)
        if not (path.is_file() and is_manifest(path)):
            return _plan_files(request)
        try:
            return _plan_named(read_manifest(path), flags, connectors)
        except SourceError as error:
            return _failing(str(path.resolve()), str(error))
    if argument.lower().startswith(ENVIRONMENT):
        found = read_environment(ENVIRONMENT + argument[len(ENVIRONMENT) :])
        missing = _plan_named(found.missing, flags, connectors)
        if not found.documents:
            return missing
        sources = tuple(document.below(found.uri, flags) for document in found.documents)
        return replace(missing, listings=(SourceListing(found.uri, sources, is_folder=True),))
    uri = connectors.name(argument)
    return Plan(wanted=(Request(uri, flags),)) if uri is not None else _plan_files(request)


def _plan_files(request: Request) -> Plan:
    return Plan((open_containers(list_sources(request.argument, flags=request.flags)),))


def _plan_named(names: Sequence[str], flags: Hints, connectors: Connectors) -> Plan:
    """The sources that something lists; what can't be one is a failure in the report."""
    wanted: list[Request] = []
    failed: list[SourceListing] = []
    for name in names:
        try:
            uri = connectors.name(name)
        except UsageError as error:
            failed += _failing(name, str(error)).listings
        else:
            wanted += [Request(uri, flags)] if uri else []
    return Plan(tuple(failed), tuple(wanted))


def _failing(root: str, error: str) -> Plan:
    return Plan((SourceListing(root, failed=(FailedSource(root, error),)),))


def _config_faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield "must be a table"
        return
    yield from hint_faults(entry, also=frozenset({"source"}))
    source = entry.get("source")
    if source is None:
        yield "needs a source"
    elif not is_filled(source):
        yield "source must be a string that isn't empty"
    else:
        try:
            connectors.name(source)
        except UsageError as error:
            yield str(error).rstrip(".")
