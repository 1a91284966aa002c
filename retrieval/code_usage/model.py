"""Where code uses a name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """One place in the user's code that uses a symbol."""

    symbol: str
    """As the release notes write it."""
    file: str
    """Relative to the directory that was scanned."""
    line: int
    """From 1."""
