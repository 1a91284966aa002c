"""What an ingest embeds again: what is new in the text, wherever it lies and whatever the file is called."""

from collections.abc import Callable
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder
from ui_small_index import ingest

from corpus.embedding import CachedEmbedder, VectorCache
from corpus.index.repair import verify_index
from ingest.pipeline import IngestReport

WORDS = "lever spindle crank wheel spring valve pump clock lamp kettle spout hinge bolt gear chain pulley".split()


def release(number: int) -> str:
    """About 3 kB of one release, no two lines the same."""
    entries = "".join(
        f"- {'Fixed Added Removed'.split()[line % 3]} the {WORDS[(number + line) % 16]} {number}.{line}: it turns "
        f"the {WORDS[(number * 7 + line) % 16]} by {number * 31 + line} degrees when the {WORDS[line % 16]} is cold.\n"
        for line in range(30)
    )
    return f"## 1.{number}.0 - 2{number // 336:03}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}\n\n{entries}\n"


class Workplace:
    """A folder with a changelog, an index of it, and an embedder that comes after a cache."""

    def __init__(self, root: Path, *, releases: int) -> None:
        self.root = root
        self.changelog = root / "notes" / "CHANGELOG.md"
        self.changelog.parent.mkdir()
        self.releases = [release(number) for number in range(releases, 0, -1)]
        self.embedder = HashedEmbedder()
        self.write()
        self.ingest()

    def write(self) -> None:
        self.changelog.write_text("# Gizmo changelog\n\n" + "".join(self.releases))

    def ingest(self, folder: str = "notes") -> IngestReport:
        self.embedder.embedded.clear()
        cached = CachedEmbedder(self.embedder, VectorCache(self.root / "cache"))
        report = ingest(self.root / folder, index=self.root / "index", embedder=cached)
        assert report.failed == ()
        assert verify_index(self.root / "index") == ()
        return report

    def ingest_change(self, change: Callable[[list[str]], None]) -> int:
        """How many items are embedded after a change of the changelog."""
        change(self.releases)
        self.write()
        report = self.ingest()
        assert (report.added, report.updated, report.removed) == (0, 1, 0)
        return len(self.embedder.embedded)


@pytest.fixture
def small(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path, releases=8)


def change_a_line(releases: list[str]) -> None:
    releases[4] = releases[4].replace("- Fixed the", "- Mended the", 1)


def add_a_line(releases: list[str]) -> None:
    releases[3] += "- Said something that no line has said before.\n\n"


def remove_a_line(releases: list[str]) -> None:
    first, _, rest = releases[5].partition("\n- ")
    releases[5] = f"{first}\n{rest.partition(chr(10))[2]}"


def release_anew(releases: list[str]) -> None:
    releases.insert(0, "## 2.0.0 - 2999-01-01\n\n- Removed the treadle.\n\n")


# A text that would be embedded alone has company.
@pytest.mark.parametrize(
    ("change", "most"), [(change_a_line, 2), (add_a_line, 2), (remove_a_line, 0), (release_anew, 2)]
)
def test_only_the_items_that_changed_are_embedded(
    small: Workplace, change: Callable[[list[str]], None], most: int
) -> None:
    assert small.ingest_change(change) <= most
