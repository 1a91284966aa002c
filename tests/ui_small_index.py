"""A small real index for the tests of the entrances: made-up products, the default model."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from corpus.embedding import Embedder
from ingest.pipeline import IngestReport, build_index
from ingest.report import Unwatched as Silence
from retrieval.assistant import Assistant

NOTES = Path(__file__).parent / "data" / "notes"
WIDGET, GADGET = ((NOTES / "small" / product / "changes.md").read_bytes().decode() for product in ("widget", "gadget"))


def write_documents(folder: Path) -> Path:
    """Write the two documents below `folder`, each in its product's folder."""
    return Path(shutil.copytree(NOTES / "small", folder))


def write_notes(folder: Path, notes: Mapping[str, str | bytes]) -> Path:
    """Write texts by their path below `folder`; returns it."""
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def ingest(*folders: Path, index: Path, embedder: Embedder) -> IngestReport:
    """Ingest the folders as `relnotes ingest` would."""
    return build_index([str(folder) for folder in folders], index=index, embedder=embedder, progress=Silence())


def index_notes(folder: Path, embedder: Embedder, notes: Mapping[str, str]) -> Path:
    """An index below `folder` over texts by their path."""
    assert not ingest(write_notes(folder / "notes", notes), index=folder / "index", embedder=embedder).failed
    return folder / "index"


@contextmanager
def open_notes(folder: Path, embedder: Embedder, **notes: str) -> Iterator[Assistant]:
    """Answers from notes in Markdown by product, indexed below `folder`."""
    index = index_notes(folder, embedder, {f"{product}/changes.md": text for product, text in notes.items()})
    with Assistant.open(index, embedder=embedder) as assistant:
        yield assistant
