"""Sorts what a user asks to ingest: local files and folders, remote sources, and files that list other sources.

Remote sources are fetched, several at a time. A `relnotes.toml` lists the sources of `relnotes sync`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any, NamedTuple

from corpus.dependencies.dependency_files import read_dependencies
from corpus.dependencies.model import Ecosystem, Line
from corpus.errors import RelnotesError, SourceError, UsageError
from corpus.index.commit import fingerprint
from corpus.index.source_records import SourceRecord
from ingest.formats.encodings import decode
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, SourceGone
from ingest.sources.files import FailedSource, Source, SourceListing, list_sources, read_source
from ingest.sources.sources_toml import HINT_CHECKS, filled_check, is_filled, read_hints, read_tables, table_faults

CONFIG_FILE = "relnotes.toml"
_FETCHED_AT_ONCE = 4
_MANIFEST = re.compile(
    r"(?i)(?:[\w.-]*[-_.])?(?:requirements|constraints)(?:[-_.][\w.-]*)?\.(?:txt|in)|pyproject\.toml"
    r"|(?:uv|poetry)\.lock|package\.json|(?:package-lock|npm-shrinkwrap)\.json"
    r"|yarn\.lock|pnpm-lock\.ya?ml"
)
_SCHEMES = {Ecosystem.PYPI: "pypi", Ecosystem.NPM: "npm"}
_NO_PACKAGES = frozenset({"pypi:python", "npm:node", "npm:npm", "npm:vscode"})
"""Names among dependencies that are platforms, not packages."""


class Request(NamedTuple):
    """One SOURCE of a command, or one entry of a relnotes.toml, with the flags for its documents."""

    argument: str  # As written, or the URI of a remote source.
    flags: Hints
    may_fail: bool = False
    """Whether a missing path or environment is a failure in the report instead of a usage error."""


class SourceState(StrEnum):
    """The outcome of one source."""

    READ = "read"  # Its documents were listed or fetched, changed or not.
    UNCHANGED = "unchanged"  # Its server answered that nothing changed.
    GONE = "gone"  # Its server answered that it doesn't exist (any more); its documents stay until `sync --prune`.
    FAILED = "failed"


class Obtained(NamedTuple):
    """The result of listing or fetching one source."""

    listing: SourceListing
    outcome: SourceState
    state: str = ""  # Stored for the next fetch, also for a source without notes.
    made_with: str = ""
    note: str = ""


class Plan(NamedTuple):
    """The sources of several requests; each root and each URI once, with the flags of the first request for it."""

    listings: tuple[SourceListing, ...] = ()  # Local files and folders, already listed.
    wanted: tuple[Request, ...] = ()  # Remote sources, to be fetched.


def plan_requests(requests: Sequence[Request], *, connectors: Connectors) -> Plan:
    """Sort requests into local and remote sources; nothing is fetched yet.

    Raises:
        UsageError: one names nothing that can be ingested.
    """
    listings: dict[str, SourceListing] = {}
    wanted: dict[str, Request] = {}
    for request in requests:
        try:
            plan = _plan_request(request, connectors)
        except UsageError as error:
            if not request.may_fail:
                raise
            plan = Plan((_failed_listing(request.argument, str(error)),))
        for listing in plan.listings:
            # A folder under two spellings, or behind a link, has one root.
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
    """Return the listed sources, then the remote ones, fetched a few at a time; `advance` is called after each fetch.

    A server is asked only for changes if the index still has all documents of the source (`documents` counts them by
    root) and would encode them in the same way, or if the source had none the last time.
    """

    def fetch(source: Request) -> Obtained:
        uri, made_with = source.argument, fingerprint(pipeline_version, repr(source.flags))
        known = records.get(uri)
        if known and (known.documents, known.made_with) != (documents.get(uri, 0), made_with):
            known = None
        state = known.state if known else ""
        try:
            fresh = connectors.fetch(uri, state=state)
        except SourceGone as error:
            return Obtained(_failed_listing(uri, str(error)), SourceState.GONE)
        except RelnotesError as error:
            return Obtained(_failed_listing(uri, str(error)), SourceState.FAILED)
        except Exception as error:  # an answer may make a connector raise anything; the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            return Obtained(_failed_listing(uri, problem), SourceState.FAILED)
        note = fresh.note if fresh else known.note if known else ""
        state = fresh.state if fresh else state
        if not (fresh.documents if fresh else known and known.documents):
            return Obtained(_failed_listing(uri, note), SourceState.FAILED, state, made_with, note)
        if fresh is None:
            unchanged = SourceListing(uri, is_folder=True, is_current=True)
            return Obtained(unchanged, SourceState.UNCHANGED, state, made_with, note)
        sources = tuple(document.below(uri, source.flags) for document in fresh.documents)
        return Obtained(SourceListing(uri, sources, is_folder=True), SourceState.READ, state, made_with, note)

    obtained = [Obtained(listing, SourceState.READ) for listing in plan.listings]
    if not plan.wanted:
        return tuple(obtained)
    # Its threads are daemons, so that a process that shall end needn't wait for a slow server. Their results are in
    # memory, and nothing is written before all are complete.
    with ThreadPool(min(_FETCHED_AT_ONCE, len(plan.wanted))) as pool:
        for result in pool.imap(fetch, plan.wanted):
            obtained.append(result)
            advance(1)
    return tuple(obtained)


def read_config(file: Path, *, connectors: Connectors) -> tuple[Request, ...]:
    """Return the sources that a relnotes.toml lists, in its order; its paths are relative to its folder.

    Raises:
        UsageError: it can't be read, lists nothing, or anything in it is wrong (all its faults in one message).
    """
    try:
        tables, faults = read_tables(file, "source", remedy="List fewer sources.")
    except FileNotFoundError as error:
        raise UsageError(
            f"No file {str(file)!r}. Write one with a [[source]] for each source, or name another with --config."
        ) from error
    for number, entry in enumerate(tables, start=1):
        faults += [f"source {number}: {fault}" for fault in _config_faults(entry, connectors)]
    if not tables and not faults:
        faults.append("it lists no [[source]]")
    if faults:
        raise UsageError(f"{str(file)!r}: {'; '.join(faults)}. Mend it and sync again.")
    folder = file.absolute().parent
    requests = []
    for entry in tables:
        source = entry["source"]
        argument = source if connectors.name(source) is not None else str(folder / Path(source).expanduser())
        requests.append(Request(argument, read_hints(entry), may_fail=True))
    return tuple(requests)


def is_path(argument: str) -> bool:
    """Return whether there is a file or folder of that name; False for what can't be a name."""
    try:
        return Path(argument).exists()
    except (OSError, ValueError):
        return False


def is_manifest(file: Path) -> bool:
    """Return whether a file lists dependencies of PyPI or npm, by its name alone."""
    return _MANIFEST.fullmatch(file.name) is not None


def read_manifest(file: Path) -> tuple[str, ...]:
    """Return the sources of a file's dependencies, as `pypi:name` and `npm:name`, each once, in the file's order.

    The file's versions are ignored, because the newest changelog contains the older ones' notes.

    Raises:
        SourceError: it can't be read, or lists no dependency.
    """
    content = decode(read_source(Source(file, str(file.parent), file.name, Hints())))
    lines = [Line(number, text) for number, text in enumerate(content.splitlines(), start=1)]
    sources = dict.fromkeys(
        f"{_SCHEMES[dependency.ecosystem]}:{dependency.name}"
        for dependency in read_dependencies(file.name, lines)
        # A repository's `owner/name` isn't a package on PyPI.
        if dependency.ecosystem in _SCHEMES and (dependency.ecosystem is Ecosystem.NPM or "/" not in dependency.name)
    )
    packages = tuple(name for name in sources if name.lower() not in _NO_PACKAGES)
    if not packages:
        raise SourceError(
            "states no dependency of PyPI or npm; give a file with notes, or another list of dependencies"
        )
    return packages


def _plan_request(request: Request, connectors: Connectors) -> Plan:
    """Return the plan of a request: a local path's listing, or the remote sources that a URI or a manifest names."""
    argument, flags = request.argument, request.flags
    # A file's name may look like a source.
    if is_path(argument):
        path = Path(argument)
        if path.is_file() and is_manifest(path):
            try:
                return _plan_listed(read_manifest(path), flags, connectors)
            except SourceError as error:
                return Plan((_failed_listing(str(path.resolve()), str(error)),))
    elif (uri := connectors.name(argument)) is not None:
        return Plan(wanted=(Request(uri, flags),))
    return Plan((list_sources(argument, flags=flags),))


def _plan_listed(names: Sequence[str], flags: Hints, connectors: Connectors) -> Plan:
    """Return the plan for the sources that a file lists; those that can't be sources are failures in the report."""
    wanted: list[Request] = []
    failed: list[SourceListing] = []
    for name in names:
        try:
            uri = connectors.name(name)
        except UsageError as error:
            failed.append(_failed_listing(name, str(error)))
        else:
            wanted += [Request(uri, flags)] if uri else []
    return Plan(tuple(failed), tuple(wanted))


def _failed_listing(root: str, error: str) -> SourceListing:
    return SourceListing(root, failed=(FailedSource(root, error),))


def _config_faults(entry: Any, connectors: Connectors) -> Iterator[str]:
    yield from table_faults(entry, HINT_CHECKS | {"source": filled_check()}, needed="source")
    if isinstance(entry, dict) and is_filled(source := entry.get("source")):
        try:
            connectors.name(source)
        except UsageError as error:
            yield str(error).rstrip(".")
