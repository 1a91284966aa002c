"""What a user asks to ingest, told apart: files and folders here, sources elsewhere, and what lists other sources."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpus.errors import SourceError, UsageError
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, Fetched
from ingest.sources.connectors.environments import SCHEME as ENVIRONMENT
from ingest.sources.connectors.environments import read_environment
from ingest.sources.connectors.manifests import is_manifest, read_manifest
from ingest.sources.containers import open_containers
from ingest.sources.fetching import WantedSource, as_listing
from ingest.sources.files import FailedSource, SourceListing, list_sources


@dataclass(frozen=True, slots=True)
class Request:
    """One SOURCE of a command, or one entry of a relnotes.toml, with what the user says of its documents."""

    argument: str
    flags: Hints
    may_fail: bool = False
    """Whether a path or an environment that isn't there is a failure among others, and not wrong usage."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What several requests come to; each root and each URI once, with the flags of the first request for it."""

    listings: tuple[SourceListing, ...]
    """What was listed on this machine."""
    wanted: tuple[WantedSource, ...]
    """What is to be fetched."""


def plan_requests(requests: Sequence[Request], *, connectors: Connectors) -> Plan:
    """Tell the requests apart; nothing is fetched yet.

    Raises:
        UsageError: one names nothing that can be ingested.
    """
    listings: dict[str, SourceListing] = {}
    wanted: dict[str, WantedSource] = {}
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
        for one in plan.wanted:
            wanted.setdefault(one.uri, one)
    return Plan(tuple(listings.values()), tuple(wanted.values()))


def _plan(request: Request, connectors: Connectors) -> Plan:
    argument, flags = request.argument, request.flags
    # A file may be called like a source.
    if _is_file(argument):
        return _plan_manifest(request, connectors) if is_manifest(Path(argument)) else _plan_listing(request)
    if argument.lower().startswith(ENVIRONMENT) and not is_path(argument):
        found = read_environment(ENVIRONMENT + argument[len(ENVIRONMENT) :])
        listing = as_listing(WantedSource(found.uri, flags), Fetched(found.documents))
        missing = _plan_named(found.missing, flags, connectors)
        return replace(missing, listings=(listing,)) if found.documents else missing
    uri = None if is_path(argument) else connectors.name(argument)
    return Plan((), (WantedSource(uri, flags),)) if uri is not None else _plan_listing(request)


def _plan_listing(request: Request) -> Plan:
    return Plan((open_containers(list_sources(request.argument, flags=request.flags)),), ())


def _plan_manifest(request: Request, connectors: Connectors) -> Plan:
    file = Path(request.argument)
    try:
        return _plan_named(read_manifest(file), request.flags, connectors)
    except SourceError as error:
        return _failing(str(file.resolve()), str(error))


def _plan_named(names: Sequence[str], flags: Hints, connectors: Connectors) -> Plan:
    """The sources that something lists; what can't be one is left for whoever reads the report."""
    wanted: list[WantedSource] = []
    failed: list[SourceListing] = []
    for name in names:
        try:
            uri = connectors.name(name)
        except UsageError as error:
            failed += _failing(name, str(error)).listings
        else:
            wanted += [WantedSource(uri, flags)] if uri else []
    return Plan(tuple(failed), tuple(wanted))


def _failing(root: str, error: str) -> Plan:
    return Plan((SourceListing(root, (), (), (FailedSource(root, error),), is_folder=False),), ())


def is_path(argument: str) -> bool:
    """Whether there is a file or folder of that name; what can't be a name is none."""
    try:
        return Path(argument).exists()
    except (OSError, ValueError):
        return False


def _is_file(argument: str) -> bool:
    try:
        return Path(argument).is_file()
    except (OSError, ValueError):
        return False
