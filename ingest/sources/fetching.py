"""From sources that were named to their documents: files are listed, everything else is fetched, several at a time."""

import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

from corpus.errors import RelnotesError
from corpus.index.commit import fingerprint
from corpus.index.source_records import SourceRecord
from ingest.releases.identity import Hints
from ingest.sources.connectors import Connectors, Fetched, NoNotes, SourceGone
from ingest.sources.files import FailedSource, FetchedContent, Source, SourceListing

_AT_ONCE = 4


class SourceState(StrEnum):
    """What became of one source."""

    READ = "read"
    """Its documents were listed or fetched, whether or not they had changed."""
    UNCHANGED = "unchanged"
    """Its server says that nothing changed."""
    GONE = "gone"
    """Its server says that there is nothing (any more); its documents stay until `sync --prune`."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class WantedSource:
    """One source to ingest: a URI of `Connectors.name`, and what the user says of its documents."""

    uri: str
    flags: Hints


@dataclass(frozen=True, slots=True)
class Obtained:
    """What was got of one source."""

    listing: SourceListing
    outcome: SourceState
    state: str = ""
    """To be remembered for the next time, of a source without notes too."""
    made_with: str = ""
    note: str = ""


def fetch_all(
    wanted: Sequence[WantedSource],
    *,
    connectors: Connectors,
    records: Mapping[str, SourceRecord],
    documents: Mapping[str, int],
    pipeline_version: str,
    advance: Callable[[int], None],
) -> tuple[Obtained, ...]:
    """Fetch every source, a few at a time; the order is that of `wanted`, and `advance` hears of each.

    A server is asked only for what changed where the index still holds all documents of that source (`documents` counts
    them by root) and would make them the same way; so it is for a source that held none the last time.
    """

    def fetch(one: WantedSource) -> Obtained:
        made_with = fingerprint(pipeline_version, repr(one.flags))
        record = records.get(one.uri)
        is_whole = record is not None and record.documents == documents.get(one.uri, 0)
        known = record if is_whole and record and record.made_with == made_with else None
        return _fetch_one(one, connectors, known=known, made_with=made_with)

    waiting = deque((one, Future[Obtained]()) for one in wanted)
    results = [result for _, result in waiting]

    def work() -> None:
        with suppress(IndexError):
            while True:
                one, result = waiting.popleft()
                try:
                    result.set_result(fetch(one))
                except BaseException as error:
                    result.set_exception(error)

    # Daemons, which nothing waits for: whoever is told to end does so at once, however slow a server is. What they
    # hold is in memory, and nothing is written before all of it is there.
    for _ in range(min(_AT_ONCE, len(results))):
        threading.Thread(target=work, name="fetch", daemon=True).start()
    obtained: list[Obtained] = []
    try:
        for result in results:
            obtained.append(result.result())
            advance(1)
    finally:
        waiting.clear()
    return tuple(obtained)


def _fetch_one(wanted: WantedSource, connectors: Connectors, *, known: SourceRecord | None, made_with: str) -> Obtained:
    uri = wanted.uri
    try:
        found = connectors.fetch(uri, state=known.state if known else "")
    except SourceGone as error:
        return _failure(uri, str(error), SourceState.GONE)
    except NoNotes as error:
        return replace(_failure(uri, str(error), SourceState.FAILED), state=error.state, made_with=made_with)
    except RelnotesError as error:
        return _failure(uri, str(error), SourceState.FAILED)
    except Exception as error:  # whatever a stranger's answer makes a connector trip over, the other sources go on
        problem = f"can't be read ({type(error).__name__}: {error}); please report it"
        return _failure(uri, problem, SourceState.FAILED)
    if isinstance(found, Fetched):
        return Obtained(as_listing(wanted, found), SourceState.READ, found.state, made_with, found.note)
    note = known.note if known else ""
    if known and not known.documents:
        return replace(_failure(uri, note, SourceState.FAILED), state=found.state, made_with=made_with)
    current = SourceListing(uri, (), (), (), is_folder=True, is_current=True)
    return Obtained(current, SourceState.UNCHANGED, found.state, made_with, note)


def _failure(uri: str, error: str, outcome: SourceState) -> Obtained:
    return Obtained(SourceListing(uri, (), (), (FailedSource(uri, error),), is_folder=True), outcome)


def as_listing(wanted: WantedSource, found: Fetched) -> SourceListing:
    """The documents of a source, with what the user says of them first."""
    flags = wanted.flags
    sources = tuple(
        Source(
            path=None,
            root=wanted.uri,
            name=one.source,
            hints=replace(
                one.hints,
                product=flags.product or one.hints.product,
                version=flags.version or one.hints.version,
                authority=flags.authority or one.hints.authority,
                url=flags.url or one.hints.url,
                title=flags.title or one.hints.title,
            ),
            fetched=FetchedContent(one.content, one.place, one.home),
        )
        for one in found.documents
    )
    return SourceListing(wanted.uri, sources, (), (), is_folder=found.is_whole)
