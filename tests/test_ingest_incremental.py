"""What an ingest embeds again: what is new in the text, wherever it lies."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from small_corpus import HashedEmbedder
from ui_small_index import ingest, write_notes

from corpus.embedding import CachedEmbedder, VectorCache
from corpus.index.repair import verify_index

WORDS = "lever spindle crank wheel spring valve pump clock lamp kettle spout hinge bolt gear chain pulley".split()


def release(number: int) -> str:
    """About 3 kB of one release, no two lines the same."""
    entries = "".join(
        f"- {'Fixed Added Removed'.split()[line % 3]} the {WORDS[(number + line) % 16]} {number}.{line}: it turns "
        f"the {WORDS[(number * 7 + line) % 16]} by {number * 31 + line} degrees when the {WORDS[line % 16]} is cold.\n"
        for line in range(30)
    )
    return f"## 1.{number}.0 - 2{number // 336:03}-{number // 28 % 12 + 1:02}-{number % 28 + 1:02}\n\n{entries}\n"


# Of eight releases, the newest first: what is done to them, and how many texts are embedded at most. One that would be
# embedded alone has company.
CHANGES: dict[str, tuple[int, Callable[[str], str], int]] = {
    "a line changed": (4, lambda text: text.replace("- Fixed the", "- Mended the", 1), 2),
    "a line more": (3, lambda text: text.rstrip("\n") + "\n- Said something that no line has said before.\n\n", 2),
    "a line less": (5, lambda text: re.sub(r"\n- .*", "", text, count=1), 0),
    "a release more": (0, lambda text: "## 2.0.0 - 2999-01-01\n\n- Removed the treadle.\n\n" + text, 2),
}


@pytest.mark.parametrize(("place", "change", "most"), CHANGES.values(), ids=CHANGES)
def test_only_the_items_that_changed_are_embedded(
    tmp_path: Path, place: int, change: Callable[[str], str], most: int
) -> None:
    releases, embedder = [release(number) for number in range(8, 0, -1)], HashedEmbedder()
    cached, index = CachedEmbedder(embedder, VectorCache(tmp_path / "cache")), tmp_path / "index"
    for counts in ((1, 0, 0), (0, 1, 0)):
        embedder.embedded.clear()
        notes = write_notes(tmp_path / "notes", {"CHANGELOG.md": "# Gizmo changelog\n\n" + "".join(releases)})
        report = ingest(notes, index=index, embedder=cached)
        assert (report.added, report.updated, report.removed, report.failed) == (*counts, ())
        assert verify_index(index) == ()
        releases[place] = change(releases[place])
    assert len(embedder.embedded) <= most
