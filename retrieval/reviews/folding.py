"""Bumps that a manifest and its lock state alike, said once: at the manifest, which people wrote.

The lock's own versions are kept in a note. A lock counts as a manifest's where it lies in the same folder or above, as
that of a workspace does. Two manifests that state one bump stay two: each line is somebody's to change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from corpus.catalogue import CatalogueProduct
from retrieval.reviews.model import Bump

_LOCK_ENDINGS = tuple(".lock .locked .lockfile .lock.json -lock.json -lock.yaml -lock.yml shrinkwrap.json".split())


@dataclass(frozen=True, slots=True)
class NamedBump:
    """A bump of a product that the catalogue has, with what other files state of it."""

    bump: Bump
    product: CatalogueProduct
    notes: tuple[str, ...] = ()


def fold_locks(named: Sequence[NamedBump]) -> tuple[NamedBump, ...]:
    """The bumps without those of locks that a manifest, or a lock before them, speaks for; in their order."""
    alike: dict[tuple[str, str, str | None, str | None], NamedBump] = {}
    for named_bump in named:
        alike.setdefault(
            (named_bump.product.name, named_bump.bump.file, named_bump.bump.start, named_bump.bump.end), named_bump
        )
    inputs = frozenset(entry.bump.file for entry in alike.values() if entry.bump.file.endswith(".in"))
    locks = {key: _is_lock(entry.bump.file, inputs) for key, entry in alike.items()}
    kept: dict[tuple[str, str, str | None, str | None], NamedBump] = {}
    for key in sorted(alike, key=locks.__getitem__):
        bump = alike[key].bump
        speaking = (
            other for other in kept if locks[key] and _speaks_for(kept[other], alike[key], is_lock=locks[other])
        )
        if (other := next(speaking, None)) is None:
            kept[key] = alike[key]
        else:
            before = f"from {bump.start} " if bump.start else ""
            note = f"{bump.file}:{bump.line} moves it {before}to {bump.end or 'no stated version'}."
            kept[other] = replace(kept[other], notes=(*kept[other].notes, note))
    return tuple(kept[key] for key in alike if key in kept)


def is_lock_name(name: str) -> bool:
    """Whether a file of this name is the lock of a package manager."""
    lowered = name.lower()
    return lowered.endswith(_LOCK_ENDINGS) or (lowered.startswith("pylock.") and lowered.endswith(".toml"))


def _speaks_for(named: NamedBump, lock: NamedBump, *, is_lock: bool) -> bool:
    bump = named.bump
    if named.product is not lock.product or bump.ecosystem is not lock.bump.ecosystem or not (bump.start and bump.end):
        return False
    if is_lock:
        return (bump.start, bump.end) == (lock.bump.start, lock.bump.end)
    return PurePosixPath(bump.file).parent.is_relative_to(PurePosixPath(lock.bump.file).parent)


def _is_lock(file: str, inputs: frozenset[str]) -> bool:
    """Whether a program wrote the file; pip-tools writes `requirements.txt` from the `requirements.in` beside it."""
    path = PurePosixPath(file)
    is_compiled = path.suffix == ".txt" and str(path.with_suffix(".in")) in inputs
    return is_compiled or is_lock_name(path.name)
