"""A small real index for the tests of the entrances: made-up products, the default model."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from corpus.embedding import Embedder
from ingest.pipeline import IngestProgress, IngestReport, build_index
from ingest.report import Unwatched as Silence
from ingest.sources.connectors import Connectors, ConnectorSettings
from retrieval.assistant import Assistant
from ui.library.changes import Library
from ui.library.ingest_desk import IngestTools

T = TypeVar("T")

WIDGET = """\
# Widget release notes

## 2.0.0 (2024-05-01)

### Deprecations

- `widget.spin` is deprecated. Use `widget.turn` instead.

### Removed

- Support for Python 3.7 was removed, so Widget 2.0 needs Python 3.8 or newer.

## 1.5.0 (2023-11-20)

### Added

- `widget.turn` rotates a widget by an angle given in degrees.
- The `--dry-run` flag prints what would be done without doing it.
"""

GADGET = """\
# Gadget 3.1

Released on 2024-02-10.

- The cache of Gadget is now kept in SQLite; <script>window.owned = true</script> & <b>old</b> caches are ignored.
- The template {{ gadget.name }} and the variable ${HOME} are expanded in configuration files.
"""


def run_here(work: Callable[[IngestProgress], T], progress: IngestProgress, /) -> T:
    """A runner that does its work in this thread: it is called off at its next step only."""
    return work(progress)


def write_documents(folder: Path) -> Path:
    """Write the two documents below `folder`, each in its product's folder."""
    return write_notes(folder, {"widget/changes.md": WIDGET, "gadget/changes.md": GADGET})


def write_notes(folder: Path, notes: Mapping[str, str]) -> Path:
    """Write texts by their path below `folder`."""
    for name, text in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
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


def unconnected_library(index: Path, embedder: Embedder) -> Library:
    """What people change over the page, where nothing private may be fetched."""
    return library_here(index, embedder, lambda: Connectors(ConnectorSettings()))


def library_here(index: Path, embedder: Embedder, open_connectors: Callable[[], Connectors]) -> Library:
    """A library whose ingests are done in this process."""
    tools = IngestTools(index, lambda: embedder, open_connectors)
    return Library(tools, open_runner=lambda: nullcontext(run_here))
