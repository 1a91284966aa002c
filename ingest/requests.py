"""What a user asks to ingest, told apart: files and folders here, sources elsewhere, and files that list sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.connectors import Connectors
from ingest.fetching import Wanted
from ingest.identity import Hints
from ingest.sources import SourceListing, list_sources


@dataclass(frozen=True, slots=True)
class Request:
    """One SOURCE of a command, or one entry of a relnotes.toml, with what the user says of its documents."""

    argument: str
    flags: Hints


@dataclass(frozen=True, slots=True)
class Plan:
    """What several requests come to; each root and each URI once, the first request's flags for both."""

    listings: tuple[SourceListing, ...]
    """What was listed on this machine."""
    wanted: tuple[Wanted, ...]
    """What is to be fetched."""


def plan_requests(requests: Sequence[Request], *, connectors: Connectors) -> Plan:
    """Tell the requests apart; nothing is fetched yet.

    Raises:
        UsageError: one names nothing that can be ingested.
    """
    listings: dict[str, SourceListing] = {}
    wanted: dict[str, Wanted] = {}
    for request in requests:
        # A file may be called like a source.
        uri = None if _exists(request.argument) else connectors.name(request.argument)
        if uri is not None:
            wanted.setdefault(uri, Wanted(uri, request.flags))
        else:
            # One folder under two spellings, or behind a link, is one root.
            listing = list_sources(request.argument, flags=request.flags)
            listings.setdefault(listing.root, listing)
    return Plan(tuple(listings.values()), tuple(wanted.values()))


def _exists(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except (OSError, ValueError):
        return False
