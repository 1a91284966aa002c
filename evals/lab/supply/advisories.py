"""What a folder of advisories in the form of OSV says of pinned distributions, for machines that reach no service.

Such a folder is a copy of PyPA's advisory database, which is kept with Git. Only advisories for PyPI count, and of
their ranges those in versions, not in commits.

Source: the Open Source Vulnerability format, https://ossf.github.io/osv-schema/
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from corpus.errors import RelnotesError
from evals.lab.supply.lock import LockedDistribution


@dataclass(frozen=True, slots=True)
class PinAdvisory:
    """An advisory that concerns a pin."""

    name: str
    version: str
    advisory: str
    fixed: tuple[str, ...]
    """The versions that mend it, where it says so."""


def find_in_folder(folder: Path, pins: Iterable[LockedDistribution]) -> tuple[tuple[PinAdvisory, ...], int]:
    """What is known against the pins, and how many advisories there are about packages of PyPI.

    Raises:
        RelnotesError: there is none at all.
    """
    by_name: dict[str, list[LockedDistribution]] = {}
    for pin in pins:
        by_name.setdefault(pin.name, []).append(pin)
    findings, count = [], 0
    for advisory in _load(folder):
        affected = [one for one in advisory.get("affected") or () if _name(one)]
        count += bool(affected)
        if advisory.get("withdrawn"):
            continue
        for one in affected:
            for pin in by_name.get(_name(one), ()):
                if is_affected(pin.version, one):
                    findings.append(PinAdvisory(pin.name, str(pin.version), str(advisory["id"]), tuple(_fixes(one))))
    if not count:
        raise RelnotesError(f"There is no advisory about a package of PyPI in {str(folder)!r}.")
    return tuple(sorted(set(findings), key=lambda one: (one.name, one.advisory))), count


def _load(folder: Path) -> Iterator[Mapping[str, Any]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".json":
            yield json.loads(path.read_text("utf-8"))
        elif path.suffix in (".yaml", ".yml"):
            loaded = yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
            if isinstance(loaded, dict) and "id" in loaded:
                yield loaded


def _name(affected: Mapping[str, Any]) -> str:
    package = affected.get("package") or {}
    return canonicalize_name(package["name"]) if package.get("ecosystem") == "PyPI" else ""


def is_affected(version: Version, affected: Mapping[str, Any]) -> bool:
    """Whether an entry of `affected` lists a version, or has a range of versions that holds it."""
    listed = (_version(text) for text in affected.get("versions") or ())
    return _public(version) in listed or any(
        _is_within(version, one.get("events") or ())
        for one in affected.get("ranges") or ()
        if one.get("type") == "ECOSYSTEM"
    )


def _is_within(version: Version, events: Iterable[Mapping[str, str]]) -> bool:
    is_in = False
    for event in events:
        (kind, text), *_ = event.items()
        bound = Version("0.dev0") if text == "0" else _version(text)
        if bound is None:
            continue
        match kind:
            case "introduced" if version >= bound:
                is_in = True
            case "fixed" if _public(version) >= bound:
                is_in = False
            case "last_affected" if _public(version) > bound:
                is_in = False
    return is_in


def _fixes(affected: Mapping[str, Any]) -> Iterator[str]:
    for one in affected.get("ranges") or ():
        if one.get("type") == "ECOSYSTEM":
            yield from (event["fixed"] for event in one.get("events") or () if "fixed" in event)


def _public(version: Version) -> Version:
    """Without what a builder added, such as `+cpu`."""
    return Version(version.public)


def _version(text: object) -> Version | None:
    try:
        return Version(str(text))
    except InvalidVersion:
        return None
