"""What a user asks to ingest, told apart: files and folders here, sources elsewhere, and what lists other sources.

Those elsewhere are fetched, several at a time. A `relnotes.toml` lists the sources of `relnotes sync`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Ecosystem, Line
from corpus.errors import RelnotesError, SourceError, UsageError
from corpus.index.commit import fingerprint
from corpus.index.source_records import SourceRecord
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, SourceGone
from ingest.sources.containers import open_containers
from ingest.sources.files import FailedSource, Source, SourceListing, list_sources, read_source
from ingest.sources.sources_toml import HINT_CHECKS, filled, is_filled, read_hints, read_tables, table_faults

CONFIG_FILE = "relnotes.toml"
_FETCHED_AT_ONCE = 4
_MANIFEST = re.compile(
    r"(?:[\w.-]*[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)|pyproject\.toml|pipfile(?:\.lock)?"
    r"|(?:uv|poetry|pdm)\.lock|pylock(?:\.[\w-]+)?\.toml|package\.json|(?:package-lock|npm-shrinkwrap)\.json"
    r"|yarn\.lock|pnpm-lock\.ya?ml",
    re.IGNORECASE,
)
_SCHEMES = {Ecosystem.PYPI: "pypi", Ecosystem.NPM: "npm"}
_NO_PACKAGES = frozenset({"pypi:python", "npm:node", "npm:npm", "npm:vscode"})
"""What stands among dependencies but is what they run on."""


@dataclass(frozen=True, slots=True)
class Request:
    """One SOURCE of a command, or one entry of a relnotes.toml, with what the user says of its documents."""

    argument: str  # As it is written, or the URI of a source elsewhere.
    flags: Hints
    may_fail: bool = False
    """Whether a path or an environment that isn't there is a failure among others, and not wrong usage."""


class SourceState(StrEnum):
    """What became of one source."""

    READ = "read"  # Its documents were listed or fetched, whether or not they had changed.
    UNCHANGED = "unchanged"  # Its server says that nothing changed.
    GONE = "gone"  # Its server says that there is nothing (any more); its documents stay until `sync --prune`.
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Obtained:
    """What was got of one source."""

    listing: SourceListing
    outcome: SourceState
    state: str = ""  # To be remembered for the next time, of a source without notes too.
    made_with: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What several requests come to; each root and each URI once, with the flags of the first request for it."""

    listings: tuple[SourceListing, ...] = ()  # What was listed on this machine.
    wanted: tuple[Request, ...] = ()  # What is to be fetched.


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
            plan = Plan((_failing(request.argument, str(error)),))
        for listing in plan.listings:
            # One folder under two spellings, or behind a link, is one root.
            listings.setdefault(listing.root, listing)
        for source in plan.wanted:
            wanted.setdefault(source.argument, source)
    return Plan(tuple(listings.values()), tuple(wanted.values()))


def obtain_all(
    plan: Plan,
    *,
    connectors: Connectors,
    records: Mapping[str, SourceRecord],
    documents: Mapping[str, int],
    pipeline_version: str,
    advance: Callable[[int], None],
) -> tuple[Obtained, ...]:
    """What was listed, and then every source elsewhere, fetched a few at a time; `advance` hears of each of these.

    A server is asked only for what changed where the index still holds all documents of that source (`documents` counts
    them by root) and would make them the same way; so it is for a source that held none the last time.
    """

    def fetch(source: Request) -> Obtained:
        uri, made_with = source.argument, fingerprint(pipeline_version, repr(source.flags))
        known = records.get(uri)
        if known and (known.documents, known.made_with) != (documents.get(uri, 0), made_with):
            known = None
        state = known.state if known else ""
        try:
            found = connectors.fetch(uri, state=state)
        except SourceGone as error:
            return Obtained(_failing(uri, str(error)), SourceState.GONE)
        except RelnotesError as error:
            return Obtained(_failing(uri, str(error)), SourceState.FAILED)
        except Exception as error:  # whatever a stranger's answer makes a connector trip over, the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            return Obtained(_failing(uri, problem), SourceState.FAILED)
        note = found.note if found else known.note if known else ""
        state = found.state if found else state
        if not (found.documents if found else known and known.documents):
            return Obtained(_failing(uri, note), SourceState.FAILED, state, made_with, note)
        if found is None:
            unchanged = SourceListing(uri, is_folder=True, is_current=True)
            return Obtained(unchanged, SourceState.UNCHANGED, state, made_with, note)
        sources = tuple(document.below(uri, source.flags) for document in found.documents)
        return Obtained(SourceListing(uri, sources, is_folder=found.is_whole), SourceState.READ, state, made_with, note)

    obtained = [Obtained(listing, SourceState.READ) for listing in plan.listings]
    if not plan.wanted:
        return tuple(obtained)
    # Its threads are daemons, which nothing waits for: a process that is told to end does so at once, however slow a
    # server is. What they hold is in memory, and nothing is written before all of it is there.
    with ThreadPool(min(_FETCHED_AT_ONCE, len(plan.wanted))) as pool:
        for result in pool.imap(fetch, plan.wanted):
            obtained.append(result)
            advance(1)
    return tuple(obtained)


def read_config(file: Path, *, connectors: Connectors) -> tuple[Request, ...]:
    """Return the sources that a relnotes.toml lists, in its order; paths in it are relative to its folder.

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
        argument = source if connectors.name(source) is not None else str(folder / Path(source).expanduser())
        requests.append(Request(argument, read_hints(entry), may_fail=True))
    return tuple(requests)


def is_path(argument: str) -> bool:
    """Return whether there is a file or folder of that name; what can't be a name is none."""
    try:
        return Path(argument).exists()
    except (OSError, ValueError):
        return False


def is_manifest(file: Path) -> bool:
    """Return whether a file lists dependencies, told by its name."""
    return _MANIFEST.fullmatch(file.name) is not None


def read_manifest(file: Path) -> tuple[str, ...]:
    """Return the sources of a file's dependencies, as `pypi:name` and `npm:name`, each once, in the file's order.

    Whatever version the file asks for: the newest changelog tells of the older ones too.

    Raises:
        SourceError: it can't be read, or states none.
    """
    content = decode(read_source(Source(file, str(file.parent), file.name, Hints())))
    lines = [Line(number, text) for number, text in enumerate(content.splitlines(), start=1)]
    found = dict.fromkeys(
        f"{_SCHEMES[dependency.ecosystem]}:{dependency.name}"
        for dependency in read_dependencies(file.name, lines)
        # A repository's `owner/name` is no package of PyPI.
        if dependency.ecosystem in _SCHEMES and (dependency.ecosystem is Ecosystem.NPM or "/" not in dependency.name)
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
        if path.is_file() and is_manifest(path):
            try:
                return _plan_named(read_manifest(path), flags, connectors)
            except SourceError as error:
                return Plan((_failing(str(path.resolve()), str(error)),))
    elif (uri := connectors.name(argument)) is not None:
        return Plan(wanted=(Request(uri, flags),))
    return Plan((open_containers(list_sources(argument, flags=flags)),))


def _plan_named(names: Sequence[str], flags: Hints, connectors: Connectors) -> Plan:
    """Return the sources that something lists; what can't be one is a failure in the report."""
    wanted: list[Request] = []
    failed: list[SourceListing] = []
    for name in names:
        try:
            uri = connectors.name(name)
        except UsageError as error:
            failed.append(_failing(name, str(error)))
        else:
            wanted += [Request(uri, flags)] if uri else []
    return Plan(tuple(failed), tuple(wanted))


def _failing(root: str, error: str) -> SourceListing:
    return SourceListing(root, failed=(FailedSource(root, error),))


def _config_faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    yield from table_faults(entry, HINT_CHECKS | {"source": filled()}, needed="source")
    if isinstance(entry, dict) and is_filled(source := entry.get("source")):
        try:
            connectors.name(source)
        except UsageError as error:
            yield str(error).rstrip(".")
