"""The notes of a made-up product for the tests of reviews: one thing deprecated, one removed."""

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
NOTES = {"widget/changes.md": WIDGET}
