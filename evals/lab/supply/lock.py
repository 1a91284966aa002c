"""Reads the locks in `.lock`: requirements files in which each line has one version and its hashes. Makes none."""

from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from corpus.errors import RelnotesError

LOCKS = Path(__file__).parents[3] / ".lock"
_HASH = "--hash=sha256:"


@dataclass(frozen=True, slots=True)
class LockedDistribution:
    """One distribution as it is locked."""

    name: str
    """In its normal form."""
    version: Version
    requirement: Requirement
    hashes: tuple[str, ...]
    """SHA-256 digests in hex, of the files that may be installed."""


def load_lock(path: Path) -> tuple[LockedDistribution, ...]:
    """The pins of a lock, in its order.

    Raises:
        RelnotesError: it can't be read, or a line isn't a version with its hashes.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise RelnotesError(f"Cannot read the lock {str(path)!r}: {error.strerror or error}.") from None
    lines = text.replace("\\\n", " ").splitlines()
    return tuple(_pin(line, path) for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _pin(line: str, path: Path) -> LockedDistribution:
    stated, *hashes = (part.strip() for part in line.split(_HASH))
    try:
        requirement = Requirement(stated)
        (only,) = requirement.specifier
        version = Version(only.version)
    except (InvalidRequirement, ValueError):
        raise RelnotesError(f"{str(path)!r} isn't a lock: {stated[:100]!r}. `make lock` writes one.") from None
    if only.operator != "==" or not hashes:
        raise RelnotesError(f"{str(path)!r} leaves {stated[:100]!r} open. `make lock` writes one that doesn't.")
    return LockedDistribution(canonicalize_name(requirement.name), version, requirement, tuple(hashes))
