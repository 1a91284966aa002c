"""How long a document may be read, and which of an index's documents were ended.

Reading is everything but embedding, and its time is processor time: a busy machine ends no document.
"""

import os
from collections.abc import Iterable
from pathlib import Path

_S, _S_PER_MB = 30.0, 20.0
CLOCK_S_PER_S = 4.0
"""Seconds by the clock that a second of the limit may take, for what waits and for a busy machine."""
_NAME = "ended.txt"


def limit_s(content: bytes) -> float:
    """Return the seconds of processor time that a document of these bytes may be read."""
    return _S + _S_PER_MB * len(content) / 1e6


def load_ended(index: Path) -> frozenset[str]:
    """Return the fingerprints of the documents that were ended in earlier ingests; empty without an index."""
    try:
        return frozenset((index / _NAME).read_text(errors="replace").split())
    except FileNotFoundError:
        return frozenset()


def add_ended(index: Path, fingerprints: Iterable[str]) -> None:
    """Add fingerprints of ended documents to those of an index; the caller has its write lock."""
    lines = "".join(f"{fingerprint}\n" for fingerprint in fingerprints)
    if lines:
        with open(index / _NAME, "a", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(lines)
