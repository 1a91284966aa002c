"""A document that is there, is another one, and isn't there, in turns: each ingest of it is a new state of an index."""

from pathlib import Path

from evals.lab.serving import run_ingest

CHANGED_SOURCE = "sprocket/changelog.md"
VERSIONS = (
    "# Sprocket changelog\n\n## 4.2.0 (2026-01-15)\n\n- `sprocket.align` now takes the angle in radians.\n",
    "# Sprocket changelog\n\n## 4.3.0 (2026-02-15)\n\n- `sprocket.align` takes degrees again, as before 4.2.\n",
)
"""The texts that it has, one after the other."""
KEPT_SOURCE = "sprocket/readme.md"
KEPT_TEXT = "# Sprocket 4.1 (2025-12-15)\n\n- `sprocket.turn` is new.\n"
"""One beside it that stays: a folder without a document isn't ingested."""


def change_document(folder: Path, index: Path, turn: int) -> None:
    """Write the document's text of this turn into `folder`, or remove it in every third, and ingest the folder.

    Raises:
        subprocess.CalledProcessError: the ingest failed.
    """
    document = folder / CHANGED_SOURCE
    document.parent.mkdir(parents=True, exist_ok=True)
    (folder / KEPT_SOURCE).write_text(KEPT_TEXT, "utf-8")
    if turn % 3 < len(VERSIONS):
        document.write_text(VERSIONS[turn % 3], "utf-8")
    else:
        document.unlink(missing_ok=True)
    run_ingest(folder, index)
