"""Indexes of made-up changelogs for the tests of upgrades: real ingest, and an embedder that costs nothing."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import ui_small_index
from small_corpus import HashedEmbedder

from corpus.index.tables import TableReader
from retrieval.upgrades.model import Upgrade, UpgradeItem
from retrieval.upgrades.upgrade_list import list_upgrade

CASES = Path(__file__).parent / "data" / "upgrades"


def index_notes(folder: Path, files: Mapping[str, str], *, product: str = "widget") -> Path:
    """Write the files as notes of `product` below `folder` and index them."""
    notes = {f"{product}/{name}": text for name, text in files.items()}
    return ui_small_index.index_notes(folder, HashedEmbedder(), notes)


def items_of(upgrade: Upgrade) -> list[UpgradeItem]:
    """What the upgrade breaks, release by release."""
    return [item for release in upgrade.releases for item in release.items]


def upgrade_between(folder: Path, files: Mapping[str, str], start: str, end: str) -> Upgrade:
    """What an upgrade of widget brings by the notes in `files`; every quote is checked against its document."""
    with TableReader.open(index_notes(folder, files)) as reader:
        upgrade = list_upgrade(reader, "widget", start, end)
        for item in (*upgrade.security, *items_of(upgrade)):
            text = reader.document_text(item.citation.document_id)
            assert item.citation.quote == text[item.citation.start : item.citation.end]
            assert len(item.citation.quote) <= 700
    return upgrade


def case(name: str) -> tuple[dict[str, str], tuple[str, str], list[str]]:
    """A folder of `tests/data/upgrades`: its notes, from and to which version, and what is told of that upgrade."""
    files = {path.name: path.read_text("utf-8") for path in (CASES / name).iterdir()}
    bounds, *lines = files.pop("told.txt").splitlines()
    start, _, end = bounds.partition(" to ")
    return files, (start, end), lines


def told(upgrade: Upgrade, *, other: bool = False) -> Iterator[str]:
    """All that the upgrade tells, a line for each thing, what else is new only where it is asked for; code is bare."""
    listed = [(release.version, item) for release in upgrade.releases for item in release.items]
    apart = (*upgrade.security, *(upgrade.other if other else ()))
    for version, item in (*listed, *((item.citation.version, item) for item in apart)):
        repeated = f" (also in {', '.join(item.repeated_in)})" if item.repeated_in else ""
        quoted = "" if item.citation.authority.value == "official" else f" ({item.citation.authority.value})"
        yield f"{version} {item.change.value}: {item.summary.text}{repeated}{quoted}"
    yield from (f"no notes of {version}" for version in upgrade.missing_releases)
    notes = (note.partition(", last checked on ")[0] for note in upgrade.notes)
    yield from (note for note in notes if not note.startswith("Not listed: "))
