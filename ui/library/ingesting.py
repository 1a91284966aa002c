"""The work of an ingest that was asked for over the page: uploads to their places, and what is asked into the index.

An ingest that fails or is cancelled leaves the index and the kept files as they were; one that is killed leaves each
kept file whole, with what was said of that very content, and what came as far as its place is ingested when they are
next read again.
"""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.errors import RelnotesError, SourceError, UsageError
from ingest.formats import parse_blocks
from ingest.pipeline import IngestProgress, IngestReport, update_index
from ingest.releases.identity import Hints, identify
from ingest.releases.subjects import name_by_place
from ingest.sources.files import FailedSource
from ingest.sources.requests import Request, is_manifest
from ingest.sources.sources_toml import SOURCES_FILE
from ui.library.apart import Runner
from ui.library.ingest_desk import IngestOutcome, IngestTools
from ui.library.requests import AddedSources, toml_table
from ui.library.uploads import Upload, Uploads, folder_name, stored_name

_NO_FOLDER, _UNKNOWN = "/0000000", "unknown"


@dataclass(frozen=True, slots=True)
class Ingest:
    """One ingest over the page. Each of its methods raises UsageError where there is nothing that can be ingested, and
    RelnotesError where the index can't be written to."""

    tools: IngestTools
    uploads: Uploads
    added: AddedSources
    run: Runner
    progress: IngestProgress

    def add_files(self, keys: Sequence[str], hints: Hints) -> IngestOutcome:
        """Ingest the uploads behind the keys, and keep the files that are documents. Where all are lists of
        dependencies, the notes of what they list are ingested, and the lists aren't kept."""
        files = self.uploads.claim(keys)
        if not files:
            raise UsageError("The files aren't here any more: they wait an hour. Choose them again.")
        try:
            if all(is_manifest(Path(file.name)) for file in files):
                return self._add_lists(files, hints)
            checked, refused = self.run(partial(_check, files, hints), self.progress)
            if not checked:
                return IngestOutcome(refused=refused)
            with _placed(checked, self.uploads) as undone:
                report = self._update(self._kept())
                undone &= {file.source for file in report.failed} | {file.source for file in report.skipped}
            kept = tuple(document.path for document in checked if document.path not in undone)
            return IngestOutcome(report, refused, kept)
        finally:
            for file in files:
                file.path.unlink(missing_ok=True)

    def _add_lists(self, files: Sequence[Upload], hints: Hints) -> IngestOutcome:
        if hints.product or hints.version:
            raise UsageError("A list of dependencies names its products itself. Leave product and version empty.")
        with TemporaryDirectory() as folder:
            places: list[str] = []
            for number, file in enumerate(files):
                # What a list is written in shows in its name.
                place = Path(folder, str(number), file.name)
                place.parent.mkdir()
                places.append(str(shutil.copyfile(file.path, place).resolve()))
            report = self._update([Request(place, Hints(authority=hints.authority)) for place in places])
        connectors = self.tools.open_connectors()
        for source in report.sources:
            if source.documents:
                self.added.add(source.source, Hints(), connectors=connectors)
        # Nobody knows the places that the lists had for the while.
        failed = (
            replace(source, source=Path(source.source).name) if source.source in places else source
            for source in report.failed
        )
        return IngestOutcome(replace(report, failed=tuple(failed)))

    def add_address(self, address: str, hints: Hints) -> IngestOutcome:
        report = self._update([Request(address, hints)])
        if report.succeeded:
            connectors = self.tools.open_connectors()
            self.added.add(connectors.name(address) or address, hints, connectors=connectors)
        return IngestOutcome(report)

    def sync(self) -> IngestOutcome:
        """Bring the index up to date with the uploads and the addresses that were added."""
        if self.uploads.files:
            with _keeping():
                self.uploads.describe({})
        return IngestOutcome(self._update([*self._kept(), *self.added.requests(self.tools.open_connectors())]))

    def _kept(self) -> tuple[Request, ...]:
        return (Request(str(self.uploads.folder), Hints()),) if self.uploads.files else ()

    def _update(self, requests: Sequence[Request]) -> IngestReport:
        report = self.run(partial(_update, requests, self.tools), self.progress)
        # The description of the uploads is nothing that anybody gave.
        return replace(report, skipped=tuple(source for source in report.skipped if source.source != SOURCES_FILE))


def _update(requests: Sequence[Request], tools: IngestTools, progress: IngestProgress) -> IngestReport:
    embedder, connectors = tools.open_embedder(), tools.open_connectors()
    return update_index(requests, index=tools.index, embedder=embedder, connectors=connectors, progress=progress)


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file that can be read as a document, where it shall lie, and what is said of it."""

    upload: Upload
    path: str
    description: str  # A table of a sources.toml, for this content alone.


@contextmanager
def _placed(checked: Sequence[_Checked], uploads: Uploads) -> Iterator[set[str]]:
    """The files at their places for a `with` block; at its end, those that are still in the set are undone."""
    undone = {document.path for document in checked}
    said_before = {path: hints for path, hints in uploads.described.items() if path in undone}
    copies: dict[str, Path | None] = {}
    try:
        with _keeping():
            uploads.describe({}, coming="".join(document.description for document in checked))
            for document in checked:
                copies[document.path] = _place(document.upload.path, uploads.folder / document.path)
        yield undone
    finally:
        for path, copy in copies.items():
            if path not in undone:
                if copy is not None:
                    copy.unlink(missing_ok=True)
            elif copy is not None:
                copy.replace(uploads.folder / path)
            else:
                (uploads.folder / path).unlink(missing_ok=True)
        # Without room it stays as it is until the next time.
        with suppress(OSError):
            uploads.describe({path: hints for path, hints in said_before.items() if path in undone})


def _place(file: Path, place: Path) -> Path | None:
    """Move a file to its place, which holds a whole file at any time; returns a copy of what was there before."""
    place.parent.mkdir(parents=True, exist_ok=True)
    copy = shutil.copyfile(place, file.with_suffix(".before")) if place.exists() else None
    file.replace(place)
    return copy


@contextmanager
def _keeping() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RelnotesError(f"The server can't keep the files ({error.strerror}). Make room and try again.") from None


def _check(
    files: Sequence[Upload], hints: Hints, progress: IngestProgress
) -> tuple[tuple[_Checked, ...], tuple[FailedSource, ...]]:
    progress.phase("Checking", len(files))
    checked: dict[str, _Checked] = {}
    refused: list[FailedSource] = []
    for file in files:
        try:
            document = _check_one(file, hints)
            if document.path in checked:
                raise SourceError("is there twice, for the same product; rename one of them")
            checked[document.path] = document
        except SourceError as error:
            refused.append(FailedSource(file.name, str(error)))
        progress.advance(1)
    return tuple(checked.values()), tuple(refused)


def _check_one(file: Upload, hints: Hints) -> _Checked:
    """What a file is, by its content."""
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
        raise SourceError(f"can't be read ({type(error).__name__})") from error
    # The folder that it came from isn't known: a name that no folder has stands for it, and names nothing.
    otherwise = name_by_place(file.name, root=_NO_FOLDER)
    product = hints.product or identify(parsed, source=file.name, hints=Hints(), otherwise=otherwise).product
    if product == _UNKNOWN:
        raise SourceError("doesn't say which product it is about; name the product and add it again")
    path = f"{folder_name(product)}/{stored_name(file.name, parsed.media_type)}"
    digest = hashlib.sha256(content).hexdigest()
    return _Checked(file, path, toml_table("document", replace(hints, product=product), path=path, sha256=digest))
