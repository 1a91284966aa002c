"""Indexes of made-up changelogs for the tests of upgrades: real ingest, and an embedder that costs nothing."""

from collections.abc import Mapping
from pathlib import Path

from small_corpus import HashedEmbedder
from ui_small_index import Silence

from corpus.index.tables import TableReader
from ingest.pipeline import build_index
from retrieval.upgrades.changes import list_upgrade
from retrieval.upgrades.model import Upgrade


def index_notes(folder: Path, files: Mapping[str, str], *, product: str = "widget") -> Path:
    """Write the files as notes of `product` below `folder` and index them."""
    for name, text in files.items():
        path = folder / "notes" / product / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    report = build_index([str(folder / "notes")], index=folder / "index", embedder=HashedEmbedder(), progress=Silence())
    assert not report.failed
    return folder / "index"


def upgrade_between(folder: Path, files: Mapping[str, str], start: str, end: str) -> Upgrade:
    """What an upgrade of widget brings by the notes in `files`; every quote is checked against its document."""
    with TableReader.open(index_notes(folder, files)) as reader:
        upgrade = list_upgrade(reader, "widget", start, end)
        for item in (*upgrade.security, *(item for release in upgrade.releases for item in release.items)):
            text = reader.document_text(item.citation.document_id)
            assert item.citation.quote == text[item.citation.start : item.citation.end]
            assert len(item.citation.quote) <= 700
    return upgrade


def listed(upgrade: Upgrade) -> list[tuple[str, str, str]]:
    """Each item as its release, its change and its summary, whose code stands bare here."""
    return [
        (release.version, item.change.value, item.summary.replace("`", ""))
        for release in upgrade.releases
        for item in release.items
    ]
