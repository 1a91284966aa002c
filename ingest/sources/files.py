"""Lists files and folders, reads documents' bytes, and adds hints from `sources.toml`, folders and flags.

Links out of the given roots aren't followed, and everything left out has a reason in the report.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from filecmp import cmp
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from corpus.errors import SourceError, UsageError
from corpus.formats import OTHER_TEXT, format_of_name, suffix_of_name
from corpus.index.layout import DATABASE_NAME
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.releases.subjects import package_folders
from ingest.sources.container_kinds import is_archive_name, is_compressed, is_tar, is_zip
from ingest.sources.includes import MAX_INCLUDING_BYTES, included_paths, target_of
from ingest.sources.sources_toml import SOURCES_FILE, hints_for, read_descriptions

MAX_FILE_BYTES = 32 * 1024 * 1024
_LOG = re.compile(rb"^%changelog\s+\*|<action\s", re.MULTILINE)  # In an RPM's spec, in Maven's changes.
_README = re.compile(r"(?i)readme\b")
_RELEASE_LINE = re.compile(rb"(?mi)^[^\w\n]{0,9}(?:version |release |v)?\d+\.\d|change ?log|release notes")
_PICTURES = {code: chr(0x2400 + code) for code in range(32)} | {0x7F: "\N{SYMBOL FOR DELETE}"}
_NOTES_NAME = re.compile(r"(?i)change|release|news|history|notes|whats.?new|upgrad|migrat|relnotes|announce")


DocumentKey = tuple[str, str]  # The root and the source of a document.


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """One document as fetched."""

    source: str  # Its name in citations.
    place: str  # Its path at its origin, from which format and version are read as from a file's path.
    home: str  # The place that the path is relative to: names the product if nothing else does.
    content: bytes
    hints: Hints
    archive: Version | None = None
    """The version of the package's archive that it was in: notes of a later release aren't this package's."""

    def below(self, root: str, stated: Hints) -> "Source":
        """Return the document as a source of `root`; hints `stated` by the user override its own."""
        is_stated = bool(stated.product or stated.authority)
        return Source(None, root, self.source, stated.filled_from(self.hints), self, is_stated=is_stated)


@dataclass(frozen=True, slots=True)
class Source:
    """One document to read: its place, its name in citations, and the hints about it from outside."""

    path: Path | None  # None for a fetched document.
    root: str
    name: str
    """The path below the ingested folder, with forward slashes; a single file's name; a fetched document's URI."""
    hints: Hints
    fetched: FetchedDocument | None = None
    is_stated: bool = False  # Whether the user names its product or authority by a flag.

    @property
    def key(self) -> DocumentKey:
        """Its key in the index."""
        return self.root, self.name


@dataclass(frozen=True, slots=True)
class SkippedSource:
    """A file that isn't a document, and why it was left out."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class FailedSource:
    """A document that couldn't be read, and the error in one line."""

    source: str
    error: str


class SourceListing(NamedTuple):
    """The documents of one argument of `ingest`; `root` names it in the index."""

    root: str
    sources: tuple[Source, ...] = ()
    skipped: tuple[SkippedSource, ...] = ()
    failed: tuple[FailedSource, ...] = ()
    is_folder: bool = False
    """Whether it has all documents of `root`, so that any other in the index has vanished."""
    is_current: bool = False  # Whether the index is up to date with it; then nothing is listed.


def list_sources(argument: str, *, flags: Hints) -> SourceListing:
    """List the documents of a file or folder, sorted by name; `flags` win over `sources.toml`.

    Raises:
        UsageError: the path doesn't exist or is neither file nor folder, or a `sources.toml` is wrong (all its faults
            in one message).
    """
    root = _resolve(argument)
    if (shown := _printable(str(root))) != str(root).translate(_PICTURES):
        unwritable = FailedSource(shown, "has a path that isn't UTF-8; rename it")
        return SourceListing(shown, failed=(unwritable,), is_folder=root.is_dir())
    if not root.is_dir():
        entries = read_descriptions(root.parent / SOURCES_FILE, root=root.parent)
        hints = hints_for(root, entries, flags=flags, folder=None)
        return SourceListing(str(root), (_local_source(root, root, root.name, hints, flags),))
    unreadable: list[OSError] = []
    files = sorted(_walk(root, unreadable), key=lambda file: file.relative_to(root).as_posix())
    descriptions = [file for file in files if file.name == SOURCES_FILE]
    # The nearest description wins: deeper folders first.
    descriptions.sort(key=lambda file: -len(file.parts))
    entries = [entry for file in descriptions for entry in read_descriptions(file, root=root, siblings=files)]
    sources: list[Source] = []
    skipped: list[SkippedSource] = []
    failed = [
        FailedSource(_printable(os.path.relpath(error.filename, root)), f"can't be read ({error.strerror})")
        for error in unreadable
    ]
    copies = _copies(file for file in files if file.is_file() and not file.is_symlink())
    packages = package_folders(file.relative_to(root).as_posix() for file in files)
    includes = {file: targets for file in files if (targets := _included(file, root))}
    included = {target for targets in includes.values() for target in targets}
    has_notes = any(not _README.match(file.name) and _skip_reason(file) is None for file in files)
    for file in files:
        name = file.relative_to(root).as_posix()
        if file.name == SOURCES_FILE:
            continue
        if fault := _path_fault(file, name, root=root):
            failed.append(FailedSource(_printable(name), fault))
        elif reason := (
            _include_reason(includes.get(file, ()), files, root)
            or (file not in included and _skip_reason(file))
            or copies.get(file)
            or (has_notes and _no_release_reason(file))
        ):
            skipped.append(SkippedSource(_printable(name), reason))
        else:
            path = PurePosixPath(name)
            package = next((above.name for above in path.parents if above.as_posix() in packages), None)
            # What the user types names all of it.
            folder = None if flags.product else package or (path.parts[0] if len(path.parts) > 1 else None)
            hints = replace(hints_for(file, entries, flags=flags, folder=folder), is_package=package is not None)
            sources.append(_local_source(file, root, name, hints, flags))
    return SourceListing(str(root), tuple(sources), tuple(skipped), tuple(failed), is_folder=True)


def _copies(files: Iterable[Path]) -> dict[Path, str]:
    """Return files that are copies of one in a folder above, each with that reason; ends at an unreadable one."""
    by_size: dict[int, list[Path]] = {}
    copies: dict[Path, str] = {}
    # A file that can't be read is reported when it is read.
    with suppress(OSError):
        for file in sorted(files, key=lambda file: len(file.parts)):
            alike = by_size.setdefault(file.stat().st_size, [])
            above = (peer for peer in alike if peer.parent in file.parents and peer.parent != file.parent)
            if original := next((peer for peer in above if cmp(peer, file, shallow=False)), None):
                copies[file] = f"is a copy of {original.name} in a folder above"
            alike.append(file)
    return copies


def _included(file: Path, root: Path) -> tuple[Path, ...]:
    """Return the files that a page includes if it does nothing else; () if it isn't a page, or can't be read."""
    try:
        if not file.is_file() or file.stat().st_size > MAX_INCLUDING_BYTES or _skip_reason(file):
            return ()
        page = file.relative_to(root).as_posix()
        return tuple(root / target_of(page, path) for path in included_paths(file.read_bytes()))
    except OSError:
        return ()


def _include_reason(targets: Sequence[Path], files: Sequence[Path], root: Path) -> str:
    """Return why a page that only includes `targets` is skipped; empty if there are none."""
    missing = [target for target in targets if target not in files]
    names = ", ".join(os.path.relpath(target, root) for target in missing or targets)
    fate = "the folder doesn't have" if missing else "is read"
    return f"only includes {names}, which {fate}" if targets else ""


def _local_source(file: Path, root: Path, name: str, hints: Hints, flags: Hints) -> Source:
    return Source(file, str(root), _printable(name), hints, is_stated=bool(flags.product or flags.authority))


def read_source(source: Source) -> bytes:
    """Return the bytes of a source.

    Raises:
        SourceError: it can't be read, is empty, compressed, an archive, over the size limit, or only includes another.
    """
    content = source.fetched.content if source.fetched else _read_file(source)
    if paths := included_paths(content):
        raise SourceError(f"only includes {paths[0]}; give that file")
    return content


def _read_file(source: Source) -> bytes:
    path = source.path or Path(source.root)
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise SourceError("is a pipe or a device, not a regular file; give a text or HTML file")
        if size > MAX_FILE_BYTES:
            raise SourceError(
                f"is {size / 2**20:,.0f} MiB, over the limit of {MAX_FILE_BYTES // 2**20} MiB; split it or leave it out"
            )
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES)
    except OSError as error:
        raise SourceError(
            f"can't be read ({error.strerror or error}); check that it exists and its permissions"
        ) from error
    if not content.strip():
        raise SourceError("is empty; nothing to ingest")
    if is_compressed(content) or is_zip(content) or is_tar(content):
        raise SourceError(
            "is compressed, an archive or an office document; unpack it and give what it holds, or save it as text"
        )
    return content


def _resolve(argument: str) -> Path:
    """Return the file or folder that an argument names, with links resolved; raise UsageError if it can't be used."""
    path = Path(argument)
    try:
        # A shell's pipe has no name to resolve.
        if path.exists() and not path.is_dir() and not path.is_file():
            raise UsageError(
                f"{argument!r} is a pipe or a device, not a regular file. Save its text to a file and give that."
            )
        return path.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            raise UsageError(
                f"{argument!r} is a link to something that isn't there. Mend it, or give its target."
            ) from error
        raise UsageError(f"No file or folder {argument!r}. Check the path and try again.") from error
    except OSError as error:
        raise UsageError(f"{argument!r} can't be read ({error.strerror}). Check its name and permissions.") from error
    except RuntimeError as error:
        raise UsageError(f"{argument!r} is a link to itself. Give the file or folder itself.") from error


def _walk(root: Path, unreadable: list[OSError]) -> Iterator[Path]:
    """Yield visible files and linked folders below `root`, indexes left out; unlistable folders go to `unreadable`."""
    for folder, folders, files in os.walk(root, followlinks=False, onerror=unreadable.append):
        if DATABASE_NAME in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        yield from (Path(folder) / name for name in (*files, *linked) if not name.startswith("."))


def _path_fault(file: Path, name: str, *, root: Path) -> str | None:
    """Return why a path below `root` can't be a source; None if it can."""
    if _printable(name) != name.translate(_PICTURES):
        return "has a name that isn't UTF-8; rename it"
    if not file.is_symlink():
        return None
    try:
        target = file.resolve(strict=True)
    except FileNotFoundError:
        return "is a link to something that isn't there; mend or remove it"
    except (OSError, RuntimeError):
        return "is a link to itself; remove it"
    if not target.is_relative_to(root):
        return "is a link out of the folder; ingest its target instead"
    return "is a link to a folder; ingest its target instead" if target.is_dir() else None


def _printable(name: str) -> str:
    """Return `name` fit for printing and storing: question marks for bytes that aren't UTF-8, and pictures of control
    characters (`␊`), which could forge lines of a report."""
    return name.encode(errors="replace").decode().translate(_PICTURES)


def is_document_name(name: str) -> bool:
    """Return whether a file's name or path is one of a document."""
    return _non_document_reason(PurePosixPath(name)) is None


def _skip_reason(file: Path) -> str | None:
    """Return why a file isn't a document, by its name or content; None if it may be."""
    if is_archive_name(file.name):
        return "is an archive; unpack it and give its folder"
    reason = _non_document_reason(PurePosixPath(file.name))
    return None if reason and suffix_of_name(file.name) in (".spec", ".xml") and _has_release_log(file) else reason


def _has_release_log(spec: Path) -> bool:
    """Return whether a spec or XML file has a log of its releases; False if it can't be read."""
    try:
        with spec.open("rb") as file:
            return bool(_LOG.search(file.read(MAX_FILE_BYTES)))
    except OSError:
        return False


def _no_release_reason(file: Path) -> str:
    """Return why a README is no release notes: no line looks like a release's; else, or for other files, empty."""
    if not (_README.match(file.name) and file.is_file()):
        return ""
    with suppress(OSError), file.open("rb") as opened:
        return "" if _RELEASE_LINE.search(opened.read(MAX_FILE_BYTES)) else "names no release"
    return ""


def _non_document_reason(path: PurePosixPath) -> str | None:
    """Return why a file's name isn't a document's; None if it may be, as without a suffix."""
    suffix = suffix_of_name(path.name)
    if not suffix or format_of_name(path.name) or (suffix in OTHER_TEXT and _NOTES_NAME.search(path.name)):
        return None
    return f"{suffix} files are not documents"
