"""The work of an ingest that was asked for over the page: uploads to their places and into the index.

An ingest that fails or is cancelled leaves the index and the kept files as they were. One that is killed leaves each
kept file whole, as it was or as it was given, with what was said of that very content: what came as far as its place is
ingested when they are next read again.
"""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from corpus.errors import RelnotesError, SourceError, UsageError
from corpus.versions import Version
from ingest.formats import parse_blocks
from ingest.pipeline import IngestProgress, IngestReport, update_index
from ingest.releases.identity import Hints, identify
from ingest.releases.names import name_by_place
from ingest.sources.files import FailedSource
from ingest.sources.requests import Request, is_manifest
from ingest.sources.sources_toml import SOURCES_FILE
from ui.library.added_sources import AddedSources
from ui.library.apart import Runner
from ui.library.ingest_desk import IngestOutcome
from ui.library.ingest_tools import IngestTools
from ui.library.requests import AddHints
from ui.library.uploads import Described, Upload, Uploads, folder_name, stored_name

_NO_FOLDER, _UNKNOWN = "/0000000", "unknown"


def ingest_files(
    keys: Sequence[str], hints: AddHints, *, uploads: Uploads, tools: IngestTools, run: Runner, progress: IngestProgress
) -> IngestOutcome:
    """Ingest the uploads behind the keys, and keep their files; what can't be ingested isn't kept.

    Raises:
        UsageError: there is none behind the keys.
        RelnotesError: the index can't be written to.
    """
    files = uploads.claim(keys)
    if not files:
        raise UsageError("The files aren't here any more: they wait an hour. Choose them again.")
    try:
        checked, refused = run(partial(_check, files, hints), progress)
        if not checked:
            return IngestOutcome(refused=refused)
        with _placed(checked, uploads) as placing:
            report = ingest_uploads(uploads, tools=tools, run=run, progress=progress)
            placing.keep({one.source for one in report.failed} | {one.source for one in report.skipped})
        kept = tuple(path for one in checked if (path := one.described.path) not in placing.undone)
        return IngestOutcome(report, refused, kept)
    finally:
        for file in files:
            file.path.unlink(missing_ok=True)


def ingest_uploads(uploads: Uploads, *, tools: IngestTools, run: Runner, progress: IngestProgress) -> IngestReport:
    """Bring the index up to date with every file that is kept.

    Raises:
        RelnotesError: the index can't be written to.
    """
    kept = (Request(str(uploads.folder), Hints()),)
    return update_with(kept, tools=tools, run=run, progress=progress)


def ingest_source(
    source: str, hints: AddHints, *, tools: IngestTools, run: Runner, progress: IngestProgress
) -> IngestReport:
    """Ingest what is at an address.

    Raises:
        UsageError: it isn't anything that can be ingested.
        RelnotesError: the index can't be written to.
    """
    version = Version.parse(hints.version) if hints.version else None
    flags = Hints(product=hints.product, version=version, authority=hints.authority)
    return update_with((Request(source, flags),), tools=tools, run=run, progress=progress)


def sync_sources(
    added: AddedSources,
    uploads: Uploads,
    *,
    tools: IngestTools,
    run: Runner,
    progress: IngestProgress,
) -> IngestReport:
    """Bring the index up to date with the uploads and the addresses that were added.

    Raises:
        UsageError: the list of addresses was changed by hand and is wrong.
        RelnotesError: the index can't be written to, or the disk has no room.
    """
    kept: tuple[Request, ...] = ()
    if uploads.files:
        with _keeping():
            uploads.describe(())
        kept = (Request(str(uploads.folder), Hints()),)
    requests = (*kept, *added.requests(tools.open_connectors()))
    return update_with(requests, tools=tools, run=run, progress=progress)


def update_with(
    requests: Sequence[Request], *, tools: IngestTools, run: Runner, progress: IngestProgress
) -> IngestReport:
    """Bring the index up to date with what is requested.

    Raises:
        RelnotesError: the index can't be written to.
    """
    report = run(partial(_update, requests, tools), progress)
    # The description of the uploads is nothing that anybody gave.
    return replace(report, skipped=tuple(one for one in report.skipped if one.source != SOURCES_FILE))


def _update(requests: Sequence[Request], tools: IngestTools, progress: IngestProgress) -> IngestReport:
    return update_index(
        requests,
        index=tools.index,
        embedder=tools.open_embedder(),
        connectors=tools.open_connectors(),
        progress=progress,
    )


@contextmanager
def _placed(checked: "Sequence[_Checked]", uploads: Uploads) -> "Iterator[_Placing]":
    """The files at their places for a `with` block; whatever it doesn't say it keeps is as it was afterwards."""
    placing = _Placing(uploads.folder, checked)
    said_before = uploads.described
    with ExitStack() as stack:
        stack.callback(_describe_kept, uploads, said_before, placing)
        stack.callback(placing.undo)
        # Said before it is there, beside what is said of the content before: a file that is there without it, or with
        # what is said of another content, would be of another product or version.
        with _keeping():
            uploads.describe((one.described for one in checked), coming=[one.described.path for one in checked])
            placing.place()
        yield placing


@contextmanager
def _keeping() -> Iterator[None]:
    """What the disk doesn't take, told to whoever asked."""
    try:
        yield
    except OSError as error:
        raise RelnotesError(f"The server can't keep the files ({error.strerror}). Make room and try again.") from None


def _describe_kept(uploads: Uploads, said_before: Iterable[Described], placing: "_Placing") -> None:
    # Without room it stays as it is: what is said of either content is there, and the next time settles it.
    with suppress(OSError):
        uploads.describe(one for one in said_before if one.path in placing.undone)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file that can be read as a document, and what will be said of it."""

    upload: Upload
    described: Described


def _check(
    files: Sequence[Upload], hints: AddHints, progress: IngestProgress
) -> tuple[tuple[_Checked, ...], tuple[FailedSource, ...]]:
    progress.phase("Checking", len(files))
    checked: dict[str, _Checked] = {}
    refused: list[FailedSource] = []
    for file in files:
        try:
            one = _check_one(file, hints)
        except SourceError as error:
            refused.append(FailedSource(file.name, str(error)))
        else:
            if one.described.path in checked:
                refused.append(FailedSource(file.name, "is there twice, for the same product; rename one of them"))
            else:
                checked[one.described.path] = one
        progress.advance(1)
    return tuple(checked.values()), tuple(refused)


def _check_one(file: Upload, hints: AddHints) -> _Checked:
    """What a file is, by its content.

    Raises:
        SourceError: it is no document, or nobody says which product it is about.
    """
    if is_manifest(Path(file.name)):
        raise SourceError(
            "lists dependencies; add such lists by themselves, and the notes of what they list are fetched"
        )
    try:
        content = file.path.read_bytes()
        parsed = parse_blocks(file.name, content)
    except FileNotFoundError:
        raise SourceError("isn't here any more; choose it again") from None
    except (SourceError, OSError):
        raise
    except Exception as error:  # whatever a markup parser trips over, the other files go on
        raise SourceError(f"can't be parsed ({type(error).__name__})") from error
    if not parsed.text.strip():
        raise SourceError("has no text (a scan?)")
    # The folder that it came from isn't known: a name that no folder has stands for it, and names nothing.
    otherwise = name_by_place(file.name, root=_NO_FOLDER)
    product = hints.product or identify(parsed, source=file.name, hints=Hints(), otherwise=otherwise).product
    if product == _UNKNOWN:
        raise SourceError("doesn't say which product it is about; name the product and add it again")
    path = f"{folder_name(product)}/{stored_name(file.name, parsed.media_type)}"
    digest = hashlib.sha256(content).hexdigest()
    return _Checked(file, Described(path, product, hints.version, hints.authority, digest))


class _Placing:
    """Moves files to their places, and back what was there before unless they are kept."""

    def __init__(self, folder: Path, checked: Sequence[_Checked]) -> None:
        self._folder = folder
        self._checked = checked
        self.undone = {one.described.path for one in checked}
        self._placed: set[str] = set()
        self._before: dict[str, Path] = {}

    def place(self) -> None:
        """Move the files to their places, each of which holds a whole file at any time.

        Raises:
            OSError: the disk doesn't take them.
        """
        for one in self._checked:
            self._place(one.described.path, one.upload.path)

    def _place(self, path: str, file: Path) -> None:
        place = self._folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            self._before[path] = file.with_suffix(".before")
            shutil.copyfile(place, self._before[path])
        # The waiting file is asked for no more: it becomes the kept one, whole at once.
        file.replace(place)
        self._placed.add(path)

    def keep(self, failed: set[str]) -> None:
        """Let the files stay, but for those that couldn't be ingested after all."""
        self.undone &= failed

    def undo(self) -> None:
        """Put back what was there before."""
        for path in self.undone & self._placed:
            if path in self._before:
                self._before[path].replace(self._folder / path)
            else:
                (self._folder / path).unlink(missing_ok=True)
        for before in self._before.values():
            before.unlink(missing_ok=True)
