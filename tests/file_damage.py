"""Ways to damage a file, chosen by chance: flipped bits mostly, and what copying, disks and people do to files."""

import pickle
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

KINDS = ("a bit", "a byte", "a block of zeros", "cut short", "emptied", "another file's content", "a pickle", "removed")
_SHARES = (50, 25, 5, 6, 3, 4, 4, 3)
_HEADER = 4096
_BLOCK = 64


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done to which file."""

    kind: str
    file: str
    """Relative to the index's folder."""
    at: int
    """The first byte that is another one."""


def choose_file(chance: random.Random, files: Sequence[Path], *, database: Path) -> Path:
    """The database in one of two cases, else any other file."""
    others = [file for file in files if file != database]
    return database if chance.random() < 0.5 else chance.choice(others)


def damage_file(chance: random.Random, file: Path, others: Sequence[Path], *, index: Path) -> Damage:
    """Damage `file`, so that its bytes are others than before."""
    before = file.read_bytes()
    while True:
        kind = chance.choices(KINDS, _SHARES)[0]
        # The first page of a database is a small part of it, and says what all of it is.
        reach = _HEADER if chance.random() < 0.2 else len(before)
        at = chance.randrange(min(reach, len(before))) if before else 0
        after = _altered(chance, kind, before, at, others)
        if after != before:
            break
    if after is None:
        file.unlink()
    else:
        file.write_bytes(after)
    return Damage(kind, str(file.relative_to(index)), at)


def _altered(chance: random.Random, kind: str, before: bytes, at: int, others: Sequence[Path]) -> bytes | None:
    if kind == "removed":
        return None
    if kind == "emptied" or not before:
        return b""
    if kind == "cut short":
        return before[:at]
    if kind == "another file's content":
        return chance.choice(others).read_bytes()
    if kind == "a pickle":
        return pickle.dumps({"of": "another program"})
    if kind == "a block of zeros":
        return before[:at] + bytes(min(_BLOCK, len(before) - at)) + before[at + _BLOCK :]
    altered = before[at] ^ (1 << chance.randrange(8)) if kind == "a bit" else chance.randrange(256)
    return before[:at] + bytes((altered,)) + before[at + 1 :]
