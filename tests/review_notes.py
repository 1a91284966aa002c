"""The notes of a made-up product for the tests of reviews: one thing deprecated, one removed."""

from pathlib import Path

WIDGET = """\
# Widget release notes

## 2.0.0 (2024-05-01)

### Deprecations

- `widget.spin` is deprecated. Use `widget.turn` instead.

### Removed

- The `widget.flip` function was removed.

## 1.5.0 (2023-11-20)

### Added

- `widget.turn` rotates a widget by an angle given in degrees.
"""


def write_notes(folder: Path) -> Path:
    """Write the notes below `folder`, in the folder of their product."""
    (folder / "widget").mkdir(parents=True)
    (folder / "widget" / "changes.md").write_text(WIDGET, encoding="utf-8", newline="")
    return folder
