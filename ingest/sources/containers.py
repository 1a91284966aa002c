"""Files on this machine that hold several documents: archives, feeds, and releases saved from GitHub, opened.

Each document in one goes by the file's own path, a `#`, and its place in it. What the file holds no more is removed
from the index with the next ingest: unlike an address, a file is all there is of it.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from corpus.errors import SourceError
from ingest.releases.identity import Hints
from ingest.releases.names import name_by_place
from ingest.sources.compression import is_compressed, unfold, without_compression
from ingest.sources.connectors.archives import MAX_ARCHIVE_BYTES, Member, Survey, read_files, survey_archive
from ingest.sources.connectors.changelog_files import as_documents, choose_notes, is_notes_path
from ingest.sources.connectors.feeds import read_feed
from ingest.sources.connectors.model import FetchedDocument
from ingest.sources.connectors.release_documents import read_releases_file
from ingest.sources.container_kinds import ContainerKind, tell_container
from ingest.sources.files import (
    MAX_FILE_BYTES,
    FailedSource,
    FetchedContent,
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


@dataclass(frozen=True, slots=True)
class _Opened:
    documents: tuple[FetchedDocument, ...]
    skipped: tuple[SkippedSource, ...] = ()


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
            opened = _open(source, kind)
        except SourceError as error:
            failed.append(FailedSource(source.name, str(error)))
        except Exception as error:  # whatever a stranger's file makes a reader trip over, the other sources go on
            problem = f"can't be read ({type(error).__name__}: {error}); please report it"
            failed.append(FailedSource(source.name, " ".join(problem.split())[:_MAX_ERROR_CHARACTERS]))
        else:
            sources += [_as_source(one, source) for one in opened.documents]
            skipped += opened.skipped
    return replace(
        listing,
        sources=tuple(sources),
        skipped=tuple(skipped),
        failed=tuple(failed),
        is_folder=listing.is_folder or is_container,
    )


def _open(source: Source, kind: ContainerKind) -> _Opened:
    place = str(Path(source.root) / source.name) if Path(source.root).name != source.name else source.root
    if kind is ContainerKind.ARCHIVE:
        return _open_archive(read_source(source, limit=MAX_ARCHIVE_BYTES), source.name)
    content = read_source(source)
    if kind is ContainerKind.FEED:
        return _Opened(read_feed(content, uri=source.name, url="", home=name_by_place(source.name, root=place)))
    return _Opened(read_releases_file(content, source=source.name, place=place))


def _as_source(document: FetchedDocument, container: Source) -> Source:
    """A document of a container; what is said of the container holds for it, before what it says itself."""
    said, own = container.hints, document.hints
    hints = Hints(
        product=said.product or own.product,
        aliases=said.aliases or own.aliases,
        version=said.version or own.version,
        title=said.title or own.title,
        url=said.url or own.url,
        day=said.day or own.day,
        authority=said.authority or own.authority,
        folder=said.folder or own.folder,
    )
    fetched = FetchedContent(document.content, document.place, document.home)
    return Source(path=None, root=container.root, name=document.source, hints=hints, fetched=fetched)


def _open_archive(content: bytes, name: str) -> _Opened:
    survey = survey_archive(content)
    if _OFFICE_FILES.intersection(survey.paths):
        raise SourceError("is an office document or a book; save it as HTML, PDF or text and give that")
    skipped = [
        f"holds {reason} ({first})" if count == 1 else f"holds {count:,} times {reason} (the first: {first})"
        for reason, count, first in survey.passed_over
    ]
    members: tuple[Member, ...]
    top = _top_folder(survey)
    if _is_package(survey, top):
        found = read_files(content, wanted=lambda path: is_notes_path(without_compression(_below(path, top))))
        notes = choose_notes([Member(_below(one.path, top), _plain(one.content)) for one in found])
        product = _package_name(name, top)
        documents = as_documents(notes, uri=name, product=product, url=None)
    else:
        paths = {path for path in survey.paths if is_document_name(path)}
        members = read_files(content, wanted=lambda path: path in paths)
        documents = tuple(_member_document(one, archive=name, top=top) for one in members if one.content.strip())
        if left := len(survey.paths) - len(paths):
            skipped.append(f"holds {left:,} {'file that is' if left == 1 else 'files that are'} no document")
    if not documents:
        raise SourceError("; ".join(["is an archive without release notes", *skipped]) + "; give a file of notes")
    return _Opened(documents, tuple(SkippedSource(name, reason) for reason in skipped))


def _member_document(member: Member, *, archive: str, top: str) -> FetchedDocument:
    """A file of an archive that is read like the folder it was made from."""
    parts = PurePosixPath(_below(member.path, top)).parts
    return FetchedDocument(
        source=f"{archive}#{member.path}",
        place=without_compression(member.path),
        home=top or _stem(archive),
        content=_plain(member.content),
        hints=Hints(folder=parts[0] if len(parts) > 1 else None),
    )


def _stem(archive: str) -> str:
    return _ARCHIVE_SUFFIX.sub("", PurePosixPath(archive).name)


def _plain(content: bytes) -> bytes:
    return unfold(content, limit=MAX_FILE_BYTES) if is_compressed(content) else content


def _top_folder(survey: Survey) -> str:
    """The one folder that all files lie in; empty where there is none."""
    tops = {path.partition("/")[0] for path in survey.paths}
    return tops.pop() if len(tops) == 1 and all("/" in path for path in survey.paths) else ""


def _below(path: str, top: str) -> str:
    return path.removeprefix(f"{top}/") if top else path


def _is_package(survey: Survey, top: str) -> bool:
    """Whether the archive is a package or a source tree, of whose many files its changelog is wanted."""
    own = (_below(path, top) for path in survey.paths)
    return any(path.casefold() in _PACKAGE_FILES or _WHEEL_METADATA.fullmatch(path) for path in own)


def _package_name(archive: str, top: str) -> str:
    named = top if top and top != _NPM_FOLDER else _stem(archive)
    return name_by_place("index.html", root=f"/{named}")
