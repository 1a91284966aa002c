"""Bumps that a manifest and its lock state alike, said once: at the manifest, which people wrote.

The lock's own versions are kept in a note. A lock counts as a manifest's where it lies in the same folder or above, as
that of a workspace does. Two manifests that state one bump stay two: each line is somebody's to change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from corpus.catalogue import CatalogueProduct
from retrieval.reviews.model import Bump

_LOCK_ENDINGS = (
    ".lock",
    ".locked",
    ".lockfile",
    ".lock.json",
    "-lock.json",
    "-lock.yaml",
    "-lock.yml",
    "shrinkwrap.json",
)


@dataclass(frozen=True, slots=True)
class NamedBump:
    """A bump of a product that the catalogue has, with what other files state of it."""

    bump: Bump
    product: CatalogueProduct
    notes: tuple[str, ...] = ()


def fold_locks(named: Sequence[NamedBump]) -> tuple[NamedBump, ...]:
    """The bumps without those of locks that a manifest, or a lock before them, speaks for; in their order."""
    alike: dict[tuple[str, str, str | None, str | None], NamedBump] = {}
    for one in named:
        alike.setdefault((one.product.name, one.bump.file, one.bump.start, one.bump.end), one)
    named = tuple(alike.values())
    inputs = frozenset(one.bump.file for one in named if one.bump.file.endswith(".in"))
    kept: list[NamedBump] = [one for one in named if not _is_lock(one.bump.file, inputs)]
    notes: dict[int, list[str]] = {}
    for lock in (one for one in named if _is_lock(one.bump.file, inputs)):
        place = next((n for n, one in enumerate(kept) if _speaks_for(one.bump, lock, kept[n].product, inputs)), None)
        if place is None:
            kept.append(lock)
        else:
            notes.setdefault(place, []).append(_note(lock.bump))
    told = [NamedBump(one.bump, one.product, tuple(notes.get(n, ()))) for n, one in enumerate(kept)]
    order = {id(one.bump): n for n, one in enumerate(named)}
    return tuple(sorted(told, key=lambda one: order[id(one.bump)]))


def is_lock_name(name: str) -> bool:
    """Whether a file of this name is the lock of a package manager."""
    lowered = name.lower()
    return lowered.endswith(_LOCK_ENDINGS) or (lowered.startswith("pylock.") and lowered.endswith(".toml"))


def _speaks_for(bump: Bump, lock: NamedBump, product: CatalogueProduct, inputs: frozenset[str]) -> bool:
    if product is not lock.product or bump.ecosystem is not lock.bump.ecosystem or not (bump.start and bump.end):
        return False
    if _is_lock(bump.file, inputs):
        return (bump.start, bump.end) == (lock.bump.start, lock.bump.end)
    return PurePosixPath(bump.file).parent.is_relative_to(PurePosixPath(lock.bump.file).parent)


def _is_lock(file: str, inputs: frozenset[str]) -> bool:
    """Whether a program wrote the file; pip-tools writes `requirements.txt` from the `requirements.in` beside it."""
    path = PurePosixPath(file)
    is_compiled = path.suffix == ".txt" and str(path.with_suffix(".in")) in inputs
    return is_compiled or is_lock_name(path.name)


def _note(bump: Bump) -> str:
    before = f"from {bump.start} " if bump.start else ""
    return f"{bump.file}:{bump.line} moves it {before}to {bump.end or 'no stated version'}."
