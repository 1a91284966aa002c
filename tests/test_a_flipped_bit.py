"""One bit of any file of an index is flipped: whatever is asked of it ends, with an answer or with one line."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder

from corpus.children import Worker
from corpus.errors import IndexUnavailable
from corpus.index.reader import IndexReader
from corpus.index.repair import verify_index
from ingest.pipeline import build_index
from retrieval.answers.evidence import load_calibration
from retrieval.assistant import Assistant

PRODUCTS = ("Kettle", "Lid")
COLUMNS = "authority_weights boilerplate ids item_offsets item_passages kind_codes products version_codes"
POSTINGS = "passages starts term_ends term_rows terms weights"
FILES = (
    *("relnotes.sqlite", "vectors-*.faiss", "columns-*/distinct_versions.json"),
    *(f"columns-*/{name}.npy" for name in COLUMNS.split()),
    *(f"lexical-*/{name}.npy" for name in POSTINGS.split()),
)
TRIES, LIMIT_S = 6, 60.0


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sound")
    for product in PRODUCTS:
        releases = (
            f"## 1.{minor}.0 (2024-0{minor}-01)\n\n- Removed `{product.lower()}_{minor}()`.\n- Added handle {minor}.\n"
            for minor in range(9, 0, -1)
        )
        (root / f"{product}.md").write_text("\n".join((f"# {product}\n", *releases)))
    build_index([str(root / f"{product}.md") for product in PRODUCTS], index=root / "index", embedder=HashedEmbedder())
    return root / "index"


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """Where a crash of a library below Python, too, is an error of one test."""
    with Worker() as worker:
        yield worker


def use(index: Path) -> list[str]:
    """Ask, search and verify; return the errors that a user would be shown, others are raised."""
    shown = []

    def ask() -> None:
        with IndexReader.open(index) as reader:
            assistant = Assistant(reader, HashedEmbedder(), load_calibration())
            assistant.ask("What is the latest version of Kettle?")
            assistant.ask("When was lid_3() removed?")

    def search() -> None:
        with IndexReader.open(index) as reader:
            Assistant(reader, HashedEmbedder(), load_calibration()).search("handle in Kettle 1.5", product="Kettle")

    for act in (ask, search, lambda: verify_index(index)):
        try:
            act()
        except IndexUnavailable as error:
            shown.append(str(error))
    return shown


def test_no_file_of_an_index_is_left_out(sound: Path) -> None:
    files = {path for path in sound.rglob("*") if path.is_file() and path.stat().st_size}
    assert files == {path for pattern in FILES for path in sound.glob(pattern)}


@pytest.mark.parametrize("pattern", FILES)
def test_a_flipped_bit_ends_in_one_line(sound: Path, worker: Worker, tmp_path: Path, pattern: str) -> None:
    index = tmp_path / "index"
    shutil.copytree(sound, index)
    (path,) = index.glob(pattern)
    content = path.read_bytes()
    chosen = random.Random(pattern)
    # The head of the file, which says how to read it, and anywhere.
    for end in (128, len(content)) * (TRIES // 2):
        at, bit = chosen.randrange(min(end, len(content))), 1 << chosen.randrange(8)
        path.write_bytes(content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :])
        shown, _ = worker.call(use, index, seconds=LIMIT_S)
        assert all("\n" not in line and "ingest" in line for line in shown), (at, bit, shown)


def test_what_the_damage_is_stands_in_the_line(sound: Path, worker: Worker, tmp_path: Path) -> None:
    index = tmp_path / "index"
    shutil.copytree(sound, index)
    (path,) = index.glob("columns-*/item_passages.npy")
    content = path.read_bytes()
    # The passages of all items far outside of what there is.
    path.write_bytes(content[:128] + bytes(byte ^ 0x40 for byte in content[128:]))
    shown, _ = worker.call(use, index, seconds=LIMIT_S)
    assert [f"{path.parent.name} doesn't match its checksum" in line for line in shown] == [True, True]
