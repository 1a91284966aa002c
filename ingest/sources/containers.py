"""Opens local files that contain several documents; each is named by the file's path, a `#` and its place."""

from dataclasses import replace
from pathlib import Path

from corpus.errors import SourceError
from ingest.sources.connectors.github_releases import read_releases_file
from ingest.sources.container_kinds import is_container
from ingest.sources.files import FailedSource, FetchedDocument, Source, SourceListing, read_source

_MAX_ERROR_CHARACTERS = 300


def open_containers(listing: SourceListing) -> SourceListing:
    """Return the listing with each container replaced by its documents; one that can't be opened is a failure."""
    sources: list[Source] = []
    failed = list(listing.failed)
    holds_all = listing.is_folder
    for source in listing.sources:
        if not source.path or not is_container(source.path):
            sources.append(source)
            continue
        holds_all = True
        try:
            sources += [document.below(source.root, source.hints) for document in open_container(source)]
        except SourceError as error:
            failed.append(FailedSource(source.name, str(error)))
        except Exception as error:  # a file may make a reader raise anything; the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            failed.append(FailedSource(source.name, " ".join(problem.split())[:_MAX_ERROR_CHARACTERS]))
    return replace(listing, sources=tuple(sources), failed=tuple(failed), is_folder=holds_all)


def open_container(source: Source) -> tuple[FetchedDocument, ...]:
    """Return the documents of a container.

    Raises:
        SourceError: it can't be read, or has no document.
    """
    content = read_source(source)
    place = str(Path(source.root) / source.name) if Path(source.root).name != source.name else source.root
    return read_releases_file(content, source=source.name, place=place)
