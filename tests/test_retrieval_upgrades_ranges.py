"""Which releases an upgrade reads, which it knows to be missing, and what it says of the range."""

import re
import tracemalloc
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
from case_files import read_rows
from upgrade_notes import index_notes, items_of, upgrade_between

from corpus import deadline
from corpus.errors import UsageError
from corpus.index.tables import TableReader
from retrieval.upgrades.repeats import reverted
from retrieval.upgrades.upgrade_list import list_upgrade


def releases(versions: str) -> str:
    """A changelog with one removal a release, newest first."""
    parts = (
        f"## {version}\n\n### Removed\n\n- The `part{n}` of the wheel.\n"
        for n, version in enumerate(versions.split(", "))
    )
    return "# Changelog\n\n" + "\n".join(parts)


LADDER = "3.0.0, 2.1.1, 2.1.0, 2.0.0, 2.0.0rc1, 2.0.0b1, 1.9.1, 1.9.0, 1.8.0"


@pytest.mark.parametrize(("present", "start", "end", "read", "missing"), read_rows("retrieval-the-releases-of-a-range"))
def test_reads_the_releases_after_from_up_to_to_and_names_those_without_notes(
    present: str, start: str, end: str, read: str, missing: str, tmp_path: Path
) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": releases(present)}, start, end)
    assert [release.version for release in upgrade.releases] == read.split()
    assert [item.citation.n for item in items_of(upgrade)] == list(range(1, len(upgrade.releases) + 1))
    assert ", ".join(upgrade.missing_releases) == missing
    assert upgrade.end == (upgrade.releases[-1].version if end == "latest" else end.removeprefix("v"))


@pytest.mark.parametrize(
    ("product", "start", "end", "because"),
    [
        pytest.param("widgett", "1.9", "2.0", "Did you mean 'widget'?", id="unknown product"),
        pytest.param("widget", "new", "2.0", "Newest of widget in the index: 3.0.0, 2.1.1, 2.1.0", id="malformed"),
        pytest.param("widget", "2.0", "1.9", "ask for 1.9 to 2.0", id="reversed"),
        pytest.param("widget", "2.0", "2.0.0", "are the same version", id="the same"),
        pytest.param("widget", "3.0.0", "latest", "are the same version", id="the latest is in use"),
    ],
)
def test_says_what_is_wrong_with_a_range(product: str, start: str, end: str, because: str, tmp_path: Path) -> None:
    with (
        TableReader.open(index_notes(tmp_path, {"CHANGELOG.md": releases(LADDER)})) as reader,
        pytest.raises(UsageError, match=re.escape(because)),
    ):
        list_upgrade(reader, product, start, end)


def test_says_that_what_is_newer_than_the_latest_was_yanked(tmp_path: Path) -> None:
    notes = releases("2.0.0 [YANKED], 1.9.0")
    with (
        TableReader.open(index_notes(tmp_path, {"CHANGELOG.md": notes})) as reader,
        pytest.raises(UsageError, match=r"Yanked, and so not the newest: 2\.0\.0\."),
    ):
        list_upgrade(reader, "widget", "1.9.0", "latest")


def test_what_every_release_repeats_is_said_once(tmp_path: Path) -> None:
    notes = "# Changelog\n"
    for patch in range(20, 0, -1):
        notes += f"\n## 2.0.{patch}\n\n### Dependency changes\n\nSpoke {patch}.{patch} is shipped.\n"
        notes += "\n### Minimum version of Hub\n\nWidget requires Hub 4.2. It doesn't start with an older one.\n"
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": notes}, "2.0.1", "2.0.20")
    (hub,) = (item for item in items_of(upgrade) if "Hub" in item.summary.text)
    assert len(hub.repeated_in) == 18


def test_a_release_of_many_changes_is_compared_for_as_long_as_somebody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("red green blue black".split(), "front back inner outer".split(), "wheels axles gears spokes".split())
    parts = "".join(f"- The old {' '.join(those)} of the cart.\n" for those in product(*words))
    notes = f"# Changelog\n\n## 2.0.0\n\n### Removed\n\n{parts}"
    # In time for each entry in each reading of them, not for each pair that is compared.
    left = count(500, -1)
    monkeypatch.setattr(deadline, "left_s", lambda: next(left))
    with pytest.raises(TimeoutError):
        upgrade_between(tmp_path, {"CHANGELOG.md": f"{notes}\n## 1.0.0\n\n- New.\n"}, "1.0", "2.0")
    nothing: Any = [None]
    with pytest.raises(TimeoutError):
        reverted(nothing, [])


def test_an_end_that_is_numbers_without_end_away_costs_nothing(tmp_path: Path) -> None:
    tracemalloc.start()
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": releases(LADDER)}, "1.9", "3000000")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert upgrade.missing_releases == ("3000000",)
    # With 18 digits, as many as a version may have, it took all the memory that there was.
    assert peak < 50_000_000
