"""Files on this machine that hold several documents, opened: each goes by the file's path, a `#` and its place."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from corpus.errors import SourceError
from ingest.releases.identity import Hints
from ingest.releases.subjects import name_by_place
from ingest.sources.connectors.archives import MAX_ARCHIVE_BYTES, Archive, Member
from ingest.sources.connectors.changelog_files import as_documents, choose_notes, is_notes_path
from ingest.sources.connectors.feeds import read_feed
from ingest.sources.connectors.github_releases import read_releases_file
from ingest.sources.container_kinds import ContainerKind, tell_container, unfold, without_compression
from ingest.sources.files import (
    MAX_FILE_BYTES,
    FailedSource,
    FetchedDocument,
    SkippedSource,
    Source,
    SourceListing,
    is_document_name,
    read_source,
)

_PACKAGE_FILES = frozenset(
    "pkg-info setup.py setup.cfg pyproject.toml package.json cargo.toml composer.json go.mod configure configure.ac"
    " cmakelists.txt makefile meson.build pom.xml build.gradle metadata.gz".split()
)
_WHEEL_METADATA = re.compile(r"[^/]+\.(?:dist|egg)-info/(?:METADATA|PKG-INFO)")
_OFFICE_FILES = frozenset({"[Content_Types].xml", "META-INF/container.xml", "META-INF/manifest.xml"})
_ARCHIVE_SUFFIX = re.compile(r"(?:\.orig|\.src)?(?:\.tar)?\.[A-Za-z0-9]{1,5}\Z")
_NPM_FOLDER = "package"
_MAX_ERROR_CHARACTERS = 300


def open_containers(listing: SourceListing) -> SourceListing:
    """The listing with the documents of each container in its place; one that can't be opened is a failure."""
    sources: list[Source] = []
    skipped, failed = list(listing.skipped), list(listing.failed)
    is_container = False
    for source in listing.sources:
        kind = tell_container(source.path) if source.path else None
        if kind is None:
            sources.append(source)
            continue
        is_container = True
        try:
            documents, left_out = open_container(source, kind)
        except SourceError as error:
            failed.append(FailedSource(source.name, str(error)))
        except Exception as error:  # whatever a stranger's file makes a reader trip over, the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            failed.append(FailedSource(source.name, " ".join(problem.split())[:_MAX_ERROR_CHARACTERS]))
        else:
            sources += [document.below(source.root, source.hints) for document in documents]
            skipped += [SkippedSource(source.name, reason) for reason in left_out]
    return replace(
        listing,
        sources=tuple(sources),
        skipped=tuple(skipped),
        failed=tuple(failed),
        is_folder=listing.is_folder or is_container,
    )


def open_container(source: Source, kind: ContainerKind) -> tuple[tuple[FetchedDocument, ...], Sequence[str]]:
    """The documents of a container, and what was left out of it, a line for each reason.

    Raises:
        SourceError: it can't be read, or holds no document.
    """
    if kind is ContainerKind.ARCHIVE:
        return _open_archive(Archive(read_source(source, limit=MAX_ARCHIVE_BYTES)), source.name)
    content = read_source(source)
    place = str(Path(source.root) / source.name) if Path(source.root).name != source.name else source.root
    if kind is ContainerKind.FEED:
        return read_feed(content, uri=source.name, url="", home=name_by_place(source.name, root=place)), ()
    return read_releases_file(content, source=source.name, place=place), ()


def _open_archive(archive: Archive, name: str) -> tuple[tuple[FetchedDocument, ...], Sequence[str]]:
    if _OFFICE_FILES.intersection(archive.paths):
        raise SourceError("is an office document or a book; save it as HTML, PDF or text and give that")
    left_out = list(archive.passed_over)
    if any(path.casefold() in _PACKAGE_FILES or _WHEEL_METADATA.fullmatch(path) for path in archive.paths):
        # Of the many files of a package or a source tree, its changelog is wanted.
        found = archive.read(lambda path: is_notes_path(without_compression(path)))
        notes = choose_notes([replace(member, content=_plain(member)) for member in found])
        package = archive.top if archive.top and archive.top != _NPM_FOLDER else _stem(name)
        documents = as_documents(notes, uri=name, product=name_by_place("index.html", root=f"/{package}"))
    else:
        members = archive.read(is_document_name)
        documents = tuple(_document(member, name, archive.top) for member in members if member.content.strip())
        if left := sum(not is_document_name(path) for path in archive.paths):
            left_out.append(f"holds {left:,} {'file that is' if left == 1 else 'files that are'} no document")
    if not documents:
        raise SourceError("; ".join(["is an archive without release notes", *left_out]) + "; give a file of notes")
    return documents, left_out


def _document(member: Member, archive: str, top: str) -> FetchedDocument:
    """A file of an archive, which is read like the folder it was made from."""
    parts = PurePosixPath(member.path).parts
    path = f"{top}/{member.path}" if top else member.path
    hints = Hints(folder=parts[0] if len(parts) > 1 else None)
    return FetchedDocument(f"{archive}#{path}", without_compression(path), top or _stem(archive), _plain(member), hints)


def _plain(member: Member) -> bytes:
    return unfold(member.content, limit=MAX_FILE_BYTES)


def _stem(archive: str) -> str:
    return _ARCHIVE_SUFFIX.sub("", PurePosixPath(archive).name)
