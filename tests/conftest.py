"""Two real indexes, built once a session: over the bundled documents, and over the hand-made ones."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # Else gRPC, once loaded, ends forks of the process.

import pytest
from connector_place import ConnectorPlace
from page_browser import running_browser, running_page
from property_examples import load_profile
from ui_small_index import NOTES, ingest, write_documents
from warm_server import stop_forking

from corpus.cache_folder import cache_folder
from corpus.embedding import Embedder, open_embedder
from evals.suites import BUNDLED, VERSIONS, stage_documents
from retrieval.assistant import Assistant
from ui.server.live_assistant import LiveAssistant

if TYPE_CHECKING:
    from playwright.sync_api import Browser
load_profile()
PYTORCH = replace(BUNDLED, projects=("pytorch",))
_MOST_PROCESSES = 4
"""Each holds the model and an index of its own."""


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than cores for `-n auto`: a third of the time, a test waits for a process, a disk or a browser."""
    return min(_MOST_PROCESSES, (os.cpu_count() or 1) + 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let files with slow tests come first: no process begins a long one while the others have nothing left to do."""
    with_slow_tests = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in with_slow_tests)


def pytest_collection_finish() -> None:
    """Keep modules and tests, which stay to the end, out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Let a process end at once, not search all it holds for garbage again; pytest itself just has, for warnings."""
    stop_forking()
    gc.freeze()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """What runs tests that are coroutines, as a server does."""
    return "asyncio"


@pytest.fixture(scope="session")
def default_embedder() -> Embedder:
    """The built-in model."""
    return open_embedder(cache_dir=cache_folder())


class _SameProcess:
    """Reads documents where it is: a fork for each ingest takes longer than most tests' documents."""

    def __enter__(self) -> "_SameProcess":
        return self

    def __exit__(self, *_: object) -> None: ...

    def call(self, function: Callable[..., Any], *words: object, seconds: float, processor_s: float) -> Any:
        return function(*words), min(seconds, processor_s)


@pytest.fixture(scope="session", autouse=True)
def read_here() -> Iterator[None]:
    """Only tests of time limits read in a fork; commands that are processes do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ingest.encoding.Worker", _SameProcess)
        yield


@pytest.fixture
def opened_once(default_embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process share the model; those that are processes open it themselves."""
    for caller in ("corpus.embedding", "evals.suite_index", "retrieval.assistant"):
        monkeypatch.setattr(f"{caller}.open_embedder", lambda *_, **__: default_embedder)
    monkeypatch.setattr("corpus.embedding.opening.open_bulk_embedder", lambda *_, **__: default_embedder)


@pytest.fixture(scope="session")
def bundled_index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index over the bundled documents that questions are asked about, PyTorch's."""
    folder = tmp_path_factory.mktemp("bundled")
    documents = stage_documents(PYTORCH, folder / "documents")
    assert not ingest(documents, index=folder / "index", embedder=default_embedder).failed
    return folder / "index"


@pytest.fixture(scope="session")
def bundled(bundled_index: Path, default_embedder: Embedder) -> Iterator[Assistant]:
    """Answers from `bundled_index`."""
    with Assistant.open(bundled_index, embedder=default_embedder) as assistant:
        yield assistant


@pytest.fixture(scope="session")
def version_pages(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """Answers from the made-up pages of documentation that the suite `versions` asks about."""
    index = tmp_path_factory.mktemp("version_pages") / "index"
    assert not ingest(VERSIONS.documents, index=index, embedder=default_embedder).failed
    with Assistant.open(index, embedder=default_embedder) as assistant:
        yield assistant


@pytest.fixture(scope="session")
def library(
    default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Assistant]]:
    """Answers from a folder of `tests/data/notes`, by its name; each is ingested when it is first asked for."""
    with ExitStack() as opened:

        @cache
        def open_folder(name: str) -> Assistant:
            index = tmp_path_factory.mktemp(name) / "index"
            assert not ingest(NOTES / name, index=index, embedder=default_embedder).failed
            return opened.enter_context(Assistant.open(index, embedder=default_embedder))

        yield open_folder


@pytest.fixture(scope="session")
def handmade(library: Callable[[str], Assistant]) -> Assistant:
    """Answers from eight small documents: twins, repeats, pre-releases, takings-back and hostile text."""
    return library("handmade")


@pytest.fixture(scope="session")
def small_index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index over the two documents of `ui_small_index`; for reading only."""
    folder = tmp_path_factory.mktemp("small")
    assert not ingest(write_documents(folder / "documents"), index=folder / "index", embedder=default_embedder).failed
    return folder / "index"


@pytest.fixture(scope="session")
def live(small_index: Path, default_embedder: Embedder) -> Iterator[LiveAssistant]:
    """What a server over `small_index` answers from."""
    live = LiveAssistant(small_index, open_embedder=lambda: default_embedder)
    yield live
    live.close()


@pytest.fixture(scope="module")
def own_index(small_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of `small_index` that a module may change."""
    return Path(shutil.copytree(small_index, tmp_path_factory.mktemp("own") / "index"))


@pytest.fixture(scope="session")
def review_index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index over notes of one thing deprecated and one removed, for reviews; for reading only."""
    index = tmp_path_factory.mktemp("review") / "index"
    assert not ingest(NOTES / "bumped", index=index, embedder=default_embedder).failed
    return index


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ConnectorPlace]:
    """An index to fetch into, and a server that may be reached."""
    with ConnectorPlace(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Headless Chromium; a module that uses it can't use `asyncio.run`, as Playwright runs a loop of its own."""
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def page_address(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real server over the documents of `bundled_index` and of `ui_small_index`; for reading only."""
    folder = tmp_path_factory.mktemp("page")
    documents = (stage_documents(PYTORCH, folder / "bundled"), write_documents(folder / "documents"))
    ingest(*documents, index=folder / "index", embedder=default_embedder)
    with running_page(folder / "index") as address:
        yield address


@pytest.fixture(scope="module")
def own_address(own_index: Path) -> Iterator[str]:
    """A real server over `own_index`."""
    with running_page(own_index) as address:
        yield address
