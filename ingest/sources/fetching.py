"""From sources elsewhere that were named to their documents, several fetched at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.pool import ThreadPool

from corpus.errors import RelnotesError
from corpus.index.commit import fingerprint
from corpus.index.source_records import SourceRecord
from ingest.sources.connectors import Connectors, SourceGone
from ingest.sources.files import FailedSource, SourceListing
from ingest.sources.requests import Request

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
class Obtained:
    """What was got of one source."""

    listing: SourceListing
    outcome: SourceState
    state: str = ""
    """To be remembered for the next time, of a source without notes too."""
    made_with: str = ""
    note: str = ""


def fetch_all(
    wanted: Sequence[Request],
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

    def fetch(source: Request) -> Obtained:
        uri, made_with = source.argument, fingerprint(pipeline_version, repr(source.flags))
        known = records.get(uri)
        if known and (known.documents, known.made_with) != (documents.get(uri, 0), made_with):
            known = None
        state = known.state if known else ""
        try:
            found = connectors.fetch(uri, state=state)
        except SourceGone as error:
            return Obtained(_failed(uri, str(error)), SourceState.GONE)
        except RelnotesError as error:
            return Obtained(_failed(uri, str(error)), SourceState.FAILED)
        except Exception as error:  # whatever a stranger's answer makes a connector trip over, the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            return Obtained(_failed(uri, problem), SourceState.FAILED)
        note = found.note if found else known.note if known else ""
        state = found.state if found else state
        if not (found.documents if found else known and known.documents):
            return Obtained(_failed(uri, note), SourceState.FAILED, state, made_with, note)
        if found is None:
            unchanged = SourceListing(uri, is_folder=True, is_current=True)
            return Obtained(unchanged, SourceState.UNCHANGED, state, made_with, note)
        sources = tuple(document.below(uri, source.flags) for document in found.documents)
        return Obtained(SourceListing(uri, sources, is_folder=found.is_whole), SourceState.READ, state, made_with, note)

    if not wanted:
        return ()
    obtained: list[Obtained] = []
    # Its threads are daemons, which nothing waits for: a process that is told to end does so at once, however slow a
    # server is. What they hold is in memory, and nothing is written before all of it is there.
    with ThreadPool(min(_AT_ONCE, len(wanted))) as pool:
        for result in pool.imap(fetch, wanted):
            obtained.append(result)
            advance(1)
    return tuple(obtained)


def _failed(uri: str, error: str) -> SourceListing:
    return SourceListing(uri, failed=(FailedSource(uri, error),), is_folder=True)
